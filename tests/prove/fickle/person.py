"""A person whose hands change their mind, who looks away from half of the questions and never lies to the others."""

import contextlib
import random
from collections.abc import Iterable

from captains_table.games.contract import (
    ABANDON,
    AGREE,
    CLAIM_DRAW,
    DONE,
    OFFER_DRAW,
    PRESS_CLOCK,
    REFUSE,
    RESIGN,
    ROLL,
    THROW_AGAIN,
    IllegalAction,
    Over,
    Pick,
    PickAsk,
    Square,
)
from captains_table.simulation.mix import QUIET
from captains_table.simulation.reeds import Change, Field, Pull
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.events import (
    Answered,
    BoardLost,
    BoardRead,
    Button,
    ButtonPressed,
    ButtonReleased,
    Event,
    SwitchChanged,
    SwitchMasked,
)
from captains_table.table.model.settings import Settings
from captains_table.table.prompts.asks import STILL_MOVING
from captains_table.table.recognition.monitor_state import MonitorState
from tests.prove.fickle.deed import Deed, Handling, Truth
from tests.prove.fickle.judging import Judging
from tests.prove.fickle.ledger import Ledger
from tests.prove.fickle.offers import board_ids
from tests.prove.fickle.scene import Pieces, Scene, squares_changed
from tests.prove.person import MOST_TRIES, RESEATS, Person, Stuck
from tests.prove.stories import NOTHING

SEALERS_SHARE = 0.35
UNPLUGGED_SHARE = 0.02
QUIETS_MS = (0, 0, 400, 1500, 4000, 8000, 8000, 8000)
LONG_QUIET_MS = 7500
LOOKS_AWAY = 0.5
MOST_REDONE = 6
SHORT_MS = 100
MOST_ASKED = 2  # moves in a row that a question is about: whoever went on meanwhile means by an answer the first ones
GRAVE = (RESIGN.id, ABANDON.id, OFFER_DRAW.id, CLAIM_DRAW.id)
GRAVE_SHARE = 0.05


