"""Playing tapes: what is printed, and which exit code several tapes deserve (docs/contracts.md Contract 6)."""

import io
import json
from pathlib import Path

import pytest

from captains_table.runtime.tape_player import replay_files
from tests.support.playing import OPENING, played

FINAL_KEYS = "game phase seat dice extra_dice tallies pieces wrong ask prompt result switches lights"


def test_every_action_is_a_line_with_its_number_time_seat_and_what_was_done() -> None:
    tape = played(OPENING + "lift e4\nplace e3\npick done\ndice 1 1 1 1 1 1\n+500 hold roll 250\n")
    assert (tape.code, tape.err) == (0, "")
    assert tape.actions == [
        {"seq": 1, "at_ms": 3000, "seat": "Anne", "action": {"type": "pick", "id": "roll"}},
        {"seq": 2, "at_ms": 3000, "seat": "Anne", "action": {"type": "rolled", "faces": [6, 5, 4, 3, 2, 5]}},
        {"seq": 3, "at_ms": 5008, "seat": "Anne", "action": {"type": "pick", "id": "e2e4"}},
        {"seq": 4, "at_ms": 7308, "seat": "Anne", "action": {"type": "take-back", "seq": 3}},
        {"seq": 5, "at_ms": 7308, "seat": "Anne", "action": {"type": "pick", "id": "e2e3"}},
        {"seq": 6, "at_ms": 8000, "seat": "Anne", "action": {"type": "pick", "id": "done"}},
        {"seq": 7, "at_ms": 9750, "seat": "Bart", "action": {"type": "pick", "id": "roll"}},
        {"seq": 8, "at_ms": 9750, "seat": "Bart", "action": {"type": "rolled", "faces": [1, 1, 1, 1, 1, 1]}},
    ]


def test_keeps_and_amounts_and_the_dice_thrown_are_written_as_the_contract_says() -> None:
    fen = '"fen=4k3/7p/8/3p4/8/8/8/3QK3 w - - 0 1"'
    tape = played(
        f"game legend Anne Bart {fen}\ndice 1 1 1 1 1 6\npress roll\nlift d5\nlift d1\nplace d5\n"
        "dice 2 3\nkeep 1 3 5\npick done\ndice 6 5 4 6 6 1\npress roll\npick h7h6\npick done\n"
        "dice 1 1 1 1 1 6\npress roll\npick e1e2\npick done\ndice 1 1 1 1 1 1\npress roll\n"
        "pick buy-back\npick p\namount 3\npick agree\npick p@d7\n"
    )
    assert (tape.code, tape.err) == (0, "")
    actions = [line["action"] for line in tape.actions]
    assert {"type": "keep", "dice": [1, 3, 5]} in actions
    assert {"type": "rolled", "faces": [2, 3]} in actions
    assert {"type": "amount", "value": 3} in actions
    agreed = next(line for line in tape.actions if line["action"] == {"type": "pick", "id": "agree"})
    assert agreed["seat"] == "Anne"
    assert tape.final["pieces"]["d7"] == "p"
    assert "d7" in tape.final["switches"]


def test_the_numbers_of_the_actions_rise_without_a_gap() -> None:
    tape = played(OPENING + "lift e4\nplace e3\nlift e3\nplace e2\nlift d2\nplace d4\ncut\nlift d4\nplace d3\n")
    assert [line["seq"] for line in tape.actions] == list(range(1, len(tape.actions) + 1))
    assert [line["at_ms"] for line in tape.actions] == sorted(line["at_ms"] for line in tape.actions)


def test_the_final_object_holds_all_that_the_contract_names() -> None:
    final = played(OPENING).final
    assert {*FINAL_KEYS.split(), "round", "fen"} <= set(final)
    assert (final["game"], final["phase"], final["seat"], final["round"]) == ("legend", "playing", "Anne", 1)
    assert (final["dice"], final["extra_dice"]) == ([6, 5, 4, 3, 2, 5], [])
    assert final["tallies"]["Anne"] == {"cargo": 0, "legend": 5, "total": 5}
    assert (len(final["pieces"]), final["pieces"]["e4"]) == (32, "P")
    assert sorted(final["pieces"]) == sorted(final["switches"])
    assert (final["wrong"], final["result"]) == ({"missing": [], "extra": []}, None)
    assert final["ask"]["kind"] == "pick"
    assert all(set(option) == {"id", "label"} for option in final["ask"]["options"])
    assert final["prompt"][0] == "Anne (White): your move is made"
    assert final["prompt"][1] == "End the turn with cargo 5, or throw the cargo again, 2 left"
    assert final["fen"].startswith("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq")


def test_the_ask_lists_every_legal_board_move() -> None:
    final = played("game legend Anne Bart\ndice 1 1 1 1 1 6\npress roll").final
    moves = [option["id"] for option in final["ask"]["options"] if len(option["id"]) == 4]
    assert len(moves) == 20


