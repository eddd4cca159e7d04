"""What is paid and taken: every change of a purse, a ring or a card is an event with the number of its rule."""

from dataclasses import replace

from captains_table.games.common.latest_events import emit
from captains_table.games.contract import EventKind, GameEvent, Square
from captains_table.games.crowns.state import State


def take(
    state: State,
    seat: int,
    gold: int,
    words: str,
    *,
    rule: str,
    kind: EventKind = EventKind.GOLD,
    at: Square | None = None,
) -> State:
    """Return the state after a seat was given gold by the bank."""
    player = state.players[seat]
    paid = state.with_player(seat, replace(player, gold=player.gold + gold))
    return emit(paid, GameEvent(kind, seat, gold, f"{state.name(seat)} {words}", at, rule=rule))


def pay(state: State, seat: int, gold: int, words: str, *, rule: str) -> State:
    """Return the state after a seat paid gold to the bank."""
    return take(state, seat, -gold, words, rule=rule, kind=EventKind.PRICE)


def give_income(state: State) -> State:
    """Return the state after everybody was given the gold of a new turn, wherever they are (T1)."""
    players = tuple(replace(player, gold=player.gold + 1) for player in state.players)
    return emit(
        replace(state, players=players), GameEvent(EventKind.INCOME, None, 1, "Everybody gets 1 gold", rule="T1")
    )


def note(state: State, kind: EventKind, seat: int, words: str, *, rule: str, at: Square | None = None) -> State:
    """Return the state after something that cost and brought no gold."""
    return emit(state, GameEvent(kind, seat, 0, f"{state.name(seat)} {words}", at, rule=rule))
