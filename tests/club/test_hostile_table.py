"""A table that lies: after two clicks of the arbiter the club is as it would be without it; nothing honest is lost."""

import asyncio
import base64
import random
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import httpx
import pytest
from msgspec import structs

from captains_table.club import service
from captains_table.club.events.entries import Made, System
from captains_table.club.pages.app import create_app
from captains_table.club.pages.club_pages import club_renderer
from captains_table.club.pages.programme import Programme
from captains_table.club.pages.wall import Wall, WallViewKey
from captains_table.club.pages.wall_layout import BrowserWindow
from captains_table.club.pages.words import time_of_day
from captains_table.club.proof_worker import proof_of
from captains_table.club.season.proving import Finding
from captains_table.club.service import ClubService
from captains_table.club.store import store as store_module
from captains_table.club.store.schema import STEPS, open_store
from captains_table.club.store.store import FILE, MOST_BYTES_OF_TABLE, Proof, Store, StoredResult
from captains_table.games.contract import EventKind, GameEvent
from captains_table.reporting.messages import (
    ArbiterCall,
    FinalScore,
    MatchReport,
    Message,
    Presence,
    Status,
    ViewMessage,
    encode,
)
from captains_table.reporting.table_view import spectator_view
from captains_table.table.model.view import Phase, View
from captains_table.web.reach import PageReach
from captains_table.web.serving.guests import Guests
from tests.club.club_tables import arrival, outcome
from tests.club.event_club import AS_ARBITER, FIRST_WINS, NOW_S, PAGE, TOKEN, EventClub, opened
from tests.club.recorded_matches import recorded

if TYPE_CHECKING:
    from captains_table.club.result_storage import StoreThread

Done = TypeVar("Done")
BEGAN_S = NOW_S - NOW_S % 60
LIAR = "table-5"
MADE = Made(title="All meet", game="captains-chess", system=System.ROUND_ROBIN, rounds=1)
KING = GameEvent(EventKind.KING, None, 6, "Anne captures the king")


