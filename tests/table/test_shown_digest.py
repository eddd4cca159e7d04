"""The digest that stands with a result is that of the export, and comes once nothing can be taken back any more."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from captains_table.cli.main import main
from captains_table.games.contract import Pick, parse_square
from captains_table.runtime.table import Table
from captains_table.table.history.verify import BadDigest, check_digest, verify_text
from captains_table.table.model.events import Answered, SwitchMasked
from captains_table.table.model.view import Phase
from tests.support.display_views import OVER
from tests.support.fake_table import FakeTable
from tests.support.forgeries import played, sealed
from tests.support.honest_match import HonestTable
from tests.support.service_at_work import at_a_table
from tests.support.visiting import get

MATE = {"fen": "8k/6ppp/9/9/9/9/4K4/R8 w - - 0 1"}
DIGEST = "0123456789abcdef" * 4


def test_the_digest_shown_is_that_of_the_export_whatever_is_done_afterwards(tmp_path: Path) -> None:
    seen: list[tuple[str, str]] = []

    def look(table: Table) -> None:
        seen.append((table.view().digest, json.loads(table.archive.export(1, "json"))["digest"]))

    def play(table: Table) -> None:
        table.matches.new_match("captains-chess", ("Anne", "Bart"), {"clock": "10"})
        table.handle(Answered(Pick("e2e4")), table.view().revision)
        look(table)
        table.handle(Answered(Pick("press-clock")), table.view().revision)
        table.handle(Answered(Pick("resign")), table.view().revision)
        look(table)
        table.handle(SwitchMasked(parse_square("a1")))
        look(table)

    at_a_table(tmp_path, play)
    (before, running), (shown, exported), after = seen
    assert (before, len(shown)) == ("", 64)
    assert running != shown == exported
    assert after == (shown, exported)


def test_no_digest_is_shown_while_the_move_that_ended_a_match_may_be_changed() -> None:
    table = HonestTable("captains-chess", MATE)
    table.table.lift(parse_square("a1"), table.now_ms)
    table.wait(1000)
    table.table.place(parse_square("a8"), table.now_ms)
    table.wait(5000)
    assert table.view.phase is Phase.OVER
    assert table.view.digest == ""
    table.wait(60_000)
    assert len(table.view.digest) == 64


# --- held against a file --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "words"), [(16, "the first 16 of 64"), (64, "all 64")])
def test_verify_says_how_much_of_a_digest_it_compared(
    count: int, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    value = played("words")
    file = tmp_path / "match.json"
    file.write_text(json.dumps(value), encoding="utf-8")
    assert main(["verify", str(file), "--digest", value["digest"][:count].upper()]) == 0
    out = capsys.readouterr().out
    assert f"The digest is the one given: {words} digits were compared." in out
    assert f"The digest is {value['digest']}" in out


def test_verify_refuses_another_digest_and_says_where_it_differs() -> None:
    value = played("words")
    digest, honest = value["digest"], verify_text(json.dumps(value))
    wrong = f"{digest[:9]}{'0' if digest[9] != '0' else '1'}{digest[10:16]}"
    verdict = check_digest(honest, wrong)
    assert not verdict.proven
    assert verdict.words == "the digest is another one: the first 16 of 64 digits were compared, and digit 10 differs"
    assert (verdict.expected, verdict.found) == (wrong, digest[:16])
    for digits in ("", "0123456789abcde", f"{DIGEST}0", "0123456789abcdeg", "²123456789abcdef"):
        with pytest.raises(BadDigest, match="expected its first 16 digits or more"):
            check_digest(honest, digits)
    refused = verify_text(json.dumps({**value, "seats": ["Mallory", "Bart"]}))
    assert check_digest(refused, DIGEST) == refused, "a file that proves nothing is refused for that"
    value["entries"][0]["seats"].reverse()
    swapped = verify_text(json.dumps(sealed(value)))
    assert swapped.proven
    assert not check_digest(swapped, digest[:16]).proven


# --- where it stands ------------------------------------------------------------------------------------------------


def test_the_page_shows_sixteen_digits_to_read_and_all_in_a_code() -> None:
    table = FakeTable()
    table.show(replace(OVER, digest=DIGEST))
    page, front = get(table, "/table").text, get(table, "/").text
    assert f">{DIGEST[:16]}</code>" in page
    assert 'aria-label="The fingerprint as a QR code"><svg' in front
    table.show(OVER)
    page, front = get(table, "/table").text, get(table, "/").text
    assert "follows within a minute" in page, "the end is not written yet"
    assert DIGEST[:16] not in page + front
