"""Answers every question of a seat in a game like chess with an engine's moves and values; declares Boreas.

Boreas is always available; UCI engines are available if they are installed. Any engine that finds a move and the value
of a position can play a whole match. Decisions about draws use the position's value without the errors of the level.
The player claims a possible draw if its position is worth 0 or less. It agrees to a draw if its position is clearly
worse than even (in the opening, much worse), or if a long match without recent progress is about even. It lets moves be
taken back. Computers do not resign, but for the lowest level in chess: a beginner wants to see how to win.

Source: docs/rules/captains-chess.md C6, C7; docs/rules/chess.md G5 to G9.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from captains_table.games.chess.game import CLAIM_WITH
from captains_table.games.common.chesslike import steps
from captains_table.games.common.chesslike.match import AnyState, claim_of, claiming_moves
from captains_table.games.contract import AGREE, CLAIM_DRAW, PRESS_CLOCK, REFUSE, RESIGN, Action, Decide, Pick, PickAsk
from captains_table.phrases import say
from captains_table.players.common.advice import Advice
from captains_table.players.common.opponents import DecisionJudge, Means, Opponent
from captains_table.players.common.strategies import Strategy

WORSE: Final = -60  # hundredths of a pawn
MUCH_WORSE: Final = -250
LEVEL: Final = 30
OPENING: Final = 20  # moves: before this one a match is in its opening
LONG_PLAYED: Final = 40  # moves
HOPELESS: Final = 1600
LONG_QUIET: Final = 20  # plies without a capture, pawn move or promotion
ENGINE: Final = "engine"  # the key of a UCI engine that the configuration names, before its level: engine:3
LEVELS: Final = {
    0: say("gentle"),
    1: say("beginner"),
    2: say("novice"),
    3: say("casual"),
    4: say("club player"),
    5: say("strong"),
    6: say("strongest"),
}
LEVEL_NOTES: Final = {
    0: say("Overlooks every answer, and misjudges moves by up to six pawns"),
    1: say("Sees what it can capture, but rarely your answer"),
    2: say("Overlooks three of your answers in ten"),
    3: say("Looks two moves ahead, and overlooks one answer in seven"),
    4: say("Looks three moves ahead, and overlooks few answers"),
    5: say("Looks some six moves ahead"),
    6: say("Looks some eight moves ahead"),
}


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """The move that an engine chose in a position, and the position's value.

    Attributes:
        move: the id of the chosen move; empty if the match is over.
        value: the position's value for the side to move, in hundredths of a pawn; beyond `search.SURE`, one side mates.
        line: the ids of the best moves of both sides, this move first; empty if the engine tells none.
    """

    move: str
    value: int
    line: tuple[str, ...] = ()


PositionJudge = Callable[[AnyState], JudgedMove]


def strategy_by_judges(judge: PositionJudge, weigh: PositionJudge, gives_up: int | None = None) -> Strategy:
    """Return a player that answers every question of a match with an engine's moves and values.

    Args:
        judge: returns the move to make.
        weigh: the same engine without errors; its values decide about draws.
        gives_up: the value, in hundredths of a pawn, by which the player must be behind to resign; `None`: never.
    """

    def answer(state: AnyState, decide: Decide) -> Action:
        match state.step:
            case steps.ClockPressStep():
                return Pick(PRESS_CLOCK.id)
            case steps.DrawConsent():
                return Pick(AGREE.id if _is_content(state, -weigh(state).value) else REFUSE.id)
            case steps.TakebackConsent():
                return Pick(AGREE.id)
            case steps.ClaimStep():
                return Pick(claiming_moves(state)[0])
            case _ if gives_up is not None and state.before is not None and weigh(state).value <= -gives_up:
                return Pick(RESIGN.id)
            case _:
                return _move_or_claim(state, decide, judge, weigh)

    return answer


def _move_or_claim(state: AnyState, decide: Decide, judge: PositionJudge, weigh: PositionJudge) -> Action:
    """Return the move to make, or a claim of a draw where one is possible and the position is worth no more."""
    if claim_of(state) and weigh(state).value <= 0:
        return Pick(CLAIM_DRAW.id)
    move = judge(state).move
    may_claim = isinstance(decide.ask, PickAsk) and CLAIM_WITH in decide.ask.options
    claims = may_claim and move in claiming_moves(state) and weigh(state).value <= 0
    return Pick(CLAIM_WITH.id if claims else move)


def _is_content(state: AnyState, value: int) -> bool:
    """Return whether a player agrees to a draw.

    Args:
        state: the match.
        value: the position's value for the player, in hundredths of a pawn.
    """
    position = state.position
    is_long = position.number >= LONG_PLAYED and position.quiet >= LONG_QUIET
    is_opening = position.number < OPENING
    return value <= (MUCH_WORSE if is_opening else WORSE) or (is_long and value <= LEVEL)


def _boreas(level: int, means: Means, gives_up: int | None = None) -> Strategy:
    from captains_table.players.boreas.player import boreas  # noqa: PLC0415 - builds large tables

    return boreas(level, means, gives_up)


def _boreas_in_chess(level: int, means: Means) -> Strategy:
    return _boreas(level, means, gives_up=HOPELESS if level == 0 else None)


BOREAS: Final = Opponent("boreas", "Boreas", _boreas, LEVELS, usual=3, level_notes=LEVEL_NOTES)

BOREAS_IN_CHESS: Final = replace(
    BOREAS,
    make=_boreas_in_chess,
    level_notes={**LEVEL_NOTES, 0: say("Overlooks every answer, and gives up when far behind: nobody need mate it")},
)
"""Boreas in chess, where a child who takes everything has not won yet: its level 0 resigns in time."""


def advise_by_boreas(state: AnyState, means: Means) -> Advice | None:
    """Return Boreas's advice on the best move; `None` if the game is not waiting for a move."""
    from captains_table.players.boreas.advising import advise_on_move  # noqa: PLC0415 - builds large tables

    return advise_on_move(state, means)


def judge_by_boreas() -> DecisionJudge:
    """Return a judge that compares each move with the best that Boreas finds."""
    from captains_table.players.boreas.advising import evaluate_by_search, move_judge  # noqa: PLC0415 - as above

    return move_judge(evaluate_by_search, is_calibrated=False)


def judge_by_engine(ask: PositionJudge) -> DecisionJudge:
    """Return a judge that compares each move with the best that an engine finds, whose values follow the chance to win.

    Args:
        ask: asks the engine for its move and value; it raises an error of its own if the engine fails.
    """
    from captains_table.players.boreas.advising import evaluation_of, move_judge  # noqa: PLC0415 - as above

    return move_judge(lambda state, _: evaluation_of(state, ask(state)), is_calibrated=True)
