"""The command `club standings`: FIDE's exercise, events by chance as other programs write them, and what it refuses."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from captains_table.cli.main import main
from captains_table.club.events.entries import Edition, System, TieBreak
from captains_table.club.events.player_rounds import player_rounds, total_halves
from captains_table.club.events.standings import standings, tie_breaks_of
from captains_table.club.events.trf import trf_of
from captains_table.club.events.trf_reading import EDITION, decoded, read_report
from tests.club.judged_events import drawn_round_robin, drawn_swiss
from tests.support.effort import effort

EXERCISE = Path(__file__).parent / "events" / "exercise_of_2024.trf"
ALL = "BH/C1,BH,SB,WIN,DE"


Counted = Callable[..., dict[str, Any]]


@pytest.fixture
def counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Counted:
    """Return what counts a report by the command, with some options, and returns what that prints as JSON."""

    def count(report: str | bytes, *options: str) -> dict[str, Any]:
        file = tmp_path / "report.trf"
        file.write_bytes(report if isinstance(report, bytes) else report.encode())
        assert main(["club", "standings", str(file), "--form", "json", *options]) == 0
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    return count


def values_by_number(found: dict[str, Any], code: str) -> dict[int, float]:
    return {player["number"]: player["values"][code] for player in found["players"]}


def test_the_exercise_of_fide_s_technical_commission_has_its_published_values(counted: Counted) -> None:
    found = counted(EXERCISE.read_bytes(), "--tie-breaks", ALL, "--edition", "2024")
    buchholz, cut, berger = (values_by_number(found, code) for code in ("BH", "BH/C1", "SB"))
    expected = {2: 13, 1: 12.5, 3: 15.5, 4: 15, 16: 12.5, 5: 8.5, 8: 13.5, 11: 13.5}
    assert {number: buchholz[number] for number in expected} == expected
    expected = {1: 11, 3: 13, 4: 11.5, 16: 11, 5: 7.5, 8: 12, 11: 12, 7: 12.5, 9: 7.5, 13: 12, 12: 9.5, 14: 9, 15: 11}
    assert {number: cut[number] for number in expected} == expected
    expected = {1: 8, 2: 9.5, 3: 10.5, 4: 9.75, 16: 7.25}
    assert {number: berger[number] for number in expected} == expected


def test_by_the_edition_of_2026_three_of_its_values_are_others(counted: Counted) -> None:
    exercise = EXERCISE.read_bytes()
    before, now = (
        values_by_number(counted(exercise, "--tie-breaks", ALL, "--edition", each), "BH") for each in Edition
    )
    moved = {number: (before[number], now[number]) for number in now if now[number] != before[number]}
    assert moved == {4: (15, 14), 6: (12, 11.5), 11: (13.5, 12.5)}


UNRATED = {"1": "W", "=": "D", "0": "L"}
QUIRKS: dict[str, Callable[[str], bytes]] = {
    "blank columns": lambda text: re.sub("(?m) +$", "", text.replace("0000 - Z", " " * 8)).encode(),
    "byes without zeros": lambda text: text.replace("0000 - ", " " * 7).encode(),
    "forfeits without colours": lambda text: re.sub(r" [wb] ([+-])", r" - \1", text).encode(),
    "unrated games": lambda text: re.sub(r"(\d [wb]) ([1=0])", lambda m: f"{m[1]} {UNRATED[m[2]]}", text).encode(),
    "Windows": lambda text: text.replace("\n", "\r\n").encode("utf-8-sig") + b"\x1a",
    "old Macintosh": lambda text: text.replace("\n", "\r").encode(),
    "cp1252": lambda text: text.replace("Player 1 ", "Müller 1 ").encode("cp1252"),
    "UTF-8 in characters": lambda text: text.replace("Player 1 ", "Müłłer 1 ").encode(),
    "UTF-8 in bytes": lambda text: text.replace("Player 1    ", "Müłłer 1 ").encode(),
    "ten letters of two bytes": lambda text: re.sub(r"Player (\d+) {14}", r"ěščřžýáíéů \1", text).encode(),
    "UTF-16": lambda text: text.encode("utf-16"),
    "no ranks and points": lambda text: re.sub(r"(?m)^(001.{77})(.{9})", r"\1         ", text).encode(),
    "one name": lambda text: re.sub(r"Player \d+ *", lambda name: "Li".ljust(len(name[0])), text).encode(),
    "TRF26": lambda text: re.sub(r"XXR (\d+)\nXXC white1", r"142 \1\n152 W  \n192 FIDE_DUTCH_2026", text).encode(),
}


@pytest.mark.parametrize("quirk", QUIRKS)
def test_reports_as_other_programs_write_them_have_the_same_standings(quirk: str) -> None:
    for seed in range(effort(4, 60)):
        event = drawn_swiss(seed).event
        content = QUIRKS[quirk](trf_of(event))
        assert values_of(content) == values_of(trf_of(event).encode()), seed


def values_of(content: bytes) -> dict[int, tuple[int, ...]]:
    report = read_report(decoded(content))
    comparison = report.comparison(Edition.FIDE_2026, System.SWISS)
    tie_breaks = (TieBreak.BUCHHOLZ_CUT_1, TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER, TieBreak.WINS)
    return {
        number: (total_halves(turnouts), *(comparison.value(each, number) for each in tie_breaks))
        for number, turnouts in comparison.history.items()
    }


@pytest.mark.parametrize("make", [drawn_swiss, drawn_round_robin])
def test_a_report_that_went_out_has_the_standings_of_its_event(make: Callable[..., Any]) -> None:
    for seed in range(effort(4, 200)):
        event = make(seed).event
        report = read_report(trf_of(event))
        assert report.system is event.made.system is not None
        comparison = report.comparison(report.edition or Edition.FIDE_2024, event.made.system)
        lines = {line.name: line for line in standings(event)}
        for number, player in report.players.items():
            assert total_halves(comparison.history[number]) == lines[player.name].halves
            for tie_break, value in zip(tie_breaks_of(event), lines[player.name].values, strict=True):
                if tie_break is not TieBreak.DIRECT_ENCOUNTER:
                    assert comparison.value(tie_break, number) == value
        assert len(player_rounds(event)) == len(report.players)


HEAD = "012 Open\n092 Individual: Swiss-System\n"
ANNE = "001    1      Anne                              2000                             1.0    1     2 w 1\n"
BART = "001    2      Bart                              1900                             0.0    2     1 b 0\n"


def test_a_table_for_people_names_edition_and_rounds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["club", "standings", str(EXERCISE), "--tie-breaks", "BH/C1,SB"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "Swiss, 5 of 5 rounds, FIDE's tie-breaks of 2026"
    assert lines[3].split() == ["Place", "No.", "Name", "Points", "BH/C1", "SB"]
    assert lines[4].split() == ["1", "2", "Player", "2", "4", "12", "9.5"]


@pytest.mark.parametrize(("anne", "bart"), [("2 w", "1 b 0"), ("2 w 1", "1 b")])
def test_a_result_in_one_line_alone_counts_for_both(anne: str, bart: str, counted: Counted) -> None:
    text = HEAD + ANNE.replace("2 w 1", anne) + BART.replace("1 b 0", bart)
    first, second = counted(text, "--tie-breaks", "BH,WIN")["players"]
    assert (first["points"], first["values"]) == (1, {"BH": 0, "WIN": 1})
    assert (second["points"], second["values"]) == (0, {"BH": 1, "WIN": 0})


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_names_are_read_in_every_encoding(encoding: str, counted: Counted) -> None:
    assert counted((HEAD + ANNE.replace("Anne", "Zoë ") + BART).encode(encoding))["players"][0]["name"] == "Zoë"


def test_names_are_read_whole_where_columns_are_counted_in_bytes(counted: Counted) -> None:
    name = "ěščřžýáíéů"
    text = HEAD + ANNE.replace(f"Anne{' ' * 16}", name) + BART.replace(f"Bart{' ' * 16}", name)
    assert [(each["name"], each["points"]) for each in counted(text)["players"]] == [(name, 1), (name, 0)]


def test_a_forfeit_that_the_other_line_calls_an_absence_is_one(counted: Counted) -> None:
    text = HEAD + ANNE.replace("2 w 1", "2 w +") + BART.replace("   1 b 0", "0000 - Z")
    found = values_by_number(counted(text, "--tie-breaks", "BH"), "BH")
    assert found == {1: 0.5, 2: 0}  # Bart's absence is a draw for Anne


def test_a_bye_of_half_a_point_counts_half_a_point(counted: Counted) -> None:
    free = BART.replace("2 ", "3 ", 1).replace("   1 b 0", "0000 - U")
    players = counted(f"{HEAD}162  W 1.0    D 0.5    P 0.5\n{ANNE}{BART}{free}")["players"]
    assert [(each["points"], each["values"]["WIN"]) for each in players if each["number"] == 3] == [(0.5, 0)]


def test_the_tie_breaks_a_report_names_are_used_unless_others_are_asked_for(counted: Counted) -> None:
    text = f"{HEAD}212 PTS,WIN,BH/C1\n{ANNE}{BART}"
    assert list(counted(text)["players"][0]["values"]) == ["WIN", "BH/C1"]
    assert list(counted(text, "--tie-breaks", "sb,bh-c1")["players"][0]["values"]) == ["SB", "BH/C1"]


def test_the_edition_a_report_names_is_used_unless_another_is_asked_for(counted: Counted) -> None:
    named = f"{HEAD}{EDITION}2024\n{ANNE}{BART}"
    assert counted(HEAD + ANNE + BART)["edition"] == "2026"
    assert counted(named)["edition"] == "2024"
    assert counted(named, "--edition", "2026")["edition"] == "2026"


def test_points_that_do_not_follow_from_the_results_are_remarked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.trf"
    report.write_text(HEAD + ANNE.replace("1.0", "3.0") + BART)
    assert main(["club", "standings", str(report)]) == 0
    assert "line 3: Anne has 3.0 points there, but 1 by the results" in capsys.readouterr().err


BOTH = ANNE + BART
ROUND_ROBIN = HEAD.replace("Swiss-System", "Round-Robin")
UNKNOWN = "is no tie-break that is counted here: expected some of BH"


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        (HEAD + BOTH, ["--tie-breaks", "BH,XYZ"], f"'XYZ' {UNKNOWN}"),
        (f"{HEAD}202 BH,ARO\n{BOTH}", [], f"report.trf names its tie-breaks: 'ARO' {UNKNOWN}"),
        (ROUND_ROBIN + BOTH, ["--tie-breaks", "BH"], "no Buchholz in a round robin"),
        (HEAD + BOTH, ["--system", "round-robin", "--tie-breaks", "BH/C1,SB"], "Article 8"),
        (HEAD + BOTH.replace("1 b 0", "1 b x"), [], "report.trf: line 4, round 1: '1 b x' is no result"),
        ("[Event]", [], "it has no players"),
    ],
)
def test_what_cannot_be_counted_is_refused_in_a_sentence(
    text: str, options: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.trf"
    report.write_text(text)
    assert main(["club", "standings", str(report), *options]) == 2
    assert words in capsys.readouterr().err


def test_the_edition_of_2024_still_has_a_buchholz_in_a_round_robin(counted: Counted) -> None:
    text = HEAD.replace("Swiss-System", "Round-Robin") + ANNE + BART
    assert values_by_number(counted(text, "--tie-breaks", "BH", "--edition", "2024"), "BH") == {1: 0, 2: 1}
