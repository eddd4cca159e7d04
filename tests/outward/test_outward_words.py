"""Whatever scripts, files and other programs know of this one by name stays as words.json and tapes.json have it.

A name that changes or vanishes breaks what somebody has: an old tape, a script at the page, a unit that is enabled. A
name that is added belongs into the list, so that nobody adds one unknowingly.
"""

import json
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.outward.conftest import OpenTable
from tests.support.outward import inside, observed
from tests.support.outward.command import command, without_words
from tests.support.table_process import Caller

HERE = Path(__file__).parent
WORDS: dict[str, Any] = json.loads((HERE / "words.json").read_text(encoding="utf-8"))
TAPES: dict[str, Any] = json.loads((HERE / "tapes.json").read_text(encoding="utf-8"))
Replayed = dict[str, tuple[list[dict[str, Any]], dict[str, Any]]]


# --- tapes ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def replayed() -> Replayed:
    """Return every tape of this folder as it is replayed."""
    return observed.replayed()


def test_the_directives_of_tapes_are_these(tmp_path: Path) -> None:
    assert observed.tape_words(tmp_path) == WORDS["tape words"]


def test_the_tapes_here_use_every_directive_but_those_of_games_that_are_not_here() -> None:
    lines = [line for tape in observed.TAPES for line in tape.read_text(encoding="utf-8").splitlines()]
    used = {re.sub(r"^\+\d+ ", "", line).split()[0] for line in lines}
    assert sorted(used | set(WORDS["tape words of no tape here"])) == WORDS["tape words"]
    assert not used & set(WORDS["tape words of no tape here"])


def test_the_buttons_of_tapes_and_page_are_these(tmp_path: Path) -> None:
    assert observed.buttons(tmp_path) == sorted(inside.BUTTONS) == WORDS["buttons"]


@pytest.mark.parametrize("name", TAPES)
def test_a_tape_replays_to_the_same_lines(replayed: Replayed, name: str) -> None:
    lines, last = replayed[name]
    assert [lines, without_words(last)] == [TAPES[name]["lines"], TAPES[name]["last"]]


def test_every_tape_is_compared(replayed: Replayed) -> None:
    assert sorted(replayed) == sorted(TAPES)


def test_the_lines_of_output_have_these_keys(replayed: Replayed) -> None:
    found: dict[str, set[str]] = {}
    for lines, last in replayed.values():
        found.setdefault("last line", set()).update({"tape", *last})
        for line in lines:
            found.setdefault("line", set()).update(line)
            found.setdefault(line["action"]["type"], set()).update(line["action"])
    assert {kind: sorted(keys) for kind, keys in found.items()} == WORDS["output lines"]


def test_the_final_object_has_these_keys(replayed: Replayed) -> None:
    found = {path for _, last in replayed.values() for path in observed.keys_of(last["final"])}
    assert sorted(found) == WORDS["final object"]


def test_asks_offer_these_ids(replayed: Replayed) -> None:
    asks = [last["final"]["ask"] for _, last in replayed.values() if last["final"]["ask"] is not None]
    assert sorted({ask["kind"] for ask in asks}) == WORDS["asks"]
    ids = {option["id"] for ask in asks for option in ask.get("options", ())}
    assert sorted({observed.kind_of(id_) for id_ in ids}) == WORDS["ids"]


def test_lights_and_phases_mean_these(replayed: Replayed) -> None:
    assert sorted(inside.LIGHTS) == WORDS["lights"]
    assert sorted(inside.PHASES) == WORDS["phases"]
    finals = [last["final"] for _, last in replayed.values()]
    seen = {mark for final in finals for mark in final["lights"].values()}
    assert seen == inside.LIGHTS - set(WORDS["lights of no tape here"])
    assert {final["phase"] for final in finals} == inside.PHASES - {"idle"}


# --- files ----------------------------------------------------------------------------------------------------------


def test_a_configuration_has_these_sections_and_keys(tmp_path: Path) -> None:
    assert observed.configuration(tmp_path) == WORDS["configuration"]


