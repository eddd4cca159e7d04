"""Finds the page of a running table: whether it answers, and the addresses and token that open it."""

import json
import time
import urllib.request
from dataclasses import dataclass
from http.client import HTTPException
from typing import Final

from captains_table.runtime.config import TableConfig
from captains_table.storage.key_files import TOKEN
from captains_table.storage.ownership import Planted, as_owner
from captains_table.web.reach import PageReach

ASK_AGAIN_S: Final = 0.5
ANSWER_WITHIN_S: Final = 5.0


class PageSilent(OSError):
    """The page does not answer, or its token cannot be read; the message says what to do."""


@dataclass(frozen=True, slots=True)
class RunningPage:
    """The addresses of a page, and its token.

    Attributes:
        own: the page's address on this machine, such as `http://127.0.0.1:8377/`.
        others: the page's addresses for other devices, most reliable first; empty if other devices cannot reach the
            page, or if there is no network.
        token: the token needed to play; `None` if no token is needed.
    """

    own: str
    others: tuple[str, ...]
    token: str | None

    def table(self, base: str) -> str:
        """Return the address to play at, with the token if one is needed; `base` is one of the page's addresses."""
        return f"{base}table" if self.token is None else f"{base}table?token={self.token}"


def find_running_page(config: TableConfig) -> RunningPage:
    """Return the addresses and the token of a running table's page.

    The token is `None` if only this machine can reach the page.

    Raises:
        PageSilent: the token's file is missing or cannot be read.
        Planted: the command runs as root, and another user may have planted the token's file.
    """
    reach = PageReach(config.host, config.port)
    if reach.is_private:
        return RunningPage(reach.own, (), None)
    reach.ask_name()
    return RunningPage(reach.own, reach.addresses(), _token(config))


def wait_for_page(own: str, seconds: float) -> None:
    """Wait until the page at the address `own` answers; raises PageSilent if no answer comes within `seconds`."""
    until = time.monotonic() + seconds
    while True:
        try:
            return _ask(own)
        except (OSError, ValueError, HTTPException) as error:
            if time.monotonic() >= until:
                raise PageSilent(f"no table answers at {own} ({_cause(error)})") from error
        time.sleep(ASK_AGAIN_S)


def _ask(own: str) -> None:
    """Check that the page answers.

    Raises:
        OSError: nothing answers.
        ValueError, HTTPException: another program answers.
    """
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with direct.open(f"{own}health", timeout=ANSWER_WITHIN_S) as answer:
        health = json.loads(answer.read(10_000))
    if not isinstance(health, dict) or health.get("status") != "ok":
        raise ValueError("another program listens there")


def _cause(error: Exception) -> str:
    if isinstance(error, ValueError | HTTPException):  # a program answered, but not a table
        return "another program listens there"
    return str(getattr(error, "reason", None) or error)


def _token(config: TableConfig) -> str:
    path = config.state_dir / TOKEN
    try:
        with as_owner(config.state_dir, state=True) as folder:
            return (folder / TOKEN).read_text(encoding="ascii").strip()
    except FileNotFoundError:
        raise PageSilent(f"there is no token in {path}: expected the state of the table that runs") from None
    except Planted:
        raise
    except (OSError, UnicodeDecodeError) as error:
        raise PageSilent(f"the token in {path} cannot be read ({error}): expected to be called with sudo") from error