class SameThread:
    """Does at once, on the club's own connection, what a thread of its own does otherwise."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def do(self, work: Callable[[Store], Done]) -> Done:
        return work(self._store)


class HeardClub(EventClub):
    """A club with five tables whose messages arrive as from a broker, in the club's own time.

    Attributes:
        acknowledged: what was acknowledged, by table.
    """

    view = ClubService.view

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.at_s = BEGAN_S - 3600
        self.acknowledged: list[tuple[str, str, int]] = []
        self._speaker.acknowledge = lambda *told: self.acknowledged.append(told)  # type: ignore[method-assign]
        self.wall = Wall(self, Programme(self.desk), club_renderer(self), Guests(), PageReach("127.0.0.1", 0))

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        thread = cast("StoreThread", SameThread(self.store))
        work = (self._take_seen(), self._take_results(thread), self._prove(thread), self.desk.run())
        working = [asyncio.ensure_future(each) for each in work]
        try:
            yield
        finally:
            for each in working:
                each.cancel()
            await asyncio.wait(working)
            assert [each.exception() for each in working if not each.cancelled()] == []
            assert self.failures == []

    async def hear(self, user: str, *messages: Message) -> None:
        """Let messages arrive of a table, and all be done that comes of them."""
        for message in messages:
            found = arrival(user, message)
            self._receive(str(found.topic), found.payload, False)  # noqa: FBT003 - as the line passes it on
        await self.settled()

    def news(self) -> list[tuple[str, str]]:
        """Return what the wall tells, and of which table."""
        self.wall.fragments(WallViewKey(BrowserWindow()))
        return [(line.user, line.words) for line in self.wall._news.latest(self.wall._is_hidden)]


@pytest.fixture(autouse=True)
def proves_here(monkeypatch: pytest.MonkeyPatch) -> None:
    async def prove(outcome: MatchReport, export: bytes) -> Finding:
        return proof_of(outcome, export)

    monkeypatch.setattr(service, "prove_in_worker", prove)


def iso(at_s: float) -> str:
    return datetime.fromtimestamp(at_s, UTC).isoformat()


def casual(name: str, ended_s: float, *, lasted_s: float = 100, **more: Any) -> MatchReport:  # noqa: ANN401 - any field
    """Return the result of a match that no event knows, with its own seal and times."""
    times = {"began": iso(ended_s - lasted_s), "ended": iso(ended_s)}
    return outcome(sha256(name.encode()).hexdigest(), **({"game": "ship-captain-crew"} | times | more))


def shown(n: int, match: str, *events: GameEvent) -> ViewMessage:
    """Return a view of a match in which something has just happened."""
    view = View(phase=Phase.PLAYING, game="legend", heading=f"Turn {n}", latest_events=events)
    return ViewMessage(boot="boot", n=n, match=match, view=spectator_view(view))


async def honest(club: HeardClub, minute: int) -> None:
    """Let the honest tables do what they do in a minute of the evening."""
    match minute:
        case 1 | 4:
            await club.hear("table-3", casual(f"honest {minute}", club.at_s, scores=(20 + minute, 3)))
        case 2 | 3:
            await club.hear("table-4", shown(minute, "ab" * 32, *(KING,) * (minute - 2)))
        case 5:
            await club.hear("table-4", recorded("ship-captain-crew"))
        case 6 | 7:
            user = f"table-{minute - 5}"
            [pairing] = club.published[user]
            told = casual(user, club.at_s, game=pairing.game, seats=pairing.seats, pairing=pairing.id)
            await club.hear(user, structs.replace(told, ending=FIRST_WINS))
        case 8:
            await club.hear("table-3", casual("honest 8", club.at_s, scores=(30, 3)))


async def lie(club: HeardClub, second: int, luck: random.Random) -> None:
    """Let the liar say whatever a table with its own password can say."""
    pairings = [each.id for offered in club.published.values() for each in offered]
    ended_s = club.at_s - luck.choice([0, 0, 60 * second, 1e6])
    lies: dict[str, Any] = {
        "scores": (luck.randint(1, 10**9 - 1), 0),
        "seats": luck.choice([("Anne", "Bart"), ("Cleo", "Dirk")]),
        "game": luck.choice(["ship-captain-crew", "legend", "swashbuckle"]),
        "pairing": luck.choice(["", *pairings]),
        "lasted_s": luck.choice([0, 1, 600, 86_400]),
        "export": base64.b64encode(luck.randbytes(luck.choice([0, 50, 4000]))).decode(),
    }
    invented = casual(f"lie {second}", ended_s, **lies)
    revised = casual("told before", club.at_s, rev=2 + second % 60, scores=(9_000 + second, 1))
    forged = structs.replace(recorded("legend"), match=sha256(b"honest 8").hexdigest(), export="")
    await club.hear(LIAR, Status(state=Presence.READY, board=1, title="Table 1"), ArbiterCall(arbiter=True, call="c"))
    await club.hear(LIAR, shown(1000 + second, "cd" * 32, replace(KING, words=f"Lie {second}")))
    await club.hear(LIAR, invented, luck.choice([revised, forged, recorded("legend")]))


@asynccontextmanager
async def evening(folder: Path) -> AsyncIterator[tuple[HeardClub, httpx.AsyncClient]]:
    """Yield a club of five named tables with an event whose round is published, and the arbiter's browser."""
    folder.mkdir()  # noqa: ASYNC240 - nothing else goes on
    club = HeardClub(folder)
    app = create_app(club, Programme(club.desk), token=TOKEN)
    transport = httpx.ASGITransport(app=app)
    async with club.listening(), httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        for number in range(1, 6):
            await club.hear(f"table-{number}", Status(state=Presence.READY, board=number, title=f"Table {number}"))
            club.name_table(f"table-{number}", number, f"Table {number}")
        number = club.begin(MADE, "Anne", "Bart", "Cleo", "Dirk")
        await club.pair(number)
        await club.hear(LIAR, casual("told before", club.at_s, scores=(7, 5)))
        club.at_s = BEGAN_S
        yield club, client
    club.store.close()


