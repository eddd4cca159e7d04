"""Draws a running match: player on turn, tallies, dice or clocks, latest events, prompt, menu, and a foot line.

The foot line shows a fault, further totals, or the commitment to the dice. If the roll button was just pressed
without effect, the reason replaces events and prompt; so does requested advice. In games such as Crowns, pages of the
standings also appear below the top line.

After the last throw of a turn, the thrown dice and their result are drawn for a moment instead of the next player's
dice.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from captains_table.devices.display.screens.canvas import BOTTOM, DARK_PIXEL, LINE, LIT_PIXEL, Canvas
from captains_table.devices.display.screens.dice_row import draw_dice
from captains_table.devices.display.screens.header import (
    draw_header,
    draw_hidden_totals,
    draw_tallies,
    heading_words,
    hidden_seats,
    split_prompt,
)
from captains_table.devices.display.screens.menu_lines import draw_menu, rows_wanted
from captains_table.devices.display.screens.standing_screen import draw_standing, standing_page
from captains_table.devices.display.screens.text import BOLD, SMALL, TALL, shorten, wrap_all
from captains_table.games.common.records import NO_HONOURS
from captains_table.games.contract import PickAsk
from captains_table.phrases import say, short_form
from captains_table.table.history.narrator import joined
from captains_table.table.model.player_clocks import clock_face
from captains_table.table.model.view import LastThrow, Menu, Phase, View

BELOW_TALLIES: Final = 19
BELOW_DICE: Final = 37
COMMITMENT_DIGITS: Final = 16
CLOCK_ROWS: Final = 18
CLOCK_GAP: Final = 2
LAST_WORDS_TOP: Final = 40
LAST_WORDS_ROWS: Final = 2


def draw_playing(canvas: Canvas, view: View, frame: int) -> None:
    """Draw a running match: the top line, everything below it, and the extra line of `draw_foot` if there is room."""
    draw_top(canvas, view)
    foot = draw_play(canvas, view, frame)
    if foot is not None:
        draw_foot(canvas, view, foot)


def draw_play(canvas: Canvas, view: View, frame: int) -> int | None:
    """Draw everything below the top line; return the y position of an empty line for `draw_foot`.

    Return `None` if no line is empty.
    """
    last = visible_last_throw(view)
    if last is not None:
        draw_last_throw(canvas, view, last)
        return None
    page = standing_page(view, frame)
    if page is not None:
        draw_standing(canvas, view, page)
        draw_menu(canvas, view.menu, BOTTOM - LINE, min(rows_wanted(view.menu, canvas.width), 1))
        return None
    _, prompt = split_prompt(view)
    draw_tallies(canvas, view)
    top = BELOW_TALLIES
    if view.dice:
        draw_dice(canvas, view, frame)
        top = BELOW_DICE
    elif view.seats and view.seats[0].seconds_left is not None:
        top = draw_clocks(canvas, view, BELOW_TALLIES - 1)
    rows = (BOTTOM - top) // LINE
    latest_events = joined((event.words for event in view.latest_events), [seat.called for seat in view.seats])
    if view.asks_about_board:
        latest_events = ""
    if view.roll.in_vain and not view.asks_about_board:
        latest_events, prompt = view.roll.why, ()
    elif view.hint is not None:
        latest_events, prompt = view.said(say("Advice: {words}", view.hint.words)), ()
    return _draw_words_and_menu(canvas, view, latest_events, prompt, (top, rows))


def _draw_words_and_menu(
    canvas: Canvas, view: View, latest_events: str, prompt: Sequence[str], place: tuple[int, int]
) -> int | None:
    """Draw the latest events, the prompt and the menu.

    Return the y position of the line above the menu if that line is empty, else `None`.

    One line is reserved for the menu, or for the prompt if there is no menu. The events are drawn first, then the
    prompt. The menu fills the remaining lines, but leaves one line for `draw_foot` if there is a fault or a commitment
    to the dice. A long menu of score boxes replaces the prompt.

    Args:
        canvas: the canvas to draw on.
        view: the view to draw.
        latest_events: the words about the latest events; may be empty.
        prompt: the texts of the prompt.
        place: the y position of the first line, and the number of lines.
    """
    top, rows = place
    menu_rows = min(rows_wanted(view.menu, canvas.width), 1)
    if view.sheet and isinstance(view.ask, PickAsk) and rows_wanted(view.menu, canvas.width) > rows:
        prompt = ()  # the score boxes to choose from say more
    news_lines = wrap_all([latest_events], canvas.width)
    news_rows = min(len(news_lines), rows - menu_rows - (0 if menu_rows or not prompt else 1))
    prompt_rows = len(wrap_all([short_form(words) for words in prompt[:1]], canvas.width))
    if 0 < rows - menu_rows - news_rows < prompt_rows:  # a prompt is shown whole, or not at all
        news_rows = max(0, rows - menu_rows - prompt_rows)
    lines = shorten(news_lines, news_rows, canvas.width)
    lines += _prompt_lines(prompt, rows - menu_rows - news_rows, canvas.width)
    foot = 1 if view.faults or _is_sealed(view) else 0
    menu_rows = min(rows_wanted(view.menu, canvas.width), max(1, rows - len(lines) - foot))
    canvas.lines(lines, top + 1)
    draw_menu(canvas, view.menu, BOTTOM - menu_rows * LINE, menu_rows)
    return BOTTOM - (menu_rows + 1) * LINE if menu_rows + len(lines) < rows else None


def _prompt_lines(prompt: Sequence[str], rows: int, width: int) -> list[str]:
    """Return the prompt's first text, shortened if necessary, and the following texts that fit in full."""
    lines = wrap_all(prompt[:1], width, rows)
    for text in prompt[1:]:
        more = SMALL.wrap(text, width)
        if len(lines) + len(more) > rows:
            break
        lines += more
    return lines


