"""A person at a noisy board: means one move, makes it, looks at the table, and does what it asks for."""

import random
from collections.abc import Iterable, Sequence

from captains_table.devices.dice_sources import DictatedDice
from captains_table.games.contract import Action, IllegalAction, Option, Pick, PickAsk, Shape, Square
from captains_table.games.registry import game_by_key
from captains_table.runtime.session import Session
from captains_table.simulation.reeds import Influence, InfluenceKind, ReedChange
from captains_table.simulation.simulated_scanner import SimulatedScanner
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model import events
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Phase, View
from captains_table.table.prompts.asks import STILL_MOVING
from captains_table.table.recognition.board_monitor import MonitorState
from captains_table.table.recognition.candidates import TAKE_BACK
from captains_table.table.snapshot import BoardSnapshot
from tests.prove.figures import Figures
from tests.prove.outcome import Evidence, Intent, Outcome, Witness
from tests.support.faulty_reeds import FaultyReeds, settle_all
from tests.support.gestures import HandsAtBoard, PlayedGesture
from tests.support.noise_mix import QUIET, NoiseMix

QUIET_MS = 7500  # longer than any patience of the table
MOST_TRIES = 12
RESEATS = 2
HASTY = 0.1


class Stuck(Exception):
    """The player could not make the table agree."""


