"""Visiting the page without a server: requests go straight into the application."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping

import httpx

from captains_table.page.app import create_app
from captains_table.runtime.table import Table
from captains_table.web.reach import PageReach

HERE = "http://localhost:8080"
Visit = Callable[[httpx.AsyncClient], Awaitable[httpx.Response]]


def visit(table: Table, visiting: Visit, *, token: str | None = None, reach: PageReach | None = None) -> httpx.Response:
    """Return the last answer of a visit to the page of a table."""
    return asyncio.run(visit_there(table, visiting, token=token, reach=reach))


async def visit_there(
    table: Table, visiting: Visit, *, token: str | None = None, reach: PageReach | None = None
) -> httpx.Response:
    """Return the last answer of a visit to the page of a table whose loop is running."""
    app = create_app(table, token=token, reach=reach or PageReach("127.0.0.1", 0, ("localhost",)))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=HERE) as client:
        return await visiting(client)


def get(table: Table, path: str, *, token: str | None = None, **headers: str) -> httpx.Response:
    """Return the answer to a GET."""
    return visit(table, lambda client: client.get(path, headers=headers), token=token)


def post(table: Table, path: str, body: object = None, *, token: str | None = None, **headers: str) -> httpx.Response:
    """Return the answer to a POST of a JSON body, or of these bytes."""
    # In ASCII, unlike httpx's own: so that broken Unicode can be sent, too
    content = body if isinstance(body, bytes) else json.dumps(body)
    headers.setdefault("Content-Type", "application/json")
    return visit(table, lambda client: client.post(path, content=content, headers=headers), token=token)


def send(table: Table, path: str, form: Mapping[str, str], *, token: str | None = None) -> httpx.Response:
    """Return the answer to a form that a browser sends without a script."""
    headers = {"Accept": "text/html", "Origin": HERE}
    return visit(table, lambda client: client.post(path, data=form, headers=headers), token=token)
