"""The computers at a table: they think about what they are to decide, and do it."""

from collections.abc import Callable
from pathlib import Path

from captains_table import catalog
from captains_table.games.captains_chess import CaptainsChess
from captains_table.runtime.driver import TableDriver
from captains_table.runtime.table_loop import TableLoop
from captains_table.runtime.thinking.desk import ThinkingDesk
from captains_table.runtime.thinking.messages import Thought
from captains_table.runtime.uci_engine import engine_opponent, try_engine
from captains_table.table.playing.computer_turn import Question


class Computers:
    """Decide for the seats that are theirs, and advise where people ask for it.

    Args:
        table: the table that is played at.
        loop: lets things happen at it.
        on_trouble: is called when `trouble` changed.
    """

    def __init__(self, table: TableDriver, loop: TableLoop, on_trouble: Callable[[], None]) -> None:
        self._table = table
        self._loop = loop
        self._thinking = ThinkingDesk(self._take_thought, on_trouble)

    @property
    def trouble(self) -> str:
        """Why nobody thinks, in a sentence; empty while all is well."""
        return self._thinking.trouble

    def follow(self) -> None:
        """Have that thought about which is to be decided now, and nothing else."""
        session = self._table.session
        self._thinking.follow(session.question(), session.match)

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
        table, action = self._table, thought.action
        if action is None:
            self._loop.do_unasked(lambda now_ms: table.take_advice(question.revision, thought.hint, now_ms))
        else:
            self._loop.do_unasked(lambda now_ms: table.answer_computer(question.revision, action, now_ms))
