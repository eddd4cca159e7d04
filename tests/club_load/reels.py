"""Matches as a crowd of tables shows them: the payload of each view but for what is known only when it is shown."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec import Struct, structs

from captains_table.reporting.messages import FinalScore, MatchReport
from captains_table.reporting.table_view import TableView

PLACE: Final = "@0000000000000"
"""Stands in a heading for the moment at which a view is shown, in Unix milliseconds."""
MOMENT: Final = re.compile(r"@(\d{13})")


class Reel(Struct, frozen=True):
    """A match: its views, and what is told of its end."""

    views: list[TableView]

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
    before, _, after = msgspec.json.encode(structs.replace(view, heading=f"{view.heading} {PLACE}")).partition(
        PLACE.encode()
    )
    return Frame(before, after)


def write_reels(reels: Sequence[Reel]) -> bytes:
    """Return reels as a file."""
    return msgspec.msgpack.encode(reels)


def read_reels(content: bytes) -> list[Reel]:
    """Return the reels of a file."""
    return msgspec.msgpack.decode(content, type=list[Reel])
