"""A journal with a rotten newest match, a rotten old one and a foreign one: the table lists all three, and plays."""

from pathlib import Path

import pytest

from tests.e2e.conftest import Call, OpenTable
from tests.support.rotten_journal import lay_down_three
from tests.support.table_process import run_here


@pytest.fixture
def state(tmp_path: Path) -> Path:
    folder = tmp_path / "state"
    lay_down_three(folder)
    return folder


@pytest.mark.usefixtures("state")
def test_the_table_comes_up_says_what_is_wrong_lists_all_three_and_plays(open_table: OpenTable, call: Call) -> None:
    table = open_table("play")
    table.expected_complaints = table.complaints
    assert "Match 3 cannot be taken up again" in table.complaints
    assert "entry 2 of match 3 cannot be read: unknown entry 'prophecy'" in table.complaints
    assert "Match 2 is kept as it stands" in table.complaints
    anne = call(table)
    listed = anne.get("/matches").text
    assert listed.count("Damaged: its entry 2 cannot be read") == 2
    assert "mermaid-chess" in listed
    assert all(f"No. {number}," in listed for number in (1, 2, 3))
    assert "Resume" not in listed
    assert anne.get("/records").status_code == anne.get("/new").status_code == 200
    assert anne.get("/export/3.json").json()["damaged"] == 2
    begun = anne.post("/new", {"game": "legend", "name1": "Anne", "name2": "Bart"})
    assert begun.status_code < 400, begun.text
    anne.play_one_turn("e2e4")


def test_the_commands_list_and_export_them_and_verify_names_the_bad_entry(state: Path, tmp_path: Path) -> None:
    listed = run_here("matches", "--state", state)
    assert listed.returncode == 0, listed.stderr
    third, second, first = listed.stdout.splitlines()
    for line in (third, first):
        assert "captains-chess  Anne and Bart: 1 actions, damaged: its entry 2 cannot be read" in line
    assert "mermaid-chess" in second
    export = tmp_path / "match.json"
    assert run_here("matches", "export", "3", "--state", state, "--to", export).returncode == 0
    verified = run_here("verify", export)
    assert verified.returncode == 1
    assert "the match is damaged: entry 2 could not be read" in verified.stdout
