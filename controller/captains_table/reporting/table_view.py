"""Encodes the part of a table's view that spectators may see, and checks and decodes it on arrival.

Squares are encoded by name. A view that cannot be drawn is refused on arrival, for example a view with squares off the
board, unknown seats or dice, invalid pieces, a score sheet that does not fit the seats, text with line breaks, or more
of anything than a game could show.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from captains_table.games.common.dice import ROMAN
from captains_table.games.contract import (
    Auction,
    Die,
    GameEvent,
    KeepAsk,
    Result,
    Shape,
    SheetRow,
    Slot,
    Square,
    Thing,
    is_showable,
    parse_square,
)
from captains_table.phrases import as_english
from captains_table.table.model.view import LastThrow, LogLine, Mark, Menu, MenuEntry, Phase, SeatView, View

MOST: Final = 1024  # items in any list: more than any game shows
MOST_SIDE: Final = 26
MOST_SEATS: Final = 32
MOST_THROWS: Final = 9
LARGEST: Final = 10**9
LONGEST: Final = 4096
NAME_LIMIT: Final = 64
LONG_NUMBER: Final = re.compile(r"[:,\[]-?[0-9]{10}")
"""Matches a number in compact JSON that may exceed `LARGEST`."""
LONG_WORDS: Final = re.compile(f'"[^"]{{{LONGEST + 1}}}')
PIECE: Final = re.compile(r"\+?[A-Za-z]|[1-9][0-9]?")
"""A piece's letter, with `+` if it is crowned; or a player's token, the number of the player's seat."""
FACES: Final = range(1, 7)
KINDS: Final = frozenset({"pips", "roman"})
"""The styles in which dice may be drawn."""

Few = Meta(max_length=MOST)
SquareName = Annotated[str, Meta(pattern=r"^[a-z][1-9][0-9]?\Z")]


class BadView(ValueError):
    """A view cannot be drawn; the message says what is wrong with it."""


class DiceChoice(Struct, frozen=True):
    """A choice of dice to keep: the numbers (from 1) of the dice to choose from, and of those chosen so far."""

    dice: tuple[int, ...]
    kept: tuple[int, ...] = ()


