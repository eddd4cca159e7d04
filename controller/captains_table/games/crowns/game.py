"""The game class of Crowns: the questions of each step, all transitions (`Crowns.apply`), and what displays show.

Other modules of this package compute the effects of auctions, deeds and corrections.

Source: docs/rules/crowns.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from captains_table.games.common.latest_events import events_between
from captains_table.games.contract import (
    Action,
    Auction,
    Bell,
    Bid,
    Correct,
    Correctable,
    Decide,
    EndMatch,
    Game,
    GameEvent,
    Hindrance,
    IllegalAction,
    Option,
    Over,
    Pick,
    PickAsk,
    Square,
    Thing,
    Turn,
    Whereabouts,
    check_auction,
    check_correction,
    check_names,
    check_offered,
)
from captains_table.games.crowns import auction, correcting, deed_effects, deeds
from captains_table.games.crowns.board import CROWN_SQUARES, CROWNS_SHAPE, HALF_PRICE, PARTIES
from captains_table.games.crowns.meanings import CARDS, MEANINGS
from captains_table.games.crowns.state import (
    CROWNS_OPTIONS,
    FIRST_GOLD,
    MOST_PLAYERS,
    VACANT_SQUARE,
    Acting,
    Arriving,
    Away,
    Bidding,
    CrownsPlayer,
    Escaping,
    PlayerPlace,
    Pledging,
    State,
    first_pawns,
    parse_crowns_options,
    party_of,
)
from captains_table.phrases import noun, say

PLEDGE = Option("pledge", say("Pledge not to capture"), then=say("This turn you capture neither player nor pawn"))
NO_PLEDGE = Option(
    "no-pledge", say("No pledge"), then=say("Exactly one pledge wins; otherwise all who are tied are out")
)
TEN_GOLD = Option("gold", say("10 gold"), says_move=True)
CARD = Option("card", say("A get-out-of-jail card"), says_move=True)
USE_CARD = Option("use-card", say("Give a card"), says_move=True, then=say("You go to the reserve at once"))
PRISON = Option("prison", say("Go to prison"), says_move=True, then=say("You keep the card"))


VALUE, LEVEL, CARDS_HELD, GOLD = map(str, (noun("value"), noun("level"), noun("cards"), noun("gold")))
"""The names of tallies: keys, which are translated where they are shown."""

CROWNS = (Thing.WHITE_CROWN, Thing.BLACK_CROWN)
"""The mark of each party's crown on displays."""

_TAPE_LETTERS = {"g": "R"}
"""The letters of pieces on tapes that differ from `pieces`, where R would mean a rook."""


