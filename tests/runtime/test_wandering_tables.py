"""Whatever honest players do, in whatever order, all their matches are proven, and no clock loses or gains time."""

import json
import random
import re
import shutil
from contextlib import suppress
from pathlib import Path

import pytest
from luma.core.interface.serial import noop

from captains_table.catalog import hint
from captains_table.devices.display.driver.oled import Oled
from captains_table.games.contract import Decide, IllegalAction, Over, Pick, PickAsk, Roll, parse_square
from captains_table.runtime.match_archive import CannotResume
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.runtime.table import StaleAnswer, Table
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.storage.journal_file import JournalFile
from captains_table.table.history.verify import verify_export
from captains_table.table.model.events import AdviceAsked, Answered, Button, ButtonPressed, ButtonReleased, WordsGiven
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from tests.runtime.leaping_loop import leap
from tests.support.effort import effort
from tests.support.random_play import random_action
from tests.support.service_at_work import answer

STEPS = effort(50, 120)
FORGOTTEN_MS = 500  # real time that goes by while a busy machine starts a table
MATCHES: tuple[tuple[str, tuple[str, ...], dict[str, str]], ...] = (
    ("legend", ("Anne", "Bart"), {"rounds": "1", "turn_limit": "30"}),
    ("captains-chess", ("Anne", "Bart"), {"clock": "5+3"}),
    ("captains-chess", ("Anne", "Bart"), {"clock": "1"}),
    ("ship-captain-crew", ("Anne", "Bart", "Cleo"), {"mode": "single"}),
    ("swashbuckle", ("Anne",), {}),
)


class Evening:
    """A table, switched off and on again, at which everything is done that may be done."""

    def __init__(self, state: Path, luck: int) -> None:
        self.state = state
        self.rng = random.Random(luck)
        self.board = SimulatedBoard()
        self._power()

    def _power(self) -> None:
        self.journal = JournalFile(self.state / "journal.sqlite3")
        self.driver = SimulatedSource(Session(Settings(), adviser=hint), self.board)
        self.table = Table(self.driver.session, self.journal, Oled(noop()))
        with suppress(CannotResume):
            self.table.matches.begin("", (), {})

    def _off(self) -> None:
        self.table.stop()
        self.journal.close()

    @property
    def match(self) -> Match | None:
        return self.driver.session.match

    def left_ms(self) -> tuple[int, ...] | None:
        match, view = self.match, self.driver.session.referee.view()
        if match is None or match.clock is None or isinstance(match.turn, Over):
            return None
        return tuple(1000 * (seat.seconds_left or 0) for seat in view.seats)

    async def step(self) -> None:
        ways = [self.answer] * 8 + [self.move] * 6 + [self.press, self.words, self.meddle, self.change, self.leave]
        with suppress(IllegalAction, StaleAnswer, CannotResume):
            await self.rng.choice([*ways, self.start_again, self.cut])()
        await leap(self.rng.choice([0, 0.1, 0.5, 3]))

    async def answer(self) -> None:
        turn = None if self.match is None else self.match.turn
        if isinstance(turn, Roll):
            await self._hold(Button.ROLL, self.rng.choice([0.1, 0.8]))
        elif isinstance(turn, Decide) and (action := random_action(turn, self.rng)) != Pick("resign"):
            self.table.handle(Answered(action), self.table.view().revision)

    async def move(self) -> None:
        """Move by hand, or put the last piece back where it stood."""
        match, hands = self.match, self.table.hands
        if match is None or hands is None or not isinstance(match.turn, Decide):
            return
        last = match.provisional
        if last is not None and last.option is not None:
            squares = re.findall(r"[a-i][1-8]", last.option.id)[::-1]
        elif isinstance(match.turn.ask, PickAsk):
            squares = re.findall(r"[a-i][1-8]", self.rng.choice(match.turn.ask.options).id)
        else:
            return
        for square in squares:
            hands.click(parse_square(square))
            await leap(self.rng.choice([0.1, 0.5]))
        await leap(self.rng.choice([0, 4]))

    async def _hold(self, button: Button, seconds: float) -> None:
        self.table.handle(ButtonPressed(button))
        await leap(seconds)
        self.table.handle(ButtonReleased(button))

    async def press(self) -> None:
        await self._hold(self.rng.choice(list(Button)), self.rng.choice([0.1, 0.7]))

    async def words(self) -> None:
        self.table.handle(WordsGiven(self.rng.randrange(2), self.rng.choice(["luck", "to\u0301c", "\U0001d11e"])))

    async def meddle(self) -> None:
        hands, match = self.table.hands, self.match
        self.table.handle(AdviceAsked())
        if hands is not None and match is not None and match.game.shape is not None:
            hands.click(self.rng.choice(list(match.game.shape.squares())))
            if self.rng.random() < 0.5:
                hands.set_up()

    async def change(self) -> None:
        numbers = [summary.number for summary in self.table.matches.listed()]
        if len(numbers) < 4 and self.rng.random() < 0.4:
            self.table.matches.new_match(*self.rng.choice(MATCHES))
        else:
            self.table.matches.resume(self.rng.choice(numbers))

    async def leave(self) -> None:
        await self._hold(Button.BACK, 3.5)

    async def start_again(self) -> None:
        """Stop the table in good order and start it again: nobody's time has changed."""
        before = self.left_ms()
        self._off()
        self._power()
        after = self.left_ms()
        if before is not None and after is not None:
            assert all(abs(had - has) <= FORGOTTEN_MS + 1000 for had, has in zip(before, after, strict=True))

    async def cut(self) -> None:
        """Cut the power: what stood in the journal's files then is all there is."""
        before, match = self.left_ms(), self.match
        thinking = None if match is None else match.seat
        cut_off = self.state.with_name(f"{self.state.name}-")
        shutil.copytree(self.state, cut_off)
        self._off()
        self.state = cut_off
        self._power()
        after = self.left_ms()
        for seat, (had, has) in enumerate(zip(before or (), after or (), strict=False)):
            assert has >= had - FORGOTTEN_MS - 1000
            assert seat == thinking or has <= had + FORGOTTEN_MS + 1000

    async def play_out(self) -> None:
        for summary in self.table.matches.listed():
            if summary.outcome is None:
                self.table.matches.resume(summary.number)
            while (match := self.match) is not None and not isinstance(match.turn, Over):
                if (hands := self.table.hands) is not None:
                    hands.set_up()
                with suppress(IllegalAction, StaleAnswer):
                    if match.game.key == "captains-chess" and isinstance(match.turn, Decide):
                        answer(self.table, "resign")
                    else:
                        await self.answer()
                await leap(0.25)
                if "Whose own words?" in self.table.view().prompt:
                    await self._hold(Button.BACK, 0.1)
            await leap(5)

    def verdicts(self) -> list[str]:
        found = []
        for summary in self.table.matches.listed():
            verdict = verify_export(json.loads(self.table.archive.export(summary.number, "json")))
            found.append("" if verdict.proven else f"{summary.game}: {verdict.words}")
        self._off()
        return found


@pytest.mark.long
@pytest.mark.parametrize("luck", range(effort(3, 200)))
@pytest.mark.usefixtures("runner")
async def test_whatever_honest_players_do_is_proven(luck: int, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    evening = Evening(tmp_path / "state", luck)
    evening.table.matches.new_match(*MATCHES[luck % len(MATCHES)])
    for _ in range(STEPS):
        await evening.step()
    await evening.play_out()
    verdicts = evening.verdicts()
    assert verdicts
    assert not any(verdicts), verdicts