class TableView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The fields of a `View` that spectators may see.

    Of `View.ask`, spectators see only an auction without its bidders (`auction`) or a choice of dice (`choice`).
    `shape` holds the number of files and the number of ranks.
    """

    phase: Phase = Phase.IDLE
    game: str = ""
    title: str = ""
    heading: str = ""
    prompt: Annotated[tuple[str, ...], Few] = ()
    seat: int | None = None
    seats: Annotated[tuple[SeatView, ...], Meta(max_length=MOST_SEATS)] = ()
    dice: Annotated[tuple[Die, ...], Few] = ()
    has_dice: bool = True
    slots: Annotated[tuple[Slot, ...], Few] = ()
    tumbling: Annotated[tuple[int, ...], Few] = ()
    last_throw: LastThrow | None = None
    choice: DiceChoice | None = None
    pieces: Annotated[Mapping[SquareName, str], Few] = {}
    things: Annotated[Mapping[SquareName, tuple[Thing, ...]], Few] = {}
    marks: Annotated[Mapping[SquareName, Mark], Few] = {}
    shining: Annotated[Mapping[SquareName, Thing], Few] = {}
    shape: tuple[int, int] | None = None
    auction: Auction | None = None
    auction_since: int | None = None
    bell_seconds: int | None = None
    bell_then: str = ""
    timers_stopped: bool = False
    latest_events: Annotated[tuple[GameEvent, ...], Few] = ()
    sheet: Annotated[tuple[SheetRow, ...], Few] = ()
    target: int | None = None
    goal: str = ""
    pace: str = "usual"
    log: Annotated[tuple[LogLine, ...], Few] = ()
    told: str = ""
    result: Result | None = None
    commitment: str = ""
    dice_proof: str = ""
    faults: Annotated[tuple[str, ...], Few] = ()
    revision: int = 0


CONVERTED_FIELDS: Final = frozenset(
    {"pieces", "things", "marks", "shining", "shape", "auction", "auction_since", "choice"}
)
"""The fields that are encoded differently from a `View`."""
COPIED_FIELDS: Final = frozenset(TableView.__struct_fields__) - CONVERTED_FIELDS


def spectator_view(view: View) -> TableView:
    """Return the view as spectators may see it; an idle table shows them only the faults and the revision."""
    if view.phase is Phase.IDLE:
        return TableView(faults=view.faults, revision=view.revision)
    auction = replace(view.ask, bidders=()) if isinstance(view.ask, Auction) else None
    return TableView(
        **{name: getattr(view, name) for name in COPIED_FIELDS},
        pieces={str(square): piece for square, piece in view.pieces.items()},
        things={str(square): tuple(things) for square, things in view.things.items()},
        marks={str(square): mark for square, mark in view.marks.items()},
        shining={str(square): thing for square, thing in view.shining.items()},
        shape=None if view.shape is None else (view.shape.files, view.shape.ranks),
        auction=auction,
        auction_since=None if auction is None else view.auction_since,  # none while the table asks about the board
        choice=_choice(view),
    )


def decoded_view(seen: TableView) -> View:
    """Convert a received view to a `View`; raises BadView if the view cannot be drawn."""
    for wrong in _wrong_with(seen):
        raise BadView(wrong)
    dice, kept = (seen.choice.dice, seen.choice.kept) if seen.choice else ((), ())
    return replace(
        View(**{name: getattr(seen, name) for name in COPIED_FIELDS}),
        pieces={_square(name): piece for name, piece in seen.pieces.items()},
        things={_square(name): things for name, things in seen.things.items()},
        marks={_square(name): mark for name, mark in seen.marks.items()},
        shining={_square(name): thing for name, thing in seen.shining.items()},
        shape=None if seen.shape is None else Shape(*seen.shape),
        ask=seen.auction if seen.choice is None else KeepAsk("", dice),
        auction_since=seen.auction_since,
        menu=Menu(tuple(MenuEntry(str(die), "", held=die in kept) for die in dice)),
    )


_square = lru_cache(maxsize=MOST_SIDE * 99)(parse_square)
"""Parses a square's name; the cache holds all squares that a `SquareName` can name."""


def _choice(view: View) -> DiceChoice | None:
    """Return the choice of dice to keep; `None` if no dice are to be chosen, or the board must be put right first."""
    if not isinstance(view.ask, KeepAsk) or view.wrong:
        return None
    return DiceChoice(view.ask.dice, tuple(int(entry.id) for entry in view.menu.entries if entry.held))


# --- what cannot be drawn -------------------------------------------------------------------------------------------


def _wrong_with(seen: TableView) -> Iterator[str]:
    """Yield a description of each error that makes a received view impossible to draw."""
    if not _is_plain(msgspec.json.encode(seen, enc_hook=as_english).decode()):
        yield from _wrong_leaves(msgspec.to_builtins(seen, enc_hook=as_english))
    yield from _wrong_on_board(seen)
    yield from _wrong_seats(seen)
    yield from _wrong_dice(seen)
    yield from _wrong_sheet(seen)


def _is_plain(text: str) -> bool:
    """Return whether a quick check shows that all text and numbers in a view's JSON are valid.

    If the result is false, each value must be checked. Checking each value costs ten times as much as the quick check.
    A club checks hundreds of views a second, and nearly all pass the quick check.
    """
    return (
        "\\" not in text and is_showable(text) and LONG_NUMBER.search(text) is None and LONG_WORDS.search(text) is None
    )


