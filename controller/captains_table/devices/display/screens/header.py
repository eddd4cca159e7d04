"""Draws the top of a frame: the bar with the player on turn and the stage of the match, and the tallies below it.

For this and other screens, it also splits the prompt, chooses the seats to show, and shortens their names.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from captains_table.catalog import tally_icons
from captains_table.devices.display.screens.canvas import ARROW, DARK_PIXEL, Canvas
from captains_table.devices.display.screens.text import BOLD, SMALL, short_name
from captains_table.games.common.records import NO_HONOURS, Honours
from captains_table.games.common.short_names import fitting_names
from captains_table.games.contract import Auction
from captains_table.phrases import capitalized, say, short_form, split_address
from captains_table.table.model.player_clocks import clock_face
from captains_table.table.model.view import CROWD, SeatView, View, first_shown

TALLIES_TOP: Final = 10
GAP: Final = 6
ICON_WIDTH: Final = 5
SUM: Final = "total"
STOPPED: Final = say("Stopped")
CELL_GAP: Final = 4
TALLY_GAP: Final = 3
ARROW_WIDTH: Final = 4
ARROW_ROOM: Final = 6
MOST_SEATS: Final = 4
AROUND_TURN: Final = 3
MOST_LEADERS: Final = 2
SHORTEST_RANK: Final = 3  # letters of a rank, as in "Cap. Anne"
LEAST_HEADING: Final = 3  # the heading gets at least a third of the top line
Icons = Mapping[str, str]  # the icon of each tally
SIDE_BY_SIDE: Final = 2  # with more seats than this only totals are drawn


def split_prompt(view: View) -> tuple[str, tuple[str, ...]]:
    """Return the words for the left of the top line, and the prompt.

    The words name the player to act, and are empty if no player must act. If the prompt for a person begins with
    the name, the name is removed from the prompt. A colour after the name, such as "(White)", is moved to the words.

    In an auction the words are "Auction" instead, or "Stopped" if the timers are stopped. They are followed by the time
    left before the bell if the bell rings by itself.
    """
    if isinstance(view.ask, Auction):
        what = view.said(STOPPED if view.timers_stopped else say("Auction"))
        return (what if view.bell_seconds is None else f"{what} {clock_face(view.bell_seconds)}"), view.prompt
    seat = view.seats[view.seat] if view.seat is not None and view.seat < len(view.seats) else None
    name = seat.called if seat is not None else ""
    if seat is not None and seat.computer:
        return view.said(seat.full_name), view.prompt
    who, words = split_address(view.prompt[0], name) if name and view.prompt else ("", "")
    return (who, (view.said(capitalized(words)), *view.prompt[1:])) if who else (name, view.prompt)


def heading_words(view: View) -> str:
    """Return the words for the right of the top line: the stage of the match, or "Stopped" if the timers are stopped.

    In an auction the words are always the stage, because "Stopped" is then written on the left (`split_prompt`).
    """
    is_said = isinstance(view.ask, Auction) or not view.timers_stopped
    return view.heading if is_said else view.said(STOPPED)


def draw_header(
    canvas: Canvas,
    who: str,
    name: str,
    heading: str,
    *,
    faulty: bool,
    honours: Honours = NO_HONOURS,
    names: Sequence[str] = (),
) -> None:
    """Draw the top bar: `who` (or the shorter `name`) on the left, the heading on the right, `!` if there is a fault.

    The player's honours are drawn before the name; they are abbreviated or left out if there is too little room. A name
    that is too long is shortened so that it differs from the other `names` of the match.
    """
    canvas.bar(0, 0, canvas.width)
    right = canvas.width - 2
    if faulty:
        right = canvas.text_right(right, 1, "!", BOLD, DARK_PIXEL) - 5
    room = right - 2
    left_words, right_words = _fitting((*_with(honours, who), who, name), heading, room, names)
    canvas.text(2, 1, left_words, BOLD, DARK_PIXEL)
    canvas.text_right(right, 1, right_words, SMALL, DARK_PIXEL)


def _with(honours: Honours, who: str) -> list[str]:
    """Return a name with its honours in forms from long to short: with full, brief and then abbreviated honours."""
    short = honours.brief or honours.words
    cut = [f"{short[:length].rstrip()}." for length in range(len(short) - 1, SHORTEST_RANK - 1, -1)]
    return [f"{words} {who}" for words in (*dict.fromkeys(honours), *cut) if words]


def _fitting(whos: Sequence[str], heading: str, room: int, names: Sequence[str]) -> tuple[str, str]:
    """Return the longest forms of a name and a heading that fit together in `room` pixels.

    `whos` lists the forms of the name, the longest first. A long name is more important than a long heading. If no
    forms fit, the shortest ones are cut as far as necessary, the name so that it differs from the other `names`.
    """
    short, name = short_form(heading), whos[-1]
    for left, right in ((who, words) for who in whos for words in (heading, short)):
        if BOLD.width(left) + (GAP if left and right else 0) + SMALL.width(right) <= room:
            return left, right
    next_to_name = room - BOLD.width(name) - GAP
    right = SMALL.fit(short, next_to_name if next_to_name >= room // LEAST_HEADING else room // 2)
    return short_name(name, names, room - SMALL.width(right) - GAP, BOLD), right


def draw_tallies(canvas: Canvas, view: View, top: int = TALLIES_TOP) -> None:
    """Draw names and tallies of up to four seats side by side, with an arrow before the seat on turn.

    If there are more than CROWD seats and only one is on turn, draw that seat and its neighbours. Otherwise draw the
    seats on turn and the seats with the highest totals.
    """
    brief = len(view.seats) > SIDE_BY_SIDE
    _draw_seats(canvas, _in_sight(view.seats), top, tally_icons(view.game), brief=brief)


def draw_hidden_totals(canvas: Canvas, view: View, top: int) -> None:
    """Draw the totals of the seats that `draw_tallies` leaves out.

    With more than CROWD seats, the leaders' ranks and totals are drawn instead.
    """
    seats = _leaders(view.seats) if len(view.seats) > CROWD else hidden_seats(view.seats)
    _draw_seats(canvas, seats, top, tally_icons(view.game), brief=True)


def _draw_seats(canvas: Canvas, seats: Sequence[SeatView], top: int, icons: Icons, *, brief: bool) -> None:
    parts = [_shown(seat.tallies, icons, brief=brief) for seat in seats]
    taken = [
        _width(shown, icons) + (ARROW_ROOM if seat.on_turn else 0) for seat, shown in zip(seats, parts, strict=True)
    ]
    gaps = CELL_GAP * (len(seats) - 1)
    names = _names(seats, canvas.width - gaps - sum(taken))
    spare = max(0, canvas.width - gaps - sum(taken) - sum(SMALL.width(name) for name in names))
    x = 0
    for seat, shown, name in zip(seats, parts, names, strict=True):
        if seat.on_turn:
            x = canvas.picture(x, top, ARROW) + ARROW_ROOM - ARROW_WIDTH
        x = _draw_tallies(canvas, (canvas.text(x, top, name), top), shown, icons)
        x += CELL_GAP + (spare // (len(seats) - 1) if len(seats) > 1 else 0)


def _names(seats: Sequence[SeatView], room: int) -> list[str]:
    """Return the seats' names with computer players' levels if there is room; otherwise without levels, cut to fit."""
    telling = [seat.full_name for seat in seats]
    if sum(SMALL.width(name) for name in telling) <= room:
        return telling
    names = tuple(seat.called for seat in seats)
    shown = fitting_names(names, room, SMALL.width)
    rooms = divide_room([SMALL.width(name) for name in shown], room)
    return [SMALL.fit(name, own) for name, own in zip(shown, rooms, strict=True)]


def fitted_name(seat: SeatView, seats: Sequence[SeatView], room: int) -> str:
    """Return a seat's name with a computer player's level if both fit in `room` pixels.

    Otherwise return the name alone, shortened so that it differs from the names of the other seats.
    """
    telling = seat.full_name
    return telling if SMALL.width(telling) <= room else short_name(seat.called, [each.called for each in seats], room)


def around_turn(seats: Sequence[SeatView], count: int) -> Sequence[SeatView]:
    """Return at most `count` neighbouring seats, with the seat on turn as central as possible.

    If no seat is on turn, return the first ones.
    """
    turn = next((index for index, seat in enumerate(seats) if seat.on_turn), 0)
    first = first_shown(turn, len(seats), count)
    return seats[first : first + count]


def _in_sight(seats: Sequence[SeatView]) -> Sequence[SeatView]:
    """Return the seats to draw, in their order: the seat on turn and the seats with the highest totals.

    If there are more than CROWD seats and one seat is on turn, return the seat on turn and its neighbours.
    """
    if len(seats) > CROWD and sum(seat.on_turn for seat in seats) == 1:
        return around_turn(seats, AROUND_TURN)
    ranked = sorted(seats, key=lambda seat: (not seat.on_turn, -seat_total(seat)))
    return [seat for seat in seats if seat in ranked[:MOST_SEATS]]


def _leaders(seats: Sequence[SeatView]) -> list[SeatView]:
    """Return the leading seats, best first, with the rank at the front of each name."""
    ranked = sorted(seats, key=seat_total, reverse=True)[:MOST_LEADERS]
    return [replace(seat, title=f"{place}. {seat.called}", computer="") for place, seat in enumerate(ranked, start=1)]


def hidden_seats(seats: Sequence[SeatView]) -> list[SeatView]:
    """Return the seats that `draw_tallies` leaves out."""
    shown = _in_sight(seats)
    return [seat for seat in seats if seat not in shown]


def seat_total(seat: SeatView) -> int:
    """Return a seat's total: its tally `total` if it has one, else the sum of its tallies."""
    return seat.tallies.get(SUM, sum(seat.tallies.values()))


