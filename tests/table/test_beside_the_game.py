"""Crowns on boards of 8x8 and 9x8 switches: what lies beside its 7x7 squares is never at fault (B1, B3)."""

import io
import random
from collections.abc import Iterable

import pytest

from captains_table.devices.dice_sources import HonestDice, commitment
from captains_table.games.contract import Auction, Bell, Bid, Decide, Pick, Shape, Square, parse_square
from captains_table.games.crowns.board import CROWNS_SHAPE
from captains_table.runtime.hardware_source import HardwareSource
from captains_table.runtime.recorder import Recorder
from captains_table.runtime.session import Session
from captains_table.simulation.noisy_switches import NoisySwitches
from captains_table.simulation.simulated_board import SimulatedBoard, SwitchMove
from captains_table.simulation.simulated_scanner import SimulatedScanner
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.events import BoardRead, SwitchChanged, TimePassed
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Phase, View
from captains_table.table.recognition.switches import CHATTER_CHANGES
from tests.support.effort import effort
from tests.support.played_table import PlayedTable
from tests.support.playing import played

BOARDS = (Shape(8, 8), Shape(9, 8))
SEED = bytes(range(32))
QUIET_MS = 20_000


def beside(board: Shape) -> list[Square]:
    """Return the squares of a board that Crowns is not played on."""
    return [square for square in board.squares() if square not in CROWNS_SHAPE]


class RealBoard(PlayedTable):
    """Crowns at a real board with noisy switches, and tokens that people leave beside the game."""

    def __init__(self, board: Shape, tokens: Iterable[Square], rng: random.Random) -> None:
        self.board, self.tokens = board, SimulatedBoard()
        self._noise = NoisySwitches(rng)
        self.journal = MemoryJournal(MatchStarted("crowns", ("Anne", "Bart"), {"timer": "0"}, commitment(SEED)))
        self.start(resumed=False)
        self.tokens.arrange(dict.fromkeys((*self.match.pieces(), *tokens), "1"))
        self.read()

    def start(self, *, resumed: bool) -> None:
        """Let the table start, with what the journal holds."""
        self.session = Session(Settings())
        self.driver = HardwareSource(self.session, "not read yet")
        dice = HonestDice.resumed(SEED, self.journal.entries())
        self.session.load(self.journal, dice, self.now_ms, resumed=resumed)

    def read(self) -> None:
        self._scanner = SimulatedScanner(closed=self.tokens.occupied)
        self.driver.report(BoardRead(self.tokens.occupied), self.now_ms)
        self.session.handle(TimePassed(), self.now_ms)

    def hand(self, *moves: tuple[bool, Square], quiet_ms: int = QUIET_MS, is_beside: bool = True) -> None:
        """Lift or set tokens down one after the other, as reeds tell of it; beside the game nothing comes of it."""
        before = self.view
        for is_put, square in moves:
            occupied = self.tokens.occupied
            done: list[SwitchMove] = self.tokens.place(square) if is_put else self.tokens.lift(square)
            for change in self._noise.sense(self.board, occupied, done):
                self._scanner.sense([change._replace(at_ms=self.now_ms + change.at_ms)])
            while (due_ms := self._scanner.due_ms()) is not None:
                settled = self._scanner.settled(due_ms)
                self.now_ms = max(self.now_ms, due_ms)
                if settled is not None:
                    said = SwitchChanged(settled.square, settled.closed, settled.flickers)
                    self.driver.report(said, self.now_ms)
                    self.session.handle(TimePassed(), self.now_ms)
            if is_beside:
                self.check(before)
        self.wait(quiet_ms)
        if is_beside:
            self.check(before)

    def check(self, before: View) -> None:
        """See that nothing is asked, wrong, at fault or played, and no switch is doubted."""
        view = self.view
        assert (view.faults, bool(view.wrong), view.asks_about_board) == ((), False, False), view.prompt
        assert (view.ask, view.prompt, view.revision, view.marks) == (
            before.ask,
            before.prompt,
            before.revision,
            before.marks,
        )
        assert view.phase is Phase.PLAYING
        assert {report.condition for report in self.session.referee.switch_reports()} == {"good"}


