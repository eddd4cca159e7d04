"""Thinking next to the table: one process that answers, is ended when its thought is moot, and is started again."""

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from captains_table import catalog
from captains_table.games.common.computer_seat import NoSuchOpponent
from captains_table.games.contract import Action, IllegalAction, Pick, Rolled
from captains_table.phrases import Phrase
from captains_table.process.worker import WorkerLimits
from captains_table.runtime.table import Table
from captains_table.runtime.thinking import client as desk_module
from captains_table.runtime.thinking.client import ThinkingAnswer, ThinkingClient, ThinkingRequest
from captains_table.runtime.thinking.thinker import ComputerThinker, NothingToDecide, _time_for
from captains_table.table.model.entries import Entry, MatchStarted
from captains_table.table.model.events import AdviceAsked
from captains_table.table.model.match import Match
from captains_table.table.model.view import THINKING, Phase
from captains_table.table.playing.thinking import ThinkRequest
from tests.support.against_computers import AtTheTable
from tests.support.effort import effort
from tests.support.patience import PATIENCE_S
from tests.support.quick_computers import quick_computers
from tests.support.service_at_work import OpenTable, answer

STANDS = """print(json.dumps({"action": {"type": "pick", "id": "stand"}}), flush=True)"""
MATE_IN_ONE = {"fen": "3k5/8p/3K5/9/9/9/9/R8 w - - 0 1"}
STARTED = MatchStarted("ship-captain-crew", ("zephyr:1", "Anne"), {"order": "seated"}, kinds=("computer", "human"))


def match_to_decide() -> Match:
    match = Match(STARTED)
    match.act(Rolled((6, 5, 4, 1, 2)), 100)
    return match


@pytest.mark.parametrize(
    ("clock", "left_s", "share_s"),
    [("5+3", 300, 7.5), ("40/90,30", 5400, 135), ("4/9,1", 540, 60), ("1/9,1", 540, 90), ("1d5", 60, 1.5)],
)
def test_a_computer_thinks_for_a_share_of_its_clock_by_the_moves_to_go_in_its_stage(
    clock: str, left_s: int, share_s: float
) -> None:
    match = Match(MatchStarted("captains-chess", ("boreas:1", "Anne"), {"clock": clock}, kinds=("computer", "human")))
    asked = ThinkingRequest(0, (), "boreas:1", 0, left_ms=left_s * 1000)
    assert _time_for(asked, match) == share_s
    limited = ThinkingRequest(0, (), "boreas:1", 0, think_s=1, left_ms=left_s * 1000)
    assert _time_for(limited, match) == 1


def worker(code: str) -> tuple[str, ...]:
    """Return the command of a thinking process that does this with every line it is sent."""
    return (sys.executable, "-u", "-c", f"import sys, os, json, signal, time\nfor line in sys.stdin:\n    {code}")


class Asked:
    """A client with a process of a test's own, and what it delivered."""

    def __init__(self, *command: str, on_answer: Callable[[ThinkRequest], None] = lambda _: None) -> None:
        self.delivered: list[Action] = []
        self.troubles: list[str] = []
        self.reports: list[str] = []
        self.client = ThinkingClient(self._deliver, self._trouble, command or worker(STANDS), self.reports.append)
        self._on_answer = on_answer

    def _deliver(self, question: ThinkRequest, thought: ThinkingAnswer) -> None:
        self._on_answer(question)
        assert thought.action is not None
        self.delivered.append(thought.action)

    def _trouble(self) -> None:
        self.troubles.append(self.client.trouble)

    def ask(self, match: Match) -> None:
        self.client.follow(ThinkRequest("zephyr:1", 0, match.revision), match)


