"""The arbiter's pages, asked for as a browser does."""

import io
import json
import re
import zipfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from captains_table.club.events.entries import Closed, Made, System
from captains_table.club.events.standings import standings
from captains_table.club.season.season import ProvenMatch
from captains_table.reporting.messages import FinalScore, Pairing
from captains_table.table.history.export import export_json
from captains_table.table.model.entries import Entry, MatchEnded, MatchStarted
from tests.club.event_club import AS_ARBITER, FIRST_WINS, NOW_S, SECOND_WINS, EventClub, on_a_loop, pages_of_events
from tests.club.served_club import served
from tests.support.axe import found_on
from tests.support.browser import Visitor
from tests.support.club_event import all_drawn_but_dirk

SWISS = Made(title="Autumn & Co", game="captains-chess", system=System.SWISS, rounds=3, forfeit_min=30)
ALL_MEET = Made(title="All meet", game="captains-chess", system=System.ROUND_ROBIN, rounds=1)
GROUPS = Made(title="Dice", game="swashbuckle", system=System.GROUPS, rounds=2, group_size=4)
NAMES = ("Anne", "Bart", "Cleo", "Dirk", "<b>Eve</b>")


REPORT = """\
012 Elsewhere
XXR 3
001    1      Zora                              2000                             1.0    1     2 w 1
001    2      Yann                              1900                             0.0    2     1 b 0
"""


class Desk:
    """The arbiter at the club's pages, and the club behind them."""

    def __init__(self, club: EventClub, client: httpx.AsyncClient) -> None:
        self.club = club
        self.client = client

    async def get(self, path: str, status: int = 200) -> str:
        answer = await self.client.get(path, headers=AS_ARBITER)
        assert answer.status_code == status, answer.text
        return answer.text

    async def post(self, path: str, status: int = 303, /, **fields: str) -> str:
        answer = await self.client.post(path, data=fields, headers=AS_ARBITER)
        assert answer.status_code == status, answer.text
        await self.club.settled()
        return answer.text if status != 303 else answer.headers["location"]


@asynccontextmanager
async def at_the_desk(folder: Path) -> AsyncIterator[Desk]:
    async with pages_of_events(folder) as (club, client):
        yield Desk(club, client)


@asynccontextmanager
async def in_the_first_round(folder: Path, made: Made, *players: str) -> AsyncIterator[tuple[Desk, str, Pairing]]:
    """Yield the arbiter of event 1, whose first round is published, its address, and the match of the first table."""
    async with at_the_desk(folder) as desk:
        number = desk.club.begin(made, *players)
        await desk.club.pair(number)
        yield desk, f"/arbiter/events/{number}", desk.club.published["table-1"][0]


