"""Reviews of matches: replays matches in a thread, has decisions analysed in a process, and caches the last results.

A review has the course of the match, the luck and skill of each player, the material balance, and the digest of the
export. The review of a match that is not over ends before the first secret choice. Chess openings are named by the file
of Debian's package scid-data, where it is installed; it is read, not copied.
"""

import asyncio
import re
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from captains_table import catalog
from captains_table.catalog import GameEntry
from captains_table.games.registry import UnknownGame
from captains_table.phrases import message_of, say
from captains_table.players.common.luck import MatchLuck
from captains_table.process.worker import Worker, WorkerFailed, WorkerLimits, log_worker
from captains_table.process.worker_side import encode_line
from captains_table.records.luck import luck_of
from captains_table.runtime.analysis import ANALYSED, COMMAND, AnalysisRequest, reviewer_of, yield_to_loop
from captains_table.runtime.match_archive import reading_journal
from captains_table.runtime.uci_engine import EngineProgram
from captains_table.storage.exports import damage_words, forms_of
from captains_table.storage.journal_file import Damage, JournalFile, MatchJournal
from captains_table.table.history.export import final_digest, public_entries
from captains_table.table.history.review import JudgedDecision, MatchReview
from captains_table.table.model.entries import Entry, MatchEnded, MatchStarted, standing_actions
from captains_table.table.model.match import BadHistory, Match

REVIEWS_KEPT: Final = 3
ANALYSES_KEPT: Final = 8
ACTIONS_AT_ONCE: Final = 8  # judged between two notes of the progress
LIMITS: Final = WorkerLimits(answer_s=3600.0)
"""The limit for one analysis: more than that of the longest match takes on the slowest machine."""
OPENINGS_FILE: Final = Path("/usr/share/scid/data/scid.eco")
_OPENING: Final = re.compile(r'^([A-E]\d\d)\S*\s+"([^"]+)"\s+([^*]*)\*', re.MULTILINE)
_MOVE_NUMBER: Final = re.compile(r"\d+\.+")


class _EngineFailed(Exception):
    """The engine that judges moves has failed."""


class CannotAnalyse(RuntimeError):
    """The decisions of a match cannot be analysed; the message is a sentence that says why."""


@dataclass(frozen=True, slots=True)
class Review:
    """The review of a match, as every spectator may see it.

    Attributes:
        number: the match's number in the journal.
        began: when the match began, ISO 8601.
        game: the key of its game; empty if the beginning of the match cannot be read.
        forms: the formats in which the match can be exported.
        is_current: whether it is the match that is being played.
        is_ended: whether the match's end is written, so that nothing of it can be changed any more.
        story: the match moment by moment; `None` if it cannot be replayed, because its game is not installed or for
            the reason in `why_not`.
        luck: how much of each seat's score was luck and skill; `None` without a story, and if the game has no
            evaluation of its states.
        material: White's piece values minus Black's, at the beginning and after each turn; empty without a story, and
            if the game has no piece values.
        opening: the name of the opening, where it is known; empty otherwise.
        why_not: why the match cannot be replayed although its game is installed; otherwise empty.
        damage: which part of the match cannot be read; `None` if all of it can be read.
        digest: SHA-256 of the match's export, in hexadecimal; empty if the match is not over, is damaged, or has no
            dice that `verify` can prove.
    """

    number: int
    began: str
    game: str
    forms: tuple[str, ...] = ("json",)
    is_current: bool = False
    is_ended: bool = False
    story: MatchReview | None = None
    luck: MatchLuck | None = None
    material: tuple[int, ...] = ()
    opening: str = ""
    why_not: str = ""
    damage: str | None = None
    digest: str = ""


