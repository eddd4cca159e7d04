"""A person whose hands change their mind, who never lies to the table, and who makes it agree in the end."""

import contextlib
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from captains_table.games import contract
from captains_table.simulation.reeds import Influence, InfluenceKind, ReedChange
from captains_table.table.model import events
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.settings import Settings
from captains_table.table.prompts.asks import STILL_MOVING
from captains_table.table.recognition.board_monitor import MonitorState
from tests.prove.fickle.judging import Judging
from tests.prove.fickle.ledger import Ledger
from tests.prove.fickle.scene import Deed, Handling, Pieces, Scene, Truth
from tests.prove.offers import board_ids
from tests.prove.person import MOST_TRIES, RESEATS, Person, Stuck
from tests.prove.stories.judge import NOTHING
from tests.prove.stories.roles import changed_between
from tests.support.faulty_reeds import settle_all
from tests.support.noise_mix import QUIET
from tests.support.random_play import random_action

QUIETS_MS = (0, 0, 400, 1500, 4000, 8000, 8000, 8000)
LONG_QUIET_MS = 7500
LOOKS_AWAY = 0.5
MOST_REDONE = 6
SAYS_AFTER = 2  # after so many moves made with care that came to nothing, the player says first what they play
SHORT_MS = 100
MOST_ASKED = 2  # moves in a row that a question is about: an answer means the first ones, even after further moves
SEALERS_SHARE = 0.35
UNPLUGGED_SHARE = 0.02
GRAVE = (contract.RESIGN.id, contract.ABANDON.id, contract.OFFER_DRAW.id, contract.CLAIM_DRAW.id)
GRAVE_SHARE = 0.05
ROLL_BUTTON = "the roll button"
SEALERS = (ROLL_BUTTON, contract.DONE.id, contract.THROW_AGAIN.id, contract.PRESS_CLOCK.id, *GRAVE)


class Interruption(NamedTuple):
    """Something that would seal a move, before or after a change of a deed."""

    number: int
    offset_ms: int
    sealer: str


