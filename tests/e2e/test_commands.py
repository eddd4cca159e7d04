import json
import re
import shlex
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from captains_table.cli.main import build_parser
from captains_table.cli.serving import restart_line
from captains_table.games.common.pieces import piece_name
from tests.e2e.conftest import Call, OpenTable
from tests.support.table_process import Caller, TableProcess, run_here, write_config

COMMANDS = (
    *("", "play", "run", "replay", "verify", "matches", "matches list", "matches resume", "matches export"),
    *("backup", "restore"),
)
ONE_TURN = ("play", "--players", "Anne", "Bart", "rounds=1", "turn_limit=1")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_an_example(command: str) -> None:
    answer = run_here(*command.split(), "--help")
    assert (answer.returncode, answer.stderr) == (0, "")
    usage, _, rest = answer.stdout.partition("\n\n")
    assert usage.startswith("usage: captains-table")
    assert re.search(rf"example.*captains-table {command}", rest, re.DOTALL | re.IGNORECASE)


@pytest.mark.parametrize("command", [("play", "legend", "rounds=1", "--players", "Anne"), ("matches", "resume", "3")])
def test_the_line_that_opens_a_table_to_phones_is_one_for_the_same_table(command: tuple[str, ...]) -> None:
    """The table's page shows it. It names no match, so that the last one goes on."""
    parser = build_parser()
    given = parser.parse_args([*command, "--state", "the captain's state", "--port", "9000", "--master"])
    program, *words = shlex.split(restart_line(given))
    again = parser.parse_args(words)
    assert program == sys.argv[0]
    assert (again.host, again.state, again.port) == ("0.0.0.0", given.state, 9000)  # noqa: S104 - nobody listens
    assert (again.game, again.options, again.players, again.master, again.think) == (None, [], None, True, None)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the state directory of a table where a match was played to its end; it is only read."""
    folder = tmp_path_factory.mktemp("played")
    table = TableProcess(*ONE_TURN, "--state", folder / "state", "--port", "0", logs=folder / "logs")
    with closing(Caller(table.origin)) as anne:
        anne.play_one_turn("e2e4")
    table.stop()
    assert table.complaints == ""
    return folder / "state"


def test_matches_are_listed_and_exported_and_the_export_is_proven(played: Path, tmp_path: Path) -> None:
    listed = run_here("matches", "--state", played)
    assert re.match(r" +1  .*legend  Anne and Bart: \d+ actions, Anne won|.*draw", listed.stdout)
    assert run_here("matches", "--state", played, "list").stdout == listed.stdout
    exported = run_here("matches", "--state", played, "export", "1", "--to", tmp_path / "match.json")
    assert (exported.returncode, exported.stderr) == (0, "")
    verified = run_here("verify", tmp_path / "match.json")
    assert verified.returncode == 0
    assert verified.stdout.count("\n") == 4  # proven, to whom, and what is only told
    pgn = run_here("matches", "--state", played, "export", "1", "--form", "pgn")
    assert "1. e4" in pgn.stdout
    missing = run_here("matches", "--state", played, "export", "7")
    assert missing.returncode == 2
    assert re.fullmatch(r"captains-table: .*7.*\n", missing.stderr)


def change_die(match: dict[str, object]) -> str:
    """Change a die in an export and return what the difference must be called."""
    for entry in match["entries"]:  # type: ignore[attr-defined]
        action = entry.get("action") or {}
        if action.get("type") == "rolled":
            action["faces"][0] = action["faces"][0] % 6 + 1
            return f"{entry['seq']}"
    raise AssertionError("no dice fell")


def change_name(match: dict[str, object]) -> str:
    match["seats"] = ["Anne", "Mallory"]
    return "seats"


@pytest.mark.parametrize("change", [change_die, change_name])
def test_an_export_that_was_changed_is_not_proven(
    played: Path, tmp_path: Path, change: Callable[[dict[str, object]], str]
) -> None:
    match = json.loads(run_here("matches", "--state", played, "export", "1").stdout)
    words = change(match)
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(match))
    answer = run_here("verify", changed)
    assert answer.returncode == 1
    assert words in answer.stdout
    assert answer.stderr == ""


def test_a_match_that_is_not_over_cannot_be_verified_yet(open_table: OpenTable, call: Call, tmp_path: Path) -> None:
    """Its seed would tell the throws to come."""
    anne = call(open_table("play", "--players", "Anne", "Bart"))
    anne.hold_roll()
    exported = anne.get("/export/1.json")
    assert "seed" not in exported.json()
    (tmp_path / "half.json").write_text(exported.text)
    answer = run_here("verify", tmp_path / "half.json")
    assert answer.returncode == 1
    assert "not over" in answer.stdout


def test_the_doctor_lists_the_switches_of_a_running_table(open_table: OpenTable, tmp_path: Path) -> None:
    open_table("play", "--players", "Anne", "Bart")
    listed = run_here("doctor", "--switches", "--state", tmp_path / "state")
    assert (listed.returncode, listed.stderr) == (0, "")
    head, *rows = (line.split() for line in listed.stdout.splitlines())
    assert head == ["square", "now", "changes", "flickers", "condition"]
    assert {row[0]: row[1] for row in rows} == {
        f"{file}{rank}": "open" if rank in "3456" else "closed" for file in "abcdefgh" for rank in "12345678"
    }


def test_a_match_is_resumed_by_its_number_and_another_without(open_table: OpenTable, call: Call) -> None:
    for names in (("Anne", "Bart"), ("Cleo", "Dan")):
        table = open_table("play", "--players", *names)
        call(table).play_one_turn("e2e4")
        table.kill()
    for words, prompt in (
        (("matches", "resume", "1"), "Bart (Black): throw the dice"),
        (("play",), "Bart (Black): throw the dice"),  # the one that was played last
        (("matches", "resume", "2"), "Dan (Black): throw the dice"),
    ):
        table = open_table(*words)
        shown = call(table).get("/table").text
        assert prompt in shown
        assert shown_pieces(shown)["e4"] == "white pawn"
        table.kill()


def test_a_configuration_file_says_what_runs(open_table: OpenTable, call: Call, tmp_path: Path) -> None:
    match = ("[match]", 'players = ["Cleo", "Dan"]', "options = { rounds = 2 }", "[settings]", "slide_ms = 100")
    config = write_config(tmp_path, *match, table=('board = "simulated"',))
    page = call(open_table("run", config)).get("/").text
    assert "Cleo (White): throw the dice" in page
    assert "Round 1 of 2" in page
    assert (tmp_path / "state" / "journal.sqlite3").exists()


def test_tables_share_neither_a_port_nor_a_state_directory(open_table: OpenTable, tmp_path: Path) -> None:
    port = open_table("play", "--players", "Anne", "Bart").port
    taken = run_here("play", "--port", str(port), "--state", tmp_path / "other")
    assert taken.returncode == 2
    assert f"port {port} on 127.0.0.1 is taken" in taken.stderr
    shared = run_here("play", "--port", "0", "--state", tmp_path / "state")
    assert shared.returncode == 2
    assert shared.stderr.startswith("captains-table: ")


def shown_pieces(page: str) -> dict[str, str]:
    """Return the pieces of a page's board, square -> name."""
    found = re.findall(r'data-square="(\w\d)"[^>]* aria-label="((?:white|black) \w+) on', page)
    return dict(found)


