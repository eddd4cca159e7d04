"""Pieces by their letters, in words: those of FEN, where capitals are White's and `+` marks a crowned one, and ours.

A token that stands for a player is the number of his seat, from 1.
"""

NAMES = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king", "c": "captain"}
COLOURED_PAWNS = {"G": "gold pawn", "g": "red pawn"}


def piece_name(letter: str) -> str:
    """Return a piece in words, such as `white knight`, `black crowned bishop`, `gold pawn` or `token 3`.

    An unknown letter names itself.
    """
    if is_token(letter):
        return f"token {letter}"
    if letter in COLOURED_PAWNS:
        return COLOURED_PAWNS[letter]
    kind = letter.removeprefix("+")
    crowned = "crowned " if letter.startswith("+") else ""
    colour = "white" if kind.isupper() else "black"
    return f"{colour} {crowned}{NAMES.get(kind.lower(), kind.upper())}"


def kind_name(letter: str) -> str:
    """Return a piece in words without its colour, which is that of who moves it: `crowned bishop`, `token 3`."""
    return piece_name(letter) if is_token(letter) else piece_name(letter).partition(" ")[2]


def is_token(letter: str) -> bool:
    """Return whether a piece is a player's token."""
    return letter.isdecimal()


def is_white(letter: str) -> bool:
    """Return whose a piece is; where seats alternate, tokens with odd numbers are White's."""
    return int(letter) % 2 == 1 if is_token(letter) else letter.isupper()
