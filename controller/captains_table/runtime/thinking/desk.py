"""Has what computers decide thought about beside the table: one process, one question, ended as soon as it is moot."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Final

import msgspec
from msgspec import Struct

from captains_table.games.common.sitter import Sitter
from captains_table.games.contract import Action, IllegalAction
from captains_table.process.answering import line_of
from captains_table.process.worker import Backoff, Limits, Worker, WorkerFailed, log
from captains_table.table.model.entries import Entry
from captains_table.table.model.match import Match
from captains_table.table.model.view import Hint
from captains_table.table.playing.computer_turn import Question

COMMAND: Final = (sys.executable, "-m", "captains_table.runtime.thinking.mind")
FIRST_PAUSE_S: Final = 0.5
LONGEST_PAUSE_S: Final = 30.0
LIMITS: Final = Limits(answer_s=900.0)
"""An answer may take so long beyond the time that was given: far more than a level does on the slowest machine."""


class ToThink(Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be thought about.

    Attributes:
        kept: how many entries of the match the process has already; those after them are forgotten.
        entries: what follows: how the match began, and the actions that stand.
        computer: who decides, as `aether:3`; empty: advice is wanted.
        seat: for which seat.
        think_s: for how long at most, next to what its level takes; `None`: that alone.
        left_ms: what is left on the seat's clock; `None` without one.
    """

    kept: int
    entries: tuple[Entry, ...]
    computer: str
    seat: int
    think_s: float | None = None
    left_ms: int | None = None


class Thought(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What came of it.

    Attributes:
        action: what a computer answers.
        hint: advice, `None` where there is none to give.
        error: why there is neither, in words.
    """

    action: Action | None = None
    hint: Hint | None = None
    error: str = ""


TO_THINK: Final = msgspec.json.Decoder(ToThink)
THOUGHT: Final = msgspec.json.Decoder(Thought)


class NoThought(RuntimeError):
    """Nothing came of thinking: why, in words."""


class ThinkingDesk:
    """The thinking process of a table.

    A process that crashed, hangs or answers nonsense is ended and started again, at longer and longer intervals, and
    the question is put to it again.

    Args:
        deliver: is given what was thought with its question; raises IllegalAction where the match does not take it.
        on_trouble: is called when `trouble` changed.
        command: what starts the process.
        report: is told why a process was of no use, for the log.

    Attributes:
        think_s: for how long is thought at most, next to what a level takes.
        trouble: why there is no answer, in a sentence; empty while all is well, and once it is thought about again.
    """

    def __init__(
        self,
        deliver: Callable[[Question, Thought], None],
        on_trouble: Callable[[], None],
        command: Sequence[str] = COMMAND,
        report: Callable[[str], None] = log,
    ) -> None:
        self._deliver = deliver
        self._on_trouble = on_trouble
        self.think_s: float | None = None
        self._report = report
        self._worker = Worker(command, THOUGHT.decode, LIMITS)
        self._question: Question | None = None
        self._asking: asyncio.Task[None] | None = None
        self._known: list[Entry] = []  # what the process knows of the match
        self.trouble = ""

    def follow(self, question: Question | None, match: Match | None) -> None:
        """Have this thought about from now on, and nothing else; a thought that is moot by that ends at once."""
        if question == self._question:
            return
        self._abandon()
        self._question = question
        self._say("")
        if question is not None and match is not None:
            entries: list[Entry] = [match.started, *(step.acted for step in match.history)]
            left_ms = None if match.clock is None else match.clock.left_ms(question.seat, None, 0)
            self._asking = asyncio.get_running_loop().create_task(self._ask(question, entries, left_ms))

    def add_arguments(self, *arguments: str) -> None:
        """Start the process with these arguments from now on."""
        self._worker.kill()
        self._worker.command = (*self._worker.command, *arguments)

    def close(self) -> None:
        """Think no more."""
        self._abandon()
        self._worker.close()

    def _abandon(self) -> None:
        """End the thought that is under way."""
        if self._asking is not None and not self._asking.done():
            self._asking.cancel()
            self._end_worker()
        self._asking = None

    def _end_worker(self) -> None:
        self._known = []
        self._worker.kill()

    def _say(self, trouble: str) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            self._on_trouble()

    # --- asking -----------------------------------------------------------------------------------------------------

    async def _ask(self, question: Question, entries: Sequence[Entry], left_ms: int | None) -> None:
        """Ask until there is an answer that the match takes."""
        backoff = Backoff(FIRST_PAUSE_S, LONGEST_PAUSE_S)
        while True:
            try:
                thought = await self._answer(question, entries, left_ms)
                self._question = None  # what is asked next is another question, even if it looks like this one
                self._asking = None  # and finds the process free, even if it is asked while this answer is taken in
                self._say("")
                self._deliver(question, thought)
            except (NoThought, WorkerFailed, IllegalAction) as error:
                if self._question not in {None, question}:
                    return
                self._end_worker()
                self._ask_again(question)
                self._say(self._words_of(question, error))
            else:
                return
            await backoff.pause()

    def _words_of(self, question: Question, error: Exception) -> str:
        """Return in a player's words why there is no answer; what became of the process is the log's."""
        sitter = Sitter.parsed(question.computer) if question.computer else None
        if isinstance(error, WorkerFailed):
            who = sitter.title if sitter else "The adviser"
            self._report(f"{who} stopped thinking: its process {error}")
            return f"{who} stopped thinking; asked again"
        who = sitter.words if sitter else "The adviser"
        return f"{who} does not answer: {error}. It is asked again"

    def _ask_again(self, question: Question) -> None:
        """Let this task go on asking, and no other that was begun when the match did not take the answer."""
        this = asyncio.current_task()
        if self._asking is not None and self._asking is not this:
            self._asking.cancel()
        self._question, self._asking = question, this

    async def _answer(self, question: Question, entries: Sequence[Entry], left_ms: int | None) -> Thought:
        """Return what the process answers; raises NoThought or WorkerFailed."""
        if not self._worker.is_running:
            self._known = []
            await self._worker.start()
        kept = self._count_known(entries)
        self._known = list(entries)
        asked = ToThink(
            kept, tuple(entries[kept:]), question.computer, question.seat, think_s=self.think_s, left_ms=left_ms
        )
        thought = await self._worker.ask(line_of(asked), extra_s=self.think_s or 0, on_life=lambda: self._say(""))
        if thought.error:
            raise NoThought(thought.error)
        if thought.action is None and question.computer:
            raise WorkerFailed("answered nothing")
        return thought

    def _count_known(self, entries: Sequence[Entry]) -> int:
        """Return how many of a match's entries the process knows already."""
        pairs = zip(self._known, entries, strict=False)
        return sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], pairs))
