"""The broadcast of an event of chess: all games of its current round as one PGN file, for programs that poll it.

Moves come from the views of the tables at play; of matches that are over, also from their proven exports. No move is
shown before it is as old as the event's delay. Nothing of advice or of an evaluation is shown.
"""

import asyncio
import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from captains_table.club.event_manager import HeldEvent
from captains_table.club.events.counting import match_points
from captains_table.club.events.entries import DRAW, LOSS, WIN
from captains_table.club.events.event import EventMatch, EventRound
from captains_table.club.intake.table_state import TableState
from captains_table.club.pages.club_pages import ClubPages
from captains_table.club.pages.words import slashed_date
from captains_table.club.store.store import Proof, StoredResult
from captains_table.games.chess.game import Chess
from captains_table.games.chess.pgn import chess_pgn
from captains_table.games.common.chesslike.pgn import tag_value
from captains_table.games.common.time_control import NO_CLOCK, parse_clock, pgn_time_tags
from captains_table.games.contract import BadOption, IllegalAction, Pick
from captains_table.reporting.messages import PlayedMove
from captains_table.reporting.played_moves import standing_moves, start_fen
from captains_table.table.history.export import clock_comment
from captains_table.table.model.entries import JOURNAL_ENTRIES
from captains_table.table.model.match import Match
from captains_table.web.problems import Problem
from captains_table.web.request_reader import read_number

START_TAG: Final = re.compile(r'^\[(Variant|SetUp|FEN) "([^"\n]*)"\]$', re.MULTILINE)
LAST_WORD: Final = re.compile(r"\S+\s*\Z")
OPEN: Final = "*"
RESULTS: Final[Mapping[tuple[int, ...], str]] = {(WIN, LOSS): "1-0", (DRAW, DRAW): "1/2-1/2", (LOSS, WIN): "0-1"}
"""The results that PGN can hold, by both players' half points; any other stays open there."""

MOST_GAMES: Final = 4
"""How many of the latest games of a table are remembered."""
MOST_EXPORTS: Final = 256
MINUTE_S: Final = 60


@dataclass(frozen=True, slots=True)
class ShownGame:
    """A game as far as it is known.

    Attributes:
        start: the FEN of its start; empty for the usual one.
        moves: its moves.
        made_s: when each move was made, in Unix seconds of the server's clock; empty if that is long ago.
    """

    start: str = ""
    moves: tuple[PlayedMove, ...] = ()
    made_s: tuple[float, ...] = ()