class Crowns(Game[State]):
    """The rules of Crowns (docs/rules/crowns.md)."""

    key = "crowns"
    title = say("Crowns")
    seats = range(2, MOST_PLAYERS + 1)
    shape = CROWNS_SHAPE
    options = CROWNS_OPTIONS
    meanings = MEANINGS
    cards = CARDS

    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> State:
        """Return the first state of a match, at its first auction.

        Raises:
            BadOption: an option is unknown or invalid, a piece's design is not allowed, a name is invalid, or there are
                not 2 to 14 different names.
        """
        check_names(seats, self.seats)
        parsed, designs = parse_crowns_options(options, len(seats))
        return State(
            parsed,
            tuple(seats),
            designs,
            tuple(CrownsPlayer(FIRST_GOLD + design.rings) for design in designs),
            Bidding((0,) * len(seats)),
            first_pawns(),
            frozenset(CROWNS_SHAPE.squares()),
            CROWN_SQUARES,
        )

    def filled_in(self, state: State) -> Mapping[str, str]:
        """Return every seat's piece as an option, so that later versions play the match with the same pieces (D5)."""
        return {f"piece{seat}": str(design) for seat, design in enumerate(state.designs, 1)}

    def names(self, state: State) -> Sequence[str]:
        return state.seats

    def turn(self, state: State) -> Turn:
        match state.step:
            case Bidding() as bidding:
                return _auction(state, bidding)
            case Pledging(tied, _, pledged):
                seat = tied[len(pledged)]
                prompt = say("{name}: tied; pledge not to capture?", state.name(seat))
                return Decide(seat, PickAsk(prompt, (PLEDGE, NO_PLEDGE)))
            case Acting() as step:
                return _action(state, step)
            case Arriving(seat):
                prompt = say("{name}: gold or a card?", state.name(seat))
                return Decide(seat, PickAsk(prompt, (TEN_GOLD, CARD), TEN_GOLD.id))
            case Escaping(seat):
                prompt = say("{name}: you are captured", state.name(seat))
                return Decide(seat, PickAsk(prompt, (USE_CARD, PRISON), USE_CARD.id))
            case Over() as over:
                return over

    def apply(self, state: State, action: Action) -> State:  # noqa: PLR0911 - one table, one line each
        turn, fresh = self.turn(state), replace(state, latest_events=())
        check_auction(turn, action)
        match state.step, action:
            case Over(), _:
                raise IllegalAction(say("the match is over"))
            case _, (Correct() | EndMatch()) as mastered:
                check_correction(correcting.corrections(state), mastered)
                if isinstance(mastered, EndMatch):
                    return correcting.end_match(fresh)
                return correcting.correct(fresh, mastered)
            case Bidding() as bidding, Bid(seat, value):
                return replace(fresh, step=bidding.with_bid(seat, value))
            case Bidding() as bidding, Bell():
                return auction.close(fresh, bidding)
            case Acting() as step, Bell():  # T4, `timeout`
                if state.options.passes:
                    return deed_effects.do(fresh, step.seat, deeds.Pass())
                return replace(fresh, step=Acting(step.seat, step.bound, is_timed=False))
            case _, Pick(id_):
                check_offered(turn, id_)
                return _picked(fresh, id_)
            case _:
                raise IllegalAction(say("{action} is no answer to what is asked", str(action)))

    def pieces(self, state: State) -> Mapping[Square, str]:
        """Return the pieces: a letter for each pawn, and the number of the seat, from 1, for each player's token."""
        pawns = {
            CROWNS_SHAPE.square_at(at): chr(letter) for at, letter in enumerate(state.pawns) if letter != VACANT_SQUARE
        }
        places = ((seat, player.place) for seat, player in enumerate(state.players))
        return pawns | {place: str(seat + 1) for seat, place in places if isinstance(place, Square)}

    def spares(self, state: State) -> Sequence[str]:
        """Return the seat numbers, from 1, of the players whose tokens are in the reserve or in prison."""
        return [str(seat + 1) for seat, player in enumerate(state.players) if isinstance(player.place, Away)]

    def whereabouts(self, state: State) -> Sequence[Whereabouts]:
        """Return each player's square, or `reserve` or `prison`, and the crowns that the player wears."""
        return [
            Whereabouts(_place_words(player.place), tuple(CROWNS[party] for party in state.worn_by(seat)))
            for seat, player in enumerate(state.players)
        ]

    def movements(self, state: State) -> Sequence[Sequence[str]]:
        """Return the standard and the levelled-up grid of each player's piece."""
        return [(str(design.standard), str(design.levelled)) for design in state.designs]

    def things(self, state: State) -> Mapping[Square, Sequence[Thing]]:
        """Return the marks on each square.

        The marks show levelled-up players, half-price squares, rings, and the crowns, whether worn or not.
        """
        levelled = [player.place for player in state.players if player.levelled and isinstance(player.place, Square)]
        found: dict[Square, tuple[Thing, ...]] = dict.fromkeys(levelled, (Thing.LEVELLED_UP,))
        for square in HALF_PRICE:
            found[square] = (*found.get(square, ()), Thing.HALF_PRICE)
        for square in state.rings:
            found[square] = (*found.get(square, ()), Thing.RING)
        for party, thing in enumerate(CROWNS):
            place = state.crown_square(party)
            if place is not None:
                found[place] = (*found.get(place, ()), thing)
        return found

    def shining(self, state: State) -> Mapping[Square, Thing]:
        """Return the marks for LEDs: crowns, and the squares where the acting player may level up at half price."""
        places = [(state.crown_square(party), thing) for party, thing in enumerate(CROWNS)]
        cheap = deeds.cheap_squares(state, state.step) if isinstance(state.step, Acting) else ()
        return dict.fromkeys(cheap, Thing.HALF_PRICE) | {place: thing for place, thing in places if place is not None}

    def hindrance(self, state: State, square: Square) -> Hindrance | None:
        return deeds.crowns_hindrance(state, square)

    def score(self, state: State) -> Sequence[int]:
        """Return each seat's gold."""
        return tuple(player.gold for player in state.players)

    def tallies(self, state: State) -> Sequence[Mapping[str, int]]:
        """Return each player's value, level (1 if levelled up, else 0), number of cards, and gold."""
        return [
            {VALUE: design.value, LEVEL: int(player.levelled), CARDS_HELD: player.cards, GOLD: player.gold}
            for player, design in zip(state.players, state.designs, strict=True)
        ]

    def game_events(self, before: State, after: State) -> Sequence[GameEvent]:
        return events_between(before, after)

    def corrections(self, state: State) -> Sequence[Correctable]:
        """Return the values that a game master may correct: gold, and the places of players and crowns.

        No value may be corrected after the end of the match.
        """
        return correcting.corrections(state)

    def goal(self, state: State) -> str:  # noqa: ARG002 - always the same
        return say("wear both crowns; or win as a party¦wear both crowns")

    def heading(self, state: State) -> str:
        """Return the number of the turn, or that the match is over."""
        return say("The match is over") if isinstance(state.step, Over) else say("Turn {number}", state.turn)

    def details(self, state: State) -> Mapping[str, object]:
        """Return what the game adds to the JSON result of a tape (a script of input), by key.

        The additions are the pieces (with the letters used on tapes), the players' places, the crowns, the rings, the
        number of the turn, the name of the player who acted last and so may not bid, and, during an auction, the bids.
        """
        pieces = sorted(self.pieces(state).items())
        found: dict[str, object] = {
            "pieces": {str(square): _TAPE_LETTERS.get(piece, piece) for square, piece in pieces},
            "places": {name: str(player.place) for name, player in zip(state.seats, state.players, strict=True)},
            "crowns": {
                name.lower(): state.crown_words(crown) for name, crown in zip(PARTIES, state.crowns, strict=True)
            },
            "rings": [str(square) for square in sorted(state.rings)],
            "turn": state.turn,
            "barred": None if state.barred is None else state.name(state.barred),
        }
        if isinstance(state.step, Bidding):
            bids = zip(state.seats, state.step.bids, strict=True)
            found["bids"] = {name: bid for name, bid in bids if bid}
        return found


