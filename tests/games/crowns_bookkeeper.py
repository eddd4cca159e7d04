"""A slow and plain second implementation of Crowns, from the numbered rules alone: the oracle of the game's tests.

It keeps one match: who bids, who acts, what may be picked, and every coin that changes hands. Costs of grids are
counted in half points, so that all arithmetic is exact. Rule numbers (B1, T3, K2 and so on) stand in the docstrings.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import gcd
from typing import Final, Literal

Step = tuple[int, int]
Phase = Literal["auction", "pledge", "action", "reward", "escape", "over"]

FILES: Final = "abcdefg"
RANKS: Final = "1234567"
SQUARES: Final = tuple(f + r for r in RANKS for f in FILES)
RESERVE: Final = "reserve"
PRISON: Final = "prison"

WHITE: Final = 0
BLACK: Final = 1
FORWARD: Final = (1, -1)
FAR_RANK: Final = ("7", "1")
SUMMONING: Final = (
    ("a1", "b1", "c1", "e1", "f1", "g1", "a2", "g2"),
    ("a7", "b7", "c7", "e7", "f7", "g7", "a6", "g6"),
)
HALF_PRICE: Final = frozenset({"b4", "c4", "d4", "e4", "f4"})
PAWN_PARTY: Final = {"P": WHITE, "G": WHITE, "p": BLACK, "R": BLACK}
PAWN_VALUE: Final = {"P": 1, "p": 1, "G": 3, "R": 3}

NOBODY: Final = -1
CARDS: Final = 14
FIRST_GOLD: Final = 5
OFF_GOLD: Final = 10
POINTS_IN_HALVES: Final = 50

# Half points, the first row is two squares ahead of the piece, the last one two squares behind it.
DOT_ROWS: Final = (
    (7, 6, 7, 6, 7),
    (6, 5, 6, 5, 6),
    (5, 4, 0, 4, 5),
    (4, 3, 4, 3, 4),
    (3, 2, 3, 2, 3),
)
ARROWS: Final[Mapping[str, Step]] = {
    "n": (0, 1),
    "ne": (1, 1),
    "e": (1, 0),
    "se": (1, -1),
    "s": (0, -1),
    "sw": (-1, -1),
    "w": (-1, 0),
    "nw": (-1, 1),
}
ARROW_HALVES: Final = {"n": 24, "ne": 24, "nw": 24, "e": 20, "w": 20, "s": 16, "se": 16, "sw": 16}


class Impossible(ValueError):
    """What was tried cannot be done now, and nothing has changed."""


# --- designs ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Grid:
    """One movement grid: leaps and rays seen by a player who looks towards rank 7 (D1)."""

    dots: tuple[Step, ...]
    arrows: tuple[Step, ...]
    halves: int  # the cost after the discount, in half points


@dataclass(frozen=True)
class Design:
    """A player's piece with its two grids (D1, D4)."""

    standard: Grid
    levelled: Grid

    @property
    def value(self) -> int:
        """The standard cost rounded up, whichever side shows (D4)."""
        return up(self.standard.halves)

    @property
    def level_cost(self) -> int:
        """The levelled-up cost as a whole number (D4, T5)."""
        return up(self.levelled.halves)

    @property
    def unspent(self) -> int:
        """The points left over, rounded down (D4)."""
        return (POINTS_IN_HALVES - self.standard.halves - self.levelled.halves) // 2


def up(halves: int) -> int:
    """Half points as whole points, rounded up (D4)."""
    return (halves + 1) // 2


def lattice_index(steps: Sequence[Step]) -> int:
    """The index of the lattice these steps span, or 0 if they all lie on one line (D3)."""
    # The gcd of all 2x2 determinants is the index of the lattice in the whole plane.
    return gcd(*(abs(ax * by - ay * bx) for (ax, ay), (bx, by) in combinations(steps, 2)))


def discount_halves(steps: Sequence[Step]) -> int:
    """The discount of a grid in half points (D3)."""
    if lattice_index(steps) >= 4:
        return 20
    return 10 if all((dx + dy) % 2 == 0 for dx, dy in steps) else 0


