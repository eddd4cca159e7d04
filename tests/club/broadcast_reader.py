"""A reader of broadcasts: follows the address of a round's PGN as a large chess site does, and complains in words.

It was written from a description of such a site's reader alone and shares nothing with the program that it judges;
moves are read by python-chess.

How to call it
    reader = BroadcastReader(url, exchange)    one reader follows one address
    reading = reader.read()                    one poll, one GET; call it again to follow the round
    reading.boards                             what the reader now shows, in the order of the source
    reading.ended                              whether the reader takes the round as ended
    reading.complaints                         sentences, each beginning with one of
        "refused: "    nothing of it is read: the answer, one game, or the games past the limit; earlier boards stay
        "misread: "    it is read, but not as it was meant
        "warned: "     it is read, but the source should do better
An exchange is `exchange(url, headers, limit)`: it sends one GET, follows no redirect and returns an `Answer`, or raises
`TimeoutError` after `limit` seconds or another `OSError`. `connection_to(host, port)` is one for a real server that is
reached at another place than its public address says; a test with canned answers gives a function of its own.

Where the description leaves a choice, and what was chosen
     1. A type that is not text/*, without charset, is read as UTF-8, with a warning; so is an answer without a type.
     2. A game begins at a line with "[" after a blank line. Two blank lines before it, a blank line before the first
        game, and a game of neither tags nor moves are each an "empty PGN", which refuses the answer.
     3. After a move that cannot be read, the rest of its game is lost, no more.
     4. "Public" excludes every address that is not global, and names that end in .local, .lan, .internal or .home.
     5. Two games are one if the ids are equal, or if all else is, even though the ids differ: so says the description.
        Both names or both FIDE ids must be equal; a name that was removed equals nothing.
     6. The clocks are those of each side's last move; the tags WhiteClock and BlackClock stand in where it has none.
     7. Moves that python-chess understands but that are not SAN (long moves, zeros for castling) are misread.
     8. A game's moves stand without comments; [%clk] is no loss, and neither is any other [%...] command.
"""

import http.client
import io
import ipaddress
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Final
from urllib.parse import urlsplit

import chess
import chess.pgn
import chess.variant

PORTS: Final = (80, 443, 8080, 8491)
TIME_LIMIT: Final = 6.0  # seconds
GAMES_READ: Final = 256
GAMES_SHOWN: Final = 100
RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2")
RUNNING: Final = "*"
TAG: Final = re.compile(r'\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]\s*')
CLOCK: Final = re.compile(r"\[%clk (\d+):([0-5]\d):([0-5]\d(?:\.\d+)?)\]")
BRACES: Final = re.compile(r"\{[^}]*\}")
COMMAND: Final = re.compile(r"\[%[^\]]*\]")


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes = b""

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers.items() if key.lower() == name.lower()), "")


Exchange = Callable[[str, Mapping[str, str], float], Answer]


@dataclass(frozen=True)
class Side:
    name: str | None
    fide_id: str | None
    elo: str | None
    title: str | None


@dataclass(frozen=True)
class BroadcastBoard:
    """One game as the reader shows it: moves in SAN, clocks in seconds (White's, Black's), result "*" while it runs."""

    game_id: str | None
    event: str | None
    site: str | None
    round: int | None
    number: int | None
    white: Side
    black: Side
    time_control: str | None
    moves: tuple[str, ...]
    clocks: tuple[float | None, float | None]
    result: str

    @property
    def finished(self) -> bool:
        return self.result != RUNNING

    @property
    def begun(self) -> bool:
        return self.finished or bool(self.moves)

    def __str__(self) -> str:
        return f"{self.white.name or self.white.fide_id} - {self.black.name or self.black.fide_id}"


@dataclass(frozen=True)
class Reading:
    boards: tuple[BroadcastBoard, ...]
    ended: bool
    complaints: list[str]


