"""Names and colours of pieces, found by the pieces' letters.

The letters are those of FEN, which are capitals for White. A `+` precedes the letter of a crowned piece. A gold pawn is
`G`, a red pawn is `g`. A player's token has the number of the player's seat, from 1, in place of a letter.
"""

from typing import Final

from captains_table.phrases import noun, say

KINDS: Final = {
    "p": noun("pawn"),
    "n": noun("knight"),
    "b": noun("bishop"),
    "r": noun("rook"),
    "q": noun("queen"),
    "k": noun("king"),
    "c": noun("captain"),
    "+b": noun("crowned bishop"),
    "+r": noun("crowned rook"),
}
COLOURED_PAWNS: Final = {"G": noun("gold pawn"), "g": noun("red pawn")}
_NAMES: Final = {
    "P": noun("white pawn"),
    "N": noun("white knight"),
    "B": noun("white bishop"),
    "R": noun("white rook"),
    "Q": noun("white queen"),
    "K": noun("white king"),
    "C": noun("white captain"),
    "+B": noun("white crowned bishop"),
    "+R": noun("white crowned rook"),
    "p": noun("black pawn"),
    "n": noun("black knight"),
    "b": noun("black bishop"),
    "r": noun("black rook"),
    "q": noun("black queen"),
    "k": noun("black king"),
    "c": noun("black captain"),
    "+b": noun("black crowned bishop"),
    "+r": noun("black crowned rook"),
    **COLOURED_PAWNS,
}


def piece_name(letter: str) -> str:
    """Return the name of a piece, such as `white knight`, `black crowned bishop`, `gold pawn` or `token 3`.

    An unknown letter is used as the name of the kind, as a capital: `black X`.
    """
    if is_token(letter):
        return say("token {number}", letter)
    return _NAMES.get(letter) or f"{'white' if letter.removeprefix('+').isupper() else 'black'} {kind_name(letter)}"


def kind_name(letter: str) -> str:
    """Return the name of a piece without its colour: `crowned bishop`, `pawn`; a token keeps its number: `token 3`."""
    if is_token(letter):
        return piece_name(letter)
    if letter in COLOURED_PAWNS:
        return KINDS["p"]
    kind = letter.removeprefix("+")
    crowned = "crowned " if letter.startswith("+") else ""
    return KINDS.get(letter.lower()) or f"{crowned}{KINDS.get(kind.lower(), kind.upper())}"


def is_token(letter: str) -> bool:
    """Return whether a piece's letter stands for a player's token, that is, whether it is a number."""
    return letter.isdecimal()


def is_white(letter: str) -> bool:
    """Return whether a piece is White's: a capital letter, or a token with an odd number.

    Tokens have the numbers of the seats from 1, and the seats alternate between White and Black.
    """
    return int(letter) % 2 == 1 if is_token(letter) else letter.isupper()
