"""A table at one moment, as what draws it and what watches it may know it: nothing in it can be changed."""

from msgspec import Struct

from captains_table.games.contract import Ask, Auction, Square
from captains_table.table.model.match import Match
from captains_table.table.model.view import Phase, Wrong
from captains_table.table.recognition.board_monitor import BoardMonitor, MonitorState
from captains_table.table.recognition.candidates import Candidate
from captains_table.table.recognition.left_to_do import MoveToMake, UnfinishedMove


class BoardSnapshot(Struct, frozen=True):
    """What was known about the board.

    Attributes:
        is_read: whether the match is played on a board whose switches are read.
        occupied: the squares believed to be occupied.
        trouble: what is wrong with the board's link, in words; empty while it is linked.
        state: what the monitor is doing about the board.
        aligning_for: why the board is to be made like the match.
        wrong: how the board differs from the match, if that is to be put right.
        lifted: the squares whose piece is in somebody's hand.
        unfinished: what is left to do of a move of which some pieces were set down; None without one.
        masked: the squares whose switch is ignored for good.
        chattering: the squares whose switch is ignored until it rests.
        suspects: the squares whose switch may be broken.
        options: what may be done on the board now.
        asked: what the board may mean, where that is asked.
        believed: what the match has as the last thing that was done on the board; None without a match.
        rivals: what may have been done as well, and can be chosen in its place.
        to_make: the computer's move that a hand is still to make, if there is one.
        closed: the squares whose switch is closed, those beside the game too.
    """

    is_read: bool
    occupied: frozenset[Square]
    trouble: str
    state: MonitorState
    aligning_for: Phase
    wrong: Wrong
    lifted: tuple[Square, ...]
    unfinished: UnfinishedMove | None
    masked: frozenset[Square]
    chattering: frozenset[Square]
    suspects: tuple[Square, ...]
    options: tuple[Candidate, ...]
    asked: tuple[Candidate, ...]
    believed: Candidate | None = None
    rivals: tuple[Candidate, ...] = ()
    to_make: MoveToMake | None = None
    closed: frozenset[Square] = frozenset()

    @classmethod
    def of(cls, monitor: BoardMonitor) -> "BoardSnapshot":
        """Return what a monitor knows now."""
        return cls(
            is_read=monitor.decision.has_board,
            occupied=monitor.switches.occupied,
            trouble=monitor.switches.trouble,
            state=monitor.state,
            aligning_for=monitor.aligning_for,
            wrong=monitor.wrong(),
            lifted=tuple(monitor.lifted()),
            unfinished=monitor.unfinished(),
            masked=frozenset(monitor.switches.masked),
            chattering=monitor.switches.chattering(),
            suspects=monitor.suspects(),
            options=tuple(monitor.decision.options()),
            asked=monitor.asked,
            believed=monitor.decision.believed(),
            rivals=monitor.rivals(),
            to_make=monitor.to_make,
            closed=monitor.switches.closed,
        )

    @property
    def linked(self) -> bool:
        """Whether the switches are read."""
        return not self.trouble

    @property
    def ignored(self) -> frozenset[Square]:
        """The squares whose switch is ignored now."""
        return self.masked | self.chattering


class TableSnapshot(Struct, frozen=True):
    """A table with a match in hand at one moment.

    Attributes:
        match: the match; only to be read.
        board: what was known about the board.
        ask: what must be decided.
        tumbling: the dice that tumble, 1-based.
    """

    match: Match
    board: BoardSnapshot
    ask: Ask | Auction | None
    tumbling: tuple[int, ...]