class FicklePerson(Person):
    """Both players of a match at one table.

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
        said = self._says(event)
        try:
            self.session.handle(event, self.now_ms)
        finally:
            self.judging.look(said=said and not self.session.board_snapshot().asked)

    def _says(self, event: Event) -> bool:
        """Return whether somebody says in words which move was made."""
        if self._says_by_button and isinstance(event, ButtonReleased):
            return True
        if not isinstance(event, Answered) or not isinstance(event.action, Pick):
            return False
        id_ = event.action.id
        rivals = [rival.id for rival in self.session.board_snapshot().rivals]
        return id_ in (*self.asked(), *rivals, NOTHING) or any(o.id == id_ and o.on_board for o in self.options())

    # --- a deed -----------------------------------------------------------------------------------------------------

    def act_out(self, kind: str, deed: Deed, truth: Truth, scene: Scene) -> None:
        """Do what the deed says, and mean this by it, until the table agrees; raises Stuck."""
        judge = self.judge
        judge.begin_deed(kind, [*judge.true_moves, *([] if truth.id is None else [truth.id])])
        judge.count("moves")
        self.do(deed.handlings, self._interruptions())
        judge.is_deed_done = not truth.then
        self.pieces = dict(scene.before if truth.id is None else self._after(scene, truth.id))
        self.wait_quietly()
        if truth.then:
            self.do(truth.then, {})
            judge.is_deed_done = True
            self.wait_quietly()
        self.state = self._true_state(truth)
        judge.is_deed_done = True

    def _after(self, scene: Scene, id_: str) -> dict[Square, str]:
        return dict(next(move.after for move in scene.moves if move.id == id_))

    def _true_state(self, truth: Truth) -> object:
        return self.state if truth.id is None else self.match.game.apply(self.state, Pick(truth.id))

    def do(self, handlings: Iterable[Handling], interruptions: "dict[int, str]") -> None:
        """Let magnets come and go, and something else happen before or after some of them."""
        at_ms, pulls = self.now_ms + self.rng.randint(50, 800), []
        for handling in handlings:
            at_ms += handling.after_ms
            pulls.append(Pull(at_ms, handling.square, Field.MAGNET, 1 if handling.comes else -1))
        changes = self.scanner.settle_all(self.reeds.sense(pulls))
        for number, change in enumerate(changes):
            self._feed_with(change, interruptions.get(number, ""))
        if interruptions.get(-1) == "unplug":
            self._plug()

    def _feed_with(self, change: Change, interruption: str) -> None:
        word, _, offset = interruption.partition(" ")
        if word == "seal" and int(offset) < 0:
            self.wait_until(change.at_ms + int(offset))
            self.seal()
        self.feed([change])
        if word == "seal" and int(offset) >= 0:
            self.wait_until(change.at_ms + int(offset))
            self.seal()
        elif word == "unplug":
            self.judge.count("unplugged")
            self.handle(BoardLost())
        elif word == "plug":
            self._plug()

    def _plug(self) -> None:
        if self.judge.board.trouble:
            self.handle(BoardRead(self.reeds.closed))

    def _interruptions(self) -> dict[int, str]:
        if self.rng.random() < SEALERS_SHARE:
            return {self.rng.randrange(12): f"seal {self.rng.choice((-5, 0, 5))}"}
        if self.rng.random() < UNPLUGGED_SHARE:
            since = self.rng.randrange(4)
            return {since: "unplug", since + self.rng.randint(1, 3): "plug", -1: "unplug"}
        return {}

    # --- sealers ----------------------------------------------------------------------------------------------------

    def seal(self) -> None:
        """Try what would seal the move."""
        self.judge.count("sealers")
        self.judge.count("double", self.judge.fits_double())
        ids = [option.id for option in self.options()]
        grave = [id_ for id_ in GRAVE if id_ in ids]
        try:
            if grave and self.rng.random() < GRAVE_SHARE:
                self._say_gravely(self.rng.choice(grave))
            elif PRESS_CLOCK.id in ids and self.rng.random() < LOOKS_AWAY:
                self.handle(Answered(Pick(PRESS_CLOCK.id)))
            elif DONE.id in ids and self.rng.random() < 0.8:
                self.handle(Answered(Pick(DONE.id)))
            elif THROW_AGAIN.id in ids and self.judge.believed():
                self.handle(Answered(Pick(THROW_AGAIN.id)))
            else:
                self.handle(ButtonPressed(Button.ROLL))
                self.handle(ButtonReleased(Button.ROLL))
        except IllegalAction:
            return

    def _say_gravely(self, id_: str) -> None:
        """Resign, claim a draw, or offer what the opponent agrees to or refuses."""
        self.judge.count("grave")
        self.handle(Answered(Pick(id_)))
        if AGREE.id in [option.id for option in self.options()]:
            self.handle(Answered(Pick(self.rng.choice((AGREE.id, REFUSE.id)))))

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
        if not isinstance(self.session.ask(), PickAsk | None) and true != believed:
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
            self._redo_from_base()

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

    def play_plainly(self, id_: str, after: Pieces) -> None:
        """Make a move of any kind with nothing beside it."""
        judge = self.judge
        judge.begin_deed("ordinary", [*judge.true_moves, id_])
        judge.count("moves")
        self.bring(dict(after), QUIET)
        judge.is_deed_done = True
        self.wait_quietly()
        self.state = self.match.game.apply(self.state, Pick(id_))

    def act_too_early(self, kind: str, deed: Deed, scene: Scene) -> None:
        """Make a move before the dice are thrown: it counts if the dice then allow it, else it is put back."""
        judge, (truth, *_) = self.judge, deed.truths
        judge.begin_deed(kind, judge.true_moves)
        judge.count("moves")
        is_hasty = self.rng.random() < LOOKS_AWAY
        self.do(deed.handlings, {self.rng.randrange(len(deed.handlings)): "seal 5"} if is_hasty else {})
        self.wait_until(self.now_ms + self.rng.choice(QUIETS_MS))
        if ROLL.id in [option.id for option in self.options()]:
            self.throw()
        self.state = self.match.state
        if truth.id in board_ids(self.match.game, self.state):
            judge.begin_deed(kind, [*judge.true_moves, truth.id])
            self.pieces = self._after(scene, truth.id)
            self.state = self._true_state(truth)
        else:
            self.pieces = self._after(scene, str(truth.id))
        judge.is_deed_done = True
        self.wait_quietly()
        self.agree()

    def play_on_page(self, id_: str, after: Pieces) -> None:
        """Pick a move on the page, then make the board look like that."""
        judge = self.judge
        before = list(judge.true_moves)
        judge.begin_deed("page", [*before, id_])
        judge.count("moves")
        judge.count("sealers")
        judge.count("double", judge.fits_double())
        try:
            self.handle(Answered(Pick(id_)))
        except IllegalAction:
            judge.true_moves = before
        else:
            self.bring(dict(after), QUIET)
            self.state = self.match.game.apply(self.state, Pick(id_))
        judge.is_deed_done = True
        self.wait_quietly()
        self.agree()

    def mask(self, square: Square) -> None:
        """Say that a switch is broken."""
        self.judge.count("masked")
        self.handle(SwitchMasked(square))

    def _go_back(self) -> None:
        """Leave what is asked."""
        self.handle(ButtonPressed(Button.BACK))
        self.handle(ButtonReleased(Button.BACK))

    def _redo_from_base(self) -> None:
        """Put everything back as it was before what is not sealed, then make it again with care."""
        judge = self.judge
        true, positions = list(judge.true_moves), judge.true_positions()
        sealed = len(true) - len(judge.true_path())
        for made, pieces in enumerate(positions):
            judge.true_moves = true[: sealed + made]
            judge.is_deed_done = False
            if made and self.masked & squares_changed(positions[made - 1], pieces):
                self._pick(judge.true_moves[-1])  # no switch tells of it
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
