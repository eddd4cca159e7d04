"""A match at random played by hands that change their mind."""

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple

from captains_table.games import contract
from captains_table.games.registry import game_by_key
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from tests.prove.fickle.kinds import KINDS
from tests.prove.fickle.person import SEALERS, FicklePerson, Interruption
from tests.prove.fickle.scene import Deed, Scene
from tests.prove.figures import Figures
from tests.prove.offers import board_ids
from tests.prove.person import Stuck
from tests.support.random_play import random_action

NAMES = ("Anne", "Bart")
MOST_MOVES = 25
PLIES = (2, 50)
OPTIONS = {"legend": {"rounds": "1"}, "crowns": {"timer": "0"}}
ONE_BUTTON_SHARE = 0.2
CLOCK_SHARE = 0.4
MIRROR_SHARE = 0.5
MASKED_SHARE = 0.03
TOP_DIE_SHARE = 0.7
TOP_THROW = (1, 1, 1, 1, 1, 6)
EARLY_SHARE = 0.05
PAGE_SHARE = 0.02
MOST_STEPS = 400
FICKLE_GAMES = ("legend", "captains-chess", "chess")
GAMES_AT_BOUGHT_BOARDS = ("legend", "chess", "crowns")
OFFSETS_MS = (-5, 0, 5)
MOST_SEEDS = 400


class FickleGame:
    """One match by its seed, its moves made by one kind of hands or by any; one switch may stick `open` or `closed`."""

    def __init__(
        self,
        key: str,
        seed: int,
        kind: str | None = None,
        stuck: str | None = None,
        most_moves: int = MOST_MOVES,
        sit_down: Callable[[MatchStarted, str, Settings], FicklePerson] = FicklePerson,
    ) -> None:
        buttons, match, chance = beginning(key, seed)
        self._rng = random.Random()
        self._rng.setstate(chance)
        self.person = sit_down(match, f"hands {seed}", Settings(buttons=buttons))
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
        with suppress(Stuck):
            for _ in range(MOST_STEPS):
                if self._moves >= self._most_moves or isinstance(self.person.match.turn, contract.Over):
                    break
                self._step()
        return self.person.figures

    def _step(self) -> None:
        person = self.person
        if not person.judge.asked and person.judge.agrees():
            person.put_right()
            person.state = person.match.state
        turn = person.match.game.turn(person.state)
        if board_ids(person.match.game, person.state):
            self._move()
        elif isinstance(turn, contract.Roll):
            person.throw()
        elif isinstance(turn, contract.Auction):
            self._say(random_action(turn, self._rng))
        elif isinstance(turn, contract.Decide) and isinstance(turn.ask, contract.PickAsk):
            self._answer(turn.ask)
        elif isinstance(turn, contract.Decide):
            person.answer(random_action(turn, self._rng))
        if not board_ids(person.match.game, person.state) and person.judge.agrees():
            person.state = person.match.state

    def _answer(self, ask: contract.PickAsk) -> None:
        person, ids = self.person, [option.id for option in ask.options]
        if contract.ROLL.id in ids:
            self._throw()
        elif contract.PRESS_CLOCK.id in ids:
            person.throw()
        else:
            self._say(contract.Pick(contract.DONE.id if contract.DONE.id in ids else ask.default or ids[0]))
        if person.judge.asked:  # before it does what was pressed
            person.agree()
        person.state = person.match.state

    def _say(self, action: contract.Action) -> None:
        try:
            self.person.answer(action)
        except contract.IllegalAction:
            self.person.agree()

    def _throw(self) -> None:
        person = self.person
        faces = [self._rng.randint(1, 6) for _ in range(5)]
        person.dice.queue([*faces, 6 if self._rng.random() < TOP_DIE_SHARE else self._rng.randint(1, 6)])
        early = self._early if self._rng.random() < self._early_share else []
        for kind in early:
            scene = scene_after_throw(person.match, self._rng)
            deed = None if scene is None else kind.make(scene)
            if scene is not None and deed is not None:
                self._moves += 1
                person.act_too_early(kind.name, deed, scene)
                return
        person.throw()

    # --- a move -----------------------------------------------------------------------------------------------------

    def _move(self) -> None:
        person = self.person
        scene = Scene(person.match.game, person.state, self._rng)
        self._moves += 1
        if self._rng.random() < PAGE_SHARE:
            end = self._rng.choice(list(scene.ends.values()))
            person.play_on_page(end.id, end.pieces)
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
        end = self._rng.choice(list(scene.ends.values()))
        self.person.play_plainly(end.id, end.pieces)
        self.person.agree()

    def _draw(self, scene: Scene) -> tuple[str, Deed | None]:
        for kind in self._rng.sample(self._kinds, len(self._kinds)):
            deed = kind.make(scene)
            if deed is not None:
                return kind.name, deed
        return "", None

    def _break_switch(self) -> None:
        if self._stuck is not None and self._moves >= self._breaks_after:
            self.person.judge.is_blind = True
            self.person.break_switch(self._rng, closed=self._stuck == "closed")
            self._stuck = None

    def _mask(self) -> None:
        if self._moves == 1 and self._rng.random() < MASKED_SHARE:
            self.person.mask(self._rng.choice(self.person.shape.squares()))


