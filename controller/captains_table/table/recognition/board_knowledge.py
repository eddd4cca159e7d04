"""What one table knows about its board: what the switches say, what is asked, what is wrong, what was done on it."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from captains_table.games.contract import Square
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Phase, Wrong
from captains_table.table.recognition.candidates import Candidate
from captains_table.table.recognition.decision import Decision
from captains_table.table.recognition.doubt import Doubt
from captains_table.table.recognition.monitor_state import WATCHED, MonitorState
from captains_table.table.recognition.recovery import wrong_squares
from captains_table.table.recognition.story_beginning import Testimony
from captains_table.table.recognition.switch_health import SwitchReport
from captains_table.table.recognition.switch_states import SwitchStates
from captains_table.table.recognition.unfinished import UnfinishedMove

if TYPE_CHECKING:
    from captains_table.table.recognition.move_to_make import MoveToMake


class BoardKnowledge:
    """What one table knows about its board; `BoardMonitor` comes to know it.

    Attributes:
        state: what the table is doing about the board.
        aligning_for: why the board is to be made like the match, if it is.
        asked: what the players are asked about.
        asked_is_sure: whether nothing is missing but their choice.
        to_make: the computer's move that a hand is still to make, if there is one.
    """

    def __init__(self, settings: Settings, occupied: frozenset[Square] = frozenset()) -> None:
        self._settings = settings
        self._switches = SwitchStates(occupied)
        self._decision = Decision(self._switches, settings)
        self._changed_ms = 0
        self._dismissed = False
        self._accepted: set[tuple[Candidate | None, Candidate]] = set()
        self._doubt = Doubt(settings)
        self._phase = Phase.PLAYING
        self.state = MonitorState.WATCHING
        self.aligning_for = Phase.PLAYING
        self.asked: tuple[Candidate, ...] = ()
        self.asked_is_sure = False
        self._tells_apart = False
        self.to_make: MoveToMake | None = None

    # --- what others may know ---------------------------------------------------------------------------------------

    @property
    def occupied(self) -> frozenset[Square]:
        """The squares of the game believed to be occupied."""
        return self._switches.occupied

    @property
    def closed(self) -> frozenset[Square]:
        """The squares whose switch is believed to be closed, beside the game too."""
        return self._switches.closed

    @property
    def changed_ms(self) -> int:
        """When the board last changed."""
        return self._changed_ms

    @property
    def masked(self) -> set[Square]:
        """The squares whose switch says nothing because somebody said so."""
        return self._switches.masked

    @masked.setter
    def masked(self, squares: set[Square]) -> None:
        self._switches.masked = squares

    @property
    def trouble(self) -> str:
        """What is wrong with the board's link, in words; nothing while it is linked."""
        return self._switches.trouble

    @property
    def linked(self) -> bool:
        """Whether the switches are read."""
        return self._switches.linked

    @property
    def has_board(self) -> bool:
        """Whether the match is played on a board that is read."""
        return self._decision.has_board

    def ignored(self) -> frozenset[Square]:
        """Return the squares whose switch says nothing now: masked, or chattering."""
        return self._switches.ignored()

    def chattering(self) -> frozenset[Square]:
        """Return the squares whose switch chatters and nobody masked."""
        return self._switches.chattering()

    def suspects(self) -> tuple[Square, ...]:
        """Return the squares whose switch may be broken: the board has long been wrong there and nowhere else."""
        return self._doubt.suspects(self.wrong())

    def reports(self) -> list[SwitchReport]:
        """Return the health of every switch of the board."""
        match, suspects = self._decision.match, self.suspects()
        shape = match.game.shape if match is not None and self.has_board else None
        squares = shape.squares() if shape is not None else ()
        return [self._switches.report(square, suspect=square in suspects) for square in squares]

    def wrong(self) -> Wrong:
        """Return how the board differs from the match, if that is to be put right."""
        match = self._decision.match
        if match is None or not (self._is_shown_wrong() and self.has_board):
            return Wrong()
        return wrong_squares(match.pieces(), self.occupied, self.ignored())

    def _is_shown_wrong(self) -> bool:
        return self.linked and self.state in (MonitorState.RECOVERING, MonitorState.ALIGNING)

    def lifted(self) -> list[Square]:
        """Return the squares whose piece is in somebody's hand, as far as nothing is put anywhere else meanwhile.

        Of a board that is not read nobody knows.
        """
        is_elsewhere = bool(self.occupied - self._decision.home - self.ignored())
        if not self.linked or self.state not in WATCHED:
            return []
        if self.state is MonitorState.RECOVERING and is_elsewhere:
            return []
        return self._decision.lifted()

    def unfinished(self) -> UnfinishedMove | None:
        """Return what is left to do of a move of which some pieces were set down, None if there is none."""
        return self._decision.unfinished() if self.state in WATCHED and self.linked else None

    def options(self) -> list[Candidate]:
        """Return what may be done on the board, prepared once a decision."""
        return self._decision.options()

    def unreadable(self) -> Collection[str]:
        """Return the ids of options that an ignored switch hides, so that a menu must offer them."""
        return self._decision.unreadable()

    # --- what may have been done on it ------------------------------------------------------------------------------

    def stories(self) -> tuple[Candidate, ...]:
        """Return what may have been done by the stories that fit, none where it is only one."""
        stories = self._decision.stories() if self._is_telling() else []
        return tuple(stories) if len(stories) > 1 else ()

    def believed(self) -> Candidate | None:
        """Return what the match has as the last thing that was done on the board."""
        return self._decision.believed()

    def rivals(self) -> tuple[Candidate, ...]:
        """Return what may have been done as well as what the match has, while the board rests so."""
        is_resting = self._is_telling() and self.state is MonitorState.WATCHING and not self._dismissed
        if not is_resting or not self._decision.is_home():
            return ()
        return tuple(story for story in self._decision.stories() if story != self.believed())

    def testimony(self) -> Testimony | None:
        """Return what the switches said while the board rests as the match has it, `None` while hands are at work."""
        is_resting = self._is_telling() and self.state in (MonitorState.WATCHING, MonitorState.ASKING)
        return self._decision.testimony() if is_resting and self._decision.is_home() else None

    def _is_telling(self) -> bool:
        return self.has_board and self.linked and self.state is not MonitorState.ALIGNING
