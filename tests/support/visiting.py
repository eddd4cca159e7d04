"""Visiting the page without a server: requests go straight into the application."""

import asyncio
import json
from collections.abc import Awaitable, Callable

import httpx

from captains_table.web.app import create_app
from captains_table.web.port import TablePort

HERE = "http://localhost:8080"
Visit = Callable[[httpx.AsyncClient], Awaitable[httpx.Response]]


def visit(
    table: TablePort, visiting: Visit, *, token: str | None = None, hosts: tuple[str, ...] = ("localhost",)
) -> httpx.Response:
    """Return the last answer of a visit to the page of a table."""
    return asyncio.run(visit_there(table, visiting, token=token, hosts=hosts))


async def visit_there(
    table: TablePort, visiting: Visit, *, token: str | None = None, hosts: tuple[str, ...] = ("localhost",)
) -> httpx.Response:
    """Return the last answer of a visit to the page of a table whose loop is running."""
    app = create_app(table, token=token, allowed_hosts=hosts)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=HERE) as client:
        return await visiting(client)


def get(table: TablePort, path: str, **headers: str) -> httpx.Response:
    """Return the answer to a GET."""
    return visit(table, lambda client: client.get(path, headers=headers))


def post(table: TablePort, path: str, body: object = None, **headers: str) -> httpx.Response:
    """Return the answer to a POST of a JSON body."""
    content = json.dumps(body)  # in ASCII, unlike httpx's own: so that broken Unicode can be sent, too
    headers.setdefault("Content-Type", "application/json")
    return visit(table, lambda client: client.post(path, content=content, headers=headers))
