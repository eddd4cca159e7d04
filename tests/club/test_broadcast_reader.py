"""The reader of broadcasts, on canned answers and on a small real server."""

import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from tests.club.broadcast_reader import Answer, BroadcastReader, Exchange, Reading, connection_to

URL = "https://club.example/round/3.pgn"
TYPE = "application/x-chess-pgn; charset=utf-8"


def game(board: int = 1, moves: str = "", result: str = "*", **tags: str | None) -> str:
    """Return a faultless game; a tag given as None is left out."""
    written = {
        "Event": "Club evening",
        "Site": "Harbour",
        "Date": "2026.11.27",
        "Round": f"3.{board}",
        "Board": str(board),
        "White": f"Anne {board}",
        "Black": f"Bart {board}",
        "Result": result,
        "GameId": f"g{board}",
        **tags,
    }
    lines = [f'[{name} "{value}"]' for name, value in written.items() if value is not None]
    return "\n".join(lines) + f"\n\n{moves} {result}".replace("\n ", "\n")


def answer(*games: str, status: int = 200, kind: str = TYPE, etag: str = '"1"', charset: str = "utf-8") -> Answer:
    return Answer(status, {"content-type": kind, "etag": etag}, "\n\n".join(games).encode(charset))


def canned(*answers: Answer) -> Exchange:
    left = list(answers)
    return lambda _url, _headers, _limit: left.pop(0)


def read(*games: str) -> Reading:
    return BroadcastReader(URL, canned(answer(*games))).read()


def test_a_faultless_round_is_shown_without_complaint() -> None:
    moves = "1. e4 {[%clk 1:59:58]} e5 {[%clk 1:58:30]} 2. Nf3 {[%clk 1:57:00.5]}"
    running = game(
        1, moves, WhiteElo="1800", WhiteTitle="FM", WhiteFideId="123", TimeControl="3600+10", WhiteClock="1:57:00.5"
    )
    reading = read(running, game(2), game(3, "1. f3 e5 2. g4 Qh4#", "0-1"))
    assert reading.complaints == []
    assert not reading.ended
    first, second, third = reading.boards
    assert (first.round, first.number, first.game_id, first.result) == (3, 1, "g1", "*")
    assert (first.white.name, first.white.elo, first.white.title, first.white.fide_id) == (
        "Anne 1",
        "1800",
        "FM",
        "123",
    )
    assert first.moves == ("e4", "e5", "Nf3")
    assert first.clocks == (7020.5, 7110)
    assert first.time_control == "3600+10"
    assert first.begun
    assert not second.begun
    assert (third.result, third.finished, third.moves[-1]) == ("0-1", True, "Qh4#")


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("ftp://club.example/", "refused: ftp://club.example/ is no address of the web."),
        ("https://localhost/", "refused: localhost is not public."),
        ("https://192.168.1.4/", "refused: 192.168.1.4 is not public."),
        ("https://club.local/", "refused: club.local is not public."),
        ("https://club.example:8000/", "refused: port 8000; only 80, 443, 8080, 8491 are called."),
        ("http://club.example:8080/", "warned: the address is http, not https."),
    ],
)
def test_addresses_that_are_not_called_or_draw_a_warning(url: str, complaint: str) -> None:
    reading = BroadcastReader(url, canned(answer(game()))).read()
    assert reading.complaints == [complaint]
    assert bool(reading.boards) == complaint.startswith("warned")


@pytest.mark.parametrize("status", [204, 301, 302, 304, 404, 500])
def test_every_status_but_200_is_refused_and_304_too_if_nothing_was_read_before(status: int) -> None:
    reading = BroadcastReader(URL, canned(answer(game(), status=status))).read()
    assert reading.boards == ()
    assert reading.complaints == [
        f"refused: status {status} (200 is expected, or 304 to If-None-Match; no redirect is followed)."
    ]


@pytest.mark.parametrize(
    ("error", "complaint"),
    [(TimeoutError(), "no answer within 6 seconds."), (ConnectionResetError("reset"), "no connection: reset.")],
)
def test_what_fails_or_takes_too_long_leaves_the_boards_of_before(error: OSError, complaint: str) -> None:
    answers: list[Answer | OSError] = [answer(game()), error]

    def exchange(_url: str, _headers: Mapping[str, str], limit: float) -> Answer:
        assert limit == 6
        following = answers.pop(0)
        if isinstance(following, OSError):
            raise following
        return following

    reader = BroadcastReader(URL, exchange)
    before = reader.read()
    assert reader.read() == Reading(before.boards, ended=False, complaints=[f"refused: {complaint}"])