def test_a_profile_and_its_override_have_these_keys(tmp_path: Path) -> None:
    assert observed.profile(tmp_path) == WORDS["profile"]
    assert observed.override(tmp_path) == WORDS["override"]


def test_these_profiles_come_with_the_program(tmp_path: Path) -> None:
    refused = command("wiring", "parrot", "--out", tmp_path)
    assert refused.err.partition("expected ")[2].strip().split(", ")[:-1] == WORDS["profiles"]


def test_an_installation_lays_these_files_down(tmp_path: Path) -> None:
    assert observed.laid_down(tmp_path) == WORDS["laid down"]


# --- journal and export ---------------------------------------------------------------------------------------------


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """Return a state directory whose journal holds one match with every kind of entry and action, row by row."""
    shutil.copy(HERE / "earlier" / "journal.sqlite3", tmp_path)
    with closing(sqlite3.connect(tmp_path / "journal.sqlite3")) as database, database:
        database.execute("INSERT INTO matches (number, began) VALUES (6, '2026-01-02T03:04:05+00:00')")
        for position, body in enumerate(WORDS["entries"]):
            row = (position, body["entry"], json.dumps(body))
            database.execute("INSERT INTO entries (match, position, kind, body) VALUES (6, ?, ?, ?)", row)
    return tmp_path


def test_every_entry_is_exported_as_it_stands_in_the_journal(state: Path) -> None:
    exported = command("matches", "--state", state, "export", "6")
    assert (exported.code, exported.err) == (0, "")
    value = json.loads(exported.out)
    assert value["entries"] == WORDS["entries"]
    assert value["form"] == WORDS["form of exports"]


def test_an_export_has_these_keys() -> None:
    for path in (HERE / "earlier").glob("match-*.json"):
        value = json.loads(path.read_text(encoding="utf-8"))
        assert sorted(value) == sorted([*WORDS["export"], *(["seed"] if value["result"] else [])])


@pytest.mark.parametrize("key", [*WORDS["export"], "seed"])
def test_a_key_that_an_export_lacks_is_missed_by_verify(tmp_path: Path, key: str) -> None:
    value = json.loads((HERE / "earlier" / "match-2.json").read_text(encoding="utf-8"))
    del value[key]
    (tmp_path / "less.json").write_text(json.dumps(value), encoding="utf-8")
    verified = command("verify", tmp_path / "less.json")
    assert (verified.code, verified.err) == (1, "")
    assert key in verified.out


# --- lines that are printed -----------------------------------------------------------------------------------------


def test_where_nothing_was_played_matches_says_so(tmp_path: Path) -> None:
    assert command("matches", "--state", tmp_path).out == f"{WORDS['printed']['no match']}\n"


def test_a_starting_table_prints_these_lines(table: OpenTable) -> None:
    assert table.printed == WORDS["printed"]["start"]


# --- page -----------------------------------------------------------------------------------------------------------


def test_the_page_has_these_addresses() -> None:
    assert inside.addresses() == WORDS["addresses"]


def test_health_and_switches_have_these_keys(table: OpenTable) -> None:
    start(table.anne, "legend")
    assert sorted(table.anne.get("/health").json()) == WORDS["health"]
    answer = table.anne.get("/switches.json").json()
    assert {"top": sorted(answer), "switch": sorted(answer["switches"][0])} == WORDS["switches.json"]


@pytest.mark.parametrize("game", WORDS["new match"])
def test_the_form_of_a_new_match_has_these_fields(table: OpenTable, game: str) -> None:
    assert observed.form_fields(table.anne, game) == WORDS["new match"][game]
    refused = table.anne.post("/new", {"game": game, "name1": "Anne", "name2": "Bart", "parrot": "1"})
    assert refused.status_code == 400
    options = set(observed.words_of(refused.json()["error"].rstrip(".")))
    assert options == {name for name in WORDS["new match"][game] if not re.fullmatch(r"game|name\d+", name)}


