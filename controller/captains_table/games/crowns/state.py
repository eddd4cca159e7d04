"""The state of a match of Crowns, in frozen values: options, players, pawns, rings, crowns, and the steps of a turn.

The options are declared and parsed here. Seats without a piece of their own get one of the roster.

Source: docs/rules/crowns.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from msgspec import Struct

from captains_table.games.common.latest_events import WithLatestEvents
from captains_table.games.contract import (
    BadOption,
    Choice,
    GameOption,
    Over,
    Square,
    advanced,
    did_you_mean,
    read_options,
)
from captains_table.games.crowns.board import BLACK, CROWNS_SHAPE, FIRST_PAWNS, PARTY_OF_PAWN, WHITE
from captains_table.games.crowns.designs import FORM, BadDesign, Design, parse_design, roster
from captains_table.phrases import Phrase, message, message_of, noun, say

MOST_PLAYERS: Final = 14
PIECES: Final = "pieces"
"""The name of the collection in which a table stores the pieces that players designed (D5)."""
FIRST_GOLD: Final = 5
CARDS: Final = 14
SECOND_MS: Final = 1000
VACANT_SQUARE: Final = ord(".")

NEXT_OF_ROSTER: Final = Choice("", say("the next of the roster"))
CROWNS_OPTIONS: Final = (
    *advanced(
        GameOption(
            "timer",
            say("Seconds to bid and to act"),
            "60",
            bounds=(0, 3600),
            hint=say("0 for no limit: the bell is rung by hand."),
        ),
        GameOption(
            "timeout",
            say("Whose time is up"),
            "pass",
            (Choice("pass", say("passes")), Choice("master", say("waits for the game master"))),
            detail_of="timer",
            moot_at="0",
        ),
    ),
    GameOption(
        "turn_limit", say("Turns"), "0", bounds=(0, 9999), hint=say("After so many nobody wins; 0 for no limit.")
    ),
    *(
        GameOption(
            f"piece{number}",
            say("Piece {number}", number),
            choices=(NEXT_OF_ROSTER, *(Choice(str(design), design.name) for design in roster())),
            is_free=True,
            hint=say("{form}, or the name of a piece that is kept or of the roster.", FORM),
            seat=number,
            collection=PIECES,
        )
        for number in range(1, MOST_PLAYERS + 1)
    ),
)


class CrownsOptions(Struct, frozen=True):
    """The options of a match; the rules mark them with a double dagger.

    Attributes:
        timer_ms: the time to bid, and to act, in milliseconds; `None` for no limit.
        passes: whether a player passes when the time to act is up. Otherwise the table waits for the game master.
        turn_limit: the number of turns after which nobody wins; 0 for no limit.
    """

    timer_ms: int | None = 60 * SECOND_MS
    passes: bool = True
    turn_limit: int = 0


def parse_crowns_options(options: Mapping[str, str], seats: int) -> tuple[CrownsOptions, tuple[Design, ...]]:
    """Return the game's options and the piece of each seat.

    Raises:
        BadOption: an option is unknown or invalid, or a piece is given for a seat without a player.
    """
    chosen = read_options(CROWNS_OPTIONS, options)
    pieces = [chosen[f"piece{number}"] for number in range(1, MOST_PLAYERS + 1)]
    for number in range(seats + 1, MOST_PLAYERS + 1):
        if pieces[number - 1]:
            option = f"piece{number}"
            words = say("{option} is nobody's: expected pieces of {count} players", option, seats)
            raise BadOption(words, option)
    timer_ms = int(chosen["timer"]) * SECOND_MS or None
    parsed = CrownsOptions(timer_ms, chosen["timeout"] == "pass", int(chosen["turn_limit"]))
    return parsed, _designs(pieces[:seats])


def _designs(pieces: Sequence[str]) -> tuple[Design, ...]:
    """Return the design of each seat's piece, given the options `piece1`, `piece2` and so on.

    A seat whose option is empty gets the next piece of the roster (D4).

    Raises:
        BadOption: a text cannot be parsed, or a design breaks the rules.
    """
    spare = iter(roster())
    return tuple(_design(f"piece{number}", text) if text else next(spare) for number, text in enumerate(pieces, 1))


def _design(option: str, text: str) -> Design:
    try:
        return parse_design(text)
    except BadDesign as error:
        fault = message_of(error)
        if ":" in text:
            raise BadOption(say("{option}: {fault}", option, fault), option) from error
        meant = did_you_mean(text, (design.name for design in roster()))
        named = message("{option}: {fault}, or the name of one that is kept or of the roster{did_you_mean}")
        raise BadOption(say(named, option=option, fault=fault, did_you_mean=meant), option) from error


# --- players and places ---------------------------------------------------------------------------------------------


class Away(StrEnum):
    """The places off the board (B3)."""

    RESERVE = "reserve"
    PRISON = "prison"

    @property
    def words(self) -> Phrase:
        """The name as a message."""
        return noun("prison") if self is Away.PRISON else noun("reserve")


PlayerPlace = Square | Away
Crown = Square | int
"""Where a crown is: on a square, or worn by the player of a seat."""


@dataclass(frozen=True, slots=True)
class CrownsPlayer:
    """The changing state of a player: gold, place, whether levelled up, and the number of get-out-of-jail cards."""

    gold: int
    place: PlayerPlace = Away.RESERVE
    levelled: bool = False
    cards: int = 0


# --- the steps of a turn: the inputs that the game waits for --------------------------------------------------------


class Bidding(Struct, frozen=True):
    """The step in which an auction is held (T2); `bids` has each seat's bid so far, 0 if it has not bid."""

    bids: tuple[int, ...]

    def with_bid(self, seat: int, bid: int) -> "Bidding":
        """Return the auction with a seat's bid replaced."""
        return Bidding((*self.bids[:seat], bid, *self.bids[seat + 1 :]))


