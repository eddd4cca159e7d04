"""A person who looks away from half of the questions and, in the end, puts right what the table got wrong."""

import contextlib
import random

from captains_table.games.contract import (
    IllegalAction,
    Over,
    Pick,
    PickAsk,
    Square,
)
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.events import (
    Answered,
    Button,
    ButtonPressed,
    ButtonReleased,
    Event,
    SwitchChanged,
    SwitchMasked,
)
from captains_table.table.model.settings import Settings
from captains_table.table.prompts.asks import STILL_MOVING
from captains_table.table.recognition.board_monitor import MonitorState
from tests.prove.fickle.judging import Judging
from tests.prove.fickle.ledger import Ledger
from tests.prove.fickle.scene import squares_changed
from tests.prove.person import MOST_TRIES, RESEATS, Person, Stuck
from tests.prove.stories import NOTHING
from tests.support.noise_mix import QUIET

QUIETS_MS = (0, 0, 400, 1500, 4000, 8000, 8000, 8000)
LONG_QUIET_MS = 7500
LOOKS_AWAY = 0.5
MOST_REDONE = 6
SAYS_AFTER = 2  # moves made with care that came to nothing: then it is said first what is played
SHORT_MS = 100
MOST_ASKED = 2  # moves in a row that a question is about: whoever went on meanwhile means by an answer the first ones


