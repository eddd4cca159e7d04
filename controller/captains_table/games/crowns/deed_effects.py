"""The effects of the deeds of an auction's winner: moves, captures, payments, crowns and the end of the match.

The choices that follow a deed take effect here too: gold or a card for a pawn off the far end, and a card or prison
for a captured player.

Rules: docs/rules/crowns.md T4 to T8, K1, K2.
"""

from dataclasses import replace
from typing import Final

from captains_table.games.common.pieces import piece_name
from captains_table.games.contract import EventKind, Over, Result, Square
from captains_table.games.crowns import deeds
from captains_table.games.crowns.auction import begin_next_turn, note, pay, take
from captains_table.games.crowns.board import BLACK, CROWN_WORDS, PARTIES, PLAIN, WHITE, is_adjacent
from captains_table.games.crowns.state import Arriving, Away, Escaping, State, party_of
from captains_table.phrases import message, say

SUMMON_GOLD: Final = 1
PLAIN_GOLD: Final = 1
COLOURED_GOLD: Final = 3
FAR_END_GOLD: Final = 10


def do(state: State, seat: int, deed: deeds.CrownsDeed) -> State:  # noqa: PLR0911 - one table, one line each
    """Return the state after the seat that won the auction did a deed, which must be one of `deeds.possible`."""
    match deed:
        case deeds.Pass():
            return end_acting(note(state, EventKind.NOTE, seat, message("{name} passes"), rule="T4"), seat)
        case deeds.Summon(square):
            return end_acting(_summon(state, seat, square), seat)
        case deeds.PlayerMove(start, end, levels_up):
            return _move(state, seat, start, end, levels_up=levels_up)
        case deeds.PawnMove(start, end):
            return _move_pawn(state, seat, start, end)
        case deeds.PawnOff(start):
            return _leave_board(state, seat, start)
        case deeds.CarryOff():
            return _carry_off(state, seat)
        case deeds.LevelUp(square):
            return end_acting(_level_up(state, seat, square), seat)
        case deeds.Bail():
            return end_acting(_bail(state, seat), seat)


def take_gold(state: State, seat: int) -> State:
    """Return the state after a seat got gold for moving a pawn off the far end of the board (T6); the turn ends."""
    return end_acting(take(state, seat, FAR_END_GOLD, message("{name} gets {gold} gold"), rule="T6"), seat)


def take_card(state: State, seat: int) -> State:
    """Return the state after a seat took a card for moving a pawn off the far end of the board (T6); the turn ends."""
    player = state.players[seat]
    state = state.with_player(seat, replace(player, cards=player.cards + 1))
    state = replace(state, cards_left=state.cards_left - 1)
    return end_acting(
        note(state, EventKind.CARD, seat, message("{name} takes a get-out-of-jail card"), rule="T6"), seat
    )


def use_card(state: State, escaping: Escaping) -> State:
    """Return the state after a captured player gave up a card and went to the reserve (T7); the captor's turn ends."""
    seat = escaping.seat
    player = state.players[seat]
    state = state.with_player(seat, replace(player, cards=player.cards - 1, place=Away.RESERVE))
    return end_acting(
        note(state, EventKind.CARD, seat, message("{name} gives a card, and is in the reserve"), rule="T7"),
        escaping.actor,
    )


def go_to_prison(state: State, escaping: Escaping) -> State:
    """Return the state after a captured player went to prison instead of giving up a get-out-of-jail card (T7).

    The captor's turn ends.
    """
    return end_acting(
        note(state, EventKind.NOTE, escaping.seat, message("{name} goes to prison"), rule="T7"), escaping.actor
    )


def end_acting(state: State, seat: int) -> State:
    """Return the state after a seat finished acting: the next turn begins, in which this seat may not bid (T2).

    If the turn limit is reached, the match ends instead.
    """
    return begin_next_turn(replace(state, barred=seat))


# --- players --------------------------------------------------------------------------------------------------------


def _summon(state: State, seat: int, square: Square) -> State:
    state = state.with_player(seat, replace(state.players[seat], place=square))
    text = message("{name} appears on {square} and gets 1 gold")
    return take(state, seat, SUMMON_GOLD, text, rule="T4", kind=EventKind.ENTRY, at=square, square=str(square))


