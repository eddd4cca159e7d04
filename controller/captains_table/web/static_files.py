"""Sends the program's own style sheets, scripts, fonts and drawings; text is compressed for clients that accept gzip.

Pages are never compressed: a page may hold a key, and the size of a compressed page gives it away to a client that can
add text to the page (the attack BREACH). What is sent here is the same for everybody.
"""

import gzip
import hashlib
import mimetypes
import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

STATIC: Final = Path(__file__).parent / "static"
"""The folder of the pages' styles, scripts and fonts."""
_TEXT: Final = frozenset({".css", ".js", ".svg", ".webmanifest"})
_FONT: Final = ".woff2"
_MOST_FILES: Final = 256  # in memory: all that there are, some kilobytes each
_DAY_S: Final = 86_400
_VARY: Final = {"Vary": "Accept-Encoding"}
_GZIP: Final = {"Content-Encoding": "gzip"}
_KEPT: Final = {"Cache-Control": f"public, max-age={_DAY_S}"}

JOINED: Final[Mapping[str, tuple[str, ...]]] = {
    "every-page.css": ("drawings.css", "style.css", "starting.css", "settings.css"),
    "every-page.js": ("words.js", "swap.js", "stream.js", "table.js", "answers.js"),
    "play-page.css": ("play.css", "dice.css", "result.css"),
    "play-page.js": tuple(
        f"{name}.js"
        for name in ("names", "auction", "motion", "knobs", "hands", "moves", "explaining", "coach", "keys", "drawers")
    ),
    "room-page.css": ("drawings.css", "kiosk.css"),
    "room-page.js": ("swap.js", "stream.js", "names.js", "kiosk.js", "motion.js"),
}
"""Files that pages load as one, by its name: each request costs a small computer some milliseconds."""


class StaticFolder(StaticFiles):
    """Sends the files of a folder; text is compressed once, when it is first asked for.

    The compressed form has an entity tag of its own, and text is always sent whole. A browser asks for a font once a
    day, and for all else on each page whether it has changed.
    """

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the response with a file, or with the files that are joined under this name."""
        if path not in JOINED or scope["method"] not in {"GET", "HEAD"}:
            return await super().get_response(path, scope)
        return self._text_response(tuple(Path(str(self.directory), name) for name in JOINED[path]), scope)

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Return the response with a file, or that the client's copy of it is still valid."""
        file = Path(full_path)
        if file.suffix in _TEXT:
            return self._text_response((file,), scope)
        response = super().file_response(full_path, stat_result, scope, status_code)
        if file.suffix == _FONT:
            response.headers.update(_KEPT)
        return response

    def _text_response(self, files: tuple[Path, ...], scope: Scope) -> Response:
        headers = Headers(scope=scope)
        plain = _joined_files(files, tuple(file.stat().st_mtime_ns for file in files))
        response = _compressed_response(plain, mimetypes.guess_type(files[0])[0], headers)
        response.headers["ETag"] = _tag(bytes(response.body))
        return NotModifiedResponse(response.headers) if self.is_not_modified(response.headers, headers) else response


def drawing_response(request: Request, svg: str) -> Response:
    """Return the response with a drawing that the program makes and that never changes while the program runs."""
    response = _compressed_response(svg.encode(), "image/svg+xml", request.headers)
    response.headers.update(_KEPT)
    return response


def _compressed_response(plain: bytes, media_type: str | None, asked: Headers) -> Response:
    """Return the response with a text, compressed if the client's headers accept that."""
    if accepts_gzip(asked):
        return Response(_packed(plain), headers=_VARY | _GZIP, media_type=media_type)
    return Response(plain, headers=_VARY, media_type=media_type)


def accepts_gzip(headers: Headers) -> bool:
    """Return whether a client accepts gzip, by its header Accept-Encoding; a weight of 0 is a refusal."""
    weights: dict[str, str] = {}
    for each in ",".join(headers.getlist("accept-encoding")).lower().split(","):
        coding, _, weight = each.partition(";")
        weights[coding.strip()] = weight.replace(" ", "").removeprefix("q=") or "1"
    weight = weights.get("gzip", weights.get("x-gzip", weights.get("*", "0")))
    return weight.strip("0.") != ""


@lru_cache(_MOST_FILES)
def _packed(plain: bytes) -> bytes:
    return gzip.compress(plain, mtime=0)


@lru_cache(_MOST_FILES)
def _tag(body: bytes) -> str:
    return f'"{hashlib.blake2b(body, digest_size=8).hexdigest()}"'


@lru_cache(_MOST_FILES)
def _joined_files(files: tuple[Path, ...], _changed_ns: tuple[int, ...]) -> bytes:
    """Return the contents of files, one after the other."""
    return b"\n".join(file.read_bytes() for file in files)
