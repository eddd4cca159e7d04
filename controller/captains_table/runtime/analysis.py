"""Analyses a match: finds what its decisions cost, compared with the best ones.

Run as a program, this module is a worker for the table's page: it reads the journal of a match as one line of JSON,
and answers with one line of JSON.
"""

import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Final

import msgspec
from msgspec import Struct, structs

from captains_table import catalog
from captains_table.catalog import GameEntry
from captains_table.games.common.dice import roman
from captains_table.games.contract import ROLL, Decide, Die, Keep, KeepAsk, PickAsk, Roll
from captains_table.games.registry import UnknownGame
from captains_table.phrases import message_of, say
from captains_table.players.common.opponents import DecisionJudge, Judgement, Means
from captains_table.process.plugins import install_plugins
from captains_table.process.worker_side import run_worker
from captains_table.records.luck import better_choice, luck_of
from captains_table.runtime.uci_engine import BadEngine, EngineLevel, EnginePlayer, EngineProgram
from captains_table.table.history.event_log import name_and_words
from captains_table.table.history.review import JudgedDecision, MatchReview, ReviewMoment
from captains_table.table.model.entries import Entry
from captains_table.table.model.match import BadHistory, Match, Step

COMMAND: Final = (sys.executable, "-m", "captains_table.runtime.analysis")
LEAST_COST: Final = 0.005  # a smaller cost counts as none
REVIEW_NODES: Final = 500_000  # positions that an engine searches before and after a move
REVIEW_OPTIONS: Final = {"Hash": "16"}  # in MB, unless it is configured: a reviewing engine looks deeper than a player


class AnalysisRequest(Struct, frozen=True):
    """A request to analyse a match.

    Attributes:
        entries: the entries of its journal; empty for the match of the request before.
        begin: how many of its actions are not judged.
        end: the index of the first action that is not judged any more; `None` to judge to the end.
        think_s: the most seconds for each decision; `None` for no limit.
        engine: the engine that judges moves; `None` to let the game's own judge do it.
    """

    entries: tuple[Entry, ...] = ()
    begin: int = 0
    think_s: float | None = None
    end: int | None = None
    engine: EngineProgram | None = None


class AnalysisAnswer(Struct, frozen=True):
    """The answer to an `AnalysisRequest`.

    Attributes:
        decisions: the judged decisions.
        error: why there are none; otherwise empty.
        engine_failed: whether the error is the engine's, so that the game's own judge may do it.
    """

    decisions: tuple[JudgedDecision, ...] = ()
    error: str = ""
    engine_failed: bool = False


TO_ANALYSE: Final = msgspec.json.Decoder(AnalysisRequest)
ANALYSED: Final = msgspec.json.Decoder(AnalysisAnswer)


def yield_to_loop() -> None:
    """Let other threads run, such as the thread of the event loop, because somebody may be playing at the table."""
    time.sleep(0)


def reviewer_of(entry: GameEntry, engines: Sequence[EngineProgram]) -> EngineProgram | None:
    """Return the first engine that judges moves of a game; `None` if none does."""
    if entry.uci is None or entry.uci.judge is None:
        return None
    return next((program for program in engines if entry.game.key in (program.games or (entry.game.key,))), None)


def engine_judge(entry: GameEntry, program: EngineProgram, think_s: float | None) -> DecisionJudge | None:
    """Return a judge that asks an engine, which ends with the process; `None` if engines cannot judge the game.

    The judge raises BadEngine if the engine fails twice.
    """
    dialect, level = entry.uci, EngineLevel("", REVIEW_NODES)
    if dialect is None or dialect.judge is None:
        return None
    player = EnginePlayer(structs.replace(program, options={**REVIEW_OPTIONS, **program.options}))
    return dialect.judge(lambda state: player.judge(dialect, state, level, think_s))


