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
from captains_table.games.contract import Shape
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


def test_what_is_not_said_has_its_default_and_what_is_said_is_read() -> None:
    assert (parsed("").sound, night_of(parsed("")), parsed("").engine) == (True, Night(22, 7, 0.2), None)
    assert voice_of(parsed("")) == Voice(speech=False, voice="en", rate=160)
    assert parsed("").limits == PageLimits(connections=200, share=20, streams=100, request_s=10, idle_s=60)
    config = parsed("[table]\nsound = false\ndim_from = 21.5\ndim_until = 8\ndim_to = 0")
    assert (config.sound, night_of(config)) == (False, Night(21.5, 8, 0))
    assert parsed('[match]\ngame = "captains-chess"').game == "captains-chess"
    assert parsed('[table]\nengine = "/usr/local/bin/my engine"').engine == Path("/usr/local/bin/my engine")
    assert parsed('[table]\nengine = "~/engine"').engine == Path.home() / "engine"
    spoken = parsed('[sound]\nspeech = true\nvoice = "en-us+f3"\nrate = 200')
    assert voice_of(spoken) == Voice(speech=True, voice="en-us+f3", rate=200)
    assert parsed('[web]\nproxies = ["192.0.2.1", "10.1.0.0/24"]').proxies == ("192.0.2.1", "10.1.0.0/24")
    assert parsed("[web]\nport = 9\nconnections = 20\nidle_s = 7.5").limits == PageLimits(connections=20, idle_s=7.5)


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


def test_the_build_is_the_profiles(tmp_path: Path) -> None:
    config = replace(parsed('[table]\nprofile = "gpio-9x8"'), state_dir=tmp_path)
    assert profile_of(config) == load_profile("gpio-9x8")
    with pytest.raises(BadProfile, match="no profile 'nothing'"):
        profile_of(replace(config, profile="nothing"))
    pico = profile_of(TableConfig(board="pico", usb="1209:beef", state_dir=tmp_path))
    assert (pico.board.key, pico.usb, pico.display.bus) == ("pico", (0x1209, 0xBEEF), None), "its glass is on the page"


def test_a_bought_board_has_eight_files_and_ranks_and_no_build_with_a_board_of_its_own(tmp_path: Path) -> None:
    dgt = profile_of(TableConfig(board="dgt", state_dir=tmp_path))
    assert (dgt.board.key, dgt.shape, dgt.matrix) == ("dgt", Shape(8, 8), None)
    with pytest.raises(BadProfile, match="profile gpio-8x8: it has a board of its own, expected none with 'dgt'"):
        profile_of(TableConfig(board="dgt", profile="gpio-8x8", state_dir=tmp_path))


def test_which_buttons_a_real_build_has_is_its_profiles_to_say() -> None:
    def devices(name: str) -> Any:  # noqa: ANN401 - only the profile is looked at
        return SimpleNamespace(profile=load_profile(name))

    one = parsed('[settings]\nbuttons = "one"\nslide_ms = 250')
    assert settings_for(one, devices("gpio-8x8")).buttons == "encoder"
    assert settings_for(one, devices("gpio-8x8")).slide_ms == 250
    assert settings_for(parsed(""), devices("one-button")).buttons == "one"
    assert settings_for(one, devices("simulated")).buttons == "one"
    for build, back in (("pico-8x8", "menu"), ("gpio-8x8", "menu"), ("simulated", "button")):
        assert settings_for(parsed(""), devices(build)).back == back, "a line leaves menus where no button does"


def test_a_table_of_a_club_says_where_its_broker_is_and_who_it_is_there() -> None:
    club = parsed('[club]\nhost = "club.example"\nuser = "table-3"\nca = "/etc/ca.pem"\nboard = 3\nnames = true').club
    assert (club.is_set, club.host, club.user, club.board) == (True, "club.example", "table-3", 3)
    assert club.called == "table-3"
    assert (club.broker_port, replace(club, ca=None).broker_port, replace(club, port=9).broker_port) == (8883, 1883, 9)
    assert not TableConfig().club.is_set