class MatchReviews:
    """Makes reviews and analyses of matches, at most one review and one analysis at a time.

    Args:
        file: the journal of all matches.

    Attributes:
        engines: the UCI engines of the table, the first of which judges the moves of its games.
    """

    def __init__(self, file: JournalFile) -> None:
        self._file = file
        self.engines: Sequence[EngineProgram] = ()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="review")
        self._reviews: OrderedDict[tuple[int, int], Review] = OrderedDict()
        self._worker = Worker(COMMAND, ANALYSED.decode, LIMITS)
        self._analysing = asyncio.Lock()
        self._progress: dict[int, tuple[int, int]] = {}  # of the match that is being analysed
        self._analyses: OrderedDict[int, Sequence[JudgedDecision]] = OrderedDict()

    async def review(self, number: int) -> Review:
        """Return the review of a match as every spectator may see it now; raises NoSuchMatch or CannotRead.

        `is_current` is left for the caller to set.
        """
        with reading_journal():
            journal = self._file.open(number)
            key = number, journal.count()
            if key in self._reviews:
                return self._reviews[key]
            entries, damage = journal.readable()
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._make, key, journal, entries, damage)

    def _make(
        self, key: tuple[int, int], journal: MatchJournal, entries: Sequence[Entry], damage: Damage | None
    ) -> Review:
        if key not in self._reviews:
            self._reviews[key] = review_of(journal.number, journal.began, entries, damage)
            if len(self._reviews) > REVIEWS_KEPT:
                self._reviews.popitem(last=False)
        return self._reviews[key]

    async def analyse(self, number: int) -> Sequence[JudgedDecision]:
        """Return the decisions of a finished match with their costs, as far as they can be judged.

        The results of the matches analysed last are cached. Any other match is analysed by a new worker process.

        Raises:
            NoSuchMatch, CannotRead: the match cannot be read.
            CannotAnalyse: the match is not over, or the analysis failed.
        """
        async with self._analysing:
            if number not in self._analyses:
                self._analyses[number] = await self._analysed(number)
                if len(self._analyses) > ANALYSES_KEPT:
                    self._analyses.popitem(last=False)
            return self._analyses[number]

    async def _analysed(self, number: int) -> Sequence[JudgedDecision]:
        with reading_journal():
            entries, _ = self._file.open(number).readable()
        if not any(isinstance(entry, MatchEnded) for entry in entries):
            raise CannotAnalyse(
                say("Match {number} is not over: decisions are judged when nobody can use that any more.", number)
            )
        started = entries[0]
        entry = catalog.find_entry(started.game) if isinstance(started, MatchStarted) else None
        engine = None if entry is None else reviewer_of(entry, self.engines)
        try:
            with suppress(_EngineFailed):
                return [decision async for decision in self._judged(number, entries, engine)]
            await self._worker.stop()
            return [decision async for decision in self._judged(number, entries, None)]
        except WorkerFailed as error:
            raise CannotAnalyse(
                say("Match {number} could not be analysed: its process {error}.", number, str(error))
            ) from error
        finally:
            self._progress.clear()
            await self._worker.stop()

    async def _judged(
        self, number: int, entries: Sequence[Entry], engine: EngineProgram | None
    ) -> AsyncIterator[JudgedDecision]:
        """Yield the judged decisions of a match; a new process judges some actions at a time, and progress is noted."""
        actions = len(list(standing_actions(entries)))
        await self._worker.start()
        for begin in range(0, max(1, actions), ACTIONS_AT_ONCE):
            self._progress[number] = begin, actions
            given = () if begin else tuple(entries)
            request = AnalysisRequest(given, begin, end=begin + ACTIONS_AT_ONCE, engine=engine)
            found = await self._worker.ask(encode_line(request))
            if found.engine_failed:
                log_worker(found.error)
                raise _EngineFailed
            if found.error:
                raise CannotAnalyse(say("Match {number} could not be analysed: {error}.", number, found.error))
            for decision in found.decisions:
                yield decision

    def progress(self, number: int) -> tuple[int, int] | None:
        """Return how many actions of a match were judged, and of how many; `None` while it is not being analysed."""
        return self._progress.get(number)

    def close(self) -> None:
        """Stop the thread and the worker process."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._worker.close()


def review_of(number: int, began: str, entries: Sequence[Entry], damage: Damage | None = None) -> Review:
    """Return the review of a match as every spectator may see it.

    The review of a match that is not over ends before the first secret choice.

    Args:
        number: the match's number.
        began: when the match began, ISO 8601.
        entries: the match's journal entries, as far as they can be read.
        damage: what is wrong with the first unreadable entry; `None` if there is none.
    """
    entries = public_entries(entries)
    started = entries[0] if entries else None
    game = started.game if isinstance(started, MatchStarted) else ""
    review = Review(
        number=number,
        began=began,
        game=game,
        forms=forms_of(game) if game else (),
        is_ended=any(isinstance(entry, MatchEnded) for entry in entries),
        damage=None if damage is None else damage_words(damage),
        digest="" if damage is not None or not game else final_digest(entries, began),
    )
    entry = catalog.find_entry(game)
    if entry is None:
        return review
    try:
        story = MatchReview(Match.resumed(entries))
    except (BadHistory, UnknownGame) as error:
        return replace(review, why_not=say("It does not replay: {error}", message_of(error)))
    luck, material = luck_of(entry, story, yield_to_loop), _material(entry, story)
    return replace(review, story=story, luck=luck, material=material, opening=_opening(entry, story))


def _opening(entry: GameEntry, story: MatchReview) -> str:
    if entry.book_moves is None or not story.steps:
        return ""
    return opening_name(entry.book_moves(story.steps[-1].after))


def _material(entry: GameEntry, story: MatchReview) -> tuple[int, ...]:
    """Return White's piece values minus Black's, at the beginning and after each turn; empty without piece values."""
    if not entry.piece_values:
        return ()
    boards = [story.view(0).pieces, *(turn.pieces for turn in story.turns)]
    return tuple(sum(_worth(piece, entry) for piece in board.values()) for board in boards)


def _worth(piece: str, entry: GameEntry) -> int:
    value = entry.piece_values.get(piece.upper(), 0)
    return value if piece == piece.upper() else -value


def opening_name(sans: Sequence[str], file: Path = OPENINGS_FILE) -> str:
    """Return the code and name of the longest named line with which a match began, such as "C50 Italian Game".

    Args:
        sans: the match's moves in standard algebraic notation, from the usual array.
        file: the file with the lines; without it the result is empty.
    """
    lines = _named_openings(file)
    named = (lines.get(tuple(sans[:length])) for length in range(len(sans), 0, -1))
    return next((name for name in named if name), "")


@lru_cache(maxsize=1)
def _named_openings(file: Path) -> Mapping[tuple[str, ...], str]:
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    return {
        tuple(_MOVE_NUMBER.sub(" ", moves).split()): f"{code} {name}" for code, name, moves in _OPENING.findall(text)
    }
