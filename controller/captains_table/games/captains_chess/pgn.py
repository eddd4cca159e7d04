"""Exports a match of Captain's Chess as PGN, with the moves in standard algebraic notation for a board of nine files.

The variant and its pieces are called as in the definition for Fairy-Stockfish: the tag Variant is `captainschess`, a
crowned bishop is `G`, and a crowned rook is `H`. The crowning of a piece is written like a promotion: `Bd8=G`.

Source: docs/rules/captains-chess.md.
"""

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import Final

from captains_table.games.captains_chess.fairy import FAIRY_LETTERS, VARIANT
from captains_table.games.captains_chess.fen import START_POSITION, format_fen
from captains_table.games.captains_chess.game import CaptainsChess
from captains_table.games.captains_chess.position import CaptainsMove, CaptainsPosition, square_name_9x8
from captains_table.games.captains_chess.state import SCORES, State, ending
from captains_table.games.contract import Action, Pick

COLUMNS: Final = 80
DATE_LENGTH: Final = len("2026-01-31")
CASTLES: Final = "O-O"


def captains_pgn(
    names: Sequence[str],
    options: Mapping[str, str],
    actions: Iterable[Action],
    began: str = "",
    remarks: Mapping[int, Sequence[str]] | None = None,
) -> str:
    """Return a match as PGN.

    Args:
        names: the players in seat order.
        options: the match's options.
        actions: the actions, without those that were taken back.
        began: the time of the start, ISO 8601, for the tag Date; may be empty.
        remarks: comments, keyed by the index (from 0) of the action that they precede.

    Raises:
        BadOption: a match cannot start with these names or options.
        IllegalAction: the actions do not replay.
    """
    game = CaptainsChess()
    state = first = game.start(names, options)
    played, comments = list(actions), remarks or {}
    moves: list[str] = []
    for place, action in enumerate(played):
        moves += _comment(comments.get(place, ()))
        after = game.apply(state, action)
        if after.position is not state.position and isinstance(action, Pick):
            moves.append(_numbered(state.position, action.id, is_first=not moves or moves[-1].endswith("}")))
        state = after
    moves += _comment(comments.get(len(played), ()))
    tags = [f'[{name} "{_quoted(value)}"]' for name, value in _tags(first, state, began).items()]
    text = wrap(" ".join([*moves, _result(state)]), COLUMNS, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*tags, "", *text, "", ""])


def san(position: CaptainsPosition, move: CaptainsMove) -> str:
    """Return a legal move in standard algebraic notation, such as e4, Cxf3, Nbd2, a8=C, Bd8=G+ or O-O#."""
    after = position.play(move)
    mark = "" if not after.in_check else "+" if after.moves else "#"
    label = position.label(move)
    if label.startswith(CASTLES):
        return label + mark
    taken, (code, _, crown) = "x" if "x" in label else "", label.partition("=")
    start, end = square_name_9x8(move.start), square_name_9x8(move.end)
    letter = code[: code.index(start)]
    promoted = f"={FAIRY_LETTERS.get(crown, crown)}" if crown else ""
    if not letter:
        return f"{start[0] + taken if taken else ''}{end}{promoted}{mark}"
    return f"{FAIRY_LETTERS.get(letter, letter)}{_disambiguation(position, move)}{taken}{end}{promoted}{mark}"


def _disambiguation(position: CaptainsPosition, move: CaptainsMove) -> str:
    """Return the part of the start square that a move's notation needs: nothing, the file, the rank, or both.

    This part distinguishes the move from moves of other pieces of the same kind to the same square.
    """
    same = [
        square_name_9x8(other.start)
        for other in position.moves.values()
        if other.end == move.end and other.start != move.start
        and position.board[other.start] == position.board[move.start]
    ]  # fmt: skip
    here = square_name_9x8(move.start)
    if not same:
        return ""
    if all(name[0] != here[0] for name in same):
        return here[0]
    return here[1:] if all(name[1:] != here[1:] for name in same) else here


def _numbered(position: CaptainsPosition, id_: str, *, is_first: bool) -> str:
    """Return a move in PGN, with its number before it if the number is needed.

    Args:
        position: the position before the move.
        id_: the move's id.
        is_first: whether the move is the first of the match or follows a comment, so that even a move by Black needs
            its number.
    """
    number = f"{position.number}. " if position.white else f"{position.number}... " if is_first else ""
    return f"{number}{san(position, position.moves[id_])}"


def _comment(words: Sequence[str]) -> list[str]:
    return [f"{{{'; '.join(words).replace('}', ')')}}}"] if words else []


def _tags(first: State, last: State, began: str) -> dict[str, str]:
    clock = first.options.clock
    control = {} if clock is None else {"TimeControl": f"{clock.base_ms // 1000}+{clock.increment_ms // 1000}"}
    set_up = (
        {} if first.position == START_POSITION else {"SetUp": "1", "FEN": format_fen(first.position, FAIRY_LETTERS)}
    )
    end = ending(last)
    return {
        "Event": CaptainsChess.title,
        "Site": "Captain's Table",
        "Date": began[:DATE_LENGTH].replace("-", ".") if began else "????.??.??",
        "Round": "?",
        "White": first.seats[0],
        "Black": first.seats[1],
        "Result": _result(last),
        "Variant": VARIANT,
        **control,
        **set_up,
        **({} if end is None else {"Termination": end.words}),
    }


def _result(state: State) -> str:
    end = ending(state)
    return "*" if end is None else SCORES[end.result.winner]


def _quoted(value: str) -> str:
    """Return a tag's value without the characters that PGN would have to escape."""
    return " ".join(value.replace("\\", "/").replace('"', "'").split())
