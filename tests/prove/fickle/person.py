"""A person whose hands change their mind, and who does beside what would seal a move."""

import contextlib
from collections.abc import Iterable, Sequence
from typing import Protocol

from captains_table.games.contract import (
    ABANDON,
    AGREE,
    CLAIM_DRAW,
    DONE,
    OFFER_DRAW,
    PRESS_CLOCK,
    REFUSE,
    RESIGN,
    ROLL,
    THROW_AGAIN,
    IllegalAction,
    Pick,
    Square,
)
from captains_table.simulation.reeds import Influence, InfluenceKind, ReedChange
from captains_table.table.model.events import (
    Answered,
    BoardLost,
    BoardRead,
    Button,
    ButtonPressed,
    ButtonReleased,
)
from tests.prove.fickle.deed import Deed, Handling, Truth
from tests.prove.fickle.honest_person import LOOKS_AWAY, QUIETS_MS, HonestPerson
from tests.prove.fickle.scene import Pieces, Scene
from tests.prove.offers import board_ids
from tests.support.noise_mix import QUIET

SEALERS_SHARE = 0.35
UNPLUGGED_SHARE = 0.02
GRAVE = (RESIGN.id, ABANDON.id, OFFER_DRAW.id, CLAIM_DRAW.id)
GRAVE_SHARE = 0.05
ROLL_BUTTON = "the roll button"
SEALERS = (ROLL_BUTTON, DONE.id, THROW_AGAIN.id, PRESS_CLOCK.id, *GRAVE)


class Plan(Protocol):
    """When what is done that would seal the first move."""

    @property
    def number(self) -> int:
        """At which change."""

    @property
    def offset_ms(self) -> int:
        """How long after it."""

    @property
    def sealer(self) -> str:
        """What is done."""


