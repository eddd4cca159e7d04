"""Other people's games: what can be played of a PGN file, and why the rest cannot."""

import lzma
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import chess
import chess.pgn

NO_VARIANT = ("", "?", "-", "standard", "chess", "normal", "classical", "from position")
ENCODINGS = ("utf-8-sig", "utf-16", "cp1252", "latin-1")  # the last one reads anything


class MovesOnly(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Builds a game of the moves that were played; what is wrong in a variation is of no matter."""

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """Take in a header, but none that says in other words that this is no variant."""
        if tagname != "Variant" or tagvalue.strip().lower() not in NO_VARIANT:
            super().visit_header(tagname, tagvalue)

    def begin_variation(self) -> chess.pgn.SkipType:  # type: ignore[override]  # as any other visitor may
        return chess.pgn.SKIP

    def end_variation(self) -> None:
        """Go on with the moves that were played."""

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)


def read_games(path: Path, skipped: Counter[str] | None = None) -> Iterator[chess.pgn.Game]:
    """Yield the games of a PGN file that begin as games do and can be played to their end.

    Args:
        path: the file.
        skipped: counts the others by what is the matter with them.
    """
    file = StringIO(text_of(path), newline=None)
    while True:
        try:
            game = chess.pgn.read_game(file, Visitor=MovesOnly)
        except ValueError:  # a number too long to be one; what follows the line is read as another game
            game, reason = None, "not readable"
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
    raw = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
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
    if "Variant" in headers:
        return "a variant"
    if not _begins_as_usual(headers):
        return "begins from another position"
    if game.errors:
        return "an illegal move"
    moves = list(game.mainline_moves())
    if not moves:
        return "no moves"
    if not all(moves):
        return "a null move"
    return ""


def _begins_as_usual(headers: chess.pgn.Headers) -> bool:
    """Return whether a game begins where all do, which some files write down like any other position."""
    if "FEN" in headers:
        return headers["FEN"].split()[:4] == chess.STARTING_FEN.split()[:4]
    return headers.get("SetUp", "0").strip() != "1"


def skipped_lines(skipped: Counter[str]) -> list[str]:
    """Return in words what was skipped, the most frequent reason first."""
    return [
        f"skipped {number} {'game' if number == 1 else 'games'}: {reason}" for reason, number in skipped.most_common()
    ]