def test_the_etag_is_sent_back_and_304_keeps_the_boards() -> None:
    asked: list[Mapping[str, str]] = []

    def exchange(_url: str, headers: Mapping[str, str], _limit: float) -> Answer:
        asked.append(headers)
        return Answer(304, {}) if headers else answer(game(), etag='"a7"')

    reader = BroadcastReader(URL, exchange)
    first, second = reader.read(), reader.read()
    assert asked == [{}, {"If-None-Match": '"a7"'}]
    assert second == first
    assert second.boards


@pytest.mark.parametrize(
    ("second", "complaints"),
    [
        (answer(game(1, "1. e4"), etag='"2"'), []),
        (answer(game(), etag='"1"'), ["warned: the same games were sent again instead of 304."]),
        (
            answer(game(1, "1. e4"), etag='"1"'),
            ["misread: the games have changed but the ETag has not: whoever is told 304 misses the change."],
        ),
        (answer(game(1, "1. e4"), etag=""), ["warned: no ETag: everything is sent anew at each poll."]),
        (answer(game(1, "1. e4"), etag="2"), ["warned: the ETag 2 is not in quotes."]),
    ],
)
def test_an_etag_changes_with_the_games_and_only_with_them(second: Answer, complaints: list[str]) -> None:
    reader = BroadcastReader(URL, canned(answer(game()), second))
    reader.read()
    assert reader.read().complaints == complaints


@pytest.mark.parametrize(
    ("kind", "charset", "name", "complaints"),
    [
        (TYPE, "utf-8", "Zoë", []),
        ('text/plain; Charset="UTF-8"', "utf-8", "Zoë", []),
        ("text/plain; charset=iso-8859-1", "iso-8859-1", "Zoë", []),
        ("text/plain", "utf-8", "ZoÃ«", ["misread: text/plain without charset, read as iso-8859-1."]),
        (
            "application/x-chess-pgn",
            "utf-8",
            "Zoë",
            ["warned: application/x-chess-pgn without charset, read as utf-8."],
        ),
        (TYPE, "iso-8859-1", "Zo\ufffd", ["misread: bytes that are not utf-8."]),
        ("text/plain; charset=klingon", "utf-8", None, ["refused: the charset klingon is unknown."]),
    ],
)
def test_names_are_decoded_by_the_charset_that_was_sent(
    kind: str, charset: str, name: str | None, complaints: list[str]
) -> None:
    reading = BroadcastReader(URL, canned(answer(game(White="Zoë"), kind=kind, charset=charset))).read()
    assert [board.white.name for board in reading.boards] == ([] if name is None else [name])
    assert reading.complaints == complaints


def test_plain_text_of_ascii_without_charset_draws_a_warning_only() -> None:
    reading = BroadcastReader(URL, canned(answer(game(), kind="text/plain"))).read()
    assert reading.complaints == ["warned: text/plain without charset, read as iso-8859-1."]


@pytest.mark.parametrize(
    ("games", "at"),
    [
        ([""], ": no game at all"),
        ([game(1), "", game(2)], " at game 1"),
        ([game(1), "*", game(2)], None),
        (["", game(1)], " at game 1"),
    ],
)
def test_an_empty_pgn_between_games_refuses_the_answer(games: list[str], at: str | None) -> None:
    reading = read(*games)
    if at is None:
        assert reading.complaints == [
            "misread: game 1: the game ends before its last line: an end mark or a blank line within the moves."
        ]
    else:
        assert reading.complaints == [f"refused: empty PGN{at}."]
        assert reading.boards == ()


def test_lines_that_end_as_on_windows_are_read() -> None:
    text = "\n\n".join([game(1, "1. e4"), game(2)]).replace("\n", "\r\n")
    assert read(text).complaints == []
    assert len(read(text).boards) == 2


