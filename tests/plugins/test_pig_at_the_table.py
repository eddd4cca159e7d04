"""Pig at the table, by switches, by tape and by its page: a catch is one move of two pieces, however it is made."""

import io
import itertools
import re
from pathlib import Path

import pytest

from captains_table.games.contract import Pick, parse_square
from captains_table.runtime.table import Table
from captains_table.runtime.tape_player import TapePlayer, replay_files
from captains_table.table.model.events import Answered
from captains_table.table.model.view import Mark
from captains_table.table.tapes.tape_reader import parse_line
from tests.support.service_at_work import at_a_table
from tests.support.visiting import visit_there

TAPES = Path(__file__).parent / "pig" / "tapes"
BEFORE_THE_CATCH = (
    *("game pig Anne Bart", "dice 6", "press roll", "pick bank", "lift a1", "place b2"),
    *("dice 5", "press roll", "pick bank"),
)
ORDERS = [  # a victim is lifted before the catcher takes its place; else anything goes
    order
    for order in itertools.permutations(["lift c3", "lift b2", "place b2", "place a1"])
    if order.index("lift b2") < order.index("place b2") > order.index("lift c3")
    and order.index("lift b2") < order.index("place a1")
]


def playing(*lines: str) -> TapePlayer:
    player = TapePlayer(io.StringIO())
    play_on(player, *lines)
    return player


def play_on(player: TapePlayer, *lines: str) -> None:
    for number, text in enumerate(lines, start=1):
        line = parse_line(number, text)
        assert line is not None
        assert player.play(line) is None


def test_the_tape_is_played() -> None:
    out, err = io.StringIO(), io.StringIO()
    assert replay_files(sorted(TAPES.glob("*.tape")), out, err) == 0, err.getvalue()


@pytest.mark.parametrize("order", ORDERS, ids=", ".join)
def test_a_catch_is_recognised_in_whatever_order_it_is_made(order: tuple[str, ...]) -> None:
    player = playing(*BEFORE_THE_CATCH, *order)
    player.wait(4000)
    assert (player.final()["pieces"], player.final()["seat"]) == ({"a1": "P", "b2": "p"}, "Anne")


def test_a_victim_in_the_hand_has_its_home_lit_and_one_left_off_the_board_is_asked_for() -> None:
    player = playing(*BEFORE_THE_CATCH, "lift b2", "lift c3")
    player.wait(200)  # until the switches have settled
    assert {"a1", "b2"} <= {str(square) for square, mark in player.view().marks.items() if mark is Mark.TARGET}
    play_on(player, "place b2")
    player.wait(30_000)
    assert player.final()["pieces"] == {"b2": "P", "c3": "p"}  # no move until hers is at home
    play_on(player, "place a1")
    player.wait(4000)
    assert player.final()["pieces"] == {"a1": "P", "b2": "p"}


@pytest.mark.slow
def test_pig_is_played_by_its_page(tmp_path: Path) -> None:
    """The form, the throw, the bank, a step with the piece, advice, and the rules in the page's frame."""

    async def do(table: Table) -> None:
        async def get(path: str) -> str:
            return (await visit_there(table, lambda client: client.get(path))).text

        async def post(path: str, body: dict[str, object] | None = None) -> int:
            answer = await visit_there(table, lambda client: client.post(path, json=body))
            return answer.status_code

        form = await get("/new?game=pig")
        assert "From c3." in form
        assert 'name="target"' in form
        fields = {"game": "pig", "name1": "Anne", "name2": "Bart", "target": "40"}
        await visit_there(table, lambda client: client.post("/new", data=fields))
        assert table.view().game == "pig"
        while table.view().ask is None:  # until a throw was no 1
            assert await post("/button/roll/press") == 204
            assert await post("/button/roll/release") == 204
        who = table.view().seat
        assert "/advice" in await get("/table")
        assert await post("/advice") == 204
        assert "on average" in await get("/table")
        table.handle(Answered(Pick("bank")), table.view().revision)
        here = "a1" if who == 0 else "c3"
        assert await post("/board/click", {"square": here}) in {200, 204}
        assert f'data-pick="{here}b2"' in await get("/table")
        assert await post("/board/click", {"square": "b2"}) in {200, 204}
        async for _ in table.subscribers.changes():  # the move is sure when the piece has stood for a moment
            if parse_square("b2") in table.view().pieces:
                break
        rules = await get("/rules/pig")
        assert "<b>P7.</b> A piece whose corner is not vacant cannot be caught" in rules
        assert 'href="/rules/legend"' in rules
        assert re.search(r'<a href="/rules/pig".*?>Rules<', await get("/table"), re.DOTALL)

    at_a_table(tmp_path, do)


def test_a_match_of_pig_is_resumed_where_it_was(tmp_path: Path) -> None:
    def begin(table: Table) -> None:
        table.matches.new_match("pig", ["Anne", "Bart", "Cora"], {})

    def go_on(table: Table) -> None:
        table.matches.resume(1)
        assert table.view().prompt == ("Anne: throw the die",)
        assert len(table.view().pieces) == 3

    at_a_table(tmp_path, begin)
    at_a_table(tmp_path, go_on)


def test_a_throw_that_ends_the_turn_is_seen_with_what_the_game_tells_of_it() -> None:
    player = playing("game pig Anne Bart", "dice 6 1", "press roll", "press roll")
    last = player.view().last_throw
    assert last is not None
    assert (last.seat, [die.face for die in last.dice], last.lit) == (0, [1], ())
    assert last.words == "Anne throws a 1 and loses 6"
    assert player.view().seat == 1