def draw_foot(canvas: Canvas, view: View, top: int, *, others: bool = True) -> None:
    """Draw one line at the foot of the playing screen.

    The line shows a fault of the table. Without a fault, it shows the totals of the players for whom the screen has no
    room; if there are none, it shows the commitment to the dice.

    Args:
        canvas: the canvas to draw on.
        view: the view to draw.
        top: the y position of the line.
        others: whether the line may show totals; False if these totals are drawn elsewhere.
    """
    if view.faults:
        canvas.text(0, top + 1, SMALL.fit(view.faults[0], canvas.width))
    elif others and hidden_seats(view.seats):
        draw_hidden_totals(canvas, view, top + 1)
    elif _is_sealed(view):
        canvas.text(0, top + 1, view.said(say("Dice {hash}", view.commitment[:COMMITMENT_DIGITS])))


def _is_sealed(view: View) -> bool:
    """Return whether to draw the commitment to the dice: the match goes on and no die has fallen in this turn."""
    return bool(view.commitment and view.dice) and view.result is None and all(die.face is None for die in view.dice)


def draw_top(canvas: Canvas, view: View) -> None:
    """Draw the top line: the player on turn and the stage of the match.

    While the last throw is shown, the line names the player who threw.
    """
    last, names = visible_last_throw(view), [seat.called for seat in view.seats]
    if last is not None:
        thrower = view.seats[last.seat]
        name, faulty = thrower.called, bool(view.faults)
        draw_header(canvas, name, name, view.heading, faulty=faulty, honours=thrower.honours, names=names)
        return
    who, _ = split_prompt(view)
    seat = view.seats[view.seat] if view.seat is not None and view.seat < len(view.seats) else None
    name = who if seat is None else seat.called
    honours = seat.honours if seat is not None and who.startswith(name) else NO_HONOURS
    draw_header(canvas, who, name, heading_words(view), faulty=bool(view.faults), honours=honours, names=names)


def draw_clocks(canvas: Canvas, view: View, top: int) -> int:
    """Draw each seat's clock in a box; the running clock is inverted. Return the y position below the clocks.

    Clocks with stages or delays have a line below their box: the seconds of delay while they run, else the stage.
    """
    seats = view.seats
    room = (canvas.width + CLOCK_GAP) // len(seats)
    one_is_on_turn = sum(seat.on_turn for seat in seats) == 1  # no clock runs while several players may bid
    has_notes = any(seat.stage is not None or seat.delay_seconds is not None for seat in seats)
    for index, seat in enumerate(seats):
        runs = seat.on_turn and one_is_on_turn
        face = clock_face(seat.seconds_left or 0)
        left, width = index * room, room - CLOCK_GAP
        letters = TALL if TALL.width(face) <= width - 4 else BOLD
        if runs:
            canvas.bar(left, top, width, CLOCK_ROWS - 1)
        ink = DARK_PIXEL if runs else LIT_PIXEL
        x = left + (width - letters.width(face)) // 2
        canvas.text(x, top + (CLOCK_ROWS - 1 - letters.height) // 2, face, letters, ink)
        note = SMALL.fit(view.said(seat.time_note), width)
        canvas.text(left + (width - SMALL.width(note)) // 2, top + CLOCK_ROWS + 1, note)
    return top + CLOCK_ROWS + 1 + (LINE if has_notes else 0)


def visible_last_throw(view: View) -> LastThrow | None:
    """Return the last throw if it must be shown now, else `None`.

    It is not shown without a match, while pieces stand wrongly, or while a question about the board is open.
    """
    at_fault = bool(view.wrong) and view.phase in (Phase.PLAYING, Phase.RESTORING)
    return None if at_fault or view.asks_about_board or view.phase is Phase.IDLE else view.last_throw


def draw_last_throw(canvas: Canvas, view: View, last: LastThrow) -> None:
    """Draw everything below the top line: the current tallies, the last throw's dice and result, and the prompt."""
    draw_tallies(canvas, view)
    lit = tuple(replace(die, held=index in last.lit) for index, die in enumerate(last.dice))
    draw_dice(canvas, replace(view, dice=lit, slots=(), tumbling=(), menu=Menu()), 0)
    is_short = BOLD.width(last.words) <= canvas.width
    if is_short:
        canvas.text_centred(LAST_WORDS_TOP - 1, last.words, BOLD)
    else:
        for row, line in enumerate(wrap_all([last.words], canvas.width, LAST_WORDS_ROWS)):
            canvas.text_centred(LAST_WORDS_TOP - 2 + row * LINE, line)
    lines = wrap_all(view.prompt[:1], canvas.width, 2 if is_short else 1)
    canvas.lines(lines, BOTTOM + 1 - len(lines) * LINE)
