"""Which engines a table has: configured or found, examined once, offered at levels that keep their numbers."""

import asyncio
import os
import re
import threading
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from captains_table import catalog, daemon
from captains_table.players.common.opponents import Opponent
from captains_table.runtime import engines, uci_engine
from captains_table.runtime.config import TableConfig, checked_engines, engine_at, parse_table_config
from captains_table.runtime.engines import (
    LEVELS,
    USUAL_ELO,
    EngineFacts,
    FactFile,
    examine,
    find_stockfish,
    levels_of,
    offer_engine,
)
from captains_table.runtime.uci_engine import BadEngine, EngineProgram
from captains_table.storage.configuration import BadConfig
from tests.support.odd_engines import odd_engine, odd_program, starts
from tests.support.patience import PATIENCE_S
from tests.support.service_at_work import OpenTable

CAPTAINS = "captains-chess"
LEELA = '[[engine]]\nname = "Leela"\npath = "/usr/local/bin/lc0"\n'


@pytest.fixture(autouse=True)
def same_computers() -> Iterator[None]:
    """Leave every game with the computers that it had."""
    before = {entry.game.key: set(entry.opponents) for entry in catalog.entries()}
    yield
    for game, keys in before.items():
        for key in set(catalog.opponents_of(game)) - keys:
            catalog.remove_opponent(game, key)


def parsed(text: str) -> TableConfig:
    return parse_table_config(tomllib.loads(text))


def offered(key: str, game: str = CAPTAINS) -> Opponent | None:
    return catalog.opponents_of(game).get(key)


# --- the configuration ----------------------------------------------------------------------------------------------


def test_a_table_may_have_several_engines() -> None:
    config = parsed(
        '[table]\nengine = "/first"\n[[engine]]\nname = "Leela Zero"\npath = "~/lc0"\narguments = ["--cpu"]\n'
        'games = ["captains-chess"]\noptions = { Threads = 2, Ponder = false, Style = "Very Risky" }\n'
        '[[engine]]\nname = "Fish 9"\npath = "fish"\n'
    )
    leela = EngineProgram(
        "Leela Zero",
        str(Path.home() / "lc0"),
        ("--cpu",),
        {"Threads": "2", "Ponder": "false", "Style": "Very Risky"},
        (CAPTAINS,),
    )
    first = EngineProgram("Engine", "/first", games=(CAPTAINS,))
    assert config.programs == (first, leela, EngineProgram("Fish 9", "fish"))
    assert [each.key for each in config.programs] == ["engine", "leela-zero", "fish-9"]
    assert (parsed("").programs, parsed("").engines) == ((), "found")
    assert parsed('[table]\nengines = "configured"').engines == "configured"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[table]\nengines = "none"', "engines = 'none': expected one of found, configured"),
        ('[[engine]]\npath = "/e"', '[[engine]] name is missing: expected name = "Leela"'),
        ('[[engine]]\nname = "E"', '[[engine]] path is missing: expected path = "/usr/local/bin/lc0"'),
        (LEELA + "hash = 4", "unknown key 'hash' in [engine]: expected one of name, path, arguments, options, games"),
        (LEELA + "options = 4", "[engine] options = 4: expected a table, such as { Hash = 16 }"),
        (LEELA + "options = { Hash = 1.5 }", "options = { Hash = 1.5 }: expected text, a whole number, true or false"),
        (LEELA + 'options = { Hash = "4\\nquit" }', "expected text, a whole number, true or false"),
        (LEELA + 'arguments = "--cpu"', "[engine] arguments = '--cpu': expected a list of words"),
        (LEELA + 'games = ["legend"]', "'legend': expected games that UCI engines can play, of chess, captains-chess"),
        (LEELA + 'games = ["checkers"]', "unknown game 'checkers'"),
        (LEELA + LEELA, "name = 'Leela': expected another one, leela is Leela"),
        ('[[engine]]\nname = "Boreas"\npath = "/e"', "name = 'Boreas': expected another one, boreas is Boreas"),
        ('[[engine]]\nname = "ENGINE"\npath = "/e"', "expected another one, engine is the engine of [table] engine"),
        ('[[engine]]\nname = "7"\npath = "/e"', "name = '7': expected a name that begins with a letter from A to Z"),
        ('[[engine]]\nname = " "\npath = "/e"', "[[engine]] name = ' ' is no name"),
        ('[[engine]]\nname = "E"\npath = ""', "[engine] path = '': expected the path of a UCI engine"),
        ("engine = 4", "engine = 4: expected a section [engine]"),
    ],
)
def test_what_cannot_be_meant_of_an_engine_is_refused_with_what_was_expected(text: str, words: str) -> None:
    with pytest.raises(BadConfig, match=re.escape(words)):
        parsed(text)


