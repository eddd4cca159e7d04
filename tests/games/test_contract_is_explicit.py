"""What a game's author forgets, misspells or miscounts is an error that says so."""

from collections.abc import Mapping, Sequence
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
from tests.support.audit import check_points
from tests.support.random_matches import match_steps
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


def test_a_misspelt_method_is_refused_with_the_name_that_was_meant() -> None:
    with pytest.raises(BadGame, match=r"Made\.slot: .*did you mean 'slots'\?"):
        made(slot=lambda self, state: ())  # noqa: ARG005


def test_a_public_name_the_contract_does_not_know_is_refused_with_those_it_knows() -> None:
    with pytest.raises(BadGame, match=r"Made\.xyzzy: .*apply, .*underscore"):
        made(xyzzy=1)


def test_a_games_own_helper_begins_with_an_underscore() -> None:
    assert made(_slot=1, __doc__="A game.")().key == "two-cards"


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("key", "Two Cards", "small letters"),
        ("key", "", "small letters"),
        ("key", None, "small letters"),
        ("title", " ", "what players call the game"),
        ("title", None, "what players call the game"),
        ("seats", 2, "how many may play"),
        ("seats", range(0), "how many may play"),
        ("seats", range(0, 3), "how many may play"),  # noqa: PIE808 - a match of nobody is what is tried
        ("seats", range(2, 9, 2), "how many may play"),
        ("shape", (8, 8), "a Shape"),
        ("options", (GameOption("a", "A"), GameOption("a", "B")), "different names"),
        ("options", ("a",), "different names"),
    ],
)
def test_what_a_game_declares_is_checked_when_its_class_is_made(name: str, value: object, words: str) -> None:
    with pytest.raises(BadGame, match=rf"Made\.{name} .*{words}"):
        made(**{name: value})


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


def test_a_reserved_answer_in_a_games_own_words_is_the_same_answer() -> None:
    assert ROLL.called("Throw all six dice") == Option("roll", "Throw all six dice")
    assert ABANDON.called("Stop").confirm
    assert ABANDON.called("Stop").keeps_move_open


def test_giving_up_is_asked_twice() -> None:
    assert RESIGN.confirm
    assert ABANDON.confirm
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
    for seed in range(20):
        for step in match_steps(TwoCards(), seed):
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
