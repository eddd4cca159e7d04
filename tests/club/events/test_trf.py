import dataclasses
from contextlib import suppress
from pathlib import Path

import pytest
from caissify_pairings.trf import parse_trf
from hypothesis import given, strategies as st
from msgspec.structs import replace
from py4swiss.engines import DutchEngine
from py4swiss.trf import TrfParser

from captains_table import __version__
from captains_table.club.events.entries import (
    DRAW,
    LOSS,
    WIN,
    Edition,
    Entered,
    Made,
    SatOut,
    System,
    TieBreak,
    Withdrew,
)
from captains_table.club.events.event import event_of
from captains_table.club.events.player_rounds import How, player_rounds, total_halves
from captains_table.club.events.standings import standings
from captains_table.club.events.trf import trf_of
from captains_table.club.events.trf_reading import ANNULLED, BadReport, entries_of_trf, read_report
from tests.support.club_event import all_drawn_but_dirk, begun, by_chance, paired_by_hand

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
    first_round = [columns[name][0] for name in ("Player 2", "Player 3", "Player 6", "Player 7", "Zoë")]
    assert first_round == ["5 b =", "6 w -", "3 b +", "0000 - U", "0000 - Z"]
    assert columns["Player 2"][2] == "0000 - Z"
    assert columns["Zoë"][1][-1] in "wb"  # a match without a result
    long = [f"{'Anne-Marie ' * 3}{ending}" for ending in ("One", "Two", "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627")]
    running.write(*(Entered(player=9 + each, name=name) for each, name in enumerate(long)))
    read = event_of(entries_of_trf(trf_of(running.event), MADE, "r"))
    names = [entrant.name for entrant in read.entrants.values()][-3:]
    assert [name[-3:] for name in names] == ["One", "Two", long[2][-3:]], "what tells long names apart is written"
    assert all(len(name) <= 33 for name in names)
    assert trf_of(read) == trf_of(running.event)


def test_a_report_of_others_becomes_an_event_that_goes_on() -> None:
    event = event_of(entries_of_trf(REPORT, MADE, "r"))
    assert (event.made.title, event.made.rounds, event.made.number_one_begins) == ("Club open", 3, False)
    assert [entrant.name for entrant in event.entrants.values()] == ["Anne", "Bart"]
    assert [turnout.how for turnout in player_rounds(event)[1]] == [How.PLAYED]
    assert event.next_round == 2
    without = REPORT.replace("012 Club open\n", "")
    assert event_of(entries_of_trf(without, MADE, "r")).made.title == "x", "the title it is given"


def test_two_players_of_one_name_are_told_apart_by_their_number() -> None:
    entries = entries_of_trf(REPORT.replace("Bart", "Anne"), MADE, "e-")
    names = [entry.name for entry in entries if isinstance(entry, Entered)]
    assert (names[0], names[1]) == ("Anne", "Anne (2)")


@pytest.mark.parametrize(
    ("report", "words"),
    [
        ("", "this is no TRF"),
        ("012 x\n", "it has no players"),
        ("012 x\n001 short", "too short"),
        (REPORT.replace("    1 b 0", "    3 b 0"), "round 1: player 1 met 2, but line 5 does not say that 2 met 1"),
        (REPORT.replace("    1 b 0", "    1 w 0"), "players 1 and 2 both have w"),
        (REPORT.replace("    2 w 1", "    1 - +"), "line 4, round 1: there is no opponent 1 for player 1"),
        (REPORT.replace("    2 w 1", " 0000 - X"), "line 4, round 1: '0000 - X' is no result"),
        (REPORT.replace("2 w 1", "2 w 1  0000 - F"), "round 2 is not paired, but player 1 has a full point"),
        (f"{REPORT}240 H 2 3\n", "there is no player 3"),
        (f"{REPORT}240 Q 2 1\n", "announces no bye"),
        (f"{REPORT}240\n", "announces no bye"),
        (REPORT.replace("    1 b 0", "    1 b ?"), "line 5, round 1: '1 b ?' is no result"),
        (REPORT.replace("    1 b 0", "    1 b 1"), "players 1 and 2 have 1 and 1: expected a point for both at most"),
        (REPORT.replace("XXR 3", "XXR 100"), "cannot be played on: 100 rounds"),
        (REPORT.replace("2000", "2²00"), "line 4: '2²00' is no rating"),
        (REPORT.replace("001    1", "001    ²"), "line 4: '²' is no number of a player"),
        (REPORT.replace("001    2", "001    1"), "line 5: there are two players 1, the other in line 4"),
        (f"{REPORT}162  W 3.0    D 1.0\n", "line 6: W counts 3.0: expected 1 for a win"),
        (f"{REPORT}162  W 1.0    D 0.5    P 0.5\n", "a bye counts no point in this report"),
        (REPORT.replace("Bart", "B=rt"), "cannot be played on: 'B=rt' is no name"),
    ],
)
def test_what_is_no_report_is_refused_in_words(report: str, words: str) -> None:
    with pytest.raises(BadReport) as refused:
        entries_of_trf(report, MADE, "r")
    assert words in str(refused.value)