@pytest.mark.parametrize(
    ("section", "lines", "words"),
    [
        ("table", "sound = 1", "sound = 1: expected true or false"),
        ("table", "dim_from = 24.5", "dim_from = 24.5: expected a number from 0 to 24"),
        ("table", "dim_until = true", "dim_until = True: expected a number from 0 to 24"),
        ("table", 'dim_to = "half"', "dim_to = 'half': expected a number from 0 to 1"),
        ("table", "dim_to = nan", "dim_to = nan: expected a number from 0 to 1"),
        ("table", 'pace = "quicker"', "pace = 'quicker': expected one of quick, usual, unhurried"),
        ("table", "pace = 2", "pace = 2: expected one of quick, usual, unhurried"),
        ("settings", 'pace = "quick"', "unknown key 'pace' in [settings]"),
        ("table", "engine = 7", "engine = 7: expected text in quotes"),
        ("table", 'engines = "all"', "engines = 'all': expected one of found, configured"),
        ("table", 'engine = ""', "engine = '': expected the path"),
        ("table", 'engine = "~nobody-there/e"', "engine = '~nobody-there/e': expected a path"),
        ("table", 'board = "none"\nprofile = "pico-8x8"', 'expected no such line where [table] board = "none"'),
        ("table", 'board = "none"\nusb = "2e8a:0005"', 'expected only where [table] board = "pico"'),
        ("table", 'board = "floor"', "expected one of simulated, pico, none"),
        ("settings", 'switches = "none"', "unknown key 'switches' in [settings]"),
        ("settings", 'back = "button"', "unknown key 'back' in [settings]"),
        ("match", 'game = "parcheesi"', "unknown game"),
        ("web", "master = 1", "master = 1: expected true or false"),
        ("sound", 'speech = "yes"', "speech = 'yes': expected true or false"),
        ("sound", 'voice = "-x"', 'voice = \'-x\': expected one that "espeak-ng --voices" lists, such as "en-gb"'),
        ("sound", "voice = 7", 'voice = 7: expected one that "espeak-ng --voices" lists'),
        ("sound", "rate = 79", "rate = 79: expected words a minute, a whole number from 80 to 450"),
        ("sound", "rate = true", "rate = True: expected words a minute"),
        ("sound", "rate = 160.0", "rate = 160.0: expected words a minute"),
        ("sound", "pitch = 50", "unknown key 'pitch' in [sound]: expected one of speech, voice, rate"),
        ("web", "connections = 0", "connections = 0: expected a whole number from 1 to 900"),
        ("web", "connections = 901", "connections = 901: expected a whole number from 1 to 900"),
        ("web", "share = 0", "share = 0: expected a whole number from 1 to 900"),
        ("web", "streams = 1.5", "streams = 1.5: expected a whole number from 1 to 900"),
        ("web", "streams = true", "streams = True: expected a whole number from 1 to 900"),
        ("web", "request_s = 0", "request_s = 0: expected seconds, more than 0 and at most 86400"),
        ("web", "request_s = nan", "request_s = nan: expected seconds, more than 0 and at most 86400"),
        ("web", 'idle_s = "long"', "idle_s = 'long': expected seconds, more than 0 and at most 86400"),
        ("web", "idle_s = 86401", "idle_s = 86401: expected seconds, more than 0 and at most 86400"),
        ("web", 'proxies = "192.0.2.1"', "proxies = '192.0.2.1': expected a list of addresses, such as [\"192"),
        ("web", 'proxies = ["table.lan"]', "[web] proxies = 'table.lan': expected an address or a network"),
        ("web", 'proxies = ["10.1.0.1/24"]', "[web] proxies = '10.1.0.1/24': expected an address or a network, such"),
        ("web", "proxies = [1]", "[web] proxies = [1]: expected a list of addresses, such as"),
        ("web", "patience = 1", "unknown key 'patience' in [web]: expected one of host, port, hosts, proxies, master"),
        ("club", 'user = "table-3"', "[club] host is missing"),
        ("club", 'host = "club.example"', "[club] user is missing"),
        ("club", 'host = "club.example"\nuser = "Table-3"', "small letters, digits and hyphens"),
        ("club", 'host = "club.example"\nuser = "club"', "another user of the club's broker"),
        ("club", 'host = "a b"\nuser = "table-3"', "host = 'a b': expected a word"),
        ("club", 'host = "a"\nuser = "table-3"\nport = 65536', "port = 65536: expected a whole number from 0 to 65535"),
        ("club", 'host = "a"\nuser = "table-3"\nboard = true', "board = True: expected a whole number"),
        ("club", 'host = "a"\nuser = "table-3"\nnames = 1', "names = 1: expected true or false"),
        ("club", 'host = "a"\nuser = "table-3"\ntitle = "a\\nb"', "expected at most 64 characters"),
        ("club", 'host = "a"\nuser = "table-3"\npassword_file = ""', "expected a file's path"),
        ("club", 'host = "a"\nuser = "table-3"\npassword = "sea shanty"', "unknown key 'password' in [club]"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_what_was_expected(section: str, lines: str, words: str) -> None:
    with pytest.raises(BadConfig, match=re.escape(words)):
        parsed(f"[{section}]\n{lines}")
