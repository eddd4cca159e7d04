"""Corrections by a game master, outside the rules: gold, the places of players and crowns, and the end of the match.

Each correction is reported as a game event that names the change. Levels, cards, rings and pawns cannot be corrected.
Source: docs/rules/crowns.md, "At the table".
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from captains_table.games.contract import (
    MASTER,
    Correct,
    Correctable,
    EventKind,
    IllegalAction,
    Over,
    Result,
    Square,
    corrected_number,
    parse_square,
)
from captains_table.games.crowns.board import CROWN_WORDS, CROWNS_SHAPE, PARTIES
from captains_table.games.crowns.state import Away, Bidding, Crown, Escaping, PlayerPlace, Pledging, State
from captains_table.phrases import message, noun, say

GOLD, PLACE, CROWN = map(str, (noun("gold"), noun("place"), noun("crown")))  # keys, translated where they are shown
MOST_GOLD: Final = 9999
_SQUARES: Final = tuple(map(str, sorted(CROWNS_SHAPE.squares())))
_PLACES: Final = (*map(str, Away), *_SQUARES)
_CROWNS: Final = tuple(party.lower() for party in PARTIES)


def corrections(state: State) -> Sequence[Correctable]:
    """Return the values that a game master may correct now; none after the end of the match."""
    if isinstance(state.step, Over):
        return ()
    players = list(zip(state.seats, state.players, strict=True))
    crowns = zip(_CROWNS, state.crowns, strict=True)
    wearers = (*state.seats, *_SQUARES)
    return (
        *(Correctable(GOLD, name, str(player.gold)) for name, player in players),
        *(Correctable(PLACE, name, str(player.place), _PLACES) for name, player in players),
        *(Correctable(CROWN, party, state.crown_words(crown), wearers) for party, crown in crowns),
    )


def correct(state: State, correction: Correct) -> State:
    """Return the state after a correction of a player's gold, of a player's place, or of a crown's place.

    Raises:
        IllegalAction: the correction is impossible in this state, or changes nothing.
    """
    match correction.what:
        case "gold":
            return _set_gold(state, correction)
        case "place":
            return _set_place(state, correction)
        case _:
            return _set_crown(state, correction)


def end_match(state: State) -> State:
    """Return the state after the game master ended the match without a winner."""
    words = say("The game master ends the match, and nobody wins")
    over = replace(state, step=Over(Result(None, tuple(player.gold for player in state.players), words)))
    return over.with_event(EventKind.MATCH, None, 0, words, rule=MASTER)


# --- gold -----------------------------------------------------------------------------------------------------------


def _set_gold(state: State, correction: Correct) -> State:
    seat = state.seats.index(correction.of)
    before = state.players[seat].gold
    gold = corrected_number(before, correction.to)
    if not 0 <= gold <= MOST_GOLD:
        text = message("{name} cannot have {gold} gold: expected from 0 to {most}")
        raise IllegalAction(say(text, name=correction.of, gold=gold, most=MOST_GOLD))
    if gold == before:
        text = message("{name} has {gold} gold already: expected another number")
        raise IllegalAction(say(text, name=correction.of, gold=gold))
    if isinstance(state.step, Pledging) and seat in state.step.tied and gold < state.step.bid:
        text = message("{name} is tied with a bid of {bid}: expected that much gold at least, or to wait")
        raise IllegalAction(say(text, name=correction.of, bid=state.step.bid))
    state = state.with_player(seat, replace(state.players[seat], gold=gold))
    text = message("The game master sets the gold of {name} from {before} to {gold}")
    words = say(text, name=correction.of, before=before, gold=gold)
    return _lower_bid(_tell(state, correction, seat, words, points=gold - before), seat)


def _lower_bid(state: State, seat: int) -> State:
    """Return the state with a seat's bid lowered to the seat's gold if the bid was higher."""
    gold = state.players[seat].gold
    if not isinstance(state.step, Bidding) or state.step.bids[seat] <= gold:
        return state
    words = say("The bid of {name} falls to {gold}", state.name(seat), gold)
    lowered = replace(state, step=state.step.with_bid(seat, gold))
    return lowered.with_event(EventKind.CORRECTION, seat, 0, words, rule=MASTER)


# --- places ---------------------------------------------------------------------------------------------------------


def _set_place(state: State, correction: Correct) -> State:
    seat = state.seats.index(correction.of)
    before, place = state.players[seat].place, _place(correction.to)
    if place == before:
        text = message("{name} is there already: expected another place than {place}")
        raise IllegalAction(say(text, name=correction.of, place=place.words if isinstance(place, Away) else str(place)))
    if isinstance(state.step, Escaping) and state.step.seat == seat:
        text = message("{name} is asked for a card: expected the answer to that first")
        raise IllegalAction(say(text, name=correction.of))
    if isinstance(place, Square):
        _check_free(state, place)
    text = message("The game master moves {name} from {before} to {place}")
    words = say(text, name=correction.of, before=_where(before), place=_where(place))
    moved = _tell(state.with_player(seat, replace(state.players[seat], place=place)), correction, seat, words)
    if isinstance(place, Square):
        return _put_on(moved, seat, place)
    return _leave_crowns(moved, seat, before)


def _check_free(state: State, square: Square) -> None:
    """Raise IllegalAction if a player or a pawn stands on a square."""
    other = state.player_at(square)
    if other is not None or state.pawn_at(square):
        text = message("a pawn stands on {square}: expected a square without a player or pawn")
        if other is not None:
            text = message("{name} stands on {square}: expected a square without a player or pawn")
        raise IllegalAction(say(text, name="" if other is None else state.name(other), square=str(square)))


def _put_on(state: State, seat: int, square: Square) -> State:
    """Return the state after a player put on the crown that lay on the player's new square (K1).

    The state is unchanged if no crown lay on the square.

    Raises:
        IllegalAction: the player wears the other crown already.
    """
    for party, crown in enumerate(state.crowns):
        if crown == square:
            _check_one_crown(state, party, seat)
            words = say("{name} puts on {crown}", state.name(seat), CROWN_WORDS[party])
            state = _note_crown(state.with_crown(party, seat), seat, words, square)
    return state


def _leave_crowns(state: State, seat: int, before: PlayerPlace) -> State:
    """Return the state after a player left every worn crown on `before`, the square where the player stood until now.

    The state is unchanged if the player wears no crown, or if `before` is a place off the board.
    """
    for party in state.worn_by(seat):
        if isinstance(before, Square):
            words = say("{crown} stays on {square}", CROWN_WORDS[party], str(before))
            state = _note_crown(state.with_crown(party, before), seat, words, before)
    return state


def _place(text: str) -> PlayerPlace:
    return Away(text) if text in set(Away) else parse_square(text)


def _where(place: PlayerPlace) -> str:
    if isinstance(place, Square):
        return str(place)
    return noun("the reserve") if place is Away.RESERVE else place.words


# --- crowns ---------------------------------------------------------------------------------------------------------


def _set_crown(state: State, correction: Correct) -> State:
    party = _CROWNS.index(correction.of)
    crown = _crown(state, correction.to)
    if crown == state.crowns[party]:
        text = message("{crown} is there already: expected another wearer, or another square")
        raise IllegalAction(say(text, crown=CROWN_WORDS[party]))
    if isinstance(crown, int):
        _check_may_wear(state, party, crown)
    elif crown in state.crowns:
        text = message("the other crown lies on {square}: expected another square, or a wearer")
        raise IllegalAction(say(text, square=str(crown)))
    seat, text = None, message("The game master's correction: {crown} lies on {where} now")
    if isinstance(crown, int):
        seat, text = crown, message("The game master's correction: {crown} goes to {where}")
    words = say(text, crown=CROWN_WORDS[party], where=state.crown_words(crown))
    state = state.with_crown(party, crown)
    return _tell(state, correction, seat, words, at=state.crown_square(party))


def _crown(state: State, text: str) -> Crown:
    """Return where a correction puts a crown.

    Args:
        state: the match.
        text: the name of the player who is to wear the crown, or of a square. A player who stands on the square wears
            the crown; otherwise the crown lies on the square.
    """
    if text in state.seats:
        return state.seats.index(text)
    square = parse_square(text)
    wearer = state.player_at(square)
    return square if wearer is None else wearer


def _check_may_wear(state: State, party: int, seat: int) -> None:
    if isinstance(state.players[seat].place, Away):
        where = _where(state.players[seat].place)
        text = message("{name} is in {place}: expected a player on the board, or a square")
        raise IllegalAction(say(text, name=state.name(seat), place=where))
    _check_one_crown(state, party, seat)


def _check_one_crown(state: State, party: int, seat: int) -> None:
    """Raise IllegalAction if a player would wear both crowns and so win (K2); a correction must not win a match.

    Args:
        state: the match.
        party: the party whose crown the player is to wear.
        seat: the player's seat.
    """
    if any(worn != party for worn in state.worn_by(seat)):
        text = message(
            "{name} wears the other crown and would win by {party}'s: no correction wins the match, expected the other "
            "crown to be taken off first"
        )
        raise IllegalAction(say(text, name=state.name(seat), party=PARTIES[party]))


# --- game events ----------------------------------------------------------------------------------------------------


def _tell(
    state: State, correction: Correct, seat: int | None, words: str, *, points: int = 0, at: Square | None = None
) -> State:
    if correction.why:
        words = say("{words}: {reason}", words, correction.why)
    return state.with_event(EventKind.CORRECTION, seat, points, words, at, rule=MASTER)


def _note_crown(state: State, seat: int, words: str, square: Square) -> State:
    return state.with_event(EventKind.CROWN, seat, 0, words, square, rule=MASTER)
