"""Games of other packages: found by their entry points, added or left out with a sentence, and missed when gone."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path

import httpx
import pytest

from captains_table import catalog
from captains_table.catalog import GameEntry
from captains_table.cli.game_help import parse_error_of
from captains_table.games import registry
from captains_table.games.registry import KeyTaken
from captains_table.process.plugins import BadPlugin, add_plugins, game_entry, read_entry
from captains_table.runtime.match_archive import CannotResume
from captains_table.runtime.table import Table
from captains_table.storage.exports import NoSuchForm
from captains_table.table.model.entries import MatchEnded
from tests.support import toss
from tests.support.patience import PATIENCE_S
from tests.support.plugin_distributions import TOSS, install
from tests.support.service_at_work import OpenTable, answer
from tests.support.table_process import run_here
from tests.support.visiting import visit_there

COMMAND = (sys.executable, "-c", "import sys; from captains_table.cli.main import main; sys.exit(main())")
NAMES = ["Anne", "Bart"]
ENTRY_LINE = "ENTRY = GameEntry(game=Toss())"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a folder with three distributions: a good one, one that cannot be imported, one with a taken key."""
    folder = tmp_path / "site"
    install(folder, "table-toss", {"toss.py": TOSS}, toss="toss:ENTRY")
    install(folder, "table-broken", {"broken.py": "import no_such_module\n"}, broken="broken:ENTRY")
    legend = TOSS.replace('key = "toss"', 'key = "legend"')
    install(folder, "table-copy", {"copy_of.py": legend}, copy="copy_of:ENTRY")
    return folder


def command(site: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(site)}
    line = [*COMMAND, *(str(word) for word in words)]
    return subprocess.run(line, capture_output=True, text=True, check=False, timeout=PATIENCE_S, env=environment)


def point(value: str) -> EntryPoint:
    return EntryPoint("it", value, "captains_table.games")


async def get(table: Table, path: str) -> httpx.Response:
    return await visit_there(table, lambda client: client.get(path))


async def text(table: Table, path: str) -> str:
    return (await get(table, path)).text


async def post(table: Table, path: str) -> httpx.Response:
    return await visit_there(table, lambda client: client.post(path, headers={"Content-Type": "application/json"}))


@pytest.fixture
def toss_installed() -> Iterator[Callable[[], None]]:
    """Install Toss for a test; what is yielded takes it out again."""

    def take_out() -> None:
        registry.GAMES.pop("toss", None)
        catalog._entries.pop("toss", None)

    catalog.add_game(toss.ENTRY)
    yield take_out
    take_out()


@pytest.mark.slow
def test_the_doctor_names_every_plug_in_and_what_is_wrong_with_it(site: Path, tmp_path: Path) -> None:
    answer = command(site, "doctor", "--simulated", "--checks", "--state", tmp_path / "state")
    lines = [line for line in answer.stdout.splitlines() if " of table-" in line]
    assert answer.returncode == 0
    assert "ok       Game toss (Toss) of table-toss 0.3 is installed." in lines
    broken = "warning  Plug-in 'broken' of table-broken 0.3 is left out: broken:ENTRY cannot be loaded ("
    assert any(line.startswith(f"{broken}ModuleNotFoundError") and "GameEntry" in line for line in lines)
    taken = "the key 'legend' is Legend's: expected one that no other game has."
    assert f"warning  Plug-in 'copy' of table-copy 0.3 is left out: {taken}" in lines


@pytest.mark.slow
def test_the_good_one_is_played_by_the_command_and_by_a_tape(site: Path, tmp_path: Path) -> None:
    tape = tmp_path / "toss.tape"
    lines = ["game toss Anne Bart", "dice 3 5", "press roll", "press roll", "expect phase over"]
    tape.write_text("\n".join([*lines, ""]), encoding="utf-8")
    played = command(site, "replay", tape)
    assert (played.returncode, played.stderr) == (0, "")
    simulated = command(site, "simulate", "toss", "--matches", "4", "--processes", "2")
    assert simulated.stdout.startswith("4 matches of toss")
    missing = run_here("replay", tape)
    assert missing.returncode == 2
    assert "unknown game 'toss': expected one of captains-chess, chess, crowns, " in missing.stderr


