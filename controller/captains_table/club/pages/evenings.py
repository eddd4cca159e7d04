"""The pages of evenings and results, the download of exports, and the deletion of an evening."""

import asyncio
import json
import tempfile
import zipfile
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from typing import IO, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from captains_table.club.pages.club_pages import ClubPages, as_file, may_touch
from captains_table.club.pages.seasons import Seasons, day_of, season_match_of
from captains_table.club.store.store import Evening, StoredResult, StoreFailed
from captains_table.phrases import message, message_of, say
from captains_table.web import request_reader
from captains_table.web.problems import Problem

CHUNK: Final = 1 << 16
NOT_WHOLLY_DELETED: Final = message(
    "The evening could not be deleted wholly: {reason}. Expected a disk with room for the club's file once more, "
    "which is made anew without it: look whether the evening is still on the list, and delete it then."
)
IN_MEMORY: Final = 1 << 20


@dataclass(eq=False)
class Evenings(ClubPages):
    """The pages of evenings and of single results.

    Attributes:
        seasons: counts the results of each evening.
    """

    seasons: Seasons
    _packing: asyncio.Lock = field(init=False, default_factory=asyncio.Lock)

    async def all(self, request: Request) -> Response:  # noqa: ARG002 - everybody sees the same
        """List the evenings, each with its day and the number of its results."""
        counts = await self.seasons.counts()
        rows = [(each, day_of(each), counts[each.number]) for each in self.club.store.evenings()]
        return self.page("evenings", rows=rows)

    async def one(self, request: Request) -> Response:
        """Show an evening's page, with its results (latest first) and its events."""
        return self._evening_page(request, self._evening(request))

    def _evening_page(self, request: Request, evening: Evening, wrong: str = "") -> Response:
        results = self.club.store.results(evening.number)
        return self.page(
            "evening",
            409 if wrong else 200,
            evening=evening,
            day=day_of(evening),
            results=[(result, season_match_of(result)) for result in reversed(results)],
            events=self.programme.of_evening(evening.number),
            wrong=wrong,
            may_touch=may_touch(request),
        )

    async def delete(self, request: Request) -> Response:
        """Delete an evening if its name was typed as a confirmation; otherwise show the evening's page with a remark.

        Raises:
            Problem: the database failed.
            NoSuchEvening: there is no such evening.
        """
        evening = self._evening(request)
        fields = await request_reader.read_fields(request)
        if fields.get("title", "").split() != evening.title.split():  # browsers show several spaces as one
            wrong = say("The name is another one: nothing was deleted. Expected the evening's name as it stands above.")
            return self._evening_page(request, evening, wrong)
        try:
            self.club.delete_evening(evening.number)
        except StoreFailed as error:
            raise Problem(507, say(NOT_WHOLLY_DELETED, reason=message_of(error))) from error
        return RedirectResponse("/evenings", 303)

    async def result(self, request: Request) -> Response:
        """Show a match: its result, the evidence for the result, what the export proves, and corrections.

        Raises:
            NoSuchResult: there is no result of this match.
        """
        result = self.club.store.result(request.path_params["seal"])
        match = season_match_of(result)
        return self.page(
            "result",
            result=result,
            match=match,
            evening=self.club.store.evening(result.evening),
            corrections=[each for each in self.club.store.corrections(result.evening) if each.match == match.seal],
            has_export=bool(self.club.export(match.seal)),
        )

    async def export(self, request: Request) -> Response:
        """Send the export of a match as a file.

        Raises:
            Problem: there is no export, or it cannot be unpacked.
            NoSuchResult: there is no result of this match.
        """
        match = self.club.store.result(request.path_params["seal"]).outcome.match
        data = self.club.export(match)
        if not data:
            raise Problem(404, say("No export of this match came that can be read: its table told the result alone."))
        return Response(data, media_type="application/json", headers=as_file(f"match-{match[:8]}.json"))

    async def exports(self, request: Request) -> Response:
        """Send a ZIP file with all exports of an evening and a list of its results (`results.json`)."""
        evening = self._evening(request)
        results = self.club.store.results(evening.number)
        async with self._packing:  # one at a time: each has a match in memory
            packed = await self._packed(results)
        return StreamingResponse(
            _chunks(packed),
            media_type="application/zip",
            headers=as_file(f"evening-{evening.number}-{day_of(evening)}.zip"),
        )

    async def _packed(self, results: Sequence[StoredResult]) -> IO[bytes]:
        file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - closed after sending
        listed = []
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
            for result in results:
                name, data = _name_of(result), self.club.export(result.outcome.match)
                listed.append({**self._as_json(result), "export": name if data else None})
                if data:
                    await asyncio.to_thread(packed.writestr, name, data)
            packed.writestr("results.json", json.dumps(listed, ensure_ascii=False, indent=1))
        file.seek(0)
        return file

    def _as_json(self, result: StoredResult) -> dict[str, object]:
        """Return a result as values for JSON, for the list in an evening's ZIP file."""
        match, ending, table = season_match_of(result), result.ending, self.club.tables.find(result.user)
        return {
            "match": match.seal,
            "revision": match.rev,
            "game": match.game,
            "players": list(result.outcome.seats),
            "winner": None if ending is None else ending.winner,
            "scores": None if ending is None else list(ending.scores),
            "table": match.user,
            "board": 0 if table is None else table.board,
            "word": str(match.word),
            "why": result.proof_words if result.correction is None else result.correction.why,
        }

    def _evening(self, request: Request) -> Evening:
        return self.club.store.evening(request_reader.read_number(request.path_params["number"]))


def _name_of(result: StoredResult) -> str:
    """Return the file name of a result's export in the ZIP file of an evening."""
    return f"{result.receipt:05}-{result.user}-{result.outcome.match[:8]}.json"


async def _chunks(file: IO[bytes]) -> AsyncGenerator[bytes, None]:
    """Yield the content of a file in chunks, then close the file."""
    with file:
        while chunk := await asyncio.to_thread(file.read, CHUNK):
            yield chunk
