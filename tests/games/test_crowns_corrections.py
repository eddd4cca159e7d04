"""What a game master corrects (docs/rules/crowns.md, "At the table": Corrections)."""

import pytest

from captains_table.games.contract import (
    LONGEST_REASON,
    MASTER,
    Correct,
    EndMatch,
    EventKind,
    IllegalAction,
    Over,
    check_correction,
    points_of,
)
from captains_table.games.crowns.state import Escaping, Pledging, State
from captains_table.games.registry import GAMES
from tests.support.crowns_play import GAME, crowns, gold, let_act, may_bid, play, result, set_up, start, where


def correct(state: State, words: str, why: str = "") -> State:
    """Return the state after a correction, given as a tape has it; raises IllegalAction."""
    what, of, to = words.split()
    return GAME.apply(state, Correct(what, of, to, why))


def told(state: State, words: str, why: str = "") -> list[str]:
    """Return what a correction tells."""
    return [event.words for event in GAME.game_events(state, correct(state, words, why))]


def refusal(state: State, words: str) -> str:
    """Return why a correction is refused; the state is a value, and nothing of it has changed."""
    with pytest.raises(IllegalAction) as refused:
        correct(state, words)
    assert "expected" in str(refused.value)
    return str(refused.value)


# --- gold -----------------------------------------------------------------------------------------------------------


def test_a_penalty_is_an_event_that_says_what_changed_and_why() -> None:
    before = start()
    after = correct(before, "gold Anne -2", "talked to the bank")
    [event] = GAME.game_events(before, after)
    assert event.words == "The game master sets the gold of Anne from 9 to 7: talked to the bank"
    assert (event.kind, event.seat, event.points, event.rule) == (EventKind.CORRECTION, 0, -2, MASTER)
    assert points_of([event], 2) == (-2, 0)


def test_a_bid_above_the_purse_falls_to_it() -> None:
    state = play(start(), "bid Anne 5; bid Bart 2")
    assert told(state, "gold Anne 3")[1:] == ["The bid of Anne falls to 3"]
    assert GAME.details(correct(state, "gold Anne 3"))["bids"] == {"Anne": 3, "Bart": 2}
    assert GAME.details(correct(state, "gold Anne 0"))["bids"] == {"Bart": 2}
    assert may_bid(correct(state, "gold Anne +4"))["Anne"] == (6, 13)


def test_a_tied_player_keeps_as_much_as_they_bid() -> None:
    state = play(start(), "bid Anne 5; bid Bart 5; bell")
    assert isinstance(state.step, Pledging)
    assert "tied with a bid of 5" in refusal(state, "gold Anne 4")
    assert gold(correct(state, "gold Anne 5"))["Anne"] == 5


# --- where players are ----------------------------------------------------------------------------------------------


def test_a_player_asked_for_a_card_is_not_moved_before_they_answer() -> None:
    state = set_up(start(), at={"Anne": "d4", "Bart": "e5"}, gold={"Anne": 20}, cards={"Bart": 1})
    state = play(let_act(state, "Anne"), "d4e5")
    assert isinstance(state.step, Escaping)
    assert "asked for a card" in refusal(state, "place Bart a4")
    assert where(play(correct(state, "place Anne a4"), "prison")) == {"Anne": "a4", "Bart": "prison"}


# --- crowns ---------------------------------------------------------------------------------------------------------


def test_a_crown_goes_to_a_square_or_to_a_player_on_the_board() -> None:
    state = set_up(start(), at={"Anne": "d4"})
    assert crowns(correct(state, "crown white e5")) == ("e5", "d7")
    assert crowns(correct(state, "crown white Anne")) == ("Anne", "d7")
    assert crowns(correct(state, "crown black d4")) == ("d1", "Anne"), "the player who stands there wears it"
    assert told(state, "crown white Anne", "seen by all") == [
        "The game master's correction: White's crown goes to Anne: seen by all"
    ]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        *(("gold Anne much", "is no number"), ("place Nobody d4", "expected one of")),
        *(("place Anne d4", "is there already"), ("place Anne h8", "cannot be 'h8'")),
        *(("place Anne nowhere", "cannot be 'nowhere'"), ("crown white Anne", "is there already")),
        *(("crown black d7", "is there already"), ("crown red d4", "there is no crown of 'red'")),
        *(("crown black h8", "cannot be 'h8'"), ("place Anne d7", "no correction wins")),
    ],
)
def test_what_cannot_be_corrected_so_is_refused_with_its_reason(words: str, why: str) -> None:
    """The tape crowns-corrections.tape tries the other ways."""
    assert why in refusal(set_up(start(4), at={"Anne": "d4", "Dick": "c4"}, crowns=("Anne", "d7")), words)


# --- the master, and the others -------------------------------------------------------------------------------------


def test_a_reason_is_a_line_of_words() -> None:
    for why in ("x" * (LONGEST_REASON + 1), "two\nlines"):
        with pytest.raises(IllegalAction, match="expected a line"):
            correct(start(), "gold Anne 3", why)


def test_a_master_ends_the_match_and_nobody_wins() -> None:
    before = play(start(), "bid Anne 5")
    over = GAME.apply(before, EndMatch())
    ended = result(over)
    assert ended is not None
    assert (ended.winner, ended.scores) == (None, (9, 9))
    with pytest.raises(IllegalAction, match="over"):
        GAME.apply(over, EndMatch())


@pytest.mark.parametrize("key", sorted(set(GAMES) - {"crowns"}))
def test_other_games_have_no_master_and_refuse_corrections(key: str) -> None:
    game = GAMES[key]
    state = game.start(["Anne", "Bart"], {})
    assert not isinstance(game.turn(state), Over)
    for action in (Correct("gold", "Anne", "3"), EndMatch()):
        with pytest.raises(IllegalAction, match="expected a match of a game that has one"):
            check_correction(game.corrections(state), action)
        with pytest.raises(IllegalAction):
            game.apply(state, action)