def line(number: int, name: str, points: float, *rounds: str) -> str:
    """Return a player's line; each round is an opponent's number, a colour and a result."""
    blocks = "".join(f"{opponent:>4} {sign:<5}" for opponent, _, sign in (round_.partition(" ") for round_ in rounds))
    return f"001 {number:>4}      {name:<33} 1900{points:>32.1f} {number:>4}  {blocks}\n"


def foreign(
    *, bye: str = "U", half: str = "H", none: str = "Z", colours: str = "wb", forfeit: str = "+-", more: str = ""
) -> str:
    """Return a report of three rounds in which one of three players is free each time, with the signs of others."""
    return (
        "012 Signs of others\n142 4\n152 B\n"
        + line(1, "Anne", 2.5, "2 b 1", f"0000 - {bye}", f"0000 - {half}")
        + line(2, "Bart", 2.0, "1 w 0", f"3 {colours[0]} {forfeit[0]}", "3 b 1")
        + line(3, "Cleo", 0.0, f"0000 - {none}", f"2 {colours[1]} {forfeit[1]}", "2 w 0")
        + more
    )


@pytest.mark.parametrize("bye", ["U", "F", "u", "f", "+", "1"])
@pytest.mark.parametrize(("half", "none"), [("H", "Z"), ("h", "z"), ("=", "-"), ("d", "0")])
def test_no_sign_that_other_programs_write_for_a_bye_loses_points(bye: str, half: str, none: str) -> None:
    event = event_of(entries_of_trf(foreign(bye=bye, half=half, none=none), MADE, "r"))
    assert {player: total_halves(turnouts) for player, turnouts in player_rounds(event).items()} == {1: 5, 2: 4, 3: 0}
    assert [player_rounds(event)[1][number].how for number in (1, 2)] == [How.BYE, How.SAT_OUT]


@pytest.mark.parametrize(("colours", "first"), [("--", 2), ("w-", 2), ("-w", 3), ("b-", 3)])
def test_a_forfeit_without_colours_is_read_and_the_lower_number_has_white(colours: str, first: int) -> None:
    event = event_of(entries_of_trf(foreign(colours=colours), MADE, "r"))
    assert event.rounds[1].matches[0].seated.seats[0] == first
    assert [player_rounds(event)[player][1].how for player in (2, 3)] == [How.FORFEIT, How.FORFEIT]
    assert player_rounds(event)[2][1].halves == WIN


def test_rounds_colour_and_byes_to_come_are_read_from_the_records_of_trf26() -> None:
    text = foreign(forfeit="10", more="240 H   4    1\n240 z   4    3\n240 F   2    1\n")
    event = event_of(entries_of_trf(f"\ufeff{text}".replace("\n", "\r\n"), MADE, "r"))
    assert (event.made.rounds, event.made.number_one_begins) == (4, False)
    assert event.entrants[1].sits_out[4] is True
    assert not event.entrants[3].plays(4)
    assert event.entrants[2].plays(4)