class FicklePerson(HonestPerson):
    """Both players of a match at one table, whose hands do what the kinds have them do.

    Attributes:
        plan: what would seal the first move is done then, and at no other time; None where chance decides.
        settled_first: how many switches settled in the first deed.
    """

    plan: Plan | None = None
    settled_first: int = 0

    # --- a deed -----------------------------------------------------------------------------------------------------

    def act_out(self, kind: str, deed: Deed, truth: Truth, scene: Scene) -> None:
        """Do what the deed says, and mean this by it, until the table agrees; raises Stuck."""
        judge = self.judge
        judge.begin_deed(kind, [*judge.true_moves, *([] if truth.id is None else [truth.id])])
        judge.count("moves")
        self.do(deed.handlings, self._interruptions())
        judge.is_deed_done = not truth.then
        self.pieces = dict(scene.before if truth.id is None else self._after(scene, truth.id))
        self.wait_quietly()
        if truth.then:
            self.do(truth.then, {})
            judge.is_deed_done = True
            self.wait_quietly()
        self.state = self._true_state(truth)
        judge.is_deed_done = True

    def _after(self, scene: Scene, id_: str) -> dict[Square, str]:
        return dict(next(move.after for move in scene.moves if move.id == id_))

    def _true_state(self, truth: Truth) -> object:
        return self.state if truth.id is None else self.match.game.apply(self.state, Pick(truth.id))

    def do(self, handlings: Iterable[Handling], interruptions: "dict[int, str]") -> None:
        """Let magnets come and go, and something else happen before or after some of them."""
        at_ms, pulls = self.now_ms + self.rng.randint(50, 800), []
        for handling in handlings:
            at_ms += handling.after_ms
            pulls.append(Influence(at_ms, handling.square, InfluenceKind.MAGNET, 1 if handling.comes else -1))
        changes = self.scanner.settle_all(self.reeds.sense(pulls))
        self.settled_first = self.settled_first or len(changes)
        for number, change in enumerate(changes):
            self._feed_with(change, interruptions.get(number, ""))
        if interruptions.get(-1) == "unplug":
            self._plug()

    def _feed_with(self, change: ReedChange, interruption: str) -> None:
        word, offset, sealer = (*interruption.split(" ", 2), "", "")[:3]
        if word == "seal" and int(offset) < 0:
            self.wait_until(change.at_ms + int(offset))
            self.seal(sealer)
        self.feed([change])
        if word == "seal" and int(offset) >= 0:
            self.wait_until(change.at_ms + int(offset))
            self.seal(sealer)
        elif word == "unplug":
            self.judge.count("unplugged")
            self.handle(BoardLost())
        elif word == "plug":
            self._plug()

    def _plug(self) -> None:
        if self.judge.board.trouble:
            self.handle(BoardRead(self.reeds.closed))

    def _interruptions(self) -> dict[int, str]:
        if self.plan is not None:
            number, words = self.plan.number, f"seal {self.plan.offset_ms} {self.plan.sealer}"
            return {} if self.settled_first else {number: words}
        if self.rng.random() < SEALERS_SHARE:
            return {self.rng.randrange(12): f"seal {self.rng.choice((-5, 0, 5))}"}
        if self.rng.random() < UNPLUGGED_SHARE:
            since = self.rng.randrange(4)
            return {since: "unplug", since + self.rng.randint(1, 3): "plug", -1: "unplug"}
        return {}

    # --- sealers ----------------------------------------------------------------------------------------------------

    def seal(self, sealer: str = "") -> None:
        """Try what would seal the move; which of all that is on offer is left to chance if nothing is named."""
        self.judge.count("sealers")
        self.judge.count("double", self.judge.fits_double())
        ids = [option.id for option in self.options()]
        sealer = sealer or self._drawn(ids)
        with contextlib.suppress(IllegalAction):
            if sealer in GRAVE and sealer in ids:
                self._say_gravely(sealer)
            elif sealer in ids:
                self.handle(Answered(Pick(sealer)))
            elif sealer == ROLL_BUTTON:
                self.handle(ButtonPressed(Button.ROLL))
                self.handle(ButtonReleased(Button.ROLL))

    def _drawn(self, ids: Sequence[str]) -> str:
        grave = [id_ for id_ in GRAVE if id_ in ids]
        if grave and self.rng.random() < GRAVE_SHARE:
            return self.rng.choice(grave)
        if PRESS_CLOCK.id in ids and self.rng.random() < LOOKS_AWAY:
            return PRESS_CLOCK.id
        if DONE.id in ids and self.rng.random() < 0.8:
            return DONE.id
        return THROW_AGAIN.id if THROW_AGAIN.id in ids and self.judge.believed() else ROLL_BUTTON

    def _say_gravely(self, id_: str) -> None:
        """Resign, claim a draw, or offer what the opponent agrees to or refuses."""
        self.judge.count("grave")
        self.handle(Answered(Pick(id_)))
        if AGREE.id in [option.id for option in self.options()]:
            self.handle(Answered(Pick(self.rng.choice((AGREE.id, REFUSE.id)))))

    def play_plainly(self, id_: str, after: Pieces) -> None:
        """Make a move of any kind with nothing beside it."""
        judge = self.judge
        judge.begin_deed("ordinary", [*judge.true_moves, id_])
        judge.count("moves")
        self.bring(dict(after), QUIET)
        judge.is_deed_done = True
        self.wait_quietly()
        self.state = self.match.game.apply(self.state, Pick(id_))

    def act_too_early(self, kind: str, deed: Deed, scene: Scene) -> None:
        """Make a move before the dice are thrown: it counts if the dice then allow it, else it is put back."""
        judge, (truth, *_) = self.judge, deed.truths
        judge.begin_deed(kind, judge.true_moves)
        judge.count("moves")
        is_hasty = self.rng.random() < LOOKS_AWAY
        self.do(deed.handlings, {self.rng.randrange(len(deed.handlings)): "seal 5"} if is_hasty else {})
        self.wait_until(self.now_ms + self.rng.choice(QUIETS_MS))
        if ROLL.id in [option.id for option in self.options()]:
            self.throw()
        self.state = self.match.state
        if truth.id in board_ids(self.match.game, self.state):
            judge.begin_deed(kind, [*judge.true_moves, truth.id])
            self.pieces = self._after(scene, truth.id)
            self.state = self._true_state(truth)
        else:
            self.pieces = self._after(scene, str(truth.id))
        judge.is_deed_done = True
        self.wait_quietly()
        self.agree()

    def play_on_page(self, id_: str, after: Pieces) -> None:
        """Pick a move on the page, then make the board look like that."""
        judge = self.judge
        before = list(judge.true_moves)
        judge.begin_deed("page", [*before, id_])
        judge.count("moves")
        judge.count("sealers")
        judge.count("double", judge.fits_double())
        try:
            self.handle(Answered(Pick(id_)))
        except IllegalAction:
            judge.true_moves = before
        else:
            self.bring(dict(after), QUIET)
            self.state = self.match.game.apply(self.state, Pick(id_))
        judge.is_deed_done = True
        self.wait_quietly()
        self.agree()
