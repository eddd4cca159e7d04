"""Other people's games: what can be played of a PGN file, and why the rest cannot."""

from collections import Counter
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import chess
import chess.pgn

FROM_THE_USUAL = ("", "standard", "chess", "normal", "classical")
ENCODINGS = ("utf-8-sig", "utf-16", "cp1252", "latin-1")  # the last one reads anything


def read_games(path: Path, skipped: Counter[str] | None = None) -> Iterator[chess.pgn.Game]:
    """Yield the games of a PGN file that begin as games do and can be played to their end.

    Args:
        path: the file.
        skipped: counts the others by what is the matter with them.
    """
    file = StringIO(text_of(path))
    while True:
        try:
            game = chess.pgn.read_game(file)
        except ValueError:
            game, reason = None, "not readable"
            if not file.read(1):  # the end of the file, which nothing can be read of either
                return
        else:
            if game is None:
                return
            reason = reason_to_skip(game)
        if game is not None and not reason:
            yield game
        elif skipped is not None:
            skipped[reason] += 1


def text_of(path: Path) -> str:
    """Return the text of a file in whatever encoding it is; what is no letter in any is replaced."""
    raw = path.read_bytes()
    encodings = [name for name in ENCODINGS if name != "utf-16" or raw.startswith((b"\xff\xfe", b"\xfe\xff"))]
    for encoding in encodings:
        try:
            return raw.decode(encoding).replace("\0", "")
        except UnicodeDecodeError:
            continue
    return raw.decode("utf-8", errors="replace")


def reason_to_skip(game: chess.pgn.Game) -> str:
    """Return why a game cannot be played at the table, nothing if it can."""
    headers = game.headers
    if headers.get("Variant", "").strip().lower() not in FROM_THE_USUAL:
        return "a variant"
    if "FEN" in headers or headers.get("SetUp", "0").strip() == "1":
        return "begins from another position"
    if game.errors:
        return "an illegal move"
    moves = list(game.mainline_moves())
    if not moves:
        return "no moves"
    if not all(moves):
        return "a null move"
    return ""


def skipped_lines(skipped: Counter[str]) -> list[str]:
    """Return in words what was skipped, the most frequent reason first."""
    return [f"skipped {number} games: {reason}" for reason, number in skipped.most_common()]
