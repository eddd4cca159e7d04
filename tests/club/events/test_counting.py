from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from captains_table.club.events.counting import (
    MatchPoints,
    doubts,
    half_points_of,
    half_points_of_places,
    match_points,
)
from captains_table.club.events.entries import (
    DRAW,
    LOSS,
    WIN,
    Entered,
    Made,
    PairedMatch,
    Ruled,
    RulingDropped,
    SatOut,
    System,
)
from captains_table.club.events.event import CannotBe, EventMatch
from captains_table.club.events.standings import crosstable, points_text, shown_values, standings
from captains_table.reporting.messages import FinalScore
from tests.support.club_event import Running, begun

WON, LOST = FinalScore(winner=0, scores=(11, 4)), FinalScore(winner=1, scores=(4, 11))
SHARED, ENDED_BY_A_MASTER = FinalScore(winner=None, scores=(5, 5)), FinalScore(winner=None, scores=(3, 1))
LEFT = "it was left: say what it counts"
NO_WINNER = "it ended without a winner among those who were paired: say what it counts"
Told = tuple[FinalScore | None, int, str]
"""How a match ended, in which revision, under which seal."""


@pytest.fixture
def running() -> Running:
    event = begun(System.SWISS, 2, 1)
    event.pair()
    return event


def only(running: Running) -> EventMatch:
    return running.event.rounds[-1].matches[0]


def seated(running: Running) -> PairedMatch:
    return only(running).seated


def points(running: Running) -> MatchPoints | None:
    """Return what the only match counts; `None`: nothing yet."""
    return match_points(running.event, only(running))


def doubted(running: Running) -> Sequence[str]:
    return doubts(running.event, only(running))


@pytest.mark.parametrize(
    ("told", "points_", "doubt"),
    [
        ([(WON, 1, "a")], MatchPoints((WIN, LOSS), played=True, scores=(11, 4)), ()),
        ([(SHARED, 1, "a")], MatchPoints((DRAW, DRAW), played=True, scores=(5, 5)), ()),
        ([(LOST, 2, "a"), (WON, 3, "a"), (LOST, 1, "a")], MatchPoints((WIN, LOSS), played=True, scores=(11, 4)), ()),
        ([(None, 1, "a")], None, (LEFT,)),
        ([(None, 1, "a"), (LOST, 1, "b")], MatchPoints((LOSS, WIN), played=True, scores=(4, 11)), ()),
        (
            [(WON, 1, "a"), (LOST, 1, "b")],
            MatchPoints((WIN, LOSS), played=True, scores=(11, 4)),
            ("it was played more than once: the first counts",),
        ),
        ([(ENDED_BY_A_MASTER, 1, "a")], None, (NO_WINNER,)),
    ],
    ids=["won", "shared", "highest revision", "left", "left and played again", "played twice", "no winner"],
)
def test_what_tables_tell_counts_and_what_the_arbiter_has_to_look_at_is_said(
    told: Sequence[Told], points_: MatchPoints | None, doubt: tuple[str, ...], running: Running
) -> None:
    for ending, rev, match in told:
        running.tell(seated(running), ending, rev, match)
    assert points(running) == points_
    assert doubted(running) == doubt
    before = running.event
    running.tell(seated(running), *told[0])
    assert running.event == before, "what is told twice is kept once"


def test_the_arbiter_s_word_holds_over_what_a_table_tells_until_it_is_taken_back(running: Running) -> None:
    running.tell(seated(running), None)
    running.rule(seated(running), LOSS, LOSS)
    assert points(running) == MatchPoints((LOSS, LOSS), played=True)
    assert doubted(running) == ()
    running.tell(seated(running), WON, rev=2)
    assert points(running) == MatchPoints((LOSS, LOSS), played=True), "its scores are of another result"
    running.rule(seated(running), WIN, LOSS)
    assert points(running) == MatchPoints((WIN, LOSS), played=True, scores=(11, 4))
    running.write(RulingDropped(pairing=seated(running).id))
    assert points(running) == MatchPoints((WIN, LOSS), played=True, scores=(11, 4))


def test_players_who_took_the_other_seats_get_their_own_points(running: Running) -> None:
    names = [running.event.name(seat) for seat in seated(running).seats]
    running.tell(seated(running), WON, seats=names[::-1])
    assert points(running) == MatchPoints((LOSS, WIN), played=True, scores=(4, 11))
    assert doubted(running) == ()


def test_other_names_than_those_paired_are_shown_to_the_arbiter_and_initials_are_not(running: Running) -> None:
    running.tell(seated(running), WON, seats=("P.1.", "P.2."))
    assert doubted(running) == ()
    running.tell(seated(running), WON, rev=2, seats=("Player 1", "Mallory"))
    names = ", ".join(running.event.name(seat) for seat in seated(running).seats)
    assert doubted(running) == (f"there sat Player 1, Mallory: expected {names}",)


def test_a_computer_sits_as_its_table_calls_it() -> None:
    made = Made(title="T", game="captains-chess", system=System.SWISS, rounds=1)
    running = Running([made, Entered(player=1, name="boreas:3"), Entered(player=2, name="Anne Bonny")])
    running.pair()
    for seats in (("Boreas", "Anne Bonny"), ("Boreas", "A.B.")):
        running.tell(seated(running), WON, match=str(seats), seats=seats)
        assert not any("there sat" in words for words in doubted(running))