class HonestPerson(Person):
    """Both players of a match, who never lie to the table and make it agree in the end.

    Attributes:
        state: where the game truly stands.
    """

    def __init__(self, started: MatchStarted, seed: str, settings: Settings | None = None) -> None:
        self.judging: Judging | None = None
        self._says_by_button = False
        super().__init__(started, QUIET, seed, random.Random(f"dice {seed}"), settings)
        self.ledger = Ledger(self.reeds.closed, started.seats)
        self.judging = Judging(self.session, self.ledger)
        self.figures = self.judging.figures
        self.findings = self.judging.findings
        self.state = self.match.state

    @property
    def judge(self) -> Judging:
        """What watches the table."""
        assert self.judging is not None
        return self.judging

    def handle(self, event: Event) -> None:
        """Let the table take in what happens, and look what it makes of that."""
        if self.judging is None:
            super().handle(event)
            return
        self.ledger.note(event, self.now_ms)
        if isinstance(event, SwitchChanged) and not self.ledger.is_linked:
            return  # the table cannot know of it before it reads the board again
        said, asked = self._says(event), self.session.referee.board_snapshot().asked
        try:
            self.session.handle(event, self.now_ms)
        finally:
            still_asked = self.session.referee.board_snapshot().asked
            self.judging.look(said=said and (not still_asked or (bool(asked) and still_asked != asked)))

    def _says(self, event: Event) -> bool:
        """Return whether somebody says in words which move was made."""
        if self._says_by_button and isinstance(event, ButtonReleased):
            return True
        if not isinstance(event, Answered) or not isinstance(event.action, Pick):
            return False
        id_ = event.action.id
        rivals = [rival.id for rival in self.session.referee.board_snapshot().rivals]
        return id_ in (*self.asked(), *rivals, NOTHING) or any(o.id == id_ and o.on_board for o in self.options())

    def is_closed(self) -> bool:
        """Return whether the match is over for good, so that no move counts any more."""
        return isinstance(self.match.turn, Over) and self.match.provisional is None

    # --- the time after ---------------------------------------------------------------------------------------------

    def wait_quietly(self) -> None:
        """Let some time pass, sometimes none; judge the table where that was long enough."""
        quiet_ms = self.rng.choice(QUIETS_MS)
        self.wait_until(self.now_ms + quiet_ms)
        if quiet_ms >= LONG_QUIET_MS and not self.is_closed():
            self.judge.judge_rest()

    def asked(self) -> list[str]:
        """Return what is asked about the board."""
        return list(self.judge.asked)

    def look_away(self) -> bool:
        """Sometimes go on without an answer, and return whether that is so."""
        looks_away = bool(self.asked()) and self.rng.random() < LOOKS_AWAY
        self.judge.count("ignored", looks_away)
        return looks_away

    def agree(self) -> None:
        """Put right what the table got wrong, by truthful answers or by moving pieces; raises Stuck."""
        for tries in range(MOST_TRIES):
            if self._agrees() or (self.is_closed() and not self.asked()):
                return
            if self._is_lost():
                self._accept_loss()
            elif self.asked():
                self._answer_truthfully()
            else:
                self.judge.count("helped", tries == 0)
                self._help(tries)
            self.rest()
        if not self._agrees():
            self._give_up()

    def _give_up(self) -> None:
        self.judge.count("stuck")
        words = f"believed {self.judge.believed()}, meant {self.judge.true_path()}, asked {self.asked()}"
        self.findings.append(
            self.judge.tape([f"STUCK ({self.judge.kind})", words, f"{self.view.prompt} {self.view.wrong}"])
        )
        raise Stuck(words)

    def _agrees(self) -> bool:
        is_clear = not self.asked() and not self.view.wrong and not self.judge.board.trouble
        return is_clear and self.judge.believed() == self.judge.true_path() and self.pieces == dict(self.match.pieces())

    def _is_lost(self) -> bool:
        """Return whether something else was sealed than what was meant."""
        judge = self.judge
        sealed = self.judge.stands()
        count = len(sealed) - len(judge.believed())
        return sealed[:count] != judge.true_moves[:count]

    def _accept_loss(self) -> None:
        """Go by what the table has, because it cannot be changed any more."""
        judge = self.judge
        judge.count("lost")
        if self.asked():
            self.answer(Pick(self.asked()[0]))
        self.bring(dict(self.match.pieces()), QUIET)
        self.rest()
        judge.true_moves = judge.stands()
        self.state = self.match.state

    def _answer_truthfully(self) -> None:
        asked, true, believed = self.asked(), self.judge.true_path(), self.judge.believed()
        options = [option.id for option in self.options()]
        meant = next((id_ for id_ in reversed(true[:MOST_ASKED]) if id_ in asked), None)
        if meant is not None:
            self._pick(meant)
        elif NOTHING in asked and true == believed[:-1]:
            self._pick(NOTHING)
        elif STILL_MOVING.id in options:
            self._pick(STILL_MOVING.id)
        else:
            self._go_back()

    def _help(self, tries: int) -> None:
        true, believed = self.judge.true_path(), self.judge.believed()
        options = [option.id for option in self.options()]
        if not isinstance(self.session.referee.ask(), PickAsk | None) and true != believed:
            self._go_back()
        elif self.disagreeing():
            self.reseat(self.disagreeing()[0])
        elif true == believed or self._is_shown_what_to_do():
            self._tidy()
        elif true and true[-1] in options and true[:-1] == believed[: len(true) - 1] and tries < MOST_REDONE:
            self._pick(true[-1])
        elif NOTHING in options and true == believed[:-1] and tries < MOST_REDONE:
            self._pick(NOTHING)
        else:
            self._redo_from_base(says=tries >= SAYS_AFTER)

    def _is_shown_what_to_do(self) -> bool:
        """Return whether the table only waits until the board is made like the match, which may be changed then."""
        return self.judge.board.state is MonitorState.ALIGNING and self.pieces != dict(self.match.pieces())

    def _pick(self, id_: str) -> None:
        if self._choose_by_button(id_):
            return
        with contextlib.suppress(IllegalAction):
            self.answer(Pick(id_))

    def _choose_by_button(self, id_: str) -> bool:
        """Walk to a line of the menu with the only button and choose it; return whether there was such a line."""
        settings, menu = self.session.settings, self.view.menu
        if settings.buttons != "one" or menu.cursor is None or id_ not in [entry.id for entry in menu.entries]:
            return False
        for _ in menu.entries:
            cursor = self.view.menu.cursor
            if cursor is not None and self.view.menu.entries[cursor].id == id_:
                self._says_by_button = True
                self._hold(settings.choose_ms)
                self._says_by_button = False
                return True
            self._hold(SHORT_MS)
        return False

    def _hold(self, held_ms: int) -> None:
        self.wait_until(self.now_ms + SHORT_MS)
        self.handle(ButtonPressed(Button.ROLL))
        self.wait_until(self.now_ms + held_ms)
        self.handle(ButtonReleased(Button.ROLL))

    def mask(self, square: Square) -> None:
        """Say that a switch is broken."""
        self.judge.count("masked")
        self.handle(SwitchMasked(square))

    def _go_back(self) -> None:
        """Leave what is asked."""
        self.handle(ButtonPressed(Button.BACK))
        self.handle(ButtonReleased(Button.BACK))

    def _redo_from_base(self, *, says: bool) -> None:
        """Put everything back as it was before what is not sealed, then make it again with care.

        Args:
            says: whether each move is said before it is made, as the page lets everybody do.
        """
        judge = self.judge
        true, positions = list(judge.true_moves), judge.true_positions()
        sealed = len(true) - len(judge.true_path())
        for made, pieces in enumerate(positions):
            judge.true_moves = true[: sealed + made]
            judge.is_deed_done = False
            if made and (says or self.masked & squares_changed(positions[made - 1], pieces)):
                self._pick(judge.true_moves[-1])  # no switch tells of it, or one that sticks
            self.bring(dict(pieces), QUIET)
            judge.is_deed_done = True
            self.rest()
            self._clear_up()
        judge.true_moves = true

    def _clear_up(self) -> None:
        """Put right the switches that say something false, and answer what is asked."""
        for _ in range(RESEATS):
            if self.disagreeing():
                self.reseat(self.disagreeing()[0])
        if self.asked():
            self._answer_truthfully()
            self.rest()
