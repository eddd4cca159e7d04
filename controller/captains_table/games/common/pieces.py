"""Pieces by their FEN letters, in words: capitals are White's, `+` marks a crowned piece."""

NAMES = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king", "c": "captain"}


def piece_name(letter: str) -> str:
    """Return a piece in words, such as `white knight` or `black crowned bishop`; an unknown letter names itself."""
    kind = letter.removeprefix("+")
    crowned = "crowned " if letter.startswith("+") else ""
    colour = "white" if kind.isupper() else "black"
    return f"{colour} {crowned}{NAMES.get(kind.lower(), kind.upper())}"
