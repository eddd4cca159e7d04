"""What an option says for itself is what buttons, log and page go by: asked twice, a menu that is left, a secret."""

import pytest

from captains_table.games.captains_chess import CaptainsChess
from captains_table.games.contract import (
    ABANDON,
    AGREE,
    OFFER_DRAW,
    REFUSE,
    RESIGN,
    Decide,
    Option,
    Pick,
    PickAsk,
)
from captains_table.games.legend.asks import GENIE
from captains_table.games.registry import GAMES
from captains_table.table.history.export import public_entries
from captains_table.table.model.entries import Acted, Advised, Entry, MatchEnded, MatchStarted, ResumeInfo, TakenBack
from captains_table.table.model.events import AdviceAsked, Answered, Button, ButtonPressed, Record
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Hint, View
from captains_table.table.prompts.menu import MenuState, choose, menu_of
from captains_table.table.referee import Referee
from captains_table.web.scene import Scene
from tests.support.two_cards import ACE, WHICH, TwoCards

GRAVE = PickAsk("?", (Option("stay", "Stay"), Option("leave", "Leave", confirm=True), Option("wait", "Wait")), "leave")


@pytest.fixture
def referee(monkeypatch: pytest.MonkeyPatch) -> Referee:
    """A referee with a match of the tiny game, who would advise on an ace."""
    monkeypatch.setitem(GAMES, TwoCards.key, TwoCards())
    referee = Referee(Settings(), lambda _game, _state: Hint("Lay the ace", id=ACE.id))
    referee.begin(Match(MatchStarted(TwoCards.key, ("Anne", "Bart"), {})), ResumeInfo(), 0)
    return referee


def actions(referee: Referee) -> list[object]:
    assert referee.match is not None
    return [step.acted.action for step in referee.match.history]


def offers(match: Match) -> tuple[Option, ...]:
    turn = match.turn
    assert isinstance(turn, Decide)
    assert isinstance(turn.ask, PickAsk)
    return turn.ask.options


# --- asked twice ---


def test_a_cursor_that_moves_on_either_way_forgets_that_it_was_chosen_once() -> None:
    asked = choose(GRAVE, menu_of(GRAVE, []))
    assert isinstance(asked, MenuState)
    assert not asked.next().confirming
    assert not asked.previous().confirming
    assert choose(GRAVE, asked.previous()) == Pick("stay")


def test_on_the_page_the_same_answers_are_asked_twice() -> None:
    buttons = Scene(View(ask=GRAVE, menu=menu_of(GRAVE, []).shown())).ask()["buttons"]
    assert [(button["id"], button["risky"]) for button in buttons] == [
        ("stay", False),
        ("leave", True),
        ("wait", False),
    ]


def test_what_gives_up_or_comes_once_a_round_is_asked_twice() -> None:
    assert all(option.confirm for option in (RESIGN, ABANDON, GENIE))


# --- what Back leaves ---


def test_back_leaves_a_menu_and_nothing_was_done(referee: Referee) -> None:
    referee.handle(Answered(Pick(WHICH.id)), 10)
    effects = referee.handle(ButtonPressed(Button.BACK), 20)
    assert any(isinstance(effect, Record) and isinstance(effect.entry, TakenBack) for effect in effects)
    assert actions(referee) == []


def test_back_does_not_undo_a_binding_secret_choice_of_which_nothing_on_display_tells(referee: Referee) -> None:
    before = referee.view()
    referee.handle(Answered(Pick(ACE.id)), 10)
    after = referee.view()
    assert (before.heading, before.seats, before.ask) == (after.heading, after.seats, after.ask)  # it looks alike
    assert (after.log, after.latest_events, after.hint) == ((), (), None)
    assert referee.handle(ButtonPressed(Button.BACK), 20) == []
    referee.handle(Answered(Pick(WHICH.id)), 20)
    referee.handle(ButtonPressed(Button.BACK), 30)  # it leaves the menu after the choice, and not the choice
    referee.handle(ButtonPressed(Button.BACK), 40)
    assert actions(referee) == [Pick(ACE.id)]


# --- secrets ---


def test_the_log_says_that_advice_on_a_secret_was_asked_for_and_not_which(referee: Referee) -> None:
    referee.handle(AdviceAsked(), 10)
    assert [line.words for line in referee.view().log] == ["Anne asks for advice"]


def test_a_resumed_match_tells_no_secret_either(referee: Referee) -> None:
    assert referee.match is not None
    acted = referee.match.act(Pick(ACE.id), 10)
    resumed = Referee(Settings())
    resumed.begin(Match.resumed([referee.match.started, acted]), ResumeInfo(resumed=True), 0)
    assert resumed.view().log == ()
    assert resumed.handle(ButtonPressed(Button.BACK), 20) == []
    assert actions(resumed) == [Pick(ACE.id)]


def test_an_export_ends_before_the_first_secret_and_the_advice_on_it_until_the_match_is_over(referee: Referee) -> None:
    match = referee.match
    assert match is not None
    entries: list[Entry] = [match.started, match.act(Pick(WHICH.id), 10), Advised(0, 1, "Lay the ace")]
    assert public_entries(entries) == entries[:2]
    entries.append(match.act(Pick(ACE.id), 20))
    assert public_entries(entries) == entries[:2]
    entries += [match.act(Pick(ACE.id), at_ms) for at_ms in (30, 40, 50)]
    entries.append(MatchEnded(None, (2, 2)))
    assert public_entries(entries) == entries
    odd: list[Entry] = [MatchStarted("a-game-not-installed", ("Anne", "Bart"), {}), Acted(1, 0, 0, Pick("x"))]
    assert public_entries(odd) == odd, "a journal that does not replay is exported as it is"


# --- what declares itself in the games ---


def test_a_draw_offered_and_refused_keeps_the_opponents_move_open_and_one_agreed_upon_seals_it() -> None:
    match = Match(MatchStarted(CaptainsChess.key, ("Anne", "Bart"), {}))
    move = next(option.id for option in offers(match) if option.on_board)
    match.act(Pick(move), 0)
    for answer in (OFFER_DRAW, REFUSE):
        match.act(Pick(answer.id), 0)
        assert match.provisional is match.history[0]
    agreed = Match(match.started)
    for id_ in (move, OFFER_DRAW.id, AGREE.id):
        agreed.act(Pick(id_), 0)
    assert agreed.provisional is None
