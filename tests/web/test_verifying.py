"""`verify` as a page says what the command says, keeps nothing, and is not to be overfed."""

import asyncio
import json
import threading
from pathlib import Path

import httpx
import pytest
from hypothesis import given, settings, strategies as st

from captains_table.cli.main import main
from captains_table.page import verify_page
from captains_table.table.history.verify import verify_bytes
from tests.support.effort import effort
from tests.support.fake_table import FakeTable
from tests.support.forgeries import played
from tests.support.patience import PATIENCE_S
from tests.support.visiting import get, post, visit

PAGE = {"Accept": "text/html"}


def dropped(
    data: bytes, *, field: str = "match", table: FakeTable | None = None, token: str | None = None
) -> httpx.Response:
    """Return the answer to a file that was dropped on the page."""
    files = {field: ("match-3.json", data, "application/json")}
    return visit(table or FakeTable(), lambda client: client.post("/verify", files=files, headers=PAGE), token=token)


def said(capsys: pytest.CaptureFixture[str], tmp_path: Path, data: bytes, code: int | None = None) -> list[str]:
    """Return what the command says of the same file; it ends with a code if that matters."""
    file = tmp_path / "match.json"
    file.write_bytes(data)
    assert main(["verify", str(file)]) == code or code is None
    captured = capsys.readouterr()
    return [line.removeprefix(f"{file}: ") for line in (captured.out + captured.err).splitlines()]


def _spoiled(seed: int) -> bytes:
    data = bytearray(json.dumps(played()).encode())
    place = seed % len(data)
    data[place] ^= 1 + seed % 127
    return bytes(data)


@pytest.mark.parametrize("way", ["honest", "forged", "running"])
def test_the_page_says_line_by_line_what_the_command_says(
    way: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    value = played()
    if way == "forged":
        next(entry for entry in value["entries"] if entry.get("action", {}).get("type") == "rolled")["action"]["faces"][
            0
        ] ^= 1
    if way == "running":
        value["entries"].pop()
    data = json.dumps(value).encode()
    lines = said(capsys, tmp_path, data)
    answer = post(FakeTable(), "/verify", value)
    assert answer.json() == {"proven": way == "honest", "lines": lines}
    html = dropped(data).text
    assert ("<h2>Proven: match-3.json</h2>" in html) == (way == "honest")
    assert lines[0].replace("'", "&#39;") in html


@pytest.mark.parametrize(
    "data",
    [b"no JSON", b"\xff\xfe", b"", b"[" * 100_000, b'{"a": 1, "a": 2}', b'"\\ud800"', b'{"began": NaN}', b"{}{}"],
)
def test_what_is_no_export_is_called_so_in_the_words_of_the_command(
    data: bytes, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    [line] = said(capsys, tmp_path, data, code=2)
    answer = dropped(data)
    assert answer.status_code == 400
    assert "is no export of a match" in line
    assert "match-3.json: is no export of a match" in answer.text


def test_a_file_of_two_megabytes_is_read_and_a_longer_one_refused() -> None:
    whole = b'"' + b"x" * (verify_page.MOST_BYTES - 2) + b'"'
    assert "Not proven" in dropped(whole).text
    for data in (whole + b" ", whole * 2):
        answer = dropped(data)
        assert answer.status_code == 413
        assert "too long" in answer.text


def test_a_form_without_a_file_says_what_was_expected() -> None:
    broken = post(FakeTable(), "/verify", b"x" * 100, **{"Content-Type": "multipart/form-data"} | PAGE)
    for answer in (dropped(b"", field="other"), broken):
        assert answer.status_code == 400
        assert "There is no file" in answer.text


def test_a_spectator_may_read_about_it_and_send_nothing() -> None:
    assert dropped(b"{}", token="ahoy").status_code == 403  # noqa: S106 - a secret of this test only
    html = get(FakeTable(), "/verify", token="ahoy").text  # noqa: S106 - as above
    assert 'type="file"' not in html
    assert "captains-table verify" in html


def test_a_match_of_the_tables_own_is_verified_as_it_would_be_exported() -> None:
    table = FakeTable()
    table.export = lambda number, form: json.dumps(played())  # type: ignore[method-assign]  # noqa: ARG005
    html = get(table, "/matches/1/verify", **PAGE).text
    assert "<h2>Proven: match 1</h2>" in html
    assert 'href="/matches/1"' in html
    assert 'href="/verify"' in get(table, "/matches").text


def test_one_match_is_verified_at_a_time_and_the_page_goes_on_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    began, may_end = threading.Event(), threading.Event()

    def slowly(data: bytes) -> object:
        began.set()
        assert may_end.wait(PATIENCE_S)
        return verify_bytes(data)

    monkeypatch.setattr(verify_page, "verify_bytes", slowly)

    async def both(client: httpx.AsyncClient) -> httpx.Response:
        first = asyncio.ensure_future(client.post("/verify", content=b"{}"))
        await asyncio.to_thread(began.wait, PATIENCE_S)
        assert (await client.get("/health")).status_code == 200
        second = await client.post("/verify", content=b"{}")
        may_end.set()
        assert (await first).status_code == 200
        return second

    answer = visit(FakeTable(), both)
    assert answer.status_code == 503
    assert "again in a few seconds" in answer.json()["error"]


@settings(max_examples=effort(15, 2000))
@given(st.one_of(st.binary(max_size=200), st.builds(_spoiled, st.integers(0, 2**30))))
def test_no_file_is_more_than_refused(data: bytes) -> None:
    answer = post(FakeTable(), "/verify", data)
    assert answer.status_code in {200, 400}
    if answer.status_code == 200:
        assert answer.json()["proven"] is (json.loads(data) == played())  # white space may be any
    else:
        assert answer.json()["error"]


@pytest.mark.slow
@settings(max_examples=effort(15, 2000))
@given(st.binary(max_size=300), st.sampled_from(("x", "", '"', "=_?", "x; charset=utf-8", "é")))
def test_no_form_is_more_than_refused(body: bytes, boundary: str) -> None:
    headers = [(b"content-type", f"multipart/form-data; boundary={boundary}".encode())]
    answer = visit(FakeTable(), lambda client: client.post("/verify", content=b"--x\r\n" + body, headers=headers))
    assert answer.status_code == 400
    assert "There is no file" in answer.json()["error"]