@on_a_loop
async def test_nobody_without_the_token_sees_or_does_anything(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        number = desk.club.begin(SWISS, *NAMES)
        for path in ("", "/players", "/new", "/report", f"/events/{number}", f"/events/{number}/sheet"):
            assert (await desk.client.get(f"/arbiter{path}")).status_code == 403
        assert (await desk.client.get(f"/events?event={number}")).status_code == 403
        assert (await desk.client.post(f"/arbiter/events/{number}/pair")).status_code == 403
        assert not desk.club.event(number).rounds


@on_a_loop
async def test_an_evening_by_forms_alone_from_the_first_player_to_the_last_round(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        for place, name in enumerate(NAMES):
            await desk.post("/arbiter/players", name=name, rating=str(1900 - place) if place < 3 else "")
        form = {"title": "Autumn", "game": "captains-chess", "system": "swiss", "rounds": "2", "forfeit_min": "30"}
        event = await desk.post("/arbiter/new", 303, **form, **{"option-clock": "5+3"})
        await desk.post(f"{event}/enter", 303, **{f"player-{number}": "yes" for number in range(1, 6)})
        await desk.post(f"{event}/pair")
        await desk.post(f"{event}/publish")
        [first] = desk.club.published["table-1"]
        assert (first.seats, first.options) == (("Anne", "Cleo"), {"clock": "5+3"})
        desk.club.play_all()
        await desk.club.settled()
        await desk.post(f"{event}/pair")
        await desk.post(f"{event}/publish")
        desk.club.play_all()
        await desk.club.settled()
        page = await desk.get(event)
        assert "All rounds are played" in page
        assert "&lt;b&gt;Eve&lt;/b&gt;" in page
        assert "<b>Eve</b>" not in page
        await desk.post(f"{event}/end")
        assert "The event is over" in await desk.get(event)


@on_a_loop
async def test_what_the_arbiter_says_of_a_match_counts_is_logged_and_can_be_taken_back(tmp_path: Path) -> None:
    async with in_the_first_round(tmp_path, SWISS, "Anne", "Bart") as (desk, path, pairing):
        desk.club.tell("table-1", pairing, None)
        await desk.club.settled()
        assert "It was left: say what it counts." in await desk.get(path)
        await desk.post(f"{path}/rule", pairing=pairing.id, count="0-1", why="Anne went home")
        assert standings(desk.club.event(1))[0].name == "Bart"
        page = await desk.get(path)
        assert "the arbiter says 0 : 1 (Anne went home)" in page
        assert desk.club.published["table-1"] == ()
        await desk.post(f"{path}/rule-not", pairing=pairing.id)
        assert len(desk.club.published["table-1"]) == 1
        assert "is no result: expected one of" in await desk.post(f"{path}/rule", 400, pairing=pairing.id, count="9")


@on_a_loop
async def test_a_match_that_is_not_begun_in_time_is_shown_and_forfeited_by_one_press(tmp_path: Path) -> None:
    async with in_the_first_round(tmp_path, SWISS, "Anne", "Bart") as (desk, path, pairing):
        assert "not begun in time" not in await desk.get(path)
        desk.club.at_s = NOW_S + 30 * 60
        assert "not begun in time" in await desk.get(path)
        await desk.post(f"{path}/rule", pairing=pairing.id, count="+-")
        assert [line.halves for line in standings(desk.club.event(1))] == [2, 0]
        assert "001    1      Anne" in await desk.get(f"{path}/report.trf")
        assert "2 w +" in await desk.get(f"{path}/report.trf")


@on_a_loop
async def test_groups_are_ruled_by_places(tmp_path: Path) -> None:
    async with in_the_first_round(tmp_path, GROUPS, "Anne", "Bart", "Cleo", "Dirk") as (desk, path, pairing):
        for wrong in ("1 2 3", "1 2 x 3", ""):
            assert "are no places" in await desk.post(f"{path}/rule", 400, pairing=pairing.id, count=wrong)
        await desk.post(f"{path}/rule", pairing=pairing.id, count="2, 1, 2, -")
        halves = {line.name: line.halves for line in standings(desk.club.event(1))}
        assert [halves[name] for name in pairing.seats] == [5, 8, 5, 0]
        assert "groups cannot be written so" in await desk.get(f"{path}/report.trf", 404)


@on_a_loop
async def test_players_withdraw_return_sit_out_and_matches_move(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        number = desk.club.begin(SWISS, "Anne", "Bart", "Cleo", "Dirk")
        path = f"/arbiter/events/{number}"
        await desk.post(f"{path}/withdraw", player="4", why="ill")
        assert "Dirk withdrew (ill)" in await desk.get(path)
        await desk.post(f"{path}/return", player="4")
        await desk.post(f"{path}/sit-out", player="3", half="yes")
        await desk.post(f"{path}/pair")
        await desk.post(f"{path}/drop")
        await desk.post(f"{path}/pair")
        await desk.post(f"{path}/publish")
        [pairing] = desk.club.published["table-1"]
        await desk.post(f"{path}/move", pairing=pairing.id, table="table-3")
        assert [p.id for p in desk.club.published["table-3"]] == [pairing.id]
        assert "no table at which" in await desk.post(f"{path}/move", 409, pairing=pairing.id, table="table-77")
        assert "tick who takes part" in await desk.post(f"{path}/enter", 409)
        assert "Nothing is done to an event at" in await desk.post(f"{path}/burn", 404)
        assert "is no player" in await desk.post(f"{path}/withdraw", 400, player="x")


@on_a_loop
async def test_sitting_out_is_seen_at_the_name_and_under_the_round_and_can_be_taken_back(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        number = desk.club.begin(SWISS, "Anne", "Bart", "Cleo", "Dirk")
        path = f"/arbiter/events/{number}"
        await desk.post(f"{path}/sit-out", player="3", half="yes")
        page = await desk.get(path)
        assert "Sits out round 1: Cleo." in page
        assert "sits out round 1 for ½</small></summary>" in page
        assert "Plays round 1 after all" in page
        assert "Cleo cannot play round 1 after all" not in page
        assert "Sits out round 1: Cleo." in await desk.get(f"/events/{number}")
        await desk.post(f"{path}/sit-in", player="3")
        page = await desk.get(path)
        assert "Sits out" not in page.split("<h2>Players</h2>")[0]
        assert "Cleo plays round 1 after all" in page
        assert "Cleo cannot play round 1 after all" in await desk.post(f"{path}/sit-in", 409, player="3")
        await desk.post(f"{path}/sit-out", player="3", half="")
        await desk.post(f"{path}/pair")
        page = await desk.get(path)
        assert '<bdi>Cleo</bdi> <small class="faint">sits out</small>' in page
        assert "Sits out round 2" not in page
        assert "Sits out: Cleo." in await desk.get(f"/events/{number}")
        assert "Sits out: Cleo." in await desk.get(f"{path}/sheet")


@on_a_loop
async def test_the_arbiter_sees_the_edition_and_which_places_of_an_older_event_move(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        number = desk.club.begin(ALL_MEET, "Anne", "Bart", "Cleo", "Dirk")
        path = f"/arbiter/events/{number}"
        desk.club.desk.write(number, *all_drawn_but_dirk(None).entries[5:])
        page = await desk.get(path)
        assert "tie-breaks, edition of 2024" in page
        assert "<bdi>Bart</bdi> 2 → 1." in page
        other = desk.club.begin(ALL_MEET, "Eve", "Floor", "Guus", "Hanna")
        await desk.post(f"/arbiter/events/{other}/end")
        assert not desk.club.event(other).keeps_old_places
        desk.club.desk.write(number, Closed())  # by a program of before
        ended = await desk.get(path)
        assert "This event keeps the places it ended with." in ended
        assert "places and tie-breaks stand as they were then" in await desk.get(f"/events/{number}")
        form = {"title": "T", "game": "captains-chess", "system": "swiss", "rounds": "5"}
        page = await desk.get(await desk.post("/arbiter/new", 303, **form))
        assert "tie-breaks, edition of 2026" in page


@on_a_loop
async def test_the_overview_shows_who_calls_what_was_refused_and_sets_results_right(tmp_path: Path) -> None:
    async with in_the_first_round(tmp_path, SWISS, "Anne", "Bart") as (desk, _, pairing):
        desk.club.tell("table-1", pairing, FIRST_WINS)
        desk.club.report("table-2", needs=True)
        desk.club.refused.add("table-9", "result", "it is <no> JSON", NOW_S)
        await desk.club.settled()
        page = await desk.get("/arbiter")
        assert "Somebody is asked to come" in page
        assert "it is &lt;no&gt; JSON" in page
        match = re.search(r"/arbiter/results/([0-9a-f]{64})", page)
        assert match is not None
        assert "Say why" in await desk.post(f"/arbiter/results/{match[1]}", 400, winner="1", scores="0 1")
        await desk.post(f"/arbiter/results/{match[1]}", winner="1", scores="0 : 1", why="the wrong way round")
        assert standings(desk.club.event(1))[0].name == "Bart"
        assert "the wrong way round" in await desk.get("/arbiter")
        await desk.post(f"/arbiter/results/{'0' * 64}", 404, winner="1", scores="0 1", why="x")
        await desk.post("/arbiter/evening", title="The second")
        assert "The second" in await desk.get("/arbiter")


@on_a_loop
async def test_a_call_is_answered_by_one_press_and_only_while_the_table_calls_so(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        desk.club.report("table-2", needs=True, needs_since_s=NOW_S, call="boot 1")
        desk.club.report("table-3", needs=True)  # of an older program
        page = await desk.get("/arbiter")
        assert re.findall(r'action="/arbiter/calls/([^"]+)"', page) == ["table-2"]
        assert 'name="call" value="boot 1"' in page
        assert "the call is ended at the table" in page
        await desk.post("/arbiter/calls/table-2", call="boot 1")
        page = await desk.get("/arbiter")
        assert "/arbiter/calls/" not in page
        assert "answered; the table was not heard since" in page
        desk.club.report("table-2", call="boot 2")
        assert 'value="boot 2"' in await desk.get("/arbiter")
        for user, call in (("table-2", "boot 1"), ("table-3", ""), ("table-9", "boot 1")):
            assert "This call is over" in await desk.post(f"/arbiter/calls/{user}", 409, call=call)
        assert (await desk.client.post("/arbiter/calls/table-2", data={"call": "boot 2"})).status_code == 403


@on_a_loop
async def test_the_overview_says_what_of_an_event_waits_for_the_arbiter_and_who_a_correction_is_about(
    tmp_path: Path,
) -> None:
    async with in_the_first_round(tmp_path, replace(SWISS, forfeit_min=10), *NAMES[:4]) as (desk, _, _):
        assert "begun in time" not in await desk.get("/arbiter")
        desk.club.at_s += 601
        assert "2 matches are not begun in time: say who was not there." in await desk.get("/arbiter")
        first, second = (desk.club.published[f"table-{board}"][0] for board in (1, 2))
        desk.club.tell("table-1", first, None)
        desk.club.report("table-2", pairing=second.id)
        await desk.club.settled()
        page = await desk.get("/arbiter")
        assert "1 match is to be looked at: say what counts." in page
        assert "begun in time" not in page
        desk.club.tell("table-2", second, FIRST_WINS)
        await desk.club.settled()
        [kept] = [kept for kept in desk.club.store.results() if kept.user == "table-2"]
        await desk.post(f"/arbiter/results/{kept.outcome.match}", winner="1", scores="1 : 0", why="the wrong way round")
        names = ", ".join(second.seats)
        assert (
            f"{names}: 1 : 0, won by {second.seats[0]}; now 0 : 1, won by {second.seats[1]} (the wrong way round)"
            in await desk.get("/arbiter")
        )


@pytest.mark.parametrize(
    ("was", "winner", "scores", "now"),
    [
        (FinalScore(winner=0, scores=(1, 0)), "shared", "1 : 0", FinalScore(winner=None, scores=(0, 0))),
        (FinalScore(winner=None, scores=(0, 0)), "1", "0 : 0", FinalScore(winner=1, scores=(0, 1))),
        (FinalScore(winner=0, scores=(1, 0)), "1", "3 : 5", FinalScore(winner=1, scores=(3, 5))),
        (FinalScore(winner=0, scores=(12, 7)), "1", "12 : 7", FinalScore(winner=1, scores=(12, 7))),
    ],
)
@on_a_loop
async def test_scores_that_say_who_won_and_nothing_else_go_with_the_winner(
    tmp_path: Path, was: FinalScore, winner: str, scores: str, now: FinalScore
) -> None:
    async with in_the_first_round(tmp_path, SWISS, "Anne", "Bart") as (desk, _, pairing):
        desk.club.tell("table-1", pairing, was)
        [kept] = desk.club.store.results()
        await desk.post(f"/arbiter/results/{kept.outcome.match}", winner=winner, scores=scores, why="x")
        assert desk.club.store.result(kept.outcome.match).ending == now


@on_a_loop
async def test_players_are_entered_by_a_list_all_of_them_or_none(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        await desk.post("/arbiter/players", name="Anne", rating="1800")
        refused = await desk.post("/arbiter/players/several", 400, list="Bart, 1700\n\nCleo, best\n")
        assert "Line 3: &#39;best&#39; is no rating" in refused
        assert "Bart, 1700" in refused, "what was written is there still"
        assert "expected a name a line" in await desk.post("/arbiter/players/several", 400, list=" \n")
        await desk.post("/arbiter/players/several", list="Bart, 1700\r\n Cleo \r\nAnne, 1\r\nBart\r\n")
        assert [(player.name, player.rating) for player in desk.club.desk.log.players()] == [
            ("Anne", 1800),
            ("Bart", 1700),
            ("Cleo", None),
        ]


@on_a_loop
async def test_what_the_arbiter_may_say_of_a_match_names_its_players_and_paper_says_how_it_is_read(
    tmp_path: Path,
) -> None:
    made = replace(SWISS, options={"clock": "5+3"})
    async with in_the_first_round(tmp_path, made, "{Anne}", "Bart") as (desk, path, _):
        page = await desk.get(path)
        assert ">1 : 0, {Anne} won<" in page
        assert ">+ : -, Bart was not there<" in page
        assert "Captain&#39;s Chess, Swiss, 3 rounds, Clock: " in page
        assert "+ won, = drawn, - lost, * still open" in await desk.get(f"{path}/sheet")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"title": ""}, "An event"),
        ({"system": "knock-out"}, "Choose who meets whom"),
        ({"rounds": "0"}, "number of rounds"),
        ({"rounds": "many"}, "number of rounds"),
        ({"system": "groups", "group_size": "4"}, "is played by two"),
        ({"option-clock": "soon"}, "clock"),
        ({"game": "tiddlywinks"}, "There is no game"),
    ],
)
@on_a_loop
async def test_an_event_that_cannot_be_made_is_refused_with_a_sentence(
    tmp_path: Path, changed: dict[str, str], words: str
) -> None:
    form = {"title": "T", "game": "captains-chess", "system": "swiss", "rounds": "5", "forfeit_min": "0"}
    async with at_the_desk(tmp_path) as desk:
        page = await desk.post("/arbiter/new", 400, **form | changed)
        assert words in page.replace("&#39;", "'")
        assert desk.club.desk.events() == []


@on_a_loop
async def test_a_report_is_read_and_one_that_is_none_is_refused(tmp_path: Path) -> None:
    async with in_the_first_round(tmp_path, SWISS, "Anne", "Bart", "Cleo") as (desk, path, _):
        desk.club.play_all(SECOND_WINS)
        await desk.club.settled()
        report = await desk.get(f"{path}/report.trf")
        event = await desk.post("/arbiter/report", game="captains-chess", report=report.replace("\n", "\r\n"))
        assert await desk.get(f"{event}/report.trf") == report
        assert "This is no TRF" in await desk.post("/arbiter/report", 400, game="legend", report="hello")
        given = {"game": "captains-chess", "forfeit_min": "20", "option-clock": "5+3"}
        other = await desk.post("/arbiter/report", report=report, **given)
        made = desk.club.event(int(other.rpartition("/")[2])).made
        assert (made.forfeit_min, made.options) == (20, {"clock": "5+3"})
        wrong = await desk.post("/arbiter/report", 400, report=report, **given | {"option-clock": "soon"})
        assert "clock" in wrong
        assert "Autumn" in wrong, "what was pasted is there still"


@on_a_loop
async def test_nobody_is_offered_to_enter_a_round_robin_that_has_begun(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        number = desk.club.begin(Made(title="All", game="captains-chess", system=System.ROUND_ROBIN, rounds=1), *NAMES)
        desk.club.desk.log.add_player("Zoe", None)
        assert "take part" in await desk.get(f"/arbiter/events/{number}")
        await desk.post(f"/arbiter/events/{number}/pair")
        assert 'id="enter"' not in await desk.get(f"/arbiter/events/{number}")


@on_a_loop
async def test_players_are_set_right_and_no_name_comes_twice(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        await desk.post("/arbiter/players", name="  Anne   Bonny ", rating="1800")
        assert "is on the list already" in await desk.post("/arbiter/players", 409, name="Anne Bonny")
        await desk.post("/arbiter/players", 400, name="x" * 41)
        await desk.post("/arbiter/players", 400, name="Bart", rating="best")
        await desk.post("/arbiter/players/1", name="Anne", rating="1850")
        assert [(player.name, player.rating) for player in desk.club.desk.log.players()] == [("Anne", 1850)]
        await desk.post("/arbiter/players/9", 404, name="Nobody")
        await desk.get("/arbiter/events/9", 404)
        await desk.get("/arbiter/events/x", 404)


async def prepared(club: EventClub) -> None:
    """Let a club play a round of each kind."""
    await club.settled()
    swiss, groups = club.begin(SWISS, *NAMES), club.begin(GROUPS, *NAMES)
    await club.pair(swiss)
    club.tell("table-2", club.published["table-2"][0], None)
    await club.settled()
    await club.pair(groups)
    club.report("table-2", needs=True, needs_since_s=NOW_S, call="boot 1")
    club.report("table-3", needs=True, title="The long table by the window to the sea")


@pytest.mark.browser
def test_results_come_onto_the_page_by_themselves_and_every_page_can_be_used_by_everybody(
    visitor: Visitor, tmp_path: Path
) -> None:
    with served(EventClub(tmp_path, 4), prepare=prepared) as place:
        page = visitor.open(place.address, viewport={"width": 360, "height": 740})
        for path in ("", "/players", "/new?game=swashbuckle", "/report", "/events/2", "/events/1/sheet", "/events/1"):
            page.goto(f"{place.address}arbiter{path}")
            assert found_on(page) == {}
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        expect(page.locator("#rounds")).to_contain_text("Anne")
        page.locator("#round-1 summary", has_text="Anne").first.click()
        page.locator("details[open] input[name=why]").first.fill("half a sentence")
        pairing = place.club.published["table-1"][0]
        place.do(lambda club: club.tell("table-1", pairing, FinalScore(winner=0, scores=(7, 3))))
        expect(page.locator("#standings tbody tr").first).to_contain_text("1")
        expect(page.locator("#round-1 .points").first).to_have_text("1")
        assert page.locator("details[open] input[name=why]").first.input_value() == "half a sentence"
        report = tmp_path / "autumn.trf"
        report.write_text(REPORT, "utf-8")
        page.goto(f"{place.address}arbiter/report")
        page.locator("input[type=file]").set_input_files(report)
        expect(page.locator("#report")).to_have_value(REPORT)
        page.get_by_role("button", name="Read it").click()
        expect(page.locator("h1")).to_have_text("Elsewhere")


@on_a_loop
async def test_matches_that_are_proven_are_downloaded_and_without_any_that_is_said(tmp_path: Path) -> None:
    async with in_the_first_round(tmp_path, SWISS, "Anne", "Bart") as (desk, path, pairing):
        desk.club.tell("table-1", pairing, FIRST_WINS, export=b"not looked at yet")
        await desk.club.settled()
        assert "No match of this event" in await desk.get(f"{path}/games.zip", 404)
        entries: list[Entry] = [MatchStarted("captains-chess", ("Anne", "Bart"), {}), MatchEnded(0, (1, 0))]
        [kept] = desk.club.desk.results(1).values()
        desk.club.store.note_proof(kept.receipt, "", ProvenMatch(names=("Anne", "Bart"), options={}))
        desk.club.exported[kept.outcome.match] = json.dumps(export_json(entries)).encode()
        answer = await desk.client.get(f"{path}/games.zip", headers=AS_ARBITER)
        with zipfile.ZipFile(io.BytesIO(answer.content)) as folder:
            assert folder.namelist() == ["round-1/game-1.json", "round-1/game-1.pgn"]
            assert '[Round "1.1"]' in folder.read("round-1/game-1.pgn").decode()
