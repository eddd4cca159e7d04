"""What a person means by a move, what the switches can tell of it, and what the table made of it at first."""

import math
from collections.abc import Collection, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from captains_table.games.contract import Action, Pick, Square
from captains_table.runtime.session import Session
from captains_table.table.model.match import Match, Step
from captains_table.table.recognition.board_monitor import MonitorState
from captains_table.table.recognition.candidates import Candidate
from captains_table.table.tapes.tape_writer import tape_of
from tests.prove.figures import AT_ONCE_MS, PATIENT_MS, Figures
from tests.prove.offers import ends_of
from tests.prove.stories.history import Change as StoryChange, History
from tests.prove.stories.judge import Verdict, verdict
from tests.support.gestures import PlayedGesture

HINT = "on a lit square"  # a piece is held for long: the table shows where it may go, and says nothing of a mistake


class Question(NamedTuple):
    """Which moves the table asked about, and when."""

    ids: tuple[str, ...]
    at_ms: int


class Witness:
    """Looks at the table after everything that happens."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._mood = MonitorState.WATCHING
        self.guided_in_all = self.ended_in_all = 0
        self.begin(0)

    def begin(self, now_ms: int) -> None:
        """Forget what was seen, for a new move."""
        self.asked: list[Question] = []
        self.called_illegal = False
        self.accepted: list[tuple[int, str]] = []
        self.last_change_ms = now_ms
        self._accept_after_ms = 0
        self._last = self._last_move()

    def acceptance_ms(self) -> int:
        """Return from the last change before the last acceptance to that acceptance."""
        return self._accept_after_ms

    def look(self, now_ms: int) -> None:
        """See what is there now."""
        state = self._session.referee.board_snapshot().state
        if state is not self._mood:
            if state is MonitorState.ASKING:
                asked = self._session.referee.board_snapshot().asked
                self.asked.append(Question(tuple(candidate.id for candidate in asked), now_ms))
            if state is MonitorState.RECOVERING:
                self.guided_in_all += 1
                self.called_illegal |= not any(HINT in line for line in self._session.view().prompt)
            self.ended_in_all += self._mood is MonitorState.RECOVERING
            self._mood = state
        last = self._last_move()
        if last != self._last:
            self._last = last
            self._accept_after_ms = now_ms - self.last_change_ms
            if last is not None:
                self.accepted.append((now_ms, last[1]))

    def _last_move(self) -> tuple[int, str] | None:
        match = self._session.match
        for step in reversed(match.history) if match is not None else ():
            if step.on_board:
                return step.acted.seq, str(step.acted.action)
        return None


def _actions(steps: Iterable[Step]) -> list[Action]:
    return [step.acted.action for step in steps]


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
        self._earlier = _actions(match.history)
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

    @property
    def previous(self) -> str:
        """The id of the option that was picked before this one; empty if none was."""
        last = self._earlier[-1] if self._earlier else None
        return last.id if isinstance(last, Pick) else ""

    def steps(self, match: Match) -> list[Step]:
        return [step for step in match.history[self._length :] if step.on_board]

    def is_made(self, match: Match) -> bool:
        return _actions(self.steps(match)) == [Pick(self.id)] and not self.has_changed_earlier(match)

    def has_changed_earlier(self, match: Match) -> bool:
        """Return whether a move before this one is not what it was."""
        return _actions(match.history[: self._length]) != self._earlier

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


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the table made of a move: what was meant, what the hands did, and what the switches could tell of it.

    Attributes:
        is_other: whether another move stands, with nothing asked and nothing shown as wrong.
        is_offered: whether the truth is on offer besides.
        is_whole: whether every switch works.
    """

    intent: Intent
    performance: PlayedGesture
    evidence: Evidence
    seen: Witness
    match: Match
    is_other: bool
    is_offered: bool
    is_whole: bool

    def count(self, figures: Figures) -> None:
        asked, is_unproven = bool(self.seen.asked), self.evidence is not Evidence.CLEAR
        counts = {
            "moves": 1,
            "misreads": self._is_wrong(),
            "other": self.is_other and self.is_offered,
            "unlikely": self._is_unlikely(),
            "ambiguous": self._is_wrong() and is_unproven,
            "amended": len(self.seen.accepted) > 1 and not self._is_wrong(),
            "needed": asked and self._needs_asking(),
            "promotions": asked and self._needs_asking() and not is_unproven,
            "unproven": asked and is_unproven,
            "needless": len(self._needless()),
            "double": 0 if self._needs_asking() else len(self.seen.asked) - len(self._needless()),
            "illegal": self._is_wronged(),
        }
        figures.tell(counts, self.performance.truth.kinds)
        if self._is_timed():
            times = figures.patient_ms if self.intent.is_extendable else figures.at_once_ms
            times[self.seen.acceptance_ms()] += 1

    def findings(self) -> list[str]:
        """Return what should not have happened, as a tape; none if all is well."""
        what = []
        if self._is_wrong():
            what.append(f"misread as {self.intent.steps(self.match)[-1].acted.action} ({self.evidence.name})")
        if needless := self._needless():
            what.append(f"needless prompt {[question.ids for question in needless]}")
        if self._is_wronged():
            what.append('wrong "illegal"')
        most_ms = PATIENT_MS if self.intent.is_extendable else AT_ONCE_MS
        if self._is_timed() and self.seen.acceptance_ms() > most_ms:
            what.append(f"accepted after {self.seen.acceptance_ms()} ms")
        return [self.intent.tape(self.performance, what)] if what else []

    def _is_wrong(self) -> bool:
        """Return whether a move stands that the switches do not tell of, with nothing asked."""
        return self.is_other and not self.is_offered and not self.intent.is_told(self.performance, self.match)

    def _is_unlikely(self) -> bool:
        """Return whether the switches told of another move than the one that was made, and nothing but a look could."""
        return self.is_other and not self.is_offered and self.intent.is_told(self.performance, self.match)

    def _needs_asking(self) -> bool:
        return self.evidence is not Evidence.CLEAR or self.intent.is_promotion

    def _needless(self) -> list[Question]:
        """Return what was asked though the switches tell of one move, and only one story fits what had settled."""
        if self._needs_asking():
            return []
        return [question for question in self.seen.asked if not self.intent.is_doubtful(self.performance, question)]

    def _is_wronged(self) -> bool:
        """Return whether the table spoke of a mistake though nothing stood or lay where it should not."""
        truth = self.performance.truth
        return self.seen.called_illegal and self.is_whole and not truth.tried and "knock" not in truth.kinds

    def _is_timed(self) -> bool:
        is_clear = not self._needs_asking() and self.is_whole
        return is_clear and bool(self.seen.accepted) and self.intent.is_made(self.match)
