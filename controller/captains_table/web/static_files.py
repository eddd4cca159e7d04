"""Sends the program's own style sheets, scripts, fonts and drawings; text is compressed for clients that accept gzip.

Pages are never compressed: a page may hold a key, and the size of a compressed page gives it away to a client that can
add text to the page (the attack BREACH). What is sent here is the same for everybody.
"""

import gzip
import os
from functools import lru_cache
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

_COMPRESSED: Final = frozenset({".css", ".js", ".svg", ".webmanifest"})
_FONT: Final = ".woff2"
_MOST_FILES: Final = 256  # in memory: all that there are, some kilobytes each
_DAY_S: Final = 86_400
_VARY: Final = {"Vary": "Accept-Encoding"}
_GZIP: Final = {"Content-Encoding": "gzip"}
_KEPT: Final = {"Cache-Control": f"public, max-age={_DAY_S}"}


class StaticFolder(StaticFiles):
    """Sends the files of a folder; text is compressed once, when it is first asked for.

    The compressed form has an entity tag of its own. Parts of a file (Range) are parts of its plain form. A browser
    asks for a font once a day, and for all else on each page whether it has changed.
    """

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Return the response with a file, or that the client's copy of it is still valid."""
        headers = Headers(scope=scope)
        kept = _KEPT if Path(full_path).suffix == _FONT else None
        plain = FileResponse(full_path, status_code, kept, stat_result=stat_result)
        response: Response = plain
        if Path(full_path).suffix in _COMPRESSED:
            plain.headers.update(_VARY)
            if accepts_gzip(headers) and "range" not in headers:
                packed = _packed_file(str(full_path), stat_result.st_mtime_ns)
                response = Response(packed, status_code, _VARY | _GZIP, plain.media_type)
                response.headers["ETag"] = f'{plain.headers["etag"][:-1]}-gzip"'
                response.headers["Last-Modified"] = plain.headers["last-modified"]
        if self.is_not_modified(response.headers, headers):
            return NotModifiedResponse(response.headers)
        return response


def drawing_response(request: Request, svg: str) -> Response:
    """Return the response with a drawing that the program makes and that never changes while the program runs."""
    headers = _KEPT | _VARY
    if not accepts_gzip(request.headers):
        return Response(svg, headers=headers, media_type="image/svg+xml")
    return Response(_packed_text(svg), headers=headers | _GZIP, media_type="image/svg+xml")


def accepts_gzip(headers: Headers) -> bool:
    """Return whether a client accepts gzip, by its header Accept-Encoding; a weight of 0 is a refusal."""
    weights: dict[str, str] = {}
    for each in ",".join(headers.getlist("accept-encoding")).lower().split(","):
        coding, _, weight = each.partition(";")
        weights[coding.strip()] = weight.replace(" ", "").removeprefix("q=") or "1"
    weight = weights.get("gzip", weights.get("x-gzip", weights.get("*", "0")))
    return weight.strip("0.") != ""


@lru_cache(_MOST_FILES)
def _packed_file(path: str, _changed_ns: int) -> bytes:
    return gzip.compress(Path(path).read_bytes(), mtime=0)


@lru_cache(_MOST_FILES)
def _packed_text(text: str) -> bytes:
    return gzip.compress(text.encode(), mtime=0)
