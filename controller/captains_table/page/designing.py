"""Pieces of players' own for Crowns: drawn, kept, printed as signs to wear (docs/rules/crowns.md D1 to D5).

Everybody may draw; what is kept here only whoever may touch the table changes.
"""

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

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
from captains_table.page.addresses import REFUSED, Addresses, onward
from captains_table.page.design_scene import GRIDS, Draft, arrow_svg, cells, copy_of, grid_svg, read_draft
from captains_table.storage.design_file import CannotKeep, NameTaken
from captains_table.web import request_reader
from captains_table.web.problems import Problem, wants_page

MOST_SIGNS: Final = 200
_EMPTY: Final = (Grid(), Grid())


class Designing(Addresses):
    """The addresses about pieces of players' own."""

    async def listed(self, request: Request) -> Response:
        """Show what is kept here, and the roster."""
        kept = self.table.designs.read()
        return self.html(
            request,
            "designs/list",
            kept=[_card(design, is_kept=True) for design in kept.designs],
            roster=[_card(design, is_kept=False) for design in roster()],
            damage=kept.damage,
            saved=request.query_params.get("saved", ""),
            deleted=request.query_params.get("deleted", ""),
            signs_of_all=_signs_address(kept.designs),
            signs_of_roster=_signs_address(roster()),
        )

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
        draft = read_draft(request_reader.merged(request.query_params.multi_items()))
        values = _values(draft) | {"may_touch": request.scope["may_touch"]}
        fragments = {
            "drawing": self.renderer.page("designs/drawing", **values),
            "reckoning": self.renderer.page("designs/reckoning", **values),
            "drawn": draft.told,
        }
        return JSONResponse({"fragments": fragments, "address": draft.address()})

    async def signs(self, request: Request) -> Response:
        """Show pieces as they are printed and worn: each on a sheet, standard outside, levelled-up inside."""
        texts = request.query_params.getlist("piece")
        if len(texts) > MOST_SIGNS:
            raise Problem(400, f"{len(texts)} pieces cannot be printed at once: expected at most {MOST_SIGNS}.")
        designs = [_read_piece(text) for text in texts] or self.table.designs.read().designs
        return self.html(request, "designs/signs", signs=[_sign(design) for design in designs])

    async def save(self, request: Request) -> Response | None:
        """Keep the piece as it is drawn."""
        draft = read_draft(await request_reader.read_fields(request))
        try:
            self.table.designs.save(draft.design, draft.of)
        except (BadDesign, NameTaken, CannotKeep) as error:
            if not wants_page(request):
                raise
            return self._page(request, draft, str(error), REFUSED[type(error)])
        return onward(request, _list_address(saved=draft.design.name))

    async def delete(self, request: Request) -> Response | None:
        """Keep a piece no longer."""
        name = (await request_reader.read_fields(request)).get("name", "")
        self.table.designs.delete(name)
        return onward(request, _list_address(deleted=name))

    def _page(
        self, request: Request, draft: Draft, error: str = "", status: int = 200, *, written: str = ""
    ) -> Response:
        values = _values(draft)
        written = written or (str(draft.design) if any(grid.moves for grid in draft.grids.values()) else "")
        return self.html(request, "designs/draw", status, error=error, written=written, **values)


def _values(draft: Draft) -> dict[str, object]:
    """Return what the templates of a drawn piece take."""
    return {
        "draft": draft,
        "grids": {key: (title, draft.grids[key]) for key, title in GRIDS.items()},
        "cells": cells,
        "points": points,
        "arrow_svg": arrow_svg,
        "most_points": POINTS,
        "longest_name": LONGEST_NAME,
        "sign": _signs_address([draft.design]),
        "play": _play_address(draft.design),
    }


def _card(design: Design, *, is_kept: bool) -> dict[str, object]:
    """Return a piece as the list shows it."""
    return {
        "design": design,
        "pictures": [
            grid_svg(design.standard, f"Standard: {design.standard}", "grid-small"),
            grid_svg(design.levelled, f"Levelled up: {design.levelled}", "grid-small grid-levelled"),
        ],
        "change": Draft(design, of=design.name).address() if is_kept else None,
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


def _list_address(**what: str) -> str:
    """Return the address of the list, which says what was done."""
    return f"/designs?{urlencode(what)}"
