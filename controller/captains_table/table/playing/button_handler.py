"""Handles the table's buttons, which control menu, dice and match, and says what the roll button would do."""

from dataclasses import replace
from typing import Final

from captains_table.games.contract import THROW_AGAIN, Ask, Auction, IllegalAction, KeepAsk, Over, Pick, PickAsk
from captains_table.phrases import say
from captains_table.table.model.events import Button, ThrowDice
from captains_table.table.model.view import Phase, RollOffer
from captains_table.table.playing.answers import Answers
from captains_table.table.playing.match_play import MatchPlay
from captains_table.table.prompts.asks import PromptPresenter
from captains_table.table.prompts.buttons import ButtonCommand, ButtonCommands
from captains_table.table.prompts.menu import BACK, BELL, RUN_ON, MenuState, choose
from captains_table.table.prompts.next_throw import (
    NextThrow,
    kept_after_throw_again,
    next_throw,
    no_throw_reason,
    offer_of,
    single_button_offer,
)
from captains_table.table.recognition.board_monitor import MonitorState

ENDING: Final = frozenset({Button.ROLL, Button.CHOOSE})
"""The buttons whose press confirms the end of a match."""


class ButtonHandler:
    """Carries out the commands of a table's buttons, and changes the menu that the buttons control.

    Args:
        play: the match in progress.
        answers: accepts the chosen answers.
        presenter: the current question and its menu.

    Attributes:
        buttons: turns presses into commands; knows which buttons are pressed and since when.
    """

    def __init__(self, play: MatchPlay, answers: Answers, presenter: PromptPresenter) -> None:
        self._play = play
        self._answers = answers
        self._presenter = presenter
        self.buttons = ButtonCommands(play.settings)
        self._throw_now: tuple[object, NextThrow | None] = (None, None)  # cache: key and result

    def press(self, button: Button) -> None:
        """Handle the press of a button; first accept a move that was held back because it might become longer."""
        play = self._play
        play.finish_move()
        if button is Button.ROLL and play.monitor.state is not MonitorState.ASKING:
            if self._asks_first() or self._answers.press_clock():
                return
            if play.monitor.is_unfinished():
                play.monitor.force(play.now_ms)
        if button in ENDING and not self._is_for_the_menu(button) and play.ending.confirm():
            return
        self._presenter.serve(play.match)
        self._execute(self.buttons.pressed(button, play.now_ms, may_throw=bool(self._throwable_now())))
        if button is Button.ROLL and not self.offer().possible:
            play.in_vain.show(True, play.now_ms)  # noqa: FBT003 - the value shown

    def _is_for_the_menu(self, button: Button) -> bool:
        """Return whether a press of the roll button or of *choose* controls the displayed menu."""
        return self._ask() is not None and (button is Button.CHOOSE or self._play.settings.buttons == "one")

    def _asks_first(self) -> bool:
        """Ask which move was made if a press of the roll button would make an ambiguous last move final.

        Return whether the table asks; the press then waits for the answer.
        """
        play = self._play
        if self._answers.asks_press():
            return play.asks_first(self._answers.press_clock)
        pressed_ms = play.now_ms
        return self._next_throw() is not None and play.asks_first(lambda: self._throw_held(play.now_ms - pressed_ms))

    def release(self, button: Button) -> None:
        """Handle the release of a button."""
        self._execute(self.buttons.released(button, self._play.now_ms))

    def toggle(self, die: int) -> None:
        """Hold a die, or release a held one.

        If the game offers to throw again, the choice of the dice to keep is opened first.

        Raises:
            IllegalAction: the die may not be chosen now.
        """
        play, ask = self._play, self._ask()
        if play.match is not None and isinstance(ask, PickAsk):
            opened, advised = kept_after_throw_again(play.match), self._advised()
            if opened is not None and die in opened.dice:
                self._answers.answer(Pick(THROW_AGAIN.id))
                self._presenter.serve(play.match)
                if advised is not None:
                    self._presenter.menu = self._presenter.menu.with_held(advised)
                ask = self._ask()
        if not isinstance(ask, KeepAsk) or die not in ask.dice:
            raise IllegalAction(say("die {die} is not to be chosen now", die))
        self._presenter.menu = self._presenter.menu.with_toggled(str(die))

    def follow_advice(self) -> None:
        """Hold the dice that the shown advice keeps, while a player chooses dice."""
        advised = self._advised()
        if advised is not None and isinstance(self._ask(), KeepAsk):
            self._presenter.menu = self._presenter.menu.with_held(advised)

    def _advised(self) -> tuple[int, ...] | None:
        """Return the dice that the shown advice keeps; `None` without such advice, and on tapes, which predate it."""
        hint = self._play.advising.hint
        return hint.dice if hint is not None and self._play.settings.throws_again else None

    def _ask(self) -> Ask | Auction | None:
        return self._presenter.ask(self._play.match)

    def _execute(self, command: ButtonCommand | None) -> None:
        play, presenter = self._play, self._presenter
        match command:
            case ButtonCommand.TUMBLE:
                play.tumbling = self._throwable_now()
            case ButtonCommand.THROW:
                play.tumbling = ()
                self._throw_held(self.buttons.held_ms)
            case ButtonCommand.NEXT:
                presenter.menu = presenter.menu.next()
            case ButtonCommand.PREVIOUS:
                presenter.menu = presenter.menu.previous()
            case ButtonCommand.CHOOSE:
                self._choose()
            case ButtonCommand.BACK:
                self._go_back()
            case ButtonCommand.ADVISE:
                play.advising.advise()
                self.follow_advice()
            case ButtonCommand.RING:
                self._ring()

    def _throwable_now(self) -> tuple[int, ...]:
        """Return the dice that the roll button throws now.

        The result is empty if no throw is due or offered, if a move on the board is unfinished, or if the board is
        wrong or ambiguous.
        """
        play = self._play
        if play.match is None or play.monitor.state is not MonitorState.WATCHING or play.monitor.is_unfinished():
            return ()
        throw = self._next_throw()
        return () if throw is None else throw.dice

    def _next_throw(self) -> NextThrow | None:
        match, menu, settings = self._play.match, self._presenter.menu, self._play.settings
        if match is None:
            return None
        advised = self._advised()
        asked = (id(match), match.revision, match.absent_decides, menu, settings.throws_again, advised)
        if self._throw_now[0] != asked:
            self._throw_now = (asked, next_throw(match, menu, settings, advised))
        return self._throw_now[1]

    def _throw_held(self, held_ms: int) -> None:
        play, match = self._play, self._play.match
        if match is None or self._next_throw() is None or play.asks_first(lambda: self._throw_held(held_ms)):
            return
        throw = self._next_throw()
        if throw is None or not self._throwable_now():
            return
        if match.seat is not None:
            play.add_salt(match, match.seat, held_ms)
        if not throw.answers:
            play.add([ThrowDice(len(throw.dice))])
        for answer in throw.answers:
            play.act(answer)

    # --- what the roll button does ----------------------------------------------------------------------------------

    def offer(self) -> RollOffer:
        """Return what pressing the roll button would do now."""
        offer = self._offer()
        return replace(offer, in_vain=True) if self._play.in_vain.seen and not offer.possible else offer

    def _offer(self) -> RollOffer:
        play, match = self._play, self._play.match
        if match is None:
            return RollOffer(why=say("No match is played"))
        if isinstance(match.turn, Over):
            is_open = play.ending.is_open() and not self._is_for_the_menu(Button.ROLL)
            return RollOffer(say("End the match"), possible=True) if is_open else self._walk(say("The match is over"))
        if self._answers.asks_press():
            return self._clock_offer()
        why, throw = self._board_words(), self._next_throw()
        if throw is None:
            return self._walk(why or no_throw_reason(match))
        offer = offer_of(match, throw)
        return self._walk(why, offer.option) if why else offer

    def _clock_offer(self) -> RollOffer:
        why = "" if self._answers.may_press_clock() else self._board_words() or say("The move is not finished")
        return RollOffer(say("Press the clock"), possible=not why, why=why)

    def _board_words(self) -> str:
        """Return what the players must do on the board before a throw; empty if nothing need be done."""
        monitor = self._play.monitor
        if monitor.to_make is not None:
            return self._move_to_make_words()
        match monitor.state:
            case MonitorState.ASKING:
                return say("Say first what happened on the board")
            case MonitorState.ALIGNING:
                return (
                    say("Set up the pieces first")
                    if monitor.aligning_for is Phase.SETUP
                    else say("Put the board right first")
                )
            case MonitorState.RECOVERING:
                return say("Put the board right first")
            case _:
                return say("The move is not finished") if monitor.is_unfinished() else ""

    def _move_to_make_words(self) -> str:
        """Return the instruction to make a computer's last move on the board."""
        match = self._play.match
        last = match.history[-1] if match is not None and match.history else None
        if match is None or last is None or last.acted.seat is None:
            return ""
        return say("Make {name}'s move first", match.called(last.before)[last.acted.seat])

    def _walk(self, why: str, option: str = "") -> RollOffer:
        """Return what the roll button does if it throws no dice.

        If it is the table's only button and there is a menu, it moves through the menu. Otherwise it does nothing, and
        `why` is the reason.
        """
        return single_button_offer(self._play.settings, self._presenter.menu) or RollOffer(why=why, option=option)

    def _choose(self) -> None:
        """Choose the menu entry under the cursor.

        While the board must be put right, do nothing unless the table suspects a switch to be faulty.
        """
        play, presenter, ask = self._play, self._presenter, self._presenter.choices(self._play.match)
        is_being_put_right = play.monitor.state in (MonitorState.RECOVERING, MonitorState.ALIGNING)
        if ask is None or (is_being_put_right and not play.monitor.suspects()):
            return
        chosen_id = None if presenter.menu.chosen is None else presenter.menu.chosen.id
        if chosen_id == BACK:
            self._go_back()
            return
        if chosen_id == RUN_ON:
            play.switch_timers(run=True)
            return
        chosen = choose(ask, presenter.menu)
        if isinstance(chosen, MenuState):
            presenter.open(chosen)
        else:
            presenter.leave_bidder(play.match)
            self._answers.choose(chosen)

    def _ring(self) -> None:
        """Ask the player to confirm the bell of an auction; if this question is already shown, ring the bell."""
        presenter = self._presenter
        if not isinstance(self._ask(), Auction):
            return
        presenter.leave_bidder(self._play.match)
        chosen = presenter.menu.chosen
        if chosen is not None and chosen.id == BELL and presenter.menu.confirming:
            self._choose()
        else:
            presenter.menu = presenter.menu.at(BELL, confirming=True)

    def _go_back(self) -> None:
        """Close a bidder's list of amounts; without an open list, close the table's question or the last submenu."""
        if not self._presenter.leave_bidder(self._play.match):
            self._play.go_back()
