"""The state of Crowns: players with their purses, pawns, rings, crowns, and what is waited for. Frozen values.

Source: docs/rules/crowns.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from msgspec import Struct

from captains_table.games.common.latest_events import WithLatestEvents
from captains_table.games.contract import BadOption, Choice, GameOption, Over, Square, did_you_mean, read_options
from captains_table.games.crowns.board import BLACK, FIRST_PAWNS, PARTY_OF_PAWN, SHAPE, WHITE
from captains_table.games.crowns.designs import FORM, BadDesign, Design, parse_design, roster

MOST_PLAYERS: Final = 14
PIECES: Final = "pieces"
"""What a table calls the collection of pieces of players' own (D5)."""
FIRST_GOLD: Final = 5
CARDS: Final = 14
SECOND_MS: Final = 1000
VACANT: Final = ord(".")

NEXT_OF_ROSTER: Final = Choice("", "the next of the roster")
OPTIONS: Final = (
    GameOption(
        "timer", "Seconds to bid and to act", "60", bounds=(0, 3600), hint="0 for no limit: the bell is rung by hand."
    ),
    GameOption(
        "timeout",
        "Whose time is up",
        "pass",
        (Choice("pass", "passes"), Choice("master", "waits for the game master")),
    ),
    GameOption("turn_limit", "Turns", "0", bounds=(0, 9999), hint="After so many nobody wins; 0 for no limit."),
    *(
        GameOption(
            f"piece{number}",
            f"Piece {number}",
            choices=(NEXT_OF_ROSTER, *(Choice(str(design), design.name) for design in roster())),
            is_free=True,
            hint=f"{FORM}, or the name of a piece that is kept or of the roster.",
            seat=number,
            collection=PIECES,
        )
        for number in range(1, MOST_PLAYERS + 1)
    ),
)


class Options(Struct, frozen=True):
    """The rules' options (those marked with a double dagger): times, and how many turns are played at most."""

    timer_ms: int | None = 60 * SECOND_MS
    passes: bool = True
    turn_limit: int = 0


def parse_options(options: Mapping[str, str], seats: int) -> tuple[Options, tuple[Design, ...]]:
    """Return the game's options and the piece of each seat; raises BadOption."""
    chosen = read_options(OPTIONS, options)
    pieces = [chosen[f"piece{number}"] for number in range(1, MOST_PLAYERS + 1)]
    for number in range(seats + 1, MOST_PLAYERS + 1):
        if pieces[number - 1]:
            raise BadOption(f"piece{number} is nobody's: expected pieces of {seats} players", f"piece{number}")
    timer_ms = int(chosen["timer"]) * SECOND_MS or None
    parsed = Options(timer_ms, chosen["timeout"] == "pass", int(chosen["turn_limit"]))
    return parsed, _designs(pieces[:seats])


def _designs(pieces: Sequence[str]) -> tuple[Design, ...]:
    """Return the piece of each seat; whoever has none gets the next of the roster (D4)."""
    spare = iter(roster())
    return tuple(_design(f"piece{number}", text) if text else next(spare) for number, text in enumerate(pieces, 1))


def _design(option: str, text: str) -> Design:
    try:
        return parse_design(text)
    except BadDesign as error:
        names = (design.name for design in roster())
        named = "" if ":" in text else f", or the name of one that is kept or of the roster{did_you_mean(text, names)}"
        raise BadOption(f"{option}: {error}{named}", option) from error


# --- who and where --------------------------------------------------------------------------------------------------


class Away(StrEnum):
    """Where a player is who is not on the board (B3)."""

    RESERVE = "reserve"
    PRISON = "prison"


Place = Square | Away
Crown = Square | int
"""Where a crown is: on a square, or worn by a seat."""


@dataclass(frozen=True, slots=True)
class Player:
    """What changes of a player: his purse, where he is, which grid shows, his cards."""

    gold: int
    place: Place = Away.RESERVE
    levelled: bool = False
    cards: int = 0


# --- what is waited for ---------------------------------------------------------------------------------------------


class Bidding(Struct, frozen=True):
    """An auction is held; what each seat bids so far, 0 for nothing (T2)."""

    bids: tuple[int, ...]

    def with_bid(self, seat: int, bid: int) -> "Bidding":
        """Return the auction with another bid of a seat."""
        return Bidding((*self.bids[:seat], bid, *self.bids[seat + 1 :]))


class Pledging(Struct, frozen=True):
    """Those still tied are asked, one after the other, whether they pledge not to capture (T3).

    Attributes:
        tied: who is asked, in seat order.
        bid: what each of them bids.
        pledged: what was answered so far.
    """

    tied: tuple[int, ...]
    bid: int
    pledged: tuple[bool, ...] = ()


