"""The lookahead state of Crowns: a compact match on which Notus tries actions quickly.

The rules (`games/crowns/deed_effects.py`) record every coin and build a new state for each action, which is too slow
for trying every action of every bidder in every auction. This state holds only what `appraisal` evaluates.

Rules: docs/rules/crowns.md T1, T4 to T8, K1, K2. Squares are numbered rank by rank from a1.
"""

from dataclasses import dataclass
from typing import Final

from captains_table.games.common.movement import Reach
from captains_table.games.contract import Square
from captains_table.games.crowns import deeds
from captains_table.games.crowns.board import CROWNS_SHAPE, PAWN_LETTERS, PAWN_VALUE, PLAIN, is_adjacent
from captains_table.games.crowns.deed_effects import COLOURED_GOLD, FAR_END_GOLD, PLAIN_GOLD, SUMMON_GOLD
from captains_table.games.crowns.move_generation import FIRST_PLAYER, occupied, reach_of
from captains_table.games.crowns.state import Away, State, number_of, party_of

AWAY: Final = -1
"""The place of a player who is off the board, and the wearer of a crown that nobody wears."""
INCOME: Final = 1

SQUARE_COUNT: Final = CROWNS_SHAPE.files * CROWNS_SHAPE.ranks
ADJACENT: Final = tuple(
    frozenset(
        other
        for other in range(SQUARE_COUNT)
        if is_adjacent(CROWNS_SHAPE.square_at(number), CROWNS_SHAPE.square_at(other))
    )
    for number in range(SQUARE_COUNT)
)
VALUE_OF_CODE: Final = (0, *(PAWN_VALUE[letter] for letter in PAWN_LETTERS))
_GOLD_OF_CODE: Final = (0, *(PLAIN_GOLD if letter in PLAIN else COLOURED_GOLD for letter in PAWN_LETTERS))


