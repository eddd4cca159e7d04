"""The clock of a DGT board: what it shows, and a match that is played with board and clock alone."""

import asyncio
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import chess
import pytest

from captains_table.devices.bought.bought_board import face_of_clock, pages_of
from captains_table.devices.bought.dgt import DgtProtocol
from captains_table.devices.bought.protocol import BoardFacts, ButtonUsed, ClockFace, SeatTimes, WholeBoard
from captains_table.games.contract import Shape, Square
from captains_table.runtime.hardware_source import HardwareSource
from captains_table.simulation.virtual_boards.line import VirtualLine
from captains_table.table.model.events import Button
from captains_table.table.model.view import BoardDifference, Mark, Menu, MenuEntry, Phase, SeatView, View
from tests.devices.test_bought_board import AtBoard, driver, now_ms
from tests.support.quick_computers import quick_computers
from tests.support.quirky_boards import START, ClockButton, ClockKind, VirtualDgt
from tests.support.service_at_work import table_at

STEP_MS: Final = 20
E7, E5 = Square(4, 6), Square(4, 4)
RESIGN: Final = Menu((MenuEntry("resign", "Resign"),), 0)


def view(*prompt: str, **more: Any) -> View:  # noqa: ANN401 - any field of a view
    seats = (SeatView("Anne", {}, on_turn=True), SeatView("Boreas", {}, on_turn=False, computer="Boreas"))
    return replace(View(phase=Phase.PLAYING, prompt=prompt, seats=seats, has_dice=False), **more)


def timed(first_s: int, second_s: int, *, first_runs: bool = True) -> tuple[SeatView, ...]:
    return (
        SeatView("Anne", {}, on_turn=first_runs, seconds_left=first_s),
        SeatView("Bart", {}, on_turn=not first_runs, seconds_left=second_s),
    )


# --- what it shows --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "pages"),
    [
        ("Resign", ["Resign"]),
        ("move a pawn or knight", ["move a", "pawn or", "knight"]),
        ("Swashbuckler", ["Swashbuc", "kler"]),
        ("Zoë \N{EN DASH} 3…", ["Zoe -", "3.."]),
        ("日本", ["??"]),
        ("", []),
    ],
)
def test_text_is_shown_in_pages_of_eight_plain_letters(words: str, pages: list[str]) -> None:
    assert list(pages_of(words)) == pages


def test_a_match_without_clocks_shows_what_is_to_be_done_and_the_answer_under_the_cursor() -> None:
    assert face_of_clock(view("Anne: your move")).pages == ("your", "move")
    assert face_of_clock(view("Anne: throw", menu=RESIGN)).pages == ("throw", "Resign?")
    assert face_of_clock(view("Anne: throw", menu=RESIGN), browsed=True).pages == ("Resign?",)


def test_the_only_piece_to_carry_is_told_by_its_squares() -> None:
    wrong = BoardDifference((E5,), (E7,))
    assert face_of_clock(view("Boreas plays e5", wrong=wrong)).pages[0] == "e7-e5"
    capture = BoardDifference((), (E7,))
    assert face_of_clock(view("Boreas plays exd6", wrong=capture, marks={E5: Mark.TARGET})).pages[0] == "e7-e5"


def test_a_match_with_clocks_shows_times_unless_something_must_be_read() -> None:
    times = SeatTimes(61, 60, 0)
    assert face_of_clock(view("Anne: your move", seats=timed(61, 60))) == ClockFace((), times)
    assert face_of_clock(view("Put it back on e7", seats=timed(61, 60), marks={E7: Mark.PUT_HERE})).pages
    assert face_of_clock(view("A draw?", seats=timed(61, 60), menu=RESIGN)).pages == ("A draw?", "Resign?")
    over = face_of_clock(view("Bart wins", seats=timed(61, 0), phase=Phase.OVER))
    assert over == ClockFace(("Bart", "wins"), SeatTimes(61, 0, None))


# --- the conversation -----------------------------------------------------------------------------------------------