def _place_words(place: PlayerPlace) -> str:
    return place.words if isinstance(place, Away) else str(place)


def _auction(state: State, bidding: Bidding) -> Auction:
    bidders, kept_out = auction.bidders(state, bidding), auction.kept_out(state, bidding)
    may_bid = set(range(len(state.seats))) - {each.seat for each in kept_out}
    prompt = say("Bid for the turn")
    if len(may_bid) == 1:
        prompt = say("Only {name} may bid", state.name(may_bid.pop()))
    then = _LESSONS[(state.turn - 1) % len(_LESSONS)]
    return Auction(prompt, bidders, state.options.timer_ms, bidding.bids, kept_out, then)


_LESSONS: Final = (
    say("To win, wear both crowns. The highest bid acts"),
    say("Points not spent on a piece are gold in the purse"),
    say("At the bell the highest bid is paid, no other"),
    say("A ring is 1 gold; on \u00bd levelling up costs half"),
    say("Pawn moves, rings and captures bring gold"),
)
"""The lines below the prompt of an auction, one each turn: short, since a small window has room for one line."""


_HOW: Final[Mapping[PlayerPlace, str]] = {
    Away.RESERVE: say("Put your token on a lit square or move a pawn of your party, or pass"),
    Away.PRISON: say("Pay your value and be free, or pass"),
}
_HOW_ON_BOARD: Final = say("Move your token or a pawn of your party, or pick what else there is")


def _action(state: State, step: Acting) -> Decide:
    seat, name, piece = step.seat, state.name(step.seat), state.designs[step.seat].name
    then = say("You pledged not to capture") if step.bound else _HOW.get(state.players[seat].place, _HOW_ON_BOARD)
    prompt = say("{name} ({party}'s {piece}): act", name, PARTIES[party_of(seat)], piece)
    ask = PickAsk(prompt, deeds.offers(state, step), deeds.PASS, then)
    if not step.is_timed:
        return Decide(seat, ask)
    bell_then = say("{name} passes", name) if state.options.passes else say("{name}'s time is over", name)
    return Decide(seat, ask, takes_bell=True, deadline_ms=state.options.timer_ms, bell_then=bell_then)


def _picked(state: State, id_: str) -> State:
    match state.step:
        case Pledging() as pledging:
            return auction.answer_pledge(state, pledging, pledges=id_ == PLEDGE.id)
        case Acting(seat=seat) as step:
            return deed_effects.do(state, seat, deeds.deed_of(state, step, id_))
        case Arriving(seat):
            return deed_effects.take_card(state, seat) if id_ == CARD.id else deed_effects.take_gold(state, seat)
        case Escaping() as escaping:
            return (
                deed_effects.use_card(state, escaping)
                if id_ == USE_CARD.id
                else deed_effects.go_to_prison(state, escaping)
            )
    raise IllegalAction(say("{id}: nothing is to be picked now", repr(id_)))
