"""What `replay` prints of an action (docs/architecture.md Contract 6)."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from captains_table.games.contract import Action, Bid, Tagged
from captains_table.table.model.codec import plain
from captains_table.table.model.entries import Acted, Entry, TakenBack


class TakeBack(Tagged, frozen=True, tag="take-back"):
    """The action `seq` was taken back; the journal has an entry of its own for it, the output has it as an action."""

    seq: int


class BidLine(Tagged, frozen=True, tag="bid"):
    """A bid; the output names its seat beside the action, as of every other."""

    value: int


class ActionLine(Struct, frozen=True):
    """A journalled action: its number, its time in the match, the name of whose it was, `None` for nobody's."""

    seq: int
    at_ms: int
    seat: str | None
    action: Action | TakeBack | BidLine


def action_line(entry: Entry, names: Sequence[str]) -> dict[str, Any] | None:
    """Return a journalled action as a line of output, `None` for entries that are no action."""
    match entry:
        case Acted(seq, seat, at_ms, action):
            line = ActionLine(
                seq, at_ms, _name(names, seat), BidLine(action.value) if isinstance(action, Bid) else action
            )
        case TakenBack(seq, seat, at_ms, of_seq):
            line = ActionLine(seq, at_ms, _name(names, seat), TakeBack(of_seq))
        case _:
            return None
    return plain(line)  # type: ignore[no-any-return]  # JSON


def _name(names: Sequence[str], seat: int | None) -> str | None:
    return None if seat is None else names[seat]
