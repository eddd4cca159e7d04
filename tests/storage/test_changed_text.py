"""A file of somebody else's is replaced at one stroke, byte by byte what it was but for the change; a copy is kept."""

import os
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from captains_table.storage.files import diff_lines, read_as_it_is, replace_keeping_a_copy


@given(content=st.binary(max_size=200))
def test_any_bytes_come_through_as_they_were(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("boot") / "config.txt"
    path.write_bytes(content)
    copy = replace_keeping_a_copy(path, f"{read_as_it_is(path)}#\n")
    assert path.read_bytes() == content + b"#\n"
    assert copy.read_bytes() == content


def test_each_change_keeps_a_copy_of_its_own_under_a_name_that_fat_can_hold(tmp_path: Path) -> None:
    path = tmp_path / "config.txt"
    path.write_text("one\n", encoding="utf-8")
    copies = [replace_keeping_a_copy(path, f"{number}\n") for number in ("two", "three")]
    assert [copy.read_text(encoding="utf-8") for copy in copies] == ["one\n", "two\n"]
    assert not [copy for copy in copies if ":" in copy.name]
    assert sorted(tmp_path.iterdir()) == sorted([path, *copies])


def test_a_disk_that_is_full_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "config.txt"
    path.write_text("one\n", encoding="utf-8")

    def full(_: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space left"):
        replace_keeping_a_copy(path, "two\n")
    assert path.read_text(encoding="utf-8") == "one\n"


def test_the_difference_is_what_would_change_and_can_be_printed(tmp_path: Path) -> None:
    lines = list(diff_lines(tmp_path / "config.txt", "a\nb\udce9\n", "a\nb\udce9\nc\n"))
    assert lines[-3:] == [" a", " b\ufffd", "+c"]