class Person:
    """Both players of a match at one table, with a clock of their own."""

    def __init__(
        self,
        started: MatchStarted,
        mix: NoiseMix,
        seed: str,
        faces: random.Random | Sequence[int],
        settings: Settings | None = None,
    ) -> None:
        self.rng = random.Random(seed)
        self.mix = mix
        self.now_ms = 0
        self.figures = Figures()
        self.findings: list[str] = []
        self.journal = MemoryJournal(started)
        self.dice = DictatedDice() if isinstance(faces, random.Random) else DictatedDice(faces)
        if isinstance(faces, random.Random):
            self.dice.seed(faces.randrange(2**32))
        self.session = Session(settings or Settings())
        self.pieces = dict(Match.resumed(self.journal.entries()).pieces())
        self.shape = game_by_key(started.game).shape or Shape(0, 0)
        self.reeds = FaultyReeds(self.pieces, mix, self.rng, self.shape)
        self.scanner = SimulatedScanner(self.session.settings.debounce_ms, self.reeds.closed)
        self.performer = HandsAtBoard(self.reeds, self.scanner, self.shape, self.rng)
        self.reseated: dict[Square, int] = {}
        self.witness = Witness(self.session)
        self.handle(events.BoardRead(self.reeds.closed))
        self.session.load(self.journal, self.dice, 0, resumed=False)

    # --- the table --------------------------------------------------------------------------------------------------

    @property
    def match(self) -> Match:
        match = self.session.match
        assert match is not None
        return match

    @property
    def view(self) -> View:
        return self.session.view()

    @property
    def board(self) -> BoardSnapshot:
        return self.session.referee.board_snapshot()

    @property
    def masked(self) -> frozenset[Square]:
        return self.board.masked

    def handle(self, event: events.Event) -> None:
        self.session.handle(event, self.now_ms)
        self.witness.look(self.now_ms)

    def wait_until(self, at_ms: int) -> None:
        """Let every timer fire at its time, so that nothing that was shown for a moment goes unseen."""
        while (due_ms := self.session.due_ms()) is not None and due_ms <= at_ms:
            self.now_ms = max(self.now_ms, due_ms)
            self.handle(events.TimePassed())
        self.now_ms = max(self.now_ms, at_ms)

    def rest(self) -> None:
        self.wait_until(self.now_ms + QUIET_MS)

    def feed(self, changes: Iterable[ReedChange]) -> None:
        """Let the table get to know what has settled; what settles together with a timer comes first."""
        for change in changes:
            self.wait_until(change.at_ms - 1)
            self.now_ms = max(self.now_ms, change.at_ms)
            self.witness.last_change_ms = self.now_ms - self.session.settings.debounce_ms  # when it closed or opened
            self.handle(events.SwitchChanged(change.square, change.closed, change.flickers))

    def answer(self, action: Action) -> None:
        self.wait_until(self.now_ms + 60)
        self.handle(events.Answered(action))

    def throw(self) -> None:
        self.wait_until(self.now_ms + 60)
        self.handle(events.ButtonPressed(events.Button.ROLL))
        self.wait_until(self.now_ms + 100)
        self.handle(events.ButtonReleased(events.Button.ROLL))

    def set_up(self) -> None:
        self.pieces = dict(self.match.pieces())
        self.reeds.arrange(self.pieces)
        self.scanner.begin(self.reeds.closed)
        self.handle(events.PiecesPlaced(self.reeds.closed))

    def sense(self, pulls: Iterable[Influence]) -> None:
        self.feed(settle_all(self.scanner, self.reeds.sense(pulls)))

    def break_switch(self, rng: random.Random, *, closed: bool) -> None:
        """Let some switch stick from now on."""
        self.sense(self.reeds.break_switch(rng.choice(self.shape.squares()), self.now_ms, closed=closed))

    # --- the hands --------------------------------------------------------------------------------------------------

    def bring(self, after: dict[Square, str], mix: NoiseMix) -> PlayedGesture:
        """Bring the pieces to where they should stand, and let the table see it."""
        performance = self.performer.perform(self.pieces, after, mix, self.now_ms + self.rng.randint(50, 800))
        self.pieces = dict(after)
        self.feed(performance.changes)
        self.wait_until(performance.truth.end_ms)
        return performance

    def reseat(self, square: Square) -> None:
        """Lift the piece of a square and set it down again; a vacant one is only tapped."""
        self.reseated[square] = self.reseated.get(square, 0) + 1
        at_ms = self.now_ms + 400
        if square in self.pieces:
            pulls = [
                Influence(at_ms, square, InfluenceKind.MAGNET, -1),
                Influence(at_ms + 500, square, InfluenceKind.MAGNET, 1),
            ]
            self.sense(pulls)
        self.rest()
        if self.reseated[square] >= RESEATS and square in self.disagreeing():
            self.figures.counts["masked"] += 1
            self.handle(events.SwitchMasked(square))
            self.rest()

    def disagreeing(self) -> list[Square]:
        """Return the squares whose switch evidently says something false."""
        return sorted((self.view.switches ^ self.pieces.keys()) - self.masked)

    # --- a move -----------------------------------------------------------------------------------------------------

    def make(self, option_id: str) -> None:
        """Make a move and stay until the table agrees; raises Stuck."""
        intent = Intent(self.match, option_id, self.board.options)
        self.witness.begin(self.now_ms)
        masked, broken = frozenset(self.masked), dict(self.reeds.broken)
        performance = self.bring(dict(intent.after), self.mix)
        evidence = intent.evidence(performance, masked | self.reeds.broken.keys())
        is_sealed = self._press_hastily(intent, performance)
        self.rest()
        self._judge(intent, performance, evidence, is_whole=not broken and not self.reeds.broken)
        if is_sealed:
            return
        self._agree(intent)

    def _press_hastily(self, intent: Intent, performance: PlayedGesture) -> bool:
        """Sometimes press `done` without looking; return whether that sealed the move."""
        if self.rng.random() >= HASTY:
            return False
        try:
            self.answer(Pick("done"))
        except IllegalAction:
            self.witness.look(self.now_ms)
            return False
        if not intent.is_made(self.match):
            self.figures.counts["sealed"] += 1
            steps = [step.acted.action for step in intent.steps(self.match)]
            self.findings.append(intent.tape(performance, [f"SEALED as {steps} by a hasty done 60 ms later"]))
        return True

    def _judge(self, intent: Intent, performance: PlayedGesture, evidence: Evidence, *, is_whole: bool) -> None:
        """Count what the table made of the move before anybody reacts to it."""
        is_quiet = not self.board.asked and not self.view.wrong
        stands = bool(intent.steps(self.match)) or intent.has_changed_earlier(self.match)
        outcome = Outcome(
            intent,
            performance,
            evidence,
            self.witness,
            self.match,
            is_other=is_quiet and stands and not intent.is_made(self.match),
            is_offered=self._true_rival(intent) is not None,
            is_whole=is_whole,
        )
        outcome.count(self.figures)
        self.findings += outcome.findings()

    # --- until it agrees --------------------------------------------------------------------------------------------

    def _agree(self, intent: Intent) -> None:
        for tries in range(MOST_TRIES):
            if self._is_right(intent):
                return
            self.figures.counts["helped"] += tries == 0 and not self.board.asked
            self._react(intent, tries)
            self.rest()
        self.figures.counts["stuck"] += 1
        self.findings.append(f"# STUCK: {intent.words} view={self.view.prompt} wrong={self.view.wrong}")
        raise Stuck(intent.words)

    def _is_right(self, intent: Intent) -> bool:
        asked = self.board.asked
        agrees = not asked and not self.view.wrong and self.pieces == dict(self.match.pieces())
        return agrees and intent.is_made(self.match)

    def _react(self, intent: Intent, tries: int) -> None:
        if self.board.asked:
            self.answer(Pick(self._explanation(intent)))
        elif self.disagreeing():
            self.reseat(self.disagreeing()[0])
        elif intent.is_made(self.match):
            self._tidy()
        elif (rival := self._true_rival(intent)) is not None:
            self.answer(Pick(rival))
        elif self.masked and intent.id in self.option_ids():
            self.answer(Pick(intent.id))
        elif tries % 2 == 0:
            self._redo(intent)
        else:
            self.bring(dict(self.match.pieces()), QUIET)

    def _explanation(self, intent: Intent) -> str:
        """Return what the player answers when the table asks what happened: the truth."""
        ids = [candidate.id for candidate in self.board.asked]
        if intent.id in ids:
            return intent.id
        if TAKE_BACK in ids and self._is_back():
            return TAKE_BACK
        return intent.previous if intent.previous in ids else STILL_MOVING.id

    def _is_back(self) -> bool:
        """Return whether the pieces stand as before the last move that may still be changed."""
        last = self.match.provisional
        return last is not None and self.pieces == dict(self.match.game.pieces(last.before))

    def _true_rival(self, intent: Intent) -> str | None:
        """Return the truth where it is on offer besides what the table believes."""
        rivals = [rival.id for rival in self.board.rivals]
        truth = TAKE_BACK if self._is_back() else intent.id
        return truth if truth in rivals else None

    def _tidy(self) -> None:
        """Make the board look like the match, which is right; adjust what the table names though it is."""
        if self.pieces != dict(self.match.pieces()):
            self.bring(dict(self.match.pieces()), QUIET)
            return
        wrong = self.view.wrong
        for square in (*wrong.missing, *wrong.extra)[:1]:
            self.reseat(square)

    def _redo(self, intent: Intent) -> None:
        """Put everything back as it was before the move, then make it again with care."""
        self.bring(dict(intent.before), QUIET)
        self.rest()
        if intent.steps(self.match) and not self.board.asked:
            return
        if not self.board.asked:
            self.bring(dict(intent.after), QUIET)

    def options(self) -> Sequence[Option]:
        ask = self.session.referee.ask()
        return ask.options if isinstance(ask, PickAsk) else ()

    def option_ids(self) -> list[str]:
        return [option.id for option in self.options()]

    def finish(self) -> Figures:
        self.figures.counts["guided"] = self.witness.guided_in_all
        self.figures.counts["ended"] = self.witness.ended_in_all
        return self.figures

    # --- between moves ----------------------------------------------------------------------------------------------

    def _assent(self) -> str:
        """Return what the player answers where the table is right: that it is, or that nothing has been done yet."""
        board = self.board
        ids = [candidate.id for candidate in board.asked]
        return board.believed.id if board.believed is not None and board.believed.id in ids else STILL_MOVING.id

    def put_right(self) -> None:
        """Make the board look like the match, where the table says it does not; raises Stuck."""
        for _ in range(MOST_TRIES):
            board = self.board
            if board.state is MonitorState.WATCHING and self.pieces == dict(self.match.pieces()):
                return
            if board.asked:
                self.figures.counts["between"] += 1
                self.answer(Pick(self._assent()))
            elif self.view.phase is Phase.SETUP and self.pieces != dict(self.match.pieces()):
                self.set_up()
            elif self.disagreeing():
                self.reseat(self.disagreeing()[0])
            else:
                self.bring(dict(self.match.pieces()), QUIET)
            self.rest()
        self.figures.counts["stuck"] += 1
        self.findings.append(f"# STUCK between moves: {self.view.prompt} {self.view.wrong}")
        raise Stuck(str(self.view.prompt))
