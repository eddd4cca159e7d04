"""Thinking beside the table: one process that answers, is ended when its thought is moot, and is started again."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path

import pytest

from captains_table import catalog
from captains_table.games.common.computer_seat import NoSuchOpponent
from captains_table.games.contract import Action, IllegalAction, Pick, Rolled
from captains_table.process.worker import WorkerLimits
from captains_table.process.worker_side import encode_line
from captains_table.runtime.table import Table
from captains_table.runtime.thinking import client as desk_module
from captains_table.runtime.thinking.client import COMMAND, ThinkingAnswer, ThinkingClient, ThinkingRequest
from captains_table.runtime.thinking.thinker import ComputerThinker, NothingToDecide
from captains_table.table.model.entries import Entry, MatchStarted
from captains_table.table.model.events import AdviceAsked, Answered
from captains_table.table.model.match import Match
from captains_table.table.model.view import THINKING
from captains_table.table.playing.computer_turn import ThinkRequest
from tests.support.patience import PATIENCE_S
from tests.support.quick_computers import quick_computers
from tests.support.service_at_work import at_a_table

MOST_KILLS = 3
STARTED = MatchStarted("ship-captain-crew", ("zephyr:1", "Anne"), {"order": "seated"}, kinds=("computer", "human"))


def match_to_decide() -> Match:
    """Return a match in which Zephyr has a crew and may stand or throw again."""
    match = Match(STARTED)
    match.act(Rolled((6, 5, 4, 1, 2)), 100)
    return match


def worker(code: str) -> tuple[str, ...]:
    """Return the command of a thinking process that does this with every line it is sent."""
    return (sys.executable, "-u", "-c", f"import sys, os, json, time\nfor line in sys.stdin:\n    {code}")


class Asked:
    """A desk with a process of a test's own, and what it delivered."""

    def __init__(self, *command: str) -> None:
        self.delivered: list[Action] = []
        self.troubles: list[str] = []
        self.reports: list[str] = []
        self.desk = ThinkingClient(self._deliver, self._trouble, command or worker(STANDS), self.reports.append)
        self.refuses = False

    def _deliver(self, _: ThinkRequest, thought: ThinkingAnswer) -> None:
        if self.refuses:
            raise IllegalAction("no")
        assert thought.action is not None
        self.delivered.append(thought.action)

    def _trouble(self) -> None:
        self.troubles.append(self.desk.trouble)

    def ask(self, match: Match) -> ThinkRequest:
        question = ThinkRequest("zephyr:1", 0, match.revision)
        self.desk.follow(question, match)
        return question

    @property
    def pid(self) -> int | None:
        return self.desk._worker.pid