async def eventually(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():  # noqa: ASYNC110 - nobody tells when a process is gone
            await asyncio.sleep(0.02)


async def test_a_question_is_answered_by_the_process() -> None:
    asked = Asked()
    asked.ask(match_to_decide())
    await eventually(lambda: asked.delivered == [Pick("stand")])
    asked.client.close()


async def test_a_thought_that_is_moot_ends_at_once() -> None:
    asked = Asked(*worker("time.sleep(1000)"))
    asked.ask(match_to_decide())
    await eventually(lambda: asked.client._worker.pid is not None)
    pid = asked.client._worker.pid or 0
    asked.client.follow(None, match_to_decide())
    await eventually(lambda: not is_alive(pid))
    assert asked.delivered == []
    asked.client.close()


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("os._exit(3)", "ended with status 3"),
        ("os.kill(os.getpid(), 9)", "ended by signal 9"),
        ("print('nonsense', flush=True)", "said b'nonsense"),
        ("(os.close(1), os.close(0), time.sleep(0.1), os._exit(4))", "ended with status 4"),
        ("(print(flush=True), os.kill(os.getpid(), signal.SIGSTOP))", "gave no sign of life for 0 seconds"),
    ],
)
async def test_a_process_that_fails_or_is_stopped_is_spoken_of_in_plain_words_until_another_one_thinks(
    code: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk_module, "LIMITS", WorkerLimits(quiet_s=0.5))
    failed = str(tmp_path / "failed")
    asked = Asked(*worker(f"{STANDS} if os.path.exists({failed!r}) else (open({failed!r}, 'x'), {code})"))
    asked.ask(match_to_decide())
    await eventually(lambda: asked.delivered == [Pick("stand")])
    assert asked.troubles[0] == "Zephyr stopped thinking; asked again"
    [report] = asked.reports
    assert report.startswith(f"Zephyr stopped thinking: its process {words}")
    assert asked.client.trouble == ""
    asked.client.close()


async def test_why_nothing_can_be_decided_is_said_in_its_own_words() -> None:
    asked = Asked(*worker("print(json.dumps({'error': 'too hard'}), flush=True)"))
    asked.ask(match_to_decide())
    await eventually(lambda: bool(asked.client.trouble))
    assert asked.client.trouble == "Zephyr (beginner) does not answer: too hard. It is asked again"
    assert asked.reports == []
    asked.client.close()


async def test_after_more_than_one_failure_players_are_told_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_module, "FIRST_PAUSE_S", 0.01)
    asked = Asked(*worker("print(json.dumps({'error': 'too hard'}), flush=True)"))
    asked.ask(match_to_decide())
    failed = "Zephyr (beginner) does not answer: too hard. It is asked again"
    await eventually(lambda: asked.client.trouble == f"{failed}. Under More, Who plays lets a person play its seat")
    assert asked.troubles[0] == failed
    asked.client.close()


async def test_news_of_a_thought_that_goes_on_is_shown_while_it_lasts(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    tell = "print(json.dumps({'news': 'It starts'}), flush=True), print(flush=True)"
    wait = f"[time.sleep(0.01) for _ in range(9999) if not os.path.exists({str(heard)!r})]"
    asked = Asked(*worker(f"{tell}, {wait}, print(json.dumps({{'news': ''}}), flush=True), {STANDS}"))
    asked.ask(match_to_decide())
    await eventually(lambda: asked.client.trouble == "It starts")
    await asyncio.sleep(0.1)
    assert asked.client.trouble == "It starts", "a sign of life does not end it"
    heard.touch()
    await eventually(lambda: asked.delivered == [Pick("stand")])
    assert asked.troubles == ["It starts", ""]
    asked.client.close()


async def test_a_process_that_thinks_and_thinks_is_given_up_though_it_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_module, "LIMITS", WorkerLimits(answer_s=0.5))
    once = "beats = [time.sleep(0.05) or print(flush=True) for _ in range(1000)]"
    asked = Asked(*worker(once))
    asked.ask(match_to_decide())
    await eventually(lambda: any("no answer within 0 seconds" in each for each in asked.reports))
    asked.client.close()


async def test_only_what_is_new_of_a_match_is_sent(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    code = f"""open({str(heard)!r}, "a").write(line); {STANDS}"""
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
    asked.client.close()


async def test_what_is_asked_while_an_answer_is_taken_in_is_answered_by_the_same_process(tmp_path: Path) -> None:
    """As when one computer plays after the other on a clock, where nothing rests between the two."""
    pids, match, questions = tmp_path / "pids", match_to_decide(), list[ThinkRequest]()

    def ask_again(question: ThinkRequest) -> None:
        questions.append(question)
        if len(questions) < 3:
            asked.client.follow(question, match)

    asked = Asked(*worker(f"""open({str(pids)!r}, "a").write(f"{{os.getpid()}} "); {STANDS}"""), on_answer=ask_again)
    asked.ask(match)
    await eventually(lambda: len(questions) == 3)
    used = pids.read_text(encoding="ascii").split()
    assert (len(used), len(set(used))) == (3, 1)
    asked.client.close()


async def test_an_answer_that_the_match_does_not_take_is_said_and_asked_again_once_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk_module, "FIRST_PAUSE_S", 0.01)
    asks, match, refused = tmp_path / "asks", match_to_decide(), list[ThinkRequest]()

    def refuse_twice(question: ThinkRequest) -> None:
        refused.append(question)
        asked.client.follow(question, match)
        if len(refused) < 3:
            raise IllegalAction("no")
        asked.client.follow(None, match)

    asked = Asked(*worker(f"""open({str(asks)!r}, "a").write("x"); {STANDS}"""), on_answer=refuse_twice)
    asked.ask(match)
    await eventually(lambda: asked.delivered == [Pick("stand")])
    assert (asks.read_text(encoding="ascii"), any(asked.troubles)) == ("xxx", True)
    assert asked.client._asking is None
    asked.client.close()


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text(encoding="ascii")


