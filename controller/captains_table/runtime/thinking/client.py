"""The table's side of the thinking process: asks one question at a time; to abandon a question, ends the process.

A process that crashes, hangs or gives an invalid answer is restarted, the question is asked again, and players are
told. The classes of questions and answers are here too.
"""

import asyncio
import sys
from collections.abc import Callable, Sequence
from itertools import count, takewhile
from typing import Final

import msgspec
from msgspec import Struct

from captains_table.games.common.computer_seat import ComputerSeat
from captains_table.games.contract import Action, IllegalAction
from captains_table.games.registry import computer_name
from captains_table.phrases import message, message_of, say
from captains_table.process.worker import Backoff, Worker, WorkerFailed, WorkerLimits, log_worker
from captains_table.process.worker_side import encode_line
from captains_table.table.model.entries import Entry
from captains_table.table.model.match import Match
from captains_table.table.model.view import Hint
from captains_table.table.playing.thinking import ThinkRequest

COMMAND: Final = (sys.executable, "-m", "captains_table.runtime.thinking.thinker")
FIRST_PAUSE_S: Final = 0.5
LONGEST_PAUSE_S: Final = 30.0
SOME_FAILURES: Final = 2
WAY_OUT: Final = message("{problem}. Under More, Who plays lets a person play its seat")
LIMITS: Final = WorkerLimits(answer_s=900.0)
"""The limit for an answer, beyond the given thinking time: far more than any level needs on the slowest machine."""


class ThinkingRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A question to the thinking process: a decision of a computer, or advice.

    Attributes:
        kept: how many of the journal entries that the process already has are still valid; the process drops the rest.
        entries: the entries after the valid ones: the start of the match if the match is new, and its actions.
        computer: the computer that decides, such as `aether:3`; empty if advice is wanted.
        seat: the seat that decides.
        think_s: the most seconds to think; `None` if only the computer's level limits the time.
        left_ms: the time left on the seat's clock; `None` without a clock.
    """

    kept: int
    entries: tuple[Entry, ...]
    computer: str
    seat: int
    think_s: float | None = None
    left_ms: int | None = None


class ThinkingAnswer(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The answer of the thinking process.

    Attributes:
        action: the computer's decision; `None` if advice was asked for.
        hint: the advice; `None` if there is no advice, or a decision was asked for.
        error: why the question cannot be answered, in words; empty if it is answered.
        news: a sentence for players while the answer is still to come, such as that an engine is starting; empty when
            that is over; `None` in the answer itself.
    """

    action: Action | None = None
    hint: Hint | None = None
    error: str = ""
    news: str | None = None


TO_THINK: Final = msgspec.json.Decoder(ThinkingRequest)
THOUGHT: Final = msgspec.json.Decoder(ThinkingAnswer)


class NoThinkingAnswer(RuntimeError):
    """The thinking process found no answer; the message says why, in words."""


