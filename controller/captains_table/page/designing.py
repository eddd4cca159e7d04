"""Pieces of players' own for Crowns: drawn, kept, printed as signs to wear (docs/rules/crowns.md D1 to D5).

Everybody may draw; what is kept here only whoever may touch the table changes.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from captains_table.games.crowns import Crowns
from captains_table.games.crowns.designs import (
    LONGEST_NAME,
    POINTS,
    BadDesign,
    Design,
    check_design,
    points,
    read_design,
    roster,
)
from captains_table.games.crowns.grids import Grid
from captains_table.page.design_scene import GRIDS, Draft, arrow_svg, cells, copy_of, grid_svg, read_draft
from captains_table.runtime.table import Table
from captains_table.storage.design_file import CannotKeep, NameTaken, NoSuchPiece
from captains_table.web import request_reader
from captains_table.web.problems import Problem, wants_page
from captains_table.web.render import Renderer

Endpoint = Callable[[Request], Awaitable[Response]]
MOST_SIGNS: Final = 200
STATUS: Final[Mapping[type[Exception], int]] = {BadDesign: 400, NameTaken: 409, CannotKeep: 503}
_EMPTY: Final = (Grid(), Grid())


class Designing:
    """The addresses about pieces of players' own."""

    def __init__(self, table: Table, renderer: Renderer) -> None:
        self._table = table
        self._renderer = renderer

    def routes(self) -> list[Route]:
        """Return the addresses."""
        gets: dict[str, Endpoint] = {
            "/designs": self.listed,
            "/designs/draw": self.draw,
            "/designs/draw.json": self.redraw,
            "/designs/signs": self.signs,
        }
        posts: dict[str, Endpoint] = {"/designs/save": self.save, "/designs/delete": self.delete}
        return [
            *(Route(path, endpoint, methods=["GET"]) for path, endpoint in gets.items()),
            *(Route(path, endpoint, methods=["POST"]) for path, endpoint in posts.items()),
        ]

    async def listed(self, request: Request) -> Response:
        """Show what is kept here, and the roster."""
        kept = self._table.designs.read()
        html = self._renderer.page(
            "designs/list",
            kept=[_card(design, is_kept=True) for design in kept.designs],
            roster=[_card(design, is_kept=False) for design in roster()],
            damage=kept.damage,
            saved=request.query_params.get("saved", ""),
            deleted=request.query_params.get("deleted", ""),
            signs_of_all=_signs_address(kept.designs),
            signs_of_roster=_signs_address(roster()),
            may_touch=request.scope["may_touch"],
        )
        return HTMLResponse(html)

    async def draw(self, request: Request) -> Response:
        """Show a piece to be drawn on, after what was touched where no script does that."""
        fields = request_reader.merged(request.query_params.multi_items())
        try:
            draft = read_draft(fields)
        except BadDesign as error:
            return self._page(request, Draft(Design("", *_EMPTY)), str(error), 400, written=fields.get("piece", ""))
        return self._page(request, draft)

    async def redraw(self, request: Request) -> Response:
        """Return what the page shows after a touch, as fragments, and the address that leads there."""
        fields = request_reader.merged(request.query_params.multi_items())
        try:
            draft = read_draft(fields)
        except BadDesign as error:
            raise Problem(400, str(error)) from error
        values = _values(request, draft)
        fragments = {
            "drawing": self._renderer.page("designs/drawing", **values),
            "reckoning": self._renderer.page("designs/reckoning", **values),
            "drawn": draft.told,
        }
        return JSONResponse({"fragments": fragments, "address": draft.address()})

    async def signs(self, request: Request) -> Response:
        """Show pieces as they are printed and worn: each on a sheet, standard outside, levelled-up inside."""
        texts = request.query_params.getlist("piece")
        if len(texts) > MOST_SIGNS:
            raise Problem(400, f"{len(texts)} pieces cannot be printed at once: expected at most {MOST_SIGNS}.")
        designs = [_read_piece(text) for text in texts] or self._table.designs.read().designs
        return HTMLResponse(self._renderer.page("designs/signs", signs=[_sign(design) for design in designs]))

    async def save(self, request: Request) -> Response:
        """Keep the piece as it is drawn."""
        fields = await request_reader.read_fields(request)
        try:
            draft = read_draft(fields)
        except BadDesign as error:
            raise Problem(400, str(error)) from error
        try:
            self._table.designs.save(draft.design, draft.of)
        except (BadDesign, NameTaken, CannotKeep) as error:
            status = STATUS[type(error)]
            if wants_page(request):
                return self._page(request, draft, str(error), status)
            raise Problem(status, str(error)) from error
        return _done(request, saved=draft.design.name)

    async def delete(self, request: Request) -> Response:
        """Keep a piece no longer."""
        name = (await request_reader.read_fields(request)).get("name", "")
        try:
            self._table.designs.delete(name)
        except NoSuchPiece as error:
            raise Problem(404, str(error)) from error
        except CannotKeep as error:
            raise Problem(503, str(error)) from error
        return _done(request, deleted=name)

    def _page(
        self, request: Request, draft: Draft, error: str = "", status: int = 200, *, written: str = ""
    ) -> Response:
        values = _values(request, draft)
        written = written or (str(draft.design) if any(grid.moves for grid in draft.grids.values()) else "")
        html = self._renderer.page("designs/draw", error=error, written=written, **values)
        return HTMLResponse(html, status)


