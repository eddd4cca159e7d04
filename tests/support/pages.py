"""The pages of a program on this machine, by the standard library alone: `make club` installs no other client."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode
from urllib.request import HTTPErrorProcessor, OpenerDirector, ProxyHandler, Request, build_opener

from tests.support.patience import PATIENCE_S


class Answer(NamedTuple):
    """An answer as it comes: a redirection is not followed, an error is not raised."""

    status_code: int
    text: str
    location: str

    def json(self) -> Any:  # noqa: ANN401 - whatever it is
        return json.loads(self.text)


class _AsItComes(HTTPErrorProcessor):
    def http_response(self, _request: Request, response: Any) -> Any:  # noqa: ANN401 - as urllib has it
        return response


OPENER: OpenerDirector = build_opener(ProxyHandler({}), _AsItComes)


class Pages:
    """Asks for pages; raises OSError where no answer comes.

    Args:
        address: what paths are added to; a slash at its end is left out.
        headers: sent each time.
        patience_s: how long an answer may take.
    """

    def __init__(self, address: str, headers: Mapping[str, str] = {}, patience_s: float = PATIENCE_S) -> None:
        self.address = address.rstrip("/")
        self._headers = dict(headers)
        self._patience_s = patience_s

    def get(self, path: str) -> Answer:
        return self._ask(Request(self.address + path, headers=self._headers))

    def post(self, path: str, fields: Mapping[str, str] = {}) -> Answer:
        """Send a form."""
        return self._ask(Request(self.address + path, urlencode(fields).encode(), self._headers))

    def post_json(self, path: str, body: object) -> Answer:
        headers = self._headers | {"Content-Type": "application/json"}
        return self._ask(Request(self.address + path, json.dumps(body).encode(), headers))

    def _ask(self, request: Request) -> Answer:
        with OPENER.open(request, timeout=self._patience_s) as answer:
            return Answer(answer.status, answer.read().decode(), answer.headers.get("location", ""))