def shown_tallies(page: str) -> list[int]:
    return [int(number) for number in re.findall(r"<td[^>]*>(\d+)</td>", page)]


def test_a_recorded_tape_replays_to_the_same_end(open_table: OpenTable, call: Call, tmp_path: Path) -> None:
    """Clicks, a capture, kept dice, a piece put back, a changed mind, and the set-up button."""
    tape = tmp_path / "evening.tape"
    table = open_table("play", "--players", "Anne", "Bart", "rounds=1", "--record", tape)
    anne = call(table)
    anne.hold_roll(0.2)
    anne.move("e2", "e2", "d2", "e2", "e4")
    anne.wait_for("done")
    anne.answer(type="keep", dice=[1, 2])
    anne.pick("done")
    anne.play_one_turn("d7d5")
    anne.hold_roll()
    anne.move("e4", "d5")
    anne.wait_for("done")
    anne.pick("throw-again")
    for way in ("press", "release"):
        anne.post(f"/button/back/{way}")
    anne.pick("done")
    anne.hold_roll()
    anne.move("a7")
    anne.post("/board/set-up")
    anne.pick("a7a6")
    page, journal = anne.get("/table").text, anne.get("/export/1.json").json()
    table.stop()
    assert table.process.returncode == 0
    replayed = run_here("replay", tape)
    assert (replayed.returncode, replayed.stderr) == (0, "")
    lines = [json.loads(line) for line in replayed.stdout.splitlines()]
    final = lines[-1]["final"]
    assert {square: piece_name(letter) for square, letter in final["pieces"].items()} == shown_pieces(page)
    assert [number for tallies in final["tallies"].values() for number in tallies.values()] == shown_tallies(page)
    played = [entry["action"] for entry in journal["entries"] if "action" in entry]
    assert [line["action"] for line in lines[:-1] if line["action"]["type"] != "take-back"] == played
