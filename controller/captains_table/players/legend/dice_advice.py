"""Advice about Legend's dice: which to keep, which to throw again, and when to end the turn.

The cargo dice are thrown for the greatest expected cargo. The Legend die is thrown for the greatest expected gain of
this turn's move alone: legend, strike, treasure (7 on average), the king and its settlement (L9 - L14, L20). Effects on
later turns are ignored. Advice about moves comes from a search (`aether/advising`).

Source: docs/rules/legend.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

from captains_table.games.common.dice import roman
from captains_table.games.contract import DONE, ROLL, THROW_AGAIN, Action, Keep, Option, Pick
from captains_table.games.legend import asks, effects
from captains_table.games.legend.position import PIECE_VALUES, TOP_DIE
from captains_table.games.legend.state import CARGO_DICE, LEGEND_DIE, LEGEND_THROWS, LegendTurn, State
from captains_table.games.legend.steps import LegendHoldStep, LegendMain, Treasure
from captains_table.phrases import message, say
from captains_table.players.common.advice import Advice, about, dice_showing, faces_kept, keep_words
from captains_table.players.common.hold_solver import FACES, KeepChoice
from captains_table.players.legend.dice_solver import StopChoice, cargo_policy, stop_or_throw

TREASURE: Final = 7  # two dice, on average
AGAINST_THE_OTHER: Final = 2  # a settlement counts twice for the lead: one side loses what the other wins

GainByFace = Mapping[int, Fraction]


def advise_on_legend_dice(state: State) -> Advice | None:
    """Return advice about the dice; `None` if another decision is due, or if the move can only be forfeited.

    Advice to move has the `action` `None`. It is given when the turn's move is due and no dice are worth throwing.
    """
    match state.turn.step:
        case LegendMain():
            return _main(state)
        case LegendHoldStep():
            kept = _sure_to_throw(state, proposed_keep(state))
            return _advice(state, Keep(kept), _kept_words(state, kept))
        case _:
            return None


def _main(state: State) -> Advice | None:
    turn = state.turn
    if not turn.cargo_throws and not turn.legend_throws:
        return _advice(state, Pick(ROLL.id), say("Throw all six"))
    offered = {option.id: option for option in asks.main_ask(state).options}
    for missing in (asks.ROLL_CARGO, asks.ROLL_LEGEND):
        if missing.id in offered:
            return _advice(state, Pick(missing.id), missing.label)
    throwable = asks.throwable(state)
    kept = proposed_keep(state)
    if len(kept) < len(throwable):
        return _advice(state, Pick(THROW_AGAIN.id), _kept_words(state, kept))
    return _nothing_to_throw(state, offered)


def _nothing_to_throw(state: State, offered: Mapping[str, Option]) -> Advice | None:
    if DONE.id in offered:
        return _advice(state, Pick(DONE.id), say("End the turn"))
    if asks.permitted_moves(state):
        die = roman(state.turn.die or 1)
        return _advice(state, None, say("Let the dice lie: move under {die}", die))
    return None


def proposed_keep(state: State) -> tuple[int, ...]:
    """Return the numbers of the dice that are best kept, out of those that may be thrown now."""
    throwable = asks.throwable(state)
    kept: tuple[int, ...] = ()
    if CARGO_DICE[0] in throwable:
        kept = dice_showing(_cargo_choice(state).kept, state.turn.faces, CARGO_DICE)
    if LEGEND_DIE in throwable and legend_choice(state).stops:
        kept = (*kept, LEGEND_DIE)
    return kept


def _sure_to_throw(state: State, kept: tuple[int, ...]) -> tuple[int, ...]:
    """Return the dice to keep, but never all of them (L5).

    If all should be kept, the die whose throw costs the least expected points is thrown.
    """
    throwable = asks.throwable(state)
    if len(kept) < len(throwable):
        return kept
    if LEGEND_DIE in throwable:
        choice = legend_choice(state)
        if CARGO_DICE[0] not in throwable or choice.stopping - choice.throwing <= least_cargo_loss(state)[0]:
            return tuple(die for die in kept if die != LEGEND_DIE)
    fallen = least_cargo_loss(state)[1]
    return tuple(die for die in kept if die != fallen)


def least_cargo_loss(state: State) -> tuple[Fraction, int]:
    """Return the least loss of expected cargo if exactly one cargo die is thrown, and the number of that die (from 1).

    The loss is measured against the best choice of dice to throw.
    """
    faces, left = _cargo_faces(state), LEGEND_THROWS - state.turn.cargo_throws
    best = cargo_policy().best(faces, left).expected
    losses = [(best - cargo_policy().kept_value((*faces[:die], *faces[die + 1 :]), left), die + 1) for die in range(5)]
    return min(losses)


def _cargo_faces(state: State) -> tuple[int, ...]:
    return tuple(face for face in state.turn.cargo_faces if face is not None)


def _cargo_choice(state: State) -> KeepChoice:
    return cargo_policy().best(_cargo_faces(state), LEGEND_THROWS - state.turn.cargo_throws)


@lru_cache(maxsize=4)
def legend_choice(state: State) -> StopChoice:
    """Return whether to stop at the Legend die's face; the die must have been thrown.

    After the turn's move, or if the die is final (`legend_final`), the choice is to stop, and both values are 0.
    """
    turn = state.turn
    if turn.moved or turn.legend_final:  # the move is made or fixed: the die changes nothing any more
        return StopChoice(stops=True, stopping=Fraction(), throwing=Fraction())
    left = LEGEND_THROWS - turn.legend_throws
    return stop_or_throw(turn.die or 1, left, gains(state, throws=1), gains(state, throws=LEGEND_THROWS))


def gains(state: State, throws: int, *, settled: int = AGAINST_THE_OTHER) -> GainByFace:
    """Return the gain of the best move with each face of the Legend die; 0 for a face that permits no move.

    Args:
        state: a state of the turn before its move.
        throws: how many times the die was thrown.
        settled: the weight of the cargo that the opponent pays for a taken king. Weight 1 gives the player's own gain.
            The default, 2, gives the change of the player's lead, because the opponent loses the same cargo.
    """
    die_turn = LegendTurn(faces=(None,) * 5 + (TOP_DIE,), legend_throws=throws)
    bare = replace(state, turn=die_turn, latest_events=())
    die_scores = throws < LEGEND_THROWS and state.options.score == "die"
    by_move = {
        id_: gain(bare, effects.move_piece(bare, move), settled) - (TOP_DIE if die_scores else 0)
        for id_, move in bare.position.moves(TOP_DIE).items()
    }
    values = {}
    for face in FACES:
        open_moves = [by_move[id_] for id_ in bare.position.moves(face)]
        values[face] = Fraction(max(open_moves) + (face if die_scores else 0)) if open_moves else Fraction()
    return values


def gain(before: State, after: State, settled: int) -> int:
    """Return the points that a move gained its player, including payments that are still due (`to_be_paid`).

    `settled` is the factor by which the loser's payment for a captured king is multiplied.
    """
    return after.legend[before.seat] - before.legend[before.seat] + to_be_paid(after, settled)


def to_be_paid(state: State, settled: int = 1) -> int:
    """Return the points that the turn's move will still bring.

    They are the average points of a treasure whose dice are still to be thrown, and the settlement (the cargo that the
    opponent pays) for a captured king.

    Args:
        state: a state after the move.
        settled: the factor by which the settlement is multiplied.
    """
    treasure = TREASURE if isinstance(state.turn.step, Treasure) else 0
    if not state.turn.king_taken:
        return treasure
    held = sum(PIECE_VALUES[captured.kind] for captured in state.captures[state.seat])
    return treasure + settled * min(state.cargo[state.opponent], held)


def _kept_words(state: State, kept: Sequence[int]) -> str:
    """Return the advice in words: which dice to keep.

    If only the Legend die may be thrown, the advice is to throw the Legend die again.

    The Legend die's face is given in Roman numerals.
    """
    faces, throwable = state.turn.faces, asks.throwable(state)
    if throwable == (LEGEND_DIE,):
        return say("Throw the {die} again", roman(faces[LEGEND_DIE - 1] or 1))
    cargo = [faces[die - 1] or 0 for die in kept if die in CARGO_DICE]
    if LEGEND_DIE not in kept:
        return keep_words(cargo)
    shown = f"{faces_kept(cargo)} {roman(faces[LEGEND_DIE - 1] or 1)}".strip()
    return say("Keep {faces}", shown)


def _advice(state: State, action: Action | None, advised: str) -> Advice:
    turn = state.turn
    expected = cargo_policy().expected()
    if turn.cargo_throws:
        expected = _cargo_choice(state).expected
    cargo = about(float(expected))
    why = say("{cargo} cargo expected", cargo)
    if turn.die is not None and LEGEND_DIE in asks.throwable(state) and not turn.moved:
        choice, die = legend_choice(state), roman(turn.die)
        stopping, throwing = float(choice.stopping), float(choice.throwing)
        if choice.stops:
            words = message("{cargo} cargo expected; the {die}: {legend} legend, {other} if thrown")
            legend, other = about(stopping), about(throwing, stopping)
        else:
            words = message("{cargo} cargo expected; throw the {die} again: {legend} legend, {other} if kept")
            legend, other = about(throwing), about(stopping, throwing)
        why = say(words, cargo=cargo, die=die, legend=legend, other=other)
    return Advice(action, advised, why, float(expected))