async def seen(club: HeardClub, client: httpx.AsyncClient) -> Mapping[str, object]:
    """Return what everybody sees of the evening, the halls, the event and the news."""
    games = ("captains-chess", "ship-captain-crew", "legend", "swashbuckle")
    paths = ("/evenings/1", "/events/1", "/players?name=Anne", *(f"/hall/{game}" for game in games))
    pages = {path: (await client.get(path, headers=PAGE)).text for path in paths}
    return {**pages, "news": club.news()}


async def post(client: httpx.AsyncClient, path: str, **fields: str) -> None:
    answer = await client.post(path, data=fields, headers=AS_ARBITER)
    assert answer.status_code == 303, answer.text


@pytest.mark.parametrize("mutes_first", [True, False])
async def test_after_ten_minutes_of_lies_and_two_clicks_the_evening_is_as_without_them(
    tmp_path: Path,
    mutes_first: bool,  # noqa: FBT001 - a case
) -> None:
    async with evening(tmp_path / "honest") as (club, client):
        for minute in range(10):
            club.at_s = BEGAN_S + 60 * minute
            await honest(club, minute)
        expected = await seen(club, client)
        assert ("table-4", "Anne captures the king") in club.news()
        assert [words for user, words in club.news() if "best score" in words] == [
            "Anne has the best score of the evening at Ship, Captain and Crew: 30",
            "Anne has the best score of the evening at Ship, Captain and Crew: 24",
            "Anne has the best score of the evening at Ship, Captain and Crew: 21",
        ]
    luck = random.Random(5)
    async with evening(tmp_path / "lies") as (club, client):
        for second in range(0, 600, 4):
            club.at_s = BEGAN_S + second
            if second % 60 == 0:
                await honest(club, second // 60)
            await lie(club, second, luck)
        assert await seen(club, client) != expected
        since = time_of_day(BEGAN_S)
        if mutes_first:
            await post(client, "/arbiter/listen", table=LIAR)
            await post(client, "/arbiter/strike", table=LIAR, since=since, why="it lies", proven="yes")
        else:
            await post(client, "/arbiter/strike", table=LIAR, since=since, why="it lies", proven="yes", mute="yes")
        # The honest table tells its result again until it is acknowledged.
        await club.hear("table-3", casual("honest 8", BEGAN_S + 480, scores=(30, 3)))
        for second in range(600, 640, 4):
            club.at_s = BEGAN_S + second
            await lie(club, second, luck)
        assert await seen(club, client) == expected


async def test_a_strike_shows_first_what_it_concerns_is_logged_and_can_be_taken_back(tmp_path: Path) -> None:
    async with evening(tmp_path / "club") as (club, client):
        for minute in (1, 4, 5, 6):
            club.at_s = BEGAN_S + 60 * minute
            await honest(club, minute)
        await club.hear("table-4", casual("another", club.at_s))
        before, since = await seen(club, client), time_of_day(BEGAN_S)
        preview = f"/arbiter/strike?table=table-4&since={since}"
        page = (await client.get(preview, headers=AS_ARBITER)).text
        assert "1 report of user table-4 would count nowhere" in page
        assert "Exempt: 1 proven" in page
        page = (await client.get(preview.replace("-4", "-1"), headers=AS_ARBITER)).text
        assert "0 reports of user table-1" in page
        assert "Exempt: 1 of events" in page
        await post(client, "/arbiter/strike", table="table-4", since=since, why="a prank")
        assert [each.user for each in club.store.results()] == [LIAR, "table-3", "table-3", "table-4", "table-1"]
        assert not any("another" in str(line) for line in club.news())
        assert len(club.news()) == len(cast("list[object]", before["news"])) - 1
        page = (await client.get("/arbiter", headers=AS_ARBITER)).text
        assert "1 report (a prank)" in page
        await club.hear("table-4", casual("another", BEGAN_S + 360))
        assert len(club.store.results()) == 5, "what is struck is not stored by being told again"
        assert club.acknowledged[-1][0] == "table-4"
        await post(client, "/arbiter/strikes/1/back")
        assert await seen(club, client) == before
        assert "taken back at" in (await client.get("/arbiter", headers=AS_ARBITER)).text
        assert (await client.post("/arbiter/strikes/1/back", headers=AS_ARBITER)).status_code == 404


@pytest.mark.parametrize(
    ("fields", "status", "words"),
    [
        ({"table": "table-9"}, 404, "No such table has reported here"),
        ({"since": "25:00"}, 400, "is no time of day: expected one such as 21:04"),
        ({"since": ""}, 400, "is no time of day"),
        ({"why": " "}, 400, "Say why"),
    ],
)
async def test_a_strike_that_cannot_be_read_is_refused_in_words(
    tmp_path: Path, fields: Mapping[str, str], status: int, words: str
) -> None:
    async with evening(tmp_path / "club") as (club, client):
        sent = {"table": LIAR, "since": "00:00", "why": "it lies", **fields}
        answer = await client.post("/arbiter/strike", data=sent, headers=AS_ARBITER)
        assert answer.status_code == status
        assert words in answer.text
        assert len(club.store.results()) == 1


async def test_a_muted_table_is_not_acknowledged_so_that_its_results_come_when_it_is_listened_to(
    tmp_path: Path,
) -> None:
    async with evening(tmp_path / "club") as (club, client):
        await club.hear(LIAR, shown(1, "cd" * 32), ArbiterCall(arbiter=True, call="c"))
        await post(client, "/arbiter/listen", table=LIAR)
        assert "Not listened to" in "".join(club.wall.fragments(WallViewKey(BrowserWindow())).values())
        told = casual("meanwhile", club.at_s)
        acknowledged = len(club.acknowledged)
        await club.hear(LIAR, told, shown(2, "ef" * 32))
        assert (club.table(LIAR).glance, club.table(LIAR).needs) == (None, False)
        assert (len(club.store.results()), len(club.acknowledged)) == (1, acknowledged)
        with opened(tmp_path / "club", tables=0) as restarted:
            assert restarted.table(LIAR).is_muted, "after a restart too"
        await post(client, "/arbiter/listen", table=LIAR, listen="yes")
        await club.hear(LIAR, told, shown(3, "ef" * 32))
        assert (len(club.store.results()), club.acknowledged[-1][1]) == (2, told.match)
        assert club.table(LIAR).match == "ef" * 32


async def test_matches_that_overlap_in_their_tables_own_times_stay_off_wall_and_halls_until_they_are_taken(
    tmp_path: Path,
) -> None:
    async with evening(tmp_path / "club") as (club, client):
        hall = "/hall/ship-captain-crew"
        alone = (await client.get(hall, headers=PAGE)).text
        first, second = casual("one", club.at_s), casual("two", club.at_s - 50, scores=(99, 1))
        await club.hear("table-3", first, second, casual("long before", club.at_s - 900))
        await club.hear("table-4", casual("elsewhere", club.at_s))
        held = [each.outcome.match for each in club.store.results() if each.is_held]
        assert held == [first.match, second.match]
        assert sorted(user for user, words in club.news() if "beats" in words) == ["table-3", "table-4", LIAR]
        assert "<td>99</td>" not in alone
        assert "<td>99</td>" not in (await client.get(hall, headers=PAGE)).text
        page = (await client.get("/evenings/1", headers=PAGE)).text
        assert page.count("not counted: it overlaps another match of its table") == 2
        await post(client, "/arbiter/overlapping", match=second.match)
        assert ("table-3", "Anne beats Bart 99 to 1 at Ship, Captain and Crew") in club.news()
        assert "<td>99</td>" in (await client.get(hall, headers=PAGE)).text
        assert [each.outcome.match for each in club.store.results() if each.is_held] == [first.match]
        await post(client, "/arbiter/overlapping", table="table-3")
        assert not any(each.is_held for each in club.store.results())


async def test_proven_matches_and_those_of_events_are_not_held_for_overlapping_others(tmp_path: Path) -> None:
    async with evening(tmp_path / "club") as (club, _):
        proven = recorded("ship-captain-crew")
        ended_s = datetime.fromisoformat(proven.ended).timestamp()
        await club.hear("table-4", proven, casual("beside it", ended_s + 1))
        [pairing] = club.published["table-1"]
        told = casual("of an event", club.at_s, seats=pairing.seats, pairing=pairing.id)
        await club.hear("table-1", told, casual("beside it too", club.at_s))
        held = {each.outcome.match for each in club.store.results() if each.is_held}
        assert held == {casual("beside it", 0).match, casual("beside it too", 0).match}


async def test_an_export_beyond_the_budget_is_dropped_and_its_result_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "MOST_BYTES_OF_TABLE", 9_000)
    monkeypatch.setattr(store_module, "MOST_BYTES", 13_000)
    assert MOST_BYTES_OF_TABLE > 9_000
    junk = base64.b64encode(bytes(4000)).decode()
    async with evening(tmp_path / "club") as (club, _):
        tellings = [casual(f"junk {number}", club.at_s - 400 * number, export=junk) for number in range(3)]
        await club.hear("table-3", *tellings, recorded("ship-captain-crew"))

        def proof(told: MatchReport) -> StoredResult:
            return club.store.result(told.match)

        assert [proof(told).proof for told in tellings] == [Proof.FAILED, Proof.FAILED, Proof.NONE]
        assert "its export of 4,000 bytes was not kept: of this table there are 8,000" in proof(tellings[2]).proof_words
        assert club.store.export(tellings[2].match) == b""
        told = recorded("ship-captain-crew").match
        assert club.store.result(told).proof is Proof.PROVEN, "there was room for an honest match"
        acknowledged = len(club.acknowledged)
        await club.hear("table-3", tellings[2])
        assert len(club.acknowledged) == acknowledged + 1, "the same told again is not refused"
        await club.hear("table-4", casual("junk of another", club.at_s, export=junk))
        await club.hear("table-4", last := casual("more junk", club.at_s - 400, export=junk))
        assert "of all tables there are 12,000" in proof(last).proof_words
        [pairing] = club.published["table-1"]
        of_event = casual("of an event", club.at_s, seats=pairing.seats, pairing=pairing.id, export=junk)
        await club.hear("table-1", of_event)
        assert proof(of_event).proof is Proof.FAILED, "events are exempt: its export came to be verified"


