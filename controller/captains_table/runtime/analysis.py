"""Analyses a match: finds what its decisions cost, compared with the best ones.

Run as a program, this module is a worker for the table's page: it reads the journal of a match as one line of JSON,
and answers with one line of JSON.
"""

import random
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from captains_table import catalog
from captains_table.catalog import GameEntry
from captains_table.games.common.dice import roman
from captains_table.games.contract import Keep
from captains_table.games.registry import UnknownGame
from captains_table.players.common.opponents import DecisionJudge, Means
from captains_table.process.plugins import install_plugins
from captains_table.process.worker_side import run_worker
from captains_table.records.luck import luck_of
from captains_table.table.history.review import JudgedDecision, MatchReview, ReviewMoment
from captains_table.table.model.entries import Entry
from captains_table.table.model.match import BadHistory, Match, Step

COMMAND: Final = (sys.executable, "-m", "captains_table.runtime.analysis")
LEAST_COST: Final = 0.005  # a smaller cost counts as none


class AnalysisRequest(Struct, frozen=True):
    """A request to analyse a match: the entries of its journal."""

    entries: tuple[Entry, ...]


class AnalysisAnswer(Struct, frozen=True):
    """The answer to an `AnalysisRequest`: the judged decisions, or an error that says why there are none."""

    decisions: tuple[JudgedDecision, ...] = ()
    error: str = ""


TO_ANALYSE: Final = msgspec.json.Decoder(AnalysisRequest)
ANALYSED: Final = msgspec.json.Decoder(AnalysisAnswer)


def yield_to_loop() -> None:
    """Let other threads run, such as the thread of the event loop, because somebody may be playing at the table."""
    time.sleep(0)


def judged_decisions(entry: GameEntry, story: MatchReview, think_s: float | None = None) -> Iterator[JudgedDecision]:
    """Yield the decisions that can be judged, in order, each with its cost.

    If the game has a judge, the judge evaluates each decision that it can, for example by search, and names the best
    alternative. A cost below LEAST_COST then counts as 0. Any other decision, unless it is a move on the board, is
    judged by the expected results of the dice. A decision judged by the dice is yielded only if the decision costs at
    least LEAST_COST; the best alternative is not named.

    Args:
        entry: the game.
        story: the match.
        think_s: the most seconds for each decision; `None` for no limit.
    """
    judge: DecisionJudge | None = None if entry.judge is None else entry.judge()
    luck = luck_of(entry, story, yield_to_loop)
    means = Means(random.Random(0).randrange, time.monotonic, think_s)  # noqa: S311 - no dice
    by_place = {moment.place: moment for moment in story.moments}
    for place, step in enumerate(story.steps):
        seat, moment = step.acted.seat, by_place.get(place)
        if seat is None:
            continue
        judgement = None if judge is None else judge(step.before, step.acted.action, means)
        skill = None if luck is None or step.on_board else luck.deeds[place].skill
        if judgement is not None:
            cost, best = 0.0 if judgement.cost < LEAST_COST else judgement.cost, judgement.best
        elif skill is not None and skill <= -LEAST_COST:
            cost, best = -skill, ""  # what the best play of the dice would have gained
        else:
            continue
        yield JudgedDecision(0 if moment is None else moment.number, seat, _words(step, story, moment), cost, best)


def _words(step: Step, story: MatchReview, moment: ReviewMoment | None) -> str:
    """Return a decision in words; if the log contains the decision, use the log's words."""
    if moment is not None and moment.lines:
        return moment.lines[0].words
    action, seat = step.acted.action, step.acted.seat
    who = "" if seat is None else f"{story.names[seat]}: "
    if isinstance(action, Keep):
        return f"{who}{_kept_words(story, step, action.dice)}"
    return f"{who}{step.option.label if step.option is not None else 'answers'}"


def _kept_words(story: MatchReview, step: Step, kept: Sequence[int]) -> str:
    dice = story.game.dice(step.before)
    faces = [
        roman(face) if dice[die - 1].kind == "roman" else str(face) for die in kept if (face := dice[die - 1].face)
    ]
    return f"keeps {' '.join(faces)}" if faces else "keeps nothing"


def _found(line: bytes) -> AnalysisAnswer:
    try:
        match = Match.resumed(TO_ANALYSE.decode(line).entries)
        entry = catalog.entry_of(match.game.key)
    except (msgspec.DecodeError, BadHistory, UnknownGame) as error:
        return AnalysisAnswer(error=str(error))
    return AnalysisAnswer(tuple(judged_decisions(entry, MatchReview(match))))


if __name__ == "__main__":
    install_plugins()
    run_worker(_found)