def test_an_ask_which_dice_stay_lists_those_that_may_be_thrown_and_dice_that_have_not_fallen_are_null() -> None:
    ask = played(OPENING + "pick throw-again").final["ask"]
    assert (ask["kind"], ask["dice"]) == ("keep", [1, 2, 3, 4, 5])
    assert played("game legend Anne Bart\ndice 4\npick roll-legend").final["dice"] == [None, None, None, None, None, 4]


def test_timers_that_are_due_fire_before_the_input_at_that_time() -> None:
    early = played(OPENING.replace("place e4", "place e3") + "+308 expect pieces.e3 P")
    assert (early.code, early.err) == (0, "")


def test_inputs_at_one_time_keep_the_order_of_the_file() -> None:
    tape = played("game legend Anne Bart\n+0 dice 1 1 1 1 1 6\n+0 press roll\n+0 pick e2e4\n+0 pick done\n")
    assert [line["action"].get("id", "rolled") for line in tape.actions] == ["roll", "rolled", "e2e4", "done"]


def test_a_seed_gives_all_further_faces_and_the_same_ones_every_time_and_a_cut_loses_none() -> None:
    text = "game legend Anne Bart\ndice 6 6\ndice seed 7\n{}press roll\npick throw-again\nkeep\n"
    first, second = (played(text.format(cut)) for cut in ("", "cut\n"))
    assert first.final["dice"] == second.final["dice"]
    assert first.actions[1]["action"]["faces"][:2] == [6, 6]


def test_a_tape_without_a_match_still_has_a_final_object() -> None:
    tape = played("# nothing\n")
    assert (tape.code, tape.actions) == (0, [])
    assert tape.final["seat"] is None


def test_the_end_of_a_match_shows_its_result_and_asks_nobody() -> None:
    tape = played("game legend Anne rounds=1\ndice 6 5 4 3 2 5\npress roll\npick e2e4\npick abandon\npick agree\n")
    assert tape.final["phase"] == "over"
    assert tape.final["seat"] is None
    assert tape.final["ask"] is None
    assert tape.final["result"] == {"winner": "Anne", "scores": {"Anne": 5, "Aether": 0}}


def write(folder: Path, **tapes: str) -> list[Path]:
    paths = []
    for name, text in tapes.items():
        path = folder / f"{name}.tape"
        path.write_text(text)
        paths.append(path)
    return paths


@pytest.mark.parametrize(
    ("texts", "code"),
    [
        (["", ""], 0),
        (["expect seat Anne", ""], 1),
        (["", "expect seat Anne"], 1),
        (["jump", "expect seat Anne"], 2),
        (["expect seat Anne", "jump", ""], 2),
    ],
)
def test_the_highest_exit_code_wins_and_every_tape_is_played(tmp_path: Path, texts: list[str], code: int) -> None:
    paths = write(tmp_path, **{f"tape{index}": f"{OPENING}pick done\n{text}\n" for index, text in enumerate(texts)})
    out, err = io.StringIO(), io.StringIO()
    assert replay_files(paths, out, err) == code
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [line["tape"] for line in lines if "final" in line] == [str(path) for path in paths]
    assert [line["action"]["id"] for line in lines if line.get("seq") == 4] == ["done"] * len(texts)


def test_a_missing_file_and_one_that_is_no_text_are_told_and_the_next_tape_is_played(tmp_path: Path) -> None:
    (there,) = write(tmp_path, there=OPENING)
    missing, noise = tmp_path / "missing.tape", tmp_path / "noise.tape"
    noise.write_bytes(b"\xff\xfe\x00game")
    out, err = io.StringIO(), io.StringIO()
    assert replay_files([missing, noise, tmp_path, there], out, err) == 2
    assert err.getvalue().startswith(f"{missing}: ")
    assert err.getvalue().count("expected") == 3
    assert json.loads(out.getvalue().splitlines()[-1])["tape"] == str(there)


def test_a_tape_from_windows_reads_the_same(tmp_path: Path) -> None:
    path = tmp_path / "windows.tape"
    path.write_bytes(OPENING.replace("\n", "\r\n").encode())
    out, err = io.StringIO(), io.StringIO()
    assert replay_files([path], out, err) == 0
    assert json.loads(out.getvalue().splitlines()[-1])["final"] == played(OPENING).final


@pytest.mark.parametrize("words", ["engine:2", "aether:1"])
def test_a_tape_with_a_computer_that_is_not_here_is_replayed(words: str) -> None:
    tape = played(f"game captains-chess Anne {words}\n+0 set-up\npick e2e4\npick e7e5\n")
    assert (tape.code, tape.err) == (0, "")
    assert [action["seat"] for action in tape.actions] == ["Anne", words]
