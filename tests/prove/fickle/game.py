"""A match at random played by hands that change their mind."""

import random
from functools import lru_cache
from typing import Any, NamedTuple

from captains_table.games.contract import (
    DONE,
    PRESS_CLOCK,
    ROLL,
    Decide,
    IllegalAction,
    Over,
    Pick,
    PickAsk,
    Roll,
    Rolled,
)
from captains_table.games.registry import game_by_key
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from tests.prove.fickle.deed import Deed
from tests.prove.fickle.kinds import KINDS
from tests.prove.fickle.person import FicklePerson
from tests.prove.fickle.scene import Scene
from tests.prove.figures import Figures
from tests.prove.offers import board_ids
from tests.prove.person import Stuck
from tests.support.random_play import random_action

NAMES = ("Anne", "Bart")
MOST_MOVES = 25
PLIES = (2, 50)
ONE_BUTTON_SHARE = 0.2
CLOCK_SHARE = 0.4
MIRROR_SHARE = 0.5
MASKED_SHARE = 0.03
TOP_DIE_SHARE = 0.7
TOP_THROW = (1, 1, 1, 1, 1, 6)
EARLY_SHARE = 0.05
PAGE_SHARE = 0.02
MOST_STEPS = 400
FICKLE_GAMES = ("legend", "captains-chess")


class FickleGame:
    """One match, its moves made by one kind of hands or by any.

    Args:
        key: the game.
        seed: says everything else about it.
        kind: the one kind of hands; None for all.
        stuck: `open` or `closed` for one switch that sticks at some move; None for no such switch.
        most_moves: how many moves are played.
    """

    def __init__(
        self,
        key: str,
        seed: int,
        kind: str | None = None,
        stuck: str | None = None,
        most_moves: int = MOST_MOVES,
    ) -> None:
        begun = beginning(key, seed)
        self._rng = random.Random()
        self._rng.setstate(begun.chance)
        self.person = FicklePerson(begun.match, f"hands {seed}", Settings(buttons=begun.buttons))
        kinds = list(KINDS.values()) if kind is None else [KINDS[kind]]
        self._kinds = [kind for kind in kinds if not kind.is_early]
        self._early = [kind for kind in kinds if kind.is_early]
        self._early_share = EARLY_SHARE if self._kinds else 1.0
        self._stuck = stuck
        self._breaks_after = self._rng.randrange(12)
        self._moves = 0
        self._most_moves = most_moves

    def play(self) -> Figures:
        """Play some moves, or until the match is over or nobody can make the table agree, and return the figures."""
        try:
            for _ in range(MOST_STEPS):
                if self._moves >= self._most_moves or isinstance(self.person.match.turn, Over):
                    break
                self._step()
        except Stuck:
            pass
        return self.person.judge.figures

    def _step(self) -> None:
        person = self.person
        if not person.asked() and person.judge.believed() == person.judge.true_path():
            person.put_right()
            person.state = person.match.state
        turn = person.match.game.turn(person.state)
        if board_ids(person.match.game, person.state):
            self._move()
        elif isinstance(turn, Roll):
            person.throw()
        elif isinstance(turn, Decide) and isinstance(turn.ask, PickAsk):
            self._answer(turn.ask)
        elif isinstance(turn, Decide):
            person.answer(random_action(turn, self._rng))
        if not board_ids(person.match.game, person.state):
            self._go_by_the_table()

    def _go_by_the_table(self) -> None:
        person = self.person
        if person.judge.believed() == person.judge.true_path():
            person.state = person.match.state

    def _answer(self, ask: PickAsk) -> None:
        person, ids = self.person, [option.id for option in ask.options]
        if ROLL.id in ids:
            self._throw()
        elif PRESS_CLOCK.id in ids:
            person.throw()
        else:
            self._pick(DONE.id if DONE.id in ids else ask.default or ids[0])
        self._settle()

    def _pick(self, id_: str) -> None:
        person = self.person
        try:
            person.answer(Pick(id_))
        except IllegalAction:
            person.agree()

    def _throw(self) -> None:
        person = self.person
        person.dice.queue([*(self._rng.randint(1, 6) for _ in range(5)), self._die()])
        early = self._early if self._rng.random() < self._early_share else []
        for kind in early:
            scene = scene_after_throw(person.match, self._rng)
            deed = None if scene is None else kind.make(scene)
            if scene is not None and deed is not None:
                self._moves += 1
                person.act_too_early(kind.name, deed, scene)
                return
        person.throw()

    def _settle(self) -> None:
        """Answer what the table asks before it does what was pressed."""
        person = self.person
        if person.asked():
            person.agree()
        person.state = person.match.state

    def _die(self) -> int:
        return 6 if self._rng.random() < TOP_DIE_SHARE else self._rng.randint(1, 6)

    # --- a move -----------------------------------------------------------------------------------------------------

    def _move(self) -> None:
        person = self.person
        scene = Scene(person.match.game, person.state, self._rng)
        self._moves += 1
        if self._rng.random() < PAGE_SHARE:
            move = self._rng.choice(scene.moves)
            person.play_on_page(move.id, move.after)
            return
        kind, deed = self._draw(scene)
        if deed is None:
            self._play_on(scene)
            return
        self._break_switch()
        self._mask()
        is_natural = self._rng.random() >= MIRROR_SHARE
        truth = deed.truths[0] if is_natural else self._rng.choice(deed.truths)
        person.act_out(kind, deed, truth, scene)
        if not (person.look_away() and self._may_go_on()):
            person.agree()

    def _may_go_on(self) -> bool:
        """Return whether there is something to go on with though a question is open."""
        person = self.person
        if board_ids(person.match.game, person.state):
            return True
        person.seal()
        return False

    def _play_on(self, scene: Scene) -> None:
        """Move in the usual way where no kind of hands applies, so that another position comes up."""
        deed = KINDS["ordinary"].make(scene)
        if deed is not None:
            self.person.act_out("ordinary", deed, deed.truths[0], scene)
            self.person.agree()
            return
        move = self._rng.choice(scene.moves)
        self.person.play_plainly(move.id, move.after)
        self.person.agree()

    def _draw(self, scene: Scene) -> tuple[str, Deed | None]:
        for kind in self._rng.sample(self._kinds, len(self._kinds)):
            deed = kind.make(scene)
            if deed is not None:
                return kind.name, deed
        return "", None

    def _break_switch(self) -> None:
        if self._stuck is None or self._moves < self._breaks_after:
            return
        person = self.person
        square = self._rng.choice(person.shape.squares())
        pulls = person.reeds.break_switch(square, person.now_ms, closed=self._stuck == "closed")
        self._stuck = None
        person.judge.is_blind = True
        person.sense(pulls)

    def _mask(self) -> None:
        if self._moves == 1 and self._rng.random() < MASKED_SHARE:
            self.person.mask(self._rng.choice(self.person.shape.squares()))


