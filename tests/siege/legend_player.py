"""Somebody who plays Legend at the real daemon toward what is to be struck: throw, move, take-back or settlement."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from tests.siege.attack import Fault, Found
from tests.siege.http_person import Deed, HttpPerson, Page
from tests.support.patience import PATIENCE_S

KINDS: Final = ("throw", "move", "take-back", "settlement")
TURNS_OF_PATIENCE: Final = 4
KINGS: Final = {"d4e5", "d5e4"}
STEPS: Final = {f"{file}{start}{file}{end}" for file in "agh" for start, end in ((2, 3), (3, 4), (7, 6), (6, 5))}
FIELDS: Final = {
    "game": "legend",
    "name1": "Anne",
    "name2": "Bart",
    # Pawns stand by to take either king, so that a settlement is never far; any Legend die lets a pawn move.
    "fen": "8/p1p3pp/8/3pk3/3PK3/8/P1P3PP/8 w - - 0 1",
}
CLICKS_SHARE: Final = 0.3


@dataclass(frozen=True, slots=True)
class Act:
    """Something that can be done now; its way, a held `press`, an `answer` or `clicks`, says how long it takes."""

    deed: Deed
    way: str
    do: Callable[[], None]


class LegendPlayer:
    """Plays toward what is to be struck, and remembers what was done in this turn."""

    def __init__(self, person: HttpPerson, rng: random.Random) -> None:
        self._person = person
        self._rng = rng
        self._moved = ""
        self._took_king = False
        self._turns_without_a_step = 0

    def way_to(self, kind: str, page: Page) -> Act | None:
        """Return what is wanted if it can be done now; else take a step toward it."""
        wanted = self._wanted(kind, page)
        if wanted is None:
            self._step(kind, page)
        return wanted

    def _wanted(self, kind: str, page: Page) -> Act | None:  # noqa: PLR0911 - one table, one line each
        steps = [id_ for id_ in page.offers if id_ in STEPS]
        if page.wrong:
            return None
        match kind:
            case "throw" if page.throwable:
                return Act(_keep_deed(page), "answer", partial(self._keep, page))
            case "throw" if "roll" in page.offers:
                return Act(("pick", "roll"), "press", partial(self._hold_roll, self._rng.uniform(0, 0.03)))
            case "throw" if "throw-again" in page.offers and self._rng.random() < CLICKS_SHARE:
                return self._answer(page, "throw-again")
            case "move" if steps:
                id_ = self._rng.choice(steps)
                if self._rng.random() < CLICKS_SHARE:
                    return Act(("pick", id_), "clicks", partial(self._click, id_[:2], id_[2:], ("pick", id_)))
                return self._answer(page, id_)
            case "take-back" if self._moved and not steps:
                back = partial(self._click, self._moved[2:], self._moved[:2], ("taken-back",))
                return Act(("taken-back",), "clicks", back)
            case "settlement" if self._took_king and "done" in page.offers:
                return self._answer(page, "done")
        return None

    def _answer(self, page: Page, id_: str) -> Act:
        return Act(("pick", id_), "answer", partial(self._person.pick, page, id_))

    def play_on(self) -> None:
        """Do whatever comes next: throw, move, and end the turn."""
        page = self._person.look()
        steps = [id_ for id_ in page.offers if id_ in STEPS]
        if steps and not page.wrong:
            self._person.pick(page, self._rng.choice(steps))
        else:
            self._step("", page)

    def _step(self, kind: str, page: Page) -> None:
        kings = [id_ for id_ in page.offers if id_ in KINGS and page.round == 1]
        steps = [id_ for id_ in page.offers if id_ in STEPS]
        if self._is_hopeless(kind, page):
            self._turns_without_a_step = 0
            self._person.new_match(FIELDS | {"rounds": self._rng.choice("12")})
        elif page.wrong:  # a round is over: the next one begins with the pieces set up
            self._person.touch("/board/set-up")
        elif page.throwable:
            self._keep(page)
        elif "roll" in page.offers:
            self._moved, self._took_king = "", False
            self._hold_roll(0.01)
        elif kind == "settlement" and kings and not self._took_king:
            self._took_king = True
            self._person.pick(page, kings[0])
        elif steps and kind == "take-back":
            self._turns_without_a_step = 0
            self._moved = self._rng.choice(steps)
            self._person.pick(page, self._moved)
        elif "done" in page.offers:
            self._turns_without_a_step += 1
            self._person.pick(page, "done")
        elif steps:
            self._person.pick(page, self._rng.choice(steps))
        else:
            raise Found(Fault.WRONG, f"nothing can be done: {page}")

    def _is_hopeless(self, kind: str, page: Page) -> bool:
        """Return whether another match is needed: this one is over, too far on, or has run out of pawns to move."""
        if "rematch" in page.offers or not (page.offers or page.throwable):
            return True
        return self._turns_without_a_step >= TURNS_OF_PATIENCE or (kind == "settlement" and page.round > 1)

    def _hold_roll(self, held_s: float) -> None:
        self._person.touch("/button/roll/press")
        time.sleep(held_s)
        self._person.touch("/button/roll/release")
        self._person.memory.done.append(("pick", "roll"))

    def _keep(self, page: Page) -> None:
        """Keep all dice but one, which falls again."""
        action: dict[str, object] = {"type": "keep", "dice": list(page.throwable[1:])}
        self._person.answer(page, action, _keep_deed(page))

    def _click(self, start: str, end: str, deed: Deed) -> None:
        """Lift a piece and put it down, and look until the table has understood."""
        before = self._person.look()
        for square in (start, end):
            self._person.touch("/board/click", {"square": square})
        deadline = time.monotonic() + PATIENCE_S
        while self._person.look().revision == before.revision:
            if time.monotonic() > deadline:
                raise Found(Fault.HANG, f"{deed} was never understood")
            time.sleep(0.02)
        self._person.memory.done.append(deed)


def _keep_deed(page: Page) -> Deed:
    return ("keep", *map(str, page.throwable[1:]))