@pytest.mark.parametrize(
    ("halves", "played"),
    [((WIN,), True), ((WIN, WIN), True), ((WIN, DRAW), True), ((3, 0), True), ((-1, 1), True), ((1, 1), False)],
)
def test_no_match_of_two_counts_so(running: Running, halves: tuple[int, ...], played: bool) -> None:  # noqa: FBT001
    before = running.event
    with pytest.raises(CannotBe):
        running.write(Ruled(pairing=seated(running).id, halves=halves, played=played))
    assert running.event == before


@pytest.mark.parametrize(
    ("winner", "scores", "halves"),
    [
        (0, (40, 30, 20, 10), (8, 6, 4, 2)),
        (None, (40, 40, 20, 10), (7, 7, 4, 2)),
        (1, (40, 40, 20, 10), (6, 8, 4, 2)),
        (None, (5, 5, 5, 5), (5, 5, 5, 5)),
        (2, (7, 5, 9), (6, 4, 8)),
        (0, (9, 5, 5), (8, 5, 5)),
    ],
)
def test_groups_count_by_place_and_equal_places_share(
    winner: int | None, scores: tuple[int, ...], halves: tuple[int, ...]
) -> None:
    event = begun(System.GROUPS, 8, 3, 4).event
    assert half_points_of(event, FinalScore(winner=winner, scores=scores)) == halves


def in_shares(players: int, group_size: int, rounds: int = 3) -> Running:
    """Return an event in groups whose points are shares of the group."""
    begun_ = begun(System.GROUPS, players, rounds, group_size)
    return Running([replace(begun_.event.made, group_shares=True), *begun_.entries[1:]])


@pytest.mark.parametrize(
    ("winner", "scores", "shown"),
    [
        (0, (40, 30, 20, 10), ["100", "66.67", "33.33", "0"]),  # three, two, one and none of three are beaten
        (None, (40, 40, 20, 10), ["83.33", "83.33", "33.33", "0"]),  # two and a half of three
        (1, (40, 40, 20, 10), ["66.67", "100", "33.33", "0"]),
        (None, (5, 5, 5, 5), ["50", "50", "50", "50"]),
        (2, (7, 5, 9), ["50", "0", "100"]),
        (0, (9, 5, 5), ["100", "25", "25"]),  # half of one, of two
        (1, (1, 2), ["0", "100"]),
    ],
)
def test_a_player_of_a_group_gets_the_share_of_it_that_the_player_beats(
    winner: int | None, scores: tuple[int, ...], shown: list[str]
) -> None:
    event = in_shares(8, 4).event
    points_ = half_points_of(event, FinalScore(winner=winner, scores=scores))
    assert [points_text(each, event.point_units) for each in points_] == shown


def test_thirds_of_a_group_add_up_and_the_arbiter_s_places_beat_who_is_absent() -> None:
    running = in_shares(4, 4)
    for places in ((1, 3, 2, 4), (4, 3, 2, 1), (4, 3, 2, 1)):
        paired = running.pair().matches[0]
        by_player = [places[player - 1] for player in paired.seats]
        running.rule(paired, *half_points_of_places(running.event, by_player))
    assert [(line.player, line.points) for line in standings(running.event)] == [
        (4, "200"),  # first twice
        (3, "200"),  # two thirds of 100, three times; never first
        (1, "100"),
        (2, "100"),
    ]
    absent = half_points_of_places(running.event, (1, None, 2, None))
    assert [points_text(each, running.event.point_units) for each in absent] == ["100", "0", "66.67", "0"]


def test_the_best_of_a_small_group_gets_as_much_as_the_best_of_a_large_one() -> None:
    running = in_shares(7, 4)
    sizes = set()
    for seated_ in running.pair().matches:
        scores = tuple(range(len(seated_.seats), 0, -1))
        running.tell(seated_, FinalScore(winner=0, scores=scores))
        sizes.add(len(scores))
    assert sizes == {3, 4}
    lines = standings(running.event)
    assert [line.points for line in lines] == ["100", "100", "66.67", "50", "33.33", "0", "0"]
    assert shown_values(running.event, lines[0])[2] in {"100", "150"}  # Buchholz: 66.67 + 33.33 + 0, or 50 + 0


def test_half_a_point_for_sitting_out_is_half_of_a_group() -> None:
    running = in_shares(4, 4)
    running.write(SatOut(player=4, round=1, half=True))
    running.tell(running.pair().matches[0], FinalScore(winner=0, scores=(3, 2, 1)))
    (line,) = (line for line in standings(running.event) if line.player == 4)
    assert (line.points, shown_values(running.event, line)[2]) == ("50", "50")
    assert next(row.cells for row in crosstable(running.event).rows if row.line.player == 4) == ("50",)


@pytest.mark.parametrize("scores", [(1,), (2, 1), (4, 3, 2, 1, 0)])
def test_a_group_of_other_size_than_was_paired_is_the_arbiter_s_to_judge(scores: tuple[int, ...]) -> None:
    running = begun(System.GROUPS, 4, 1, 4)
    running.pair()
    names = [f"Player {n}" for n in range(len(scores))]
    running.tell(seated(running), FinalScore(winner=0, scores=scores), seats=names)
    assert points(running) is None
    assert doubted(running)[0] == NO_WINNER
    assert all(line.halves == 0 for line in standings(running.event))
