"""Watching the board for one decision after another: debounced switches, what was touched, and what that means."""

from collections.abc import Collection, Iterable
from enum import Enum, auto

from captains_table.games.contract import Square
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Phase, Wrong
from captains_table.table.recognition.candidates import Candidate, candidates
from captains_table.table.recognition.debounce import Debouncer, Settled
from captains_table.table.recognition.last_move import LastMove
from captains_table.table.recognition.recognizer import Accept, Evidence, Recover, Unmoved, Verdict, Wait, Which, judge
from captains_table.table.recognition.recovery import wrong_squares
from captains_table.table.recognition.switch_health import Condition, SwitchHealth, SwitchReport
from captains_table.table.recognition.touches import Touches

MOST_SUSPECTS = 1  # more squares than that are wrong because pieces stand wrong
DOUBT_FACTOR = 2  # the board stays wrong twice as long as it may stand undecided before its switches are doubted
THINKING_FACTOR = 5  # where pieces are only missing they may be in somebody's hand


class MonitorState(Enum):
    """What the watch is doing about the board."""

    WATCHING = auto()
    RECOVERING = auto()  # the board fits nothing: the way home is shown until it is right again
    ASKING = auto()  # the board fits several things
    ALIGNING = auto()  # the board is to be made like the match before anything is recognised