def test_the_same_plug_in_is_not_added_twice() -> None:
    plugins = add_plugins([point("captains_table.catalog:ENTRIES"), point("tests.support.toss:no_such")])
    assert plugins.installed == ()
    assert len(plugins.left_out) == 2
    with pytest.raises(KeyTaken, match="Legend"):
        catalog.add_game(catalog.entries()[0])


THOR = 'Opponent("thor", "Thor", lambda level, means: None, {})'
SLY = """class Sly(GameEntry):
    def __getattribute__(self, name):
        if name == "luck":
            raise SystemExit("no luck")
        return super().__getattribute__(name)
ENTRY = Sly(game=Toss())"""


IMPORTS = """from captains_table.catalog import Example, Export, Picture, RecordRules, RulesPage
from captains_table.games.contract import GameOption, Shape
from captains_table.players.common.opponents import Opponent"""


FIELDS = [
    ("luck=3", "luck is 3: expected a function of 0 arguments"),
    ("luck=lambda state: None", "luck is .*: expected a function of 0 arguments"),
    ("move_adviser=7", "move_adviser is 7: expected a function of 2 arguments"),
    ("strategies=[1]", r"strategies is \[1\]: expected a mapping"),
    ("strategies={'a,b': lambda below: None}", "a key of strategies is 'a,b': expected a player's name without"),
    ("piece_values={'P': '1'}", r"piece_values\['P'\] is '1': expected a whole number"),
    ("piece_values={'P': 10**5000}", "expected a whole number from"),
    ("seat_hints=5", "seat_hints is 5: expected a sequence"),
    ("seat_hints='White'", "seat_hints is 'White': expected a sequence"),
    ("seat_hints=['\\ud800']", "seat_hints is '.*ud800': expected a text"),
    ("seats_move_on=lambda options: options['order']", "seats_move_on is .* raises KeyError: 'order'"),
    ("records=RecordRules(ranks=lambda: True)", "records.ranks is .*: expected a function of 1 argument"),
    ("exports={'txt': Export(print, 'text/html\\n')}", "media_type is 'text/html.*': expected one such as"),
    ("opponents={'thor': object()}", r"opponents\['thor'\] is <object .*: expected .*Opponent"),
    (f"opponents={{'a:b': {THOR.format('{1: str()}')}}}", "expected the key it stands under, 'a:b', in small"),
    (f"opponents={{'thor': {THOR.format('{}')}}}", "levels is {}: expected words by level"),
    (f"opponents={{'thor': {THOR.format('{1: 7}')}}}", r"levels\[1\] is 7: expected a text"),
    (f"opponents={{'thor': {THOR.format('{2: str()}')}}}", "usual is 1: expected one of its levels 2"),
    ("examples=('play',)", "examples is 'play': expected .*Example"),
    ("examples=(Example(' ', ''),)", "examples is ' ': expected what may follow `captains-table`"),
    ("examples=(Example('play --nonsense', ''),)", "(unrecognized arguments: --nonsense)"),
    ("rules_page=RulesPage('', '')", "rules_page is .*, but reading it raises ValueError"),
    ("rules_page=RulesPage('json', 'toss.html')", "rules_page is RulesPage.*json.*toss.html.* FileNotFoundError"),
    ("picture=Picture('json', '__init__.py')", "picture is Picture.*: expected a file with an SVG picture"),
    ("picture=Picture('json', 'toss.svg')", "picture is Picture.*json.*toss.svg.* FileNotFoundError"),
    ("sentence='x' * 121", "sentence is 'x.*: expected at most 120 characters"),
    ("minutes=-1", "minutes is -1: expected 0 to 6000"),
    ("exports={'json': None}", r"exports\['json'\] is None: .*Export"),
    ("tally_icons={'total': '#'}", "expected seven rows of five dots"),
    ("adviser='Anne'", "adviser is 'Anne': expected a function"),
]
LINES = [
    ("ENTRY = Toss()", "is Toss .*: expected a captains_table.catalog.GameEntry"),
    ("raise SystemExit(3)", r"cannot be loaded \(SystemExit: 3\)"),
    ("ENTRY = GameEntry(Toss())", r"cannot be loaded \(TypeError: .*positional"),
    (SLY, "luck is None: .* raises SystemExit: no luck"),
    ("game = Toss()\ngame.title = 7\nENTRY = GameEntry(game=game)", "game: Toss.title is 7: expected what players"),
    (f"Toss.seats = range(1, 10**9)\n{ENTRY_LINE}", "game.seats is .*: expected at most 100"),
    (f"Toss.shape = Shape('3', 3)\n{ENTRY_LINE}", "game.shape.files is '3': expected a whole"),
    (f"Toss.options = [GameOption('a', 7)]\n{ENTRY_LINE}", r"options\[0\].words is 7: expected a text"),
    (
        f"Toss.options = [GameOption('a', 'A', '9', bounds=(1, 3))]\n{ENTRY_LINE}",
        "'a', default is '9': expected a whole",
    ),
]
CHANGED = [
    ("class Toss(Game[State])", "class Toss", "expected an instance of a class that inherits from Game"),
    ('key = "toss"', 'key = "Toss a die"', "key is 'Toss a die': expected small letters"),
    ('title = "Toss"', "title = 7", "title is 7: expected what players call the game"),
    ("seats = range(2, 5)", "seats = 2", "seats is 2: expected how many may play"),
    ("    def turn(self, state: State)", "    def _due(self, state: State)", "abstract.* turn"),
    ("def heading(self, state: State)", "def heading(self)", "no match can be begun .*heading"),
]
WRONG = [
    *((ENTRY_LINE, f"{IMPORTS}\nENTRY = GameEntry(game=Toss(), {field})", wrong) for field, wrong in FIELDS),
    *((ENTRY_LINE, f"{IMPORTS}\n{lines}", wrong) for lines, wrong in LINES),
    *CHANGED,
]


