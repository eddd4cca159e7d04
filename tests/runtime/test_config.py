"""What the configuration says about sound, night and build, and what the daemon makes of it."""

import re
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from captains_table.devices.dimming import Night
from captains_table.devices.sound.speech import Voice
from captains_table.hardware.profiles.toml_reader import BadProfile
from captains_table.runtime.applied_config import (
    PageTokens,
    night_of,
    page_tokens_of,
    profile_of,
    settings_for,
    voice_of,
)
from captains_table.runtime.config import TableConfig, parse_table_config
from captains_table.storage.configuration import BadConfig
from captains_table.storage.profile_files import load_profile
from captains_table.web.serving.limits import PageLimits


def parsed(text: str) -> TableConfig:
    return parse_table_config(tomllib.loads(text))


def test_sound_and_night_have_their_defaults() -> None:
    assert (parsed("").sound, night_of(parsed(""))) == (True, Night(22, 7, 0.2))


def test_sound_and_night_are_read() -> None:
    config = parsed("[table]\nsound = false\ndim_from = 21.5\ndim_until = 8\ndim_to = 0")
    assert (config.sound, night_of(config)) == (False, Night(21.5, 8, 0))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("sound = 1", "sound = 1: expected true or false"),
        ("dim_from = 24.5", "dim_from = 24.5: expected a number from 0 to 24"),
        ("dim_until = true", "dim_until = True: expected a number from 0 to 24"),
        ('dim_to = "half"', "dim_to = 'half': expected a number from 0 to 1"),
        ("dim_to = nan", "dim_to = nan: expected a number from 0 to 1"),
    ],
)
def test_what_cannot_be_meant_is_said_with_what_was_expected(line: str, words: str) -> None:
    with pytest.raises(BadConfig, match=words.replace("(", "\\(")):
        parsed(f"[table]\n{line}")


def test_a_game_masters_page_is_asked_for_and_has_a_key_of_its_own(tmp_path: Path) -> None:
    assert not parsed("").master
    config = replace(parsed('[web]\nmaster = true\nhost = "0.0.0.0"'), state_dir=tmp_path)
    keys = page_tokens_of(config)
    assert keys == page_tokens_of(config), "they stay the same from start to start"
    assert len({keys.token, keys.master, None}) == 3
    assert page_tokens_of(replace(config, master=False)) == PageTokens(keys.token, None)
    assert page_tokens_of(replace(config, host="127.0.0.1")) == PageTokens(None, keys.master), (
        "it is asked for on this machine too"
    )
    with pytest.raises(BadConfig, match="master = 1: expected true or false"):
        parsed("[web]\nmaster = 1")


def test_an_engine_is_named_by_its_path() -> None:
    assert parsed("").engine is None
    assert parsed('[table]\nengine = "/usr/local/bin/my engine"').engine == Path("/usr/local/bin/my engine")
    assert parsed('[table]\nengine = "~/engine"').engine == Path.home() / "engine"
    for value, words in (
        ("7", "engine = 7: expected text in quotes"),
        ('""', "engine = '': expected the path"),
        ('"~nobody-there/e"', "engine = '~nobody-there/e': expected a path"),
    ):
        with pytest.raises(BadConfig, match=words):
            parsed(f"[table]\nengine = {value}")


def test_a_table_is_silent_unless_it_is_told_to_speak() -> None:
    assert voice_of(parsed("")) == Voice(speech=False, voice="en", rate=160)
    spoken = parsed('[sound]\nspeech = true\nvoice = "en-us+f3"\nrate = 200')
    assert voice_of(spoken) == Voice(speech=True, voice="en-us+f3", rate=200)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('speech = "yes"', "speech = 'yes': expected true or false"),
        ('voice = "-x"', 'voice = \'-x\': expected one that "espeak-ng --voices" lists, such as "en-gb"'),
        ("voice = 7", 'voice = 7: expected one that "espeak-ng --voices" lists'),
        ("rate = 79", "rate = 79: expected words a minute, a whole number from 80 to 450"),
        ("rate = true", "rate = True: expected words a minute"),
        ("rate = 160.0", "rate = 160.0: expected words a minute"),
        ("pitch = 50", "unknown key 'pitch' in [sound]: expected one of speech, voice, rate"),
    ],
)
def test_a_voice_that_cannot_be_meant_is_refused_with_what_was_expected(line: str, words: str) -> None:
    with pytest.raises(BadConfig, match=re.escape(words)):
        parsed(f"[sound]\n{line}")