def test_games_past_the_256th_are_not_read_and_those_past_the_100th_not_shown() -> None:
    assert read(*(game(board) for board in range(1, 101))).complaints == []
    reading = read(*(game(board) for board in range(1, 258)))
    assert len(reading.boards) == 256
    assert reading.complaints == [
        "refused: 257 games; those after the first 256 are not read.",
        "warned: 257 games; 100 are shown.",
    ]


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        (game(White="A"), "refused: game 1: it is dropped: a side has neither a name nor a FIDE id."),
        (game(Black=None), "refused: game 1: it is dropped: a side has neither a name nor a FIDE id."),
        (game(Black="Unknown"), 'misread: game 1: the name "Unknown" is removed.'),
        (game(White="?", WhiteFideId="123"), 'misread: game 1: the name "?" is removed.'),
        (game(WhiteElo="?"), 'misread: game 1: White\'s Elo "?" is no number.'),
        (game(GameId=None), "warned: game 1: no GameId."),
        (game(Round="?"), 'warned: game 1: the Round "?" has no number.'),
        (game(Round="3", Board=None), "warned: game 1: no number of the board."),
        (game(Board="2"), "misread: game 1: board 2 by the tag Board, 1 by the tag Round."),
        (game(Board="two"), 'misread: game 1: the Board "two" is no number.'),
        (game(Result="1-0"), "misread: game 1: the Result is 1-0, the end mark *."),
        (game(Result=None), 'misread: game 1: the Result "" is unknown; it counts as running.'),
        (game(1, "1. e4").removesuffix("*"), "misread: game 1: no end mark after the moves."),
        (game(1, "1. e4 * 1... e5"), "an end mark or a blank line within the moves."),
        (game(1, "1. e4\n\n1... e5"), "an end mark or a blank line within the moves."),
        (game().replace("\n\n", "\n"), "warned: game 1: no blank line between tags and moves."),
        (game().replace('"Harbour"', "Harbour"), "misread: game 1: [Site Harbour] is no tag."),
        (game(1, "1. e4 e4"), "misread: game 1: illegal san: 'e4' in"),
        (game(1, "1. e2e4"), "misread: game 1: e2e4 is not written as SAN."),
        (game(1, "1. e4 -- 2. d4"), "misread: game 1: -- is not written as SAN."),
        (game(1, "1. e4 {A fine move}"), "warned: game 1: comments are thrown away."),
        (game(1, "1. e4 (1. d4) e5"), "warned: game 1: variations are thrown away."),
        (game(1, "1. e4 {[%clk 59:58]}"), "misread: game 1: a clock in {[%clk 59:58]}."),
        (game(1, "1. e4 {[%clk 0:59:58]} e5 2. d4 d5"), "warned: game 1: move 1 has no clock, others have."),
        (game(1, "1. e4", WhiteClock="1 h"), 'misread: game 1: the WhiteClock "1 h".'),
        (
            game(1, "1. e4 {[%clk 0:59:58]}", WhiteClock="0:59:00"),
            "misread: game 1: the WhiteClock 0:59:00 is not the clock after the last move.",
        ),
        (game(Variant="Captain's Chess"), "refused: game 1: variant or position: unsupported variant"),
        (game(FEN="9/9"), "refused: game 1: variant or position: "),
    ],
)
def test_what_is_refused_misread_or_warned_of_in_one_game(written: str, complaint: str) -> None:
    complaints = read(written).complaints
    assert [each for each in complaints if complaint in each] != [], complaints


def test_a_dropped_game_is_not_shown_and_one_with_a_fide_id_is() -> None:
    reading = read(game(1, White="?"), game(2, White="?", WhiteFideId="123"))
    assert [(board.number, board.white.name) for board in reading.boards] == [(2, None)]


def test_moves_before_the_one_that_cannot_be_read_stay() -> None:
    assert read(game(1, "1. e4 e5 2. Ke3 Nc6")).boards[0].moves == ("e4", "e5")


def test_a_position_and_a_variant_that_the_reader_knows_are_played() -> None:
    castled = game(1, "1. O-O", FEN="4k3/8/8/8/8/8/8/4K2R w K - 0 1", SetUp="1")
    atomic = game(2, "1. Nf3", Variant="Atomic")
    assert [board.moves for board in read(castled, atomic).boards] == [("O-O",), ("Nf3",)]
    assert read(castled, atomic).complaints == []


@pytest.mark.parametrize(
    ("written", "result"), [("0.5-0", "1/2-0"), ("1/2-1/2", "1/2-1/2"), ("0-0", "0-0"), ("1-0", "1-0")]
)
def test_results_are_read_also_of_points_that_differ(written: str, result: str) -> None:
    reading = read(game(1, "1. e4", written))
    assert (reading.boards[0].result, reading.complaints) == (result, [])