class Refused(Exception):
    """An answer of which the reader takes nothing."""


class BroadcastReader:
    """Follows one address and remembers what it read last."""

    def __init__(self, url: str, exchange: Exchange) -> None:
        self.url = url
        self.exchange = exchange
        self.boards: tuple[BroadcastBoard, ...] = ()
        self.answer: Answer | None = None

    def read(self) -> Reading:
        """Poll once; what is refused leaves the boards of the poll before."""
        complaints: list[str] = []
        try:
            complaints += address_warnings(self.url)
            answer = self.fetched()
            if answer is not None:
                self.follow(answer, complaints)
        except Refused as refused:
            complaints.append(f"refused: {refused}")
        return Reading(self.boards, ended(self.boards), complaints)

    def fetched(self) -> Answer | None:
        """Return a new answer, or None if the source says that nothing has changed."""
        etag = self.answer.header("ETag") if self.answer else ""
        try:
            answer = self.exchange(self.url, {"If-None-Match": etag} if etag else {}, TIME_LIMIT)
        except TimeoutError:
            raise Refused(f"no answer within {TIME_LIMIT:g} seconds.") from None
        except OSError as error:
            raise Refused(f"no connection: {error}.") from error
        if answer.status == http.HTTPStatus.NOT_MODIFIED and etag:
            return None
        if answer.status != http.HTTPStatus.OK:
            raise Refused(
                f"status {answer.status} (200 is expected, or 304 to If-None-Match; no redirect is followed)."
            )
        return answer

    def follow(self, answer: Answer, complaints: list[str]) -> None:
        """Take a new answer as the state of the boards."""
        games = games_of(text_of(answer, complaints))
        complaints += etag_complaints(self.answer, answer)
        complaints += number_complaints(len(games))
        read = [board_of(number, game, complaints) for number, game in enumerate(games[:GAMES_READ], 1)]
        boards = tuple(board for board in read if board is not None)
        complaints += round_complaints(boards)
        if self.answer is not None:
            complaints += changes(self.boards, boards)
        self.boards, self.answer = boards, answer


# The address, the answer and its text