def read_grid(text: str) -> Grid:
    """Read one grid and price it: a dot is a square of the little 5x5 board, the piece on c3 (D1, D2, D3)."""
    arrows = [word for word in text.split() if word in ARROWS]
    dots = [("abcde".index(word[0]) - 2, "12345".index(word[1]) - 2) for word in text.split() if word not in ARROWS]
    rides = [ARROWS[word] for word in arrows]
    gross = sum(DOT_ROWS[2 - dy][dx + 2] for dx, dy in dots) + sum(ARROW_HALVES[word] for word in arrows)
    return Grid(tuple(dots), tuple(rides), max(0, gross - discount_halves(dots + rides)))


def read_design(text: str) -> Design:
    """Read a piece that keeps to the budget (D4)."""
    standard, levelled = map(read_grid, text.partition(":")[2].split("/"))
    assert standard.halves < levelled.halves <= POINTS_IN_HALVES - standard.halves, text
    return Design(standard, levelled)


# --- the board --------------------------------------------------------------------------------------------------------


def shifted(square: str, dx: int, dy: int) -> str | None:
    """The square so many files and ranks away, or None beyond the edge (B1)."""
    x, y = FILES.index(square[0]) + dx, RANKS.index(square[1]) + dy
    if 0 <= x < len(FILES) and 0 <= y < len(RANKS):
        return FILES[x] + RANKS[y]
    return None


def adjacent(one: str, other: str) -> bool:
    """Whether a king could step from one square to the other (K1)."""
    return other in {shifted(one, dx, dy) for dx, dy in ARROWS.values()}


def party_of(seat: int) -> int:
    """White for seats 0, 2, 4 and so on, Black for the others (B3, At the table)."""
    return seat % 2


# --- the book ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Waits:
    """What the match waits for."""

    kind: Literal["auction", "pick", "over"]
    seat: int | None = None
    ids: frozenset[str] = frozenset()
    bids: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    takes_bell: bool = False