def _wrong_leaves(value: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON value
    """Yield a description of each invalid text or number in a JSON value, at any depth."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case dict() as found:
                waiting += [*found, *found.values()]
            case list() | tuple() as found:
                waiting += found
            case str() as words if len(words) > LONGEST or not is_showable(words):
                yield f"the words {words[:NAME_LIMIT]!r}: expected at most {LONGEST} characters that can be printed"
            case int() as number if not -LARGEST <= number <= LARGEST:
                yield f"a number is too large: expected -{LARGEST:,} to {LARGEST:,}"


def _wrong_on_board(seen: TableView) -> Iterator[str]:
    shape = None if seen.shape is None else Shape(*seen.shape)
    if shape is not None and not (0 < shape.files <= MOST_SIDE and 0 < shape.ranks <= MOST_SIDE):
        yield f"a board of {shape}: expected 1 to {MOST_SIDE} of each"
    named = [_square(name) for name in (*seen.pieces, *seen.things, *seen.marks, *seen.shining)]
    happened = [event.square for event in _events(seen) if event.square is not None]
    yield from (
        f"{_name(square)} is not on the board" for square in (*named, *happened) if shape is None or square not in shape
    )
    yield from (f"{piece!r} is no piece" for piece in seen.pieces.values() if PIECE.fullmatch(piece) is None)


def _name(square: Square) -> str:
    return f"the square of file {square.file} and rank {square.rank}, counted from 0,"


def _wrong_seats(seen: TableView) -> Iterator[str]:
    count = len(seen.seats)
    yield from (f"there is no seat {seat}" for seat in _seats(seen) if not 0 <= seat < count)
    names = [name for seat in seen.seats for name in (seat.name, seat.title)]
    yield from (f"{name[:NAME_LIMIT]}… is too long for a name" for name in names if len(name) > NAME_LIMIT)
    clocks = [seat.seconds_left for seat in seen.seats if seat.seconds_left is not None]
    delays = [seat.delay_seconds or 0 for seat in seen.seats]
    if len(clocks) not in {0, count}:
        yield "only some seats have a clock"
    if any(seconds < 0 for seconds in (*clocks, *delays, seen.bell_seconds or 0)):
        yield "a clock shows less than nothing"
    scores = () if seen.result is None else seen.result.scores
    bids = () if seen.auction is None else seen.auction.bids
    yield from (
        f"{len(each)} scores or bids of {count} seats" for each in (scores, bids) if len(each) not in {0, count}
    )
    if (seen.auction is None) != (seen.auction_since is None):
        yield "an auction that began at no time, or one that is none"


def _seats(seen: TableView) -> Iterator[int]:
    """Yield every seat index that occurs in a view."""
    throw, result, auction = seen.last_throw, seen.result, seen.auction
    named = (
        seen.seat,
        None if throw is None else throw.seat,
        None if result is None else result.winner,
        *(seat for event in _events(seen) for seat in (event.seat, event.payer)),
        *(line.seat for line in seen.log),
        *(prospect.seat for row in seen.sheet for prospect in row.prospects),
        *(() if auction is None else (bidder.seat for bidder in auction.bidders)),
        *(() if auction is None else (each.seat for each in auction.kept_out)),
    )
    yield from (seat for seat in named if seat is not None)


def _events(seen: TableView) -> tuple[GameEvent, ...]:
    return (*seen.latest_events, *(() if seen.last_throw is None else seen.last_throw.scored))


def _wrong_dice(seen: TableView) -> Iterator[str]:
    dice = (*seen.dice, *(() if seen.last_throw is None else seen.last_throw.dice))
    yield from (f"a die shows {die.face}" for die in dice if die.face is not None and die.face not in FACES)
    yield from (f"a die is drawn as {die.kind!r}" for die in dice if die.kind not in KINDS)
    yield from (f"a die has {die.throws_left} throws" for die in dice if not 0 <= die.throws_left <= MOST_THROWS)
    yield from (f"a place waits for {slot.face}" for slot in seen.slots if slot.face not in FACES)
    numbers = [
        *(number + 1 for number in seen.tumbling),
        *(slot.die for slot in seen.slots if slot.die is not None),
        *(() if seen.choice is None else (*seen.choice.dice, *seen.choice.kept)),
    ]
    yield from (f"there is no die {number}" for number in numbers if not 1 <= number <= len(seen.dice))


def _wrong_sheet(seen: TableView) -> Iterator[str]:
    """Yield what is wrong with the rows of the score sheet, if anything.

    Each row must have either one cell per seat, or one per seat and column. All seats have the same number of columns,
    at most as many as there are Roman numerals.
    """
    if not seen.sheet:
        return
    seats, most = len(seen.seats), max(len(row.cells) for row in seen.sheet)
    if seats == 0 or most == 0 or most % seats or most // seats > len(ROMAN):
        yield f"a score sheet of {most} cells in a row for {seats} seats"
    elif any(len(row.cells) not in {seats, most} for row in seen.sheet):
        yield "rows of a score sheet that do not fit each other"
