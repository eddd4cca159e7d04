"""A table to try the page on: Legend's real rules, dice that always fall alike, and pieces that are moved by clicks."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from captains_table.games.contract import (
    Action,
    BadOption,
    Decide,
    IllegalAction,
    Pick,
    Roll,
    Rolled,
    Shape,
    Square,
)
from captains_table.games.legend import Legend
from captains_table.games.registry import game_by_key
from captains_table.runtime.displays import RecentSounds, Subscribers
from captains_table.runtime.match_archive import MatchSummary
from captains_table.runtime.match_control import NoSuchPairing
from captains_table.runtime.reviews import CannotAnalyse, Review
from captains_table.runtime.table import StaleAnswer, Table
from captains_table.simulation.page_hand import Handled, HandRefusal
from captains_table.storage.design_file import DESIGNS, DesignFile
from captains_table.storage.match_index import Standings
from captains_table.table.history.review import JudgedDecision
from captains_table.table.lobby.match_setup import ClubPairing, Start, UnfinishedMatch
from captains_table.table.model.entries import NoSuchMatch
from captains_table.table.model.events import (
    AdviceAsked,
    Answered,
    Button,
    ButtonPressed,
    ButtonReleased,
    Event,
    PlayerSeated,
    SwitchMasked,
)
from captains_table.table.model.view import BoardDifference, Hint, LogLine, Phase, SeatView, View
from captains_table.table.prompts.menu import menu_of
from captains_table.table.recognition.switches import Condition, SwitchReport
from captains_table.web.scene import PhysicalBoard

if TYPE_CHECKING:
    from captains_table.games.legend.state import State


DICE = (6, 5, 4, 3, 2, 1)  # how they always fall


class FakeTable(Table):
    """A table, and all its parts, over Legend's rules, or showing any view one hands it with `show`."""

    def __init__(self, *, real_board: bool = False, board_shape: Shape | None = None) -> None:
        self.board_shape = board_shape
        self.calls: list[tuple[object, ...]] = []
        self._rules = Legend()
        self._state: State | None = None
        self._shown: View | None = None
        self._log: list[LogLine] = []
        self._revision = 0
        self._tumbling = False
        self.hint: Hint | None = None
        self.condition = Condition.GOOD
        self.pieces: dict[Square, str] = {}
        self.hand: list[str] = []
        self.beside: list[str] = []
        self.noisy = False
        self.refuses: dict[str, str] = {}
        self.was_dropped = False
        self.undoes: int | None = None
        self.known: list[str] = []
        self.left: Sequence[UnfinishedMatch] = ()
        self.again: Start | None = None
        self.against: dict[str, str] = {}
        self.paces: list[str] = []
        self.current: int | None = None
        self.looked_back: dict[int, Review] = {}
        self.analysed: dict[int, Sequence[JudgedDecision]] = {}
        self.analysing = 0
        self.wanted: Sequence[ClubPairing] = ()
        self.calls_arbiter: bool | None = None
        self.designs = DesignFile(Path("/nowhere") / DESIGNS)
        self.seats = None
        me: Any = self
        self.archive = self.matches = self.club = self.reviews = me
        self.subscribers = Subscribers()
        self.time_s = math.inf  # as nobody comes too late for what is heard
        self.sounds = RecentSounds(lambda: self.time_s)
        self.hands = None if real_board else me
        settings, match = (
            SimpleNamespace(leave_ms=300, language="en"),
            SimpleNamespace(game=self._rules, state=SimpleNamespace(white_seat=0)),
        )
        self.session: Any = SimpleNamespace(referee=self, settings=settings, match=match, board_words=str)

    # --- what is seen ---

    def view(self) -> View:
        return self._shown if self._shown is not None else self._assemble()

    def paired(self) -> Sequence[ClubPairing]:
        return self.wanted

    def begin_paired(self, pairing: str) -> None:
        if all(each.start.pairing != pairing for each in self.wanted):
            raise NoSuchPairing("The club wants no such match.")
        self.calls.append(("begin_paired", pairing))

    def set_pace(self, pace: str) -> None:
        self.paces.append(pace)

    def call_arbiter(self, *, wanted: bool) -> None:
        self.calls_arbiter = wanted

    def physical(self) -> PhysicalBoard:
        hand, beside = tuple(self.hand), tuple(self.beside)
        return PhysicalBoard(dict(self.pieces), hand, beside, noisy=self.noisy, undoes=self.undoes)

    def switch_reports(self) -> Sequence[SwitchReport]:
        e4 = Square(4, 3)
        return [SwitchReport(e4, closed=True, changes=7, flickers=2, changed_ms=900, condition=self.condition)]

    def display_png(self) -> bytes:
        return b"a picture"

    def show(self, view: View) -> None:
        self._shown = view
        self.subscribers.notify()

    def speak(self, words: str = "", *, sound: str = "") -> None:
        self.sounds.add(sound=sound, words=words)
        self.subscribers.notify()

    # --- what is done ---

    def handle(self, event: Event, revision: int | None = None) -> None:
        match event:
            case ButtonPressed(button):
                self._tumbling = button is Button.ROLL and self._state is not None
                self._note("press", button)
            case ButtonReleased(button):
                if self._tumbling and button is Button.ROLL and self._state is not None:
                    self._tumbling = False
                    turn = self._rules.turn(self._state)
                    self._act(Rolled(DICE[-len(turn.dice) :]) if isinstance(turn, Roll) else Pick("roll"))
                self._note("release", button)
            case Answered(action):
                self.answer(action, revision)
            case SwitchMasked(square):
                self._note("mask", square)
            case PlayerSeated(seat, player):
                self._note("seat", seat, player)
                if seat not in range(len(self.view().seats)):
                    raise IllegalAction(f"there is no seat {seat}")
            case AdviceAsked():
                self.hint = Hint("Keep 6 5 4", "7.10 cargo expected", "roll")
                self.subscribers.notify()

    def _note(self, *call: object) -> None:
        self.calls.append(call)
        self.subscribers.notify()

    def click(self, square: Square, *, dropped: bool = False) -> Handled | None:
        self.was_dropped = dropped
        if str(square) in self.refuses:
            return Handled([], HandRefusal(self.refuses[str(square)], square))
        if self.hand:
            if square in self.pieces:
                self.beside.append(self.pieces.pop(square))
            self.pieces[square] = self.hand.pop()
        elif square in self.pieces:
            self.hand.append(self.pieces.pop(square))
        self._note("click", str(square))
        return None

    def take(self, piece: str) -> None:
        self.beside.remove(piece)
        self.hand.append(piece)
        self.subscribers.notify()

    def put_beside(self) -> None:
        self.beside.append(self.hand.pop())
        self.subscribers.notify()

    def put_back(self) -> None:
        self._note("put back", self.hand.pop())

    def take_back(self) -> None:
        self._note("take back")

    def make_noisy(self, *, noisy: bool) -> None:
        self.noisy = noisy
        self._note("noise", noisy)

    def set_up(self) -> None:
        self.pieces, self.hand = dict(self.view().pieces), []
        self._note("set up")

    def answer(self, action: Action, revision: int | None) -> None:
        if revision not in (None, self.view().revision):
            raise StaleAnswer(str(revision))
        self._act(action)
        if isinstance(action, Pick) and self._state is not None:
            self.pieces = dict(self._rules.pieces(self._state))
        self.subscribers.notify()

    def new_match(self, game: str, names: Sequence[str], options: Mapping[str, str]) -> None:
        game_by_key(game)
        self.calls.append(("new", game, tuple(names), dict(options)))
        if "boom" in options:
            raise BadOption("boom: expected anything else")
        self._state = self._rules.start(names, options)
        self._shown, self._log, self._revision = None, [], 1
        self.pieces, self.hand, self.beside = dict(self._rules.pieces(self._state)), [], []
        self.subscribers.notify()

    def begin_legend(self, first: str = "Anne") -> None:
        """Begin a match of Legend, and forget the calls and the advice before it."""
        self.new_match("legend", [first, "Bart"], {})
        self.calls, self.hint = [], None

    def listed(self) -> Sequence[MatchSummary]:
        seats, former = ("Anne", "Bart"), ("Grace", "<b>Jack</b>")
        return (
            MatchSummary(2, "legend", seats, "2026-11-20T19:30:00", 41, None, is_current=True),
            MatchSummary(1, "legend", former, "2026-11-19T20:15:00", 312, "Grace won", is_current=False),
        )

    def progress(self, number: int) -> tuple[int, int] | None:
        return (4, 9) if number == self.analysing else None

    async def analyse(self, number: int) -> Sequence[JudgedDecision]:
        if number not in self.analysed:
            raise CannotAnalyse(f"Match {number} is not over.")
        return self.analysed[number]

    async def review(self, number: int) -> Review:
        if number not in self.looked_back:
            raise NoSuchMatch(str(number))
        self.current = number if self.looked_back[number].is_current else None
        return self.looked_back[number]

    def known_names(self) -> Sequence[str]:
        return self.known

    def unfinished(self) -> Sequence[UnfinishedMatch]:
        return self.left

    def last_computers(self) -> Sequence[tuple[str, str]]:
        return list(self.against.items())

    def last_start(self) -> Start | None:
        return self.again

    def resume(self, number: int) -> None:
        self._check(number)
        self.calls.append(("resume", number))

    def standings(self) -> Standings:
        return Standings()

    def export(self, number: int, form: str) -> str:
        self._check(number)
        return '{"match": 1}' if form == "json" else '[Event "Legend"]'

    def _check(self, number: int) -> None:
        if number not in {1, 2}:
            raise NoSuchMatch(str(number))

    # --- how ---

    def _act(self, action: Action) -> None:
        if self._state is None:
            raise IllegalAction("no match is on the table")
        before = self._state
        after = self._rules.apply(before, action)
        while isinstance(turn := self._rules.turn(after), Roll) and turn.at_once:
            after = self._rules.apply(after, Rolled(DICE[-len(turn.dice) :]))
        self._state = after
        self._revision += 1
        words = action.id if isinstance(action, Pick) else type(action).__name__.lower()
        self._log.append(LogLine(before.seat, f"{before.seats[before.seat]}: {words}"))

    def _assemble(self) -> View:
        state = self._state
        if state is None:
            return View(prompt=("No match is on the table",))
        turn = self._rules.turn(state)
        assert isinstance(turn, Decide | Roll)
        wanted = self._rules.pieces(state)
        wrong = BoardDifference(
            tuple(square for square in wanted if square not in self.pieces),
            tuple(square for square in self.pieces if square not in wanted),
        )
        tallies = self._rules.tallies(state)
        view = View(
            phase=Phase.PLAYING,
            game="legend",
            title=self._rules.title,
            heading=self._rules.heading(state),
            seat=turn.seat,
            seats=tuple(SeatView(n, tallies[i], i == state.seat) for i, n in enumerate(state.seats)),
            dice=tuple(self._rules.dice(state)),
            tumbling=tuple(range(6)) if self._tumbling else (),
            pieces=wanted,
            shape=self._rules.shape,
            wrong=wrong if not self.hand else BoardDifference(),
            log=tuple(self._log[-8:]),
            commitment="5d41402abc4b2a76b9719d911017c59228b4637452f80776313460c451152033",
            revision=self._revision,
            hint=self.hint,
        )
        if isinstance(turn, Roll):
            return replace(view, prompt=(turn.prompt,))
        menu = menu_of(turn.ask, [str(die.face) for die in view.dice]).shown()
        return replace(view, ask=turn.ask, prompt=(turn.ask.prompt,), menu=menu)


def with_legend(first: str = "Anne") -> FakeTable:
    """Return a table with a match of Legend on it, and no call noted yet."""
    table = FakeTable()
    table.begin_legend(first)
    return table
