"""A view as a picture of 128 x 64 pixels: which screen, and what stands where on it."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from captains_table.devices.glass.board_map import draw_map, map_side
from captains_table.devices.glass.canvas import BOTTOM, CUP, LINE, SHIP, Canvas
from captains_table.devices.glass.dice import draw_dice
from captains_table.devices.glass.header import draw_header, draw_left_out, draw_tallies, left_out, split_prompt
from captains_table.devices.glass.menu_lines import draw_menu, rows_wanted
from captains_table.devices.glass.packing import WIDTH
from captains_table.devices.glass.text import BOLD, LARGE, SMALL, TALL, Face, shorten, wrap_all
from captains_table.games.contract import PickAsk
from captains_table.table.asks import PUT_RIGHT
from captains_table.table.view import Phase, SeatView, View

BODY_TOP: Final = 11
BELOW_TALLIES: Final = 19
BELOW_DICE: Final = 37
COMMITMENT_DIGITS: Final = 16
AT_WORK: Final = {Phase.SETUP: "Set up", Phase.RESTORING: "Restore"}
MATCH_OVER: Final = "Match over"
MARGINS: Final = 16  # around and between the words of the top line, with room for a mark that something is broken
MOST_REASON: Final = 3  # lines; what the hands must do comes after it and is larger
LOBBY_ROWS: Final = 4
MANY_SQUARES: Final = 5  # from here on a little map says more than words


def draw(view: View, frame: int = 0) -> Image.Image:
    """Return the frame that shows a view (mode "1", 128 x 64).

    Args:
        view: what is to be seen.
        frame: counts the pictures of one view; it only animates dice that tumble.
    """
    canvas = Canvas()
    if view.phase is Phase.OVER:
        _draw_over(canvas, view)
    elif view.phase is Phase.IDLE:
        _draw_idle(canvas, view)
    elif view.wrong or view.phase in AT_WORK:
        _draw_guidance(canvas, view)
    else:
        _draw_playing(canvas, view, frame)
    return canvas.image


# --- playing --------------------------------------------------------------------------------------------------------


def _draw_playing(canvas: Canvas, view: View, frame: int) -> None:
    who, prompt = split_prompt(view)
    _draw_top(canvas, view, who)
    draw_tallies(canvas, view.seats)
    top = BELOW_TALLIES
    if view.dice:
        draw_dice(canvas, view, frame)
        top = BELOW_DICE
    rows = (BOTTOM - top) // LINE
    news = _told([happening.words for happening in view.news], [seat.called for seat in view.seats])
    _draw_words_and_menu(canvas, view, news, prompt, (top, rows))


def _draw_words_and_menu(canvas: Canvas, view: View, news: str, prompt: Sequence[str], place: tuple[int, int]) -> None:
    """Draw what just scored, the prompt and the menu.

    The menu keeps a line; its cursor says what is to be done, so long news may take the prompt's place. Without one
    the prompt keeps a line. What is left over goes to the menu.
    """
    top, rows = place
    menu_rows = min(rows_wanted(view.menu), 1)
    if view.sheet and isinstance(view.ask, PickAsk) and rows_wanted(view.menu) > rows:
        prompt = ()  # the boxes to choose from say more
    news_lines = wrap_all([news], SMALL, WIDTH)
    prompt_lines = wrap_all(prompt, SMALL, WIDTH)
    news_rows = min(len(news_lines), rows - menu_rows - (0 if menu_rows or not prompt_lines else 1))
    prompt_rows = min(len(prompt_lines), rows - menu_rows - news_rows)
    lines = shorten(news_lines, news_rows, SMALL, WIDTH) + shorten(prompt_lines, prompt_rows, SMALL, WIDTH)
    foot = 1 if view.faults or _is_sealed(view) else 0
    menu_rows = min(rows_wanted(view.menu), max(1, rows - len(lines) - foot))
    for row, line in enumerate(lines):
        canvas.text(0, top + row * LINE + 1, line)
    draw_menu(canvas, view.menu, BOTTOM - menu_rows * LINE, menu_rows)
    if menu_rows + len(lines) < rows:
        _draw_foot(canvas, view, BOTTOM - (menu_rows + 1) * LINE)


def _told(sentences: Sequence[str], names: Sequence[str]) -> str:
    """Return sentences as one; a name that begins several of them is said once."""
    told = ""
    for sentence in sentences:
        name = next((name for name in names if told.startswith(f"{name} ") and sentence.startswith(f"{name} ")), "")
        told = f"{told}, {sentence[len(name) :].lstrip()}" if told else sentence
    return told


def _draw_foot(canvas: Canvas, view: View, top: int) -> None:
    """Use an empty line: for what is broken, the seats the tallies had no room for, or what binds the dice."""
    if view.faults:
        canvas.text(0, top + 1, SMALL.fit(view.faults[0], WIDTH))
    elif left_out(view.seats):
        draw_left_out(canvas, view.seats, top + 1)
    elif _is_sealed(view):
        canvas.text(0, top + 1, f"Dice {view.commitment[:COMMITMENT_DIGITS]}")


def _is_sealed(view: View) -> bool:
    """Return whether the dice are bound to a seed and none has fallen yet in this turn of a match that goes on."""
    return bool(view.commitment) and view.result is None and all(die.face is None for die in view.dice)


def _draw_top(canvas: Canvas, view: View, who: str) -> None:
    name = view.seats[view.seat].called if view.seat is not None and view.seat < len(view.seats) else who
    draw_header(canvas, who, name, view.heading, faulty=bool(view.faults))


# --- putting the board right ----------------------------------------------------------------------------------------


def _draw_guidance(canvas: Canvas, view: View) -> None:
    """Draw what the hands must do, as large as it fits; a map of the board where many squares are wrong."""
    who, prompt = split_prompt(view)
    if view.phase in AT_WORK:
        draw_header(canvas, AT_WORK[view.phase], AT_WORK[view.phase], view.heading, faulty=bool(view.faults))
    else:
        _draw_top(canvas, view, who)
    bottom = BOTTOM
    if view.menu.entries and view.menu.entries[0].id == PUT_RIGHT.id:
        bottom -= LINE
        draw_menu(canvas, view.menu, bottom, 1)
    elif view.faults or (view.phase is Phase.SETUP and view.commitment):
        bottom -= LINE
        _draw_foot(canvas, view, bottom)
    width = WIDTH
    wrong = len(view.wrong.missing) + len(view.wrong.extra)
    if view.shape is not None and wrong >= MANY_SQUARES:
        side = map_side(view.shape, bottom - BODY_TOP)
        draw_map(canvas, view, (WIDTH - side[0], BODY_TOP), bottom - BODY_TOP)
        width -= side[0] + 4
    reason = prompt[:1] if view.wrong and len(prompt) > 1 else ()
    said = () if view.phase is Phase.SETUP else reason  # the top line says it already
    lines = shorten(wrap_all(said, SMALL, width), MOST_REASON, SMALL, width)
    _write(canvas, lines, BODY_TOP, LINE, SMALL)
    top = BODY_TOP + len(lines) * LINE + (2 if lines else 0)
    _draw_large(canvas, prompt[len(reason) :], top, bottom, width)


def _draw_large(canvas: Canvas, texts: Sequence[str], top: int, bottom: int, width: int) -> None:
    """Write the first text in the largest face that leaves room for the others in small letters."""
    if not texts:
        return
    others = wrap_all(texts[1:], SMALL, width)
    room = bottom - top - (1 if others else -1)  # two rows apart; the last line needs no air below
    for face in (LARGE, TALL, BOLD, SMALL):
        first = face.wrap(texts[0], width)
        pitch = face.height + 2
        whole = " ".join(first) == " ".join(texts[0].split())
        if whole and len(first) * pitch + len(others) * LINE <= room:
            break
    else:
        first = shorten(first, room // pitch, SMALL, width)
        others = shorten(others, (room - len(first) * pitch) // LINE, SMALL, width)
    _write(canvas, first, top, pitch, face)
    _write(canvas, others, top + len(first) * pitch + 2, LINE, SMALL)


def _write(canvas: Canvas, lines: Sequence[str], top: int, pitch: int, face: Face) -> None:
    for row, line in enumerate(lines):
        canvas.text(0, top + row * pitch, line, face)


# --- before and after a match ---------------------------------------------------------------------------------------


def _draw_idle(canvas: Canvas, view: View) -> None:
    if view.menu.entries:
        _draw_lobby(canvas, view)
        return
    words = shorten(wrap_all(view.faults[:1] or view.prompt, SMALL, WIDTH), 2, SMALL, WIDTH)
    title = wrap_all([view.title], TALL, WIDTH - 36)[:2]
    top = BOTTOM - len(words) * LINE
    above = top - 4
    for row, line in enumerate(title):
        canvas.text(2, (above - len(title) * 18) // 2 + 2 + row * 18, line, TALL)
    canvas.picture(WIDTH - 33, (above - 23) // 2, SHIP)
    canvas.bar(0, above, WIDTH if words else 0, 1)
    for row, line in enumerate(words):
        canvas.text_centred(top + row * LINE + 1, line)


def _draw_lobby(canvas: Canvas, view: View) -> None:
    """Draw what is asked before a match: two lines of words and four of the menu, or three and three."""
    draw_header(canvas, view.title, view.title, view.heading, faulty=bool(view.faults))
    words = shorten(wrap_all(view.prompt, SMALL, WIDTH), MOST_REASON, SMALL, WIDTH)
    rows = min(rows_wanted(view.menu), LOBBY_ROWS - len(words) // MOST_REASON)
    below = BOTTOM - rows * LINE
    pitch = min(LINE, (below - BODY_TOP) // len(words)) if words else LINE
    _write(canvas, words, BODY_TOP + (1 if len(words) == 1 else 0), pitch, SMALL)
    draw_menu(canvas, view.menu, below, rows)


def _draw_over(canvas: Canvas, view: View) -> None:
    """Draw who won and every seat's score."""
    game = view.title.partition(" ~ ")[0]
    has_room = BOLD.width(MATCH_OVER) + SMALL.width(game) < WIDTH - MARGINS
    draw_header(canvas, MATCH_OVER, MATCH_OVER, game if has_room else "", faulty=bool(view.faults))
    result = view.result
    if result is None:
        _draw_large(canvas, view.prompt, BODY_TOP, BOTTOM, WIDTH)
        return
    winner = None if result.winner is None else view.seats[result.winner].called
    canvas.picture(1, BODY_TOP + 1, CUP)
    alone = f"Score {result.scores[0]}" if len(view.seats) == 1 else ""
    words = alone or ("Shared" if winner is None else f"{winner} wins")
    face = LARGE if LARGE.width(words) <= WIDTH - 22 else TALL
    canvas.text(22, BODY_TOP + 1, words if alone or winner is None else _winner(winner, face), face)
    menu_rows = min(rows_wanted(view.menu), 1)
    _draw_scores(canvas, view.seats, result.scores, BOTTOM - menu_rows * LINE)
    draw_menu(canvas, view.menu, BOTTOM - menu_rows * LINE, menu_rows)


def _draw_scores(canvas: Canvas, seats: Sequence[SeatView], scores: Sequence[int], bottom: int) -> None:
    """Draw names and scores, best first, in two columns where one has too few rows; those that lead have room."""
    ranked = sorted(zip(seats, scores, strict=True), key=lambda pair: -pair[1])
    rows = (bottom - 28) // LINE
    columns = 1 if len(ranked) <= rows else 2
    pitch = LINE + 1 if rows > len(ranked) else LINE if bottom == BOTTOM else LINE - 1  # a menu keeps clear of letters
    width = WIDTH // columns
    for place, (seat, score) in enumerate(ranked[: rows * columns]):
        column, row = divmod(place, rows)
        y = 30 + row * pitch
        left, right = column * width + 2, (column + 1) * width - (2 if columns == 1 else 5)
        edge = canvas.text_right(right, y, str(score), BOLD)
        canvas.text(left, y, SMALL.fit(seat.called, edge - 6 - left))


def _winner(name: str, face: Face) -> str:
    ending = " wins"
    return face.fit(name, WIDTH - 22 - face.width(ending)) + ending
