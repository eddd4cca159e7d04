"""What a person means to do, and what the switches can possibly tell of it."""

import math
from collections.abc import Collection, Iterable, Sequence
from copy import copy
from enum import Enum, auto

from captains_table.games.contract import Pick, Square
from captains_table.table.model.match import Match, Step
from captains_table.table.recognition.candidates import Candidate
from captains_table.table.tapes.tape_writer import tape_of
from tests.prove.offers import ends_of
from tests.prove.stories import Change as StoryChange, History, Verdict, verdict
from tests.prove.witness import Question
from tests.support.gestures import PlayedGesture


class Evidence(Enum):
    """What the switches tell of a move."""

    CLEAR = auto()
    AMBIGUOUS = auto()  # the same squares were touched as for another move that leaves the same picture
    MISSING = auto()  # a square that changed its piece was never touched, or its switch is broken or chatters


class Intent:
    """One option of the game's ask, seen from where it is offered."""

    def __init__(self, match: Match, option_id: str, options: Sequence[Candidate]) -> None:
        self.id = option_id
        self.before = match.pieces()
        self.after = match.game.pieces(match.game.apply(match.state, Pick(option_id)))
        self._match, self._length = match, len(match.history)
        self._options = [option for option in options if not option.takes_back]
        self._meant = next(option for option in self._options if option.id == option_id)
        details = match.game.details(match.state)
        self._game, self._state = match.game, match.state
        self._fen = str(details.get("fen", ""))
        self._die = next((die.face for die in match.game.dice(match.state) if die.kind == "roman"), None)

    @property
    def words(self) -> str:
        return f"{self.id} in {self._fen}" + ("" if self._die is None else f", die {self._die}")

    @property
    def is_promotion(self) -> bool:
        """Whether several options look exactly alike on the board."""
        return any(other is not self._meant and self._looks_like(other) for other in self._options)

    def _looks_like(self, other: Candidate) -> bool:
        return other.occupied == self._meant.occupied and other.footprint.changed == self._meant.footprint.changed

    @property
    def is_extendable(self) -> bool:
        """Whether some option goes on where this one may stop."""
        return any(other is not self._meant and other.extends(self._meant) for other in self._options)

    def evidence(self, performance: PlayedGesture, silent: Collection[Square]) -> Evidence:
        """Return what the switches can tell, some of which say nothing."""
        touched = {change.square for change in performance.changes} - set(silent) - performance.truth.chattering
        if self._meant.footprint.is_exchange:
            return Evidence.AMBIGUOUS  # the same squares are occupied when both pieces are put back
        if performance.truth.missing or not self._meant.footprint.changed <= touched:
            return Evidence.MISSING
        others = (option for option in self._options if option is not self._meant and not self._looks_like(option))
        if any(other.occupied == self._meant.occupied and other.footprint.changed <= touched for other in others):
            return Evidence.AMBIGUOUS
        return Evidence.CLEAR

    def is_doubtful(self, performance: PlayedGesture, question: Question) -> bool:
        """Return whether several stories fit what had settled when something was asked, as the judge tells them."""
        return len(self._verdict(performance, until_ms=question.at_ms).fitting()) > 1

    def is_told(self, performance: PlayedGesture, match: Match) -> bool:
        """Return whether what stands in place of this move is what the switches told, as the judge reads them."""
        stands = tuple(step.acted.action.id for step in self.steps(match) if isinstance(step.acted.action, Pick))
        return self._verdict(performance).fits(stands)

    def _verdict(self, performance: PlayedGesture, until_ms: float = math.inf) -> Verdict:
        settled = [
            StoryChange(change.at_ms, change.square, change.closed)
            for change in performance.changes
            if change.at_ms <= until_ms
        ]
        history = History(settled, self.before, performance.truth.chattering)
        ends = ends_of(self._game, self._state)
        return verdict(self.before, history, ends, forgets=history.comes_home())

    def steps(self, match: Match) -> list[Step]:
        return [step for step in match.history[self._length :] if step.on_board]

    def is_made(self, match: Match) -> bool:
        return [step.acted.action for step in self.steps(match)] == [Pick(self.id)]

    def tape(self, performance: PlayedGesture, what: Iterable[str]) -> str:
        lines = [f"# {'; '.join(what)}", f"# meant {self.id}; noise {', '.join(sorted(performance.truth.kinds))}"]
        lines += [f'game {self._game.key} Anne Bart "fen={self._fen}"'] if self._fen else tape_of(self._past())
        lines += [] if self._die is None else [f"dice 1 1 1 1 1 {self._die}", "press roll"]
        before_ms = performance.changes[0].at_ms if performance.changes else 0
        for change in performance.changes:
            word = "place" if change.closed else "lift"
            lines.append(f"+{change.at_ms - before_ms} {word} {change.square}")
            before_ms = change.at_ms
        return "\n".join([*lines, f"+5000 expect {self._an_expectation()}\n"])

    def _past(self) -> Match:
        past = copy(self._match)
        past.history = self._match.history[: self._length]
        return past

    def _an_expectation(self) -> str:
        """Return a square that the move fills, with what then stands there; where it fills none, that play goes on."""
        filled = self._meant.footprint.filled
        return f"pieces.{min(filled)} {self.after[min(filled)]}" if filled else "phase playing"
