"""The end of turns, rounds and the match: cargo, settlement and result (docs/rules/legend.md L1, L3, L4, L6, L20).

The start of the next round, and the result of a turn as displays show it, are here too.
"""

from collections.abc import Sequence
from dataclasses import replace

from captains_table.games.common import dice
from captains_table.games.common.dice import cargo_dice, crew_places, first_missing, missing_words
from captains_table.games.contract import EventKind, GameEvent, Outcome, Over, Result
from captains_table.games.legend.position import LEGEND_START, PIECE_VALUES
from captains_table.games.legend.state import (
    CARGO_KINDS,
    EXTRA_DICE,
    LEGEND_DIE,
    LEGEND_THROWS,
    LegendTurn,
    State,
    credit,
    grand_scores,
    with_seat,
)
from captains_table.games.legend.steps import LegendMain
from captains_table.phrases import computed, message, say, with_stops


def pass_if_spent(state: State) -> State:
    """End a turn whose move is made and whose throws of the cargo dice are used up; return the new state.

    In any other turn, the state is unchanged. The state is also unchanged if the end of the turn would end the round,
    because a king was captured or the turn limit is reached. The game then waits for the option `done`, so that the
    player can still change the move.
    """
    turn = state.turn
    spent = turn.moved and turn.cargo_throws == LEGEND_THROWS and isinstance(turn.step, LegendMain)
    ends_round = turn.king_taken or state.turns + 1 == state.options.turn_limit
    return end_player_turn(state) if spent and not ends_round else state


def end_player_turn(state: State) -> State:
    """Return the state after the turn's cargo was credited and the turn has ended.

    The round ends if the king was taken or the turn limit is reached; otherwise the other seat plays.
    """
    state = _credit_cargo(state)
    if state.turn.king_taken:
        return _settle(state)
    position = state.position if state.turn.moved else state.position.pass_turn()
    turns = state.turns + 1
    state = replace(state, position=position, seat=state.opponent, turns=turns, turn=LegendTurn())
    limit = state.options.turn_limit
    if limit and turns >= limit:
        return _end_round(state, say("The limit of {limit} turns is reached", limit))
    return state


def abandon(state: State) -> State:
    """Return the state after both players agreed to abandon the round, without settlement (L3)."""
    return _end_round(state, say("The round is abandoned"))


def _end_round(state: State, why: str) -> State:
    """Return the state after a round that nobody won; its event says why it ended."""
    return _next_round(state.with_event(EventKind.ROUND, state.seat, 0, why), why)


def _credit_cargo(state: State) -> State:
    """Return the state with the turn's cargo added to the player's tally, and with an event that reports the cargo.

    The event's text contains the faces of the dice, since displays may clear the dice at once.
    """
    faces = [face for face in state.turn.cargo_faces if face is not None]
    cargo, seat, thrown = dice.cargo(faces), state.seat, " ".join(str(face) for face in faces)
    none = message("{name} brings home no cargo ({faces})")
    some = message("{name} brings home a cargo of {cargo} ({faces})")
    words = say(some if cargo else none, name=state.seats[seat], cargo=cargo, faces=thrown)
    return credit(state, seat, GameEvent(EventKind.CARGO, seat, cargo, words))


def _settle(state: State) -> State:
    """Return the state after a captured king ended the round and the loser paid the winner (L20).

    The loser pays the total value of the winner's captures, or the whole of the loser's cargo if the cargo is less.
    """
    winner, loser = state.seat, state.opponent
    value = sum(PIECE_VALUES[captured.kind] for captured in state.captures[winner])
    paid = min(state.cargo[loser], value)
    state = replace(
        state,
        cargo=with_seat(state.cargo, loser, state.cargo[loser] - paid),
        rounds_won=with_seat(state.rounds_won, winner, state.rounds_won[winner] + 1),
    )
    names = {"loser": state.seats[loser], "winner": state.seats[winner]}
    words = say("{loser} pays {paid} to {winner} for captures worth {value}", paid=paid, value=value, **names)
    state = credit(state, winner, GameEvent(EventKind.SETTLEMENT, winner, paid, words, payer=loser))
    return _next_round(state, say("{name} captures the king", state.seats[winner]))


def _next_round(state: State, why: str) -> State:
    """Return the state after a round: with the next round, or the match over; `why` says why the round ended."""
    if state.round == state.options.rounds:
        result = _result(state, why)
        parts = {"more": max(result.scores), "less": min(result.scores)}
        if result.winner is None:
            words = say("The match is shared, {more} to {less}", **parts)
        else:
            words = say("The match is won by {name}, {more} to {less}", name=state.seats[result.winner], **parts)
        state = state.with_event(EventKind.MATCH, result.winner or 0, 0, words)
        return replace(state, turn=replace(state.turn, step=Over(result)))  # the last dice stay visible
    state = replace(
        state,
        round=state.round + 1,
        position=LEGEND_START,
        turns=0,
        captures=((), ()),
        genie_spent=(False, False),
        turn=LegendTurn(),
    )
    white = state.white_seat
    words = say("Round {round}: {name} has White", state.round, state.seats[white])
    state = state.with_event(EventKind.ROUND, white, 0, words)
    return replace(state, seat=white)


def _result(state: State, why: str) -> Result:
    """Return the result of the match (L4); `why` says why its last round ended.

    The player with the higher score wins. If the scores are equal, the player who won more rounds wins. If these
    numbers are equal too, the player with the higher legend wins. If the legend is equal too, the match is drawn.
    """
    scores = grand_scores(state)
    first, second = ((scores[seat], state.rounds_won[seat], state.legend[seat]) for seat in (0, 1))
    if first == second:
        return Result(None, scores, why)
    winner = int(second > first)
    if first[0] != second[0]:
        return Result(winner, scores, why)
    if first[1] != second[1]:
        return Result(winner, scores, say("{why}; {name} has more rounds won", why, state.seats[winner]))
    return Result(winner, scores, say("{why}; {name} has more legend", why, state.seats[winner]))


def legend_outcome(before: State, events: Sequence[GameEvent], faces: Sequence[int | None]) -> Outcome | None:
    """Return the result of the turn that an action ended; `None` if the action ended no turn.

    Args:
        before: the state before the action.
        events: the events of the action.
        faces: the final faces of all dice; `None` for a die that was not thrown.
    """
    points = {event.kind: event.points for event in events}
    gained = before.turn.gained + sum(event.points for event in events if event.kind not in CARGO_KINDS)
    if EventKind.CARGO not in points:
        return None
    cargo = faces[: LEGEND_DIE - 1]
    missing = first_missing(cargo)
    home = missing_words(missing) if missing else say("Cargo {cargo}", points[EventKind.CARGO])
    lit, words = [*cargo_dice(cargo)], [home]
    if gained:
        lit.append(LEGEND_DIE)
        words.insert(0, say("Legend {points}", gained))
    if EventKind.TREASURE in points:
        lit += EXTRA_DICE
        words.insert(0, say("Treasure {cargo}", points[EventKind.TREASURE]))
    return Outcome(tuple(lit), computed(with_stops, *words), crew_places(cargo))
