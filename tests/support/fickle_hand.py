"""A person whose hands may do anything with the pieces, who ignores questions at will and never lies to one he answers.

He means some moves; the table cannot know them. When he has made up his mind he puts the pieces as he means them,
answers what is asked, and where the table has something else puts that right.
"""

import contextlib
from collections.abc import Mapping
from typing import Any

from captains_table.games.contract import (
    Action,
    Amount,
    AmountAsk,
    Decide,
    IllegalAction,
    Keep,
    KeepAsk,
    Over,
    Pick,
    PickAsk,
    Roll,
    Square,
)
from captains_table.runtime.session import Session
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.events import (
    Answered,
    BoardRead,
    Button,
    ButtonPressed,
    ButtonReleased,
    Event,
    SwitchChanged,
    TimePassed,
)
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.prompts.asks import STILL_MOVING
from captains_table.table.recognition.candidates import TAKE_BACK
from tests.support.seeded_dice import SeededDice

QUIET_MS = 8000
HAND_MS = 400
MOST_PUT_RIGHT = 3
MOST_ANSWERS_ON_THE_WAY = 12


class FickleHand:
    """Both players of a match at one table, and what they mean by what they do.

    Attributes:
        pieces: where the pieces truly stand.
        journal: what the table keeps.
        in_hand: the pieces that are in hands, or lie beside the board.
        meant: the ids of the moves they mean to have made since what is sealed.
        words: what they did, as a tape would have it.
    """

    def __init__(self, started: MatchStarted, dice_seed: int = 0, settings: Settings | None = None) -> None:
        self.now_ms = 0
        self.words: list[str] = []
        self.journal = MemoryJournal(started)
        self._session = Session(settings or Settings())
        self.pieces: dict[Square, str] = dict(Match.resumed(self.journal.entries()).pieces())
        self.in_hand: list[str] = []
        self._handle(BoardRead(frozenset(self.pieces)))
        self._session.load(self.journal, SeededDice(dice_seed), 0, resumed=False)
        self.meant: list[str] = []
        self._base: Any = self._sealed()

    # --- what is known ----------------------------------------------------------------------------------------------

    @property
    def match(self) -> Match:
        """The match on the table."""
        match = self._session.match
        assert match is not None
        return match

    @property
    def is_over(self) -> bool:
        """Whether the match is over for good."""
        return self.match.is_ended

    def asked(self) -> list[str]:
        """Return what is asked about the board."""
        return [candidate.id for candidate in self._session.referee.board_snapshot().asked]

    def option_ids(self) -> list[str]:
        """Return what may be picked now."""
        ask = self._session.referee.ask()
        return [option.id for option in ask.options] if isinstance(ask, PickAsk) else []

    def board_ids(self) -> list[str]:
        """Return which moves may be meant next."""
        return self._board_ids(self._meant_state())

    def _board_ids(self, state: Any) -> list[str]:  # noqa: ANN401 - each game has its own state
        turn = self.match.game.turn(state)
        if not isinstance(turn, Decide) or not isinstance(turn.ask, PickAsk):
            return []
        return [option.id for option in turn.ask.options if option.on_board]

    def _sealed(self) -> Any:  # noqa: ANN401 - each game has its own state
        last = self.match.provisional
        return self.match.state if last is None else last.before

    def _after(self, state: Any, id_: str) -> Any:  # noqa: ANN401 - each game has its own state
        return self.match.game.apply(state, Pick(id_))

    def _meant_state(self) -> Any:  # noqa: ANN401 - each game has its own state
        self._see_what_is_sealed()
        state = self._base
        for id_ in self.meant:
            state = self._after(state, id_)
        return state

    def target(self) -> Mapping[Square, str]:
        """Return where the pieces should stand."""
        return dict(self.match.game.pieces(self._meant_state()))

    def _see_what_is_sealed(self) -> None:
        """Begin where nothing can be changed any more; what cannot be meant from there is not."""
        sealed, last, game = self._sealed(), self.match.provisional, self.match.game
        if sealed != self._base:
            is_meant = self.meant and game.pieces(self._after(self._base, self.meant[0])) == game.pieces(sealed)
            stands = game.pieces(sealed) == game.pieces(self._base)
            if last is not None and last.option is not None and last.after == self._base:
                self.meant.insert(0, last.option.id)  # its answer was taken back, so that it may be changed again
            else:
                self.meant = self.meant[1:] if is_meant else self.meant if stands else []
            self._base = sealed
        state = sealed
        for number, id_ in enumerate(self.meant):
            if id_ not in self._board_ids(state):
                del self.meant[number:]
                return
            state = self._after(state, id_)

    def pieces_after(self, id_: str) -> int:
        """Return how many pieces would stand after one more move."""
        return len(self.match.game.pieces(self._after(self._meant_state(), id_)))

    def vacant(self) -> list[Square]:
        """Return the squares nothing stands on."""
        shape = self.match.game.shape
        assert shape is not None
        return [square for square in shape.squares() if square not in self.pieces]

    # --- what hands do ----------------------------------------------------------------------------------------------

    def _handle(self, event: Event) -> None:
        self._session.handle(event, self.now_ms)

    def wait(self, ms: int) -> None:
        """Let every timer fire at its time."""
        until_ms = self.now_ms + ms
        while (due_ms := self._session.due_ms()) is not None and due_ms <= until_ms:
            self.now_ms = max(self.now_ms, due_ms)
            self._handle(TimePassed())
        self.now_ms = until_ms

    def lift(self, square: Square, after_ms: int = HAND_MS) -> None:
        """Lift a piece."""
        self.wait(after_ms)
        self.words.append(f"+{after_ms} lift {square}")
        self.in_hand.append(self.pieces.pop(square))
        self._handle(SwitchChanged(square, closed=False))

    def place(self, square: Square, piece: str, after_ms: int = HAND_MS) -> None:
        """Set a piece of the hand down on a vacant square."""
        self.wait(after_ms)
        self.words.append(f"+{after_ms} place {square}")
        self.in_hand.remove(piece)
        self.pieces[square] = piece
        self._handle(SwitchChanged(square, closed=True))

    def say(self, action: Action) -> None:
        """Answer, if that is asked."""
        self.words.append(f"pick {action.id}" if isinstance(action, Pick) else f"# {action}")
        with contextlib.suppress(IllegalAction):
            self._handle(Answered(action))

    def press(self, button: Button, held_ms: int = 100) -> None:
        """Press a button and let it go."""
        self.words.append(f"press {button}")
        self._handle(ButtonPressed(button))
        self.wait(held_ms)
        self._handle(ButtonReleased(button))

    def bring(self, target: Mapping[Square, str]) -> None:
        """Put the pieces where they should stand, those that are taken beside the board."""
        for square in sorted(square for square in self.pieces if self.pieces[square] != target.get(square)):
            self.lift(square)
        for square in sorted(target.keys() - self.pieces.keys()):
            if target[square] not in self.in_hand:
                self.in_hand.append(target[square])  # from beside the board
            self.place(square, target[square])
        self.in_hand.clear()

    # --- making up one's mind ---------------------------------------------------------------------------------------

    def agrees(self) -> bool:
        """Return whether the table has what is meant, asks nothing about it and calls nothing wrong."""
        view = self._session.referee.view()
        is_clear = not self.asked() and not any((view.wrong.missing, view.wrong.extra))
        return is_clear and self.pieces == dict(self.match.pieces()) == self.target()

    def make_up_mind(self) -> int:
        """Put the pieces as they are meant and see to it that the table agrees; return how much that took."""
        self.words.append(f"# means {self.meant}")
        self.bring(self.target())
        self.wait(QUIET_MS)
        for count in range(MOST_PUT_RIGHT):
            if self.is_over or self.agrees():
                return count
            self._put_right()
            self.wait(QUIET_MS)
        assert self.is_over or self.agrees(), "\n".join([*self.words, self.trouble()])
        return MOST_PUT_RIGHT

    def trouble(self) -> str:
        """Return in words why table and pieces do not agree."""
        view = self._session.referee.view()
        stands = " ".join(f"{piece}{square}" for square, piece in sorted(self.pieces.items()))
        has = " ".join(f"{piece}{square}" for square, piece in sorted(self.match.pieces().items()))
        return (
            f"# meant {self.meant}, asked {self.asked()}, {view.prompt} {view.wrong}\n# stands {stands}\n# match  {has}"
        )

    def _put_right(self) -> None:
        wrong = self._session.referee.view().wrong
        if self.asked():
            self._answer()
        elif self.pieces == self.target() and self._is_offered():
            self.say(Pick(self.meant[-1] if self.meant else TAKE_BACK))
        elif wrong and self.pieces == self.target():
            self.bring(dict(self.match.pieces()))  # what the table leads to; then it is done again with care
        else:
            self._do_again()

    def _is_offered(self) -> bool:
        """Return whether what is meant can be said: among the rivals, or as the next move after what is believed."""
        rivals = [rival.id for rival in self._session.referee.board_snapshot().rivals]
        if not self.meant:
            return TAKE_BACK in rivals
        before = self._base
        for id_ in self.meant[:-1]:
            before = self._after(before, id_)
        return self.meant[-1] in (self.option_ids() if self.match.state == before else rivals)

    def _answer(self) -> None:
        """Answer truthfully, or leave the question where the truth is not among its answers."""
        asked = self.asked()
        meant = next((id_ for id_ in reversed(self.meant) if id_ in asked), None)
        if meant is not None:
            self.say(Pick(meant))
        elif TAKE_BACK in asked and not self.meant:
            self.say(Pick(TAKE_BACK))
        elif STILL_MOVING.id in self.option_ids():
            self.say(Pick(STILL_MOVING.id))
        else:
            self.press(Button.BACK)

    def _do_again(self) -> None:
        """Put everything back as it was before what is not sealed, then make it again with care."""
        path = list(self.meant)
        for count in range(len(path) + 1):
            self.meant = path[:count]
            self.bring(self.target())
            self.wait(QUIET_MS)
            if self.asked():
                self._answer()
        self.meant = path
        self._see_what_is_sealed()

    def seal(self) -> None:
        """Say that the move is made, where that is asked."""
        said = next((id_ for id_ in ("done", "press-clock") if id_ in self.option_ids()), None)
        if said is not None:
            self.say(Pick(said))

    # --- playing on -------------------------------------------------------------------------------------------------

    def go_on(self) -> None:
        """Do what is due besides moving pieces, until a move may be made."""
        for _ in range(MOST_ANSWERS_ON_THE_WAY):
            self._see_what_is_sealed()
            if self.is_over or self._board_ids(self._base):
                return
            self._do_what_is_due()
            self.bring(self.target())
            self.wait(QUIET_MS)

    def _do_what_is_due(self) -> None:
        turn = self.match.turn
        if self.asked():
            self._answer()
        elif isinstance(turn, Roll | Over):
            self.press(Button.ROLL)
        elif isinstance(turn, Decide) and isinstance(turn.ask, KeepAsk):
            self.say(Keep(turn.ask.dice))
        elif isinstance(turn, Decide) and isinstance(turn.ask, AmountAsk):
            self.say(Amount(turn.ask.lo))
        elif isinstance(turn, Decide) and isinstance(turn.ask, PickAsk):
            ids = [option.id for option in turn.ask.options]
            self.say(Pick("done" if "done" in ids else turn.ask.default or ids[0]))