class Book:
    """One match of Crowns, kept from the first bid to the end."""

    def __init__(self, names: Sequence[str], options: Mapping[str, str]) -> None:
        """Set everything up and open the first auction (B1, B2, B3, T1)."""
        self.names, self.seats = list(names), range(len(names))
        self.designs = [read_design(options[f"piece{seat + 1}"]) for seat in self.seats]
        self.turn_limit, self.timeout = int(options["turn_limit"]), options["timeout"]

        self.ledger: list[tuple[int, int, str]] = []
        self.purses, self.cards, self.levels = ([0 for _ in names] for _ in range(3))
        self.cards_left = CARDS
        self.places: list[str] = [RESERVE for _ in names]
        self.pawns = {f + "2": "P" for f in FILES} | {f + "6": "p" for f in FILES}
        self.pawns |= {"b1": "G", "f1": "G", "b7": "R", "f7": "R"}
        self.rings = set(SQUARES)
        self.crowns: list[int | str] = ["d1", "d7"]  # White's and Black's: the wearer's seat, or the square it is on

        self.turn = 1
        self.phase: Phase = "auction"
        self.last_actor = NOBODY
        self.bids: dict[int, int] = {}
        self.out: set[int] = set()  # whom failed pledges have put out of this turn
        self.tied: list[int] = []  # who is asked for a pledge, in seat order
        self.pledges: list[bool] = []  # the answers so far, in the same order
        self.actor = NOBODY
        self.pledged = False  # whether the actor may not capture
        self.action_bell_rung = False
        self.captured = NOBODY  # who is asked for a card
        self.winner = NOBODY

        for seat in self.seats:
            self._change(seat, FIRST_GOLD + self.designs[seat].unspent, "T1")

    # -- what the outside does

    def bid(self, seat: int, value: int) -> None:
        """Bid, or raise one's bid (T2)."""
        if self.phase != "auction":
            raise Impossible("No auction is held now.")
        least, most = self._possible_bids().get(seat, (1, 0))
        if not least <= value <= most:
            raise Impossible(f"Seat {seat} may bid {least} to {most}, not {value}.")
        self.bids[seat] = value

    def bell(self) -> None:
        """Close the auction, or end the time for the action (T2, T4, At the table)."""
        if not self._takes_bell():
            raise Impossible("The bell is not taken now.")
        if self.phase == "auction":
            self._close_auction()
        elif self.timeout == "pass":
            self._act("pass")
        else:
            self.action_bell_rung = True

    def pick(self, id_: str) -> None:
        """Answer what is asked (T3, T4, T6, T7)."""
        if id_ not in self._ids():
            raise Impossible(f"{id_!r} cannot be picked now.")
        if self.phase == "pledge":
            self._answer_pledge(pledge=id_ == "pledge")
        elif self.phase == "action":
            self._act(id_)
        elif self.phase == "reward":
            self._answer_reward(id_)
        else:
            self._answer_escape(use_card=id_ == "use-card")

    def correct(self, what: str, of: str, to: str) -> None:
        """Let the game master set something right (Corrections)."""
        if self.phase == "over":
            raise Impossible("The match is over.")
        if what == "gold" and of in self.names:
            self._correct_gold(self.names.index(of), to)
        elif what == "place" and of in self.names and to in (*SQUARES, RESERVE, PRISON):
            self._correct_place(self.names.index(of), to)
        elif what == "crown" and of in ("white", "black") and to in (*SQUARES, *self.names):
            self._correct_crown(("white", "black").index(of), to)
        else:
            raise Impossible(f"Nobody corrects {what} {of} {to}.")

    def end(self) -> None:
        """Let the game master end the match without a winner (Game master's page)."""
        if self.phase == "over":
            raise Impossible("The match is over.")
        self.phase = "over"

    def waits_for(self) -> Waits:
        """Tell what the match waits for and what may be answered."""
        if self.phase == "over":
            return Waits("over")
        if self.phase == "auction":
            return Waits("auction", None, frozenset(), self._possible_bids(), takes_bell=True)
        return Waits("pick", self._asked_seat(), self._ids(), takes_bell=self._takes_bell())

    def final(self) -> dict[str, object]:
        """The position as an object (Final object)."""
        result: dict[str, object] = {
            "pieces": self._pieces(),
            "tallies": {
                name: {"gold": gold, "value": design.value, "cards": cards, "level": level}
                for name, gold, design, cards, level in zip(
                    self.names, self.purses, self.designs, self.cards, self.levels, strict=True
                )
            },
            "places": dict(zip(self.names, self.places, strict=True)),
            "crowns": {"white": self._name(self.crowns[WHITE]), "black": self._name(self.crowns[BLACK])},
            "rings": sorted(self.rings),
            "barred": self._name(self.last_actor),
            "turn": self.turn,
        }
        if self.phase == "auction":
            result["bids"] = {self.names[seat]: value for seat, value in sorted(self.bids.items())}
        if self.phase == "over":
            scores = dict(zip(self.names, self.purses, strict=True))
            result["result"] = {"winner": self._name(self.winner), "scores": scores}
        return result

    # -- parts of the final object

    def _name(self, who: int | str) -> str | None:
        """The name of a player; a square, on which a crown may lie, is its own."""
        return who if isinstance(who, str) else None if who == NOBODY else self.names[who]

    def _pieces(self) -> dict[str, str]:
        """Pawns by letter and players by number from 1 (Final object)."""
        players = {self.places[seat]: str(seat + 1) for seat in self.seats if self._on_board(seat)}
        assert len(players) == sum(map(self._on_board, self.seats)), "two on one square"
        assert not players.keys() & self.pawns.keys(), "two on one square"
        return self.pawns | players

    # -- purses

    def _change(self, seat: int, amount: int, rule: str) -> None:
        """Put gold into a purse or take it out, and write down why (nothing is written for no gold)."""
        if amount == 0:
            return
        assert self.purses[seat] + amount >= 0, "a purse cannot be overdrawn"
        self.purses[seat] += amount
        self.ledger.append((seat, amount, rule))

    # -- who and where

    def _on_board(self, seat: int) -> bool:
        """Whether a player stands on a square (B3)."""
        return self.places[seat] not in (RESERVE, PRISON)

    def _player_at(self, square: str) -> int:
        """The player who stands on a square, if any."""
        return self.places.index(square) if square in self.places else NOBODY

    def _occupied(self, square: str) -> bool:
        """Whether a player or a pawn stands here, for only they block (T6)."""
        return square in self.pawns or square in self.places

    def _holds_both(self, party: int) -> bool:
        """Whether members of the party wear both crowns (T8)."""
        return all(isinstance(where, int) and party_of(where) == party for where in self.crowns)

    def _grid(self, seat: int) -> Grid:
        """The grid whose side shows (D1)."""
        design = self.designs[seat]
        return design.levelled if self.levels[seat] else design.standard

    # -- the auction

    def _bidders(self) -> list[int]:
        """Everyone but the last actor and those put out in this turn (T2, T3)."""
        return [seat for seat in self.seats if seat != self.last_actor and seat not in self.out]

    def _possible_bids(self) -> dict[int, tuple[int, int]]:
        """The least and the most each seat may bid now (T2)."""
        ranges = {seat: (self.bids.get(seat, 0) + 1, self.purses[seat]) for seat in self._bidders()}
        return {seat: (least, most) for seat, (least, most) in ranges.items() if least <= most}

    def _close_auction(self) -> None:
        """Find who acts: the highest bid, then the lower value, then the lower team total, then the pledge (T2, T3)."""
        if not self.bids:
            self._end_turn()
            return
        highest = max(self.bids.values())
        tied = sorted(seat for seat, value in self.bids.items() if value == highest)
        lowest_value = min(self.designs[seat].value for seat in tied)
        tied = [seat for seat in tied if self.designs[seat].value == lowest_value]
        lowest_total = min(self._team_total(party_of(seat)) for seat in tied)
        tied = [seat for seat in tied if self._team_total(party_of(seat)) == lowest_total]
        if len(tied) == 1:
            self._start_action(tied[0], pledged=False)
        else:
            self.tied, self.pledges, self.phase = tied, [], "pledge"

    def _team_total(self, party: int) -> int:
        """The values of all members of a party, wherever they are (T3)."""
        return sum(self.designs[seat].value for seat in self.seats if party_of(seat) == party)

    def _answer_pledge(self, *, pledge: bool) -> None:
        """Take one answer; after the last one exactly one pledge wins (T3, Fine print)."""
        self.pledges.append(pledge)
        if len(self.pledges) < len(self.tied):
            return
        if sum(self.pledges) == 1:
            self._start_action(self.tied[self.pledges.index(True)], pledged=True)
            return
        # The others bid again, if there are any. Giving bids back moves no gold: only the one who acts pays.
        self.bids = {}
        self.out.update(self.tied)
        if self._bidders():
            self.phase = "auction"
        else:
            self._end_turn()

    def _start_action(self, seat: int, *, pledged: bool) -> None:
        """Let the winner of the auction pay and act (T2, T3)."""
        self._change(seat, -self.bids[seat], "T2")
        self.bids = {}
        self.actor, self.pledged, self.action_bell_rung, self.phase = seat, pledged, False, "action"

    # -- the end of an action and of a turn

    def _end_action(self) -> None:
        """Remember who acted, who is barred from the next auction (T2)."""
        self.last_actor, self.captured, self.pledged = self.actor, NOBODY, False
        self._end_turn()

    def _end_turn(self) -> None:
        """Begin the next turn with income for everyone, or stop at the limit (T1)."""
        self.bids, self.out = {}, set()
        if self.turn_limit and self.turn >= self.turn_limit:
            self.phase = "over"
            return
        self.turn += 1
        for seat in self.seats:
            self._change(seat, 1, "T1")
        self.phase = "auction"

    def _win(self, seat: int) -> None:
        """End the match with a winner, who is also the last to have acted (K2)."""
        self.last_actor, self.winner, self.phase = self.actor, seat, "over"

    # -- the game master (Corrections)

    def _correct_gold(self, seat: int, to: str) -> None:
        """Set or change a purse; a bid above it falls to it."""
        if not to.removeprefix("+").removeprefix("-").isdigit():
            raise Impossible(f"{to!r} is no number.")
        gold = int(to) + (self.purses[seat] if to[0] in "+-" else 0)
        if not 0 <= gold <= 9999 or gold == self.purses[seat]:
            raise Impossible("A purse holds 0 to 9999, and a correction changes something.")
        if self.phase == "pledge" and seat in self.tied and gold < self.bids[seat]:
            raise Impossible("A tied player keeps as much as they bid.")
        self._change(seat, gold - self.purses[seat], "master")
        if self.phase == "auction" and self.bids.get(seat, 0) > gold:
            del self.bids[seat]
            if gold:
                self.bids[seat] = gold

    def _correct_place(self, seat: int, to: str) -> None:
        """Put a player elsewhere, with the crown they wear, which stays on the board in any case."""
        is_asked = self.phase == "escape" and self.captured == seat
        if to == self.places[seat] or is_asked or (to in SQUARES and self._occupied(to)):
            raise Impossible("A player is put on a free place, another one, and not while asked for a card.")
        if to in self.crowns and seat in self.crowns:
            raise Impossible("No correction wins.")
        if to in (RESERVE, PRISON):
            self._drop_crowns(seat)
        self.places[seat] = to
        self.crowns = [seat if where == to else where for where in self.crowns]

    def _correct_crown(self, crown: int, to: str) -> None:
        """Put a crown on a square, or on the player who is named or stands there."""
        where: int | str = self.names.index(to) if to in self.names else to
        if to in self.places:
            where = self.places.index(to)
        if where in self.crowns:
            raise Impossible("The crown is there, or the other one is.")
        if isinstance(where, int) and not self._on_board(where):
            raise Impossible("A crown is worn on the board.")
        self.crowns[crown] = where

    # -- what is asked

    def _asked_seat(self) -> int:
        """The seat that has to pick now (T3, T4, T7)."""
        if self.phase == "pledge":
            return self.tied[len(self.pledges)]
        return self.captured if self.phase == "escape" else self.actor

    def _takes_bell(self) -> bool:
        """Whether the bell is taken now (At the table, Fine print)."""
        if self.phase == "action":
            return not self.action_bell_rung
        return self.phase == "auction"

    def _ids(self) -> frozenset[str]:
        """All that may be picked now (At the table)."""
        if self.phase == "action":
            return frozenset(self._action_ids(self.actor))
        answers = {"pledge": {"pledge", "no-pledge"}, "reward": {"gold", "card"}, "escape": {"use-card", "prison"}}
        return frozenset(answers.get(self.phase, ()))

    # -- what is offered in the action phase

    def _action_ids(self, seat: int) -> set[str]:
        """Everything the actor may do, and to pass, which is always possible (T4, At the table)."""
        gold = self.purses[seat]
        if self.places[seat] == PRISON:  # bail is the piece's standard cost (T4 g)
            return {"pass", "bail"} if gold >= self.designs[seat].value else {"pass"}
        if self.places[seat] == RESERVE:
            return {"pass"} | self._summon_ids(seat) | self._pawn_ids(seat)
        levels_up = self.levels[seat] == 0 and gold >= self._level_price(seat, self.places[seat])  # once (T4 f, T5)
        own = self._piece_ids(seat) | self._carry_off_ids(seat) | ({"level-up"} if levels_up else set())
        return {"pass"} | self._pawn_ids(seat) | own

    def _summon_ids(self, seat: int) -> set[str]:
        """The summoning squares of the own side that hold no player, pawn or crown (T4 a)."""
        squares = SUMMONING[party_of(seat)]
        return {f"summon-{square}" for square in squares if not self._occupied(square) and square not in self.crowns}

    def _pawn_ids(self, seat: int) -> set[str]:
        """All moves of the party's pawns (T4 b and c, T6)."""
        party = party_of(seat)
        ids: set[str] = set()
        for square, letter in self.pawns.items():
            if PAWN_PARTY[letter] != party:
                continue
            if square[1] == FAR_RANK[party]:
                ids.add(f"{square}-off")
            for dx in (0,) if PAWN_VALUE[letter] == 1 else (-1, 0, 1):
                target = shifted(square, dx, FORWARD[party])
                if target is not None and self._may_land(party, target):
                    ids.add(square + target)
        return ids

    def _piece_ids(self, seat: int) -> set[str]:
        """All moves of the own piece, with a level-up where the purse pays for it afterwards (T4 d and e)."""
        origin = self.places[seat]
        ids: set[str] = set()
        for target in self._targets(seat):
            ids.add(origin + target)
            purse = self.purses[seat] + self._prize(party_of(seat), target) + (target in self.rings)
            if self.levels[seat] == 0 and purse >= self._level_price(seat, target):
                ids.add(origin + target + "+")
        return ids

    def _carry_off_ids(self, seat: int) -> set[str]:
        """A wearer's way off the far end, where the purse pays for it (K2)."""
        party, square = party_of(seat), self.places[seat]
        stands_there = seat in self.crowns and self._holds_both(party) and square[1] == FAR_RANK[party]
        return {f"{square}-off"} if stands_there and self.purses[seat] >= self._carry_off_price(seat) else set()

    def _targets(self, seat: int) -> set[str]:
        """Where the own piece may go: its dots, its arrows, and a wearer's king steps (D1, K1)."""
        origin, party, grid = self.places[seat], party_of(seat), self._grid(seat)
        sign = FORWARD[party]  # for Black everything is turned round
        steps = (*grid.dots, *(ARROWS.values() if seat in self.crowns else ()))
        reached = [shifted(origin, sign * dx, sign * dy) for dx, dy in steps]
        for dx, dy in grid.arrows:
            reached.extend(self._ray(origin, sign * dx, sign * dy))
        return {square for square in reached if square is not None and self._may_land(party, square)}

    def _ray(self, origin: str, dx: int, dy: int) -> list[str]:
        """The squares of an arrow up to and with the first occupied one (D1)."""
        squares: list[str] = []
        square = shifted(origin, dx, dy)
        while square is not None:
            squares.append(square)
            if self._occupied(square):
                break
            square = shifted(square, dx, dy)
        return squares

    def _may_land(self, party: int, square: str) -> bool:
        """Whether a pawn or player of the party may move onto the square (T3, T6, T7, T8)."""
        if not self._occupied(square):
            return True
        if self.pledged:
            return False
        if square in self.pawns:
            return PAWN_PARTY[self.pawns[square]] != party
        return party_of(self._player_at(square)) != party or self._holds_both(party)

    # -- prices and prizes

    def _prize(self, party: int, square: str) -> int:
        """The gold for capturing what stands on the square, nothing for one's own (T7)."""
        if square in self.pawns:
            letter = self.pawns[square]
            return PAWN_VALUE[letter] if PAWN_PARTY[letter] != party else 0
        player = self._player_at(square)
        return 0 if player == NOBODY or party_of(player) == party else self.designs[player].value

    def _level_price(self, seat: int, square: str) -> int:
        """What levelling up costs on a square (T5)."""
        cost = self.designs[seat].level_cost
        return (cost + 1) // 2 if square in HALF_PRICE else cost

    def _carry_off_price(self, seat: int) -> int:
        """The values of all others on the board, players and pawns of both parties (K2)."""
        players = sum(self.designs[other].value for other in self.seats if other != seat and self._on_board(other))
        return players + sum(PAWN_VALUE[letter] for letter in self.pawns.values())

    # -- doing it

    def _act(self, id_: str) -> None:
        """Carry out one offered action (T4)."""
        seat = self.actor
        if id_.endswith("-off") and id_[:2] in self.pawns:
            self._pawn_off(id_[:2])
        elif id_.endswith("-off"):
            self._carry_off(seat)
        elif id_[:2] in self.pawns:
            self._move_pawn(seat, id_[:2], id_[2:4])
        elif id_[:2] == self.places[seat]:
            self._move_piece(seat, id_[2:4], with_level_up=id_.endswith("+"))
        else:
            if id_ == "level-up":
                self._level_up(seat)
            elif id_ == "bail":  # out of prison, back to the standard grid (T4 g)
                self._change(seat, -self.designs[seat].value, "T4")
                self.places[seat], self.levels[seat] = RESERVE, 0
            elif id_ != "pass":  # summoned, and the ring of the square stays there (T4 a)
                self.places[seat] = id_.removeprefix("summon-")
                self._change(seat, 1, "T4")
            self._end_action()

    def _level_up(self, seat: int) -> None:
        """Pay for the other grid and turn the sign round (T5)."""
        self._change(seat, -self._level_price(seat, self.places[seat]), "T5")
        self.levels[seat] = 1

    def _pawn_off(self, square: str) -> None:
        """Take a pawn off the far end, for gold at once when no card is left (T6)."""
        del self.pawns[square]
        if self.cards_left > 0:
            self.phase = "reward"
        else:
            self._answer_reward("gold")

    def _answer_reward(self, id_: str) -> None:
        """Give the gold or the card for a pawn (T6)."""
        seat = self.actor
        if id_ == "gold":
            self._change(seat, OFF_GOLD, "T6")
        else:
            self.cards_left -= 1
            self.cards[seat] += 1
        self._end_action()

    def _carry_off(self, seat: int) -> None:
        """Pay for all that is left and win off the board, the crown still on (K2)."""
        self._change(seat, -self._carry_off_price(seat), "K2")
        self.places[seat] = RESERVE
        self._win(seat)

    def _move_pawn(self, seat: int, origin: str, target: str) -> None:
        """Move a pawn of the party, which picks nothing up (T4 b and c, T6)."""
        letter = self.pawns[origin]
        self._change(seat, PAWN_VALUE[letter], "T4")
        captured = self._capture(seat, target)
        self.pawns[target] = self.pawns.pop(origin)
        self._ask_captured(captured)

    def _move_piece(self, seat: int, target: str, *, with_level_up: bool) -> None:
        """Move the own piece: capture, ring, crowns, level-up, and then perhaps the win (T4 d and e, T7, K1, K2)."""
        origin = self.places[seat]
        captured = self._capture(seat, target)
        if not adjacent(origin, target):
            self._drop_crowns(seat)
        self.places[seat] = target
        if target in self.rings:
            self.rings.remove(target)
            self._change(seat, 1, "T7")
        self.crowns = [seat if where == target else where for where in self.crowns]
        if with_level_up:
            self._level_up(seat)
        if self.crowns == [seat, seat]:
            self._win(seat)
        else:
            self._ask_captured(captured)

    def _drop_crowns(self, seat: int) -> None:
        """Leave the crown that a player wears on their square (K1, T6)."""
        self.crowns = [self.places[seat] if where == seat else where for where in self.crowns]

    def _capture(self, seat: int, square: str) -> int:
        """Take what stands on a square off it, with its gold for the actor, and tell which player it was (T7)."""
        self._change(seat, self._prize(party_of(seat), square), "T7")
        self.pawns.pop(square, None)
        player = self._player_at(square)
        if player != NOBODY:
            # The crown falls here first: a pawn leaves it lying, a player who lands puts it on.
            self._drop_crowns(player)
            self.places[player], self.levels[player] = PRISON, 0
        return player

    def _ask_captured(self, captured: int) -> None:
        """Ask a captured player who has a card whether they use it (T7)."""
        if captured != NOBODY and self.cards[captured] > 0:
            self.captured, self.phase = captured, "escape"
        else:
            self._end_action()

    def _answer_escape(self, *, use_card: bool) -> None:
        """Send the captured to the reserve for a card, which is spent for good (T7, Fine print)."""
        if use_card:
            self.cards[self.captured] -= 1
            self.places[self.captured] = RESERVE
        self._end_action()
