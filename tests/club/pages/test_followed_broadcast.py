"""A round of four boards, followed at the real server by a reader that knows only how sites read broadcasts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

from captains_table.club.events.entries import Made, System
from captains_table.reporting.messages import FinalScore, PlayedMove
from tests.club.broadcast_reader import Answer, BroadcastReader, connection_to
from tests.club.event_club import FIRST_WINS, SECOND_WINS, EventClub
from tests.club.served_club import ServedClub, served

OPEN = Made(title="Autumn open", game="chess", system=System.SWISS, rounds=3, options={"clock": "90+30"}, place="Hoorn")
DELAY_MIN = OPEN.broadcast_delay_min
NAMES = ("Anne", "Bart", "Cleo", "Zoë", "Eve", "Floor", "Guus", "Hein")
DRAWN = FinalScore(winner=None, scores=(0, 0))


@dataclass(frozen=True)
class PlannedGame:
    """A game as it is going to be played, a move a minute: moves as the table says them, and as PGN does."""

    ids: str
    sans: str
    ending: FinalScore
    result: str

    @property
    def length(self) -> int:
        return len(self.ids.split())


GAMES: Mapping[str, PlannedGame] = {
    "table-1": PlannedGame("f2f3 e7e5 g2g4 d8h4", "f3 e5 g4 Qh4#", SECOND_WINS, "0-1"),
    "table-2": PlannedGame("e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7", "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#", FIRST_WINS, "1-0"),
    "table-3": PlannedGame(
        "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1 f6e4", "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4", FIRST_WINS, "1-0"
    ),
    "table-4": PlannedGame("d2d4 d7d5 c2c4 e7e6 b1c3", "d4 d5 c4 e6 Nc3", DRAWN, "1/2-1/2"),
}
LONGEST = max(game.length for game in GAMES.values())


@dataclass
class FollowedRound:
    """A reader of an address of the club's server, and the status of each answer that it got."""

    place: ServedClub[EventClub]
    path: str
    statuses: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        parts = urlsplit(self.place.address)
        self._exchange = connection_to(str(parts.hostname), int(parts.port or 0))
        self.reader = BroadcastReader(f"https://club.example{self.path}", self._ask)

    def _ask(self, url: str, headers: Mapping[str, str], limit: float) -> Answer:
        answer = self._exchange(url, headers, limit)
        self.statuses.append(answer.status)
        return answer


async def play_a_minute(club: EventClub, minute: int) -> None:
    """Let a minute pass, and each table make its next move, and tell how the match ended after its last one."""
    club.at_s += 60
    for user, game in GAMES.items():
        if minute <= game.length:
            pairing = club.published[user][0]
            seal = sha256(f"{pairing.id} {user}".encode()).hexdigest()
            clocks = (5400 - 7 * second for second in range(minute))
            moves = zip(game.ids.split()[:minute], range(60, 60 * minute + 1, 60), clocks, strict=True)
            club.report(user, pairing=pairing.id, match=seal, moves=tuple(PlayedMove(*move) for move in moves))
        if minute == game.length:
            await club.play(user, game.ending)


async def begin(club: EventClub) -> None:
    await club.pair(club.begin(OPEN, *NAMES))


def test_a_reader_follows_a_round_of_four_boards_move_by_move_to_its_end(tmp_path: Path) -> None:
    with served(EventClub(tmp_path, 4), prepare=begin) as place:
        followed, shown = FollowedRound(place, "/live/1.pgn?round=1"), [0] * 4
        first = followed.reader.read()
        assert [(board.number, board.begun) for board in first.boards] == [(number, False) for number in range(1, 5)]
        assert {side.name for board in first.boards for side in (board.white, board.black)} == set(NAMES)
        for minute in range(1, LONGEST + DELAY_MIN + 1):
            place.finish(partial(play_a_minute, minute=minute))
            if minute == LONGEST + 1:
                place.finish(lambda club: club.pair(1))  # the next round, while the moves of this one are still to come
            reading, before = followed.reader.read(), shown
            assert reading.complaints == []
            shown = [min(max(0, minute - DELAY_MIN), game.length) for game in GAMES.values()]
            assert followed.statuses[-1] == (304 if shown == before else 200), "only what has changed is sent"
            for board, game, count in zip(reading.boards, GAMES.values(), shown, strict=True):
                assert board.moves == tuple(game.sans.split()[:count])
                assert board.result == (game.result if count == game.length else "*")
                clocks = [5400 - 7 * second for second in range(count)]
                assert board.clocks == (next(iter(clocks[::2][::-1]), None), next(iter(clocks[1::2][::-1]), None))
            assert reading.ended is (shown == [game.length for game in GAMES.values()])
        assert reading.ended
        following = FollowedRound(place, "/live/1.pgn").reader.read()
        assert following.complaints == []
        assert {(board.round, board.begun) for board in following.boards} == {(2, False)}
