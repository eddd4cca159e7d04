"""What the pages' style sheets, scripts and drawings weigh over the wire, and that nothing else is compressed."""

import gzip
import http.client
from collections.abc import Iterator
from pathlib import Path

import pytest

from captains_table.web.static_files import JOINED, STATIC
from tests.support.fake_table import with_legend
from tests.support.patience import PATIENCE_S
from tests.support.served_page import serving_page

STYLE = "/static/style.css"
PLAIN = Path(STATIC / "style.css").read_bytes()


@pytest.fixture(scope="module")
def line() -> Iterator[http.client.HTTPConnection]:
    """Yield a connection to the page of a table, from the outside."""
    with serving_page(with_legend()) as served:
        port = int(served.address.rstrip("/").rpartition(":")[2])
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        yield line
        line.close()


def asked(
    line: http.client.HTTPConnection, path: str, method: str = "GET", **headers: str
) -> tuple[int, http.client.HTTPMessage, bytes]:
    """Return status, headers and body of the answer to a request."""
    line.putrequest(method, path, skip_accept_encoding=True)
    for name, value in headers.items():
        line.putheader(name.replace("_", "-"), value)
    line.endheaders()
    answer = line.getresponse()
    return answer.status, answer.headers, answer.read()


@pytest.mark.parametrize(
    "path",
    [STYLE, "/static/swap.js", "/static/icon.svg", "/pieces.svg", "/static/every-page.css", "/static/play-page.js"],
)
def test_text_of_the_program_is_compressed_for_who_takes_it(line: http.client.HTTPConnection, path: str) -> None:
    status, headers, plain = asked(line, path)
    assert (status, headers["Content-Encoding"], headers["Vary"]) == (200, None, "Accept-Encoding")
    packed_status, packed_headers, packed = asked(line, path, Accept_Encoding="br;q=1.0, gzip;q=0.8, *;q=0.1")
    assert (packed_status, packed_headers["Content-Encoding"], packed_headers["Vary"]) == (
        200,
        "gzip",
        "Accept-Encoding",
    )
    assert packed_headers["Content-Type"] == headers["Content-Type"]
    assert gzip.decompress(packed) == plain
    assert int(packed_headers["Content-Length"]) == len(packed) < len(plain)
    _, headers, body = asked(line, path, "HEAD", Accept_Encoding="gzip")
    assert (headers["Content-Length"], headers["Content-Encoding"], body) == (str(len(packed)), "gzip", b"")


@pytest.mark.parametrize("accepted", ["", "identity", "br", "gzip;q=0", "gzip; q=0.000", "*;q=0"])
def test_who_does_not_take_gzip_gets_none(line: http.client.HTTPConnection, accepted: str) -> None:
    _, headers, body = asked(line, STYLE, Accept_Encoding=accepted)
    assert (headers["Content-Encoding"], body) == (None, PLAIN)


@pytest.mark.parametrize("path", [STYLE, "/static/room-page.js"])
def test_each_form_has_a_tag_of_its_own_by_which_it_is_not_sent_twice(
    line: http.client.HTTPConnection, path: str
) -> None:
    plain, packed = (asked(line, path, Accept_Encoding=each)[1]["ETag"] for each in ("identity", "gzip"))
    assert plain != packed
    for tag, accepted, status in (
        (plain, "identity", 304),
        (packed, "gzip", 304),
        (f"W/{packed}", "gzip", 304),
        (plain, "gzip", 200),
        (packed, "identity", 200),
    ):
        got, headers, body = asked(line, path, Accept_Encoding=accepted, If_None_Match=tag)
        assert (got, headers["Vary"]) == (status, "Accept-Encoding"), (tag, accepted)
        assert bool(body) == (status == 200)


def test_files_that_are_loaded_as_one_stand_one_after_the_other(line: http.client.HTTPConnection) -> None:
    for path, names in JOINED.items():
        status, headers, body = asked(line, f"/static/{path}")
        assert (status, body) == (200, b"\n".join((STATIC / name).read_bytes() for name in names))
        assert headers["Content-Type"] == asked(line, f"/static/{names[0]}")[1]["Content-Type"]
    assert asked(line, "/static/every-page.js", "POST")[0] == 405


def test_a_part_of_a_file_is_the_whole_of_a_text(line: http.client.HTTPConnection) -> None:
    status, headers, body = asked(line, STYLE, Accept_Encoding="gzip", Range="bytes=10-19")
    assert (status, headers["Content-Encoding"], gzip.decompress(body)) == (200, "gzip", PLAIN)
    font = "fonts/alegreya-latin.woff2"
    status, _, body = asked(line, f"/static/{font}", Range="bytes=10-19")
    assert (status, body) == (206, (STATIC / font).read_bytes()[10:20])


@pytest.mark.parametrize(
    "path", ["/table", "/", "/seats", "/new", "/records", "/rules/legend", "/export/1.json", "/health"]
)
def test_a_page_which_may_hold_a_key_is_never_compressed(line: http.client.HTTPConnection, path: str) -> None:
    assert asked(line, path, Accept_Encoding="gzip, br", Accept="text/html")[1]["Content-Encoding"] is None


def test_fonts_are_sent_as_they_are_and_once_a_day(line: http.client.HTTPConnection) -> None:
    _, headers, body = asked(line, "/static/fonts/alegreya-latin.woff2", Accept_Encoding="gzip")
    assert (headers["Content-Encoding"], headers["Content-Type"]) == (None, "font/woff2")
    assert body == (STATIC / "fonts/alegreya-latin.woff2").read_bytes()
    assert [asked(line, path)[1]["Cache-Control"] for path in ("/static/fonts/alegreya-latin.woff2", STYLE)] == [
        "public, max-age=86400",
        "no-cache",
    ]
