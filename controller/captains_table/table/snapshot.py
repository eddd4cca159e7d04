"""Immutable snapshots of a table and its board at one moment, from which views are drawn."""

from msgspec import Struct

from captains_table.games.contract import Ask, Auction, Square
from captains_table.table.model.match import Match
from captains_table.table.model.view import BoardDifference, Phase
from captains_table.table.recognition.board_monitor import BoardMonitor, MonitorState
from captains_table.table.recognition.candidates import Candidate
from captains_table.table.recognition.instructions import MoveToMake, UnfinishedMove


class BoardSnapshot(Struct, frozen=True):
    """The state of the board at one moment.

    Attributes:
        is_read: whether the match is played on a board whose switches are read.
        occupied: the squares that count as occupied by a piece.
        trouble: what is wrong with the link to the board, as a sentence; empty while the link works.
        state: the state of the monitor: watching moves, recovering, asking or aligning.
        aligning_for: the phase in which the board must be made like the match: set-up, restoring, or playing (after a
            move that was made elsewhere).
        wrong: how the board differs from the match, if it must be put right.
        lifted: the squares from which a piece is lifted.
        unfinished: what must still be done to complete a move made halfway; `None` if no move was made halfway.
        masked: the squares whose switch is ignored permanently.
        chattering: the squares whose switch is ignored until it stops bouncing.
        suspects: the squares whose switch may be broken.
        options: the candidates for the next move on the board.
        asked: the candidates among which the players are asked to choose.
        believed: the match's last move as a candidate; `None` without a match on a board.
        rivals: the candidates that fit the board and may be chosen instead of `believed`.
        to_make: the computer's move that a person must still make on the board; `None` if there is none.
        closed: the squares whose switch is closed, including squares that the game does not use.
    """

    is_read: bool
    occupied: frozenset[Square]
    trouble: str
    state: MonitorState
    aligning_for: Phase
    wrong: BoardDifference
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
        """Return the current state of a monitor's board."""
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
        """Whether the switches can be read."""
        return not self.trouble

    @property
    def ignored(self) -> frozenset[Square]:
        """The squares whose switch is ignored now, permanently or until it stops bouncing."""
        return self.masked | self.chattering


class TableSnapshot(Struct, frozen=True):
    """The state of a table with a match at one moment.

    Attributes:
        match: the match; callers must not change it.
        board: the state of the board.
        ask: what must be decided; `None` if nothing is asked.
        tumbling: the numbers of the dice that tumble, counted from 1.
    """

    match: Match
    board: BoardSnapshot
    ask: Ask | Auction | None
    tumbling: tuple[int, ...]
