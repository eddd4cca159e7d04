"""What a table shows to whoever only looks on: the view as it travels, without what is asked of those who play.

Squares travel as their names. What cannot be drawn is refused when it arrives: a square beside the board, a seat or a
die that is not there, a piece that is none.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Final

from msgspec import Meta, Struct

from captains_table.games.contract import Die, GameEvent, Result, Shape, SheetRow, Slot, Thing
from captains_table.games.contract.board import parse_square
from captains_table.table.model.view import LastThrow, LogLine, Mark, Phase, SeatView, View

MOST: Final = 1024  # of anything: more than any game shows
MOST_SIDE: Final = 26
PIECE: Final = re.compile(r"[A-Za-z]|\(\d{1,2}\)")
FACES: Final = range(1, 7)

Few = Meta(max_length=MOST)
Words = Annotated[str, Meta(max_length=4096)]
SquareName = Annotated[str, Meta(pattern=r"^[a-z][1-9][0-9]?$")]


class BadView(ValueError):  # noqa: N818 - named by its condition
    """A view cannot be drawn; the message says what is wrong with it."""


class TableView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The fields of a `View` that those who look on may see; `shape` is files and ranks."""

    phase: Phase = Phase.IDLE
    game: Words = ""
    title: Words = ""
    heading: Words = ""
    prompt: Annotated[tuple[Words, ...], Few] = ()
    seat: int | None = None
    seats: Annotated[tuple[SeatView, ...], Few] = ()
    dice: Annotated[tuple[Die, ...], Few] = ()
    has_dice: bool = True
    slots: Annotated[tuple[Slot, ...], Few] = ()
    tumbling: Annotated[tuple[int, ...], Few] = ()
    last_throw: LastThrow | None = None
    pieces: Annotated[Mapping[SquareName, str], Few] = {}
    things: Annotated[Mapping[SquareName, tuple[Thing, ...]], Few] = {}
    marks: Annotated[Mapping[SquareName, Mark], Few] = {}
    shining: Annotated[Mapping[SquareName, Thing], Few] = {}
    shape: tuple[int, int] | None = None
    bell_seconds: int | None = None
    timers_stopped: bool = False
    latest_events: Annotated[tuple[GameEvent, ...], Few] = ()
    sheet: Annotated[tuple[SheetRow, ...], Few] = ()
    log: Annotated[tuple[LogLine, ...], Few] = ()
    told: Words = ""
    result: Result | None = None
    commitment: Words = ""
    dice_proof: Words = ""
    faults: Annotated[tuple[Words, ...], Few] = ()
    revision: int = 0


ALIKE: Final = frozenset(TableView.__struct_fields__) - {"pieces", "things", "marks", "shining", "shape"}


def table_view(view: View) -> TableView:
    """Return what of a view those may see who only look on."""
    return TableView(
        **{name: getattr(view, name) for name in ALIKE},
        pieces={str(square): piece for square, piece in view.pieces.items()},
        things={str(square): tuple(things) for square, things in view.things.items()},
        marks={str(square): mark for square, mark in view.marks.items()},
        shining={str(square): thing for square, thing in view.shining.items()},
        shape=None if view.shape is None else (view.shape.files, view.shape.ranks),
    )


def view_of(seen: TableView) -> View:
    """Return the view that is drawn; raises BadView where it cannot be."""
    for wrong in _wrong_with(seen):
        raise BadView(wrong)
    return replace(
        View(**{name: getattr(seen, name) for name in ALIKE}),
        pieces={parse_square(name): piece for name, piece in seen.pieces.items()},
        things={parse_square(name): things for name, things in seen.things.items()},
        marks={parse_square(name): mark for name, mark in seen.marks.items()},
        shining={parse_square(name): thing for name, thing in seen.shining.items()},
        shape=None if seen.shape is None else Shape(*seen.shape),
    )


def _wrong_with(seen: TableView) -> Iterator[str]:
    """Yield what cannot be drawn."""
    shape = None if seen.shape is None else Shape(*seen.shape)
    if shape is not None and not (0 < shape.files <= MOST_SIDE and 0 < shape.ranks <= MOST_SIDE):
        yield f"a board of {shape}: expected 1 to {MOST_SIDE} of each"
    for name in (*seen.pieces, *seen.things, *seen.marks, *seen.shining):
        if shape is None or parse_square(name) not in shape:
            yield f"{name} is not on the board"
    yield from (f"{piece!r} is no piece" for piece in seen.pieces.values() if PIECE.fullmatch(piece) is None)
    yield from (f"there is no seat {seat}" for seat in _seats(seen) if not 0 <= seat < len(seen.seats))
    dice = (*seen.dice, *(() if seen.last_throw is None else seen.last_throw.dice))
    yield from (f"a die shows {die.face}" for die in dice if die.face is not None and die.face not in FACES)
    yield from (f"there is no die {number}" for number in seen.tumbling if not 0 <= number < len(seen.dice))


def _seats(seen: TableView) -> Iterator[int]:
    """Yield every number of a seat that is named."""
    throw, result = seen.last_throw, seen.result
    named = (
        seen.seat,
        None if throw is None else throw.seat,
        None if result is None else result.winner,
        *(event.seat for event in seen.latest_events),
        *(event.payer for event in seen.latest_events),
        *(line.seat for line in seen.log),
    )
    yield from (seat for seat in named if seat is not None)
