"""The lights' chips show what was meant, as they decode the bytes on their bus; and the worker that drives them."""

from collections.abc import Mapping
from contextlib import closing
from unittest.mock import patch

import pytest
from hypothesis import given, strategies as st

from captains_table.devices.lights.board_lights import BoardLights
from captains_table.devices.lights.compositor import LOOKS, Frame
from captains_table.devices.lights.led_driver import Apa102Driver, LedDriver, Max7219Driver
from captains_table.devices.pico.serial_board import LightFrames
from captains_table.devices.wiring_corrections import NO_CORRECTIONS, WiringCorrections
from captains_table.games.contract import Shape, Square, parse_square
from captains_table.link.from_board import Abilities, Hello
from captains_table.link.from_host import DARK
from captains_table.link.host import HostEnd
from captains_table.storage.profile_files import load_profile
from captains_table.table.model.events import Button, ButtonPressed, ButtonReleased, SwitchChanged
from captains_table.table.model.view import Mark
from tests.devices.reports import until
from tests.support.fake_chips import FakeApa102Chain, FakeMax7219Modules
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")  # luma's, until Pillow 14
BOARD = Shape(8, 8)
RED, GREEN = (255, 0, 0), (0, 255, 0)
A1, E4, H8, I8 = (parse_square(name) for name in ("a1", "e4", "h8", "i8"))


def by_rows(square: Square) -> int:
    return square.rank * 8 + square.file


# --- APA102 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["gpio-8x8", "gpio-9x8"])
def test_the_chain_of_a_build_runs_as_its_profile_says(name: str) -> None:
    profile = load_profile(name)
    for square in profile.shape.squares():
        bus = FakeApa102Chain(profile.light_count)
        Apa102Driver(bus, profile.light_count, profile.light_of).show({square: RED})
        lit = [number for number, colour in enumerate(bus.colours) if any(colour)]
        assert [bus.colours[number] for number in lit] == [RED]
        # a serpentine: ranks run to and fro
        file = square.file if square.rank % 2 == 0 else profile.shape.files - 1 - square.file
        assert lit == [square.rank * profile.shape.files + file]


@pytest.mark.parametrize(("share", "level"), [(1.0, 15), (0.5, 8), (0.1, 1), (0.0, 1), (7.0, 15)])
def test_a_chain_is_dimmed_but_never_out(share: float, level: int) -> None:
    bus = FakeApa102Chain(64)
    driver = Apa102Driver(bus, 64, by_rows)
    driver.show({A1: RED})
    driver.dim(share)
    assert set(bus.brightness) == {level}
    assert bus.colours[0] == RED


def test_the_buttons_own_light_ends_the_chain_and_all_are_dark_once_the_bus_is_let_go_of() -> None:
    bus = FakeApa102Chain(65)
    driver = Apa102Driver(bus, 65, by_rows, button=64)
    driver.show({A1: RED})
    assert [number for number, colour in enumerate(bus.colours) if any(colour)] == [0, 64]
    driver.close()
    assert not any(map(any, bus.colours))
    assert not bus.is_open


# --- MAX7219 --------------------------------------------------------------------------------------------------------


def test_modules_show_rank_1_in_their_lowest_row_and_the_ninth_file_in_the_second_ones_first_column() -> None:
    bus = FakeMax7219Modules(2)
    Max7219Driver(bus, Shape(9, 8)).show({A1: RED, E4: GREEN, H8: RED, I8: RED})
    assert bus.lit() == {(0, 7), (4, 4), (7, 0), (8, 0)}
    assert bus.is_on


def test_modules_are_dimmed_and_closed() -> None:
    bus = FakeMax7219Modules(1)
    driver = Max7219Driver(bus, BOARD)
    driver.show({A1: RED})
    driver.dim(0.2)
    assert bus.intensity == 3
    driver.dim(0.0)
    assert bus.intensity == 1
    driver.close()
    assert (bus.lit(), bus.is_on, bus.is_open) == (set(), False, False)


# --- what they draw -------------------------------------------------------------------------------------------------

PICTURES = st.lists(
    st.tuples(
        st.dictionaries(st.builds(Square, st.integers(0, 7), st.integers(0, 7)), st.tuples(*[st.integers(0, 255)] * 3)),
        st.floats(0, 1),
    ),
    min_size=1,
    max_size=4,
)


class Meter:
    """Notes the most that its chips ever drew, the dark ones' share left out."""

    most_ma = 0.0

    def note(self, drawn_ma: float) -> None:
        self.most_ma = max(self.most_ma, drawn_ma)


class MeteredChain(FakeApa102Chain, Meter):
    def take(self, data: bytes) -> None:
        super().take(data)
        pairs = zip(self.colours, self.brightness, strict=True)
        self.note(sum(sum(colour) / 255 * 20 * brightness / 31 for colour, brightness in pairs))


class MeteredModules(FakeMax7219Modules, Meter):
    def take(self, data: bytes) -> None:
        super().take(data)
        self.note(len(self.lit()) * 40 / 8 * (2 * self.intensity + 1) / 32)


def show_all(driver: LedDriver, pictures: list[tuple[Frame, float]]) -> None:
    for frame, brightness in pictures:
        driver.dim(brightness)
        driver.show(frame)


