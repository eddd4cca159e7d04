"""The page of a match says what each decision cost, once somebody asks and nobody can use it any more."""

from http import HTTPStatus

from captains_table.table.history.review import JudgedDecision
from tests.support.fake_table import FakeTable
from tests.support.reviewed import entries_of, reviewed
from tests.support.visiting import get

FOUND = (JudgedDecision(1, 0, "Anne: a dear one", 3.25, "another one"), JudgedDecision(2, 1, "Bart: the best", 0.0))


def table(*, analysed: bool = True) -> FakeTable:
    """Return a table with a match of Legend that is over."""
    found = FakeTable()
    played = entries_of("legend", options={"rounds": "1", "turn_limit": "4"}, luck=5)
    found.looked_back[1] = reviewed(played)
    if analysed:
        found.analysed[1] = FOUND
    return found


def test_decisions_are_judged_when_somebody_asks() -> None:
    asked_not = get(table(), "/matches/1").text
    assert "What did each decision cost?" in asked_not
    assert "another one" not in asked_not
    asked = get(table(), "/matches/1?judged=1").text
    assert "What did each decision cost?" not in asked
    assert "Anne: a dear one" in asked
    assert "better: another one" in asked
    assert "3.2" in asked


def test_what_cannot_be_judged_is_said() -> None:
    answer = get(table(analysed=False), "/matches/1?judged=1")
    assert answer.status_code == HTTPStatus.CONFLICT
    assert "is not over" in answer.text