def test_an_engine_that_only_a_command_names_is_called_as_its_file() -> None:
    assert engine_at("/opt/fairy-stockfish") == EngineProgram("Fairy-stockfish", "/opt/fairy-stockfish")
    with pytest.raises(BadConfig, match="expected another one, fairy-stockfish is Fairy-stockfish"):
        checked_engines([engine_at("/opt/fairy-stockfish"), engine_at("/usr/bin/fairy-stockfish")])


def test_a_configuration_can_be_read_again_while_its_engines_are_offered() -> None:
    (program,) = parsed(LEELA).programs
    offer_engine(program, None)
    assert parsed(LEELA).programs == (program,)


# --- levels ---------------------------------------------------------------------------------------------------------

PROGRAM = EngineProgram("Leela", "/usr/local/bin/lc0")


def test_the_number_of_a_level_is_the_same_strength_for_every_engine() -> None:
    everything = {number: level.words for number, level in LEVELS.items()}
    assert list(everything.items())[2:4] == [(3, "Elo 1350"), (4, "Elo 1500")]
    assert everything[9] == "all it can"
    for elo in ((500, 2850), (1350, 2850), (1320, 3190), (1900, 2100), (3000, 3500)):
        levels = levels_of(PROGRAM, EngineFacts("Leela", elo))
        assert all(everything[number] == level.words for number, level in levels.items())
        assert [elo[0] <= (level.elo or elo[0]) <= elo[1] for level in levels.values()] == [True] * len(levels)
        assert max(levels) == 9
    assert list(levels_of(PROGRAM, EngineFacts("Leela", (500, 2850)))) == list(LEVELS)
    assert list(levels_of(PROGRAM, EngineFacts("Leela", (1320, 3190)))) == [3, 4, 5, 6, 7, 8, 9]


def test_an_engine_that_cannot_limit_its_strength_has_levels_by_its_positions() -> None:
    levels = levels_of(PROGRAM, EngineFacts("Leela", None))
    assert {number: level.words for number, level in levels.items()} == {
        1: "100 positions a move",
        5: "2,000 positions a move",
        9: "all it can",
    }


def test_the_engine_of_the_tables_own_line_has_the_levels_that_journals_have() -> None:
    levels = levels_of(EngineProgram("Engine", "/e"), EngineFacts("Any", None))
    assert {number: level.words for number, level in levels.items()} == {
        1: "Elo 500",
        2: "Elo 1000",
        3: "Elo 1500",
        4: "Elo 2000",
        5: "all it can",
    }


# --- what is known --------------------------------------------------------------------------------------------------


def test_facts_are_kept_until_the_program_or_its_configuration_changes(tmp_path: Path) -> None:
    file, program = FactFile(tmp_path / "engines.json"), odd_program(tmp_path)
    facts = EngineFacts("Oddity 1", (900, 1400), {CAPTAINS: "why"})
    assert file.find(program) is None
    file.keep(program, facts)
    assert FactFile(tmp_path / "engines.json").find(program) == facts
    assert file.find(structs.replace(program, options={"Hash": "4"})) is None
    os.utime(program.path, ns=(1, 1))
    assert file.find(program) is None
    file.keep(program, facts)
    Path(program.path).write_text("another", encoding="utf-8")
    os.utime(program.path, ns=(1, 1))
    assert file.find(program) is None
    Path(program.path).unlink()
    file.keep(program, facts)
    assert file.find(program) is None
    assert sorted(path.name for path in tmp_path.iterdir()) == ["engines.json"]