class Acting(Struct, frozen=True):
    """A seat has won the auction and acts (T4).

    Attributes:
        seat: who acts.
        bound: whether a pledge keeps it from capturing (T3).
        is_timed: whether the bell may still ring; not once the game master was left to choose.
    """

    seat: int
    bound: bool = False
    is_timed: bool = True


class Arriving(Struct, frozen=True):
    """A pawn has left the far end: gold or a card (T6)."""

    seat: int


class Escaping(Struct, frozen=True):
    """A captured player with a card gives it, or goes to prison (T7).

    Attributes:
        seat: who was captured.
        actor: whose turn it is.
    """

    seat: int
    actor: int


Step = Bidding | Pledging | Acting | Arriving | Escaping | Over


@dataclass(frozen=True, slots=True)
class State(WithLatestEvents):
    """A match.

    Attributes:
        options: how it was started.
        seats: the players' names; seats alternate between White and Black (B3).
        designs: every seat's piece.
        players: what changes of each.
        step: what is waited for.
        pawns: for each square the letter of the pawn on it.
        rings: the squares that still have one.
        crowns: where White's and Black's are.
        cards_left: how many get-out-of-jail cards are still to be had.
        turn: its number, from 1.
        barred: who acted last, and so may not bid; `None` before anybody did.
        out: who may not bid in this turn any more, as a pledge came to nothing (T3).
    """

    options: Options
    seats: tuple[str, ...]
    designs: tuple[Design, ...]
    players: tuple[Player, ...]
    step: Step
    pawns: bytes
    rings: frozenset[Square]
    crowns: tuple[Crown, Crown]
    cards_left: int = CARDS
    turn: int = 1
    barred: int | None = None
    out: frozenset[int] = frozenset()

    def name(self, seat: int) -> str:
        """Return what a seat's player is called."""
        return self.seats[seat]

    def members(self, party: int) -> range:
        """Return the seats of a party (B3)."""
        return range(party, len(self.seats), 2)

    def player_at(self, square: Square) -> int | None:
        """Return the seat whose player stands on a square."""
        return next((seat for seat, player in enumerate(self.players) if player.place == square), None)

    def pawn_at(self, square: Square) -> str:
        """Return the letter of the pawn on a square; empty where there is none."""
        letter = self.pawns[number_of(square)]
        return "" if letter == VACANT else chr(letter)

    def pawns_of(self, party: int) -> list[Square]:
        """Return where a party's pawns stand."""
        return [
            SHAPE.square_at(number)
            for number, letter in enumerate(self.pawns)
            if letter != VACANT and PARTY_OF_PAWN[chr(letter)] == party
        ]

    def worn_by(self, seat: int) -> tuple[int, ...]:
        """Return the crowns a seat wears: of which parties."""
        return tuple(party for party in (WHITE, BLACK) if self.crowns[party] == seat)

    def crown_square(self, party: int) -> Square | None:
        """Return the square on which a party's crown is, worn or not; `None` where it was carried off."""
        crown = self.crowns[party]
        place = crown if isinstance(crown, Square) else self.players[crown].place
        return place if isinstance(place, Square) else None

    def crown_words(self, crown: Crown) -> str:
        """Return where a crown is: its square, or the name of its wearer."""
        return str(crown) if isinstance(crown, Square) else self.name(crown)

    def holds_both(self, party: int) -> bool:
        """Return whether members of a party wear both crowns (T8)."""
        return all(isinstance(crown, int) and party_of(crown) == party for crown in self.crowns)

    # --- changed ----------------------------------------------------------------------------------------------------

    def with_player(self, seat: int, player: Player) -> "State":
        """Return the state with another player on a seat."""
        return replace(self, players=(*self.players[:seat], player, *self.players[seat + 1 :]))

    def with_pawn(self, square: Square, letter: str) -> "State":
        """Return the state with a pawn on a square; an empty letter takes it away."""
        number = number_of(square)
        put = letter.encode() or bytes([VACANT])
        return replace(self, pawns=self.pawns[:number] + put + self.pawns[number + 1 :])

    def with_crown(self, party: int, crown: Crown) -> "State":
        """Return the state with a party's crown elsewhere."""
        return replace(self, crowns=(crown, self.crowns[BLACK]) if party == WHITE else (self.crowns[WHITE], crown))


def party_of(seat: int) -> int:
    """Return the party of a seat: they alternate, White first (B3)."""
    return seat % 2


def number_of(square: Square) -> int:
    """Return a square's number, rank by rank from a1."""
    return square.rank * SHAPE.files + square.file


def first_pawns() -> bytes:
    """Return the pawns as they stand at first (B1)."""
    return "".join(FIRST_PAWNS.get(square, chr(VACANT)) for square in SHAPE.squares()).encode()