def scene_after_throw(match: Match, rng: random.Random) -> Scene | None:
    """Return the scene if the dice showed the highest face; None if the throw would not be for a move."""
    thrown = match.state
    try:
        thrown = match.game.apply(match.game.apply(thrown, Pick(ROLL.id)), Rolled(TOP_THROW))
    except IllegalAction:
        return None
    return Scene(match.game, thrown, rng) if board_ids(match.game, thrown) else None


class Beginning(NamedTuple):
    """Which buttons a table has and how its match begins; and the chance that is left for all that follows."""

    buttons: str
    match: MatchStarted
    chance: tuple[Any, ...]


@lru_cache(maxsize=64)
def beginning(key: str, seed: int) -> Beginning:
    """Return how the match of a seed begins: whoever looks for a deed of some kind tries the same seeds again."""
    rng = random.Random(f"fickle {seed}")
    buttons = "one" if rng.random() < ONE_BUTTON_SHARE else "encoder"
    match = started_at_random(key, rng)
    return Beginning(buttons, match, rng.getstate())


def started_at_random(key: str, rng: random.Random) -> MatchStarted:
    """Return a match of a game that begins somewhere in the middle."""
    game = game_by_key(key)
    options = {"rounds": "1"} if key == "legend" else {}
    state, plies = game.start(NAMES, options), rng.randint(*PLIES)
    position = state
    while plies > 0 and not isinstance(turn := game.turn(state), Over):
        if board_ids(game, state):
            plies -= 1
        state = game.apply(state, random_action(turn, rng))
        if board_ids(game, state):
            position = state
    options["fen"] = str(game.details(position)["fen"])
    if key == "captains-chess" and rng.random() < CLOCK_SHARE:
        options["clock"] = "600+60"
    return MatchStarted(key, NAMES, options)