@pytest.mark.parametrize("address", WORDS["bodies"])
def test_a_post_needs_these_fields_and_no_more(table: OpenTable, address: str) -> None:
    start(table.anne, "legend")
    for listed in WORDS["bodies"][address]:
        body = listed | ({"revision": table.anne.revision()} if "revision" in listed else {})
        understood = table.anne.post(address, body)
        assert understood.status_code == 204 or re.search("does not answer|lies beside|refused", understood.text), body
        for less in each_less(body):
            refused = table.anne.post(address, less)
            assert refused.status_code == 400, less
            assert "cannot be read" in refused.text or "is missing" in refused.text


def each_less(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a body with each of its fields left out, those within it too."""
    less = [{name: value for name, value in body.items() if name != left} for left in body]
    for name, value in body.items():
        if isinstance(value, dict):
            less += [body | {name: inner} for inner in each_less(value)]
    return less


def test_posts_without_a_body_are_understood(table: OpenTable) -> None:
    start(table.anne, "captains-chess")
    table.anne.move("e2")  # lifted: it can be laid beside the board
    for address in WORDS["posts without a body"]:
        answer = table.anne.post(address)
        assert (answer.status_code, answer.text) == (204, "") or "refused" in answer.json(), address


# --- what is played lands in the journal ----------------------------------------------------------------------------


def test_a_match_played_is_written_in_these_rows(table: OpenTable) -> None:
    anne, journal = table.anne, table.journal
    start(anne, "legend")
    for body in WORDS["bodies"]["/words"]:
        assert anne.post("/words", body).status_code == 204
    start(anne, "captains-chess", clock="600+5")
    anne.post("/board/mask", {"square": "h5"})
    anne.move("e2", "e4")
    anne.wait_for("press-clock")
    anne.move("e4", "e2")
    observed.wait_for_entry(journal, "taken-back")
    anne.pick("resign")
    start(anne, "swashbuckle")
    while not anne.offers():
        anne.hold_roll(0.01)
    anne.post("/advice")
    anne.pick("throw-again")
    assert anne.post("/die/1").status_code == 204
    anne.answer(type="keep", dice=[1, 2])
    assert anne.post("/matches/1/resume").status_code == 204
    found = observed.entries(journal)
    assert observed.columns(journal) == WORDS["journal columns"]
    assert found == {kind: WORDS["journal"][kind] for kind in WORDS["journal"] if kind not in WORDS["seldom"]}


# --- lobby ----------------------------------------------------------------------------------------------------------


def test_the_lobby_offers_these_ids(table: OpenTable) -> None:
    anne = table.anne
    seen: set[str] = set()

    def choose(*ids: str) -> None:
        for id_ in ids:
            seen.update(anne.offers())
            anne.pick(id_)

    start(anne, "legend")  # can be resumed
    start(anne, "captains-chess")
    anne.pick("resign")  # over: a rematch is offered
    anne.pick("computer", "back")  # which the knob offers, and the card of the result leaves out
    seen.add("computer")
    choose("rematch")
    leave(anne)
    choose(
        "table-menu",
        "back",
        "resume",
        "back",
        "new",
        "game-swashbuckle",
        "players-2",
        "name-Anne",
        "computer-eurus",
        "back",
    )
    choose("spell", "letter-Z", "delete")
    choose("letter-Z", "letter-e", "done", "change-aces_high", "number")
    anne.answer(type="amount", value=50)
    choose("change-order", "back", "begin")
    assert anne.get("/health").json()["game"] == "swashbuckle"
    seen -= inside.OTHERS_GAMES
    assert sorted({observed.kind_of(id_) for id_ in seen}) == WORDS["lobby"]["ids"]


def leave(anne: Caller) -> None:
    """Hold *back* until the match is left."""
    anne.post("/button/back/press")
    anne.wait_for("return")
    anne.post("/button/back/release")


def start(anne: Caller, game: str, **options: str) -> None:
    """Begin a match of two."""
    begun = anne.post("/new", {"game": game, "name1": "Anne", "name2": "Bart", **options})
    assert begun.status_code == 204, begun.text
