"""Evenings: what was played in each, its exports in one file, and how one is deleted whole."""

import asyncio
import json
import tempfile
import zipfile
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import IO, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from captains_table.club.pages.news import title_of
from captains_table.club.pages.programme import Programme
from captains_table.club.pages.seasons import Seasons, day_of, how_words, match_of
from captains_table.club.pages.words import BRIEF, MEANING, Tellers
from captains_table.club.port import ClubPort, NoSuchResult
from captains_table.club.store.store import Evening, KeptResult, StoreFailed
from captains_table.web import request_reader
from captains_table.web.problems import Problem
from captains_table.web.render import Renderer

CHUNK: Final = 1 << 16
NOT_WHOLLY_DELETED: Final = "The evening could not be deleted wholly"
ROOM_TO_DELETE: Final = (
    "Expected a disk with room for the club's file once more, which is made anew without it: look whether the evening "
    "is still on the list, and delete it then."
)
IN_MEMORY: Final = 1 << 20


class Evenings:
    """The pages about evenings and single results.

    Args:
        club: whose evenings they are.
        seasons: reads what is kept of them.
        renderer: draws them.
        programme: the events that are held.
        forgetting: lets others forget what they remember by themselves, after an evening was deleted.
    """

    def __init__(
        self,
        club: ClubPort,
        seasons: Seasons,
        renderer: Renderer,
        programme: Programme | None = None,
        forgetting: Sequence[Callable[[], None]] = (),
    ) -> None:
        self._club = club
        self._seasons = seasons
        self._tellers = Tellers(club)
        self._renderer = renderer
        self._programme = programme or Programme()
        self._forgetting = forgetting
        self._packing = asyncio.Lock()

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [
            Route("/evenings", self.all, methods=["GET"]),
            Route("/evenings/{number}", self.one, methods=["GET"]),
            Route("/evenings/{number}/exports.zip", self.exports, methods=["GET"]),
            Route("/evenings/{number}/delete", self.delete, methods=["POST"]),
            Route("/results/{seal}", self.result, methods=["GET"]),
            Route("/results/{seal}/export.json", self.export, methods=["GET"]),
        ]

    async def all(self, request: Request) -> Response:
        """List the evenings."""
        counts = await self._seasons.counts()
        rows = [(each, day_of(each), counts[each.number]) for each in self._club.kept.evenings()]
        return self._page(request, "club/evenings", rows=rows)

    async def one(self, request: Request) -> Response:
        """Show an evening."""
        return self._evening_page(request, self._evening(request))

    def _evening_page(self, request: Request, evening: Evening, *, wrong: str = "", status: int = 200) -> Response:
        results = self._club.kept.results(evening.number)
        return self._page(
            request,
            "club/evening",
            status=status,
            evening=evening,
            day=day_of(evening),
            results=[(result, match_of(result)) for result in reversed(results)],
            events=self._programme.of_evening(evening.number),
            wrong=wrong,
        )

    async def delete(self, request: Request) -> Response:
        """Delete an evening whose name was typed; raises Problem."""
        evening = self._evening(request)
        fields = await request_reader.read_fields(request)
        if fields.get("title", "").split() != evening.title.split():  # spaces are seen as one
            wrong = "The name is another one: nothing was deleted. Expected the evening's name as it stands above."
            return self._evening_page(request, evening, wrong=wrong, status=409)
        try:
            self._club.delete_evening(evening.number)
        except StoreFailed as error:
            raise Problem(507, f"{NOT_WHOLLY_DELETED}: {error}. {ROOM_TO_DELETE}") from error
        finally:
            for forget in self._forgetting:
                forget()
        return RedirectResponse("/evenings", 303)

    async def result(self, request: Request) -> Response:
        """Show a match: what was told, whose word it is, and what its export proves."""
        result = self._result(request)
        match = match_of(result)
        evening = next(each for each in self._club.kept.evenings() if each.number == result.evening)
        return self._page(
            request,
            "club/result",
            result=result,
            match=match,
            evening=evening,
            corrections=[each for each in self._club.kept.corrections(result.evening) if each.match == match.seal],
            has_export=bool(self._club.export(match.seal)),
        )

    async def export(self, request: Request) -> Response:
        """Hand out the export of a match."""
        match = self._result(request).outcome.match
        data = self._club.export(match)
        if not data:
            raise Problem(404, "No export of this match came that can be read: its table told the result alone.")
        return Response(data, media_type="application/json", headers=_as_file(f"match-{match[:8]}.json"))

    async def exports(self, request: Request) -> Response:
        """Hand out all exports of an evening in one file, and beside them what was told of every match."""
        evening = self._evening(request)
        results = self._club.kept.results(evening.number)
        async with self._packing:  # one at a time: each holds a match in memory
            packed = await self._packed(results)
        return StreamingResponse(
            _chunks(packed),
            media_type="application/zip",
            headers=_as_file(f"evening-{evening.number}-{day_of(evening)}.zip"),
        )

    async def _packed(self, results: Sequence[KeptResult]) -> IO[bytes]:
        file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - closed when it was sent
        told = []
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
            for result in results:
                name, data = _name_of(result), self._club.export(result.outcome.match)
                told.append({**self._told(result), "export": name if data else None})
                if data:
                    await asyncio.to_thread(packed.writestr, name, data)
            packed.writestr("results.json", json.dumps(told, ensure_ascii=False, indent=1))
        file.seek(0)
        return file

    def _told(self, result: KeptResult) -> dict[str, object]:
        """Return what is kept of a result, for the file of an evening."""
        match, ending = match_of(result), result.ending
        return {
            "match": match.seal,
            "revision": match.rev,
            "game": match.game,
            "players": list(result.outcome.seats),
            "winner": None if ending is None else ending.winner,
            "scores": None if ending is None else list(ending.scores),
            "table": match.user,
            "board": self._tellers.board(match.user),
            "word": str(match.word),
            "why": result.proof_words if result.correction is None else result.correction.why,
        }

    def _evening(self, request: Request) -> Evening:
        number = request_reader.read_number(request.path_params["number"])
        for evening in self._club.kept.evenings():
            if evening.number == number:
                return evening
        raise Problem(404, "There is no such evening: expected one of those on the page of evenings.")

    def _result(self, request: Request) -> KeptResult:
        try:
            return self._club.kept.result(request.path_params["seal"])
        except NoSuchResult:
            raise Problem(404, "There is no result of such a match: expected one of an evening's page.") from None

    def _page(self, request: Request, template: str, *, status: int = 200, **values: object) -> Response:
        html = self._renderer.page(
            template,
            club=self._club.title,
            tellers=self._tellers,
            brief=BRIEF,
            meaning=MEANING,
            title_of=title_of,
            how=how_words,
            may_touch=request.scope.get("may_touch", False),
            **values,
        )
        return HTMLResponse(html, status)


def _name_of(result: KeptResult) -> str:
    """Return what an export is called in the file of an evening."""
    return f"{result.receipt:05}-{result.user}-{result.outcome.match[:8]}.json"


def _as_file(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


async def _chunks(file: IO[bytes]) -> AsyncGenerator[bytes, None]:
    """Yield what is in a file, and close it."""
    with file:
        while chunk := await asyncio.to_thread(file.read, CHUNK):
            yield chunk
