"""The pages of rules: a game in one minute, examples drawn as the rules have them, and the way to a match."""

import re
from html import unescape
from urllib.parse import parse_qsl

import chess
import pytest

from captains_table.catalog import ENTRIES
from captains_table.games.contract import read_options
from captains_table.games.registry import GAMES
from captains_table.games.ship_captain_crew import ShipCaptainCrew
from captains_table.table.lessons.lesson import read_lesson
from captains_table.web.rules_drawings import ARRAY_THROW, CREW_TURN, LEGEND_CARGO, PIRACY_THROW, SHEET, STRIKE
from captains_table.web.svg.board_svg import FRAME
from tests.support import legend_harness, swashbuckle_play
from tests.support.by_words import DiceGame
from tests.support.fake_table import FakeTable
from tests.support.visiting import get

LESSONS = {entry.game.key: read_lesson(entry.lesson.read()) for entry in ENTRIES if entry.lesson is not None}
BUILT_IN = ("legend", "chess", "captains-chess", "ship-captain-crew", "swashbuckle", "crowns")


def page(game: str) -> str:
    answer = get(FakeTable(), f"/rules/{game}")
    assert answer.status_code == 200
    return answer.text


def examples(game: str) -> dict[str, str]:
    """Map what each drawn example says to its drawing."""
    found = re.findall(
        r'<figure class="example[^"]*"><div aria-hidden="true">(.*?)</div><figcaption>(.*?)\.</', page(game)
    )
    return {unescape(words): art for art, words in found}


def faces(art: str) -> list[tuple[str, bool]]:
    """Return the faces of drawn dice, and whether each is pinned; empty places as what they wait for."""
    found = []
    for css, die in re.findall(r'<svg class="die ([^"]*)"(.*?)</svg>', art):
        wanted = re.findall(r'class="wanted"[^>]*>(\d)<', die)
        found.append((f"?{wanted[0]}" if wanted else str(die.count('class="pip"')), "held" in css))
    return found


def targets(art: str) -> set[str]:
    """Return the squares that a drawn board marks as those to go to."""
    return set(re.findall(r'data-square="(\w\d)"[^>]*aria-label="[^"]*, may be moved to"', art))


@pytest.mark.parametrize("game", BUILT_IN)
def test_every_game_is_told_in_one_minute_then_drawn_and_leads_to_a_match(game: str) -> None:
    html = page(game)
    minute = html.partition("<h2>In one minute</h2>")[2].partition("</ol>")
    assert 4 <= minute[0].count("<li>") <= 5
    assert len(re.sub("<[^>]*>", " ", minute[0]).split()) <= 90
    begin = minute[2].partition("<h2>")[0]
    assert begin.lstrip().startswith('<div class="again"><form method="post" action="/new" class="deal">')
    assert re.search(rf'name="game" value="{game}".*? aria-label="[^"]*" checked>', begin, re.DOTALL)
    assert f'href="/new?game={game}&amp;name1=Sailor' in begin, "two people at one table"
    assert "<svg" in html.partition("<main")[2]
    assert '<nav class="tabs" aria-label="Rules">' in html


@pytest.mark.parametrize("game", BUILT_IN)
def test_what_may_be_agreed_leads_to_a_form_in_which_it_is_chosen(game: str) -> None:
    links = {unescape(link) for link in re.findall(r'href="(/new\?[^"]*)"', page(game))}
    for link in links:
        answer = get(FakeTable(), link)
        assert answer.status_code == 200
        options = dict(parse_qsl(link.partition("?")[2]))
        assert options.pop("game") == game
        options = {name: value for name, value in options.items() if not name.startswith("name")}
        assert set(read_options(GAMES[game].options, options)) >= options.keys()
        for name, value in options.items():
            field = re.findall(rf'<(?:select|input) name="{name}".*?(?:</label>)', answer.text, re.DOTALL)[0]
            assert f'value="{value}"' in field.partition("<datalist")[0]
            assert "<option" not in field or f'value="{value}" selected' in field or "<datalist" in field
            is_advanced = next(option.is_advanced for option in GAMES[game].options if option.name == name)
            assert not is_advanced or '<details class="more-options" open>' in answer.text


def test_the_turn_of_ship_captain_and_crew_is_drawn_as_the_game_plays_it() -> None:
    game = ShipCaptainCrew()
    words = DiceGame(game)
    state = game.start(("Anne", "Bart"), {"order": "seated"})
    drawn = examples("ship-captain-crew")
    assert len(drawn) == len(CREW_TURN) == 3
    for thrown, art in zip(CREW_TURN, drawn.values(), strict=True):
        state = words.said(state, "".join(map(str, thrown)))
        berths = [slot for slot in game.slots(state) if slot.die is not None]
        if berths:
            lying = [die for die in game.dice(state) if not die.held]
            row = [(str(slot.face), True) for slot in berths]
            row += [(f"?{face}", False) for face in (6, 5, 4)[len(berths) :]]
            assert faces(art) == row + [(str(die.face), False) for die in lying]
    assert list(drawn) == ["Throw 1: ship", "Throw 2: ship, captain", "Throw 3: ship, captain, crew; cargo 4"]
    assert words.totals(state) == [4, 0]


