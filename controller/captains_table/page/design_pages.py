"""The pages to design pieces for Crowns: draw, save and print them as signs to wear (docs/rules/crowns.md D1 to D5).

Everybody may draw; only users who may touch the table may save or delete.
"""

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from captains_table.games.crowns import Crowns
from captains_table.games.crowns.designs import (
    LONGEST_DESIGN_NAME,
    POINTS,
    BadDesign,
    Design,
    check_design,
    half_points_text,
    read_design,
    roster,
)
from captains_table.games.crowns.grids import HALVES, MoveGrid
from captains_table.page.design_scene import GRIDS, Draft, cells, copy_of, cost_words, read_draft
from captains_table.page.handlers import REFUSAL_STATUS, RequestHandlers, redirect_after_post
from captains_table.phrases import as_sentence, message_of, say
from captains_table.storage.design_file import CannotKeep, NameTaken
from captains_table.web import request_reader
from captains_table.web.page_language import on_page
from captains_table.web.problems import Problem, wants_page
from captains_table.web.svg.grids_svg import arrow_svg, grid_svg

MOST_SIGNS: Final = 200
_EMPTY: Final = (MoveGrid(), MoveGrid())


class DesignPages(RequestHandlers):
    """Handles the requests of the pages on which players design pieces for Crowns."""

    async def listed(self, request: Request) -> Response:
        """Show the saved pieces and the roster that comes with the game."""
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
        """Show the drawing page for the piece in the address.

        A browser without scripts also sends each tap here. If the piece cannot be read, the page shows an empty drawing
        and the reason.
        """
        fields = request_reader.merged(request.query_params.multi_items())
        try:
            draft = read_draft(fields)
        except BadDesign as error:
            return self._page(
                request, Draft(Design("", *_EMPTY)), message_of(error), 400, written=fields.get("piece", "")
            )
        return self._page(request, draft)

    async def redraw(self, request: Request) -> Response:
        """Return as JSON the fragments that change after a tap, and the address of the new draft."""
        draft = read_draft(request_reader.merged(request.query_params.multi_items()))
        values = _values(draft) | {"may_touch": request.scope["may_touch"]}
        fragments = {
            "drawing": self.renderer.page("designs/drawing", **values),
            "reckoning": self.renderer.page("designs/reckoning", **values),
            "drawn": on_page(draft.summary),
        }
        return JSONResponse({"fragments": fragments, "address": draft.address()})

    async def signs(self, request: Request) -> Response:
        """Show signs to print and wear: for the pieces in the address or, without any, for all saved pieces.

        Each piece has a sheet of its own, with the standard grid outside and the levelled-up grid inside.
        """
        texts = request.query_params.getlist("piece")
        if len(texts) > MOST_SIGNS:
            wrong = say("{count} pieces cannot be printed at once: expected at most {most}.", len(texts), MOST_SIGNS)
            raise Problem(400, wrong)
        designs = [_read_piece(text) for text in texts] or self.table.designs.read().designs
        return self.html(
            request,
            "designs/signs",
            signs=[{"design": design, "outside": _standard(design), "inside": _levelled(design)} for design in designs],
        )

    async def save(self, request: Request) -> Response | None:
        """Save the drawn piece; a refusal is shown to a browser on the drawing page, and raised for a script."""
        draft = read_draft(await request_reader.read_fields(request))
        try:
            self.table.designs.save(draft.design, draft.of)
        except (BadDesign, NameTaken, CannotKeep) as error:
            if not wants_page(request):
                raise
            return self._page(request, draft, message_of(error), REFUSAL_STATUS[type(error)])
        return redirect_after_post(request, _list_address(saved=draft.design.name))

    async def delete(self, request: Request) -> Response | None:
        """Delete a saved piece."""
        name = (await request_reader.read_fields(request)).get("name", "")
        self.table.designs.delete(name)
        return redirect_after_post(request, _list_address(deleted=name))

    def _page(
        self, request: Request, draft: Draft, error: str = "", status: int = 200, *, written: str = ""
    ) -> Response:
        values = _values(draft)
        written = written or (str(draft.design) if any(grid.moves for grid in draft.grids.values()) else "")
        values["greets"] = draft.is_blank and not error
        return self.html(request, "designs/draw", status, error=error, written=written, **values)


def _values(draft: Draft) -> dict[str, object]:
    """Return the values for the templates of the page on which a player draws a piece."""
    return {
        "draft": draft,
        "grids": {key: (title, draft.grids[key]) for key, title in GRIDS.items()},
        "greets": False,
        "cells": cells,
        "cost_words": cost_words,
        "points": half_points_text,
        "arrow_svg": arrow_svg,
        "most_points": POINTS,
        "longest_name": LONGEST_DESIGN_NAME,
        "sign": _signs_address([draft.design]),
        "play": _play_address(draft.design),
    }


def _card(design: Design, *, is_kept: bool) -> dict[str, object]:
    """Return the template's values for a piece in a list of pieces; only a saved piece can be changed."""
    return {
        "design": design,
        "grids": [
            _priced(say("Value"), design.standard, _standard(design)),
            _priced(say("Levelling up"), design.levelled, _levelled(design)),
        ],
        "change": Draft(design, of=design.name).address() if is_kept else None,
        "copy": Draft(copy_of(design)).address(),
        "sign": _signs_address([design]),
        "play": _play_address(design),
    }


def _priced(title: str, grid: MoveGrid, picture: str) -> dict[str, object]:
    """Return the template's values for a grid on a card: its picture, its price, and how that comes about."""
    words = cost_words(grid)
    words = say("{price}, rounded up", words) if grid.net % HALVES else words
    return {"title": title, "price": grid.price, "words": words, "picture": picture}


def _standard(design: Design) -> str:
    label = say("Standard: {moves}", str(design.standard))
    return grid_svg(design.standard, label)


def _levelled(design: Design) -> str:
    label = say("Levelled up: {moves}", str(design.levelled))
    return grid_svg(design.levelled, label, "grid-levelled")


def _signs_address(designs: Sequence[Design]) -> str:
    return f"/designs/signs?{urlencode([('piece', str(design)) for design in designs])}"


def _play_address(design: Design) -> str:
    return f"/new?{urlencode({'game': Crowns.key, 'piece1': str(design)})}"


def _read_piece(text: str) -> Design:
    """Return the piece that a text describes; raises Problem if the text cannot be read or the piece is illegal."""
    try:
        design = read_design(text)
        check_design(design)
    except BadDesign as error:
        raise Problem(400, as_sentence(message_of(error))) from error
    return design


def _list_address(**what: str) -> str:
    """Return the address of the list of pieces, with the note that a piece was saved or deleted.

    Args:
        what: the piece's name, under the keyword `saved` or `deleted`.
    """
    return f"/designs?{urlencode(what)}"
