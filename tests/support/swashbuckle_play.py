"""Swashbuckle played in words, on sheets filled as a rule's test wants them."""

from dataclasses import replace

from captains_table.games.swashbuckle import Swashbuckle
from captains_table.games.swashbuckle.sheet import BOXES, Sheet
from captains_table.games.swashbuckle.state import State
from tests.support.by_words import DiceGame

GAME = Swashbuckle()
BY_WORDS = DiceGame(GAME)
said, totals, result, seat_now, due = BY_WORDS.said, BY_WORDS.totals, BY_WORDS.final, BY_WORDS.seat, BY_WORDS.due
ids, labels, pick_ask, keep_ask = BY_WORDS.ids, BY_WORDS.labels, BY_WORDS.pick_ask, BY_WORDS.keep_ask
PLAIN = "11336"  # three boxes of the upper half, flotsam


def start(*names: str, **options: str) -> State:
    """Return a match whose first player begins."""
    return GAME.start(names or ("Anne", "Bart"), {"order": "seated"} | options)


def with_filled(state: State, seat: int = 0, **boxes: int) -> State:
    """Return the state with boxes of one sheet filled; the words of their ids are joined by underscores."""
    sheet = state.sheets[seat]
    for box, points in boxes.items():
        sheet = sheet.with_box(box.replace("_", "-"), points)
    return with_sheet(state, seat, sheet)


def with_sheet(state: State, seat: int, sheet: Sheet) -> State:
    """Return the state with one seat's sheet replaced."""
    return replace(state, sheets=(*state.sheets[:seat], sheet, *state.sheets[seat + 1 :]))


def all_but(*open_boxes: str, points: int = 5) -> Sheet:
    """Return a sheet on which only these boxes are open."""
    return Sheet(tuple(None if box in open_boxes else points for box in BOXES))


def latest_events(state: State) -> list[str]:
    """Return the kinds of what the last action did."""
    return [told.kind for told in state.latest_events]