class Conversation:
    """The client and a virtual board with its clock, in a time of their own."""

    def __init__(self, kind: ClockKind = "3000") -> None:
        self.board = VirtualDgt(random.Random(1), START, clock=kind)
        self.client = DgtProtocol()
        self.now_ms = 0
        self.buttons: list[Button] = []
        self.facts = BoardFacts()
        self.texts: list[str] = []
        self.lost = -1  # the first byte of messages that are lost
        self.boards = 0

    def go_on(self, ms: int) -> None:
        for _ in range(0, ms, STEP_MS):
            self.now_ms += STEP_MS
            sent = self.client.tick(self.now_ms)
            if sent:
                self.board.receive(sent, self.now_ms)
            for chunk in self.board.send(self.now_ms):
                for message in self.client.receive(chunk, self.now_ms) if chunk[0] != self.lost else ():
                    self.boards += isinstance(message, WholeBoard)
                    self.buttons += [message.button] if isinstance(message, ButtonUsed) else []
                    self.facts = message if isinstance(message, BoardFacts) else self.facts
            if self.board.clock.text not in self.texts[-1:]:
                self.texts.append(self.board.clock.text)


def test_pages_are_turned_and_times_are_shown_again() -> None:
    talk = Conversation()
    talk.go_on(2000)
    talk.client.show(ClockFace(("one", "two")))
    talk.go_on(5000)
    shown = [text.strip() for text in talk.texts if text]
    assert shown[:4] == ["one", "two", "one", "two"]
    talk.client.show(ClockFace())
    talk.go_on(1500)
    assert talk.board.clock.text == ""


def test_the_squares_are_asked_for_while_pages_are_turned() -> None:
    """The clock's acknowledgements do not count as the board's answers: a report of a square may have been lost."""
    talk = Conversation()
    talk.go_on(3000)
    talk.client.show(ClockFace(("one", "two")))
    talk.go_on(3000)
    talk.lost, talk.boards = 0x8E, 0
    talk.board.change(E7, "", talk.now_ms)
    talk.go_on(4000)
    assert talk.boards, "the pawn's absence was found, though its report was lost"


@pytest.mark.parametrize("first_runs", [True, False])
def test_the_clock_is_set_when_it_differs_and_runs_by_itself_between(*, first_runs: bool) -> None:
    talk = Conversation()
    talk.go_on(2000)
    left_s = [300, 200]
    sent = 0
    for second in range(20):
        talk.client.show(ClockFace((), SeatTimes(left_s[0], left_s[1], 0 if first_runs else 1)))
        before = talk.board.clock.times_s(talk.now_ms)
        talk.go_on(1000)
        sent += talk.board.clock.times_s(talk.now_ms)[not first_runs] > before[not first_runs]
        left_s[not first_runs] -= 1
        assert (
            second < 2
            or max(abs(a - b) for a, b in zip(talk.board.clock.times_s(talk.now_ms), left_s, strict=True)) <= 1
        )
    assert sent == 1, "it was set once, to more than it had"
    talk.client.show(ClockFace((), SeatTimes(left_s[0] + 30, left_s[1] + 30, None)))
    talk.go_on(3000)
    assert talk.board.clock.times_s(talk.now_ms) == (left_s[0] + 30, left_s[1] + 30)
    assert talk.board.clock.running is None


def test_a_press_of_the_lever_shows_at_which_side_the_first_seat_sits() -> None:
    talk = Conversation()
    talk.go_on(2000)
    talk.board.toggle_lever(talk.now_ms)  # the right side is high: the player there is to move
    talk.go_on(500)
    talk.client.show(ClockFace((), SeatTimes(100, 50, 0)))
    talk.go_on(2000)
    talk.board.toggle_lever(talk.now_ms)  # the first seat, at the right, has moved and presses
    talk.go_on(200)
    talk.client.show(ClockFace((), SeatTimes(98, 50, 1)))
    talk.go_on(400)
    talk.client.show(ClockFace((), SeatTimes(120, 50, 1)))
    talk.go_on(3000)
    assert talk.buttons == [Button.ROLL, Button.ROLL]
    assert talk.board.clock.running == "left"
    assert talk.board.clock.times_s(talk.now_ms)[1] == 120


def test_a_clock_that_shows_no_text_shows_times() -> None:
    talk = Conversation("XL")
    talk.go_on(2000)
    talk.client.show(ClockFace(("hello",), SeatTimes(90, 80, None)))
    talk.go_on(4000)
    assert talk.board.clock.times_s(talk.now_ms) == (90, 80)