class FicklePerson(Person):
    """Both players of a match, whose hands do what the kinds have them do.

    Attributes:
        state: where the game truly stands.
        plan: what is to interrupt the first deed, and nothing else does; None: chance decides.
        settled_first: how many switches settled in the first deed.
        slowness: how many times slower than our own board the board is that tells the table what hands do.
    """

    slowness = 1

    def __init__(self, started: MatchStarted, seed: str, settings: Settings | None = None) -> None:
        self.judging: Judging | None = None
        self.plan: Interruption | None = None
        self.settled_first = 0
        self._says_by_button = False
        super().__init__(started, QUIET, seed, random.Random(f"dice {seed}"), settings)
        self.begin_judging({})

    def begin_judging(self, readings: Mapping[contract.Square, str]) -> None:
        """Watch the table from now on, and know what the board reads on its squares."""
        self.ledger = Ledger(self.reeds.closed, self.match.started.seats, readings)
        self.judging = Judging(self.session, self.ledger)
        self.figures = self.judging.figures
        self.findings = self.judging.findings
        self.state = self.match.state

    @property
    def judge(self) -> Judging:
        assert self.judging is not None
        return self.judging

    def handle(self, event: events.Event) -> None:
        """Let the table take in what happens, and look what it makes of that."""
        if self.judging is None:
            super().handle(event)
            return
        self.ledger.note(event, self.now_ms)
        if isinstance(event, events.SwitchChanged) and not self.ledger.is_linked:
            return  # the table cannot know of it before it reads the board again
        said, asked = self._says(event), self.board.asked
        try:
            self.session.handle(event, self.now_ms)
        finally:
            still_asked = self.board.asked
            self.judging.look(said=said and (not still_asked or (bool(asked) and still_asked != asked)))

    def _says(self, event: events.Event) -> bool:
        """Return whether the player says in words which move they made."""
        if self._says_by_button and isinstance(event, events.ButtonReleased):
            return True
        if not isinstance(event, events.Answered) or not isinstance(event.action, contract.Pick):
            return False
        id_ = event.action.id
        rivals = [rival.id for rival in self.board.rivals]
        return id_ in (*self.judge.asked, *rivals, NOTHING) or any(o.id == id_ and o.on_board for o in self.options())

    def is_closed(self) -> bool:
        """Return whether the match is over for good, so that no move counts any more."""
        return isinstance(self.match.turn, contract.Over) and self.match.provisional is None

    # --- a deed -----------------------------------------------------------------------------------------------------

    def act_out(self, kind: str, deed: Deed, truth: Truth, scene: Scene) -> None:
        """Do what the deed says, and mean this by it, until the table agrees; raises Stuck."""
        judge = self.judge
        judge.begin_deed(kind, [*judge.true_moves, *([] if truth.id is None else [truth.id])])
        self.take_in_hand(deed, truth, scene)
        self.do(deed.handlings, self._interruptions())
        judge.is_deed_done = not truth.then
        self.pieces = dict(scene.before if truth.id is None else scene.ends[truth.id].pieces)
        self.wait_quietly()
        if truth.then:
            self.do(truth.then, {})
            judge.is_deed_done = True
            self.wait_quietly()
        self._go_on(truth.id)
        judge.is_deed_done = True

    def take_in_hand(self, deed: Deed, truth: Truth, scene: Scene) -> None:
        """Know which piece each handling of a deed brings, where the board can tell."""

    def _go_on(self, id_: str | None) -> None:
        if id_ is not None:
            self.state = self.match.game.apply(self.state, contract.Pick(id_))

    def do(self, handlings: Iterable[Handling], interruptions: dict[int, str]) -> None:
        """Let magnets come and go, and something else happen before or after some of them."""
        at_ms, pulls = self.now_ms + self.rng.randint(50, 800), []
        for handling in handlings:
            at_ms += handling.after_ms
            pulls.append(Influence(at_ms, handling.square, InfluenceKind.MAGNET, 1 if handling.comes else -1))
        changes = settle_all(self.scanner, self.reeds.sense(pulls))
        self.settled_first = self.settled_first or len(changes)
        for number, change in enumerate(changes):
            self._feed_with(change, interruptions.get(number, ""))
        if interruptions.get(-1) == "unplug":
            self.plug()

    def _feed_with(self, change: ReedChange, interruption: str) -> None:
        word, offset, sealer = (*interruption.split(" ", 2), "", "")[:3]
        offset_ms = int(offset or 0) * self.slowness
        if word == "seal" and offset_ms < 0:
            self.wait_until(change.at_ms + offset_ms)
            self.seal(sealer)
        self.feed([change])
        if word == "seal" and offset_ms >= 0:
            self.wait_until(change.at_ms + offset_ms)
            self.seal(sealer)
        elif word == "unplug":
            self.judge.count("unplugged")
            self.unplug()
        elif word == "plug":
            self.plug()

    def unplug(self) -> None:
        self.handle(events.BoardLost())

    def plug(self) -> None:
        if self.judge.board.trouble:
            self.handle(events.BoardRead(self.reeds.closed))

    def _interruptions(self) -> dict[int, str]:
        if self.plan is not None:
            number, offset_ms, sealer = self.plan
            return {} if self.settled_first else {number: f"seal {offset_ms} {sealer}"}
        if self.rng.random() < SEALERS_SHARE:
            return {self.rng.randrange(12): f"seal {self.rng.choice((-5, 0, 5))}"}
        if self.rng.random() < UNPLUGGED_SHARE:
            since = self.rng.randrange(4)
            return {since: "unplug", since + self.rng.randint(1, 3): "plug", -1: "unplug"}
        return {}

    def play_plainly(self, id_: str, after: Pieces) -> None:
        self.judge.begin_deed("ordinary", [*self.judge.true_moves, id_])
        self.bring(dict(after), QUIET)
        self.judge.is_deed_done = True
        self.wait_quietly()
        self._go_on(id_)

    def act_too_early(self, kind: str, deed: Deed, scene: Scene) -> None:
        """Make a move before the dice are thrown: it counts if the dice then allow it, else it is put back."""
        judge, id_ = self.judge, str(deed.truths[0].id)
        judge.begin_deed(kind, judge.true_moves)
        self.take_in_hand(deed, deed.truths[0], scene)
        is_hasty = self.rng.random() < LOOKS_AWAY
        self.do(deed.handlings, {self.rng.randrange(len(deed.handlings)): "seal 5"} if is_hasty else {})
        self.wait_until(self.now_ms + self.rng.choice(QUIETS_MS))
        if contract.ROLL.id in self.option_ids():
            self.throw()
        self.state = self.match.state
        self.pieces = dict(scene.ends[id_].pieces)
        if id_ in board_ids(self.match.game, self.state):
            judge.begin_deed(kind, [*judge.true_moves, id_], moves=0)
            self._go_on(id_)
        judge.is_deed_done = True
        self.wait_quietly()
        self.agree()

    def play_on_page(self, id_: str, after: Pieces) -> None:
        """Pick a move on the page, then make the board look like that."""
        judge, before = self.judge, list(self.judge.true_moves)
        judge.begin_deed("page", [*before, id_])
        judge.count("sealers")
        judge.count("double", judge.fits_double())
        try:
            self.handle(events.Answered(contract.Pick(id_)))
        except contract.IllegalAction:
            judge.true_moves = before
        else:
            self.bring(dict(after), QUIET)
            self._go_on(id_)
        judge.is_deed_done = True
        self.wait_quietly()
        self.agree()

    # --- sealers ----------------------------------------------------------------------------------------------------

    def seal(self, sealer: str = "") -> None:
        """Try what would seal the move: this, or one by chance of all that are on offer."""
        self.judge.count("sealers")
        self.judge.count("double", self.judge.fits_double())
        ids = self.option_ids()
        sealer = sealer or self._drawn_sealer(ids)
        with contextlib.suppress(contract.IllegalAction):
            if sealer in GRAVE and sealer in ids:
                self._say_gravely(sealer)
            elif sealer in ids:
                self.handle(events.Answered(contract.Pick(sealer)))
            elif sealer == ROLL_BUTTON:
                self.handle(events.ButtonPressed(events.Button.ROLL))
                self.handle(events.ButtonReleased(events.Button.ROLL))

    def _drawn_sealer(self, ids: Sequence[str]) -> str:
        grave = [id_ for id_ in GRAVE if id_ in ids]
        if grave and self.rng.random() < GRAVE_SHARE:
            return self.rng.choice(grave)
        if contract.PRESS_CLOCK.id in ids and self.rng.random() < LOOKS_AWAY:
            return contract.PRESS_CLOCK.id
        if contract.DONE.id in ids and self.rng.random() < 0.8:
            return contract.DONE.id
        return contract.THROW_AGAIN.id if contract.THROW_AGAIN.id in ids and self.judge.believed() else ROLL_BUTTON

    def _say_gravely(self, id_: str) -> None:
        """Resign, claim a draw, or offer what the opponent agrees to or refuses."""
        self.judge.count("grave")
        self.handle(events.Answered(contract.Pick(id_)))
        if contract.AGREE.id in self.option_ids():
            self.handle(events.Answered(contract.Pick(self.rng.choice((contract.AGREE.id, contract.REFUSE.id)))))

    # --- the time after ---------------------------------------------------------------------------------------------

    def wait_quietly(self) -> None:
        """Let some time pass, sometimes none; judge the table where that was long enough."""
        quiet_ms = self.rng.choice(QUIETS_MS)
        self.wait_until(self.now_ms + quiet_ms)
        if quiet_ms >= LONG_QUIET_MS and not self.is_closed():
            self.judge.judge_rest()

    def look_away(self) -> bool:
        """Sometimes go on without an answer, and return whether that is so."""
        looks_away = bool(self.judge.asked) and self.rng.random() < LOOKS_AWAY
        self.judge.count("ignored", looks_away)
        return looks_away

    def agree(self) -> None:
        """Put right what the table got wrong, by truthful answers or by moving pieces; raises Stuck."""
        for tries in range(MOST_TRIES):
            if self._agrees() or (self.is_closed() and not self.judge.asked):
                return
            if self._is_lost():
                self._accept_loss()
            elif self.judge.asked:
                self._answer_truthfully()
            else:
                self.judge.count("helped", tries == 0)
                self._help(tries)
            self.rest()
        if not self._agrees():
            self._give_up()

    def _give_up(self) -> None:
        self.judge.count("stuck")
        words = f"believed {self.judge.believed()}, meant {self.judge.true_path()}, asked {list(self.judge.asked)}"
        self.findings.append(
            self.judge.tape([f"STUCK ({self.judge.kind})", words, f"{self.view.prompt} {self.view.wrong}"])
        )
        raise Stuck(words)

    def _agrees(self) -> bool:
        is_clear = not self.judge.asked and not self.view.wrong and not self.judge.board.trouble
        return is_clear and self.judge.agrees() and self.pieces == dict(self.match.pieces())

    def _is_lost(self) -> bool:
        """Return whether something else was sealed than what was meant."""
        sealed = self.judge.stands()
        count = len(sealed) - len(self.judge.believed())
        return sealed[:count] != self.judge.true_moves[:count]

    def _accept_loss(self) -> None:
        """Go by what the table has, because it cannot be changed any more."""
        self.judge.count("lost")
        if self.judge.asked:
            self.answer(contract.Pick(self.judge.asked[0]))
        self.bring(dict(self.match.pieces()), QUIET)
        self.rest()
        self.judge.true_moves = self.judge.stands()
        self.state = self.match.state

    def _answer_truthfully(self) -> None:
        asked, true, believed = self.judge.asked, self.judge.true_path(), self.judge.believed()
        meant = next((id_ for id_ in reversed(true[:MOST_ASKED]) if id_ in asked), None)
        if meant is not None:
            self._pick(meant)
        elif NOTHING in asked and true == believed[:-1]:
            self._pick(NOTHING)
        elif STILL_MOVING.id in self.option_ids():
            self._pick(STILL_MOVING.id)
        else:
            self._go_back()

    def _help(self, tries: int) -> None:
        true, believed, options = self.judge.true_path(), self.judge.believed(), self.option_ids()
        if isinstance(self.match.turn, contract.Auction) and true != believed and tries < MOST_REDONE:
            with contextlib.suppress(contract.IllegalAction):
                self.answer(random_action(self.match.turn, self.rng))  # asks first what would be sealed
        elif (
            not isinstance(self.session.referee.ask(), contract.PickAsk | contract.Auction | None) and true != believed
        ):
            self._go_back()
        elif self.disagreeing():
            self.reseat(self.disagreeing()[0])
        elif true == believed or self._is_shown_what_to_do():
            self._tidy()
        elif true and true[-1] in options and true[:-1] == believed[: len(true) - 1] and tries < MOST_REDONE:
            self._pick(true[-1])
        elif NOTHING in options and true == believed[:-1] and tries < MOST_REDONE:
            self._pick(NOTHING)
        else:
            self._redo_from_base(says=tries >= SAYS_AFTER)

    def _is_shown_what_to_do(self) -> bool:
        """Return whether the table only waits until the board is made like the match, which may be changed then."""
        return self.judge.board.state is MonitorState.ALIGNING and self.pieces != dict(self.match.pieces())

    def _pick(self, id_: str) -> None:
        if self._choose_by_button(id_):
            return
        with contextlib.suppress(contract.IllegalAction):
            self.answer(contract.Pick(id_))

    def _choose_by_button(self, id_: str) -> bool:
        """Walk to a line of the menu with the only button and choose it; return whether there was such a line."""
        settings, menu = self.session.settings, self.view.menu
        if settings.buttons != "one" or menu.cursor is None or id_ not in [entry.id for entry in menu.entries]:
            return False
        for _ in menu.entries:
            cursor = self.view.menu.cursor
            if cursor is not None and self.view.menu.entries[cursor].id == id_:
                self._says_by_button = True
                self._hold(settings.choose_ms)
                self._says_by_button = False
                return True
            self._hold(SHORT_MS)
        return False

    def _hold(self, held_ms: int) -> None:
        self.wait_until(self.now_ms + SHORT_MS)
        self.handle(events.ButtonPressed(events.Button.ROLL))
        self.wait_until(self.now_ms + held_ms)
        self.handle(events.ButtonReleased(events.Button.ROLL))

    def mask(self, square: contract.Square) -> None:
        self.judge.count("masked")
        self.handle(events.SwitchMasked(square))

    def _go_back(self) -> None:
        self.handle(events.ButtonPressed(events.Button.BACK))
        self.handle(events.ButtonReleased(events.Button.BACK))

    def _redo_from_base(self, *, says: bool) -> None:
        """Put everything back as it was before what is not sealed, then make it again with care.

        Each move may be said first, as the page lets everybody do.
        """
        judge = self.judge
        true, positions = list(judge.true_moves), judge.true_positions()
        sealed = len(true) - len(judge.true_path())
        for made, pieces in enumerate(positions):
            judge.true_moves = true[: sealed + made]
            judge.is_deed_done = False
            if made and (says or self.masked & changed_between(positions[made - 1], pieces)):
                self._pick(judge.true_moves[-1])  # no switch tells of it, or one that sticks
            self.bring(dict(pieces), QUIET)
            judge.is_deed_done = True
            self.rest()
            self._clear_up()
        judge.true_moves = true

    def _clear_up(self) -> None:
        """Put right the switches that say something false, and answer what is asked."""
        for _ in range(RESEATS):
            if self.disagreeing():
                self.reseat(self.disagreeing()[0])
        if self.judge.asked:
            self._answer_truthfully()
            self.rest()
