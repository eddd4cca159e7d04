"""Writes a tape's results as data for JSON: its actions, and the final object, which is the table's state at the end.

The module also looks up a value in the final object by its path. Source: docs/contracts.md Contract 6.
"""

from collections.abc import Collection, Sequence
from typing import Any

from captains_table.games.contract import AmountAsk, Ask, Auction, Bid, KeepAsk, PickAsk, Square
from captains_table.table.model.entries import ACTIONS, Acted, Entry, TakenBack
from captains_table.table.model.view import Phase, View

NOTHING = object()


def action_line(entry: Entry, names: Sequence[str]) -> dict[str, Any] | None:
    """Return an action of the journal as the data for one line of output; `None` for an entry that is no action.

    A take-back also counts as an action. `seat` is the name of the player who acted; `None` if no seat acted.
    """
    match entry:
        case TakenBack(of_seq=of_seq):
            action = {"type": "take-back", "seq": of_seq}
        case Acted(action=Bid(value=value)):
            action = {"type": "bid", "value": value}
        case Acted(action=action_done):
            action = ACTIONS.to_plain(action_done)
        case _:
            return None
    seat = None if entry.seat is None else names[entry.seat]
    return {"seq": entry.seq, "at_ms": entry.at_ms, "seat": seat, "action": action}


def final_object(view: View, switches: Collection[Square]) -> dict[str, Any]:
    """Return the final object of a tape as data for JSON.

    Args:
        view: the table's view at the end of the tape.
        switches: the squares whose switch is closed.
    """
    names = [seat.name for seat in view.seats]
    result = view.result
    return {
        "game": view.game or None,
        "phase": str(Phase.SETUP if view.phase is Phase.IDLE else view.phase),  # a tape begins in the set-up phase
        "seat": None if view.seat is None else names[view.seat],
        "dice": [die.face for die in view.dice if not die.extra],
        "extra_dice": [die.face for die in view.dice if die.extra],
        "tallies": {seat.name: dict(seat.tallies) for seat in view.seats},
        "pieces": {str(square): piece for square, piece in sorted(view.pieces.items())},
        "wrong": {
            "missing": [str(square) for square in view.wrong.missing],
            "extra": [str(square) for square in view.wrong.extra],
        },
        "ask": None if view.ask is None or isinstance(view.ask, Auction) else ask_object(view.ask),
        "advice": None if view.hint is None else view.hint.words,
        "prompt": list(view.prompt),
        "result": None
        if result is None
        else {
            "winner": None if result.winner is None else names[result.winner],
            "scores": dict(zip(names, result.scores, strict=True)),
        },
        "switches": [str(square) for square in sorted(switches)],
        "lights": {str(square): str(mark) for square, mark in sorted(view.marks.items())},
        **_clock_object(view),
        **view.details,
    }


def _clock_object(view: View) -> dict[str, Any]:
    """Return the entry `clock`: the seconds left for each player, by name; empty if the match has no clock."""
    seconds = {seat.name: seat.seconds_left for seat in view.seats if seat.seconds_left is not None}
    return {"clock": seconds} if seconds else {}


def ask_object(ask: Ask) -> dict[str, Any]:
    """Return a question to the players as data for JSON."""
    match ask:
        case PickAsk(prompt, options):
            listed = [{"id": option.id, "label": option.label} for option in options]
            return {"kind": "pick", "prompt": prompt, "options": listed}
        case KeepAsk(prompt, dice):
            return {"kind": "keep", "prompt": prompt, "dice": list(dice)}
        case AmountAsk(prompt, lo, hi, default):
            return {"kind": "amount", "prompt": prompt, "lo": lo, "hi": hi, "default": default}


def look_up(final: object, path: str) -> object:
    """Return the value at a dotted path, or `NOTHING` if there is none; keys may themselves contain dots and spaces."""
    if not path:
        return final
    if isinstance(final, dict):
        for key in sorted(final, key=len, reverse=True):
            if path == key:
                return final[key]
            if path.startswith(f"{key}."):
                return look_up(final[key], path[len(key) + 1 :])
    if isinstance(final, list):
        index, _, rest = path.partition(".")
        if index.isdecimal() and int(index) < len(final):
            return look_up(final[int(index)], rest)
    return NOTHING