def test_a_clock_in_another_mode_is_told_of_and_asked_again() -> None:
    talk = Conversation()
    talk.board.clock.in_mode_23 = False
    talk.client.show(ClockFace((), SeatTimes(90, 80, None)))
    talk.go_on(4000)
    assert talk.facts.refuses_times
    talk.board.clock.in_mode_23 = True
    talk.go_on(20_000)
    assert talk.board.clock.times_s(talk.now_ms) == (90, 80)
    assert not talk.facts.refuses_times


def test_nothing_is_sent_to_a_clock_that_is_not_there() -> None:
    talk = Conversation()
    talk.board.clock.present = False
    talk.client.show(ClockFace(("hello",)))
    talk.go_on(6000)
    assert talk.board.clock.text == ""
    talk.board.clock.present = True
    talk.go_on(6000)
    assert talk.board.clock.text.strip() == "hello"


# --- board and clock alone ------------------------------------------------------------------------------------------


class Alone:
    """Somebody with a DGT board and its clock, who sees nothing else of the table."""

    def __init__(self, at: AtBoard, board: VirtualDgt) -> None:
        self.at, self.board = at, board
        self.position = chess.Board()

    @property
    def text(self) -> str:
        return self.board.clock.text.strip()

    async def reads(self, *words: str) -> str:
        """Return which of these texts the clock shows first."""
        await self.at.until(lambda: self.text in words, f"{words} on the clock, which shows {self.text}")
        return self.text

    async def press(self, button: ClockButton) -> None:
        self.board.press(button, now_ms())
        self.at.line.poke()
        await asyncio.sleep(0.3)

    async def chooses(self, label: str) -> None:
        """Turn the menu on until the clock shows the first page of an answer, and choose it."""
        first = next(pages_of(f"{label}?"))
        for _ in range(60):
            await asyncio.sleep(0.4)
            if self.text == first:
                await self.press("ok")
                return
            await self.press("plus")
        raise AssertionError(f"{label} was never shown: {self.text}")

    async def moves_in_legend(self) -> None:
        """Throw again until the Legend die lets a pawn or a knight move, and make that move."""
        while not (squares := {str(square) for square in self.at.table.view().marks} & {"b1", "e2"}):
            if self.at.table.view().menu.entries[0].label != "Throw again":
                return  # three throws in vain
            await self.chooses("Throw again")
            await asyncio.sleep(1)
        await self.move("e2e4" if "e2" in squares else "b1c3")

    async def makes_the_computers_move(self) -> None:
        await self.at.until(lambda: "-" in self.text, "a computer's move by its squares")
        await self.move(self.text.replace("-", ""))
        await self.at.until(lambda: "-" not in self.text, "seen")

    async def move(self, uci: str) -> None:
        move = chess.Move.from_uci(uci)
        await self.at.move(self.position, move)
        self.position.push(move)


@contextmanager
def alone(state: Path) -> Iterator[Alone]:
    state.mkdir()
    board = VirtualDgt(random.Random(3), START)
    line = VirtualLine(board, now_ms)
    bought = driver("dgt", line)
    try:
        with table_at(state, Shape(8, 8), is_simulated=False, displays=[bought]) as table:
            bought.open(table.listen_to(HardwareSource(table.session, bought.missing)))
            yield Alone(AtBoard(table, board, line), board)
            bought.close()
    finally:
        line.close()


@pytest.mark.slow
@pytest.mark.waits
async def test_board_and_clock_alone_are_enough_to_play_a_computer(tmp_path: Path) -> None:
    with quick_computers():
        await asyncio.gather(*(play_alone(game, tmp_path / game) for game in ("chess", "legend")))


async def play_alone(game: str, state: Path) -> None:
    with alone(state) as person:
        await person.at.until(person.at.is_linked, "found")
        person.at.table.matches.new_match(game, ("Anne", "boreas:0" if game == "chess" else "aether:0"), {})
        if game == "legend":
            await person.reads("Throw")
            await person.press("run")
            await person.reads("Legend")
            await person.moves_in_legend()
            await person.chooses("End the turn")
        else:
            await person.reads("your")
            await person.move("e2e4")
        await person.makes_the_computers_move()
        await person.chooses("Resign" if game == "chess" else "Abandon the round")
        await person.press("ok")
        await person.at.until(lambda: person.at.table.view().phase is not Phase.PLAYING, "ended")
