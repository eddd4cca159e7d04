"""The command `club standings`: ranks the players of a tournament report (TRF) written by any program."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from captains_table.cli.arguments import Commands, add_command

if TYPE_CHECKING:
    from collections.abc import Mapping

    from captains_table.club.events.entries import TieBreak
    from captains_table.club.events.standings import TieBreakResult
    from captains_table.club.events.tie_breaks import Comparison
    from captains_table.club.events.trf_reading import TournamentReport


def add(commands: Commands) -> None:
    """Add `club standings` to the parser's commands."""
    parser = add_command(
        commands,
        "club standings",
        standings_command,
        "captains-table club standings open.trf",
        "captains-table club standings open.trf --tie-breaks BH/C1,BH,SB,WIN,DE --edition 2026 --form json",
    )
    parser.add_argument("report", type=Path, metavar="FILE.trf", help="a report: TRF06, TRF16 or TRF26")
    parser.add_argument(
        "--tie-breaks",
        metavar="CODES",
        help="what parts those of equal points, in this order: some of BH, BH/C1, BH/C2, BH/M1, BH/M2, SB, DE, WIN, "
        "with commas (those the report names, or those that events here have)",
    )
    parser.add_argument("--edition", choices=("2024", "2026"), help="of FIDE's tie-breaks (the report's, or 2026)")
    parser.add_argument(
        "--system", choices=("swiss", "round-robin"), help="who meets whom (what the report says, or a Swiss)"
    )
    parser.add_argument("--form", choices=("text", "json"), default="text", help="a table, or JSON (text)")


def standings_command(arguments: argparse.Namespace) -> int:
    """Places and tie-breaks of a tournament report (TRF), by FIDE's rules.

    The standings are printed as a table or as JSON, and remarks about the report on standard error.
    """
    from captains_table.club.events.entries import TIE_BREAKS, Edition, System
    from captains_table.club.events.event import check_tie_breaks
    from captains_table.club.events.standings import ranked_by_tie_breaks
    from captains_table.club.events.trf_reading import BadReport, decoded, read_report, read_tie_breaks

    try:
        report = read_report(decoded(arguments.report.read_bytes()))
    except BadReport as error:
        raise BadReport(f"{arguments.report}: {error}") from error
    edition = Edition(arguments.edition) if arguments.edition else report.edition or Edition.FIDE_2026
    system = System(arguments.system) if arguments.system else report.system or System.SWISS
    codes = report.tie_breaks if arguments.tie_breaks is None else arguments.tie_breaks.split(",")
    try:
        tie_breaks = read_tie_breaks(codes) or TIE_BREAKS[system]
    except BadReport as error:
        if arguments.tie_breaks is not None:
            raise
        raise BadReport(f"{arguments.report} names its tie-breaks: {error}; --tie-breaks names others") from error
    check_tie_breaks(system, edition, tie_breaks)
    comparison = report.comparison(edition, system)
    found = _as_plain(report, comparison, tie_breaks, ranked_by_tie_breaks(comparison, tie_breaks))
    for remark in report.remarks(comparison.history):
        print(f"captains-table: {arguments.report}: {remark}", file=sys.stderr)
    if arguments.form == "json":
        print(json.dumps(found, ensure_ascii=False, indent=1))
    else:
        print("\n".join(_as_table(found)))
    return 0


def _as_plain(
    report: "TournamentReport",
    comparison: "Comparison",
    tie_breaks: "tuple[TieBreak, ...]",
    places: "Mapping[int, TieBreakResult]",
) -> dict[str, Any]:
    """Return the standings as a JSON object, the best player first, with points and tie-break values as decimals."""
    from captains_table.club.events.entries import WIN
    from captains_table.club.events.player_rounds import total_halves
    from captains_table.club.events.tie_breaks import TIE_BREAK_FORMS

    return {
        "title": report.title,
        "system": "round-robin" if comparison.is_round_robin else "swiss",
        "rounds": report.rounds,
        "played": report.paired,
        "edition": comparison.edition,
        "tie_breaks": [TIE_BREAK_FORMS[tie_break].code for tie_break in tie_breaks],
        "players": [
            {
                "number": number,
                "name": report.players[number].name,
                "place": places[number].place,
                "points": total_halves(comparison.history[number]) / WIN,
                "values": {
                    TIE_BREAK_FORMS[tie_break].code: value / TIE_BREAK_FORMS[tie_break].scale
                    for tie_break, value in zip(tie_breaks, places[number].values, strict=True)
                },
            }
            for number in sorted(places, key=lambda number: (places[number].place, number))
        ],
    }


def _as_table(found: dict[str, Any]) -> list[str]:
    heading = ["Place", "No.", "Name", "Points", *found["tie_breaks"]]
    rows = [
        [str(player["place"]), str(player["number"]), player["name"], f"{player['points']:g}"]
        + ["" if code == "DE" and not value else f"{value:g}" for code, value in player["values"].items()]
        for player in found["players"]
    ]
    columns = []
    for column in zip(heading, *rows, strict=True):
        width = max(map(len, column))
        columns.append([cell.ljust(width) if column[0] == "Name" else cell.rjust(width) for cell in column])
    lines = ("  ".join(row).rstrip() for row in zip(*columns, strict=True))
    system = {"swiss": "Swiss", "round-robin": "Round robin"}[found["system"]]
    words = f"{system}, {found['played']} of {found['rounds']} rounds, FIDE's tie-breaks of {found['edition']}"
    return [*filter(None, [found["title"]]), words, "", *lines]
