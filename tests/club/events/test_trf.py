from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from captains_table.club.events.entries import DRAW, LOSS, WIN, Entered, Made, SatOut, System, Withdrew
from captains_table.club.events.event import event_of
from captains_table.club.events.records import How, records
from captains_table.club.events.trf import BadReport, entries_of_trf, trf_of
from tests.support.club_event import begun

MADE = Made(title="x", game="legend", system=System.SWISS, rounds=1)
REPORT = """\
012 Club open
XXR 3
XXC black1
001    1      Anne                              2000                             1.0    1     2 w 1
001    2      Bart                              1900                             0.0    2     1 b 0
"""


def test_a_report_has_a_column_for_each_way_to_spend_a_round() -> None:
    running = begun(System.SWISS, 7, 4)
    first = running.pair()
    running.rule(first.matches[0], WIN, LOSS)
    running.rule(first.matches[1], DRAW, DRAW)
    running.rule(first.matches[2], LOSS, WIN, played=False)
    running.write(Withdrew(player=4), SatOut(player=1, round=2, half=True), Entered(player=8, name="Zoë"))
    running.pair()
    running.write(SatOut(player=2, round=3))
    lines = {line[14:47].strip(): line for line in trf_of(running.event).splitlines() if line.startswith("001")}
    columns = {name: [line[91:][start : start + 10].strip() for start in (0, 10, 20)] for name, line in lines.items()}
    assert columns["Player 1"] == ["4 w 1", "0000 - H", ""]
    assert columns["Player 4"] == ["1 b 0", "0000 - Z", "0000 - Z"]
    assert columns["Player 2"][0] == "5 b ="
    assert columns["Player 2"][2] == "0000 - Z"
    assert columns["Player 3"][0] == "6 w -"
    assert columns["Player 6"][0] == "3 b +"
    assert columns["Player 7"][0] == "0000 - U"
    assert columns["Zoë"][0] == "0000 - Z"
    assert columns["Zoë"][1][-1] in "wb"  # a match without a result
    read = event_of(entries_of_trf(trf_of(running.event), MADE, "r"))
    assert trf_of(read) == trf_of(running.event)


def test_groups_have_no_report() -> None:
    with pytest.raises(BadReport, match="groups cannot be written so"):
        trf_of(begun(System.GROUPS, 6, 2, 3).event)


def test_a_report_of_others_becomes_an_event_that_goes_on() -> None:
    event = event_of(entries_of_trf(REPORT, MADE, "r"))
    assert (event.made.title, event.made.rounds, event.made.number_one_begins) == ("Club open", 3, False)
    assert [entrant.name for entrant in event.entrants.values()] == ["Anne", "Bart"]
    assert [turnout.how for turnout in records(event)[1]] == [How.PLAYED]
    assert event.next_round == 2


@pytest.mark.parametrize(
    ("report", "words"),
    [
        ("", "this is no TRF"),
        ("012 x\n", "No players"),
        ("012 x\n001 short", "too short"),
        (REPORT.replace("    1 b 0", "    3 b 0"), "player 1 met 2, but 2 did not meet him"),
        (REPORT.replace("    1 b 0", "    1 w 0"), "did not meet him"),
        (REPORT.replace("    1 b 0", "    1 b ?"), "'?' is no result"),
        (REPORT.replace("    1 b 0", "    1 b 1"), "cannot be played on: a match of two"),
        (REPORT.replace("XXR 3", "XXR 0"), "cannot be played on: 0 rounds"),
        (REPORT.replace("2000", "2²00"), "this is no TRF"),
        (REPORT.replace("Bart", "B=rt"), "cannot be played on: 'B=rt' is no name"),
        (REPORT.replace("Bart", "Anne"), "cannot be played on: Anne takes part already"),
    ],
)
def test_what_is_no_report_is_refused_in_words(report: str, words: str) -> None:
    with pytest.raises(BadReport) as refused:
        entries_of_trf(report, MADE, "r")
    assert words in str(refused.value)


@given(st.integers(0, len(REPORT) - 1), st.text(max_size=12), st.integers(0, 30))
def test_a_spoilt_report_is_refused_in_words_or_read_but_never_anything_else(at: int, put: str, cut: int) -> None:
    spoilt = REPORT[:at] + put + REPORT[at + cut :]
    with suppress(BadReport):
        event_of(entries_of_trf(spoilt, MADE, "r"))
