"""The thinking process of a table: a worker that decides for the computer players of a match, and gives advice.

The process answers one question at a time. To abandon a question, the table ends the process.
"""

import argparse
import random
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import msgspec

from captains_table import catalog
from captains_table.games.common.computer_seat import ComputerSeat, NoSuchOpponent
from captains_table.games.contract import Action, Auction, Decide, IllegalAction
from captains_table.phrases import message_of
from captains_table.players.common.opponents import Means, Opponent, opponent_of
from captains_table.players.common.strategies import Strategy
from captains_table.process.plugins import install_plugins
from captains_table.process.worker import log_worker
from captains_table.process.worker_side import encode_answer, run_worker, write_line
from captains_table.runtime.engines import EngineFacts, FactFile, seat_engine
from captains_table.runtime.thinking.client import TO_THINK, ThinkingAnswer, ThinkingRequest
from captains_table.runtime.uci_engine import BadEngine, EnginePlayer, EngineProgram, UciEngine
from captains_table.table.model.entries import Acted, Entry
from captains_table.table.model.match import BadHistory, Match
from captains_table.table.model.view import Hint
from captains_table.table.playing.thinking import passing_bid

Opponents = Callable[[str], Mapping[str, Opponent]]
SHARES = 40  # the time left on a clock is divided among so many moves
SPARE_MOVES = 5  # or among those left in its stage, and so many besides


class NothingToDecide(ValueError):
    """The seat has nothing to decide, or its computer decided something illegal."""


class ComputerThinker:
    """Decides for the computer players of one match at a time, and gives advice.

    The same question always gets the same answer, with two exceptions: with a time limit or a running clock the answer
    may depend on the speed of the machine, and UCI engines need not answer alike twice.

    Args:
        opponents: maps a game's key to the game's computer players, each under its own key.
        seconds: returns the time of a monotonic clock in seconds.
    """

    def __init__(self, opponents: Opponents, seconds: Callable[[], float]) -> None:
        self._opponents = opponents
        self._seconds = seconds
        self._entries: list[Entry] = []
        self._match: Match | None = None
        self._strategies: dict[str, tuple[float | None, Strategy]] = {}  # with the time limit that each was made with
        self._rng = random.Random()  # noqa: S311 - for a weak level's errors, no dice

    def answer(self, asked: ThinkingRequest) -> Action:
        """Return a computer's decision.

        Raises:
            BadHistory: the match does not replay.
            NothingToDecide: the seat has nothing to decide, or the computer decided something illegal.
            NoSuchOpponent: the game has no such computer, or not at this level.
            BadEngine: the computer is an engine that does not work.
        """
        match = self._match_of(asked)
        return self.decide(match, asked.computer, asked.seat, think_s=_time_for(asked, match))

    def advise(self, asked: ThinkingRequest) -> Hint | None:
        """Return advice on a seat's decision; `None` if there is no advice; raises BadHistory."""
        match = self._match_of(asked)
        self._rng.seed(f"{match.started.commitment} {asked.seat} {len(match.history)}")
        means = Means(self._rng.randrange, self._seconds, _time_for(asked, match))
        return catalog.thought_hint(match.game.key, match.state, means)

    def decide(self, match: Match, computer: str, seat: int, *, think_s: float | None = None) -> Action:
        """Return a computer's decision for a seat of a match; in an auction the decision is a bid or a pass.

        Raises the errors of `answer` except BadHistory.
        """
        turn = match.turn
        self._rng.seed(f"{match.started.commitment} {seat} {len(match.history)}")
        if isinstance(turn, Auction):
            action = self._bid(match, turn, computer, seat)
        elif isinstance(turn, Decide) and turn.seat == seat:
            action = self._strategy(match, computer, think_s)(match.state, turn)
        else:
            raise NothingToDecide(f"seat {seat} has nothing to decide: a throw, or another seat, is waited for")
        if action == passing_bid(seat):
            return action
        try:
            match.game.apply(match.state, action)
        except IllegalAction as error:
            raise NothingToDecide(f"{computer} answers {action}: {error}") from error
        return action

    def _bid(self, match: Match, auction: Auction, computer: str, seat: int) -> Action:
        bidder = auction.bidder(seat)
        sitter = ComputerSeat.parsed(computer)
        opponent = opponent_of(sitter, self._opponents(match.game.key))
        if bidder is None or opponent.bid is None:
            return passing_bid(seat)
        bid = opponent.bid(sitter.level, Means(self._rng.randrange, self._seconds))
        return bid(match.state, bidder) or passing_bid(seat)

    def _strategy(self, match: Match, computer: str, think_s: float | None) -> Strategy:
        made_for, strategy = self._strategies.get(computer, (None, None))
        if strategy is None or made_for != think_s:
            sitter = ComputerSeat.parsed(computer)
            opponent = opponent_of(sitter, self._opponents(match.game.key))
            strategy = opponent.make(sitter.level, Means(self._rng.randrange, self._seconds, think_s))
            self._strategies[computer] = think_s, strategy
        return strategy

    def _match_of(self, asked: ThinkingRequest) -> Match:
        """Return the match of a question; raises BadHistory if the match cannot be replayed.

        If the question only adds actions to the match of the last question, only the new actions are played. Otherwise
        the whole match is replayed.
        """
        is_going_on = self._match is not None and 0 < asked.kept == len(self._entries)
        self._entries = [*self._entries[: asked.kept], *asked.entries]
        acted = [entry for entry in asked.entries if isinstance(entry, Acted)]
        if is_going_on and self._match is not None and len(acted) == len(asked.entries):
            for each in acted:
                self._match.act(each.action, each.at_ms)
            return self._match
        if asked.kept == 0:
            self._strategies.clear()  # a new match: strategies must not remember the old one
        self._match = Match.resumed(self._entries)
        return self._match