def _values(request: Request, draft: Draft) -> dict[str, object]:
    """Return what the templates of a drawn piece take."""
    return {
        "draft": draft,
        "grids": [_drawn(key, title, draft.grids[key]) for key, title in GRIDS.items()],
        "arrow_svg": arrow_svg,
        "most_points": POINTS,
        "longest_name": LONGEST_NAME,
        "may_touch": request.scope["may_touch"],
        "sign": _signs_address([draft.design]),
        "play": _play_address(draft.design),
    }


def _drawn(key: str, title: str, grid: Grid) -> dict[str, object]:
    """Return a grid to be drawn on: its places, what they cost, and what is taken off and why (D2, D3)."""
    return {
        "key": key,
        "title": title,
        "rows": cells(grid),
        "net": points(grid.net),
        "cost": points(grid.cost),
        "discount": points(grid.discount),
        "why": grid.why_discount,
    }


def _card(design: Design, *, is_kept: bool) -> dict[str, object]:
    """Return a piece as the list shows it."""
    changed = Draft(design, of=design.name) if is_kept else None
    return {
        "design": design,
        "pictures": [
            grid_svg(design.standard, f"Standard: {design.standard}", "grid-small"),
            grid_svg(design.levelled, f"Levelled up: {design.levelled}", "grid-small grid-levelled"),
        ],
        "change": None if changed is None else changed.address(),
        "copy": Draft(copy_of(design)).address(),
        "sign": _signs_address([design]),
        "play": _play_address(design),
    }


def _sign(design: Design) -> dict[str, object]:
    """Return both sides of a sign."""
    return {
        "design": design,
        "outside": grid_svg(design.standard, f"Standard: {design.standard}"),
        "inside": grid_svg(design.levelled, f"Levelled up: {design.levelled}", "grid-levelled"),
    }


def _signs_address(designs: Sequence[Design]) -> str:
    return f"/designs/signs?{urlencode([('piece', str(design)) for design in designs])}"


def _play_address(design: Design) -> str:
    return f"/new?{urlencode({'game': Crowns.key, 'piece1': str(design)})}"


def _read_piece(text: str) -> Design:
    """Return the piece that is written so, if it may be played with; raises Problem."""
    try:
        design = read_design(text)
        check_design(design)
    except BadDesign as error:
        raise Problem(400, f"{error}.") from error
    return design


def _done(request: Request, **what: str) -> Response:
    """Return the answer to a form: the list, which says what was done, or nothing for a script."""
    return RedirectResponse(f"/designs?{urlencode(what)}", 303) if wants_page(request) else Response(status_code=204)
