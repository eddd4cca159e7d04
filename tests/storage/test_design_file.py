"""Pieces kept by name: as they were saved, edited by hand, damaged; nothing that was kept is lost over it."""

import re
import tomllib
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from captains_table.games.crowns.designs import BadDesign, Design, faults_of, parse_design, read_design, roster
from captains_table.games.crowns.grids import ARROWS, DOTS, MoveGrid
from captains_table.storage.design_file import (
    MOST_DESIGNS,
    CannotKeep,
    DesignFile,
    NameTaken,
    NoSuchPiece,
    SavedDesigns,
)
from tests.support.effort import effort

FERRIS = parse_design("Ferris: b4 d4 b2 d2 / b5 d5 a4 e4 a2 e2 b1 d1")
WHEEL = parse_design("Wheel: b4 d4 / nw ne")
BY_HAND = """\
# Our pieces.

# Anne's own, do not touch
[[piece]]   # the first
name = 'Ferris'
levelled = "b5 d5 a4 e4 a2 e2 b1 d1"
standard = "b4 d4 b2 d2"
# she likes it

[[piece]]
name = "Wheel"
standard = "b4 d4"
levelled = "nw ne"
"""

grids = st.builds(
    MoveGrid,
    st.frozensets(st.sampled_from(sorted(DOTS.values())), max_size=8),
    st.frozensets(st.sampled_from(sorted(ARROWS.values())), max_size=1),
)
names = st.text(st.characters(exclude_characters=":"), min_size=1, max_size=20)
designs = st.builds(Design, names, grids, grids).filter(lambda design: not faults_of(design))


@pytest.fixture
def file(tmp_path: Path) -> DesignFile:
    return DesignFile(tmp_path / "crowns-designs.toml")


@settings(max_examples=effort(8, 300), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(designs, min_size=1, max_size=3, unique_by=lambda design: design.name), st.data())
def test_pieces_are_read_as_they_were_saved_whatever_they_are_called(
    file: DesignFile, pieces: list[Design], data: st.DataObject
) -> None:
    file.path.unlink(missing_ok=True)
    for piece in pieces:
        file.save(piece)
    assert file.read() == SavedDesigns(tuple(pieces))
    written = tomllib.loads(file.path.read_text(encoding="utf-8"))["piece"]
    assert [read_design(f"{each['name']}: {each['standard']} / {each['levelled']}") for each in written] == pieces
    at = data.draw(st.integers(0, len(pieces) - 1))
    file.delete(pieces.pop(at).name)
    assert file.read() == SavedDesigns(tuple(pieces))


def test_nothing_is_kept_before_somebody_saves_and_what_is_saved_is_its_owners(file: DesignFile) -> None:
    with pytest.raises(NoSuchPiece, match="No piece 'Ferris' is kept here"):
        file.delete("Ferris")
    assert (file.read(), file.path.exists()) == (SavedDesigns(), False)
    file.save(FERRIS)
    assert file.path.stat().st_mode & 0o777 == 0o600
    assert list(file.path.parent.iterdir()) == [file.path]


def test_a_changed_piece_keeps_its_place_and_may_get_another_name(file: DesignFile) -> None:
    file.save(FERRIS)
    file.save(WHEEL)
    renamed = Design("Big wheel", WHEEL.standard, WHEEL.levelled)
    file.save(renamed, instead_of="Ferris")
    assert file.read() == SavedDesigns((renamed, WHEEL))
    file.save(FERRIS, instead_of="Nobody")  # deleted meanwhile
    assert file.read() == SavedDesigns((renamed, WHEEL, FERRIS))


def test_a_name_that_another_piece_has_is_refused(file: DesignFile) -> None:
    file.save(FERRIS)
    file.save(WHEEL)
    for taken, words in ((FERRIS, "Ferris is kept here already"), (roster()[0], "is a piece of the roster")):
        for instead_of in ("", "Wheel"):
            with pytest.raises(NameTaken, match=f"{words}.*expected another name"):
                file.save(taken, instead_of)
    assert file.read() == SavedDesigns((FERRIS, WHEEL))


def test_what_the_rules_do_not_allow_is_not_saved(file: DesignFile) -> None:
    with pytest.raises(BadDesign, match="costs too much"):
        file.save(read_design("Queen: n / n ne e se s sw w nw"))
    assert not file.path.exists()


def test_there_is_an_end_to_how_many_are_kept(file: DesignFile) -> None:
    def text(number: int) -> str:
        return f'[[piece]]\nname = "{number}"\nstandard = "c4"\nlevelled = "c4 c2"\n'

    file.path.write_text("".join(map(text, range(MOST_DESIGNS))))
    with pytest.raises(CannotKeep, match="200 pieces are kept here already: expected one to be deleted"):
        file.save(FERRIS)
    file.save(FERRIS, instead_of="7")
    file.delete("8")
    file.save(WHEEL)
    assert len(file.read().designs) == MOST_DESIGNS


