"""The coach: says in a sentence what the last turn of a match against a computer was worth, by the analysis of reviews.

It is for the page that asks for it: nothing is recorded, and nothing is said in matches between people, in pairings of
a club, and of turns that are not over.
"""

import asyncio
from collections.abc import Sequence
from typing import Final, NamedTuple

from captains_table import catalog
from captains_table.games.contract import AGREE, REFUSE, Decide, Pick, PickAsk, Turn
from captains_table.phrases import computed, decimal, say, with_spaces
from captains_table.process.worker import Worker, WorkerFailed, WorkerLimits
from captains_table.process.worker_side import encode_line
from captains_table.runtime.analysis import ANALYSED, COMMAND, AnalysisRequest
from captains_table.table.history.review import JudgedDecision
from captains_table.table.model.match import Match

LIMITS: Final = WorkerLimits(answer_s=120.0)
THINK_S: Final = 2.0
CONSENT: Final = (Pick(AGREE.id), Pick(REFUSE.id))
MATES: Final = "it mates"  # as the judge of moves says it
MISSED_MATE: Final = 10.0  # pawns: what a mate is worth from a level position (players/boreas/advising.py)
WORTH_TELLING: Final = 0.1  # points, or pawns: what costs less was as good


class FinishedTurn(NamedTuple):
    """A turn that is over: whose it was, and its first action and the one after its last, counted from 0."""

    seat: int
    begin: int
    end: int


class TurnWorth(NamedTuple):
    """What a turn was worth.

    Attributes:
        turn: tells the turn from others of the match.
        words: the sentence; empty if nothing can be said.
        move: the best move, if another one was made; empty for other decisions.
    """

    turn: str
    words: str
    move: str = ""


def finished_turn(match: Match) -> FinishedTurn | None:
    """Return the last turn that is over; `None` if there is none yet, and while another player is asked to agree.

    Answers to proposals belong to the turn in which they were proposed.
    """
    if _asks_consent(match.turn):
        return None
    seats = [None if step.acted.action in CONSENT else step.acted.seat for step in match.history]
    end = len(seats)
    while end and seats[end - 1] in {None, None if match.is_ended else match.seat}:
        end -= 1
    if not end:
        return None
    seat, begin = seats[end - 1], end - 1
    while begin and seats[begin - 1] in {None, seat}:
        begin -= 1
    return None if seat is None else FinishedTurn(seat, begin, end)


def _asks_consent(turn: Turn) -> bool:
    ask = turn.ask if isinstance(turn, Decide) else None
    return isinstance(ask, PickAsk) and any(option.id == AGREE.id for option in ask.options)


def may_be_coached(match: Match) -> bool:
    """Return whether one person plays a match against computers alone."""
    absent = [match.is_absent(seat) for seat in range(len(match.started.seats))]
    return absent.count(False) == 1 < len(absent)


def turn_sentence(decisions: Sequence[JudgedDecision], unit: str, *, is_computers: bool) -> tuple[str, str]:
    """Return what a turn's decisions were worth as a sentence, and the id of the best move if another one was made.

    Both are empty if nothing can be said.

    Args:
        decisions: the judged decisions of the turn; those without a reason (`why`) left no choice.
        unit: what the costs count: `points` or `pawns`.
        is_computers: whether a computer made them.
    """
    chosen = [each for each in decisions if each.why]
    if not chosen:
        return "", ""
    if is_computers:
        told = next((each for each in reversed(chosen) if each.cost < WORTH_TELLING), None)
        return (say("{decision}: {reason}.", told.words, told.why) if told else ""), ""
    dear = max(chosen, key=lambda each: each.cost)
    if dear.cost < WORTH_TELLING:
        return say("Well chosen: nothing better was there."), ""
    if unit == "pawns" and (dear.cost >= MISSED_MATE or dear.why == MATES):
        sentence = say("{decision} cost a mate, or what is worth one.", dear.deed)
    elif unit == "pawns":
        sentence = say("{decision} cost {cost} pawns.", dear.deed, decimal(dear.cost))
    else:
        sentence = say("{decision} cost {cost} points.", dear.deed, decimal(dear.cost))
    if not dear.best:
        return sentence, dear.move
    better = say("Better: {decision} ({reason}).", dear.best, dear.why)
    return computed(with_spaces, sentence, better), dear.move


class TurnCoach:
    """Judges the last finished turn of a match in a worker process, one turn at a time; keeps the last sentence."""

    def __init__(self) -> None:
        self._worker = Worker(COMMAND, ANALYSED.decode, LIMITS)
        self._asking = asyncio.Lock()
        self._last: TurnWorth | None = None

    async def last_turn(self, match: Match) -> TurnWorth | None:
        """Return what the last finished turn of a match was worth; `None` if none is over or the coach is silent."""
        turn = finished_turn(match) if may_be_coached(match) else None
        if turn is None:
            return None
        steps = match.history[: turn.end]
        if any(step.option is not None and step.option.secret for step in steps[turn.begin :]):
            return None
        key = f"{steps[-1].acted.seq}-{steps[-1].acted.at_ms}"
        request = AnalysisRequest((match.started, *(step.acted for step in steps)), turn.begin, THINK_S)
        unit, is_computers = catalog.entry_of(match.game.key).cost_unit, match.is_absent(turn.seat)
        async with self._asking:
            if self._last is None or self._last.turn != key:
                decisions = await self._judged(request)
                self._last = TurnWorth(key, *turn_sentence(decisions, unit, is_computers=is_computers))
            return self._last

    async def _judged(self, request: AnalysisRequest) -> Sequence[JudgedDecision]:
        try:
            if not self._worker.is_running:
                await self._worker.start()
            return (await self._worker.ask(encode_line(request))).decisions
        except WorkerFailed:  # then nothing is said, and the next turn is judged by another process
            self._worker.kill()
            return ()
        except asyncio.CancelledError:  # its answer must not be taken for that to the next question
            self._worker.kill()
            raise

    def close(self) -> None:
        """End the worker process."""
        self._worker.close()