def test_a_mind_plays_on_from_what_it_knows_and_answers_the_same_question_alike() -> None:
    mind = ComputerThinker(catalog.opponents_of, lambda: 0.0)
    match = match_to_decide()
    entries: tuple[Entry, ...] = (STARTED, *(step.acted for step in match.history))
    first = mind.answer(ThinkingRequest(0, entries, "zephyr:1", 0))
    match.act(Pick("stand"), 200)
    match.act(Rolled((6, 5, 4, 6, 6)), 300)
    news: tuple[Entry, ...] = tuple(step.acted for step in match.history[1:])
    assert mind.answer(ThinkingRequest(2, news, "zephyr:1", 1)) is not None
    for each in (mind, ComputerThinker(catalog.opponents_of, lambda: 0.0)):
        assert each.answer(ThinkingRequest(0, entries, "zephyr:1", 0)) == first


def test_a_mind_says_who_has_nothing_to_decide_and_whom_it_does_not_know() -> None:
    mind = ComputerThinker(catalog.opponents_of, lambda: 0.0)
    with pytest.raises(NothingToDecide, match="seat 1 has nothing to decide"):
        mind.decide(match_to_decide(), "zephyr:1", 1)
    with pytest.raises(NoSuchOpponent, match="no computer 'merlin:1' is known"):
        mind.decide(match_to_decide(), "merlin:1", 0)


async def test_the_table_goes_on_when_its_thinking_process_is_killed(open_table: OpenTable, tmp_path: Path) -> None:
    killed, move = tmp_path / "killed", STANDS.replace("stand", "e2e4")
    with open_table(on_floor=True) as table:
        thinking = table.computers._worker
        thinking.command = worker(f"{move} if os.path.exists({str(killed)!r}) else time.sleep(1000)")
        table.matches.new_match("captains-chess", ["boreas:1", "Anne"], {})
        await eventually(lambda: thinking.pid is not None)
        killed.touch()
        os.kill(thinking.pid or 0, signal.SIGKILL)
        await eventually(lambda: table.view().seat == 1)


@pytest.mark.slow
async def test_advice_on_a_move_is_thought_about_next_to_the_table_and_not_shown_where_it_is_moot(table: Table) -> None:
    table.matches.new_match("captains-chess", ["Anne", "Bart"], MATE_IN_ONE)
    table.handle(AdviceAsked())
    assert table.view().hint is THINKING
    answer(table, "a1b1", "i7i6")
    assert table.view().hint is None
    table.handle(AdviceAsked())
    await eventually(lambda: table.view().hint not in (None, THINKING))
    hint = table.view().hint
    assert hint is not None
    assert hint.words.startswith("Move ")
    assert isinstance(hint.words, Phrase)
    assert isinstance(hint.why, Phrase)
    assert any(line.words.startswith("Anne asks for advice: ") for line in table.view().log)


LOOK_S = 0.005
MOST_S = 6 * PATIENCE_S
LADDER = {"fen": "4k4/9/R8/8p/9/9/9/1R2K4 w - - 0 1"}  # two rooks drive the king to the edge, wherever it goes
MATCHES = {
    "legend": ({"rounds": "1", "turn_limit": "2"}, ("aether:1", "Anne"), ()),
    "captains-chess": (LADDER, ("Anne", "boreas:2"), (("b1", "b7"), ("a6", "a8"))),
    "ship-captain-crew": ({"target": "15"}, ("zephyr:1", "Anne", "zephyr:2"), ()),
    "swashbuckle": ({}, ("eurus:2", "Anne"), ()),
}


@pytest.mark.long
@pytest.mark.parametrize("game", list(MATCHES)[: effort(2, 4)])
async def test_a_whole_match_against_computers_by_switches_and_buttons(game: str, table: Table) -> None:
    options, names, plan = MATCHES[game]
    with quick_computers(is_watched=False):
        table.matches.new_match(game, names, options)
        player = AtTheTable(table, plan)
        deadline = time.monotonic() + MOST_S
        while not player.do():
            assert time.monotonic() < deadline, table.view()
            await asyncio.sleep(LOOK_S)
        view = table.view()
        assert (view.phase, view.faults) == (Phase.OVER, ())
        assert view.result is not None
