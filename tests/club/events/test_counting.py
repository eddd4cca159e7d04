import pytest

from captains_table.club.events.counting import MatchPoints, doubts, half_points_of, match_points
from captains_table.club.events.entries import DRAW, LOSS, WIN, Entered, Made, PairedMatch, Ruled, RulingDropped, System
from captains_table.club.events.event import CannotBe, EventMatch
from captains_table.club.events.standings import standings
from captains_table.reporting.messages import FinalScore
from tests.support.club_event import Running, begun

WON = FinalScore(winner=0, scores=(11, 4))
LOST = FinalScore(winner=1, scores=(4, 11))


@pytest.fixture
def running() -> Running:
    event = begun(System.SWISS, 2, 1)
    event.pair()
    return event


def only(running: Running) -> EventMatch:
    return running.event.rounds[-1].matches[0]


def seated(running: Running) -> PairedMatch:
    return only(running).seated


def halves(running: Running) -> tuple[int, ...] | None:
    """Return the half points that the only match counts; `None`: none yet."""
    counted = match_points(running.event, only(running))
    return None if counted is None else tuple(counted.halves)


def test_what_a_table_tells_counts(running: Running) -> None:
    running.tell(seated(running), WON)
    assert match_points(running.event, only(running)) == MatchPoints((WIN, LOSS), played=True, scores=(11, 4))
    assert doubts(running.event, only(running)) == ()


def test_a_result_told_twice_is_kept_once_and_the_highest_revision_holds(running: Running) -> None:
    running.tell(seated(running), LOST, rev=2)
    before = running.event
    running.tell(seated(running), WON, rev=1)
    running.tell(seated(running), LOST, rev=2)
    assert running.event == before
    running.tell(seated(running), WON, rev=3)
    assert match_points(running.event, only(running)) == MatchPoints((WIN, LOSS), played=True, scores=(11, 4))


def test_a_match_that_was_left_is_open_until_the_arbiter_says_what_it_counts(running: Running) -> None:
    running.tell(seated(running), None)
    assert halves(running) is None
    assert doubts(running.event, only(running)) == ("it was left: say what it counts",)
    running.rule(seated(running), LOSS, LOSS)
    assert match_points(running.event, only(running)) == MatchPoints((LOSS, LOSS), played=True)
    assert doubts(running.event, only(running)) == ()


def test_a_match_that_was_left_and_played_again_counts_as_it_was_played(running: Running) -> None:
    running.tell(seated(running), None, match="first")
    running.tell(seated(running), LOST, match="second")
    assert halves(running) == (LOSS, WIN)


def test_of_a_match_played_twice_the_first_counts_and_the_arbiter_is_told(running: Running) -> None:
    running.tell(seated(running), WON, match="first")
    running.tell(seated(running), LOST, match="second")
    assert halves(running) == (WIN, LOSS)
    assert doubts(running.event, only(running)) == ("it was played more than once: the first counts",)


def test_the_arbiter_s_word_holds_over_what_a_table_tells_later_until_it_is_taken_back(running: Running) -> None:
    running.rule(seated(running), DRAW, DRAW)
    running.tell(seated(running), WON)
    assert halves(running) == (DRAW, DRAW)
    running.write(RulingDropped(pairing=seated(running).id))
    assert match_points(running.event, only(running)) == MatchPoints((WIN, LOSS), played=True, scores=(11, 4))


def test_players_who_took_the_other_seats_get_their_own_points(running: Running) -> None:
    names = [running.event.name(seat) for seat in seated(running).seats]
    running.tell(seated(running), WON, seats=names[::-1])
    assert match_points(running.event, only(running)) == MatchPoints((LOSS, WIN), played=True, scores=(4, 11))
    assert doubts(running.event, only(running)) == ()


def test_other_names_than_those_paired_are_shown_to_the_arbiter_and_initials_are_not(running: Running) -> None:
    running.tell(seated(running), WON, seats=("P.1.", "P.2."))
    assert doubts(running.event, only(running)) == ()
    running.tell(seated(running), WON, rev=2, seats=("Player 1", "Mallory"))
    names = ", ".join(running.event.name(seat) for seat in seated(running).seats)
    assert doubts(running.event, only(running)) == (f"there sat Player 1, Mallory: expected {names}",)


def test_a_computer_sits_as_its_table_calls_it() -> None:
    made = Made(title="T", game="captains-chess", system=System.SWISS, rounds=1)
    running = Running([made, Entered(player=1, name="boreas:3"), Entered(player=2, name="Anne Bonny")])
    running.pair()
    for seats in (("Boreas", "Anne Bonny"), ("Boreas", "A.B.")):
        running.tell(seated(running), WON, match=str(seats), seats=seats)
        assert not any("there sat" in words for words in doubts(running.event, only(running)))


def test_a_match_that_a_game_master_ended_without_a_winner_is_the_arbiter_s_to_judge(running: Running) -> None:
    running.tell(seated(running), FinalScore(winner=None, scores=(3, 1)))
    assert halves(running) is None
    assert doubts(running.event, only(running)) == (
        "it ended without a winner among those who were paired: say what it counts",
    )


def test_a_shared_match_counts_half_a_point_each(running: Running) -> None:
    running.tell(seated(running), FinalScore(winner=None, scores=(5, 5)))
    assert halves(running) == (DRAW, DRAW)


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


@pytest.mark.parametrize("scores", [(1,), (2, 1), (4, 3, 2, 1, 0)])
def test_a_group_of_other_size_than_was_paired_is_the_arbiter_s_to_judge(scores: tuple[int, ...]) -> None:
    running = begun(System.GROUPS, 4, 1, 4)
    running.pair()
    running.tell(
        seated(running), FinalScore(winner=0, scores=scores), seats=[f"Player {n}" for n in range(len(scores))]
    )
    assert halves(running) is None
    assert doubts(running.event, only(running))[0].startswith("it ended without a winner among those who were paired")
    assert all(line.halves == 0 for line in standings(running.event))
