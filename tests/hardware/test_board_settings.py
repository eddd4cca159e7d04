"""What the Pico is told about its build: the same pins as in the wiring, in words its firmware reads."""

import types
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from captains_table.hardware.profiles.light_supply import FUSES_MA
from captains_table.hardware.wiring.board_settings import NotOnAPico, board_settings
from captains_table.storage.profile_files import load_profile
from firmware import settings as shipped
from firmware.lights import LINKED, Lights
from tests.support.firmware_fakes import FakeStrip
from tests.support.micropython_bridge import run_program

COLOURS = st.sampled_from([chr(code) for code in range(48, 112)])


def executed(text: str) -> types.ModuleType:
    module = types.ModuleType("settings")
    exec(text, module.__dict__)  # noqa: S102 - our own text, as the board runs it
    return module


def settings_of(name: str) -> types.ModuleType:
    return executed(board_settings(load_profile(name)))


def test_the_settings_the_firmware_ships_with_are_those_of_the_first_build() -> None:
    written = settings_of("pico-8x8")
    for name in filter(str.isupper, vars(shipped).keys() - {"BRIGHTNESS"}):
        assert getattr(written, name) == getattr(shipped, name), name


def test_every_setting_the_firmware_reads_is_written() -> None:
    for name in ("pico-8x8", "pico-9x8", "one-button"):
        assert {key for key in vars(shipped) if key.isupper()} == {
            key for key in vars(settings_of(name)) if key.isupper()
        }


def test_a_ninth_file_makes_the_chain_longer_and_keeps_the_buttons_light_at_its_end() -> None:
    written = settings_of("pico-9x8")
    assert len(written.FILE_PINS) == 9
    assert sorted(written.LIGHT_CHAIN) == list(range(73))
    assert written.LIGHT_CHAIN[8:10] == [8, 17]  # i1, then a2 at the far end of the way back
    assert written.LIGHT_CHAIN[-1] == 72


def test_a_board_without_encoder_lights_and_buzzer_has_none_of_their_pins() -> None:
    written = settings_of("one-button")
    assert written.BUTTON_PINS == {"roll": 16}
    assert (written.ENCODER_PINS, written.LIGHTS_PIN, written.BUZZER_PIN) == (None, None, None)
    assert written.LIGHT_CHAIN == []


@given(st.sampled_from(FUSES_MA), st.integers(0, 100), st.text(COLOURS, min_size=65, max_size=65))
def test_whatever_the_firmware_is_told_to_show_its_lights_draw_four_fifths_of_what_their_fuse_is_rated_for(
    fuse_ma: int, brightness: int, colours: str
) -> None:
    profile = load_profile("pico-8x8")
    assert profile.lights is not None
    written = executed(board_settings(replace(profile, lights=replace(profile.lights, fuse_ma=fuse_ma))))
    strip = FakeStrip(65)
    lights = Lights(strip, written.LIGHT_CHAIN, brightness, written.MOST_MILLIAMPERES)
    lights.show(colours)
    lights.tick(LINKED, 0)
    dark_ma, lit_ma = len(strip.shown), sum(map(sum, strip.shown)) * 20 / 255
    assert dark_ma + lit_ma <= 0.8 * fuse_ma


@pytest.mark.parametrize("name", ["gpio-8x8", "simulated"])
def test_a_build_without_a_pico_has_no_settings_for_one(name: str) -> None:
    with pytest.raises(NotOnAPico, match=f"{name}: no Pico reads its switches"):
        board_settings(load_profile(name))


def test_micropython_reads_them_as_python_does() -> None:
    text = board_settings(load_profile("pico-9x8"))
    said = run_program(f"{text}\nprint(FILE_PINS, BUTTON_PINS['choose'], len(LIGHT_CHAIN), MOST_MILLIAMPERES)\n")
    assert said.strip() == "(0, 1, 2, 3, 4, 5, 6, 7, 21) 19 73 1207"
