"""Sends the program's own style sheets, scripts, fonts and drawings; text is compressed for clients that accept gzip.

Pages are never compressed: a page may hold a key, and the size of a compressed page gives it away to a client that can
add text to the page (the attack BREACH). What is sent here is the same for everybody.
"""

import gzip
import hashlib
import os
from collections.abc import Mapping
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

_MEDIA: Final = {".css": "text/css", ".js": "text/javascript"}
JOINED: Final[Mapping[str, tuple[str, ...]]] = {
    "every-page.css": ("drawings.css", "style.css", "starting.css", "settings.css"),
    "every-page.js": ("swap.js", "stream.js", "table.js", "answers.js"),
    "play-page.css": ("play.css", "dice.css", "result.css"),
    "play-page.js": tuple(
        f"{name}.js" for name in ("names", "auction", "motion", "knobs", "hands", "moves", "keys", "drawers")
    ),
    "room-page.css": ("drawings.css", "kiosk.css"),
    "room-page.js": ("swap.js", "stream.js", "names.js", "kiosk.js", "motion.js"),
}
"""Files that pages load as one, by its name: each request costs a small computer some milliseconds."""


class StaticFolder(StaticFiles):
    """Sends the files of a folder; text is compressed once, when it is first asked for.

    The compressed form has an entity tag of its own. Parts of a file (Range) are parts of its plain form. A browser
    asks for a font once a day, and for all else on each page whether it has changed.
    """

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the response with a file, or with the files that are joined under this name."""
        if path not in JOINED or scope["method"] not in {"GET", "HEAD"}:
            return await super().get_response(path, scope)
        files = tuple(Path(str(self.directory), name) for name in JOINED[path])
        changed_ns = tuple(file.stat().st_mtime_ns for file in files)
        plain, tag = _joined_files(files, changed_ns)
        headers, own = Headers(scope=scope), {**_VARY, "ETag": f'"{tag}"'}
        if accepts_gzip(headers):
            plain, own = _packed(plain), {**_VARY, **_GZIP, "ETag": f'"{tag}-gzip"'}
        response = Response(plain, headers=own, media_type=_MEDIA[Path(path).suffix])
        return NotModifiedResponse(response.headers) if self.is_not_modified(response.headers, headers) else response

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
    return Response(_packed(svg.encode()), headers=headers | _GZIP, media_type="image/svg+xml")


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
def _packed(plain: bytes) -> bytes:
    return gzip.compress(plain, mtime=0)


@lru_cache(len(JOINED) * 2)
def _joined_files(files: tuple[Path, ...], _changed_ns: tuple[int, ...]) -> tuple[bytes, str]:
    """Return the contents of files, one after the other, and a digest of them."""
    plain = b"\n".join(file.read_bytes() for file in files)
    return plain, hashlib.blake2b(plain, digest_size=8).hexdigest()
