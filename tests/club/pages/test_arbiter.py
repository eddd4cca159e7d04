"""The arbiter's pages, asked for as a browser does."""

import io
import json
import zipfile
from collections.abc import AsyncIterator, Sequence
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
from tests.club.event_club import AS_ARBITER, FIRST_WINS, NOW_S, PAGE, SECOND_WINS, TOKEN, EventClub, pages_of_events
from tests.club.served_club import served
from tests.support.axe import found_on
from tests.support.browser import Visitor
from tests.support.club_event import all_drawn_but_dirk

SWISS = Made(title="Autumn & Co", game="captains-chess", system=System.SWISS, rounds=3, forfeit_min=30)
ALL_MEET = Made(title="All meet", game="captains-chess", system=System.ROUND_ROBIN, rounds=1)
GROUPS = Made(title="Dice", game="swashbuckle", system=System.GROUPS, rounds=2, group_size=4)
NAMES = ("Anne", "Bart", "Cleo", "Dirk", "<b>Eve</b>")
FORM = {"title": "T", "game": "captains-chess", "system": "swiss", "rounds": "5", "forfeit_min": "0"}

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

    async def reads(self, path: str, *words: str, lacks: Sequence[str] = ()) -> None:
        """See that a page has some words, and lacks others."""
        page = (await self.get(path)).replace("&#39;", "'")
        assert [each for each in words if each not in page] == []
        assert [each for each in lacks if each in page] == []

    async def refused(self, status: int, path: str, words: str, /, **fields: str) -> str:
        """See that a form is refused in such words, and return the page."""
        page = (await self.post(path, status, **fields)).replace("&#39;", "'")
        assert words in page
        return page

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


