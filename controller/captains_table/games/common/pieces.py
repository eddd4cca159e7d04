"""Names and colours of pieces, found by the pieces' letters.

The letters are those of FEN, which are capitals for White. A `+` precedes the letter of a crowned piece. A gold pawn is
`G`, a red pawn is `g`. A player's token has the number of the player's seat, from 1, in place of a letter.
"""

NAMES = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king", "c": "captain"}
COLOURED_PAWNS = {"G": "gold pawn", "g": "red pawn"}


def piece_name(letter: str) -> str:
    """Return the name of a piece, such as `white knight`, `black crowned bishop`, `gold pawn` or `token 3`.

    An unknown letter is used as the name of the kind, as a capital: `black X`.
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
    """Return the name of a piece without its colour: `crowned bishop`, `pawn`; a token keeps its number: `token 3`."""
    return piece_name(letter) if is_token(letter) else piece_name(letter).partition(" ")[2]


def is_token(letter: str) -> bool:
    """Return whether a piece's letter stands for a player's token, that is, whether it is a number."""
    return letter.isdecimal()


def is_white(letter: str) -> bool:
    """Return whether a piece is White's: a capital letter, or a token with an odd number.

    Tokens have the numbers of the seats from 1, and the seats alternate between White and Black.
    """
    return int(letter) % 2 == 1 if is_token(letter) else letter.isupper()
