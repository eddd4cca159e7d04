"""The broadcast of an event of chess, as a program reads it that polls it."""

import io
import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import chess.pgn
import httpx

from captains_table.club.events.entries import Made, Ruled, System
from captains_table.club.season.season import ProvenMatch
from captains_table.games.contract import Pick
from captains_table.reporting.messages import PlayedMove
from captains_table.table.history.export import export_json
from captains_table.table.model.entries import Acted, Advised, ClockWentOn, Entry, MatchEnded, MatchStarted
from tests.club.event_club import FIRST_WINS, EventClub, pages_of_events

OPEN = Made(title='Autumn "Open"', game="chess", system=System.SWISS, rounds=3, options={"clock": "5+3"}, place="Hoorn")
NAMES = ("Anne", "Bart", "Cleo", "Zoë", "Eve", "Floor", "Guus", "Hein")
MOVES = ("e2e4", "e7e5", "g1f3", "b8c6")
SAN = ["e4", "e5", "Nf3", "Nc6"]


async def games_of(guest: httpx.AsyncClient, number: int, query: str = "") -> list[chess.pgn.Game]:
    answer = await guest.get(f"/live/{number}.pgn{query}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-chess-pgn; charset=utf-8"
    file, games = io.StringIO(answer.content.decode("utf-8")), []
    while (game := chess.pgn.read_game(file)) is not None:
        assert game.errors == []
        games.append(game)
    return games


def sans(game: chess.pgn.Game) -> list[str]:
    return [node.san() for node in game.mainline()]


def show(club: EventClub, user: str, *moves: str, at_s: Sequence[int] = (), clock_s: int | None = 300) -> None:
    """Let a table show so many moves of its paired match; at such times of its clock, or a second apart."""
    pairing = club.published[user][0].id
    seal = sha256(f"{pairing} {user}".encode()).hexdigest()
    times = at_s or range(1, len(moves) + 1)
    played = tuple(PlayedMove(id_, second, clock_s) for id_, second in zip(moves, times, strict=True))
    club.report(user, pairing=pairing, match=seal, moves=played)


async def test_all_boards_stand_there_from_the_start_with_tags_that_stay(tmp_path: Path) -> None:
    async with pages_of_events(tmp_path, 4) as (club, guest):
        number = club.begin(OPEN, *NAMES)
        assert (await guest.get(f"/live/{number}.pgn")).status_code == 404
        await club.pair(number)
        before = await games_of(guest, number)
        assert [game.headers["Board"] for game in before] == ["1", "2", "3", "4"]
        assert [game.headers["Round"] for game in before] == ["1.1", "1.2", "1.3", "1.4"]
        assert {(game.headers["Result"], len(sans(game))) for game in before} == {("*", 0)}
        first = before[0].headers
        assert (first["Event"], first["Site"], first["TimeControl"]) == ("Autumn 'Open'", "Hoorn", "300+3")
        assert (first["White"], first["WhiteElo"], first["GameId"]) == ("Anne", "2000", club.published["table-1"][0].id)
        show(club, "table-1", *MOVES)
        club.at_s += 16 * 60
        after = await games_of(guest, number)
        assert sans(after[0]) == SAN
        assert (await guest.get(f"/live/{number}.pgn")).text.count("[%clk 0:05:00]") == len(SAN)
        assert [node.clock() for node in after[0].mainline()] == [300.0] * 4
        assert [dict(game.headers) for game in after] == [dict(game.headers) for game in before]
        assert "Zoë" in {name for game in after for name in (game.headers["White"], game.headers["Black"])}


async def test_no_move_is_shown_before_its_time(tmp_path: Path) -> None:
    async with pages_of_events(tmp_path, 4) as (club, guest):
        number = club.begin(OPEN, *NAMES)
        await club.pair(number)
        counts = []
        for minute in range(22):
            if minute < len(MOVES):
                show(club, "table-1", *MOVES[: minute + 1])
            counts.append(len(sans((await games_of(guest, number))[0])))
            club.at_s += 60
        assert counts == [0] * 15 + [1, 2, 3, 4, 4, 4, 4]


async def test_after_a_restart_of_the_server_moves_are_as_old_as_the_table_says(tmp_path: Path) -> None:
    async with pages_of_events(tmp_path, 4) as (club, guest):
        number = club.begin(OPEN, *NAMES)
        await club.pair(number)
        show(club, "table-1", *MOVES, at_s=(10, 600, 1_000, 1_600))
        assert sans((await games_of(guest, number))[0]) == SAN[:2]
        club.at_s += 6 * 60
        assert sans((await games_of(guest, number))[0]) == SAN[:3]


async def test_a_move_taken_back_vanishes_and_the_next_one_waits_its_time(tmp_path: Path) -> None:
    async with pages_of_events(tmp_path, 4) as (club, guest):
        number = club.begin(OPEN, *NAMES)
        await club.pair(number)
        show(club, "table-1", "e2e4", "e7e5")
        club.at_s += 15 * 60 + 1
        show(club, "table-1", "e2e4", "c7c5", at_s=(1, 900))
        assert sans((await games_of(guest, number))[0]) == ["e4"]
        club.at_s += 15 * 60 + 1
        assert sans((await games_of(guest, number))[0]) == ["e4", "c5"]


async def test_a_table_that_sends_nonsense_spoils_no_other_game(tmp_path: Path) -> None:
    async with pages_of_events(tmp_path, 4) as (club, guest):
        number = club.begin(OPEN, *NAMES)
        await club.pair(number)
        show(club, "table-1", "e2e5")
        show(club, "table-2", *MOVES)
        club.report("table-3", pairing=club.published["table-4"][0].id, match="ab" * 32, moves=(PlayedMove("e2e4", 1),))
        club.report("table-4", pairing=club.published["table-4"][0].id, match="ab" * 32, start="x", moves=())
        club.at_s += 3600
        assert [len(sans(game)) for game in await games_of(guest, number)] == [0, 4, 0, 0]


async def test_what_has_not_changed_is_not_sent_again(tmp_path: Path) -> None:
    async with pages_of_events(tmp_path, 4) as (club, guest):
        number = club.begin(OPEN, *NAMES)
        await club.pair(number)
        tag = (await guest.get(f"/live/{number}.pgn")).headers["etag"]
        for asked in (tag, f'"x", W/{tag}'):
            again = await guest.get(f"/live/{number}.pgn", headers={"If-None-Match": asked})
            assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        show(club, "table-1", *MOVES)
        club.at_s += 3600
        assert (await guest.get(f"/live/{number}.pgn", headers={"If-None-Match": tag})).status_code == 200


async def test_a_result_comes_with_the_last_move_and_a_forfeit_at_once(tmp_path: Path) -> None:
    async with pages_of_events(tmp_path, 4) as (club, guest):
        number = club.begin(OPEN, *NAMES)
        await club.pair(number)
        show(club, "table-1", *MOVES)
        await club.play("table-1", FIRST_WINS, club.published["table-1"][0])
        await club.play("table-2", FIRST_WINS, club.published["table-2"][0])  # an older table: it sends no moves
        forfeited = club.published["table-3"][0].id
        club.desk.write(number, Ruled(pairing=forfeited, halves=(0, 2), played=False, why="not there"))
        results = [game.headers["Result"] for game in await games_of(guest, number)]
        assert results == ["*", "*", "0-1", "*"]
        club.at_s += 15 * 60 + 1
        shown = await games_of(guest, number)
        assert [game.headers["Result"] for game in shown] == ["1-0", "1-0", "0-1", "*"]
        assert [game.end().comment for game in shown if sans(game)] == ["[%clk 0:05:00]"]


async def test_the_moves_of_an_older_table_come_with_its_proven_export_and_without_advice(tmp_path: Path) -> None:
    entries: list[Entry] = [
        MatchStarted("chess", ("A.", "B."), {"clock": "5+3"}),
        ClockWentOn(0),
        Advised(0, 0, "Move e2-e4, +0.2 pawns ahead"),
        Acted(1, 0, 4_000, Pick("e2e4")),
        Acted(2, 0, 10_000, Pick("press-clock")),
        Acted(3, 1, 20_000, Pick("resign")),
        MatchEnded(0, (1, 0)),
    ]
    async with pages_of_events(tmp_path, 4) as (club, guest):
        number = club.begin(OPEN, *NAMES)
        await club.pair(number)
        pairing = club.published["table-1"][0]
        club.tell("table-1", pairing, FIRST_WINS, export=b"x")
        await club.settled()
        seal = sha256(f"{pairing.id} table-1".encode()).hexdigest()
        club.exported[seal] = json.dumps(export_json(entries)).encode()
        club.store.note_proof(club.store.result(seal).receipt, "", ProvenMatch(names=("A.", "B."), options={}))
        assert sans((await games_of(guest, number))[0]) == []
        club.at_s += 15 * 60 + 1
        game = (await games_of(guest, number))[0]
        assert (sans(game), game.headers["Result"], game.headers["White"]) == (["e4"], "1-0", "Anne")
        assert (game.headers.get("Termination"), [node.comment for node in game.mainline()]) == (
            None,
            ["[%clk 0:04:53]"],
        )


async def test_a_round_keeps_its_address_when_the_next_one_is_paired(tmp_path: Path) -> None:
    async with pages_of_events(tmp_path, 4) as (club, guest):
        number = club.begin(OPEN, *NAMES)
        await club.pair(number)
        show(club, "table-1", *MOVES)
        await club.play_all()
        await club.pair(number)
        club.at_s += 15 * 60 + 1
        assert {game.headers["Round"][0] for game in await games_of(guest, number)} == {"2"}
        [first, *_] = await games_of(guest, number, "?round=1")
        assert (first.headers["Round"], first.headers["Result"], sans(first)) == ("1.1", "1-0", SAN)
        assert [(await guest.get(f"/live/{number}.pgn?round={wrong}")).status_code for wrong in ("3", "x", "")] == [
            404
        ] * 3


async def test_chess960_is_told_with_its_start_and_other_games_are_not_broadcast(tmp_path: Path) -> None:
    async with pages_of_events(tmp_path, 4) as (club, guest):
        number = club.begin(
            Made(title="960", game="chess", system=System.SWISS, rounds=1, options={"start": "0"}), *NAMES
        )
        await club.pair(number)
        game = (await games_of(guest, number))[0]
        assert (game.headers["Variant"], game.headers["SetUp"]) == ("Chess960", "1")
        assert game.headers["FEN"].startswith("bbqnnrkr/")
        other = club.begin(Made(title="x", game="captains-chess", system=System.SWISS, rounds=1), *NAMES)
        refused = await guest.get(f"/live/{other}.pgn")
        assert (refused.status_code, "Only events of chess" in refused.text) == (404, True)
