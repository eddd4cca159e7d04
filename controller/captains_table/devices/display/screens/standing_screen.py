"""Draws the standings of games such as Crowns, page by page: each player's square, crowns, bid and purse.

It also draws the crowns that no player wears, and decides when which page is shown.
"""

from collections.abc import Sequence
from typing import Final

from captains_table.devices.display.screens.canvas import ARROW, BOTTOM, LINE, Canvas
from captains_table.devices.display.screens.header import fitted_name
from captains_table.devices.display.screens.text import BOLD, SMALL
from captains_table.games.contract import Auction, Square, Thing
from captains_table.phrases import noun
from captains_table.table.model.view import Phase, SeatView, View

TOP: Final = 10
ROWS: Final = (BOTTOM - TOP) // LINE
GAP: Final = 4
ARROW_ROOM: Final = 6
LEAST_NAME: Final = 34
CROWNS: Final = {
    Thing.WHITE_CROWN: "#..#..# ##.#.## ####### ####### #######",
    Thing.BLACK_CROWN: "#..#..# ##.#.## #.#.#.# #.....# #######",
}


def has_standings(view: View) -> bool:
    """Return whether the standings may be drawn.

    They may be drawn during a match if the players themselves stand on the board as pieces, as in Crowns. They may not
    be drawn while pieces stand wrongly or the table asks about the board.
    """
    is_playing = view.phase is Phase.PLAYING and not (view.wrong or view.asks_about_board)
    return is_playing and any(seat.at.place for seat in view.seats)


def standings_page_count(view: View) -> int:
    """Return how many pages the display turns through; 1 if it always shows the same page.

    In an auction all pages are standings of `ROWS - 1` rows, above a line of the menu. Otherwise the first page is the
    playing screen, which says what to do, and the standings follow. A changed view starts with the first page again,
    unless only the seconds before the bell have changed.
    """
    if not has_standings(view):
        return 1
    pages = -(-(len(view.seats) + bool(_lying(view))) // (ROWS - 1))
    return pages if isinstance(view.ask, Auction) else 1 + pages


def standing_page(view: View, frame: int) -> int | None:
    """Return the index of the standings page to draw; `None` to draw the playing screen.

    Args:
        view: the view to draw.
        frame: how many pages were turned since the view appeared.
    """
    if not has_standings(view) or view.roll.in_vain or view.hint is not None:
        return None
    page = frame % standings_page_count(view)
    return page if isinstance(view.ask, Auction) else page - 1 if page else None


def draw_standing(canvas: Canvas, view: View, page: int) -> None:
    """Draw a page of the standings below the top line: each player's name, square, crowns, bid and purse.

    The crowns that no player wears follow below the last player, on a further page if that page is full.
    """
    first = page * (ROWS - 1)
    seats = view.seats[first : first + ROWS - 1]
    for row, seat in enumerate(seats):
        _draw_seat(canvas, view, seat, TOP + row * LINE + 1, leads=first + row in view.leading)
    lying = _lying(view)
    if lying and first <= len(view.seats) < first + ROWS - 1:  # below the last seat
        _draw_crowns(canvas, view.said(noun("Crowns")), lying, TOP + len(seats) * LINE + 1)


def _lying(view: View) -> list[tuple[Thing, Square]]:
    """Return the crowns that no player wears, with their squares."""
    worn = {thing for seat in view.seats for thing in seat.at.wears}
    return [
        (thing, square)
        for square, things in sorted(view.things.items())
        for thing in things
        if thing in CROWNS and thing not in worn
    ]


def _draw_crowns(canvas: Canvas, heading: str, crowns: Sequence[tuple[Thing, Square]], y: int) -> None:
    x = canvas.text(ARROW_ROOM, y, heading) + GAP
    for thing, square in crowns:
        x = canvas.text(canvas.picture(x, y + 1, CROWNS[thing]) + 2, y, str(square)) + 2 * GAP


def _draw_seat(canvas: Canvas, view: View, seat: SeatView, y: int, *, leads: bool) -> None:
    purse = list(seat.tallies.values())[-1] if seat.tallies else 0
    edge = canvas.text_right(canvas.width, y, str(purse))
    if isinstance(view.ask, Auction) and view.ask.bids:
        edge = canvas.text_right(edge - 1, y, "/")
        may_bid = seat.on_turn or seat.bid
        edge = canvas.text_right(edge - 1, y, str(seat.bid or "-") if may_bid else "x", BOLD if leads else SMALL)
    if leads or (seat.on_turn and not isinstance(view.ask, Auction)):
        canvas.picture(0, y, ARROW)
    crowns = sum(len(CROWNS[thing].split()[0]) + 2 for thing in seat.at.wears)
    place = SMALL.fit(seat.at.place, edge - 2 * GAP - crowns - ARROW_ROOM - LEAST_NAME)
    x = left = edge - GAP - crowns - SMALL.width(place)
    x = canvas.text(x, y, place) + 2
    for thing in seat.at.wears:
        x = canvas.picture(x, y + 1, CROWNS[thing]) + 2
    canvas.text(ARROW_ROOM, y, fitted_name(seat, view.seats, left - GAP - ARROW_ROOM))