@dataclass(slots=True)
class Lookahead:
    """A compact state of a match, on which the computer player Notus tries actions.

    Attributes:
        state: the match itself, used for everything that actions do not change.
        board: the piece on each square, encoded as in `move_generation.occupied`.
        places: the square of each seat's player; `AWAY` for a player in reserve or prison.
        jailed: the seats whose players are in prison.
        levelled: the seats whose players show their second grid.
        gold: each seat's gold.
        crowns: the square of each party's crown, whether or not it is worn.
        wearers: the seat that wears each party's crown; `AWAY` if no seat wears it.
        reaches: a cache of how the players' pieces move. The key is the seat, whether its player shows the second grid,
            and whether its player wears a crown.
        winner: the seat that has won; `None` if no seat has.
    """

    state: State
    board: bytearray
    places: list[int]
    jailed: frozenset[int]
    levelled: frozenset[int]
    gold: list[int]
    crowns: list[int]
    wearers: list[int]
    reaches: dict[tuple[int, bool, bool], Reach]
    winner: int | None = None

    @classmethod
    def of(cls, state: State) -> "Lookahead":
        """Return the lookahead state of a match that is not over."""
        players = list(enumerate(state.players))
        places = [number_of(each.place) if isinstance(each.place, Square) else AWAY for _, each in players]
        wearers = [crown if isinstance(crown, int) else AWAY for crown in state.crowns]
        return cls(
            state,
            occupied(state),
            places,
            frozenset(seat for seat, each in players if each.place is Away.PRISON),
            frozenset(seat for seat, each in players if each.levelled),
            [each.gold for _, each in players],
            [places[crown] if isinstance(crown, int) else number_of(crown) for crown in state.crowns],
            wearers,
            {},
        )

    def reach(self, seat: int) -> Reach:
        """Return how a seat's piece moves now (K1)."""
        key = seat, seat in self.levelled, seat in self.wearers
        found = self.reaches.get(key)
        if found is None:
            found = self.reaches[key] = reach_of(self.state, seat, levelled=key[1], is_king=key[2])
        return found

    def holds_both(self, party: int) -> bool:
        """Return whether members of a party wear both crowns (T8)."""
        white, black = self.wearers
        return white != AWAY != black and party_of(white) == party == party_of(black)

    def after(self, seat: int, deed: deeds.CrownsDeed) -> "Lookahead":
        """Return a copy of this state with a seat's legal action done and the income of the next turn paid (T1)."""
        seen = Lookahead(
            self.state,
            bytearray(self.board),
            self.places.copy(),
            self.jailed,
            self.levelled,
            [gold + INCOME for gold in self.gold],
            self.crowns.copy(),
            self.wearers.copy(),
            self.reaches,
        )
        seen.apply(seat, deed)
        return seen

    def apply(self, seat: int, deed: deeds.CrownsDeed) -> None:
        """Carry out a seat's legal action in this state."""
        match deed:
            case deeds.Pass():
                pass
            case deeds.Summon(square):
                self._put(seat, number_of(square))
                self.gold[seat] += SUMMON_GOLD
            case deeds.PlayerMove(start, end, levels_up):
                self._move(seat, number_of(start), number_of(end))
                if levels_up:
                    self._level_up(seat, end)
            case deeds.PawnMove(start, end):
                self._move_pawn(seat, number_of(start), number_of(end))
            case deeds.PawnOff(start):
                self.board[number_of(start)] = 0
                self.gold[seat] += FAR_END_GOLD
            case deeds.CarryOff():
                self.winner = seat
            case deeds.LevelUp(square):
                self._level_up(seat, square)
            case deeds.Bail():
                self.gold[seat] -= self.state.designs[seat].value
                self.jailed -= {seat}

    def _put(self, seat: int, number: int) -> None:
        self.places[seat] = number
        self.board[number] = FIRST_PLAYER + seat

    def _level_up(self, seat: int, square: Square) -> None:
        self.gold[seat] -= deeds.level_up_price(self.state, seat, square)
        self.levelled |= {seat}

    def _move(self, seat: int, start: int, end: int) -> None:
        """Move a player, and capture the piece on the end square (T7, K1).

        If the end square is a ring, the player gets one gold. The player puts on a crown that lies on the end square,
        and a crown that the captured player wore. A player who wears a crown drops it at the start square, unless the
        end square is adjacent. A player who wears both crowns has won.
        """
        won = self._capture(seat, end)
        self.board[start] = 0
        self._put(seat, end)
        for party, wearer in enumerate(self.wearers):
            if wearer == seat and end not in ADJACENT[start]:
                self.wearers[party] = AWAY
            elif wearer == seat or party in won or self.crowns[party] == end:
                self.wearers[party], self.crowns[party] = seat, end
        if CROWNS_SHAPE.square_at(end) in self.state.rings:
            self.gold[seat] += 1
        if self.wearers == [seat, seat]:
            self.winner = seat

    def _move_pawn(self, seat: int, start: int, end: int) -> None:
        """Move a pawn, and take the gold for the move and for a capture.

        If the pawn captures a player with a crown, the crown stays on the square, because pawns wear no crowns (T6).
        """
        for party in self._capture(seat, end):
            self.wearers[party] = AWAY
        code = self.board[start]
        self.board[start], self.board[end] = 0, code
        self.gold[seat] += _GOLD_OF_CODE[code]

    def _capture(self, seat: int, number: int) -> list[int]:
        """Capture the piece on a square, if any; return the parties whose crowns the captured player wore (T7).

        A captured player goes to prison. The seat gets gold for a pawn, and for a player of the other party.
        """
        code = self.board[number]
        if code < FIRST_PLAYER:
            self.gold[seat] += VALUE_OF_CODE[code]
            return []
        victim = code - FIRST_PLAYER
        if party_of(victim) != party_of(seat):
            self.gold[seat] += self.state.designs[victim].value
        self.places[victim] = AWAY
        self.jailed |= {victim}
        self.levelled -= {victim}
        return [party for party, wearer in enumerate(self.wearers) if wearer == victim]
