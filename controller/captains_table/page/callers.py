"""For which seat somebody calls, by the key that comes with the request."""

from typing import Final

from starlette.requests import Request

from captains_table.runtime.table import Table
from captains_table.web.problems import Problem
from captains_table.web.rights import ANSWER_PATH, MASTER_PAGE, check_master

_INVALID: Final = (
    "This link opens no seat, or no longer: the match is over or left, or the link was replaced. Expected the one that "
    "the table's owner finds under Seats."
)


def seat_asking(request: Request, table: Table) -> int | None:
    """Return the seat that a request is made for, None for the table's owner or game master; raises Problem.

    What is done on a seat's own page is done for that seat, also by the owner. On his own page the game master answers
    for anybody, and does nothing else of what the owner may.
    """
    if is_master_asking(request):
        check_master(request)
        return None
    if request.scope["may_touch"] and request.query_params.get("page") != "seat":
        return None
    return seat_shown(request, table)


def is_master_asking(request: Request) -> bool:
    """Return whether an answer comes from the game master's page, whoever sends it."""
    return request.query_params.get("page") == MASTER_PAGE and request.url.path == ANSWER_PATH


def seat_shown(request: Request, table: Table) -> int:
    """Return the seat whose link a request brings; raises Problem."""
    keys, key = table.seats, request.scope["seat_key"]
    if keys is None:
        raise Problem(
            403,
            "This page is for this machine alone and has no links to seats: expected one that others can reach.",
        )
    seat = None if key is None else keys.seat_of(key)
    if seat is None:
        raise Problem(403, _INVALID)
    return seat