def address_warnings(url: str) -> list[str]:
    """Refuse an address that such a reader does not call."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise Refused(f"{url} is no address of the web.")
    if not is_public(parts.hostname):
        raise Refused(f"{parts.hostname} is not public.")
    try:
        port = parts.port or {"http": 80, "https": 443}[parts.scheme]
    except ValueError as error:
        raise Refused(f"{error}.") from error
    if port not in PORTS:
        raise Refused(f"port {port}; only {', '.join(map(str, PORTS))} are called.")
    return ["warned: the address is http, not https."] if parts.scheme == "http" else []


def is_public(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return host != "localhost" and not host.endswith((".localhost", ".local", ".lan", ".internal", ".home"))


def text_of(answer: Answer, complaints: list[str]) -> str:
    """Decode the body by the rules for charsets."""
    kind, *parameters = (part.strip() for part in answer.header("Content-Type").split(";"))
    named = dict(parameter.partition("=")[::2] for parameter in parameters)
    charset = next((value.strip("\"' ") for key, value in named.items() if key.strip().lower() == "charset"), "")
    if not charset:
        charset = "iso-8859-1" if kind.lower().startswith("text/") else "utf-8"
        wrongly = charset == "iso-8859-1" and not answer.body.isascii()
        complaints.append(
            f"{'misread' if wrongly else 'warned'}: {kind or 'no type'} without charset, read as {charset}."
        )
    try:
        text = answer.body.decode(charset, errors="replace")
    except LookupError:
        raise Refused(f"the charset {charset} is unknown.") from None
    if "\ufffd" in text:
        complaints.append(f"misread: bytes that are not {charset}.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def etag_complaints(before: Answer | None, answer: Answer) -> Iterator[str]:
    etag = answer.header("ETag")
    if not etag:
        yield "warned: no ETag: everything is sent anew at each poll."
    elif not re.fullmatch(r'(W/)?"[^"]*"', etag):
        yield f"warned: the ETag {etag} is not in quotes."
    if before is not None and etag:
        same_tag, same_body = before.header("ETag") == etag, before.body == answer.body
        if same_tag and not same_body:
            yield "misread: the games have changed but the ETag has not: whoever is told 304 misses the change."
        if same_body:
            yield "warned: the same games were sent again instead of 304."


def games_of(text: str) -> list[str]:
    """Split the answer into games."""
    if not text.strip():
        raise Refused("empty PGN: no game at all.")
    games = re.split(r"\n[ \t]*\n(?=\[)", text.rstrip())
    for number, game in enumerate(games, 1):
        if game.strip() in {"", RUNNING} or game.startswith("\n") or game.endswith("\n"):
            raise Refused(f"empty PGN at game {number}.")
    return games


def number_complaints(number: int) -> Iterator[str]:
    if number > GAMES_READ:
        yield f"refused: {number} games; those after the first {GAMES_READ} are not read."
    if number > GAMES_SHOWN:
        yield f"warned: {number} games; {GAMES_SHOWN} are shown."


# One game


def board_of(number: int, game: str, complaints: list[str]) -> BroadcastBoard | None:
    """Read one game; None if it is dropped. Complaints name it by its number in the source."""
    told: list[str] = []
    tags, movetext = tags_and_moves(game, told)
    white, black = side("White", tags, told), side("Black", tags, told)
    result, moves = result_and_moves(tags, movetext, told)
    places = round_and_board(tags, told)
    board = None
    if not all(player.name or player.fide_id for player in (white, black)):
        told = [*told, "refused: it is dropped: a side has neither a name nor a FIDE id."]
    elif (played := played_game(tags, moves, told)) is not None:
        board = BroadcastBoard(
            tags.get("GameId"), tags.get("Event"), tags.get("Site"), *places, white, black, tags.get("TimeControl"),
            sans(played), clocks(played, tags, told), result,
        )  # fmt: skip
        told += [] if board.game_id else ["warned: no GameId."]
    complaints += [f"{kind}: game {number}: {words}" for kind, _, words in (each.partition(": ") for each in told)]
    return board


def tags_and_moves(game: str, told: list[str]) -> tuple[dict[str, str], str]:
    tags: dict[str, str] = {}
    lines = game.split("\n")
    while lines and lines[0].startswith("["):
        line = lines.pop(0)
        if found := TAG.fullmatch(line):
            tags[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
        else:
            told.append(f"misread: {line} is no tag.")
    if lines and lines[0].strip() and tags:
        told.append("warned: no blank line between tags and moves.")
    return tags, "\n".join(lines).strip()


def side(colour: str, tags: Mapping[str, str], told: list[str]) -> Side:
    name, fide_id, elo = (tags.get(key) for key in (colour, f"{colour}FideId", f"{colour}Elo"))
    if name is not None and (len(name.strip()) <= 1 or name.strip().lower() == "unknown"):
        told.append(f'misread: the name "{name}" is removed.')
        name = None
    for what, value in (("FIDE id", fide_id), ("Elo", elo)):
        if value is not None and not value.isdecimal():
            told.append(f'misread: {colour}\'s {what} "{value}" is no number.')
    return Side(name, fide_id, elo, tags.get(f"{colour}Title"))


def result_and_moves(tags: Mapping[str, str], movetext: str, told: list[str]) -> tuple[str, str]:
    """Separate the end mark from the moves and hold it against the tag."""
    last = (movetext.split() or [""])[-1]
    moves = movetext.removesuffix(last)
    mark, tag = full_result(last), full_result(tags.get("Result", ""))
    if mark not in {*RESULTS, RUNNING}:
        told.append("misread: no end mark after the moves.")
        moves = movetext
    if {*RESULTS, RUNNING} & set(BRACES.sub("", moves).split()) or re.search(r"\n[ \t]*\n", moves.strip()):
        told.append("misread: the game ends before its last line: an end mark or a blank line within the moves.")
    if tag not in {*RESULTS, RUNNING}:
        told.append(f'misread: the Result "{tags.get("Result", "")}" is unknown; it counts as running.')
    elif mark in {*RESULTS, RUNNING} and mark != tag:
        told.append(f"misread: the Result is {tag}, the end mark {mark}.")
    return (tag if tag in RESULTS else RUNNING), moves


def full_result(written: str) -> str:
    return "-".join({"0.5": "1/2", "½": "1/2"}.get(part, part) for part in written.split("-"))


def round_and_board(tags: Mapping[str, str], told: list[str]) -> tuple[int | None, int | None]:
    """Return the numbers of round and board."""
    found = re.fullmatch(r"(\d+)(?:\.(\d+))?", tags.get("Round", ""))
    if found is None:
        told.append(f'warned: the Round "{tags.get("Round", "")}" has no number.')
    tag = tags.get("Board")
    if tag is not None and not tag.isdecimal():
        told.append(f'misread: the Board "{tag}" is no number.')
        tag = None
    boards = [int(written) for written in (tag, found and found[2]) if written]
    if not boards:
        told.append("warned: no number of the board.")
    elif len(set(boards)) > 1:
        told.append(f"misread: board {boards[0]} by the tag Board, {boards[1]} by the tag Round.")
    return int(found[1]) if found else None, boards[0] if boards else None


class MoveReader(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Builds a game and notes moves that are not written as SAN has it."""

    def parse_san(self, board: chess.Board, san: str) -> chess.Move:
        move = super().parse_san(board, san)
        if not move or board.san(move).rstrip("+#") != san.rstrip("+#!?"):
            self.game.errors.append(ValueError(f"{san} is not written as SAN"))
        return move

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)


