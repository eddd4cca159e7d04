"""An action as it is said aloud: moves in words, where the log has them as players write them; throws with a sum."""

import re
from collections.abc import Sequence
from typing import Final

from captains_table.games.common.pieces import kind_name
from captains_table.games.contract import Roll, Rolled
from captains_table.table.model.match import Match, Step
from captains_table.table.recognition.footprint import difference

ROMAN: Final = {"I": "1", "II": "2", "III": "3", "IV": "4", "V": "5", "VI": "6"}
_ROMANS: Final = re.compile(r"\b(?:II|III|IV|V|VI)\b|\bI\b(?=[;,.:]|$)")
"""Roman numerals of a die; a lone I may as well be whoever speaks, unless a sentence or a part of it ends there."""
_MOVES: Final = re.compile(r"(?<![\w+])(\+?[A-Z]?)([a-z]\d)([-x])([a-z]\d)\b")


def spoken(words: str) -> str:
    """Return words as a voice says them: what a die shows as a number, moves in words."""
    return _ROMANS.sub(lambda found: ROMAN[found[0]], _MOVES.sub(_move_in_words, words))


def _move_in_words(found: re.Match[str]) -> str:
    letter, start, sign, end = found.groups()
    return f"{kind_name(letter or 'P')} {start} {'to' if sign == '-' else 'takes on'} {end}"


def said_of(match: Match, step: Step) -> str:
    """Return what is said of an action in place of its line in the log; empty where that line will do."""
    seat, action = step.acted.seat, step.acted.action
    if seat is None:
        return ""
    who = match.called(step.before)[seat]
    if isinstance(action, Rolled):
        return _throw_said(match, step, action.faces, who)
    if step.on_board:
        return _move_said(match, step, who)
    return ""


def _throw_said(match: Match, step: Step, faces: Sequence[int], who: str) -> str:
    """Return what fell, and what the dice have come to by that; what a turn that is over came to is said for itself."""
    turn = match.game.turn(step.before)
    if not isinstance(turn, Roll):
        return ""
    before, after = match.game.dice(step.before), match.game.dice(step.after)
    plain = [str(face) for die, face in zip(turn.dice, faces, strict=True) if before[die - 1].kind != "roman"]
    romans = [
        f"Legend die {face}" for die, face in zip(turn.dice, faces, strict=True) if before[die - 1].kind == "roman"
    ]
    fell = f"{who} throws {', '.join([*([' '.join(plain)] if plain else []), *romans])}"
    is_over = any(die > len(after) or after[die - 1].face is None for die in turn.dice)
    came_to = match.game.standing(step.after) if plain and not is_over else ""
    return f"{fell}: {came_to}" if came_to else fell


def _move_said(match: Match, step: Step, who: str) -> str:
    """Return a move of one piece from a square to another; empty where it is more than that."""
    before, after = match.game.pieces(step.before), match.game.pieces(step.after)
    changed = difference(before, after)
    left, filled = sorted(changed - set(after)), sorted(changed & set(after))
    if len(left) != 1 or len(filled) != 1:
        return ""
    start, end = left[0], filled[0]
    was, became = before[start], after[end]
    crowned = f", and is a {kind_name(became)} now" if was != became else ""
    return f"{who} moves the {kind_name(was)} from {start} to {end}{crowned}"