def test_the_filled_sheet_of_swashbuckle_is_that_of_a_match_with_these_dice() -> None:
    state = swashbuckle_play.start("Anne")
    for box, thrown in SHEET.items():
        state = swashbuckle_play.said(state, "".join(map(str, thrown)))
        state = swashbuckle_play.said(state, f"{'scuttle' if box == 'aces-high' else 'score'}-{box}")
        if box == "piracy":
            state = swashbuckle_play.said(state, "".join(map(str, PIRACY_THROW)), "stand")
    played = {row.title: row.cells[0] for row in swashbuckle_play.GAME.sheet(state) if row.cells[0]}
    table = page("swashbuckle").partition('<table class="worth tall filled">')[2].partition("</table>")[0]
    rows = re.findall(r'<th scope="row">(.*?)</th><td>(.*?)</td><td>(.*?)</td>', table)
    assert {unescape(title): points for title, _, points in rows} == played
    assert [len(faces(dice)) for _, dice, _ in rows].count(5) == len(SHEET) == 16
    assert sum(int(points) for _, dice, points in rows if dice.count("<svg")) + 45 == int(played["Total plunder"])
    assert f"The crow's nest holds {played['Subtotal']}, enough for the blimey bonus of 45" in page("swashbuckle")


def test_cargo_and_strike_of_legend_are_drawn_as_they_count() -> None:
    state = legend_harness.start()
    state = legend_harness.play(state, f"roll {' '.join(map(str, LEGEND_CARGO))} 6", STRIKE[0], "done")
    state = legend_harness.moves(state, STRIKE[1])
    before = legend_harness.legend(state, 0)
    state = legend_harness.moves(state, STRIKE[2], die=3)
    words = {"cargo": legend_harness.cargo(state, 0), "strike": legend_harness.legend(state, 0) - before - 3}
    (cargo, dice), (strike, board) = examples("legend").items()
    assert cargo.endswith(f"the cargo: 3 + 2 = {words['cargo']}")
    assert faces(dice) == [("6", True), ("5", True), ("4", True), ("3", False), ("2", False)]
    assert words["strike"] == 1
    independent = chess.Board()
    for move in STRIKE:
        independent.push_uci(move)
    assert [chess.square_name(square) for square in independent.checkers()] == ["b5"]
    assert strike == "The bishop goes from f1 to b5 and looks at the king on e8: a strike"
    middles = [(FRAME + 45 * file + 22.5, FRAME + 45 * (7 - rank) + 22.5) for file, rank in ((1, 4), (4, 7))]
    assert f'class="sight" d="M{middles[0][0]:g} {middles[0][1]:g}L{middles[1][0]:g} {middles[1][1]:g}"' in board
    drawn = re.findall(r'data-square="(\w\d)"[^>]*aria-label="(\w+) (\w+) on', board)
    assert len(drawn) == len(independent.piece_map())
    for square, colour, kind in drawn:
        piece = independent.piece_at(chess.parse_square(square))
        assert piece is not None
        assert (chess.COLOR_NAMES[piece.color], chess.piece_name(piece.piece_type)) == (colour, kind)


def test_the_worths_under_the_pieces_of_legend_are_those_of_the_die() -> None:
    table = page("legend").partition('<table class="worth">')[2].partition("</table>")[0]
    assert re.findall(r"<br>(\w+)</th>", table) == ["Pawn", "Knight", "Bishop", "Rook", "King", "Queen"]
    assert re.findall("<td>(.*?)</td>", table) == ["1 · I", "2 · II", "3 · III", "4 · IV", "5 · V", "6 · VI"]
    assert table.count("<svg") == 6


def occupied(art: str) -> list[dict[str, str]]:
    """Return for each drawn board its pieces in words, keyed by square."""
    piece = r'data-square="(\w\d)"[^>]*aria-label="((?:white|black) \w+) on'
    return [dict(re.findall(piece, board)) for board in art.split('<svg class="board"')[1:]]


def test_the_pieces_of_chess_reach_what_their_rules_say() -> None:
    drawn = {words: targets(art) for words, art in examples("chess").items() if words.startswith("A ")}
    straight = {f"{file}4" for file in "abcdfgh"} | {f"e{rank}" for rank in "1235678"}
    aslant = {"d3", "c2", "b1", "d5", "c6", "b7", "a8", "f5", "g6", "h7", "f3", "g2", "h1"}
    assert drawn == {
        "A rook reaches 14 squares": straight,
        "A bishop reaches 13 squares": aslant,
        "A queen reaches 27 squares": straight | aslant,
        "A knight reaches 8 squares": {"c3", "c5", "d2", "d6", "f2", "f6", "g3", "g5"},
        "A king reaches 8 squares": {"d3", "d4", "d5", "e3", "e5", "f3", "f4", "f5"},
        "A pawn steps ahead to e3 or e4, or takes aslant on d3 or f3": {"e3", "e4", "d3", "f3"},
    }