def played_game(tags: Mapping[str, str], moves: str, told: list[str]) -> chess.pgn.Game | None:
    """Play the moves of a variant that the reader knows."""
    setup = {key: tags[key] for key in ("Variant", "FEN", "SetUp") if key in tags}
    try:
        chess.pgn.Headers(setup).board()
    except ValueError as error:
        told.append(f"refused: variant or position: {error}.")
        return None
    headers = "".join(f'[{key} "{value}"]\n' for key, value in setup.items())
    game = chess.pgn.read_game(io.StringIO(f"{headers}\n{moves} *\n"), Visitor=MoveReader)
    if game is None:
        raise AssertionError("python-chess reads a game from every text with an end mark.")
    told += [f"misread: {error}." for error in game.errors]
    told += losses(game)
    return game


def losses(game: chess.pgn.Game) -> Iterator[str]:
    """Tell of comments and variations that the reader throws away."""
    if any(COMMAND.sub("", node.comment).strip() for node in (game, *game.mainline())):
        yield "warned: comments are thrown away."
    if any(len(node.variations) > 1 for node in (game, *game.mainline())):
        yield "warned: variations are thrown away."


def sans(game: chess.pgn.Game) -> tuple[str, ...]:
    return tuple(node.san() for node in game.mainline())


def clocks(game: chess.pgn.Game, tags: Mapping[str, str], told: list[str]) -> tuple[float | None, float | None]:
    """Return the seconds that White and Black have after their last moves."""
    nodes = list(game.mainline())
    shown = [clock_in(node.comment) for node in nodes]
    told += [f"misread: a clock in {{{node.comment}}}." for node in nodes if broken_clock(node.comment)]
    if None in shown and any(each is not None for each in shown):
        told.append(f"warned: move {shown.index(None) // 2 + 1} has no clock, others have.")
    last = {node.turn(): clock for node, clock in zip(nodes, shown, strict=True)}  # the turn is that of the other side
    return (
        clock_of("WhiteClock", last.get(chess.BLACK), tags, told),
        clock_of("BlackClock", last.get(chess.WHITE), tags, told),
    )