def _time_for(asked: ThinkingRequest, match: Match) -> float | None:
    """Return the seconds to think: the given limit, but in a match with a clock at most a share of the time left.

    The share is a fortieth, or more if few moves are left in the stage of the clock. The result is `None` if there is
    neither a limit nor a clock.
    """
    if asked.left_ms is None:
        return asked.think_s
    stage = None if match.clock is None else match.clock.progress(asked.seat)
    moves_left = None if stage is None else stage.moves_left
    share = asked.left_ms / 1000 / min(SHARES, SHARES if moves_left is None else moves_left + SPARE_MOVES)
    return share if asked.think_s is None else min(share, asked.think_s)


def main() -> None:
    """Answer questions until standard input ends."""
    parser = argparse.ArgumentParser(description="Think for a table's computers.")
    programs = partial(msgspec.json.decode, type=list[EngineProgram])
    parser.add_argument("--engines", type=programs, default=(), help="UCI engines, as a list in JSON")
    parser.add_argument("--facts", type=Path, help="the file that keeps what engines reported about themselves")
    arguments = parser.parse_args()
    install_plugins()
    facts = FactFile(arguments.facts)
    for program in arguments.engines:
        seat_engine(program, EnginePlayer(program, _tell, log_worker, partial(_remember, facts, program)))
    mind = ComputerThinker(catalog.opponents_of, time.monotonic)
    run_worker(lambda line: _thought(mind, line))


def _tell(news: str) -> None:
    """Tell the table news about an engine that was asked, for its players and the log."""
    if news:
        log_worker(news)
    write_line(encode_answer(ThinkingAnswer(news=news)))


def _remember(file: FactFile, program: EngineProgram, engine: UciEngine) -> None:
    """Keep what an engine of one game reported about itself, unless it was examined; others must be examined first."""
    if len(program.games) == 1 and file.find(program) is None:
        file.keep(program, EngineFacts(engine.name, engine.elo_range))


def _thought(mind: ComputerThinker, line: bytes) -> ThinkingAnswer:
    try:
        asked = TO_THINK.decode(line)
        return ThinkingAnswer(mind.answer(asked)) if asked.computer else ThinkingAnswer(hint=mind.advise(asked))
    except (msgspec.DecodeError, BadHistory, NothingToDecide, NoSuchOpponent, BadEngine) as error:
        return ThinkingAnswer(error=message_of(error))


if __name__ == "__main__":
    main()
