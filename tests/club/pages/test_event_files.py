import io
import json
import zipfile

import chess.pgn

from captains_table.club.pages.event_pages import MatchExport, tagged, zipped
from captains_table.games.contract import Pick
from captains_table.table.history.export import export_json
from captains_table.table.model.entries import Acted, ClockWentOn, Entry, MatchEnded, MatchStarted


def export(entries: list[Entry]) -> bytes:
    return json.dumps(export_json(entries, None, "2026-01-31T20:15:00+01:00")).encode()


CHESS: list[Entry] = [
    MatchStarted("captains-chess", ("Anne", "Bart"), {"clock": "5+3"}),
    ClockWentOn(0),
    Acted(1, 0, 4_000, Pick("e2e4")),
    Acted(2, 0, 10_000, Pick("press-clock")),
    Acted(3, 1, 20_000, Pick("resign")),
    MatchEnded(0, (1, 0)),
]


def opened(content: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(content)) as folder:
        return {name: folder.read(name).decode() for name in folder.namelist()}


def test_files_lie_by_round_and_board_with_clocks_and_the_event_s_own_tags() -> None:
    files = opened(zipped('The "Open"', [MatchExport(2, 5, export(CHESS))]))
    assert set(files) == {"round-2/game-5.json", "round-2/game-5.pgn"}
    text = files["round-2/game-5.pgn"]
    assert "[Event \"The 'Open'\"]" in text
    assert '[Round "2.5"]' in text
    assert "1. e4 {[%clk 0:04:53]} 1-0" in text
    assert files["round-2/game-5.json"].encode() == export(CHESS)


def test_of_a_dice_game_there_is_only_the_export() -> None:
    entries: list[Entry] = [MatchStarted("swashbuckle", ("Anne", "Bart"), {})]
    assert set(opened(zipped("x", [MatchExport(1, 1, export(entries))]))) == {"round-1/game-1.json"}


def test_a_match_of_several_rounds_says_which_of_them_each_game_is() -> None:
    text = '[Event "Legend"]\n[Round "1"]\n\n*\n\n[Event "Legend"]\n[Round "2"]\n\n*\n'
    games = io.StringIO(tagged(text, "Open", "3.1"))
    rounds = []
    while (game := chess.pgn.read_game(games)) is not None:
        rounds.append((game.headers["Event"], game.headers["Round"]))
    assert rounds == [("Open", "3.1.1"), ("Open", "3.1.2")]