def clock_of(name: str, shown: float | None, tags: Mapping[str, str], told: list[str]) -> float | None:
    tag = tags.get(name)
    written = clock_in(f"[%clk {tag}]") if tag is not None else None
    if tag is not None and written is None:
        told.append(f'misread: the {name} "{tag}".')
    if None not in {shown, written} and shown != written:
        told.append(f"misread: the {name} {tag} is not the clock after the last move.")
    return written if shown is None else shown


def clock_in(comment: str) -> float | None:
    found = CLOCK.search(comment)
    return int(found[1]) * 3600 + int(found[2]) * 60 + float(found[3]) if found else None


def broken_clock(comment: str) -> bool:
    return "%clk" in comment and clock_in(comment) is None


# The round


def ended(boards: Sequence[BroadcastBoard]) -> bool:
    """Return whether all are finished, or none runs and more are finished than not begun."""
    finished = sum(board.finished for board in boards)
    waiting = sum(not board.begun for board in boards)
    return bool(boards) and finished + waiting == len(boards) and finished > waiting


def round_complaints(boards: Sequence[BroadcastBoard]) -> Iterator[str]:
    for one, other in combinations(boards, 2):
        if same_game(one, other):
            yield f"misread: {one} and {other} are read as one game."
    rounds = sorted({board.round for board in boards if board.round is not None})
    if len(rounds) > 1:
        yield f"warned: games of the rounds {', '.join(map(str, rounds))} in one source."
    numbers = [board.number for board in boards if board.number is not None]
    if any(later < earlier for earlier, later in pairwise(numbers)):
        yield f"warned: not in the order of boards: {', '.join(map(str, numbers))}."
    waiting = [board for board in boards if not board.begun]
    if ended(boards) and waiting:
        yield f"misread: the round is taken as ended before {waiting[0]} has begun."


def same_game(one: BroadcastBoard, other: BroadcastBoard) -> bool:
    if one.game_id is not None and one.game_id == other.game_id:
        return True
    places = [(each.event, each.site, each.round, each.number) for each in (one, other)]
    names = [(each.white.name, each.black.name) for each in (one, other)]
    ids = [(each.white.fide_id, each.black.fide_id) for each in (one, other)]
    return places[0] == places[1] and any(pairs[0] == pairs[1] and None not in pairs[0] for pairs in (names, ids))


def changes(before: Sequence[BroadcastBoard], boards: Sequence[BroadcastBoard]) -> Iterator[str]:
    """Tell of games that have come, gone or changed their names since the poll before."""
    for board in boards:
        earlier = next((each for each in before if same_game(each, board)), None)
        if earlier is None:
            yield f"warned: {board} was not in the source before: a new game."
        elif (earlier.event, earlier.site, str(earlier)) != (board.event, board.site, str(board)):
            yield f"warned: {earlier} has changed names, event or site: {board}."
    for earlier in before:
        if not any(same_game(earlier, board) for board in boards):
            yield f"misread: {earlier} is no longer in the source."


# A real server


def connection_to(host: str, port: int) -> Exchange:
    """Return an exchange that reaches the server there, whatever its public address says."""

    def exchange(url: str, headers: Mapping[str, str], limit: float) -> Answer:
        parts = urlsplit(url)
        end = time.monotonic() + limit
        connection = http.client.HTTPConnection(host, port, timeout=limit)
        body = b""
        try:
            connection.request("GET", parts._replace(scheme="", netloc="").geturl() or "/", headers=dict(headers))
            response = connection.getresponse()
            while more := response.read1(65536):
                body += more
                if time.monotonic() > end:
                    raise TimeoutError
        finally:
            connection.close()
        return Answer(response.status, dict(response.headers), body)

    return exchange
