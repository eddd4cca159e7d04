"""Matches looked back on: read from the journal on the loop, replayed and reckoned beside it, the last few kept."""

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
from captains_table.records.luck import luck_of
from captains_table.runtime.analysis import let_others_play
from captains_table.runtime.match_archive import reading_journal
from captains_table.storage.exports import damage_words, forms_of
from captains_table.storage.journal_file import Damage, JournalFile, MatchJournal
from captains_table.table.history.export import final_digest, public_entries
from captains_table.table.history.review import Story
from captains_table.table.model.entries import Entry, MatchStarted
from captains_table.table.model.match import BadHistory, Match

KEPT: Final = 3


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
    """Looks back on matches, one after the other: whoever steps through one finds it ready.

    Args:
        file: the file all matches are kept in.
    """

    def __init__(self, file: JournalFile) -> None:
        self._file = file
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="review")
        self._kept: OrderedDict[tuple[int, int], Review] = OrderedDict()

    async def review(self, number: int) -> Review:
        """Return a match as anybody may see it now; raises NoSuchMatch or CannotRead."""
        with reading_journal():
            journal = self._file.open(number)
            key = number, journal.count()
            if key in self._kept:
                return self._kept[key]
            entries, damage = journal.readable()
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._worker, self._make, key, journal, entries, damage)

    def close(self) -> None:
        """Look back no more."""
        self._worker.shutdown(wait=False, cancel_futures=True)

    def _make(
        self, key: tuple[int, int], journal: MatchJournal, entries: Sequence[Entry], damage: Damage | None
    ) -> Review:
        if key not in self._kept:
            self._kept[key] = look_back(journal.number, journal.began, entries, damage)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return self._kept[key]


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