def _move(state: State, seat: int, start: Square, end: Square, *, levels_up: bool) -> State:
    worn, victim = state.worn_by(seat), state.player_at(end)
    won_crowns = () if victim is None else state.worn_by(victim)
    state = _capture(state, seat, end)
    state = state.with_player(seat, replace(state.players[seat], place=end))
    if not is_adjacent(start, end):
        for party in worn:  # K1: a crown moves only to an adjacent square
            state = state.with_crown(party, start)
            text, left = message("{name} leaves {crown} on {square}"), str(start)
            state = note(state, EventKind.CROWN, seat, text, rule="K1", at=start, crown=CROWN_WORDS[party], square=left)
    for party in (WHITE, BLACK):
        if party in won_crowns or state.crowns[party] == end:
            state = state.with_crown(party, seat)
            text = message("{name} puts on {crown}")
            state = note(state, EventKind.CROWN, seat, text, rule="K1", at=end, crown=CROWN_WORDS[party])
    if end in state.rings:
        state = replace(state, rings=state.rings - {end})
        text = message("{name} takes the ring on {square}")
        state = take(state, seat, 1, text, rule="T7", kind=EventKind.RING, at=end, square=str(end))
    if levels_up:
        state = _level_up(state, seat, end)
    if len(state.worn_by(seat)) == len(PARTIES):
        return _win(state, seat, message("{name} wears both crowns"), rule="K2")
    return _after_capture(state, seat, victim)


def _after_capture(state: State, seat: int, victim: int | None) -> State:
    """Return the state after a move: a captured player with a card may use it, or else the turn ends (T7).

    Args:
        state: the match.
        seat: the seat that moved.
        victim: the seat of the captured player; `None` if no player was captured.
    """
    if victim is not None and state.players[victim].cards:
        return replace(state, step=Escaping(victim, seat))
    return end_acting(state, seat)


def _capture(state: State, seat: int, square: Square) -> State:
    """Return the state after a seat captured the pawn or player on a square and got the gold for the capture (T7).

    A captured player goes to prison and is no longer levelled up. The state is unchanged if the square is vacant.
    """
    gold = deeds.captured_gold(state, party_of(seat), square)
    victim, pawn = state.player_at(square), state.pawn_at(square)
    if pawn:
        state, captured = state.with_pawn(square, ""), piece_name(pawn)
        text = message("{name} captures the {captured} on {square} for {gold} gold")
    elif victim is not None:
        imprisoned = replace(state.players[victim], place=Away.PRISON, levelled=False)
        state, captured = state.with_player(victim, imprisoned), state.name(victim)
        text = message("{name} captures {captured} on {square} for {gold} gold")
    else:
        return state
    kind, name = EventKind.CAPTURE, str(square)
    return take(state, seat, gold, text, rule="T7", kind=kind, at=square, captured=captured, square=name)


def _level_up(state: State, seat: int, square: Square) -> State:
    price = deeds.level_up_price(state, seat, square)
    state = state.with_player(seat, replace(state.players[seat], levelled=True))
    return pay(state, seat, price, message("{name} levels up for {gold} gold"), rule="T5")


def _bail(state: State, seat: int) -> State:
    price = state.designs[seat].value
    state = state.with_player(seat, replace(state.players[seat], place=Away.RESERVE, levelled=False))
    return pay(state, seat, price, message("{name} leaves prison for {gold} gold"), rule="T4")


def _carry_off(state: State, seat: int) -> State:
    price = deeds.carry_off_price(state, seat)
    text = message("{name} pays {gold} gold and carries a crown off the board")
    state = pay(state, seat, price, text, rule="K2")
    state = state.with_player(seat, replace(state.players[seat], place=Away.RESERVE))
    return _win(state, seat, message("{name} wins for both crowns are the party's"), rule="K2")


def _win(state: State, seat: int, text: str, *, rule: str) -> State:
    state = note(state, EventKind.MATCH, seat, text, rule=rule)
    result = Result(seat, tuple(player.gold for player in state.players), say(text, name=state.name(seat)))
    return replace(state, step=Over(result), barred=seat)


# --- pawns ----------------------------------------------------------------------------------------------------------


def _move_pawn(state: State, seat: int, start: Square, end: Square) -> State:
    letter, victim = state.pawn_at(start), state.player_at(end)
    crowns = () if victim is None else state.worn_by(victim)
    state = _capture(state, seat, end)
    for party in crowns:  # T6: the crown stays under the pawn for the next player who lands there
        state = state.with_crown(party, end)
    state = state.with_pawn(start, "").with_pawn(end, letter)
    gold = PLAIN_GOLD if letter in PLAIN else COLOURED_GOLD
    text = message("{name} moves the {pawn} to {square} and gets {gold} gold")
    state = take(state, seat, gold, text, rule="T4", at=end, pawn=piece_name(letter), square=str(end))
    return _after_capture(state, seat, victim)


def _leave_board(state: State, seat: int, start: Square) -> State:
    pawn = piece_name(state.pawn_at(start))
    state = state.with_pawn(start, "")
    text = message("{name} moves the {pawn} off the far end")
    state = note(state, EventKind.NOTE, seat, text, rule="T6", at=start, pawn=pawn)
    if not state.cards_left:
        return take_gold(state, seat)
    return replace(state, step=Arriving(seat))