@lru_cache(maxsize=64)
def first_scene(key: str, seed: int) -> Scene | None:
    """Return the scene of a game's first move; of Legend if the dice showed the highest face."""
    match, rng = Match(beginning(key, seed)[1]), random.Random(seed)
    if board_ids(match.game, match.state):
        return Scene(match.game, match.state, rng)
    return scene_after_throw(match, rng)


def may_begin_with(key: str, seed: int, kind: str) -> bool:
    """Return whether a kind of hands finds some use in the first scene of a game."""
    scene = first_scene(key, seed)
    return scene is not None and KINDS[kind].make(scene) is not None


def scene_after_throw(match: Match, rng: random.Random) -> Scene | None:
    """Return the scene if the dice showed the highest face; None if the throw would not be for a move."""
    thrown = match.state
    try:
        thrown = match.game.apply(match.game.apply(thrown, contract.Pick(contract.ROLL.id)), contract.Rolled(TOP_THROW))
    except contract.IllegalAction:
        return None
    return Scene(match.game, thrown, rng) if board_ids(match.game, thrown) else None


@lru_cache(maxsize=64)
def beginning(key: str, seed: int) -> tuple[str, MatchStarted, tuple[Any, ...]]:
    """Return a table's buttons, how its match begins, and the chance left for what follows.

    The search for a deed of some kind tries the same seeds again.
    """
    rng = random.Random(f"fickle {seed}")
    buttons = "one" if rng.random() < ONE_BUTTON_SHARE else "encoder"
    match = started_at_random(key, rng)
    return buttons, match, rng.getstate()


def started_at_random(key: str, rng: random.Random) -> MatchStarted:
    """Return a match of a game that begins somewhere in the middle."""
    game = game_by_key(key)
    options = OPTIONS.get(key, {}).copy()
    if key == "crowns":  # begins nowhere else
        return MatchStarted(key, NAMES, options)
    state, plies = game.start(NAMES, options), rng.randint(*PLIES)
    position = state
    while plies > 0 and not isinstance(turn := game.turn(state), contract.Over):
        if board_ids(game, state):
            plies -= 1
        state = game.apply(state, random_action(turn, rng))
        if board_ids(game, state):
            position = state
    options["fen"] = str(game.details(position)["fen"])
    if key != "legend" and rng.random() < CLOCK_SHARE:
        options["clock"] = "600+60"
    return MatchStarted(key, NAMES, options)


# --- every sealer at every change of a deed, and 5 ms before and after it ---------------------------------------------


class Swept(NamedTuple):
    """A game whose first deed is of one kind, in which so many switches settle."""

    key: str
    seed: int
    kind: str
    changes: int

    @classmethod
    def find(cls, key: str, seed: int, kind: str, most_seeds: int = MOST_SEEDS) -> "Swept | None":
        """Return the first game by its seed that begins with a deed of a kind; None where none of many does."""
        for number in range(seed, seed + most_seeds):
            if not may_begin_with(key, number, kind):
                continue
            game = FickleGame(key, number, kind, most_moves=1)
            game.play()
            if game.person.settled_first and kind in game.person.figures.by_kind:
                return cls(key, number, kind, game.person.settled_first)
        return None

    def interruptions(self) -> Iterator[Interruption]:
        for number in range(self.changes):
            for offset_ms in OFFSETS_MS:
                yield from (Interruption(number, offset_ms, sealer) for sealer in SEALERS)

    def play_all(self) -> tuple[Figures, list[str]]:
        """Play the deed with each interruption; return the figures and what went wrong."""
        figures, findings = Figures(), list[str]()
        for interruption in self.interruptions():
            found = self.play(interruption)
            figures.add(found[0])
            findings += found[1]
        return figures, findings

    def play(self, interruption: Interruption) -> tuple[Figures, list[str]]:
        """Play the deed with that interruption, and a move after it; return the figures and what went wrong."""
        game = FickleGame(self.key, self.seed, self.kind, most_moves=2)
        game.person.plan = interruption
        figures = game.play()
        words = f"# {self.key} seed {self.seed}, {self.kind}, {interruption.sealer} at {interruption.number}"
        return figures, [f"{words} {interruption.offset_ms:+}\n{tape}" for tape in game.person.findings]