async def eventually(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():  # noqa: ASYNC110 - nobody tells when a process is gone
            await asyncio.sleep(0.02)


STANDS = """print(json.dumps({"action": {"type": "pick", "id": "stand"}}), flush=True)"""


def on_a_loop(do: Callable[[], Coroutine[None, None, None]]) -> None:
    asyncio.run(do())


# --- the process ----------------------------------------------------------------------------------------------------


def test_a_question_is_answered_by_the_process() -> None:
    async def do() -> None:
        asked = Asked()
        asked.ask(match_to_decide())
        await eventually(lambda: asked.delivered == [Pick("stand")])
        asked.desk.close()

    on_a_loop(do)


def test_a_thought_that_is_moot_ends_at_once() -> None:
    async def do() -> None:
        asked = Asked(*worker("time.sleep(1000)"))
        asked.ask(match_to_decide())
        await eventually(lambda: asked.pid is not None)
        pid = asked.pid
        assert pid is not None
        asked.desk.follow(None, match_to_decide())
        await eventually(lambda: not is_alive(pid))
        assert asked.delivered == []
        asked.desk.close()

    on_a_loop(do)


def test_a_process_that_crashes_is_started_again_and_asked_again(tmp_path: Path) -> None:
    first = tmp_path / "crashed"
    code = f"""(open({str(first)!r}, "x"), os._exit(3)) if not os.path.exists({str(first)!r}) else {STANDS}"""

    async def do() -> None:
        asked = Asked(*worker(code))
        asked.ask(match_to_decide())
        await eventually(lambda: asked.delivered == [Pick("stand")])
        assert asked.troubles[0] == "Zephyr stopped thinking; asked again"
        assert asked.reports == ["Zephyr stopped thinking: its process ended with status 3"]
        assert asked.desk.trouble == ""
        asked.desk.close()

    on_a_loop(do)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("print('nonsense', flush=True)", "its process said b'nonsense"),
        ("print('x' * 3_000_000, flush=True)", "its process said a line of more than 1,048,576 bytes"),
        ("os.close(1); os.close(0); time.sleep(0.1); os._exit(4)", "its process ended with status 4"),
    ],
)
def test_what_is_no_answer_is_said_and_asked_again(code: str, words: str) -> None:
    async def do() -> None:
        asked = Asked(*worker(code))
        asked.ask(match_to_decide())
        await eventually(lambda: any(words in report for report in asked.reports))
        assert asked.desk.trouble == "Zephyr stopped thinking; asked again"
        asked.desk.close()

    on_a_loop(do)


def test_why_nothing_can_be_decided_is_said_in_its_own_words() -> None:
    async def do() -> None:
        asked = Asked(*worker("print(json.dumps({'error': 'too hard'}), flush=True)"))
        asked.ask(match_to_decide())
        await eventually(lambda: bool(asked.desk.trouble))
        assert asked.desk.trouble == "Zephyr (level 1) does not answer: too hard. It is asked again"
        assert asked.reports == []
        asked.desk.close()

    on_a_loop(do)


def test_a_process_that_is_killed_is_spoken_of_in_plain_words_until_another_one_thinks() -> None:
    code = "print(flush=True); time.sleep(1000)"

    async def do() -> None:
        asked = Asked(*worker(code))
        asked.ask(match_to_decide())
        await eventually(lambda: asked.desk._worker._has_spoken)
        assert asked.pid is not None
        os.kill(asked.pid, signal.SIGKILL)
        await eventually(lambda: asked.desk.trouble == "" and bool(asked.troubles))
        assert asked.troubles == ["Zephyr stopped thinking; asked again", ""]
        assert asked.reports == ["Zephyr stopped thinking: its process ended by signal 9"]
        asked.desk.close()

    on_a_loop(do)


def test_a_process_that_thinks_and_thinks_is_given_up_though_it_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_module, "LIMITS", WorkerLimits(answer_s=0.5))
    once = "beats = [time.sleep(0.05) or print(flush=True) for _ in range(1000)]"

    async def do() -> None:
        asked = Asked(*worker(once))
        asked.ask(match_to_decide())
        await eventually(lambda: any("no answer within 0 seconds" in each for each in asked.reports))
        asked.desk.close()

    on_a_loop(do)


@pytest.mark.slow
def test_a_thinking_process_that_is_stopped_is_ended_and_another_one_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_module, "LIMITS", WorkerLimits(quiet_s=3.0))
    began = MatchStarted("captains-chess", ("boreas:6", "Anne"), {}, kinds=("computer", "human"))

    async def do() -> None:
        asked = Asked(*COMMAND)
        match = Match(began)
        asked.desk.follow(ThinkRequest("boreas:6", 0, match.revision), match)
        await eventually(lambda: asked.desk._worker._has_spoken)
        first = asked.pid
        assert first is not None
        os.kill(first, signal.SIGSTOP)
        await eventually(lambda: bool(asked.delivered))
        assert any("its process gave no sign of life for 3 seconds" in each for each in asked.reports)
        assert asked.desk.trouble == ""
        await eventually(lambda: not is_alive(first))
        asked.desk.close()

    on_a_loop(do)


