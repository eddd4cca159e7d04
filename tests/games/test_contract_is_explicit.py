"""What a game's author forgets, misspells or miscounts is an error that says so."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import pytest

from captains_table.games.contract import (
    ABANDON,
    GIVING_UP,
    RESIGN,
    ROLL,
    BadGame,
    Decide,
    EventKind,
    Game,
    GameEvent,
    GameOption,
    IllegalAction,
    Option,
    Pick,
    Turn,
    check_offered,
    consent,
    offered_option,
    points_of,
)
from tests.support.random_matches import check_points, match_steps
from tests.support.two_cards import State, TwoCards


def made(**declared: Any) -> type[Game[Any]]:  # noqa: ANN401 - whatever an author may write
    """Return a game like the tiny one with other declarations."""
    return type("Made", (TwoCards,), declared)


# --- forgotten and misspelt ---


def test_a_game_that_forgets_a_method_cannot_be_made() -> None:
    class Forgetful(Game[int]):
        key, title, seats = "forgetful", "Forgetful", range(1, 2)

    with pytest.raises(TypeError, match=r"abstract methods?.*score.*turn"):
        Forgetful()  # type: ignore[abstract]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("slot", lambda self, state: (), "did you mean 'slots'\\?"),  # noqa: ARG005
        ("xyzzy", 1, "apply, .*underscore"),
        *(("key", value, "small letters") for value in ("Two Cards", "", None)),
        *(("title", value, "what players call the game") for value in (" ", None)),
        *(("seats", value, "how many may play") for value in (2, range(0), range(-1, 3), range(2, 9, 2))),
        ("shape", (8, 8), "a Shape"),
        *(("options", value, "different names") for value in ((GameOption("a", "A"), GameOption("a", "B")), ("a",))),
    ],
)
def test_what_a_game_declares_is_checked_when_its_class_is_made(name: str, value: object, words: str) -> None:
    with pytest.raises(BadGame, match=rf"Made\.{name}\b.*{words}"):
        made(**{name: value})
    assert made(_slot=1, __doc__="A game.")().key == "two-cards", "a game's own helper begins with an underscore"


def test_a_game_without_a_key_is_refused() -> None:
    with pytest.raises(BadGame, match=r"Keyless\.key is None"):

        class Keyless(Game[int]):
            title, seats = "Keyless", range(1, 2)


def test_what_a_game_may_answer_has_the_answer_of_a_game_without_it() -> None:
    game = TwoCards()
    state = game.start(["Anne", "Bart"], {})
    optional: Sequence[object] = (game.dice(state), game.slots(state), game.refused(state), game.sheet(state))
    assert not any(optional)
    assert (game.shape, game.pieces(state), game.titles(state), game.details(state)) == (None, {}, (), {})
    assert game.time_control(state) is None


# --- options ---


@pytest.mark.parametrize("flag", ["on_board", "opens_menu", "keeps_move_open"])
def test_a_secret_option_is_binding_and_nothing_about_it_may_be_undone(flag: str) -> None:
    flags: Mapping[str, Any] = {flag: True}
    with pytest.raises(ValueError, match="is secret, and so binding"):
        Option("ace", "Lay the ace", secret=True, **flags)


def test_a_reserved_answer_in_a_games_own_words_is_the_same_answer_and_giving_up_is_asked_twice() -> None:
    assert ROLL.called("Throw all six dice") == Option("roll", "Throw all six dice")
    stop = ABANDON.called("Stop")
    assert (stop.confirm, stop.keeps_move_open, RESIGN.confirm, ABANDON.confirm) == (True, True, True, True)
    assert {RESIGN.id, ABANDON.id} < GIVING_UP


def test_an_option_is_looked_up_among_those_that_are_offered() -> None:
    turn: Turn = Decide(0, consent("Agree?"))
    assert offered_option(turn, "refuse") == Option("refuse", "Refuse", keeps_move_open=True)
    assert offered_option(turn, "perhaps") is None
    with pytest.raises(IllegalAction, match="'perhaps' is not offered: expected one of agree, refuse"):
        check_offered(turn, "perhaps")


# --- events and points ---


def test_an_event_is_of_a_kind_that_lights_and_sounds_know() -> None:
    with pytest.raises(TypeError, match=r"'strik'.*EventKind"):
        GameEvent("strik", 0, 1, "Anne strikes the king")  # type: ignore[arg-type]


def test_what_one_seat_gains_from_another_is_one_event() -> None:
    sale = GameEvent(EventKind.SALE, 1, 15, "Bart sells a rook for 15", payer=0)
    assert points_of([sale, GameEvent(EventKind.SCORE, 0, 2, "Anne scores 2")], 2) == (-13, 15)


def test_the_tiny_games_points_add_up() -> None:
    for step in chain.from_iterable(match_steps(TwoCards(), seed) for seed in range(20)):
        check_points(TwoCards(), step.before, step.after)


def test_the_audit_fails_for_a_game_whose_points_are_wrong() -> None:
    class Generous(TwoCards):
        def game_events(self, before: State, after: State) -> Sequence[GameEvent]:
            events = super().game_events(before, after)
            return [GameEvent(event.kind, event.seat, event.points + 1, event.words) for event in events]

    game = Generous()
    before = game.start(["Anne", "Bart"], {})
    for card in ("ace", "ace", "deuce"):
        before = game.apply(before, Pick(card))
    with pytest.raises(AssertionError, match=r"the events give \(4, 1\), the score changed by \(2, 0\)"):
        check_points(game, before, game.apply(before, Pick("deuce")))