@pytest.mark.parametrize(("changed", "to", "wrong"), WRONG)
def test_what_cannot_be_a_game_is_refused_with_what_was_expected_before_anything_else_reads_it(
    changed: str, to: str, wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert changed in TOSS
    (tmp_path / "toss_made.py").write_text(TOSS.replace(changed, to), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    try:
        with pytest.raises(BadPlugin, match=wrong):
            game_entry(point("toss_made:ENTRY"), parse_error_of)
    finally:
        sys.modules.pop("toss_made", None)


def test_every_entry_of_the_house_could_be_a_plug_ins() -> None:
    assert game_entry(point("tests.support.toss:ENTRY")) == toss.ENTRY
    for entry in catalog.ENTRIES:
        assert read_entry(entry, parse_error_of) == replace(entry, seat_hints=tuple(entry.seat_hints))


@pytest.mark.slow
def test_a_wrong_plug_in_keeps_no_help_from_being_shown(tmp_path: Path) -> None:
    site = tmp_path / "site"
    fields = "strategies={'100% %(prog)s': lambda below: None}, examples=(Example('play toss', '50% of %(prog)s'),)"
    odd = f"{IMPORTS}\nENTRY = GameEntry(game=Toss(), {fields})"
    files = {
        "thor.py": TOSS.replace(ENTRY_LINE, 'ENTRY = GameEntry(game=Toss(), opponents={"thor": object()})'),
        "odd.py": TOSS.replace(ENTRY_LINE, odd),
    }
    install(site, "table-wrong", files, a="thor:ENTRY", b="odd:ENTRY")
    for name, shown in (("simulate", "toss also 100% %(prog)s"), ("play", "50% of %(prog)s")):
        helped = command(site, name, "--help")
        assert (helped.returncode, helped.stderr) == (0, "")
        assert shown in " ".join(helped.stdout.split())


@pytest.mark.usefixtures("toss_installed")
async def test_a_game_with_nothing_but_rules_offers_nothing_else(table: Table) -> None:
    table.matches.new_match("toss", NAMES, {})
    page = await text(table, "/table")
    assert "/advice" not in page
    assert "Toss" in page
    assert 'href="/rules"' in page  # to the list: Toss has no page of its own
    assert "/rules/toss" not in await text(table, "/rules")
    assert "/rules/toss" not in await text(table, "/new?game=toss")
    refused = await get(table, "/rules/toss")
    assert refused.status_code == 404
    assert refused.json()["error"].startswith("There are no rules of Toss here: expected one of legend, ")
    assert table.matches.listed()[0].forms == ("json",)
    assert not catalog.advises("toss")


async def test_a_plug_ins_rules_are_shown_as_they_are_in_the_pages_frame(
    open_table: OpenTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, toss_installed: Callable[[], None]
) -> None:
    toss_installed()
    package = tmp_path / "toss_pages"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "rules.html").write_text("<p>One <b>die</b> {{ each }}.</p>", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    catalog.add_game(GameEntry(game=toss.Toss(), rules_page=catalog.RulesPage("toss_pages", "rules.html")))
    with open_table() as table:
        html = await text(table, "/rules/toss")
        assert "<p>One <b>die</b> {{ each }}.</p>" in html
        assert 'href="/rules/legend"' in html
        assert "<h1>Toss</h1>" in html
        assert '<a href="/rules/toss">Toss</a>' in await text(table, "/rules")


def play_toss(table: Table, *, to_its_end: bool = False) -> None:
    table.matches.new_match("toss", NAMES, {})
    if to_its_end:
        journal = table.session._journal
        assert journal is not None
        journal.append(MatchEnded(1, (2, 6)))


async def test_a_match_of_a_game_that_is_gone_is_listed_as_that_and_still_exported(
    open_table: OpenTable, toss_installed: Callable[[], None], tmp_path: Path
) -> None:
    with open_table() as table:
        play_toss(table)
    with open_table() as table:
        play_toss(table, to_its_end=True)
    toss_installed()
    with open_table() as table:
        listed = await text(table, "/matches")
        assert listed.count("toss: this game is not installed") == 2
        assert "Resume" not in listed
        assert "Bart won 6 : 2" in listed
        assert '"game": "toss"' in table.archive.export(1, "json")
        with pytest.raises(NoSuchForm, match="toss: this game is not installed: expected json"):
            table.archive.export(1, "pgn")
        records = await text(table, "/records")
        assert "toss: this game is not installed. 1 finished match of it is kept" in records
    listed = run_here("matches", "--state", tmp_path).stdout
    assert listed.endswith("toss  Anne and Bart: 0 actions, not over; toss: this game is not installed\n")


async def test_taking_it_up_again_says_which_game_is_missing_and_others_are_played_all_the_same(
    open_table: OpenTable, toss_installed: Callable[[], None]
) -> None:
    missing = "Match 1 cannot be taken up again: toss: this game is not installed."
    with open_table() as table:
        play_toss(table)
    toss_installed()
    with open_table() as table:
        with pytest.raises(CannotResume, match=missing):
            table.matches.resume(1)
        assert (await post(table, "/matches/1/resume")).json()["error"] == missing
        table.matches.begin("", NAMES, {})  # the lobby, for the match is none that could be gone on with
        answer(table, "resume")
        assert "toss: this game is not installed" in str(table.view())
        answer(table, "match-1")
        assert table.view().prompt[0] == missing
        table.matches.begin("legend", NAMES, {})
        assert table.view().game == "legend"