def test_an_answer_that_the_match_does_not_take_is_said_and_asked_again() -> None:
    async def do() -> None:
        asked = Asked()
        asked.refuses = True
        asked.ask(match_to_decide())
        await eventually(lambda: bool(asked.desk.trouble))
        asked.refuses = False
        await eventually(lambda: asked.delivered == [Pick("stand")])
        asked.desk.close()

    on_a_loop(do)


def test_only_what_is_new_of_a_match_is_sent(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    code = f"""open({str(heard)!r}, "a").write(line); {STANDS}"""

    async def do() -> None:
        asked = Asked(*worker(code))
        match = match_to_decide()
        asked.ask(match)
        await eventually(lambda: len(asked.delivered) == 1)
        match.act(Pick("stand"), 200)
        match.act(Rolled((6, 5, 4, 6, 6)), 300)
        asked.ask(match)
        await eventually(lambda: len(asked.delivered) == 2)
        first, second = (json.loads(line) for line in heard.read_text(encoding="utf-8").splitlines())
        assert (first["kept"], len(first["entries"])) == (0, 2)
        assert (second["kept"], len(second["entries"])) == (2, 2)
        asked.desk.close()

    on_a_loop(do)


def test_what_is_asked_while_an_answer_is_taken_in_is_answered_by_the_same_process(tmp_path: Path) -> None:
    """As when one computer plays after the other on a clock, where nothing rests between the two."""
    pids = tmp_path / "pids"
    code = f"""open({str(pids)!r}, "a").write(f"{{os.getpid()}} "); {STANDS}"""

    async def do() -> None:
        answered: list[ThinkRequest] = []
        match = match_to_decide()

        def deliver(question: ThinkRequest, _: ThinkingAnswer) -> None:
            answered.append(question)
            if len(answered) < 3:
                desk.follow(question, match)

        desk = ThinkingClient(deliver, lambda: None, worker(code))
        desk.follow(ThinkRequest("zephyr:1", 0, match.revision), match)
        await eventually(lambda: len(answered) == 3)
        used = pids.read_text(encoding="ascii").split()
        assert (len(used), len(set(used))) == (3, 1)
        desk.close()

    on_a_loop(do)


def test_a_match_that_takes_no_answer_and_asks_the_same_again_is_answered_once_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk_module, "FIRST_PAUSE_S", 0.01)
    asked = tmp_path / "asked"
    code = f"""open({str(asked)!r}, "a").write("x"); {STANDS}"""

    async def do() -> None:
        refused: list[ThinkRequest] = []
        match = match_to_decide()

        def deliver(question: ThinkRequest, _: ThinkingAnswer) -> None:
            refused.append(question)
            desk.follow(question, match)
            if len(refused) < 3:
                raise IllegalAction("no")
            desk.follow(None, match)

        desk = ThinkingClient(deliver, lambda: None, worker(code))
        desk.follow(ThinkRequest("zephyr:1", 0, match.revision), match)
        await eventually(lambda: len(refused) == 3)
        assert asked.read_text(encoding="ascii") == "xxx"
        assert desk._asking is None
        desk.close()

    on_a_loop(do)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text(encoding="ascii")


# --- the mind -------------------------------------------------------------------------------------------------------


def test_the_same_question_has_the_same_answer() -> None:
    entries: tuple[Entry, ...] = (STARTED, *(step.acted for step in match_to_decide().history))
    answers = {
        str(ComputerThinker(catalog.opponents_of, lambda: 0.0).answer(ThinkingRequest(0, entries, "zephyr:1", 0)))
        for _ in range(3)
    }
    assert len(answers) == 1