@given(PICTURES, st.integers(60, 2000), st.integers(10, 350))
def test_whatever_is_shown_the_supply_is_not_asked_for_more(
    pictures: list[tuple[Frame, float]], chain_ma: int, modules_ma: int
) -> None:
    chain, modules = MeteredChain(65), MeteredModules(1)
    show_all(Apa102Driver(chain, 65, by_rows, chain_ma, button=64), pictures)
    show_all(Max7219Driver(modules, BOARD, modules_ma), pictures)
    assert chain.most_ma <= chain_ma
    assert modules.most_ma <= modules_ma


def test_an_ample_supply_dims_nothing() -> None:
    everything = dict.fromkeys(BOARD.squares(), (255, 255, 255))
    chain, modules = FakeApa102Chain(64), FakeMax7219Modules(1)
    show_all(Apa102Driver(chain, 64, by_rows, 64 * 60), [(everything, 1.0)])
    show_all(Max7219Driver(modules, BOARD, 64 * 5), [(everything, 1.0)])
    assert set(chain.colours) == {(255, 255, 255)}
    assert modules.intensity == 15


# --- the worker -----------------------------------------------------------------------------------------------------


def standing_still() -> int:
    """Stand in for a clock."""
    return 0


def light(lights: BoardLights, marks: Mapping[Square, Mark]) -> None:
    """Light marks and wait until they are lit."""
    lights.light(marks)
    assert lights.wait_idle(PATIENCE_S)


def test_marks_are_lit_in_their_colours_and_the_latest_win() -> None:
    bus = FakeApa102Chain(64)
    lights = BoardLights(Apa102Driver(bus, 64, by_rows), BOARD, standing_still)
    lights.light({A1: Mark.MAY_MOVE})
    light(lights, {E4: Mark.TARGET, H8: Mark.LAST_MOVE})
    lit = {number: colour for number, colour in enumerate(bus.colours) if any(colour)}
    assert lit == {by_rows(E4): LOOKS[Mark.TARGET].colour, by_rows(H8): LOOKS[Mark.LAST_MOVE].colour}
    lights.close()
    assert not any(map(any, bus.colours))
    assert not bus.is_open


def test_lights_blink_by_themselves() -> None:
    bus = FakeMax7219Modules(1)
    with closing(BoardLights(Max7219Driver(bus, BOARD), BOARD)) as lights:
        lights.light({E4: Mark.STRIKE})
        for _ in range(2):
            until(bus.lit)
            until(lambda: not bus.lit())


def test_lights_that_stand_still_send_nothing_again() -> None:
    bus = FakeMax7219Modules(1)
    with closing(BoardLights(Max7219Driver(bus, BOARD), BOARD)) as lights:
        light(lights, {E4: Mark.MAY_MOVE})
        sent = bus.transfers
        light(lights, {E4: Mark.MAY_MOVE})
        assert bus.transfers == sent


def test_a_bus_that_fails_is_a_fault_until_it_takes_the_lights_again() -> None:
    bus = FakeMax7219Modules(1)
    with closing(BoardLights(Max7219Driver(bus, BOARD), BOARD, standing_still)) as lights:
        lights.dim(0.5)
        assert lights.wait_idle(PATIENCE_S)
        bus.is_broken = True
        light(lights, {A1: Mark.MAY_MOVE})
        assert "the cable is off" in str(lights.fault)
        bus.is_broken = False
        lights.signal("strike", A1)
        assert lights.wait_idle(PATIENCE_S)
        assert (lights.fault, bus.lit(), bus.intensity) == (None, {(0, 7)}, 8)


# --- lights and buttons that are wired otherwise than the profile says ----------------------------------------------

B1 = parse_square("b1")
SWAPPED = {A1: B1, B1: A1}


def test_a_button_that_is_wired_as_another_one_says_what_it_really_is() -> None:
    turned = WiringCorrections(buttons={"next": "previous", "previous": "next"})
    assert turned.event(ButtonPressed(Button.NEXT)) == ButtonPressed(Button.PREVIOUS)
    assert turned.event(ButtonReleased(Button.PREVIOUS)) == ButtonReleased(Button.NEXT)
    assert turned.event(ButtonPressed(Button.ROLL)) == ButtonPressed(Button.ROLL)
    assert turned.event(SwitchChanged(A1, True)) == SwitchChanged(A1, True)  # noqa: FBT003 - as the event has it
    assert NO_CORRECTIONS.event(ButtonPressed(Button.NEXT)) == ButtonPressed(Button.NEXT)


def test_a_pico_is_sent_the_light_that_really_shines_under_a_square() -> None:
    end = HostEnd()
    frames = LightFrames(end, SWAPPED)
    hello = Hello("0.2", 8, 8, 1, Abilities(64, (), False, False))  # noqa: FBT003 - neither encoder nor buzzer
    frames.begin(hello)
    frames.light({A1: Mark.TARGET})
    with patch.object(end, "show", wraps=end.show) as show:
        frames.send(hello, 0)
    (codes,) = show.call_args.args
    assert [index for index, code in enumerate(codes) if code != DARK] == [1]


def test_a_module_lights_the_dot_that_really_shines_under_a_square() -> None:
    dots = FakeMax7219Modules(1)
    there = {real: wired for wired, real in SWAPPED.items()}
    driver = Max7219Driver(dots, Shape(8, 8), by_wiring=lambda square: there.get(square, square))
    driver.show({A1: (255, 0, 0)})
    assert dots.lit() == {(B1.file, 7)}
    driver.show({Square(4, 3): (255, 0, 0)})
    assert dots.lit() == {(4, 4)}
