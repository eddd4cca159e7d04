"""What the table made of one move before anybody reacted to it."""

from dataclasses import dataclass

from captains_table.table.model.match import Match
from tests.prove.figures import AT_ONCE_MS, PATIENT_MS, Figures
from tests.prove.intent import Evidence, Intent
from tests.prove.witness import Question, Witness
from tests.support.gestures import PlayedGesture


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
