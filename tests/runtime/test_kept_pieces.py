"""Pieces called by their names where a match is started: the whole piece is journalled, though it is kept nowhere."""

import json
from pathlib import Path

import pytest

from captains_table.games.contract import BadOption
from captains_table.games.crowns.designs import parse_design, roster
from captains_table.runtime.table import Table
from captains_table.storage.design_file import DESIGNS, DesignFile
from tests.support.crowns_play import KNIGHT
from tests.support.service_at_work import OpenTable, answer

TWO = ("Anne", "Bart")
COOK = next(design for design in roster() if design.name == "Cook")
OWN_COOK = '[[piece]]\nname = "Cook"\nstandard = "c4"\nlevelled = "c4 c2"\n'


def test_a_match_has_the_whole_piece_where_only_its_name_was_given(open_table: OpenTable) -> None:
    with open_table() as table:
        table.designs.save(parse_design(KNIGHT))
        table.matches.new_match("crowns", TWO, {"piece1": "Ferris", "piece2": "Cook"})
        exported = json.loads(table.archive.export(1, "json"))
        assert exported["entries"][0]["options"] == {"piece1": KNIGHT, "piece2": str(COOK)}
        table.designs.delete("Ferris")  # the match goes on without it
    with open_table() as table:
        table.matches.resume(1)


def test_a_match_goes_on_with_the_pieces_it_began_with_when_another_roster_comes(
    open_table: OpenTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = list(roster()[:2])
    with open_table() as table:
        table.matches.new_match("crowns", TWO, {"timer": "0"})
    monkeypatch.setattr("captains_table.games.crowns.state.roster", lambda: roster()[2:])
    with open_table() as table:
        table.matches.resume(1)
        options = json.loads(table.archive.export(1, "json"))["entries"][0]["options"]
        assert options == {"timer": "0", "piece1": str(first[0]), "piece2": str(first[1])}
        assert [tallies["value"] for tallies in (seat.tallies for seat in table.view().seats)] == [
            design.value for design in first
        ]


def test_a_name_that_is_kept_here_counts_before_the_rosters(open_table: OpenTable, tmp_path: Path) -> None:
    (tmp_path / DESIGNS).write_text(OWN_COOK)
    with open_table() as table:
        table.matches.new_match("crowns", TWO, {"piece1": "Cook"})
        options = json.loads(table.archive.export(1, "json"))["entries"][0]["options"]
        assert options == {"piece1": "Cook: c4 / c4 c2", "piece2": str(roster()[0])}


def test_a_name_that_nobody_has_is_refused_and_nothing_is_started(table: Table) -> None:
    for start in (table.matches.ask_who_plays, lambda game, options: table.matches.new_match(game, TWO, options)):
        with pytest.raises(BadOption, match="piece1: 'Feris' is no piece: expected NAME: STANDARD / LEVELLED"):
            start("crowns", {"piece1": "Feris"})
    table.matches.ask_who_plays("crowns", {"piece3": "Cook"})  # of a third player, if there is one
    with pytest.raises(BadOption, match="piece3: 'Nobody' is no piece"):
        table.matches.ask_who_plays("crowns", {"piece3": "Nobody"})
    assert table.matches.listed() == []


def test_a_piece_that_was_named_before_who_plays_is_there_in_the_lobby(open_table: OpenTable, tmp_path: Path) -> None:
    DesignFile(tmp_path / DESIGNS).save(parse_design(KNIGHT))
    with open_table() as table:
        table.matches.new_match("swashbuckle", TWO, {})
    with open_table() as table:
        table.matches.ask_who_plays("crowns", {"piece2": "Ferris"})
        answer(table, "players-2", "name-Anne", "name-Bart")
        assert "Piece 2, Bart: Ferris" in [option.label for option in table.view().options]
        answer(table, "change-piece1", f"value-{KNIGHT}", "begin")
        start = table.archive.last_start()
        assert start is not None
        assert dict(start.options) == {"piece1": KNIGHT, "piece2": KNIGHT}


def test_a_damaged_piece_is_no_hindrance_to_start_with_another(open_table: OpenTable, tmp_path: Path) -> None:
    (tmp_path / DESIGNS).write_text(f'[[piece]]\nname = "Broken"\n\n{OWN_COOK}')
    with open_table() as table:
        table.matches.new_match("crowns", TWO, {"piece1": "Cook"})
        with pytest.raises(BadOption, match="'Broken' is no piece"):
            table.matches.new_match("crowns", TWO, {"piece1": "Broken"})