def moved_about(at: RealBoard, rng: random.Random, times: int) -> None:
    """Put tokens beside the game, take them away and move them among its squares, hastily or not."""
    free = beside(at.board)
    for _ in range(times):
        quiet_ms = rng.choice((50, 900, QUIET_MS))
        standing = [square for square in free if square in at.tokens.occupied]
        empty = [square for square in free if square not in at.tokens.occupied]
        if standing and rng.random() < 0.6:
            lifted = rng.choice(standing)
            put = [(True, rng.choice(empty))] if rng.random() < 0.7 else []
            at.hand((False, lifted), *put, quiet_ms=quiet_ms)
        else:
            at.hand((True, rng.choice(empty)), quiet_ms=quiet_ms)


@pytest.mark.parametrize("board", BOARDS, ids=str)
@pytest.mark.parametrize("number", range(effort(2, 200)))
def test_tokens_beside_the_game_are_put_taken_and_moved_at_any_time_and_never_asked_about(
    board: Shape, number: int
) -> None:
    """At the start, in an auction, in an action, after a move and after a restart; with the noise of real reeds."""
    rng = random.Random(f"{board} {number}")
    at = RealBoard(board, rng.sample(beside(board), 4), rng)
    assert isinstance(at.match.turn, Auction)
    moved_about(at, rng, 4)
    at.answer(Bid(0, 2), Bell())
    assert isinstance(at.match.turn, Decide)
    moved_about(at, rng, 4)
    spare = next(square for square in beside(board) if square in at.tokens.occupied)
    at.hand((False, spare))
    at.hand((True, parse_square("a1")), is_beside=False)
    assert at.match.history[-1].acted.action == Pick("summon-a1")
    moved_about(at, rng, 4)
    at.start(resumed=True)
    at.read()
    assert at.view.phase is Phase.PLAYING
    moved_about(at, rng, 4)


def test_what_is_wrong_in_the_game_is_told_and_what_lies_beside_it_is_not() -> None:
    """A set-up and a recovery name the game's own squares alone."""
    rng = random.Random(1)
    at = RealBoard(BOARDS[0], [], rng)
    h5, e4 = parse_square("h5"), parse_square("e4")
    at.start(resumed=True)
    at.tokens.arrange(dict.fromkeys((*at.match.pieces(), h5, e4), "1"))
    at.read()
    assert (at.view.phase, at.view.wrong.extra) == (Phase.RESTORING, (e4,))
    at.hand((True, parse_square("a8")), (False, h5), is_beside=False)
    assert at.view.wrong.extra == (e4,)
    at.hand((False, e4), is_beside=False)
    assert at.view.phase is Phase.PLAYING


def test_a_loose_contact_beside_the_game_is_no_fault_of_it() -> None:
    at = RealBoard(BOARDS[0], [], random.Random(1))
    before, h3 = at.view, parse_square("h3")
    for number in range(3 * CHATTER_CHANGES):
        at.now_ms += 30
        at.driver.report(SwitchChanged(h3, number % 2 == 0), at.now_ms)
        at.session.handle(TimePassed(), at.now_ms)
        at.check(before)


def test_a_larger_game_that_comes_next_knows_what_lies_there() -> None:
    """The switches were heard all the time: a Legend's h1 counts as soon as it is played."""
    at = RealBoard(BOARDS[0], [parse_square("h1"), parse_square("a8")], random.Random(1))
    at.hand((False, parse_square("a8")))
    legend = MemoryJournal(MatchStarted("legend", ("Anne", "Bart"), {}, commitment(SEED)))
    at.session.load(legend, HonestDice(SEED), at.now_ms, resumed=False)
    at.driver.begun(at.now_ms)
    assert parse_square("h1") not in at.view.wrong.missing
    assert parse_square("a8") in at.view.wrong.missing


def test_a_recorded_tape_holds_the_game_alone_and_replays() -> None:
    """A tape's board has the squares of the game: what was laid beside it is left out, a restart's reading too."""
    tape = io.StringIO()
    at = RealBoard(BOARDS[1], [parse_square("i8")], random.Random(1))
    recorder = Recorder(at.session, tape)
    recorder.start_tape(at.now_ms)
    at.hand((True, parse_square("h3")), (False, parse_square("i8")))
    at.answer(Bid(0, 2), Bell())
    at.read()
    at.hand((False, parse_square("h3")), is_beside=False)
    at.hand((True, parse_square("c1")), is_beside=False)
    assert "h3" not in tape.getvalue()
    assert "i8" not in tape.getvalue()
    replayed = played(tape.getvalue())
    assert (replayed.code, replayed.final["places"]) == (0, {"Anne": "c1", "Bart": "reserve"}), replayed.err
