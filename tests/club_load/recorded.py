"""Matches that computers played among themselves at simulated tables, as a crowd of tables shows them."""

import itertools
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec
from msgspec import structs

from captains_table.catalog import entry_of
from captains_table.devices.dice_sources import DictatedDice
from captains_table.games.contract import Action, Auction, Decide
from captains_table.phrases import as_english
from captains_table.players.common.bidding import next_in_auction
from captains_table.reporting.messages import FinalScore, MatchReport
from captains_table.reporting.table_view import TableView, spectator_view
from captains_table.runtime.simulated_matches import bidder_of, strategy_of
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.view import View
from tests.support.self_play import SelfPlay


@dataclass(frozen=True, slots=True)
class Played:
    """A match that is played: its game, who sits there, as whom `simulated_matches` knows them, and its options."""

    game: str
    players: Mapping[str, str]
    options: Mapping[str, str] = field(default_factory=dict)


PLAYED: Final = (
    Played("legend", {"Anne": "aether:1", "Bart": "aether:1"}, {"rounds": "1", "turn_limit": "60"}),
    Played("captains-chess", {"Clara": "boreas:1", "Dirk": "boreas:1"}),
    Played("ship-captain-crew", {"Els": "zephyr:2", "Femke": "zephyr:1", "Gijs": "zephyr:1"}),
    Played("swashbuckle", {"Hanna": "eurus:2", "Ivo": "eurus:1", "Jet": "eurus:1"}),
    Played("crowns", {"Kees": "notus:1", "Lotte": "notus:1"}),
    Played("legend", {"Maarten": "aether:1", "Noor": "aether:1"}, {"rounds": "1", "turn_limit": "40"}),
    Played("captains-chess", {"Olaf": "boreas:1", "Pien": "boreas:1"}, {"clock": "15+10"}),
    Played("ship-captain-crew", {"Quinten": "zephyr:1", "Roos": "zephyr:1"}),
    Played("swashbuckle", {"Sjoerd": "eurus:1", "Tess": "eurus:1"}),
    Played("crowns", {"Umberto": "notus:1", "Vera": "notus:1", "Wim": "notus:1"}),
)
"""Ten matches of all five games."""


class _Computers(SelfPlay):
    """A match between computers."""

    def __init__(self, played: Played, seed: int) -> None:
        self._rng = random.Random(f"{played.game} {seed}")
        entry = entry_of(played.game)
        self._seats = [strategy_of(entry, player, self._rng) for player in played.players.values()]
        self._bidders = [bidder_of(entry, player, self._rng) for player in played.players.values()]
        dice = DictatedDice()
        dice.seed(seed)
        super().__init__(MemoryJournal(MatchStarted(played.game, tuple(played.players), played.options)), dice, seed)

    def choose(self, turn: Decide | Auction) -> Action:
        """Return what the computer answers whose turn it is."""
        if isinstance(turn, Auction):
            return next_in_auction(self.match.state, turn, self._bidders, self._rng.randrange)
        return self._seats[turn.seat % len(self._seats)](self.match.state, turn)


def recorded(played: Played, seed: int, most: int | None = None) -> list[TableView]:
    """Return the views of a match, or the first so many; a view that is shown twice in a row only once."""

    def views() -> Iterator[View]:
        match = _Computers(played, seed)
        yield match.table.session.view()
        while not match.over:
            match.step()
            yield match.table.session.view()

    return [spectator_view(view) for view, _ in itertools.islice(itertools.groupby(views()), most)]


PLACE: Final = "@0000000000000"
"""Stands in a heading for the moment at which a view is shown, in Unix milliseconds."""
MOMENT: Final = re.compile(r"@(\d{13})")


@dataclass(frozen=True, slots=True)
class Reel:
    """A match: its views, and what is told of its end."""

    views: Sequence[TableView]

    @property
    def game(self) -> str:
        """The game's key."""
        return self.views[0].game

    def outcome(self, seal: str) -> MatchReport:
        """Return the result, under a seal."""
        last = self.views[-1]
        ended = last.result
        return MatchReport(
            match=seal,
            rev=1,
            game=last.game,
            seats=tuple(seat.called for seat in last.seats),
            ending=None if ended is None else FinalScore(winner=ended.winner, scores=tuple(ended.scores)),
        )


@dataclass(frozen=True, slots=True)
class Frame:
    """A view as it travels, before and after the moment at which it is shown."""

    before: bytes
    after: bytes

    def payload(self, boot: str, n: int, match: str, at_ms: int) -> bytes:
        """Return the payload of a view that is shown now."""
        head = f'{{"v":1,"boot":"{boot}","n":{n},"match":"{match}","view":'.encode()
        return b"".join((head, self.before, b"@%d" % at_ms, self.after, b"}"))


def frame_of(view: TableView) -> Frame:
    """Return a view as it travels."""
    before, _, after = msgspec.json.encode(
        structs.replace(view, heading=f"{view.heading} {PLACE}"), enc_hook=as_english
    ).partition(PLACE.encode())
    return Frame(before, after)