@pytest.mark.parametrize(
    ("results", "moves", "is_ended"),
    [
        (["1-0", "0-1"], "1. e4", True),
        (["1-0", "*"], "1. e4", False),
        (["1-0", "*"], "", False),
        (["1-0", "1-0", "*"], "", True),
    ],
)
def test_the_round_ends_when_all_is_finished_or_most_and_nothing_runs(
    results: list[str], moves: str, *, is_ended: bool
) -> None:
    reading = read(*(game(board, moves, result) for board, result in enumerate(results, 1)))
    assert reading.ended == is_ended
    too_early = ["misread: the round is taken as ended before Anne 3 - Bart 3 has begun."] if len(results) == 3 else []
    assert reading.complaints == too_early


@pytest.mark.parametrize(
    ("second", "complaints"),
    [
        (game(2, GameId="g1"), ["misread: Anne 1 - Bart 1 and Anne 2 - Bart 2 are read as one game."]),
        (game(1, GameId="g2"), ["misread: Anne 1 - Bart 1 and Anne 1 - Bart 1 are read as one game."]),
        (game(1, GameId="g2", White="Carla"), []),
        (game(1, GameId="g2", White="Al"), []),
        (game(2, Round="4.2"), ["warned: games of the rounds 3, 4 in one source."]),
    ],
)
def test_games_of_one_source_are_told_apart(second: str, complaints: list[str]) -> None:
    assert read(game(1), second).complaints == complaints


def test_two_games_of_the_same_fide_ids_at_one_board_are_one() -> None:
    renamed = game(1, GameId="g2", White="A. One", WhiteFideId="123", BlackFideId="456")
    assert read(game(1, WhiteFideId="123", BlackFideId="456"), renamed).complaints == [
        "misread: Anne 1 - Bart 1 and A. One - Bart 1 are read as one game."
    ]
    assert read(game(1, WhiteFideId="123"), game(1, GameId="g2", White="A. One", WhiteFideId="123")).complaints == []


def test_boards_out_of_order_draw_a_warning() -> None:
    assert read(game(2), game(1)).complaints == ["warned: not in the order of boards: 2, 1."]


@pytest.mark.parametrize(
    ("later", "complaints"),
    [
        ([game(1, "1. e4")], []),
        ([game(1, GameId="other")], []),
        (
            [game(1, White="Anna 1")],
            ["warned: Anne 1 - Bart 1 has changed names, event or site: Anna 1 - Bart 1."],
        ),
        (
            [game(1, White="Anna 1", GameId=None)],
            [
                "warned: game 1: no GameId.",
                "warned: Anna 1 - Bart 1 was not in the source before: a new game.",
                "misread: Anne 1 - Bart 1 is no longer in the source.",
            ],
        ),
        ([game(1), game(2)], ["warned: Anne 2 - Bart 2 was not in the source before: a new game."]),
    ],
)
def test_games_that_come_go_or_change_their_names_are_told(later: list[str], complaints: list[str]) -> None:
    reader = BroadcastReader(URL, canned(answer(game(1)), answer(*later, "", etag='"2"')))
    reader.read()
    assert reader.read().complaints == complaints


def test_a_real_server_is_asked_by_one_get_and_its_redirect_is_not_followed() -> None:
    asked: list[tuple[str, str | None]] = []

    class Round(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append((self.path, self.headers["If-None-Match"]))
            if len(asked) == 1:
                self.send_response(200)
                self.send_header("Content-Type", TYPE)
                self.send_header("ETag", '"1"')
                self.end_headers()
                self.wfile.write(game(1, "1. e4").encode())
            else:
                self.send_response(302)
                self.send_header("Location", "/elsewhere")
                self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Round) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        reader = BroadcastReader(f"{URL}?key=7", connection_to("127.0.0.1", server.server_port))
        first, second = reader.read(), reader.read()
        server.shutdown()
        thread.join()
    assert asked == [("/round/3.pgn?key=7", None), ("/round/3.pgn?key=7", '"1"')]
    assert first.boards[0].moves == ("e4",)
    assert [complaint[:19] for complaint in second.complaints] == ["refused: status 302"]
    assert second.boards == first.boards