@pytest.mark.parametrize(
    ("record", "system"),
    [
        ("092 Individual: Swiss-System (Dutch)", System.SWISS),
        ("092 Individual: Round-Robin", System.ROUND_ROBIN),
        ("092 ROUND ROBIN", System.ROUND_ROBIN),
        ("192 BERGER_ROUNDROBIN_G2", System.ROUND_ROBIN),
        ("192 FIDE_DUTCH_2026", System.SWISS),
        ("", None),
    ],
)
def test_the_system_is_what_a_report_of_either_kind_names(record: str, system: System) -> None:
    assert read_report(f"{REPORT}{record}\n").system is system


def test_the_free_round_of_a_round_robin_stays_one_when_its_report_is_read_again() -> None:
    running = begun(System.ROUND_ROBIN, 5, 1)
    for number in range(5):
        running.play_round(by_chance(number))
    read = event_of(entries_of_trf(trf_of(running.event), replace(MADE, system=System.ROUND_ROBIN), "r"))
    of_both = [[each.how for row in player_rounds(event).values() for each in row] for event in (read, running.event)]
    assert of_both[0] == of_both[1]
    assert of_both[0].count(How.BYE) == 5
    lines = [[(line.player, line.values) for line in standings(event)] for event in (read, running.event)]
    assert lines[0] == lines[1]


@pytest.mark.parametrize("sign", ["U", "F", "H"])
def test_a_bye_that_counts_is_refused_in_a_round_robin_and_not_lost(sign: str) -> None:
    running = begun(System.ROUND_ROBIN, 3, 1)
    running.play_round(by_chance(1))
    with pytest.raises(BadReport, match="expected Z, a free round counts nothing"):
        entries_of_trf(trf_of(running.event).replace("- Z", f"- {sign}"), replace(MADE, system=System.ROUND_ROBIN), "r")


def test_shared_places_are_shared_in_a_report() -> None:
    lines = trf_of(all_drawn_but_dirk(Edition.FIDE_2026).event).splitlines()
    assert [line[85:89].strip() for line in lines if line.startswith("001")] == ["1", "1", "3", "4"]


def test_a_report_keeps_tie_breaks_and_their_edition() -> None:
    order = (TieBreak.WINS, TieBreak.SONNEBORN_BERGER)
    for edition in Edition:
        text = trf_of(paired_by_hand([{(1, 2): "1-0"}], edition=edition, tie_breaks=order).event)
        event = event_of(entries_of_trf(text, MADE, "r"))
        assert (event.made.tie_breaks, event.made.edition) == (order, edition)
        assert trf_of(event) == text


@pytest.mark.parametrize("record", ["202 ARO,BH", "202 BH\n092 Individual: Round-Robin"])
def test_tie_breaks_that_are_not_counted_here_or_not_of_the_system_are_left_out(record: str) -> None:
    made = replace(MADE, edition=Edition.FIDE_2026)
    assert event_of(entries_of_trf(f"{REPORT}{record}\n", made, "r")).made.tie_breaks == ()


def records(text: str, *codes: str) -> list[str]:
    """Return the lines of a report that begin with one of these codes."""
    return [line for line in text.splitlines() if line[:3] in codes]


def test_a_report_has_the_records_of_trf26_beside_those_that_older_programs_read() -> None:
    made = replace(MADE, title="Open", rounds=3, place="Hoorn", federation="NED", options={"clock": "90+30"})
    running = paired_by_hand([{(1, 2): "1-0"}])
    event = dataclasses.replace(running.event, made=replace(made, tie_breaks=running.event.made.tie_breaks))
    text = trf_of(event, days={1: "2026/11/27"})
    codes = ("012", "022", "032", "042", "052", "142", "152", "192", "202", "222", "XXR", "XXC")
    assert records(text, *codes) == [
        "012 Open",
        "022 Hoorn",
        "032 NED",
        "042 2026/11/27",
        "XXR 3",
        "XXC white1",
        "142 3",
        "152 W",
        "192 FIDE_DUTCH_2026",
        "202 BH/C1,BH,DE,SB,WIN",
        "222 5400+30",
    ]
    [rounds] = records(text, "132")
    assert rounds[91:] == "26/11/27"
    assert records(text, "182") == [f"182 Captain's Table {__version__}"]
    again = event_of(entries_of_trf(text, replace(MADE, options={"clock": "90+30"}), "r"))
    assert (again.made.place, again.made.federation, again.rounds[0].day) == ("Hoorn", "NED", "2026/11/27")
    assert trf_of(again) == text