def test_castling_and_en_passant_are_drawn_as_they_are_played() -> None:
    drawn = {words: occupied(art) for words, art in examples("chess").items()}
    king, rook = "white king", "white rook"
    short, long = {"g1": king, "f1": rook, "a1": rook}, {"c1": king, "d1": rook, "h1": rook}
    usual = drawn["In chess: before, then O-O and O-O-O"]
    anywhere = drawn["In Chess960: before, then O-O and O-O-O"]
    swapped = drawn["In Chess960 too: before, then O-O"]
    assert usual == [{"e1": king, "a1": rook, "h1": rook}, short, long]
    assert anywhere == [{"b1": king, "a1": rook, "h1": rook}, short, long]
    assert swapped == [{"f1": king, "g1": rook}, {"g1": king, "f1": rook}]
    [(passed, taken)] = [boards for words, boards in drawn.items() if words.startswith("The pawn has gone")]
    assert passed.keys() - taken.keys() == {"d5", "e5"}
    assert (taken.keys() - passed.keys(), taken["d6"]) == ({"d6"}, "white pawn")


def test_mate_and_stalemate_are_drawn_as_another_judge_sees_them() -> None:
    drawn = {words: occupied(art) for words, art in examples("chess").items()}
    for words, is_mate in (("is mated", True), ("cannot move: stalemate", False)):
        [board] = next(boards for told, boards in drawn.items() if words in told)
        judge = chess.Board(None)
        judge.turn = chess.BLACK
        for square, piece in board.items():
            colour, kind = piece.split()
            of_kind = chess.PIECE_NAMES.index(kind)
            judge.set_piece_at(chess.parse_square(square), chess.Piece(of_kind, colour == "white"))
        assert (judge.is_checkmate(), judge.is_stalemate()) == (is_mate, not is_mate)


def test_the_thrown_array_of_chess_and_the_table_of_knights_are_those_of_g12() -> None:
    (words, dice) = next((words, art) for words, art in examples("chess").items() if "array" in words)
    rank = chess.Board.from_chess960_pos(438).board_fen().rpartition("/")[2]
    assert words == f"This throw gives the array {rank}, number 438"
    assert [int(face) for face, _ in faces(dice)] == list(ARRAY_THROW)
    table = page("chess").rpartition('<table class="worth">')[2].partition("</table>")[0]
    left = [file for file in "abcdefgh" if file not in "fce"]  # bishops by 3 and 2, the queen by 4
    knights = re.findall(r'<th scope="row">1, 3, 5</th>(.*)</tr>', table)[0]
    places = re.findall(r"<td>(\d) and (\d)</td>", knights)[ARRAY_THROW[4] - 1]
    assert [left[int(place) - 1] for place in places] == [
        file for file, piece in zip("abcdefgh", rank, strict=True) if piece == "N"
    ]


def test_the_captain_and_the_crowned_reach_what_their_rules_say() -> None:
    captain, bishop, rook = examples("captains-chess").items()
    leaps = {"c3", "c5", "d2", "d6", "f2", "f6", "g3", "g5"}
    straight, aslant = {"d4", "f4", "e3", "e5"}, {"d3", "d5", "f3", "f5"}
    lines = {f"{file}4" for file in "abcdfghi"} | {f"e{rank}" for rank in (1, 2, 3, 5, 6, 7, 8)}
    diagonals = {"b1", "c2", "d3", "f5", "g6", "h7", "i8", "a8", "b7", "c6", "d5", "f3", "g2", "h1"}
    assert captain == ("The captain on e4 reaches 12 squares", captain[1])
    assert targets(captain[1]) == leaps | straight
    assert targets(bishop[1]) == diagonals | straight
    assert targets(rook[1]) == lines | aslant
    for words, art in (bishop, rook):
        assert f"reaches {len(targets(art))} squares" in words


def test_a_grid_of_crowns_stands_beside_the_squares_it_reaches() -> None:
    standard, levelled = examples("crowns").values()
    assert targets(standard) == {"b6", "f6"}
    assert targets(levelled) == {"d5", "b4", "f4", "c3", "e3", "d3", "d2", "d1"}
    assert [art.count('class="grid-dot"') for art in (standard, levelled)] == [2, 5]
    assert [art.count('class="grid-arrow"') for art in (standard, levelled)] == [0, 1]


@pytest.mark.parametrize("game", BUILT_IN)
def test_each_rule_that_is_cited_can_be_linked_to_and_tried_where_the_lesson_teaches_it(game: str) -> None:
    html, steps = page(game), LESSONS[game].steps_by_rule()
    shown = re.findall(r'<(?:span|button type="submit" class="button small") id="([A-Z]\d+a?)"', html)
    assert len(shown) == len(set(shown))
    assert {meaning.rule for meaning in GAMES[game].meanings.values()} | set(steps) <= set(shown)
    tried = re.findall(rf'id="(\w+)" form="try-it" formaction="/lessons/{game}\?step=(\d+)"', html)
    assert {rule: int(step) for rule, step in tried} == steps
