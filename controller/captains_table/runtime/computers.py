"""The computers at a table: they think about what they are to decide, and do it."""

import contextlib
from collections.abc import Callable
from pathlib import Path

from captains_table import catalog
from captains_table.games.captains_chess import CaptainsChess
from captains_table.runtime.match_archive import CannotRead
from captains_table.runtime.session import Session
from captains_table.runtime.table_loop import TableStopped
from captains_table.runtime.thinking.desk import ThinkingDesk
from captains_table.runtime.thinking.messages import Thought
from captains_table.runtime.uci_engine import engine_opponent, try_engine
from captains_table.table.model.events import AdviceThought, ComputerAnswered, Event
from captains_table.table.playing.computer_turn import Question


class Computers:
    """Decide for the seats that are theirs, and advise where people ask for it.

    Args:
        session: the table at work.
        handle: lets something happen at it.
        on_trouble: is called when `trouble` changed.
    """

    def __init__(self, session: Session, handle: Callable[[Event], None], on_trouble: Callable[[], None]) -> None:
        self._session = session
        self._handle = handle
        self._thinking = ThinkingDesk(self._take_thought, on_trouble)

    @property
    def trouble(self) -> str:
        """Why nobody thinks, in a sentence; empty while all is well."""
        return self._thinking.trouble

    def follow(self) -> None:
        """Have that thought about which is to be decided now, and nothing else."""
        self._thinking.follow(self._session.referee.question(), self._session.match)

    def seat_engine(self, engine: Path) -> None:
        """Let a UCI engine play Captain's Chess too, where somebody seats it; raises BadEngine."""
        try_engine(engine)
        catalog.add_opponent(CaptainsChess.key, engine_opponent(engine))
        self._thinking.add_arguments("--engine", str(engine))

    def think_for(self, seconds: float | None) -> None:
        """Let them think so long at most from their next decision on; `None`: what their levels take."""
        self._thinking.think_s = seconds

    def close(self) -> None:
        """Think no more."""
        self._thinking.close()

    def _take_thought(self, question: Question, thought: Thought) -> None:
        """Take in what was decided, or what is advised; raises IllegalAction."""
        with contextlib.suppress(TableStopped, CannotRead):  # that is told to whoever asks for something
            if thought.action is None:
                self._handle(AdviceThought(question.revision, thought.hint))
            else:
                self._handle(ComputerAnswered(question.revision, thought.action))