def test_what_guests_may_take_is_configured() -> None:
    assert parsed("").limits == PageLimits(connections=200, share=20, streams=100, request_s=10, idle_s=60)
    assert parsed('[web]\nproxies = ["192.0.2.1", "10.1.0.0/24"]').proxies == ("192.0.2.1", "10.1.0.0/24")
    assert parsed("[web]\nport = 9\nconnections = 20\nidle_s = 7.5").limits == PageLimits(connections=20, idle_s=7.5)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("connections = 0", "connections = 0: expected a whole number from 1 to 900"),
        ("connections = 901", "connections = 901: expected a whole number from 1 to 900"),
        ("share = 0", "share = 0: expected a whole number from 1 to 900"),
        ("streams = 1.5", "streams = 1.5: expected a whole number from 1 to 900"),
        ("streams = true", "streams = True: expected a whole number from 1 to 900"),
        ("request_s = 0", "request_s = 0: expected seconds, more than 0 and at most 86400"),
        ("request_s = nan", "request_s = nan: expected seconds, more than 0 and at most 86400"),
        ('idle_s = "long"', "idle_s = 'long': expected seconds, more than 0 and at most 86400"),
        ("idle_s = 86401", "idle_s = 86401: expected seconds, more than 0 and at most 86400"),
        ('proxies = "192.0.2.1"', "proxies = '192.0.2.1': expected a list of addresses, such as [\"192.168.1.2\"]"),
        ('proxies = ["table.lan"]', "[web] proxies = 'table.lan': expected an address or a network, such as"),
        ('proxies = ["10.1.0.1/24"]', "[web] proxies = '10.1.0.1/24': expected an address or a network, such as"),
        ("proxies = [1]", "[web] proxies = [1]: expected a list of addresses, such as"),
        (
            "patience = 1",
            "unknown key 'patience' in [web]: expected one of host, port, hosts, proxies, master, connections",
        ),
    ],
)
def test_limits_that_cannot_be_meant_are_refused_with_what_was_expected(line: str, words: str) -> None:
    with pytest.raises(BadConfig, match=re.escape(words)):
        parsed(f"[web]\n{line}")


def test_the_build_is_the_profiles(tmp_path: Path) -> None:
    config = replace(parsed('[table]\nprofile = "gpio-9x8"'), state_dir=tmp_path)
    assert profile_of(config) == load_profile("gpio-9x8")
    with pytest.raises(BadProfile, match="no profile 'nothing'"):
        profile_of(replace(config, profile="nothing"))


def test_a_pico_without_a_profile_has_its_glass_on_the_page(tmp_path: Path) -> None:
    profile = profile_of(TableConfig(board="pico", usb="1209:beef", state_dir=tmp_path))
    assert (profile.board.key, profile.usb, profile.display.bus) == ("pico", (0x1209, 0xBEEF), None)


def test_which_buttons_a_real_build_has_is_its_profiles_to_say() -> None:
    def devices(name: str) -> Any:  # noqa: ANN401 - only the profile is looked at
        return SimpleNamespace(profile=load_profile(name))

    one = parsed('[settings]\nbuttons = "one"\nslide_ms = 250')
    assert settings_for(one, devices("gpio-8x8")).buttons == "encoder"
    assert settings_for(one, devices("gpio-8x8")).slide_ms == 250
    assert settings_for(parsed(""), devices("one-button")).buttons == "one"
    assert settings_for(one, devices("simulated")).buttons == "one"


@pytest.mark.parametrize(("build", "back"), [("pico-8x8", "menu"), ("gpio-8x8", "menu"), ("simulated", "button")])
def test_menus_of_a_built_table_have_a_line_that_leaves_them_as_it_has_no_button_for_that(
    build: str, back: str
) -> None:
    devices: Any = SimpleNamespace(profile=load_profile(build))  # only the profile is looked at
    assert settings_for(parsed(""), devices).back == back
    with pytest.raises(BadConfig, match="back"):
        parsed('[settings]\nback = "button"')


# --- the club -------------------------------------------------------------------------------------------------------


def test_a_table_of_a_club_says_where_its_broker_is_and_who_it_is_there() -> None:
    club = parse_table_config(
        tomllib.loads('[club]\nhost = "club.example"\nuser = "table-3"\nca = "/etc/ca.pem"\nboard = 3\nnames = true')
    ).club
    assert (club.is_set, club.host, club.user, club.board, club.called) == (
        True,
        "club.example",
        "table-3",
        3,
        "table-3",
    )
    assert (club.broker_port, replace(club, ca=None).broker_port, replace(club, port=9).broker_port) == (8883, 1883, 9)
    assert not TableConfig().club.is_set


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ('user = "table-3"', r"\[club\] host is missing"),
        ('host = "club.example"', r"\[club\] user is missing"),
        ('host = "club.example"\nuser = "Table-3"', r"small letters, digits and hyphens"),
        ('host = "club.example"\nuser = "club"', r"another user of the club's broker"),
        ('host = "a b"\nuser = "table-3"', r"host = 'a b': expected a word"),
        ('host = "a"\nuser = "table-3"\nport = 65536', r"port = 65536: expected a whole number from 0 to 65535"),
        ('host = "a"\nuser = "table-3"\nboard = true', r"board = True: expected a whole number"),
        ('host = "a"\nuser = "table-3"\nnames = 1', r"names = 1: expected true or false"),
        ('host = "a"\nuser = "table-3"\ntitle = "a\\nb"', r"expected at most 64 characters"),
        ('host = "a"\nuser = "table-3"\npassword_file = ""', r"expected a file's path"),
        ('host = "a"\nuser = "table-3"\npassword = "sea shanty"', r"unknown key 'password' in \[club\]"),
    ],
)
def test_a_club_that_cannot_be_used_is_refused_in_words(lines: str, words: str) -> None:
    with pytest.raises(BadConfig, match=words):
        parse_table_config(tomllib.loads(f"[club]\n{lines}"))