class BoardMonitor:
    """What one table knows about its switches."""

    def __init__(self, settings: Settings, occupied: frozenset[Square] = frozenset()) -> None:
        self._settings = settings
        self._switches = Debouncer(settings.debounce_ms, occupied)
        self._match: Match | None = None
        self._candidates: list[Candidate] | None = None
        self._home: frozenset[Square] = frozenset()
        self._touches = Touches()
        self._last = LastMove()
        self._changed_ms = 0
        self._dismissed = False
        self._is_long_wrong = False
        self._health = SwitchHealth()
        self.masked: set[Square] = set()
        self.trouble = ""  # what is wrong with the board's link, in words; nothing while it is linked
        self._phase = Phase.PLAYING
        self._was_read = False
        self.state = MonitorState.WATCHING
        self.aligning_for = Phase.PLAYING
        self.asked: tuple[Candidate, ...] = ()
        self.asked_is_sure = False

    # --- what others may know ---------------------------------------------------------------------------------------

    @property
    def occupied(self) -> frozenset[Square]:
        """The squares believed to be occupied."""
        return self._switches.occupied

    @property
    def linked(self) -> bool:
        """Whether the switches are read."""
        return not self.trouble

    @property
    def has_board(self) -> bool:
        """Whether the match is played on the board at all."""
        return self._match is not None and self._match.game.shape is not None

    def ignored(self) -> frozenset[Square]:
        """Return the squares whose switch says nothing now: masked, or chattering."""
        return self._health.chattering() | self.masked

    def chattering(self) -> frozenset[Square]:
        """Return the squares whose switch chatters and nobody masked."""
        return self._health.chattering() - self.masked

    def suspects(self) -> tuple[Square, ...]:
        """Return the squares whose switch may be broken: the board has long been wrong there and nowhere else."""
        wrong = self.wrong()
        squares = (*wrong.missing, *wrong.extra)
        return squares if self._is_long_wrong and len(squares) <= MOST_SUSPECTS else ()

    def reports(self) -> list[SwitchReport]:
        """Return the health of every switch of the board."""
        shape = self._match.game.shape if self._match is not None else None
        suspects = self.suspects()
        return [
            self._health.report(
                square,
                closed=square in self.occupied,
                condition=Condition.MASKED
                if square in self.masked
                else Condition.SUSPECT
                if square in suspects
                else Condition.GOOD,
            )
            for square in (shape.squares() if shape is not None else ())
        ]

    def wrong(self) -> Wrong:
        """Return how the board differs from the match, if that is to be put right."""
        if (
            self._match is None
            or not self.has_board
            or not self.linked
            or self.state not in (MonitorState.RECOVERING, MonitorState.ALIGNING)
        ):
            return Wrong()
        return wrong_squares(self._match.pieces(), self.occupied, self.ignored())

    def lifted(self) -> list[Square]:
        """Return the squares whose piece is in somebody's hand, as far as nothing is put anywhere else meanwhile."""
        is_watched = self.state in (MonitorState.WATCHING, MonitorState.RECOVERING)
        if not is_watched or (self.state is MonitorState.RECOVERING and self.occupied - self._home - self.ignored()):
            return []
        return sorted(self._home - self.occupied - self.ignored())

    def options(self) -> list[Candidate]:
        """Return what may be done on the board, prepared once a decision."""
        if self._candidates is None:
            self._candidates = candidates(self._match) if self._match is not None and self.has_board else []
        return self._candidates

    def unreadable(self) -> Collection[str]:
        """Return the ids of options that an ignored switch hides, so that a menu must offer them."""
        ignored = self.ignored()
        if not ignored:
            return ()
        return {option.id for option in self.options() if not option.takes_back and option.footprint.changed & ignored}

    # --- decisions --------------------------------------------------------------------------------------------------

    def decide(self, match: Match | None, *, phase: Phase = Phase.PLAYING, going_on: bool = False) -> None:
        """Begin a decision: the board should now be as the match has it.

        Args:
            match: the match; none when no match is played.
            phase: why the board may differ: set-up, restoring, or a move that was made elsewhere.
            going_on: whether hands may have begun already with what is decided now.
        """
        if match is not self._match:
            self._touches.clear()
        touched = self._touches.copy()
        self._match = match
        self._candidates = None
        self._last.follow(match if self.has_board else None, self._touches)
        self._home = frozenset(match.pieces()) if match is not None and self.has_board else frozenset()
        self._touches.clear()
        self._dismissed = self._is_long_wrong = False
        self.asked = ()
        self._phase = phase
        self._align()
        if going_on and self.state is MonitorState.ALIGNING:
            self.state, self.aligning_for, self._touches = MonitorState.WATCHING, Phase.PLAYING, touched

    def _align(self) -> None:
        """Have the board made like the match, if it is not."""
        self.state, self.aligning_for = MonitorState.WATCHING, Phase.PLAYING
        if self.has_board and self.linked and not self._is_home():
            self.state, self.aligning_for = MonitorState.ALIGNING, self._phase

    # --- switches ---------------------------------------------------------------------------------------------------

    def switch(self, square: Square, *, closed: bool, now_ms: int) -> None:
        """Take in a raw switch change."""
        if self.linked:
            self._health.on_change(square)
            self._switches.changed(square, closed=closed, now_ms=now_ms)

    def lose_link(self, trouble: str) -> None:
        """Know that the switches are not read, or not any more, and why."""
        self.trouble = trouble

    def read(self, occupied: frozenset[Square], now_ms: int) -> None:
        """Take in a whole board, as after a dropped link: what differs from before was touched meanwhile.

        Of a board that was never read before nobody knows what was touched: it is to be made like the match.
        """
        differing = self.occupied ^ occupied if self._was_read else frozenset()
        self._switches.read(occupied)
        self.trouble = ""
        if not self._was_read:
            self._was_read = True
            self._align()
        for square in differing:
            self._touch(square, closed=square in occupied, at_ms=now_ms)
        self._look(now_ms)

    def place_all(self, occupied: frozenset[Square], now_ms: int) -> None:
        """Take in that the pieces were put where they belong in one go, as the simulated table can."""
        self._was_read = True
        self._switches.read(occupied)
        self._look(now_ms)

    def mask(self, square: Square, now_ms: int) -> None:
        """Let a switch say nothing from now on."""
        self.masked.add(square)
        self._look(now_ms)

    def _touch(self, square: Square, *, closed: bool, at_ms: int) -> None:
        self._touches.note(square, closed=closed, at_ms=at_ms)
        self._last.touches.note(square, closed=closed, at_ms=at_ms)

    def _look(self, now_ms: int) -> None:
        """Look at the board anew after something changed."""
        self._changed_ms = now_ms
        self._dismissed = self._is_long_wrong = False
        if self.state is MonitorState.ASKING:
            self.state, self.asked = MonitorState.WATCHING, ()
        if self._last.before is not None and self._is_like(self._last.before):
            self._last.touches.clear()
        if self._is_home():
            self._touches.clear()
            self.state = MonitorState.WATCHING

    def _is_like(self, home: frozenset[Square]) -> bool:
        return not (self.occupied ^ home) - self.ignored()

    def _is_home(self) -> bool:
        return self._is_like(self._home)

    # --- time -------------------------------------------------------------------------------------------------------

    def due_ms(self) -> int | None:
        """Return when something may be believed or said if nothing else happens."""
        dues = [self._switches.due_ms(), self._verdict_due_ms(), self._health.rest_due_ms(), self._doubt_due_ms()]
        return min((due for due in dues if due is not None), default=None)

    def _verdict_due_ms(self) -> int | None:
        if not self._is_judging():
            return None
        verdict = self._verdict(self._changed_ms)
        timeout_ms, said = (verdict.quiet_ms, verdict.then) if isinstance(verdict, Wait) else (0, verdict)
        if isinstance(said, Unmoved) or (isinstance(said, Recover) and self.state is MonitorState.RECOVERING):
            return None
        return self._changed_ms + timeout_ms

    def _doubt_due_ms(self) -> int | None:
        """Return when a board that stays wrong makes its switches suspect."""
        is_wrong = (
            self.state in (MonitorState.RECOVERING, MonitorState.ALIGNING) and self.linked and not self._is_long_wrong
        )
        if not is_wrong:
            return None
        factor = DOUBT_FACTOR if self.wrong().extra else THINKING_FACTOR
        return self._changed_ms + self._settings.ask_ms * factor

    def _is_judging(self) -> bool:
        playing = self.has_board and self.linked and self.state in (MonitorState.WATCHING, MonitorState.RECOVERING)
        return playing and not self._dismissed and (self._last.invalidated or not self._is_home())

    def _verdict(self, now_ms: int) -> Verdict:
        evidence = Evidence(
            self._home, self.occupied, self._touches, self._last.touches, self.ignored(), self._last.invalidated
        )
        return judge(evidence, self.options(), self._settings, now_ms - self._changed_ms)

    def advance(self, now_ms: int) -> Candidate | None:
        """Believe the oldest ripe change and judge the board; return the candidate to accept, if there is one.

        To be called again while something is due: one change at a time, so that none is passed over.
        """
        change = self._switches.settle(now_ms)
        if change is not None:
            self._believe(change)
        elif rested := self._health.rested(now_ms):
            for square in rested:
                self._touch(square, closed=square in self.occupied, at_ms=now_ms)
            self._look(now_ms)
        doubt_ms = self._doubt_due_ms()
        if doubt_ms is not None and doubt_ms <= now_ms:
            self._is_long_wrong = True
        return self._consider(self._verdict(now_ms)) if self._is_judging() else None

    def _believe(self, change: Settled) -> None:
        """Take in a believed change; one of a switch that is ignored says nothing."""
        was_ignored = self.ignored()
        self._health.believed(change.square, change.at_ms)
        self._last.note_chatter(self.ignored() - was_ignored)
        if change.square not in was_ignored:
            self._touch(change.square, closed=change.closed, at_ms=change.at_ms)
            self._look(change.at_ms)

    def flush(self, now_ms: int) -> Candidate | None:
        """Return the move that only waits for a possible longer one: a press of a button says it is finished."""
        if not self._is_judging():
            return None
        verdict = self._verdict(now_ms)
        return verdict.then.candidate if isinstance(verdict, Wait) and isinstance(verdict.then, Accept) else None

    def is_unfinished(self) -> bool:
        """Return whether hands are at work: the board differs from the match, and not because the table changed it."""
        is_playing = self.has_board and self.linked and self.state is not MonitorState.ALIGNING
        return is_playing and not self._is_home()

    def has_begun(self, options: Iterable[Candidate]) -> bool:
        """Return whether what differs on the board is part of one of these."""
        differing = (self.occupied ^ self._home) - self.ignored()
        return any(differing <= option.footprint.changed for option in options)

    def force(self, now_ms: int) -> None:
        """Ask or guide at once: somebody says that he has finished, but the board is not clear."""
        if self._is_judging():
            verdict = self._verdict(now_ms)
            self._consider(verdict.then if isinstance(verdict, Wait) else verdict)

    def _consider(self, verdict: Verdict) -> Candidate | None:
        match verdict:
            case Accept(candidate):
                return candidate
            case Which(asked, sure):
                self.state, self.asked, self.asked_is_sure = MonitorState.ASKING, asked, sure
            case Recover():
                self.state = MonitorState.RECOVERING
            case Unmoved() | Wait():
                pass
        return None

    def put_off_doubt(self, now_ms: int) -> None:
        """Doubt no switch for another while: the board is being put right."""
        self._is_long_wrong = False
        self._changed_ms = now_ms

    def dismiss(self) -> None:
        """Leave the question which of several things was done, until the board changes."""
        self.state, self.asked, self._dismissed, self._last.invalidated = MonitorState.WATCHING, (), True, False
