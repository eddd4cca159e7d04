"""One decision on the board: what it started from, what may be done, and what has been touched since."""

from collections.abc import Collection, Iterable

from captains_table.games.contract import Square
from captains_table.table.model.match import Match
from captains_table.table.recognition.candidates import Candidate, candidates
from captains_table.table.recognition.last_move import LastMove
from captains_table.table.recognition.recognizer import Evidence, exchanged, half_made
from captains_table.table.recognition.switch_states import SwitchStates
from captains_table.table.recognition.touches import Touches
from captains_table.table.recognition.unfinished import UnfinishedMove


class Decision:
    """What the switches have said about one decision; another one is begun by `begin`.

    Args:
        switches: the board's switches.

    Attributes:
        match: the match that is decided on; None when none is played.
        home: the squares occupied when the decision began.
        last: the last move while it may still be changed.
    """

    def __init__(self, switches: SwitchStates) -> None:
        self._switches = switches
        self.match: Match | None = None
        self.home: frozenset[Square] = frozenset()
        self.last = LastMove()
        self._touches = Touches()
        self._candidates: list[Candidate] | None = None

    @property
    def has_board(self) -> bool:
        """Whether the match is played on the board at all."""
        return self.match is not None and self.match.game.shape is not None

    def begin(self, match: Match | None) -> Touches:
        """Begin a decision, and return what was touched during the one before."""
        if match is not self.match:
            self._touches.clear()
        touched = self._touches.copy()
        self.match = match
        self._candidates = None
        self.last.follow(match if self.has_board else None, self._touches)
        self.home = frozenset(match.pieces()) if match is not None and self.has_board else frozenset()
        self._touches.clear()
        return touched

    def go_on_with(self, touches: Touches) -> None:
        """Count what was touched before as part of this decision."""
        self._touches = touches

    # --- what may be done -------------------------------------------------------------------------------------------

    def options(self) -> list[Candidate]:
        """Return what may be done on the board, prepared once."""
        if self._candidates is None:
            self._candidates = candidates(self.match) if self.match is not None and self.has_board else []
        return self._candidates

    def unreadable(self) -> Collection[str]:
        """Return the ids of options that an ignored switch hides, so that a menu must offer them."""
        ignored = self._switches.ignored()
        if not ignored:
            return ()
        return {option.id for option in self.options() if not option.takes_back and option.footprint.changed & ignored}

    # --- what was done ----------------------------------------------------------------------------------------------

    def touch(self, square: Square, at_ms: int) -> None:
        """Note that a switch spoke, as it now says."""
        closed = square in self._switches.occupied
        self._touches.note(square, closed=closed, at_ms=at_ms)
        self.last.touches.note(square, closed=closed, at_ms=at_ms)

    def forget_what_came_to_nothing(self, *, watched: bool) -> bool:
        """Forget what was touched where the board is again as it was, and return whether it is as the decision began.

        Args:
            watched: whether moves are recognised now; else nothing that was done on the board counts as one.
        """
        if self.last.before is not None and self._switches.agree(self.last.before):
            self.last.touches.clear()
        if self.is_home() and not (watched and self.is_exchanged()):
            self._touches.clear()
        return self.is_home()

    def is_home(self) -> bool:
        """Return whether the same squares are occupied as when the decision began."""
        return self._switches.agree(self.home)

    def is_exchanged(self) -> bool:
        """Return whether pieces may have changed places, with nothing to be seen of it but the touches."""
        return bool(self._touches.opened_ms) and bool(exchanged(self.evidence(), self.options()))

    def differs(self) -> bool:
        """Return whether something may have been done."""
        return not self.is_home() or self.is_exchanged()

    def has_begun(self, options: Iterable[Candidate]) -> bool:
        """Return whether what differs on the board is part of one of these."""
        differing = (self._switches.occupied ^ self.home) - self._switches.ignored()
        return any(differing <= option.footprint.changed for option in options)

    def lifted(self) -> list[Square]:
        """Return the squares whose piece is not on them any more."""
        return sorted(self.home - self._switches.occupied - self._switches.ignored())

    def unfinished(self) -> UnfinishedMove | None:
        """Return what is left to do of moves of which some pieces were set down, None if there is none."""
        evidence = self.evidence()
        begun = half_made(evidence, self.options())
        done = [evidence.set_down(candidate.footprint) for candidate in begun]
        return UnfinishedMove.of(begun, done, self._switches.occupied) if begun else None

    def evidence(self) -> Evidence:
        """Return what the switches say."""
        return Evidence(
            self.home,
            self._switches.occupied,
            self._touches,
            self.last.touches,
            self._switches.ignored(),
            self.last.invalidated,
        )