def test_what_another_table_has_told_since_is_not_displaced_by_a_strike_that_is_taken_back(tmp_path: Path) -> None:
    with opened(tmp_path / "club") as club:
        forged, own = casual("the same", NOW_S, scores=(1, 9)), casual("own", NOW_S)
        for told in (forged, own):
            club.store.add_result(LIAR, told, b"", NOW_S)
        club.strike(club.store.results(), LIAR, NOW_S, "it lies")
        club.store.add_result("table-3", told := casual("the same", NOW_S), b"", NOW_S)
        club.take_back(1)
        assert [(each.user, each.outcome) for each in club.store.results()] == [(LIAR, own), ("table-3", told)]
        club.delete_evening(1)
        assert not club.strikes
        assert club.store.database.execute("SELECT count(*) FROM struck_results").fetchone() == (0,)


def test_who_is_forgotten_is_forgotten_in_what_was_struck_too(tmp_path: Path) -> None:
    with opened(tmp_path / "club") as club:
        number = club.desk.log.add_player("Anne", None).number
        club.store.add_result(LIAR, casual("a lie", NOW_S), b"of Anne", NOW_S)
        club.strike(club.store.results(), LIAR, NOW_S, "Anne was not there")
        club.forget_member(number, "Anne")
        assert [strike.why for strike in club.strikes] == [f"former member {number} was not there"]
        club.take_back(1)
        [result] = club.store.results()
        assert result.outcome.seats == (f"former member {number}", "Bart")
        assert (club.store.export(result.outcome.match), result.proof) == (b"", Proof.NONE)