class ThinkingClient:
    """Runs the thinking process of a table.

    A process that crashes, hangs or gives an invalid answer is ended and restarted with exponential backoff, and the
    question is asked again.

    Args:
        deliver: is called with each question and its answer; raises IllegalAction if the match rejects the answer.
        on_trouble: is called when `trouble` changed.
        command: the command that starts the process.
        report: is called with a sentence about each failure of the process, for the log.

    Attributes:
        think_s: the most seconds to think; `None`: only a computer's level limits the time.
        trouble: a sentence for players that says why there is no answer; empty without trouble, and once the process
            thinks again.
    """

    def __init__(
        self,
        deliver: Callable[[ThinkRequest, ThinkingAnswer], None],
        on_trouble: Callable[[], None],
        command: Sequence[str] = COMMAND,
        report: Callable[[str], None] = log_worker,
    ) -> None:
        self._deliver = deliver
        self._on_trouble = on_trouble
        self.think_s: float | None = None
        self._report = report
        self._worker = Worker(command, THOUGHT.decode, LIMITS)
        self._question: ThinkRequest | None = None
        self._asking: asyncio.Task[None] | None = None
        self._news = ""  # about the present question
        self._known: list[Entry] = []  # the entries of the match that the process has
        self.trouble = ""

    def follow(self, question: ThinkRequest | None, match: Match | None) -> None:
        """Have the process think about a question; abandon a previous, different question at once.

        Args:
            question: the question; `None`: there is nothing to think about.
            match: the match that the question is about; `None` without a match.
        """
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
        """Add arguments to the command that starts the process, and end the process; the next question restarts it."""
        self._worker.kill()
        self._worker.command = (*self._worker.command, *arguments)

    def close(self) -> None:
        """Abandon the question, and end the process."""
        self._abandon()
        self._worker.close()

    def _abandon(self) -> None:
        """Abandon the question that is being thought about, if there is one, by ending the process."""
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

    async def _ask(self, question: ThinkRequest, entries: Sequence[Entry], left_ms: int | None) -> None:
        """Ask the question until there is an answer that the match accepts, or until another question replaces it."""
        backoff = Backoff(FIRST_PAUSE_S, LONGEST_PAUSE_S)
        for failures in count(1):
            try:
                thought = await self._answer(question, entries, left_ms)
                self._question = None  # an equal question counts as a new one from here on
                self._asking = None  # `deliver` may ask the next question
                self._say("")
                self._deliver(question, thought)
            except (NoThinkingAnswer, WorkerFailed, IllegalAction) as error:
                if self._question not in {None, question}:
                    return
                self._end_worker()
                self._ask_again(question)
                words = self._words_of(question, error)
                has_way_out = question.computer and failures >= SOME_FAILURES
                self._say(say(WAY_OUT, problem=words) if has_way_out else words)
            else:
                return
            await backoff.pause()

    def _words_of(self, question: ThinkRequest, error: Exception) -> str:
        """Return a sentence for players about a missing answer; details about the process go to the log."""
        sitter = ComputerSeat.parsed(question.computer) if question.computer else None
        if isinstance(error, WorkerFailed):
            who = sitter.title if sitter else say("The adviser")
            self._report(f"{who} stopped thinking: its process {error}")
            return say("{computer} stopped thinking; asked again", who)
        who = computer_name(sitter) if sitter else say("The adviser")
        return say("{computer} does not answer: {error}. It is asked again", who, message_of(error))

    def _ask_again(self, question: ThinkRequest) -> None:
        """Let the running task ask the question again; cancel any other task that was started in the meantime."""
        this = asyncio.current_task()
        if self._asking is not None and self._asking is not this:
            self._asking.cancel()
        self._question, self._asking = question, this

    async def _answer(self, question: ThinkRequest, entries: Sequence[Entry], left_ms: int | None) -> ThinkingAnswer:
        """Ask the process once and return its answer; start the process first if necessary.

        Raises NoThinkingAnswer or WorkerFailed.
        """
        if not self._worker.is_running:
            self._known = []
            await self._worker.start()
        known = self._count_known(entries)
        self._known = list(entries)
        asked = ThinkingRequest(
            known, tuple(entries[known:]), question.computer, question.seat, think_s=self.think_s, left_ms=left_ms
        )
        self._news = ""
        thought = await self._worker.ask(
            encode_line(asked),
            extra_s=self.think_s or 0,
            on_life=lambda: self._say(self._news),
            is_news=self._take_news,
        )
        if thought.error:
            raise NoThinkingAnswer(thought.error)
        if thought.action is None and question.computer:
            raise WorkerFailed("answered nothing")
        return thought

    def _take_news(self, thought: ThinkingAnswer) -> bool:
        """Show the news in a message of the process to players, and return whether there is any."""
        if thought.news is not None:
            self._news = thought.news
            self._say(self._news)
        return thought.news is not None

    def _count_known(self, entries: Sequence[Entry]) -> int:
        """Return how many of a match's first entries the worker process has already received."""
        pairs = zip(self._known, entries, strict=False)
        return sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], pairs))
