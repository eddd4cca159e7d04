"""The page that verifies a match: an uploaded export, which is not stored, or a match of this table's journal.

The module also reads the upload, from a form or from the whole body. The verdict is a page or JSON.
"""

import asyncio
from email import policy
from email.parser import BytesFeedParser
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from captains_table.page.handlers import RequestHandlers, match_number
from captains_table.phrases import message_of, say
from captains_table.table.history.verify import ExportVerdict, NoExport, verdict_lines, verify_bytes
from captains_table.web import request_reader
from captains_table.web.page_language import on_page
from captains_table.web.problems import Problem, wants_page

MOST_BYTES: Final = 2 * 1024 * 1024
FIELD: Final = "match"
_ROUND_IT: Final = 8192  # what a form adds around the file
_LONGEST_NAME: Final = 80


class VerifyPage(RequestHandlers):
    """The request handlers that verify matches; one match at a time is verified, because a long match takes seconds."""

    _verifying: asyncio.Task[ExportVerdict] | None = None

    async def form(self, request: Request) -> Response:
        """Show the upload form."""
        return self._page(request)

    async def own(self, request: Request) -> Response:
        """Verify a match of this table's journal: export the match now, and verify the export."""
        with match_number(request.path_params["number"]) as number:
            text = self.table.archive.export(number, "json")
        return await self._answer(request, say("match {number}", number), text.encode(), number)

    async def verify(self, request: Request) -> Response:
        """Verify an uploaded export of a match."""
        name, data = await read_upload(request)
        return await self._answer(request, name, data)

    async def _answer(self, request: Request, name: str, data: bytes, number: int | None = None) -> Response:
        try:
            verdict = await self._verdict(data)
        except NoExport as error:
            sentence = say("{file}: {reason}.", name, message_of(error))
            if not wants_page(request):
                raise Problem(400, sentence) from error
            return self._page(request, error=sentence, status=400)
        lines = verdict_lines(verdict)
        if wants_page(request):
            return self._page(request, file=name, number=number, proven=verdict.proven, lines=lines)
        return JSONResponse({"proven": verdict.proven, "lines": [on_page(line) for line in lines]})

    async def _verdict(self, data: bytes) -> ExportVerdict:
        """Verify an export in a thread, to the end even if the client disconnects.

        Raises:
            NoExport: the data are no export of a match.
            Problem: another match is being verified.
        """
        if self._verifying is not None and not self._verifying.done():
            raise Problem(503, say("Another match is being verified: expected this one again in a few seconds."))
        self._verifying = asyncio.ensure_future(asyncio.to_thread(verify_bytes, data))
        return await asyncio.shield(self._verifying)

    def _page(self, request: Request, status: int = 200, **verdict: object) -> Response:
        """Return the page: with the verdict on a match, with the reason why a file cannot be read, or with neither."""
        values = {"file": "", "number": None, "proven": None, "lines": [], "error": ""} | verdict
        return self.html(request, "verify", status, field=FIELD, **values)


async def read_upload(request: Request) -> tuple[str, bytes]:
    """Return the name and the bytes of a file that was sent in a form or as the whole body.

    A file without a name is called "The file". Raises Problem if there is no file or if it is too long.
    """
    body = await request_reader.read_body(request, MOST_BYTES + _ROUND_IT)
    content_type = request.headers.get("content-type", "")
    if not content_type.startswith("multipart/form-data"):
        return say("The file"), _short_enough(body)
    name, data = await asyncio.to_thread(_file_in, content_type, body)
    return name, _short_enough(data)


def _file_in(content_type: str, body: bytes) -> tuple[str, bytes]:
    """Return the name and the bytes of the file in a form; raises Problem if the form contains no file."""
    parser = BytesFeedParser(policy=policy.HTTP)
    try:
        parser.feed(f"Content-Type: {content_type}\r\n\r\n".encode("latin-1", "replace"))
        parser.feed(body)
        message = parser.close()
    except RecursionError:
        raise _no_file() from None
    for part in message.walk():
        if part.get_param("name", header="content-disposition") == FIELD:
            name, data = part.get_filename() or "", part.get_payload(decode=True)
            if isinstance(data, bytes) and (name or data):
                return name[:_LONGEST_NAME] or say("The file"), data
    raise _no_file()


def _no_file() -> Problem:
    return Problem(400, say("There is no file: expected one that `captains-table matches export` or the page wrote."))


def _short_enough(data: bytes) -> bytes:
    if len(data) > MOST_BYTES:
        raise Problem(413, say("The file is too long: expected at most {most} bytes.", MOST_BYTES))
    return data
