"""A table without a board or a page: the real journal, the real line to the club, and matches played at random."""

import asyncio
import random
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Final

from captains_table.catalog import entry_of
from captains_table.games.contract import Action, Decide, Over, Pick, PickAsk
from captains_table.reporting.messages import FinalScore
from captains_table.runtime.club_line.connection import TableCallbacks, TableNow
from captains_table.runtime.club_line.member import ClubMember
from captains_table.runtime.config import ClubConfig
from captains_table.runtime.match_archive import MatchArchive
from captains_table.runtime.simulated_matches import RANDOM, strategy_of
from captains_table.storage.journal_file import JournalFile, MatchJournal
from captains_table.table.lobby.match_setup import Start
from captains_table.table.model.entries import MatchEnded
from captains_table.table.model.match import Match
from captains_table.table.model.view import View

GAME: Final = "captains-chess"
LONGEST: Final = range(6, 21)
"""Plies, after some number of which the player on turn resigns."""
STEP_S: Final = 0.02
AT_ONCE: Final = (Pick("e2e4"), Pick("resign"))
"""How a match goes that no event has to do with."""


@cache
def match_of(names: tuple[str, ...]) -> tuple[Sequence[Action], FinalScore]:
    """Return how a match between these two goes, the same each time it is asked, and how it ends."""
    rng = random.Random(" and ".join(names))
    entry = entry_of(GAME)
    player, most = strategy_of(entry, RANDOM, rng), rng.choice(LONGEST)
    state = entry.game.start(names, {})
    actions: list[Action] = []
    while not isinstance(turn := entry.game.turn(state), Over):
        assert isinstance(turn, Decide)
        assert isinstance(turn.ask, PickAsk)
        may_resign = any(option.id == "resign" for option in turn.ask.options)  # but not in answer to a draw
        actions.append(Pick("resign") if may_resign and len(actions) >= most else player(state, turn))
        state = entry.game.apply(state, actions[-1])
    return actions, FinalScore(winner=turn.result.winner, scores=tuple(turn.result.scores))


class LightTable:
    """A table of the club.

    Args:
        number: its number.
        port: the broker's, on loopback.
        folder: where its journal is.

    Attributes:
        ended: the seals of the matches that were played to their ends.
    """

    def __init__(self, number: int, port: int, folder: Path) -> None:
        user = f"table-{number}"
        self._config = ClubConfig(host="127.0.0.1", port=port, user=user, board=number, names=True)
        self._journal = JournalFile(folder / f"{user}.sqlite3")
        self._archive = MatchArchive(self._journal, None)
        self._boots = 0
        self.ended: list[str] = []
        self._member = self._new_member()

    def come(self) -> None:
        """Speak to the club from now on."""
        self._member.open()

    async def go(self) -> None:
        """Leave the club; what is played from now on it learns when the table is back."""
        await self._member.close()
        self._member = self._new_member()

    async def begin(self) -> MatchJournal:
        """Begin the match that the club has for this table, as soon as it has one."""
        while not (offered := self._member.offered()):  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(STEP_S)
        return self._begin(offered[0].start)

    def play_unpaired(self) -> None:
        """Play a match that no event has to do with."""
        self.play(self._begin(Start(GAME, ("Anne", "Bart"))), AT_ONCE)

    def _begin(self, start: Start) -> MatchJournal:
        return self._archive.start(start.game, start.names, start.options, 0, start.pairing).journal

    def play(self, journal: MatchJournal, actions: Sequence[Action] = ()) -> None:
        """Play a match to its end, as it goes between these two or so, which the club is told when it can be."""
        match = Match.resumed(journal.entries())
        for at_ms, action in enumerate(actions or match_of(match.names)[0], 1):
            journal.append(match.act(action, at_ms))
        assert isinstance(match.turn, Over)
        journal.append(MatchEnded(match.turn.result.winner, match.turn.result.scores))
        self.ended.append(match.started.commitment)
        self._member.match_ended(journal.number)

    @property
    def acknowledged(self) -> frozenset[str]:
        """The seals of the matches whose results the club has acknowledged."""
        found = self._journal.club._journal.rows("SELECT seal FROM club_results WHERE acknowledged = 1")
        return frozenset(str(seal) for (seal,) in found)

    @property
    def is_done(self) -> bool:
        """Whether the club has acknowledged the results of all matches, those too that were not noted just now."""
        return self.acknowledged >= set(self.ended)

    @property
    def waiting(self) -> frozenset[str]:
        """The seals of the matches whose results are noted, and wait for the club."""
        return frozenset(each.seal for each in self._journal.club.unacknowledged())

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong between table and club, as the table says it."""
        return self._member.faults()

    @property
    def speaker(self) -> int | None:
        """The id of the process that holds its line."""
        return self._member._link._speaker.pid

    async def aclose(self) -> None:
        """Leave for good."""
        with closing(self._journal):
            await self._member.close()

    def _new_member(self) -> ClubMember:
        self._boots += 1
        around = TableCallbacks(
            showing=lambda: TableNow(View()),
            on_change=lambda: None,
            on_failure=_fail,
            now=lambda: "2026-11-23T20:00:00+01:00",
            chance=lambda: 0.0,
            boot=f"boot {self._boots}",
        )
        return ClubMember(self._config, self._journal, around)


def _fail(error: Exception) -> None:
    raise error