class MatchJudge:
    """Judges the decisions of one match.

    If the game has a judge, it evaluates each decision that it can, for example by search, and names the best
    alternative. Any other decision, unless it is a move on the board, is judged by the expected results of the dice
    (`_judged_by_dice`). A cost below LEAST_COST counts as 0. A decision has the number of its moment, or of the next.

    Args:
        entry: the game.
        story: the match.
        think_s: the most seconds for each decision; `None` for no limit.
        judge: the judge; `None` for that of the game, if it has one.
    """

    def __init__(
        self, entry: GameEntry, story: MatchReview, think_s: float | None = None, judge: DecisionJudge | None = None
    ) -> None:
        self._entry = entry
        self._story = story
        self._judge = judge or (None if entry.judge is None else entry.judge())
        self._luck = luck_of(entry, story, yield_to_loop)
        self._means = Means(random.Random(0).randrange, time.monotonic, think_s)  # noqa: S311 - no dice

    def decisions(self, begin: int = 0, end: int | None = None) -> Iterator[JudgedDecision]:
        """Yield the decisions that can be judged, in order, each with its cost.

        Args:
            begin: how many actions are not judged.
            end: the index of the first action that is not judged any more; `None` to judge to the end.
        """
        for place in range(len(self._story.steps))[begin:end]:
            decision = self._decision(place, self._story.steps[place])
            if decision is not None:
                yield decision

    def _decision(self, place: int, step: Step) -> JudgedDecision | None:
        seat, story = step.acted.seat, self._story
        if seat is None:
            return None
        moment = next((each for each in story.moments if each.place >= place), None)
        found = None if self._judge is None else self._judge(step.before, step.acted.action, self._means)
        words, deed = _words(step, story, seat, None if found is None else moment)
        if found is None and self._luck is not None and not step.on_board:
            found = _judged_by_dice(self._entry, step, self._luck.deeds[place].skill)
        if found is None:
            return None
        cost = 0.0 if found.cost < LEAST_COST else found.cost
        why = found.why if _has_choice(self._entry, step) else ""
        judged = asdict(replace(found, cost=cost, why=why))
        return JudgedDecision(0 if moment is None else moment.number, seat, words, place=place, deed=deed, **judged)


def _has_choice(entry: GameEntry, step: Step) -> bool:
    """Return whether a decision was a choice of some weight: not the first throw, nor to pass the turn on unchanged."""
    game = entry.game
    turn, then = game.turn(step.before), game.turn(step.after)
    ask = turn.ask if isinstance(turn, Decide) else None
    if not isinstance(ask, PickAsk) or step.option is None:
        return True
    passes = not (step.on_board or game.game_events(step.before, step.after)) and (
        isinstance(then, Decide | Roll) and then.seat != step.acted.seat
    )
    serious = [option for option in ask.options if not (option.in_vain or option.ends)]
    return len(serious) > 1 and not passes and not step.option.id.startswith(ROLL.id)


def _judged_by_dice(entry: GameEntry, step: Step, skill: float | None) -> Judgement | None:
    """Return what a decision cost by the expected results of the dice; `None` if they say nothing about it.

    A decision that costs nothing counts only if the game's adviser has advice on it, and if no choice of the dice to
    keep follows, which counts itself.
    """
    advice = None if entry.adviser is None else entry.adviser(step.before)
    turn = entry.game.turn(step.after)
    is_half = isinstance(turn, Decide) and isinstance(turn.ask, KeepAsk)
    if skill is None or (skill > -LEAST_COST and (advice is None or is_half)):
        return None
    return Judgement(-skill, better_choice(entry, step), why="" if advice is None else advice.why)


def _words(step: Step, story: MatchReview, seat: int, moment: ReviewMoment | None) -> tuple[str, str]:
    """Return a decision in words, those of the moment's log or else of the chosen answer, and its `deed`."""
    name, action = story.names[seat], step.acted.action
    if moment is not None and moment.lines:
        words = moment.lines[0].words
        deed = name_and_words(moment.lines[0])[1] or words
    elif isinstance(action, Keep):
        kept = _kept_faces(story.game.dice(step.before), action.dice)
        if not kept:
            return say("{name}: keeps nothing", name), say("Keeping nothing")
        return say("{name}: keeps {dice}", name, kept), say("Keeping {dice}", kept)
    else:
        deed = say("answers") if step.option is None else step.option.label
        words = say("{name}: {words}", name, deed)
    return words, say("\u201c{words}\u201d", deed)


def _kept_faces(dice: Sequence[Die], kept: Sequence[int]) -> str:
    faces = [
        roman(face) if dice[die - 1].kind == "roman" else str(face) for die in kept if (face := dice[die - 1].face)
    ]
    return " ".join(faces)


class Analyst:
    """Answers requests one after the other, and keeps the match of the last one."""

    def __init__(self) -> None:
        self._judge: MatchJudge | None = None

    def answer(self, line: bytes) -> AnalysisAnswer:
        """Return the answer to a request in JSON."""
        try:
            request = TO_ANALYSE.decode(line)
            if request.entries:
                match = Match.resumed(request.entries)
                entry, engine = catalog.entry_of(match.game.key), request.engine
                judge = None if engine is None else engine_judge(entry, engine, request.think_s)
                self._judge = MatchJudge(entry, MatchReview(match), request.think_s, judge)
        except (msgspec.DecodeError, BadHistory, UnknownGame) as error:
            return AnalysisAnswer(error=message_of(error))
        if self._judge is None:
            return AnalysisAnswer(error="no match was given yet")
        try:
            return AnalysisAnswer(tuple(self._judge.decisions(request.begin, request.end)))
        except BadEngine as error:
            return AnalysisAnswer(error=message_of(error), engine_failed=True)


if __name__ == "__main__":
    install_plugins()
    run_worker(Analyst().answer)