def test_a_mind_plays_on_from_what_it_knows() -> None:
    mind = ComputerThinker(catalog.opponents_of, lambda: 0.0)
    match = match_to_decide()
    entries: tuple[Entry, ...] = (STARTED, *(step.acted for step in match.history))
    first = mind.answer(ThinkingRequest(0, entries, "zephyr:1", 0))
    match.act(Pick("stand"), 200)
    match.act(Rolled((6, 5, 4, 6, 6)), 300)
    news: tuple[Entry, ...] = tuple(step.acted for step in match.history[1:])
    assert mind.answer(ThinkingRequest(2, news, "zephyr:1", 1)) is not None
    assert mind.answer(ThinkingRequest(0, entries, "zephyr:1", 0)) == first


def test_a_mind_says_who_has_nothing_to_decide_and_whom_it_does_not_know() -> None:
    mind = ComputerThinker(catalog.opponents_of, lambda: 0.0)
    with pytest.raises(NothingToDecide, match="seat 1 has nothing to decide"):
        mind.decide(match_to_decide(), "zephyr:1", 1)
    with pytest.raises(NoSuchOpponent, match="no computer 'merlin:1' is known"):
        mind.decide(match_to_decide(), "merlin:1", 0)


# --- at a table -----------------------------------------------------------------------------------------------------


def test_the_table_goes_on_when_its_thinking_process_is_killed(tmp_path: Path) -> None:
    async def do(table: Table) -> None:
        table.matches.new_match("legend", ["aether:1", "aether:1"], {"rounds": "1", "turn_limit": "2"})
        killed = 0
        loop = asyncio.get_running_loop()
        until = loop.time() + 6 * PATIENCE_S
        while table.view().result is None and loop.time() < until:
            process = table.computers._worker
            if process.is_running and process.pid is not None and killed < MOST_KILLS:
                os.kill(process.pid, signal.SIGKILL)
                killed += 1
            await asyncio.sleep(0.1)
        assert table.view().result is not None
        assert killed

    with quick_computers():
        at_a_table(tmp_path, do)


@pytest.mark.parametrize("game", ["legend", "captains-chess"])
def test_advice_on_a_move_is_thought_about_beside_the_table(tmp_path: Path, game: str) -> None:
    async def do(table: Table) -> None:
        table.matches.new_match(game, ["Anne", "Bart"], {})
        if game == "legend":
            for id_ in ("roll-legend", "roll-cargo"):
                table.handle(Answered(Pick(id_)), table.view().revision)
        await until_advised(table)
        hint = table.view().hint
        assert hint is not None
        assert hint.words.startswith(("Move ", "Throw ", "Keep "))
        assert hint.why
        assert any(line.words.startswith("Anne asks for advice: ") for line in table.view().log)

    at_a_table(tmp_path, do)


async def until_advised(table: Table) -> None:
    """Ask for advice, and wait until it is there."""
    table.handle(AdviceAsked())
    await eventually(lambda: table.view().hint not in (None, THINKING))


def test_advice_that_is_moot_is_not_shown(tmp_path: Path) -> None:
    async def do(table: Table) -> None:
        table.matches.new_match("captains-chess", ["Anne", "Bart"], {})
        table.handle(AdviceAsked())
        assert table.view().hint is THINKING
        table.handle(Answered(Pick("e2e4")), table.view().revision)
        assert table.view().hint is None
        await asyncio.sleep(0.5)
        assert table.view().hint is None

    at_a_table(tmp_path, do)


def test_a_process_whose_table_is_gone_ends_without_a_word() -> None:
    entries: tuple[Entry, ...] = (STARTED, *(step.acted for step in match_to_decide().history))
    question = encode_line(ThinkingRequest(0, entries, "zephyr:1", 0))
    for _ in range(3):
        ours, theirs = socket.socketpair()
        with theirs:
            ends = theirs.fileno()
            process = subprocess.Popen(COMMAND, stdin=ends, stdout=ends, stderr=subprocess.PIPE, text=True)
        ours.sendall(question * 200)
        assert ours.recv(1)  # it has begun to answer
        ours.close()
        _, said = process.communicate(timeout=PATIENCE_S)
        assert (process.returncode, said) == (0, "")