@pytest.mark.parametrize(
    ("clock", "record"),
    [
        ("5", ["222 300+0"]),
        ("40/100+30,15+30", ["222 40/6000+30:900+30"]),
        ("5|4", ["222 W300+0-B240+0"]),
        ("5d3", []),
        ("none", []),
    ],
)
def test_the_time_control_is_told_where_the_format_can_hold_it(clock: str, record: list[str]) -> None:
    running = begun(System.ROUND_ROBIN, 4, 2)
    event = dataclasses.replace(running.event, made=replace(running.event.made, options={"clock": clock}))
    assert records(trf_of(event), "192", "222") == ["192 BERGER_ROUNDROBIN_G2", *record]


def test_byes_of_all_rounds_to_come_are_told_and_count_nothing_yet(tmp_path: Path) -> None:
    running = begun(System.SWISS, 8, 5)
    running.play_round(by_chance(1))
    running.write(SatOut(player=1, round=2, half=True), SatOut(player=2, round=4), SatOut(player=1, round=5, half=True))
    running.write(SatOut(player=4, round=2), Withdrew(player=3))
    text = trf_of(running.event)
    assert records(text, "240") == [
        "240 H   2    1",
        "240 Z   2    3    4",
        "240 Z   3    3",
        "240 Z   4    2    3",
        "240 H   5    1",
        "240 Z   5    3",
    ]
    columns = {line[4:8].strip(): line[101:111].strip() for line in text.splitlines() if line.startswith("001")}
    assert [columns[number] for number in "1234"] == ["0000 - Z", "", "0000 - Z", "0000 - Z"]
    read = event_of(entries_of_trf(text, MADE, "r"))
    assert [dict(read.entrants[player].sits_out) for player in (1, 2, 3, 4)] == [
        {2: True, 5: True},
        {4: False},
        {},
        {2: False},
    ]
    assert [player for player, entrant in read.entrants.items() if entrant.is_gone] == [3]
    assert trf_of(read) == text
    report = tmp_path / "open.trf"
    report.write_text("\n".join(line.rstrip() for line in text.splitlines()) + "\n", "utf-8")
    paired = DutchEngine.generate_pairings(TrfParser.parse(report))
    assert {player for pair in paired for player in (pair.white, pair.black)} == {2, 5, 6, 7, 8, 0}
    assert len(parse_trf(text)["players"]) == 8


def test_matches_that_are_annulled_give_no_points_in_a_report_either() -> None:
    running = begun(System.ROUND_ROBIN, 4, 1, edition=Edition.FIDE_2026)
    first = running.pair()
    for match in first.matches:
        running.rule(match, DRAW, DRAW)
    running.write(Withdrew(player=4, annuls=True))
    text = trf_of(running.event)
    met = next(seat for match in first.matches if 4 in match.seats for seat in match.seats if seat != 4)
    assert records(text, "299") == [f"299          -0.5    1 {met:>4}    4"]
    assert {line[4:8].strip(): line[80:84].strip() for line in records(text, "001")}["4"] == "0.0"
    again = event_of(entries_of_trf(text, replace(MADE, system=System.ROUND_ROBIN), "r"))
    assert again.entrants[4].is_annulled
    assert trf_of(again) == text
    report = read_report(text)
    assert list(report.remarks(report.comparison(Edition.FIDE_2026, System.ROUND_ROBIN).history)) == []
    theirs = text.replace(ANNULLED, "### Somebody left: ")
    with pytest.raises(BadReport, match=r"line \d+: a record 299 gives points that do not follow from results"):
        entries_of_trf(theirs, replace(MADE, system=System.ROUND_ROBIN), "r")


@given(st.integers(0, len(REPORT) - 1), st.text(max_size=12), st.integers(0, 30))
def test_a_spoilt_report_is_refused_in_words_or_read_but_never_anything_else(at: int, put: str, cut: int) -> None:
    spoilt = REPORT[:at] + put + REPORT[at + cut :]
    with suppress(BadReport):
        event_of(entries_of_trf(spoilt, MADE, "r"))
