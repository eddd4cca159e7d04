"""Pressing buttons: what a press commands is done to the menu, the dice and the match."""

from typing import Final

from captains_table.games.contract import ROLL, Ask, Auction, Decide, IllegalAction, Keep, KeepAsk, Pick, Roll
from captains_table.table.model.events import Button, Throw
from captains_table.table.model.match import Match
from captains_table.table.playing.answers import Answers
from captains_table.table.playing.match_play import MatchPlay
from captains_table.table.prompts.asks import dice_to_fall
from captains_table.table.prompts.buttons import Buttons, Command, CommandKind
from captains_table.table.prompts.menu import BACK, MenuState, choose
from captains_table.table.prompts.presenter import PromptPresenter
from captains_table.table.recognition.monitor_state import MonitorState

ENDING: Final = frozenset({Button.ROLL, Button.CHOOSE})
"""The buttons a press of which takes the end of a match for granted."""


class Pressing:
    """The buttons of a table and the menu they walk through.

    Args:
        play: the match in hand.
        answers: takes in what is chosen.
        presenter: the ask of the moment and its menu.
    """

    def __init__(self, play: MatchPlay, answers: Answers, presenter: PromptPresenter) -> None:
        self._play = play
        self._answers = answers
        self._presenter = presenter
        self._buttons = Buttons(play.settings)

    def forget(self) -> None:
        """Know of no button that is down, as when another match is taken up."""
        self._buttons.forget()

    def press(self, button: Button) -> None:
        """Take in that a button is pressed down: a move that waits for a possible longer one is finished."""
        play = self._play
        play.finish_move()
        if button is Button.ROLL and play.monitor.state is not MonitorState.ASKING:
            if self._asks_first() or self._answers.press_clock():
                return
            if play.monitor.is_unfinished():
                play.force()
        if button in ENDING and not self._is_for_the_menu(button) and play.ending.confirm():
            return
        self._presenter.serve(play.match)
        self._execute(self._buttons.pressed(button, play.now_ms, may_throw=bool(self._throwable_now())))

    def _is_for_the_menu(self, button: Button) -> bool:
        """Return whether a press chooses, or walks, in a menu that is shown."""
        return self._ask() is not None and (button is Button.CHOOSE or self._play.settings.buttons == "one")

    def _asks_first(self) -> bool:
        """Return whether a press of the roll button waits until it is clear what was done on the board."""
        play = self._play
        if self._answers.asks_press():
            return play.asks_first(self._press_clock)
        pressed_ms = play.now_ms
        return bool(self._dice_to_fall()) and play.asks_first(lambda: self._throw_held(play.now_ms - pressed_ms))

    def _press_clock(self) -> None:
        self._answers.press_clock()

    def release(self, button: Button) -> None:
        """Take in that a button is let go."""
        self._execute(self._buttons.released(button, self._play.now_ms))

    def toggle(self, die: int) -> None:
        """Hold a die that may stay, or let it go; raises IllegalAction."""
        ask = self._ask()
        if not isinstance(ask, KeepAsk) or die not in ask.dice:
            raise IllegalAction(f"die {die} is not to be chosen now")
        self._presenter.menu = self._presenter.menu.with_toggled(str(die))

    def _ask(self) -> Ask | Auction | None:
        return self._presenter.ask(self._play.match)

    def _execute(self, command: Command | None) -> None:
        play, presenter = self._play, self._presenter
        match command:
            case Command(CommandKind.TUMBLE):
                play.tumbling = self._throwable_now()
            case Command(CommandKind.THROW, held_ms):
                play.tumbling = ()
                self._throw_held(held_ms)
            case Command(CommandKind.NEXT):
                presenter.menu = presenter.menu.next()
            case Command(CommandKind.PREVIOUS):
                presenter.menu = presenter.menu.previous()
            case Command(CommandKind.CHOOSE):
                self._choose()
            case Command(CommandKind.BACK):
                self._go_back()
            case Command(CommandKind.ADVISE):
                play.advise()

    def _throwable_now(self) -> tuple[int, ...]:
        """Return the dice the roll button throws now: empty while the board is to be put right or explained."""
        play = self._play
        if play.match is None or play.monitor.state is not MonitorState.WATCHING or play.monitor.is_unfinished():
            return ()
        return self._dice_to_fall()

    def _dice_to_fall(self) -> tuple[int, ...]:
        play = self._play
        if play.match is None:
            return ()
        return dice_to_fall(play.match, self._presenter.menu, one_button=play.settings.buttons == "one")

    def _throw_held(self, held_ms: int) -> None:
        play, match = self._play, self._play.match
        if match is None or not self._dice_to_fall():
            return
        if not play.asks_first(lambda: self._throw_held(held_ms)) and self._throwable_now():
            self._throw(match, held_ms)

    def _throw(self, match: Match, held_ms: int) -> None:
        play, turn = self._play, match.turn
        if isinstance(turn, Roll | Decide):
            play.add_salt(match, turn.seat, held_ms)
        if isinstance(turn, Roll):
            play.add([Throw(len(turn.dice))])
        elif isinstance(turn, Decide):
            play.act(Keep(self._presenter.menu.held_dice()) if isinstance(turn.ask, KeepAsk) else Pick(ROLL.id))

    def _choose(self) -> None:
        """Choose what is under the cursor."""
        play, presenter, ask = self._play, self._presenter, self._ask()
        is_being_put_right = play.monitor.state in (MonitorState.RECOVERING, MonitorState.ALIGNING)
        if ask is None or (is_being_put_right and not play.monitor.suspects()):
            return
        if presenter.menu.chosen is not None and presenter.menu.chosen.id == BACK:
            self._go_back()
            return
        chosen = choose(ask, presenter.menu)
        if isinstance(chosen, MenuState):
            presenter.open(chosen)
        else:
            presenter.leave_bidder(play.match)
            self._answers.choose(chosen)

    def _go_back(self) -> None:
        """Leave a bidder's amounts, or what the table or the game asked last."""
        if not self._presenter.leave_bidder(self._play.match):
            self._play.go_back()