@pytest.mark.parametrize("content", [b"", b"[]", b'{"oddity": 3}', b"\xff"])
def test_a_file_of_facts_that_cannot_be_read_is_no_hindrance(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "engines.json").write_bytes(content)
    file, program = FactFile(tmp_path / "engines.json"), odd_program(tmp_path)
    assert file.find(program) is None
    file.keep(program, EngineFacts("Oddity 1", None))
    assert file.find(program) == EngineFacts("Oddity 1", None)
    FactFile(None).keep(program, EngineFacts("Oddity 1", None))
    FactFile(tmp_path / "no folder" / "engines.json").keep(program, EngineFacts("Oddity 1", None))


# --- found ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Describe Captain's Chess to engines as a game that is no variant, which every engine plays."""
    entry = catalog.entry_of(CAPTAINS)
    assert entry.uci is not None
    dialect = replace(entry.uci, variant="", definition=None)
    others = {each.game.key: replace(each, uci=None) for each in catalog.entries()}
    monkeypatch.setattr(catalog, "_entries", {**others, CAPTAINS: replace(entry, uci=dialect)})


@pytest.fixture
def stockfish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a program called stockfish where Debian installs games."""
    games = tmp_path / "games"
    games.mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(engines, "GAMES_FOLDER", str(games))
    return odd_engine(games).rename(games / "stockfish")


@pytest.mark.usefixtures("plain")
def test_stockfish_is_found_on_the_path_or_where_debian_has_games(stockfish: Path, tmp_path: Path) -> None:
    assert find_stockfish() == EngineProgram("Stockfish", str(stockfish), games=(CAPTAINS,))
    (tmp_path / "bin").mkdir()
    nearer = odd_engine(tmp_path / "bin").rename(tmp_path / "bin" / "stockfish")
    assert find_stockfish() == EngineProgram("Stockfish", str(nearer), games=(CAPTAINS,))
    nearer.chmod(0o644)
    stockfish.unlink()
    assert find_stockfish() is None


@pytest.mark.usefixtures("stockfish")
def test_stockfish_is_not_found_where_no_game_is_one_that_every_engine_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    others = {key: each for key, each in catalog._entries.items() if each.uci is None or each.uci.variant}
    monkeypatch.setattr(catalog, "_entries", others)
    assert find_stockfish() is None


def test_the_found_one_is_called_as_it_reported_once_it_has_played() -> None:
    program = EngineProgram("Stockfish", "/usr/games/stockfish", games=(CAPTAINS,))
    offer_engine(program, None)
    first = offered("stockfish")
    offer_engine(program, EngineFacts("Stockfish 15.1", USUAL_ELO))
    second = offered("stockfish")
    assert first is not None
    assert second is not None
    assert (first.title, second.title) == ("Stockfish", "Stockfish 15.1")
    assert first.levels == second.levels
    assert list(first.levels.values()) == [
        *("Elo 1350", "Elo 1500", "Elo 1750", "Elo 2000", "Elo 2300", "Elo 2600", "all it can")
    ]
    offer_engine(structs.replace(program, name="Stockfish mine"), EngineFacts("Stockfish 15.1", USUAL_ELO))
    mine = offered("stockfish-mine")
    assert mine is not None
    assert mine.title == "Stockfish mine"


# --- a table --------------------------------------------------------------------------------------------------------


async def eventually_gone(key: str) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while offered(key) is not None:  # noqa: ASYNC110 - nobody tells when an engine is withdrawn
            await asyncio.sleep(0.02)


@pytest.mark.usefixtures("plain", "stockfish")
async def test_a_found_engine_is_offered_without_being_started_unless_the_configuration_says_no(
    open_table: OpenTable, tmp_path: Path
) -> None:
    with open_table() as table:
        daemon._offer_engines(table, TableConfig(state_dir=tmp_path, engines="configured"))
        assert offered("stockfish") is None
        daemon._offer_engines(table, TableConfig(state_dir=tmp_path))
        assert offered("stockfish") is not None
        await asyncio.sleep(0.1)
    assert not (tmp_path / "games" / "started").exists()
    assert engines.ENGINES not in {thread.name for thread in threading.enumerate()}


@pytest.mark.slow
async def test_a_configured_engine_is_offered_at_once_and_examined_the_first_time(
    open_table: OpenTable, tmp_path: Path
) -> None:
    program = odd_program(tmp_path)
    config = TableConfig(state_dir=tmp_path, engines="configured", more_engines=(program,))
    with open_table() as table:
        daemon._offer_engines(table, config)
        first = offered("oddity")
        assert first is not None
        assert list(first.levels) == list(LEVELS)
        async with asyncio.timeout(PATIENCE_S):
            while (now := offered("oddity")) is None or now.levels == first.levels:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.02)
        assert list(now.levels.values()) == ["Elo 1000", "Elo 1350", "all it can"]
        daemon._offer_engines(table, config)
        again = offered("oddity")
        assert again is not None
        assert again.levels == now.levels
    assert len(starts(tmp_path)) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "games", "why"),
    [
        ("ends-at-once", (), "ended with status 3: expected a UCI engine"),
        ("knows-no-variants", (CAPTAINS,), "(Plain) plays no variants that can be defined for it"),
    ],
)
async def test_one_that_does_not_play_is_withdrawn_and_the_log_says_why(
    fault: str,
    games: tuple[str, ...],
    why: str,
    open_table: OpenTable,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    program = odd_program(tmp_path, fault, games=games)
    with open_table() as table:
        daemon._offer_engines(table, TableConfig(state_dir=tmp_path, engines="configured", more_engines=(program,)))
        assert offered("oddity") is not None
        await eventually_gone("oddity")
        assert offered("oddity", "chess") is None
    assert f"captains-table: engine 'Oddity': {program.path} {why}" in capfd.readouterr().err
    assert FactFile(tmp_path / "engines.json").find(program) is None, "it is examined again at the next start"


@pytest.mark.slow
async def test_one_that_is_too_slow_stays_on_offer_for_it_is_started_again(
    open_table: OpenTable, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uci_engine, "START_S", 0.3)
    program, said = odd_program(tmp_path, "mute"), ""
    with open_table() as table:
        daemon._offer_engines(table, TableConfig(state_dir=tmp_path, engines="configured", more_engines=(program,)))
        async with asyncio.timeout(PATIENCE_S):
            while "started again when it is to move" not in said:
                await asyncio.sleep(0.02)
                said += capfd.readouterr().err
        assert offered("oddity") is not None


@pytest.mark.slow
def test_an_engine_plays_the_games_that_it_can_of_those_that_are_asked_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = catalog.entry_of("crowns")
    dialect = catalog.dialects()[CAPTAINS]
    unknown = replace(dialect, settings=lambda _: {"UCI_Crowns": "true"})
    monkeypatch.setitem(catalog._entries, "crowns", replace(entry, uci=unknown))
    program = odd_program(tmp_path, games=())
    facts = examine(program)
    assert dict(facts.refused) == {
        "crowns": f"{tmp_path / 'none'} (Oddity 1) cannot play this: it has no option UCI_Crowns"
    }
    offer_engine(program, facts)
    assert [offered("oddity", game) is not None for game in (CAPTAINS, "chess", "crowns")] == [True, True, False]
    with pytest.raises(BadEngine, match="it has no option UCI_Crowns"):
        examine(odd_program(tmp_path, games=("crowns",)))