@dataclass(eq=False)
class LiveGames(ClubPages):
    """The broadcasts of the events of chess."""

    _watched: dict[str, dict[tuple[str, str], ShownGame]] = field(init=False, default_factory=dict)
    """The latest games of each table, by the ids of their pairings and the seals of their matches."""
    _of_export: Callable[[str], ShownGame] = field(init=False)

    def __post_init__(self) -> None:
        """Follow the tables from now on."""
        self._of_export = lru_cache(MOST_EXPORTS)(self._read_export)
        self.club.on_table_change(self.note)

    def note(self, table: TableState) -> None:
        """Note the moves that a table shows of a paired match, and when they were made.

        A move that is new here was made before the table's last move by as much as the table's clock says.
        """
        games, key = self._watched.setdefault(table.user, {}), (table.pairing, table.match)
        known = games.get(key, ShownGame())
        if not table.pairing or known.moves == table.moves:
            return
        noted = {
            (place, move.id, move.at_s): made_s
            for place, (move, made_s) in enumerate(zip(known.moves, known.made_s, strict=True))
        }
        now_s, last_s = self.club.now_s(), max((move.at_s for move in table.moves), default=0)
        made_s = (
            noted.get((place, move.id, move.at_s), now_s - max(0, last_s - move.at_s - 1))  # whole seconds: too young
            for place, move in enumerate(table.moves)
        )
        games.pop(key, None)
        games[key] = ShownGame(table.start, table.moves, tuple(made_s))
        if len(games) > MOST_GAMES:
            del games[next(iter(games))]

    async def pgn(self, request: Request) -> Response:
        """Send the games of an event's current round, or of the one that `round` names.

        Raises:
            Problem: the event is not one of chess, or there is no such round.
            NoSuchEvent: there is no such event.
        """
        held = self.events.event(read_number(request.path_params["number"]))
        if held.event.made.game != Chess.key:
            raise Problem(404, "Only events of chess are broadcast: expected the number of one.")
        rounds = {str(each.number): each for each in held.event.rounds}
        round_ = rounds.get(request.query_params.get("round", str(len(rounds))))
        if round_ is None:
            raise Problem(404, "This round is not paired yet: expected the number of one that is.")
        stored = self.events.results(held.number)
        boards = [
            (self._tags(held, round_, match), *self._shown(held, match, stored.get(match.seated.id)))
            for match in round_.matches
            if match.seated.board
        ]
        options = _start_options(held.event.made.options)
        text = await asyncio.to_thread(lambda: "".join(game_text(*board, options) for board in boards))
        tag = f'"{hashlib.sha256(text.encode()).hexdigest()}"'
        headers = {"ETag": tag, "Cache-Control": "no-cache", "Content-Type": "application/x-chess-pgn; charset=utf-8"}
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(text, headers=headers)

    def _tags(self, held: HeldEvent, round_: EventRound, match: EventMatch) -> dict[str, str]:
        """Return the tags of a game that stay the same during its round."""
        made, board = held.event.made, match.seated.board
        white, black = (held.event.entrants[seat] for seat in match.seated.seats)
        day = round_.day if round_.published_s is None else slashed_date(round_.published_s)
        elo = {"WhiteElo": white.rating, "BlackElo": black.rating}
        return {
            "Event": made.title,
            "Site": made.place or self.club.title,
            "Date": day.replace("/", ".") or "????.??.??",
            "Round": f"{round_.number}.{board}",
            "White": white.name,
            "Black": black.name,
            "Result": OPEN,
            **pgn_time_tags(parse_clock(made.options.get("clock", NO_CLOCK))),
            **{tag: str(rating) for tag, rating in elo.items() if rating},
            "Board": str(board),
            "GameId": match.seated.id,
        }

    def _shown(self, held: HeldEvent, match: EventMatch, stored: StoredResult | None) -> tuple[str, ShownGame]:
        """Return the result of a game, and the game, as far as they may be shown now.

        A result is shown with the last move. If no move is known, it is shown as long after its report as a move is.
        """
        late_s = self.club.now_s() - MINUTE_S * held.event.made.broadcast_delay_min
        points = match_points(held.event, match)
        result = RESULTS.get(points.halves, OPEN) if points else OPEN
        is_late = stored is None or stored.received_s <= late_s
        if stored is not None and is_late and stored.proof is Proof.PROVEN:
            return result, self._of_export(stored.outcome.match)
        watched = [each for user in match.tables for each in self._watched.get(user, {}).items()]
        for (pairing, seal), game in reversed(watched):
            if pairing == match.seated.id and (stored is None or seal == stored.outcome.match):
                count = next((place for place, made_s in enumerate(game.made_s) if made_s > late_s), len(game.moves))
                return result if count == len(game.moves) else OPEN, ShownGame(game.start, game.moves[:count])
        return result if is_late else OPEN, ShownGame()

    def _read_export(self, seal: str) -> ShownGame:
        """Return a game from the proven export of its match."""
        match = Match.resumed(map(JOURNAL_ENTRIES.from_plain, json.loads(self.club.export(seal))["entries"]))
        return ShownGame(start_fen(match), standing_moves(match))


def _start_options(options: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return those options of an event that say from which position its games begin; dice say it when they fall."""
    found = ((name, options.get(name, "")) for name in ("start", "handicap", "fen"))
    return tuple((name, value) for name, value in found if value not in {"", "dice"})


def game_text(tags: Mapping[str, str], result: str, game: ShownGame, options: tuple[tuple[str, str], ...]) -> str:
    """Return a game as PGN.

    Args:
        tags: its tags; the result may be any, and what says how the game began is left out.
        result: its result in PGN's form.
        game: its start and moves.
        options: how games of this event begin, if the game does not say otherwise.
    """
    head, _, moves = _movetext(game, options).partition("\n\n")
    named = {**tags, "Result": result, **dict(START_TAG.findall(head))}
    lines = "\n".join(f'[{name} "{tag_value(value)}"]' for name, value in named.items())
    moves = LAST_WORD.sub(result, moves).replace("[%clk\n", "[%clk ")  # some readers take a line at a time
    return f"{lines}\n\n{moves}\n\n"


@lru_cache(maxsize=512)
def _movetext(game: ShownGame, options: tuple[tuple[str, str], ...]) -> str:
    """Return a game as PGN with tags of its own; without moves if they break the rules of chess."""
    faces = {
        place: [clock_comment(each.clock_s)] for place, each in enumerate(game.moves, 1) if each.clock_s is not None
    }
    start = {"fen": game.start} if game.start else dict(options)
    try:
        return chess_pgn(("White", "Black"), start, [Pick(move.id) for move in game.moves], "", faces)
    except (BadOption, IllegalAction):
        return chess_pgn(("White", "Black"), dict(options), [])
