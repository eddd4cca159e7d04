"""What is no export, or only looks like one, is called so by `verify`: exit code 2, the file named, no traceback."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.forgeries import played
from tests.support.outward.command import command

DEEP = 100_000


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (lambda: "", "Expecting value"),
        (lambda: "[" * DEEP, "recursion"),
        (lambda: '{"form": "captains-table match 2", "form": "x"}', "'form' comes twice in one object"),
        (lambda: json.dumps({**played(), "began": "\ud800"}), "surrogates not allowed"),
        (lambda: json.dumps({**played(), "began": float("nan")}), "not JSON compliant"),
        (lambda: json.dumps(played()) + "{}", "Extra data"),
    ],
    ids=["nothing", "deep", "twice", "half-a-character", "no-number", "trailing"],
)
def test_what_is_no_export_is_named_with_its_file(text: Callable[[], str], words: str, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(text(), encoding="utf-8")
    verified = command("verify", file)
    assert (verified.code, verified.out) == (2, "")
    assert str(file) in verified.err
    assert words in verified.err