async def test_nobody_without_the_token_sees_or_does_anything(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        number = desk.club.begin(SWISS, *NAMES)
        for path in ("", "/players", "/new", "/report", f"/events/{number}", f"/events/{number}/sheet"):
            assert (await desk.client.get(f"/arbiter{path}")).status_code == 403
        assert (await desk.client.get(f"/events?event={number}")).status_code == 403
        assert (await desk.client.post(f"/arbiter/events/{number}/pair")).status_code == 403
        assert not desk.club.event(number).rounds


async def test_the_address_that_the_server_prints_leads_the_arbiter_to_the_desk(tmp_path: Path) -> None:
    async with pages_of_events(tmp_path) as (_, client):
        answer = await client.get(f"/?token={TOKEN}", headers=PAGE)
        assert (answer.status_code, answer.headers["location"]) == (303, "/arbiter")
        assert TOKEN in answer.headers["set-cookie"]
        assert (await client.get("/?token=none", headers=PAGE)).status_code == 403


async def test_an_evening_by_forms_alone_from_the_first_player_to_the_last_round(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        for place, name in enumerate(NAMES):
            await desk.post("/arbiter/players", name=name, rating=str(1900 - place) if place < 3 else "")
        event = await desk.post("/arbiter/new", 303, **FORM | {"rounds": "2", "option-clock": "5+3"})
        await desk.post(f"{event}/enter", 303, **{f"player-{number}": "yes" for number in range(1, 6)})
        await desk.post(f"{event}/pair")
        await desk.post(f"{event}/publish")
        [first] = desk.club.published["table-1"]
        assert (first.seats, first.options) == (("Anne", "Cleo"), {"clock": "5+3"})
        await desk.club.play_all()
        await desk.post(f"{event}/pair")
        await desk.post(f"{event}/publish")
        await desk.club.play_all()
        await desk.reads(event, "All rounds are played", "&lt;b&gt;Eve&lt;/b&gt;", lacks=["<b>Eve</b>"])
        await desk.post(f"{event}/end")
        await desk.reads(event, "The event is over")


async def test_what_the_arbiter_says_of_a_match_counts_is_logged_and_can_be_taken_back(tmp_path: Path) -> None:
    async with in_the_first_round(tmp_path, SWISS, "Anne", "Bart") as (desk, path, pairing):
        await desk.club.play("table-1", None, pairing)
        await desk.reads(path, "It was left: say what it counts.")
        await desk.post(f"{path}/rule", pairing=pairing.id, count="0-1", why="Anne went home")
        assert standings(desk.club.event(1))[0].name == "Bart"
        await desk.reads(path, "the arbiter says 0 : 1 (Anne went home)")
        assert desk.club.published["table-1"] == ()
        await desk.post(f"{path}/rule-not", pairing=pairing.id)
        assert len(desk.club.published["table-1"]) == 1
        await desk.refused(400, f"{path}/rule", "is no result: expected one of", pairing=pairing.id, count="9", why="x")
        await desk.refused(400, f"{path}/rule", "Say why: its table told", pairing=pairing.id, count="1-0")


async def test_a_match_that_is_not_begun_in_time_is_shown_and_forfeited_by_one_press(tmp_path: Path) -> None:
    async with in_the_first_round(tmp_path, SWISS, "Anne", "Bart") as (desk, path, pairing):
        await desk.reads(path, lacks=["not begun in time"])
        desk.club.at_s = NOW_S + 30 * 60
        await desk.reads(path, "not begun in time")
        await desk.post(f"{path}/rule", pairing=pairing.id, count="+-")
        assert [line.halves for line in standings(desk.club.event(1))] == [2, 0]
        await desk.reads(f"{path}/report.trf", "001    1      Anne", "2 w +")


async def test_groups_are_ruled_by_places(tmp_path: Path) -> None:
    async with in_the_first_round(tmp_path, GROUPS, "Anne", "Bart", "Cleo", "Dirk") as (desk, path, pairing):
        for wrong in ("1 2 3", "1 2 x 3", ""):
            await desk.refused(400, f"{path}/rule", "are no places", pairing=pairing.id, count=wrong)
        await desk.post(f"{path}/rule", pairing=pairing.id, count="2, 1, 2, -")
        halves = {line.name: line.halves for line in standings(desk.club.event(1))}
        assert [halves[name] for name in pairing.seats] == [5, 8, 5, 0]
        assert "groups cannot be written so" in await desk.get(f"{path}/report.trf", 404)


async def test_players_withdraw_return_sit_out_and_matches_move(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        number = desk.club.begin(SWISS, "Anne", "Bart", "Cleo", "Dirk")
        path = f"/arbiter/events/{number}"
        await desk.post(f"{path}/withdraw", player="4", why="ill")
        await desk.reads(path, "Dirk withdrew (ill)")
        await desk.post(f"{path}/return", player="4")
        await desk.post(f"{path}/sit-out", player="3", half="yes")
        await desk.post(f"{path}/pair")
        await desk.post(f"{path}/drop")
        await desk.post(f"{path}/pair")
        await desk.post(f"{path}/publish")
        [pairing] = desk.club.published["table-1"]
        await desk.post(f"{path}/move", pairing=pairing.id, table="table-3")
        assert [p.id for p in desk.club.published["table-3"]] == [pairing.id]
        await desk.refused(409, f"{path}/move", "no table at which", pairing=pairing.id, table="table-77")
        await desk.refused(409, f"{path}/enter", "tick who takes part")
        await desk.refused(404, f"{path}/burn", "Nothing is done to an event at")
        await desk.refused(400, f"{path}/withdraw", "is no player", player="x")


async def test_sitting_out_is_seen_at_the_name_and_under_the_round_and_can_be_taken_back(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        number = desk.club.begin(SWISS, "Anne", "Bart", "Cleo", "Dirk")
        path = f"/arbiter/events/{number}"
        await desk.post(f"{path}/sit-out", player="3", half="yes")
        out = ("Sits out round 1: Cleo.", "sits out round 1 for ½</small></summary>", "Plays round 1 after all")
        await desk.reads(path, *out, lacks=["Cleo cannot play round 1 after all"])
        await desk.reads(f"/events/{number}", "Sits out round 1: Cleo.")
        await desk.post(f"{path}/sit-in", player="3")
        page = await desk.get(path)
        assert "Sits out" not in page.split("<h2>Players</h2>")[0]
        assert "Cleo plays round 1 after all" in page
        await desk.refused(409, f"{path}/sit-in", "Cleo cannot play round 1 after all", player="3")
        await desk.post(f"{path}/sit-out", player="3", half="")
        await desk.post(f"{path}/pair")
        sits_out = '<bdi>Cleo</bdi> <small class="faint">sits out</small>'
        await desk.reads(path, sits_out, lacks=["Sits out round 2"])
        await desk.reads(f"/events/{number}", "Sits out: Cleo.")
        await desk.reads(f"{path}/sheet", "Sits out: Cleo.")


async def test_the_arbiter_sees_the_edition_and_which_places_of_an_older_event_move(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        number = desk.club.begin(ALL_MEET, "Anne", "Bart", "Cleo", "Dirk")
        path = f"/arbiter/events/{number}"
        desk.club.desk.write(number, *all_drawn_but_dirk(None).entries[5:])
        await desk.reads(path, "tie-breaks, edition of 2024", "<bdi>Bart</bdi> 2 → 1.")
        other = desk.club.begin(ALL_MEET, "Eve", "Floor", "Guus", "Hanna")
        await desk.post(f"/arbiter/events/{other}/end")
        assert not desk.club.event(other).keeps_old_places
        desk.club.desk.write(number, Closed())  # by a program of before
        await desk.reads(path, "This event keeps the places it ended with.")
        await desk.reads(f"/events/{number}", "places and tie-breaks stand as they were then")
        await desk.reads(await desk.post("/arbiter/new", 303, **FORM), "tie-breaks, edition of 2026")


async def test_the_overview_shows_who_calls_what_was_refused_and_sets_results_right(tmp_path: Path) -> None:
    async with in_the_first_round(tmp_path, SWISS, "Anne", "Bart") as (desk, _, pairing):
        desk.club.report("table-2", needs=True)
        desk.club.refused.add("table-9", "result", "it is <no> JSON", NOW_S)
        await desk.club.play("table-1", FIRST_WINS, pairing)
        [kept] = desk.club.store.results()
        path = f"/arbiter/results/{kept.outcome.match}"
        await desk.reads("/arbiter", "Somebody is asked to come", "it is &lt;no&gt; JSON", path)
        await desk.refused(400, path, "Say why", winner="1", scores="0 1")
        await desk.refused(400, path, "expected 2 whole numbers", winner="1", scores="0 1 2", why="x")
        await desk.post(path, winner="1", scores="0 : 1", why="the wrong way round")
        assert standings(desk.club.event(1))[0].name == "Bart"
        await desk.reads("/arbiter", "the wrong way round")
        await desk.post(f"/arbiter/results/{'0' * 64}", 404, winner="1", scores="0 1", why="x")
        await desk.post("/arbiter/evening", title="The second")
        await desk.reads("/arbiter", "The second")


async def test_a_call_is_answered_by_one_press_and_only_while_the_table_calls_so(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        desk.club.report("table-2", needs=True, needs_since_s=NOW_S, call="boot 1")
        desk.club.report("table-3", needs=True)  # of an older program
        press = ('action="/arbiter/calls/table-2"', 'name="call" value="boot 1"', "the call is ended at the table")
        await desk.reads("/arbiter", *press, lacks=["/arbiter/calls/table-3"])
        await desk.post("/arbiter/calls/table-2", call="boot 1")
        await desk.reads("/arbiter", "answered; the table was not heard since", lacks=["/arbiter/calls/"])
        desk.club.report("table-2", call="boot 2")
        await desk.reads("/arbiter", 'value="boot 2"')
        for user, call in (("table-2", "boot 1"), ("table-3", ""), ("table-9", "boot 1")):
            await desk.refused(409, f"/arbiter/calls/{user}", "This call is over", call=call)
        assert (await desk.client.post("/arbiter/calls/table-2", data={"call": "boot 2"})).status_code == 403


async def test_the_overview_says_what_of_an_event_waits_for_the_arbiter_and_who_a_correction_is_about(
    tmp_path: Path,
) -> None:
    async with in_the_first_round(tmp_path, replace(SWISS, forfeit_min=10), *NAMES[:4]) as (desk, _, _):
        await desk.reads("/arbiter", lacks=["begun in time"])
        desk.club.at_s += 601
        await desk.reads("/arbiter", "2 matches are not begun in time: say who was not there.")
        first, second = (desk.club.published[f"table-{board}"][0] for board in (1, 2))
        desk.club.report("table-2", pairing=second.id)
        await desk.club.play("table-1", None, first)
        await desk.reads("/arbiter", "1 match is to be looked at: say what counts.", lacks=["begun in time"])
        await desk.club.play("table-2", FIRST_WINS, second)
        [kept] = [kept for kept in desk.club.store.results() if kept.user == "table-2"]
        await desk.post(f"/arbiter/results/{kept.outcome.match}", winner="1", scores="1 : 0", why="the wrong way round")
        one, other = second.seats
        now = f"{one}, {other}: 1 : 0, won by {one}; now 0 : 1, won by {other} (the wrong way round)"
        await desk.reads("/arbiter", now)


@pytest.mark.parametrize(
    ("was", "winner", "scores", "now"),
    [
        (FinalScore(winner=0, scores=(1, 0)), "shared", "1 : 0", FinalScore(winner=None, scores=(0, 0))),
        (FinalScore(winner=None, scores=(0, 0)), "1", "0 : 0", FinalScore(winner=1, scores=(0, 1))),
        (FinalScore(winner=0, scores=(1, 0)), "1", "3 : 5", FinalScore(winner=1, scores=(3, 5))),
        (FinalScore(winner=0, scores=(12, 7)), "1", "12 : 7", FinalScore(winner=1, scores=(12, 7))),
    ],
)
async def test_scores_that_say_who_won_and_nothing_else_go_with_the_winner(
    tmp_path: Path, was: FinalScore, winner: str, scores: str, now: FinalScore
) -> None:
    async with in_the_first_round(tmp_path, SWISS, "Anne", "Bart") as (desk, _, pairing):
        desk.club.tell("table-1", pairing, was)
        [kept] = desk.club.store.results()
        await desk.post(f"/arbiter/results/{kept.outcome.match}", winner=winner, scores=scores, why="x")
        assert desk.club.store.result(kept.outcome.match).ending == now


async def test_players_are_entered_by_a_list_all_of_them_or_none(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        await desk.post("/arbiter/players", name="Anne", rating="1800")
        given, path = "Bart, 1700\n\nCleo, best\n", "/arbiter/players/several"
        refused = await desk.refused(400, path, "Line 3: 'best' is no rating", list=given)
        assert "Bart, 1700" in refused, "what was written is there still"
        await desk.refused(400, path, "expected a name a line", list=" \n")
        await desk.refused(400, path, "it has U+202E (right-to-left override) in it", list="Ba\u202ert")
        persian = "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"
        await desk.post("/arbiter/players", name=persian)
        await desk.post("/arbiter/players/several", list="Bart, 1700\r\n Cleo \r\nAnne, 1\r\nBart\r\n")
        players = {player.name: player.rating for player in desk.club.desk.log.players()}
        assert players == {"Anne": 1800, persian: None, "Bart": 1700, "Cleo": None}


async def test_what_the_arbiter_may_say_of_a_match_names_its_players_and_paper_says_how_it_is_read(
    tmp_path: Path,
) -> None:
    made = replace(SWISS, options={"clock": "5+3"})
    async with in_the_first_round(tmp_path, made, "{Anne}", "Bart") as (desk, path, _):
        won, absent = ">1 : 0, {Anne} won<", ">+ : -, Bart was not there<"
        await desk.reads(path, won, absent, "Captain's Chess, Swiss, 3 rounds, Clock: ")
        await desk.reads(f"{path}/sheet", "+ won, = drawn, - lost, * still open")


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
        ({"game": "chess", "option-white": "dice"}, "pairings of an event give the colours"),
        ({"game": "chess", "option-white": "second"}, "pairings of an event give the colours"),
    ],
)
async def test_an_event_that_cannot_be_made_is_refused_with_a_sentence(
    tmp_path: Path, changed: dict[str, str], words: str
) -> None:
    async with at_the_desk(tmp_path) as desk:
        await desk.refused(400, "/arbiter/new", words, **FORM | changed)
        assert desk.club.desk.events() == []


async def test_a_report_is_read_and_one_that_is_none_is_refused(tmp_path: Path) -> None:
    async with in_the_first_round(tmp_path, SWISS, "Anne", "Bart", "Cleo") as (desk, path, _):
        await desk.club.play_all(SECOND_WINS)
        report = await desk.get(f"{path}/report.trf")
        event = await desk.post("/arbiter/report", game="captains-chess", report=report.replace("\n", "\r\n"))
        assert await desk.get(f"{event}/report.trf") == report
        assert len(desk.club.desk.log.players()) == 3, "the club's own"
        await desk.refused(400, "/arbiter/report", "This is no TRF", game="legend", report="hello")
        given = {"game": "captains-chess", "forfeit_min": "20", "option-clock": "5+3"}
        other = await desk.post("/arbiter/report", report=report, **given)
        made = desk.club.event(int(other.rpartition("/")[2])).made
        assert (made.forfeit_min, made.options) == (20, {"clock": "5+3"})
        given |= {"option-clock": "soon"}
        wrong = await desk.refused(400, "/arbiter/report", "clock", report=report, **given)
        assert "Autumn" in wrong, "what was pasted is there still"


async def test_a_report_with_one_fide_id_for_two_players_is_refused_and_adds_nobody(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        lines = REPORT.splitlines(keepends=True)
        report = "".join(line[:57] + "    4100018" + line[68:] if line.startswith("001") else line for line in lines)
        words = "Zora has the number 4100018 already"
        await desk.refused(400, "/arbiter/report", words, game="captains-chess", report=report)
        assert (desk.club.desk.log.players(), desk.club.desk.events()) == ([], [])


async def test_nobody_is_offered_to_enter_a_round_robin_that_has_begun(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        number = desk.club.begin(ALL_MEET, *NAMES)
        desk.club.desk.log.add_player("Zoe", None)
        await desk.reads(f"/arbiter/events/{number}", 'id="enter"', "take part")
        await desk.post(f"/arbiter/events/{number}/pair")
        await desk.reads(f"/arbiter/events/{number}", lacks=['id="enter"'])


async def test_players_are_set_right_and_no_name_comes_twice(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        await desk.post("/arbiter/players", name="  Anne   Bonny ", rating="1800")
        await desk.refused(409, "/arbiter/players", "is on the list already", name="Anne Bonny")
        await desk.post("/arbiter/players", 400, name="x" * 41)
        await desk.post("/arbiter/players", 400, name="Bart", rating="best")
        await desk.post("/arbiter/players/1", name="Anne", rating="1850")
        assert [(player.name, player.rating) for player in desk.club.desk.log.players()] == [("Anne", 1850)]
        await desk.refused(400, "/arbiter/players/1", "is no FIDE ID", name="Anna", fide_id="none")
        await desk.post("/arbiter/players/9", 404, name="Nobody")
        await desk.get("/arbiter/events/9", 404)
        await desk.get("/arbiter/events/x", 404)


async def test_a_name_set_right_is_offered_to_the_events_that_go_on(tmp_path: Path) -> None:
    async with in_the_first_round(tmp_path, SWISS, "Ann", "Bart") as (desk, path, _):
        assert await desk.post("/arbiter/players/1", name="Anne", rating="1850") == "/arbiter/players?of=1#player-1"
        await desk.reads("/arbiter/players?of=1", "goes on with <bdi>Ann</bdi>, 2000", "Set right there too")
        await desk.post("/arbiter/players/1/carry", event="1")
        await desk.reads(path, "Ann, rated 2000 is set right: Anne, rated 1850")
        for page in (path, "/events/1", "/arbiter/events/1/report.trf"):
            await desk.reads(page, "Anne")
        await desk.reads("/arbiter/players?of=1", lacks=["Set right there too"])
        assert "Anne" in desk.club.published["table-1"][0].seats
        await desk.post("/arbiter/players/2", name="Ann", rating="")
        await desk.refused(409, "/arbiter/players/2/carry", "is, or was, another player", event="1")
        await desk.post(f"{path}/end")
        await desk.reads("/arbiter/players", lacks=["Set right there too"])


async def test_two_members_of_one_name_are_told_apart_by_a_number(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        await desk.post("/arbiter/players", name="Ann", rating="1900")
        again = await desk.refused(409, "/arbiter/players", "Ann is on the list already", name="Ann", rating="1800")
        assert "This is another member of the same name" in again
        await desk.post("/arbiter/players", name="Ann", rating="1800", another="yes")
        await desk.post("/arbiter/players/2", name="Ann", rating="1810", club_number="17", fide_id="1503014")
        await desk.reads("/arbiter/players", "<bdi>Ann</bdi>", "<bdi>Ann (2)</bdi>", "FIDE <bdi>1503014</bdi>")
        await desk.refused(400, "/arbiter/players/2", "is no FIDE ID", name="Ann", fide_id="N-4")
        number = desk.club.begin(SWISS, "Ann", "Ann (2)")
        await desk.club.pair(number)
        assert sorted(desk.club.published["table-1"][0].seats) == ["Ann", "Ann (2)"]
        report = await desk.get(f"/arbiter/events/{number}/report.trf")
        assert [line[14:68].split() for line in report.splitlines() if line.startswith("001")] == [
            ["Ann", "1900"],
            ["Ann", "(2)", "1810", "1503014"],
        ]
        await desk.post("/arbiter/players/2", name="Anna", rating="1810", fide_id="1503014")
        event = await desk.post("/arbiter/report", game="captains-chess", report=report)
        entrants = desk.club.event(int(event.rpartition("/")[2])).entrants
        assert [entrant.name for entrant in entrants.values()] == ["Ann", "Anna"], "found by the FIDE ID"
        twice = report.replace("Ann (2)", "Ann    ").replace("1503014", "1503099")
        other = await desk.post("/arbiter/report", game="captains-chess", report=twice)
        assert [entrant.name for entrant in desk.club.event(int(other.rpartition("/")[2])).entrants.values()] == [
            "Ann",
            "Ann (2)",
        ]


async def test_a_list_of_ratings_is_shown_before_it_changes_any(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        for name in ("Anne Bonny", "Zo\u00eb", "Bart", "Bart"):
            await desk.post(
                "/arbiter/players", name=name, rating="1800", another="yes", fide_id="42" * (name == "Zo\u00eb")
            )
        lines = 'name;rating|"ANNE  Bonny";1850|Zoe\u0308;1790|42;1800|Bart;1700|Bart (4);1701|Cleo;5||Anne Bonny;4000'
        text = lines.replace("|", "\n")
        page = await desk.post("/arbiter/players/ratings", 200, list=text)
        for words in (
            "<td>1800</td><td>1850</td>",
            "<td>1800</td><td>1790</td>",
            "Line 1: &#39;rating&#39; is no rating",
            "Line 4: Zo\u00eb is there already: the first line counts",
            "Line 5: &#39;Bart&#39; is more than one on the list",
            "Line 7: &#39;Cleo&#39; is nobody on the list",
            "Line 9: &#39;4000&#39; is no rating",
            "Apply 3 changes",
        ):
            assert words in page
        assert {player.rating for player in desk.club.desk.log.players()} == {1800}
        await desk.post("/arbiter/players/ratings", list=text, apply="yes")
        rated = {player.name: player.rating for player in desk.club.desk.log.players()}
        assert rated == {"Anne Bonny": 1850, "Bart": 1800, "Bart (4)": 1701, "Zo\u00eb": 1790}
        await desk.refused(400, "/arbiter/players/ratings", "The list cannot be read", list="x" * (1 << 17) + "x;1")


async def test_a_member_is_forgotten_once_the_name_is_typed(tmp_path: Path) -> None:
    async with in_the_first_round(tmp_path, SWISS, "Guinevere", "Bart") as (desk, path, pairing):
        address = "/arbiter/players/1/forget"
        await desk.reads("/arbiter/players", f'href="{address}"')
        await desk.reads(
            address, "former member 1", "Autumn &amp; Co</bdi>, which goes on", "What is not covered", "journalctl"
        )
        await desk.refused(409, address, "Nothing was changed: 'Bart' is another name", name="Bart")
        assert pairing in desk.club.published["table-1"]
        assert await desk.post(address, name="Guinevere") == "/arbiter/players"
        assert "former member 1" in desk.club.published["table-1"][0].seats
        for page in ("/arbiter/players", path, "/events/1", "/", "/arbiter"):
            await desk.reads(page, lacks=["Guinevere"])
        await desk.reads(address, "The name that came again")
        await desk.post(address, name="Guinevere")
        await desk.get("/arbiter/players/9/forget", 404)
        await desk.post("/arbiter/players/9/forget", 404, name="Guinevere")


async def prepared(club: EventClub) -> None:
    """Let a club play a round of each kind."""
    await club.settled()
    swiss, groups = club.begin(SWISS, *NAMES), club.begin(GROUPS, *NAMES)
    await club.pair(swiss)
    await club.play("table-2", None)
    await club.pair(groups)
    club.report("table-2", needs=True, needs_since_s=NOW_S, call="boot 1")
    club.report("table-3", needs=True, title="The long table by the window to the sea")


@pytest.mark.browser
def test_results_come_onto_the_page_by_themselves_and_every_page_can_be_used_by_everybody(
    visitor: Visitor, tmp_path: Path
) -> None:
    with served(EventClub(tmp_path, 4), prepare=prepared) as place:
        page = visitor.open(place.address, viewport={"width": 360, "height": 740})
        for path in (
            "",
            "/players?of=1",
            "/players/1/forget",
            "/new?game=swashbuckle",
            "/report",
            "/login",
            "/events/1/sheet",
            "/events/1",
        ):
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
