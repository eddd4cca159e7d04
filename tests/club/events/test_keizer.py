"""Keizer events: values, scores and pairings, worked out by hand."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings, strategies as st

from captains_table.club.events.counting import CannotPair
from captains_table.club.events.entries import (
    DRAW,
    EVENT_ENTRIES,
    LOSS,
    WIN,
    Absence,
    Entered,
    KeizerSettings,
    Made,
    PairedMatch,
    Returned,
    SatIn,
    SatOut,
    System,
    TieBreak,
    Withdrew,
)
from captains_table.club.events.event import CannotBe, ClubEvent, new_event
from captains_table.club.events.keizer import keizer_lines, keizer_table, place_values
from captains_table.club.events.keizer_pairing import paired_by_rank
from captains_table.club.events.legality import broken_rules, round_by_hand
from captains_table.club.events.pairing import next_round
from captains_table.club.events.player_rounds import How, PlayerRound
from captains_table.club.events.standings import crosstable, shown_values, standings
from captains_table.club.events.trf import trf_of
from captains_table.club.events.trf_reading import BadReport, entries_of_trf
from tests.support.club_event import NAMES, Running, begun
from tests.support.effort import effort

A, B, C, D, E = range(1, 6)
Result = tuple[int, int]
Pair = tuple[int, int]


def keizer(players: int, chosen: KeizerSettings | None = None) -> Running:
    """Return a Keizer event with these settings; the players are rated in the order of their numbers."""
    made = Made(
        title="Keizer",
        game="captains-chess",
        system=System.KEIZER,
        rounds=9,
        keizer=chosen,
    )
    names = (*NAMES, *map(str, range(len(NAMES), players)))
    entered = (Entered(player=n, name=names[n - 1], rating=2000 - n) for n in range(1, players + 1))
    return Running([made, *entered])


def play(running: Running, results: Mapping[Pair, Result], *forfeited: Pair) -> tuple[int, ...]:
    """Pair a round, in which these pairs meet in this order of seats; return who has a bye."""
    paired = running.pair()
    assert [match.seats for match in paired.matches] == list(results)
    for match, halves in zip(paired.matches, results.values(), strict=True):
        running.rule(match, *halves, played=match.seats not in forfeited)
    return paired.byes


def ranking(running: Running) -> list[tuple[int, int, Fraction, Fraction]]:
    """Return who is where: player, value, score, and the gain of the last round."""
    return [(line.player, line.value, line.score, line.gain) for line in keizer_lines(running.event)]


def row(player: int, value: int, score: str, gain: str) -> tuple[int, int, Fraction, Fraction]:
    return player, value, Fraction(score), Fraction(gain)


def test_two_rounds_are_valued_anew_until_the_ranking_stands() -> None:
    """Four players of the values 8, 7, 6 and 5.

    Round 1: B beats A, C and D draw. A score is the own value, then what was won.
        A 8, B 7: A = 8, B = 7 + 8 = 15, C = 6 + 5/2 = 8 1/2, D = 5 + 6/2 = 8; A is before D by rating: B C A D
        B 8, C 7, A 6, D 5: B = 8 + 6 = 14, C = 7 + 5/2 = 9 1/2, A = 6, D = 5 + 7/2 = 8 1/2: B C D A
        B 8, C 7, D 6, A 5: B = 8 + 5 = 13, C = 7 + 6/2 = 10, D = 6 + 7/2 = 9 1/2, A = 5: B C D A, as before
    Round 2: C beats B, A and D draw.
        B 8, C 7, D 6, A 5: B = 8 + 5 = 13, C = 7 + 3 + 8 = 18, D = 6 + 7/2 + 5/2 = 12, A = 5 + 6/2 = 8: C B D A
        C 8, B 7, D 6, A 5: C = 8 + 3 + 7 = 18, B = 7 + 5 = 12, D = 6 + 8/2 + 5/2 = 12 1/2, A = 8: C D B A
        C 8, D 7, B 6, A 5: C = 8 + 7/2 + 6 = 17 1/2, D = 7 + 8/2 + 5/2 = 13 1/2, B = 6 + 5 = 11, A = 5 + 7/2 = 8 1/2:
        C D B A, as before
    Seats: in round 1 the lower ranked begins, in round 2 who has not begun.
    """
    running = keizer(4, KeizerSettings(top=8))
    play(running, {(B, A): (WIN, LOSS), (D, C): (DRAW, DRAW)})
    assert ranking(running) == [
        row(B, 8, "13", "5"),
        row(C, 7, "10", "3"),
        row(D, 6, "19/2", "7/2"),
        row(A, 5, "5", "0"),
    ]
    play(running, {(C, B): (WIN, LOSS), (A, D): (DRAW, DRAW)})
    assert ranking(running) == [
        row(C, 8, "35/2", "6"),
        row(D, 7, "27/2", "5/2"),
        row(B, 6, "11", "0"),
        row(A, 5, "17/2", "7/2"),
    ]
    lines = standings(running.event)
    assert [(line.place, line.points, shown_values(running.event, line)) for line in lines] == [
        (1, "17½", ("8", "6", "1½")),
        (2, "13½", ("7", "2½", "1")),
        (3, "11", ("6", "0", "1")),
        (4, "8½", ("5", "3½", "½")),
    ]
    assert [row_.cells for row_ in crosstable(running.event).rows] == [
        ("=2b", "+3w"),
        ("=1w", "=4b"),
        ("+4w", "-1b"),
        ("-3b", "=2w"),
    ]


def test_absences_of_every_kind_count_fractions_of_the_own_value() -> None:
    """Five players by the usual settings: the first has 5 x 3/2 = 7 1/2, rounded 8; then 7, 6, 5 and 4.

    Round 1: A beats B, C beats D, E has the bye for 2/3.
        A = 8 + 7 = 15, B = 7, C = 6 + 5 = 11, D = 5, E = 4 + 8/3 = 6 2/3: A C B E D
        A 8, C 7, B 6, E 5, D 4: A = 14, C = 11, B = 6, E = 5 + 10/3 = 8 1/3, D = 4: A C E B D
        A 8, C 7, E 6, B 5, D 4: A = 13, C = 11, E = 6 + 4 = 10, B = 5, D = 4, as before
    Round 2: C is excused (1/3), D stays away without a word (0), E plays for the club (2/3). A and B are alone, so they
    meet again; they draw.
        A 8, C 7, E 6, B 5, D 4: A = 8 + 5 + 5/2 = 15 1/2, C = 7 + 4 + 7/3 = 13 1/3, E = 6 + 4 + 4 = 14, B = 5 + 4 = 9,
        D = 4: A E C B D
        A 8, E 7, C 6, B 5, D 4: A = 15 1/2, E = 7 + 14/3 + 14/3 = 16 1/3, C = 6 + 4 + 2 = 12, B = 9, D = 4: E A C B D
        E 8, A 7, C 6, B 5, D 4: E = 8 + 16/3 + 16/3 = 18 2/3, A = 7 + 5 + 5/2 = 14 1/2, C = 12, B = 5 + 7/2 = 8 1/2,
        D = 4, as before
    """
    running = keizer(5)
    assert play(running, {(B, A): (LOSS, WIN), (D, C): (LOSS, WIN)}) == (E,)
    assert ranking(running) == [
        row(A, 8, "13", "5"),
        row(C, 7, "11", "4"),
        row(E, 6, "10", "4"),
        row(B, 5, "5", "0"),
        row(D, 4, "4", "0"),
    ]
    running.write(SatOut(player=C, round=2), SatOut(player=D, round=2, absence=Absence.UNEXCUSED))
    running.write(SatOut(player=E, round=2, absence=Absence.CLUB))
    assert play(running, {(A, B): (DRAW, DRAW)}) == ()
    assert ranking(running) == [
        row(E, 8, "56/3", "16/3"),
        row(A, 7, "29/2", "5/2"),
        row(C, 6, "12", "2"),
        row(B, 5, "17/2", "7/2"),
        row(D, 4, "4", "0"),
    ]
    assert [line.points for line in standings(running.event)] == ["18.67", "14½", "12", "8½", "4"]


def test_forfeits_and_losses_count_and_the_values_may_change_once_a_round_alone() -> None:
    """Four players of the values 6, 5, 4 and 3, without the own value; a loss counts 1/6, staying away 1/10.

    Round 1: B beats A; C does not come to D.
        A = 5/6, B = 6, C = 4/10, D = 4: B D A C, and that is all
    Round 2: D beats B, A and C draw. B 6, D 5, A 4, C 3:
        A = 6/6 + 3/2 = 2 1/2, B = 4 + 5/6 = 4 5/6, C = 3/10 + 4/2 = 2 3/10, D = 3 + 6 = 9: D B A C
    """
    running = keizer(4, KeizerSettings(top=6, own_value=False, loss="1/6", unexcused="1/10", until_stable=False))
    play(running, {(B, A): (WIN, LOSS), (D, C): (WIN, LOSS)}, (D, C))
    assert ranking(running) == [
        row(B, 6, "6", "6"),
        row(D, 5, "4", "4"),
        row(A, 4, "5/6", "5/6"),
        row(C, 3, "2/5", "2/5"),
    ]
    play(running, {(D, B): (WIN, LOSS), (C, A): (DRAW, DRAW)})
    assert ranking(running) == [
        row(D, 6, "9", "6"),
        row(B, 5, "29/6", "5/6"),
        row(A, 4, "5/2", "3/2"),
        row(C, 3, "23/10", "2"),
    ]


def test_a_search_that_comes_round_in_a_circle_ends_with_the_ranking_that_came_up_twice() -> None:
    """Three players of the values 5, 4 and 3, without the own value: A and B draw, C has the bye for 2/3.

    A 5, B 4: A = 2, B = 2 1/2, C = 2: B A C
    B 5, A 4: A = 2 1/2, B = 2, C = 2: A B C
    A 5, B 4: A = 2, B = 2 1/2, C = 2: B A C for the second time
    """
    running = keizer(3, KeizerSettings(own_value=False))
    assert play(running, {(B, A): (DRAW, DRAW)}) == (C,)
    assert ranking(running) == [row(B, 5, "5/2", "5/2"), row(A, 4, "2", "2"), row(C, 3, "2", "2")]


@pytest.mark.parametrize(
    ("players", "settings_", "values"),
    [
        (40, KeizerSettings(), (60, 21)),
        (4, KeizerSettings(ratio="5/2"), (7, 4)),  # 4 x 2.5 / 1.5 = 6.67
        (12, KeizerSettings(top=100), (100, 89)),
        (3, KeizerSettings(top=2), (2, 1)),
    ],
)
def test_values_fall_by_one_from_a_top_that_is_set_or_follows_from_the_ratio(
    players: int, settings_: KeizerSettings, values: Pair
) -> None:
    found = place_values(settings_, players)
    assert (found[0], found[-1]) == values
    assert all(one - two in {0, 1} and two >= 1 for one, two in pairwise(found))


@pytest.mark.parametrize(("most", "score"), [(None, "29/3"), (3, "23/3"), (2, "20/3"), (1, "14/3"), (0, "11/3")])
def test_only_so_many_absences_are_paid_the_first_ones_and_the_teams_apart(most: int | None, score: str) -> None:
    """The own value is 2. Rounds count: away 0, excused 1/2, unexcused 1, for the team 5/6, excused 1/2, unexcused 1.

    Without a limit that is 2 x (1 + 1/2 + 1 + 5/6 + 1/2 + 1) = 9 2/3 with the own value; the team's 1 2/3 count always.
    """
    kinds = [None, Absence.EXCUSED, Absence.UNEXCUSED, Absence.CLUB, Absence.EXCUSED, Absence.UNEXCUSED]
    history = [
        PlayerRound(number, How.AWAY if absence is None else How.SAT_OUT, absence=absence)
        for number, absence in enumerate(kinds, 1)
    ]
    with_limit = KeizerSettings(top=2, most_paid=most, excused="1/2", unexcused="1", club="5/6")
    (line,) = keizer_table(with_limit, (A,), {A: history})
    assert line.score == Fraction(score)


def won_by_lower_numbers(match: PairedMatch) -> Result:
    return (WIN, LOSS) if match.seats[0] < match.seats[1] else (LOSS, WIN)


def test_nobody_meets_again_within_the_agreed_rounds_and_then_by_rank_again() -> None:
    running = keizer(4, KeizerSettings(rounds_apart=2))
    rounds = [[{*match.seats} for match in running.play_round(won_by_lower_numbers).matches] for _ in range(4)]
    assert rounds == [[{A, B}, {C, D}], [{A, C}, {B, D}], [{A, D}, {B, C}], [{A, B}, {C, D}]]


def test_where_all_have_met_who_met_longest_ago_meet_again_whatever_the_ranking() -> None:
    running, strength = keizer(4, KeizerSettings(rounds_apart=9)), (A, C, B, D)

    def stronger(match: PairedMatch) -> Result:
        return (WIN, LOSS) if strength.index(match.seats[0]) < strength.index(match.seats[1]) else (LOSS, WIN)

    rounds = [[{*match.seats} for match in running.play_round(stronger).matches] for _ in range(3)]
    assert rounds == [[{A, B}, {C, D}], [{A, C}, {B, D}], [{A, D}, {C, B}]]
    assert [line.player for line in keizer_lines(running.event)] == [A, C, B, D]
    assert [{*match.seats} for match in running.pair().matches] == [{A, B}, {C, D}]


def test_the_bye_goes_to_the_lowest_who_has_had_fewest() -> None:
    running = keizer(3, KeizerSettings(rounds_apart=0, bye="0"))
    assert [running.play_round(won_by_lower_numbers).byes for _ in range(4)] == [(C,), (B,), (A,), (C,)]
    running = keizer(3, KeizerSettings(rounds_apart=0, bye="0", spreads_byes=False))
    assert [running.play_round(won_by_lower_numbers).byes for _ in range(2)] == [(C,), (C,)]


def pairings(players: Sequence[int]) -> list[list[Pair]]:
    """Return every way to pair the players, the first with the second before the first with the third."""
    if not players:
        return [[]]
    first, rest = players[0], players[1:]
    return [
        [(first, other), *more] for other in rest for more in pairings([each for each in rest if each is not other])
    ]


@settings(max_examples=effort(60, 2000))
@given(st.sampled_from([2, 4, 6, 8]), st.data())
@pytest.mark.long
def test_the_first_of_all_pairings_without_a_rematch_is_found_if_there_is_one(
    players: int, data: st.DataObject
) -> None:
    ranked = data.draw(st.permutations(range(1, players + 1)))
    pairs = list(combinations(range(1, players + 1), 2))
    barred = set(data.draw(st.lists(st.sampled_from(pairs), max_size=len(pairs))))
    legal = [found for found in pairings(ranked) if not any((min(pair), max(pair)) in barred for pair in found)]
    assert paired_by_rank(ranked, barred) == (legal[0] if legal else None)


@pytest.mark.slow
@settings(max_examples=effort(15, 400))
@given(st.integers(2, 9), st.integers(0, 4), st.data())
@pytest.mark.long
def test_whatever_happens_all_who_are_there_are_paired_and_rules_are_dropped_only_if_they_must(
    players: int, apart: int, data: st.DataObject
) -> None:
    spreads = data.draw(st.booleans())
    running = keizer(players, KeizerSettings(rounds_apart=apart, spreads_byes=spreads))
    for number in range(1, 7):
        for player in data.draw(st.lists(st.integers(1, players), max_size=2, unique=True)):
            kind = data.draw(st.sampled_from([*Absence, "leaves"]))
            gone = running.event.entrants[player].is_gone
            leaves = Returned(player=player) if gone else Withdrew(player=player)
            running.write(leaves if gone or kind == "leaves" else SatOut(player=player, round=number, absence=kind))
        there = [player for player, entrant in running.event.entrants.items() if entrant.plays(number)]
        if len(there) < 2:
            with pytest.raises(CannotPair):
                running.pair()
            return
        before = running.event
        paired = running.play_round(lambda _: data.draw(st.sampled_from([(WIN, LOSS), (DRAW, DRAW), (LOSS, WIN)])))
        assert sorted([*(seat for match in paired.matches for seat in match.seats), *paired.byes]) == sorted(there)
        ranked = [line.player for line in keizer_lines(before) if line.player in there]
        found = [tuple(sorted(match.seats, key=ranked.index)) for match in paired.matches]
        assert found == by_search(before, ranked, apart, spreads=spreads)


def by_search(event: ClubEvent, ranked: list[int], apart: int, *, spreads: bool) -> list[Pair]:
    """Return the pairs that trying everything finds: the most rounds apart, then the lowest bye, the highest pairs."""
    byes = {player: sum(player in round_.byes for round_ in event.rounds) for player in ranked}
    resting = [player for player in ranked[::-1] if not spreads or byes[player] == min(byes.values())]
    for rounds in range(apart, -1, -1):
        late = event.rounds[max(len(event.rounds) - rounds, 0) :]
        barred = [{*match.seated.seats} for round_ in late for match in round_.matches]
        for bye in resting if len(ranked) % 2 else [0]:
            for found in pairings([player for player in ranked if player != bye]):
                if not any({*pair} in barred for pair in found):
                    return found
    raise AssertionError(ranked)


def test_a_round_by_hand_says_what_it_breaks_of_keizers_rules() -> None:
    running = keizer(5)
    play(running, {(B, A): (LOSS, WIN), (D, C): (LOSS, WIN)})
    paired = next_round(running.event, "x")
    assert broken_rules(running.event, paired.matches, paired.byes) == ()
    again = round_by_hand(running.event, [(A, B), (C, D)], "x")
    assert broken_rules(running.event, again, (E,)) == (
        "Anne and Bart have met already in the last 3 rounds",
        "Cleo and Dirk have met already in the last 3 rounds",
        "Eve has had more byes than others",
    )


def test_old_entries_read_as_ever_and_new_ones_hold_the_settings() -> None:
    old = '{"entry":"made","title":"T","game":"captains-chess","system":"swiss","rounds":5}'
    made = EVENT_ENTRIES.from_text(old)
    assert isinstance(made, Made)
    assert (made.keizer, made.group_shares) == (None, False)
    assert EVENT_ENTRIES.from_text('{"entry":"sat-out","player":1,"round":2}') == SatOut(player=1, round=2)
    new = keizer(2, KeizerSettings(excused="35/100", most_paid=None)).event.made
    assert EVENT_ENTRIES.from_text(EVENT_ENTRIES.to_text(new)) == new


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        (KeizerSettings(top=0), "the value 0 of the first: expected 1 to 9999"),
        (KeizerSettings(ratio="1"), "expected more than 1"),
        (KeizerSettings(ratio="1/0"), "expected more than 1"),
        (KeizerSettings(bye="3/2"), r"3/2 of a value \(bye\): expected a fraction from 0 to 1"),
        (KeizerSettings(loss="a bit"), r"a bit of a value \(loss\)"),
        (KeizerSettings(rounds_apart=100), "expected 0 to 99"),
        (KeizerSettings(most_paid=-1), "expected 0 to 99"),
    ],
)
def test_settings_that_cannot_be_are_refused(chosen: KeizerSettings, words: str) -> None:
    with pytest.raises(CannotBe, match=words):
        keizer(4, chosen)


def test_what_only_keizer_has_or_lacks_is_refused_elsewhere() -> None:
    running = keizer(3)
    with pytest.raises(CannotBe, match="the kind of absence says what it counts"):
        running.write(SatOut(player=A, round=1, half=True))
    swiss = begun(System.SWISS, 3, 3)
    with pytest.raises(CannotBe, match="only in Keizer absences are of different kinds"):
        swiss.write(SatOut(player=A, round=1, absence=Absence.CLUB))
    with pytest.raises(CannotBe, match="Keizer has no tie-breaks"):
        new_event(Made(title="T", game="chess", system=System.KEIZER, rounds=3, tie_breaks=(TieBreak.WINS,)))


def test_an_absence_taken_back_and_asked_for_again_is_of_the_last_kind() -> None:
    running = keizer(3)
    running.write(SatOut(player=C, round=1, absence=Absence.CLUB), SatIn(player=C, round=1), SatOut(player=C, round=1))
    running.play_round(lambda _: (DRAW, DRAW))
    assert keizer_lines(running.event)[2].gain == Fraction(1)  # excused: a third of 3


def test_a_report_has_the_matches_and_the_places_and_is_not_read_back() -> None:
    running = keizer(3)
    play(running, {(B, A): (WIN, LOSS)})
    report = trf_of(running.event)
    assert "092 Individual: Keizer\n" in report
    assert "192 CUSTOM_SWISS\n" in report
    assert "202" not in report
    bart = next(line for line in report.splitlines() if "Bart" in line)
    assert (bart[80:84].strip(), bart[85:89].strip(), bart[91:].strip()) == ("1.0", "1", "1 w 1")
    cleo = next(line for line in report.splitlines() if "Cleo" in line)
    assert (cleo[80:84].strip(), cleo[91:].strip()) == ("0.0", "0000 - Z")
    with pytest.raises(BadReport, match="a report of a Keizer event"):
        entries_of_trf(report, running.event.made, "r")
