"""Visiting the page without a server: requests go straight into the application."""

import asyncio
import json
from collections.abc import Awaitable, Callable

import httpx

from captains_table.page.app import create_app
from captains_table.runtime.table import Table
from captains_table.web.reach import PageReach

HERE = "http://localhost:8080"
Visit = Callable[[httpx.AsyncClient], Awaitable[httpx.Response]]


def visit(
    table: Table, visiting: Visit, *, token: str | None = None, hosts: tuple[str, ...] = ("localhost",)
) -> httpx.Response:
    """Return the last answer of a visit to the page of a table."""
    return asyncio.run(visit_there(table, visiting, token=token, hosts=hosts))


def visit_to(table: Table, reach: PageReach, address: str) -> httpx.Response:
    """Return the answer to a GET of an address, at a page that is reached so."""

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=create_app(table, reach=reach))
        async with httpx.AsyncClient(transport=transport) as client:
            return await client.get(address)

    return asyncio.run(ask())


async def visit_there(
    table: Table, visiting: Visit, *, token: str | None = None, hosts: tuple[str, ...] = ("localhost",)
) -> httpx.Response:
    """Return the last answer of a visit to the page of a table whose loop is running."""
    app = create_app(table, token=token, reach=PageReach("127.0.0.1", 0, hosts))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=HERE) as client:
        return await visiting(client)


def get(table: Table, path: str, **headers: str) -> httpx.Response:
    """Return the answer to a GET."""
    return visit(table, lambda client: client.get(path, headers=headers))


def post(table: Table, path: str, body: object = None, **headers: str) -> httpx.Response:
    """Return the answer to a POST of a JSON body."""
    content = json.dumps(body)  # in ASCII, unlike httpx's own: so that broken Unicode can be sent, too
    headers.setdefault("Content-Type", "application/json")
    return visit(table, lambda client: client.post(path, content=content, headers=headers))