def test_a_file_of_before_strikes_is_gone_on_with(tmp_path: Path) -> None:
    database = open_store(tmp_path / FILE, STEPS[:7])
    database.execute("INSERT INTO evenings (title, began_s) VALUES ('before', 0)")
    database.executemany(
        "INSERT INTO results (evening, match, rev, user, pairing, outcome, export, received_s, proof)"
        " VALUES (1, ?, 1, 'table-1', '', ?, x'', 0, 'none')",
        [(told.match, encode(told)) for told in (casual("one", NOW_S), casual("two", NOW_S))],
    )
    database.close()
    with closing(Store(tmp_path)) as store:
        assert [each.is_held for each in store.results()] == [False, False], "times of before are not known"


def test_junk_delays_the_verification_of_no_other_table(tmp_path: Path) -> None:
    with opened(tmp_path / "club") as club:
        for number in range(3):
            club.store.add_result(LIAR, casual(f"junk {number}", NOW_S - 400 * number), b"junk", NOW_S)
        club.store.note_proof(1, "junk")
        club.store.add_result("table-3", casual("honest", NOW_S), b"honest", NOW_S)
        waiting = club.store.to_prove()
        assert waiting is not None
        assert waiting[2] == b"honest"


async def test_a_tables_number_and_name_are_the_clubs_to_give_and_two_of_one_name_are_told_apart(
    tmp_path: Path,
) -> None:
    async with evening(tmp_path / "club") as (club, client):
        for number in range(1, 6):
            club.name_table(f"table-{number}", 0, "")
        await club.hear(LIAR, Status(state=Presence.READY, board=1, title="Table 3"))
        names = {table.user: (table.numbered, table.title) for table in club.tables.all()}
        assert names == {
            "table-1": ("1 (table-1)", "Table 1 (table-1)"),
            "table-2": ("2", "Table 2"),
            "table-3": ("3 (table-3)", "Table 3 (table-3)"),
            "table-4": ("4", "Table 4"),
            LIAR: ("1 (table-5)", "Table 3 (table-5)"),
        }
        await post(client, "/arbiter/tables/table-1", board="1", title="By the door")
        await post(client, "/arbiter/tables/table-3", board="3", title="Table 3")
        assert (club.table("table-1").numbered, club.table("table-1").title) == ("1", "By the door")
        assert club.table("table-3").numbered == "3", "what the club gave stands without a user"
        assert club.table(LIAR).numbered == "1 (table-5)"
        await club.hear("table-1", Status(state=Presence.READY, board=9, title="T9"))
        assert (club.table("table-1").board, club.table("table-1").said_title) == (1, "T9")
        for fields in ({"board": "1"}, {"title": "By the door"}):
            answer = await client.post(f"/arbiter/tables/{LIAR}", data=fields, headers=AS_ARBITER)
            assert answer.status_code == 409
            assert "Another table has this number or name" in answer.text
        for wrong in ({"board": "x"}, {"board": "10000"}, {"title": "x" * 65}):
            assert (await client.post(f"/arbiter/tables/{LIAR}", data=wrong, headers=AS_ARBITER)).status_code == 400
        await post(client, f"/arbiter/tables/{LIAR}", board="5", title="")
        assert club.table(LIAR).numbered == "5 (table-5)"
        with opened(tmp_path / "club", tables=0) as restarted:
            assert restarted.table("table-1").title == "By the door"


async def test_a_score_or_result_out_of_bounds_is_refused_in_words(tmp_path: Path) -> None:
    async with evening(tmp_path / "club") as (club, _):
        await club.hear("table-3", casual("large", club.at_s, scores=(10**400, 0)))
        await club.hear("table-3", casual("long", club.at_s, options={f"o{n}": "x" * 4000 for n in range(10)}))
        await club.hear("table-3", casual("least", club.at_s, ending=FinalScore(winner=0, scores=(0, -999_999_999))))
        [refused] = club.refused.counts()
        assert [each.words.split(": expected")[0] for each in refused.last] == [
            "a score of more than 9 digits",
            "40,378 bytes of result without its export",
        ]
        assert len(club.store.results()) == 2