def divide_room(wishes: Sequence[int], room: int) -> list[int]:
    """Divide room fairly: small wishes are granted in full, and the larger ones share the rest equally."""
    granted = [0] * len(wishes)
    order = sorted(range(len(wishes)), key=wishes.__getitem__)
    for place, index in enumerate(order):
        granted[index] = max(0, min(wishes[index], room // (len(order) - place)))
        room -= granted[index]
    return granted


def _width(shown: Sequence[tuple[str, int]], icons: Icons) -> int:
    return sum(TALLY_GAP + _icon_room(name, icons) + SMALL.width(str(value)) for name, value in shown)


def _icon_room(name: str, icons: Icons) -> int:
    return ICON_WIDTH + 1 if name in icons else 0


def _draw_tallies(canvas: Canvas, point: tuple[int, int], shown: Sequence[tuple[str, int]], icons: Icons) -> int:
    x, top = point
    for name, value in shown:
        x += TALLY_GAP
        if name in icons:
            canvas.picture(x, top, icons[name])
        x = canvas.text(x + _icon_room(name, icons), top, str(value))
    return x


def _shown(tallies: Mapping[str, int], icons: Icons, *, brief: bool) -> list[tuple[str, int]]:
    """Return names and values of the tallies to draw.

    If there is a total, return the total, or its two parts if each part has an icon. If there is no total, return the
    last two tallies. If `brief`, return only the total, or only the last tally if there is no total.
    """
    parts = [(name, value) for name, value in tallies.items() if name != SUM]
    if SUM not in tallies:
        return parts[-1:] if brief else parts[-SIDE_BY_SIDE:]
    tells_apart = len(parts) == SIDE_BY_SIDE and all(name in icons for name, _ in parts)
    return parts if tells_apart and not brief else [(SUM, tallies[SUM])]