def test_a_file_written_by_hand_is_read_and_its_notes_stay(file: DesignFile) -> None:
    file.path.write_text(f"\ufeff{BY_HAND}".replace("\n", "\r\n"), encoding="utf-8", newline="")
    file.path.chmod(0o640)
    assert file.read() == SavedDesigns((FERRIS, WHEEL))
    file.save(parse_design("Ferris: c4 / c4 c2"), instead_of="Ferris")
    file.save(parse_design("New: c4 / c4 c2"))
    notes = [line for line in file.path.read_text().splitlines() if line.startswith("#")]
    assert notes == ["# Our pieces.", "# Anne's own, do not touch", "# she likes it"]
    assert file.path.stat().st_mode & 0o777 == 0o640
    with file.path.open("a") as written:
        written.write('\n# for Tuesdays\n\n[[piece]]\nname = "Wazir"\nstandard = "c4"\nlevelled = "c4 b3"\n')
    file.delete("New")
    assert "# for Tuesdays" in file.path.read_text(), "above the next piece"
    file.delete("Ferris")
    assert file.path.read_text().startswith('# Our pieces.\n\n[[piece]]\nname = "Wheel"')
    assert [design.name for design in file.read().designs] == ["Wheel", "Wazir"]


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ('name = "Queen"\nstandard = "c4"\nlevelled = "n w n w"', "Queen: n is named twice: expected each"),
        ('name = "Queen"\nstandard = "c4"\nlevelled = "n w s"', "Queen costs too much: 3 and 30 is 33, .* D4"),
        ('name = "Queen"\nstandard = "c4"\nlevelled = "b4"', "Queen: the levelled-up grid costs 0 .* D4"),
        ('name = "Queen"\nstandard = "c4"\nlevelled = ""', "Queen: a grid is empty.* D1"),
        ('name = "Queen"\nstandard = "c4 z9"\nlevelled = "n"', "Queen: 'z9' is no move: expected a square"),
        ('name = "Queen"\nstandard = ["c4"]\nlevelled = "n"', r"Queen: standard = \['c4'\]: expected text in quotes"),
        ('name = "Queen"\nstandart = "c4"', "Queen: unknown key 'standart': .*did you mean 'standard'"),
        ('name = "Queen"\nstandard = "c4"', "Queen: levelled is missing: expected text in quotes"),
        ('standard = "c4"\nlevelled = "n"', "A piece: name is missing"),
        ('name = "a:b"\nstandard = "c4"\nlevelled = "n"', "'a:b' is no name of a piece: .* D5"),
        ('name = ""\nstandard = "c4"\nlevelled = "n"', "The piece has no name: expected 1 to 20"),
        ('name = "Wheel"\nstandard = "c4"\nlevelled = "n"', "Wheel: it is there twice, and the first one counts"),
        ('name = "Queen\nstandard = "c4"', r"A piece: is not TOML: .*at line 15"),
        ('name = "Queen"\n[other]\nx = 1', "A piece: holds more than a piece"),
        ("x = " + "[" * 5000, "A piece: is not TOML"),
    ],
)
def test_a_damaged_piece_is_named_with_file_line_and_rule_and_hides_no_other(
    file: DesignFile, damage: str, words: str
) -> None:
    file.path.write_text(f"{BY_HAND}[[piece]]\n{damage}\n\n[[piece]]\nname = 'Last'\nstandard = 'c4'\nlevelled = 'n'\n")
    kept = file.read()
    assert [design.name for design in kept.designs] == ["Ferris", "Wheel", "Last"]
    [sentence] = kept.damage
    assert sentence.startswith(f"{file.path}, line 14: ")
    assert re.search(words, sentence), sentence
    file.save(parse_design("New: c4 / c4 c2"))
    file.delete("Last")
    assert f"[[piece]]\n{damage}" in file.path.read_text()  # it is there to be mended
    assert file.read().damage == kept.damage


def test_a_damaged_piece_keeps_its_name_until_it_is_mended_or_deleted_and_what_is_of_no_piece_is_named(
    file: DesignFile,
) -> None:
    file.path.write_text('title = "ours"\n[[piece]]\nname = "Ferris"\nstandard = ""\nlevelled = ""\n')
    [above, _] = file.read().damage
    assert above == f"{file.path}, line 1: 'title = \"ours\"' is of no piece: expected [[piece]] above it."
    with pytest.raises(NameTaken):
        file.save(FERRIS)
    file.delete("Ferris")
    file.save(FERRIS)
    assert file.read().designs == (FERRIS,)


@pytest.mark.parametrize("data", [b"\xff\xfe", None])
def test_a_file_that_cannot_be_read_is_damage_and_is_not_written_over(file: DesignFile, data: bytes | None) -> None:
    if data is None:
        file.path.mkdir()
    else:
        file.path.write_bytes(data)
    [sentence] = file.read().damage
    assert sentence.startswith(f"{file.path} cannot be read (")
    with pytest.raises(CannotKeep, match="cannot be read"):
        file.save(FERRIS)
    if data is not None:
        assert file.path.read_bytes() == data


def test_power_that_fails_while_a_piece_is_saved_leaves_those_that_were_there(file: DesignFile) -> None:
    file.save(FERRIS)
    with patch.object(Path, "replace", side_effect=OSError("no space")), pytest.raises(CannotKeep, match="no space"):
        file.save(WHEEL)
    assert file.read() == SavedDesigns((FERRIS,))
    assert list(file.path.parent.iterdir()) == [file.path]
