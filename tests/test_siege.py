"""A small run of what `make siege` does at length, and that the campaign sees what it looks for."""

import itertools
import json
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.siege import campaign
from tests.siege.attack import Attack, Case, Fault, Found, HungError, Made, Outcome, Trial, at_most_cpu
from tests.siege.attacks import ATTACKS, SIZES
from tests.siege.http_person import Memory, Shown
from tests.siege.ledger import Ledger
from tests.siege.mutated_inputs import EXPORTS, check, means_the_same
from tests.siege.report import BEGIN, END, write_markdown
from tests.support.honest_match import HonestTable
from tests.support.journals import journal_with
from tests.support.patience import PATIENCE_S
from tests.support.rotten_journal import lose
from tests.support.table_process import run_here

NOTHING = Attack("nothing", Made("things", 20, "kills"), lambda _trial: None, "does nothing")


def small_campaign(attacks: Sequence[str]) -> set[str]:
    """Make some attacks in small and return those that found nothing."""
    only = [word for name in attacks for word in ("--only", name)]
    command = [sys.executable, "-m", "tests.siege", "--small", "--workers", "1", *only]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=5 * PATIENCE_S)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return {line.partition(":")[0] for line in ended.stderr.splitlines() if line.endswith("nothing lost")}


@pytest.mark.slow
@pytest.mark.root
def test_a_small_campaign_finds_nothing() -> None:
    names = list(ATTACKS)
    with ThreadPoolExecutor(2) as pool:  # one half of the attacks waits while the other works
        made = set().union(*pool.map(small_campaign, (names[::2], names[1::2])))
    assert made == ATTACKS.keys() - {
        "guests",
        "serial-babble",
        "stops-while-thinking",
    }  # long to wait for, and tested elsewhere


def test_every_attack_has_its_size() -> None:
    assert {attack.made.option for attack in ATTACKS.values()} == SIZES.keys()


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


def test_an_entry_that_is_gone_is_lost(ledger: Ledger, tmp_path: Path) -> None:
    lose(tmp_path / "journal.sqlite3", 1, 1)
    with pytest.raises(Found, match="row 1 was") as found:
        ledger.compare(Memory(), None)
    assert found.value.finding.fault is Fault.LOST


def test_an_action_that_was_acknowledged_and_is_not_there_is_lost(ledger: Ledger) -> None:
    with pytest.raises(Found, match="acknowledged were"):
        ledger.compare(Memory(done=[("pick", "e2e4")]), None)


def test_two_actions_nobody_knows_of_are_too_many_and_one_may_have_been_in_flight(
    ledger: Ledger, tmp_path: Path
) -> None:
    journal_with(tmp_path / "journal.sqlite3", "Cora")
    with pytest.raises(Found, match="the journal has"):
        ledger.compare(Memory(), None)


def test_an_action_that_was_shown_and_is_not_there_is_lost(ledger: Ledger) -> None:
    with pytest.raises(Found, match="action 9 of match 1 was shown and is not in the journal"):
        ledger.compare(Memory(shown=[Shown((1 << 20) + 9, ("die 1: 1",))]), None)


def test_whatever_escapes_from_a_case_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_trial: Trial) -> None:
        raise RuntimeError("overboard")

    attack = Attack("mutiny", Made("mutinies", 1, "kills"), fail)
    monkeypatch.setattr(campaign, "ATTACKS", {"mutiny": attack})
    [case] = attack.cases(1, 0)
    result = campaign.run_attack(attack, [case], 1, lambda _: None)
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
    document.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    write_markdown(document, [campaign.Result(NOTHING, units=1234)])
    text = document.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{BEGIN}\n")
    assert text.endswith(f"{END}\nafter\n")
    assert "| nothing | does nothing | 1,234 things |" in text
    assert "old" not in text
    write_markdown(document, [campaign.Result(ATTACKS["tapes"], units=5)])
    write_markdown(document, [campaign.Result(ATTACKS["exports"], units=6), campaign.Result(NOTHING, units=7)])
    lines = document.read_text(encoding="utf-8").splitlines()
    names = [line.split(" | ")[0] for line in lines if line.startswith("| ")]
    assert names == ["| Attack", "| tapes", "| exports", "| nothing"]
    document.write_text("no marks\n", encoding="utf-8")
    with pytest.raises(ValueError, match="expected the marks"):
        write_markdown(document, [])
