"""A small run of what `make siege` does at length, and that the campaign sees what it looks for."""

import io
import itertools
import json
import sys
from pathlib import Path

import pytest

from tests.siege import campaign
from tests.siege.__main__ import main
from tests.siege.attack import Attack, Case, Fault, Found, HungError, Outcome, Trial, at_most_cpu
from tests.siege.campaign import ATTACKS, MARKS, Result, run_attack, write_markdown
from tests.siege.http_person import Memory, Shown
from tests.siege.ledger import Ledger
from tests.siege.mutated_inputs import EXPORTS, check, means_the_same
from tests.support.effort import LONG_RUN
from tests.support.honest_match import HonestTable
from tests.support.journals import journal_with
from tests.support.rotten_journal import lose
from tests.support.table_process import run_here

NOTHING = Attack("nothing", lambda _trial: None, "things", 20, 50, 1)
ELSEWHERE = {"guests", "serial-babble", "stops-while-thinking"}
"""Long to wait for, and tested elsewhere."""
NOT_EVERY_DAY = {"kills-while-thinking", "strangers", "late-network", "late-mount"}
"""The crowd is tested by e2e, networks by web, and mounts by storage."""


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.root
def test_a_small_campaign_finds_nothing(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())  # where commands wait for typed words
    made = [name for name in ATTACKS if name not in ELSEWHERE | (set() if LONG_RUN else NOT_EVERY_DAY)]
    code = main(["--small", *(word for name in made for word in ("--only", name))])
    told = capfd.readouterr()
    assert code == 0, told.out + told.err
    lines = [line for line in told.out.splitlines() if ", nothing lost; " in line]
    assert {line.partition(":")[0] for line in lines} == set(made)


def test_cases_make_as_many_units_as_are_wanted_and_repeat(tmp_path: Path) -> None:
    cases = list(NOTHING.cases(50, seed=7))
    assert [case.units for case in cases] == [20, 20, 10]
    assert cases[1].repeat == "python -m tests.siege --only nothing --case 1 --seed 7"
    first, second, again = (
        Trial(case, tmp_path, Outcome()).rng.random() for case in (*cases[:2], Case("nothing", 1, 20, 7))
    )
    assert second == again != first


# --- what it sees ---------------------------------------------------------------------------------------------------


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    journal_with(tmp_path / "journal.sqlite3", "Anne")
    return Ledger(tmp_path, Trial(Case("nothing", 0, 1, 0), tmp_path, Outcome()))


@pytest.mark.parametrize(
    ("memory", "words"),
    [
        (Memory(done=[("pick", "e2e4")]), "acknowledged were"),
        (
            Memory(shown=[Shown((1 << 20) + 9, ("die 1: 1",))]),
            "action 9 of match 1 was shown and is not in the journal",
        ),
    ],
)
def test_an_action_that_was_acknowledged_or_shown_and_is_not_there_is_lost(
    memory: Memory, words: str, ledger: Ledger
) -> None:
    with pytest.raises(Found, match=words) as found:
        ledger.compare(memory, None)
    assert found.value.finding.fault is Fault.LOST


def test_an_entry_that_is_gone_is_lost(ledger: Ledger, tmp_path: Path) -> None:
    lose(tmp_path / "journal.sqlite3", 1, 1)
    with pytest.raises(Found, match="row 1 was"):
        ledger.compare(Memory(), None)


def test_two_actions_nobody_knows_of_are_too_many_and_one_may_have_been_in_flight(
    ledger: Ledger, tmp_path: Path
) -> None:
    journal_with(tmp_path / "journal.sqlite3", "Cora")
    with pytest.raises(Found, match="the journal has"):
        ledger.compare(Memory(), None)


def test_whatever_escapes_from_a_case_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_trial: Trial) -> None:
        raise RuntimeError("overboard")

    attack = Attack("mutiny", fail, "mutinies", 1, 1, 1)
    monkeypatch.setattr(campaign, "ATTACKS", {"mutiny": attack})
    result = run_attack(attack, list(attack.cases(1, 0)), 1)
    [(_, finding)] = result.found
    assert finding.fault is Fault.TRACEBACK
    assert "RuntimeError: overboard" in finding.words


def test_what_never_ends_is_hung_by_the_processors_time() -> None:
    with pytest.raises(HungError), at_most_cpu(0.05):
        for _ in itertools.count():  # in Python: a loop in C hears of no signal before it ends
            pass


def test_a_spoiled_export_that_passes_would_be_seen(tmp_path: Path) -> None:
    table = HonestTable("ship-captain-crew", {"mode": "single"})
    table.play_on(3)
    text = json.dumps(table.export())
    path = tmp_path / "match.json"
    path.write_text(text, encoding="utf-8")
    proven = run_here("verify", path)
    check(EXPORTS, proven, is_same=means_the_same(text, json.dumps(json.loads(text), indent=3).encode()))
    with pytest.raises(Found, match="for another value than was exported"):
        check(EXPORTS, proven, is_same=means_the_same(text, text.replace("Anne", "Mary").encode()))


def test_the_table_takes_its_place_in_a_document(tmp_path: Path) -> None:
    document = tmp_path / "siege.md"
    document.write_text("before\n{}\nold\n{}\nafter\n".format(*MARKS), encoding="utf-8")
    write_markdown(document, [Result(ATTACKS["exports"], 5)])
    write_markdown(document, [Result(NOTHING, 1234), Result(ATTACKS["tapes"], 6)])
    before, *lines, after = document.read_text(encoding="utf-8").splitlines()
    assert (before, lines[0], lines[-1], after) == ("before", *MARKS, "after")
    rows = [line.split(" | ")[:2] for line in lines if line.startswith("| ")]
    assert rows == [
        ["| Attack", "Made"],
        ["| tapes", "6 inputs"],
        ["| exports", "5 inputs"],
        ["| nothing", "1,234 things"],
    ]
    document.write_text("no marks\n", encoding="utf-8")
    with pytest.raises(ValueError, match="expected the marks"):
        write_markdown(document, [])