class Pledging(Struct, frozen=True):
    """The step in which the tied bidders are asked, one after the other, whether they pledge not to capture (T3).

    Attributes:
        tied: the tied seats, in seat order.
        bid: the bid, which is the same for all tied seats.
        pledged: the answers so far, in the order of `tied`.
    """

    tied: tuple[int, ...]
    bid: int
    pledged: tuple[bool, ...] = ()


class Acting(Struct, frozen=True):
    """The step in which the winner of the auction acts (T4).

    Attributes:
        seat: the seat that acts.
        bound: whether the seat may not capture, because of its pledge (T3).
        is_timed: whether the bell can still ring; false if it has rung and the game waits for the player or the game
            master.
    """

    seat: int
    bound: bool = False
    is_timed: bool = True


class Arriving(Struct, frozen=True):
    """The step in which a seat that moved a pawn off the far end of the board chooses gold or a card (T6)."""

    seat: int


class Escaping(Struct, frozen=True):
    """The step in which a captured player who has a card chooses to give it up or to go to prison (T7).

    Attributes:
        seat: the captured player's seat.
        actor: the seat that captured the player.
    """

    seat: int
    actor: int


CrownsStep = Bidding | Pledging | Acting | Arriving | Escaping | Over


@dataclass(frozen=True, slots=True)
class State(WithLatestEvents):
    """The state of a match.

    Attributes:
        options: the match's options.
        seats: the players' names; seats alternate between White and Black (B3).
        designs: every seat's piece.
        players: every seat's changing state.
        step: the input that the game waits for.
        pawns: for each square, the letter of the pawn on it, or `VACANT_SQUARE`.
        rings: the squares that still have a ring.
        crowns: where White's and Black's crowns are.
        cards_left: the number of get-out-of-jail cards not taken yet.
        turn: the number of the turn, from 1.
        barred: the seat that acted last and so may not bid; `None` if nobody has acted yet.
        out: the seats that may not bid any more in this turn, after a tie that pledges did not break (T3).
    """

    options: CrownsOptions
    seats: tuple[str, ...]
    designs: tuple[Design, ...]
    players: tuple[CrownsPlayer, ...]
    step: CrownsStep
    pawns: bytes
    rings: frozenset[Square]
    crowns: tuple[Crown, Crown]
    cards_left: int = CARDS
    turn: int = 1
    barred: int | None = None
    out: frozenset[int] = frozenset()

    def name(self, seat: int) -> str:
        """Return the name of a seat's player."""
        return self.seats[seat]

    def members(self, party: int) -> range:
        """Return the seats of a party (B3)."""
        return range(party, len(self.seats), 2)

    def player_at(self, square: Square) -> int | None:
        """Return the seat whose player stands on a square; `None` if no player stands there."""
        return next((seat for seat, player in enumerate(self.players) if player.place == square), None)

    def pawn_at(self, square: Square) -> str:
        """Return the letter of the pawn on a square; empty if the square has no pawn."""
        letter = self.pawns[number_of(square)]
        return "" if letter == VACANT_SQUARE else chr(letter)

    def pawns_of(self, party: int) -> list[Square]:
        """Return the squares of a party's pawns."""
        return [
            CROWNS_SHAPE.square_at(number)
            for number, letter in enumerate(self.pawns)
            if letter != VACANT_SQUARE and PARTY_OF_PAWN[chr(letter)] == party
        ]

    def worn_by(self, seat: int) -> tuple[int, ...]:
        """Return the parties whose crowns the player of a seat wears."""
        return tuple(party for party in (WHITE, BLACK) if self.crowns[party] == seat)

    def crown_square(self, party: int) -> Square | None:
        """Return the square of a party's crown, worn or not; `None` if it was carried off the board."""
        crown = self.crowns[party]
        place = crown if isinstance(crown, Square) else self.players[crown].place
        return place if isinstance(place, Square) else None

    def crown_words(self, crown: Crown) -> str:
        """Return where a crown is, in words: its square, or the name of its wearer."""
        return str(crown) if isinstance(crown, Square) else self.name(crown)

    def holds_both(self, party: int) -> bool:
        """Return whether both crowns are worn by members of a party, by the same member or by two (T8)."""
        return all(isinstance(crown, int) and party_of(crown) == party for crown in self.crowns)

    # --- changed copies ---------------------------------------------------------------------------------------------

    def with_player(self, seat: int, player: CrownsPlayer) -> "State":
        """Return the state with the player of a seat replaced."""
        return replace(self, players=(*self.players[:seat], player, *self.players[seat + 1 :]))

    def with_pawn(self, square: Square, letter: str) -> "State":
        """Return the state with a pawn on a square; an empty letter removes it."""
        number = number_of(square)
        put = letter.encode() or bytes([VACANT_SQUARE])
        return replace(self, pawns=self.pawns[:number] + put + self.pawns[number + 1 :])

    def with_crown(self, party: int, crown: Crown) -> "State":
        """Return the state with a party's crown on a square, or worn by the player of a seat."""
        return replace(self, crowns=(crown, self.crowns[BLACK]) if party == WHITE else (self.crowns[WHITE], crown))


def party_of(seat: int) -> int:
    """Return the party of a seat: 0 (White) for even seats, 1 (Black) for odd ones (B3)."""
    return seat % 2


def number_of(square: Square) -> int:
    """Return a square's number; squares are numbered from 0, rank by rank from a1."""
    return square.rank * CROWNS_SHAPE.files + square.file


def first_pawns() -> bytes:
    """Return the pawns of the starting position (B1), in the format of `State.pawns`."""
    return "".join(FIRST_PAWNS.get(square, chr(VACANT_SQUARE)) for square in CROWNS_SHAPE.squares()).encode()
