"""Matches looked back on: replayed beside the loop, their decisions judged in another process, the last few kept."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Final

from captains_table import catalog
from captains_table.catalog import GameEntry
from captains_table.games.registry import UnknownGame
from captains_table.players.common.luck import MatchLuck
from captains_table.process.answering import line_of
from captains_table.process.worker import Limits, Worker, WorkerFailed
from captains_table.records.luck import luck_of
from captains_table.runtime.analysis import ANALYSED, COMMAND, ToAnalyse, let_others_play
from captains_table.runtime.match_archive import reading_journal
from captains_table.storage.exports import damage_words, forms_of
from captains_table.storage.journal_file import Damage, JournalFile, MatchJournal
from captains_table.table.history.export import final_digest, public_entries
from captains_table.table.history.review import Decision, Story
from captains_table.table.model.entries import Entry, MatchEnded, MatchStarted
from captains_table.table.model.match import BadHistory, Match

REVIEWS_KEPT: Final = 3
ANALYSES_KEPT: Final = 8
LIMITS: Final = Limits(answer_s=3600.0)
"""An analysis of the longest match takes less on the slowest of machines."""


class CannotAnalyse(RuntimeError):
    """The decisions of a match cannot be judged: why, in a sentence."""


@dataclass(frozen=True, slots=True)
class Review:
    """A match looked back on, as anybody may see it.

    Attributes:
        number: its number.
        began: when it began, ISO 8601.
        game: its game's key; empty where its beginning cannot be read.
        forms: those it can be exported in.
        is_current: whether it is the match in hand.
        story: its moments; `None` where it cannot be replayed: the game is not installed, or see `why_not`.
        luck: where each seat's points come from; `None` where nothing says what a state is worth.
        material: by how much White's pieces outweigh Black's, at the beginning and after each turn; empty where that
            means nothing.
        why_not: why it does not replay.
        damage: what of it cannot be read.
        digest: SHA-256 of the match as it is exported, in hexadecimal; empty while it is played, and where `verify` has
            nothing to prove.
    """

    number: int
    began: str
    game: str
    forms: tuple[str, ...] = ("json",)
    is_current: bool = False
    story: Story | None = None
    luck: MatchLuck | None = None
    material: tuple[int, ...] = ()
    why_not: str = ""
    damage: str | None = None
    digest: str = ""


class ReviewDesk:
    """Looks back on matches, one after the other, and has them analysed, one after the other too.

    Args:
        file: the file all matches are kept in.
    """

    def __init__(self, file: JournalFile) -> None:
        self._file = file
        self._beside = ThreadPoolExecutor(max_workers=1, thread_name_prefix="review")
        self._reviews: OrderedDict[tuple[int, int], Review] = OrderedDict()
        self._worker = Worker(COMMAND, ANALYSED.decode, LIMITS)
        self._analysing = asyncio.Lock()
        self._analyses: OrderedDict[int, Sequence[Decision]] = OrderedDict()

    async def review(self, number: int) -> Review:
        """Return a match as anybody may see it now; raises NoSuchMatch or CannotRead."""
        with reading_journal():
            journal = self._file.open(number)
            key = number, journal.count()
            if key in self._reviews:
                return self._reviews[key]
            entries, damage = journal.readable()
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._beside, self._make, key, journal, entries, damage)

    def _make(
        self, key: tuple[int, int], journal: MatchJournal, entries: Sequence[Entry], damage: Damage | None
    ) -> Review:
        if key not in self._reviews:
            self._reviews[key] = look_back(journal.number, journal.began, entries, damage)
            if len(self._reviews) > REVIEWS_KEPT:
                self._reviews.popitem(last=False)
        return self._reviews[key]

    async def analyse(self, number: int) -> Sequence[Decision]:
        """Return what each decision of a finished match cost; the process that finds it out ends with each match.

        Raises:
            NoSuchMatch, CannotRead: it cannot be read.
            CannotAnalyse: it is not over, or nothing came of it.
        """
        async with self._analysing:
            if number not in self._analyses:
                self._analyses[number] = await self._analysed(number)
                if len(self._analyses) > ANALYSES_KEPT:
                    self._analyses.popitem(last=False)
            return self._analyses[number]

    async def _analysed(self, number: int) -> Sequence[Decision]:
        with reading_journal():
            entries, _ = self._file.open(number).readable()
        if not any(isinstance(entry, MatchEnded) for entry in entries):
            raise CannotAnalyse(f"Match {number} is not over: decisions are judged when nobody can use that any more.")
        try:
            found = await self._worker.ask_once(line_of(ToAnalyse(tuple(entries))))
        except WorkerFailed as error:
            raise CannotAnalyse(f"Match {number} could not be analysed: its process {error}.") from error
        if found.error:
            raise CannotAnalyse(f"Match {number} could not be analysed: {found.error}.")
        return found.decisions

    def close(self) -> None:
        """Look back no more."""
        self._beside.shutdown(wait=False, cancel_futures=True)
        self._worker.close()


def look_back(number: int, began: str, entries: Sequence[Entry], damage: Damage | None = None) -> Review:
    """Return a match as anybody may see it: what is secret of one that is played is not in it, nor what follows that.

    Args:
        number: the match's.
        began: when it began, ISO 8601.
        entries: its history, as far as it can be read.
        damage: what is wrong with the entry after them.
    """
    entries = public_entries(entries)
    started = entries[0] if entries else None
    game = started.game if isinstance(started, MatchStarted) else ""
    review = Review(
        number=number,
        began=began,
        game=game,
        forms=forms_of(game) if game else (),
        damage=None if damage is None else damage_words(damage),
        digest="" if damage is not None or not game else final_digest(entries, began),
    )
    entry = catalog.find_entry(game)
    if entry is None:
        return review
    try:
        story = Story(Match.resumed(entries))
    except (BadHistory, UnknownGame) as error:
        return replace(review, why_not=f"It does not replay: {error}")
    return replace(review, story=story, luck=luck_of(entry, story, let_others_play), material=_material(entry, story))


def _material(entry: GameEntry, story: Story) -> tuple[int, ...]:
    """Return by how much White's pieces outweigh Black's, at first and after each turn; empty without values."""
    if not entry.piece_values:
        return ()
    boards = [story.view(0).pieces, *(turn.pieces for turn in story.turns)]
    return tuple(sum(_worth(piece, entry) for piece in board.values()) for board in boards)


def _worth(piece: str, entry: GameEntry) -> int:
    value = entry.piece_values.get(piece.upper(), 0)
    return value if piece == piece.upper() else -value
