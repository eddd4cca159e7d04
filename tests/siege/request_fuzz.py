"""Malformed requests to the real daemon: none is answered with 500, none leaves a traceback, none changes the match.

At every third daemon they come from strangers without the token: the journal stays as it is. At the others whatever a
request was made to be, it may be one that does something; so the journal may grow only where the daemon said that
something was done, or while a piece that was moved so is still being understood.
"""

import json
import random
import re
import sqlite3
from contextlib import suppress
from http import HTTPStatus
from typing import Final

from captains_table.devices.dice_sources import HonestDice
from captains_table.storage.key_files import read_token
from captains_table.table.model.entries import JOURNAL_ENTRIES
from captains_table.table.model.match import Match
from tests.siege.attack import Fault, Trial
from tests.siege.http_person import PICK, REVISION
from tests.siege.ledger import rows_of, seed_of
from tests.siege.malformed_requests import HOME, Answer, Malformed, any_request, request, send
from tests.support.table_process import TableProcess

HONEST_EVERY: Final = 100
TRIES: Final = 20
STRANGERS_EVERY: Final = 3


def run(trial: Trial) -> None:
    is_open = trial.case.number % STRANGERS_EVERY == 0
    if is_open:
        daemon = trial.daemon("run", trial.configured(web='host = "0.0.0.0"'))
    else:
        daemon = trial.daemon("play", "--state", trial.place / "state", "--port", "0", "--players", "Anne", "Bart")
    with suppress(KeyboardInterrupt), daemon as table:
        Fuzz(trial, table, strangers=is_open).run()


class Fuzz:
    """One daemon, and all that is thrown at it."""

    def __init__(self, trial: Trial, table: TableProcess, *, strangers: bool) -> None:
        self._trial, self._rng, self._table = trial, trial.rng, table
        self._state = trial.place / "state"
        self._strangers = strangers
        self._headers = HOME | ({"X-Table-Token": read_token(self._state)} if strangers else {})
        self._database = sqlite3.connect(f"file:{self._state / 'journal.sqlite3'}?mode=ro", uri=True)
        self._entries = self._count()
        self._is_unclear = False

    def run(self) -> None:
        try:
            for number in range(self._trial.case.units):
                self._send(number, any_request(self._rng))
                if number % HONEST_EVERY == HONEST_EVERY - 1:
                    self._play(number)
            self._check_end()
        finally:
            self._database.close()

    def _count(self) -> int:
        [(found,)] = self._database.execute("SELECT ifnull(max(id), 0) FROM entries")
        return int(found)

    def _send(self, number: int, sent: Malformed) -> None:
        words = f"request {number} ({sent.kind})"
        try:
            answer = send(self._table.port, sent.data, is_whole=sent.is_whole)
        except TimeoutError:
            self._trial.find(Fault.HANG, f"{words} was never answered: {sent.data[:300]!r}")
            return
        self._trial.counts["hung up on" if answer.status is None else f"{answer.status // 100}xx"] += 1
        if answer.status is not None and answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            self._trial.find(Fault.WRONG, f"{words}: {answer.status} for {sent.data[:300]!r}")
        if sent.is_whole and answer.status is None:
            self._trial.find(Fault.WRONG, f"{words} got no answer: {sent.data[:300]!r}")
        entries = self._count()
        was_done = sent.may_touch and not self._strangers and _may_be_done(answer)
        if entries > self._entries and not (was_done or self._is_unclear):
            self._trial.find(Fault.LOST, f"{words} changed the match: {sent.data[:300]!r}")
        self._is_unclear = self._is_unclear or was_done
        self._entries = entries

    def _play(self, number: int) -> None:
        """Play on as a page would: whatever was thrown at the table, an answer is taken."""
        for _ in range(TRIES):
            send(self._table.port, request("POST", "/board/set-up", self._headers))
            page = send(self._table.port, request("GET", "/table", self._headers)).body
            answer = send(self._table.port, honest_answer(page, self._headers, self._rng))
            if answer.status == HTTPStatus.NO_CONTENT:
                self._trial.counts["played in between"] += 1
                self._is_unclear = False
                self._entries = self._count()
                return
        self._trial.find(Fault.WRONG, f"after request {number} nothing is taken: {answer.status} {answer.body[:300]}")

    def _check_end(self) -> None:
        """Every match in the journal replays, and its dice are those of its seed."""
        rows = rows_of(self._state)
        for match in sorted({row[0] for row in rows}):
            entries = [JOURNAL_ENTRIES.from_text(body) for number, _, _, body in rows if number == match]
            Match.resumed(entries)
            HonestDice.resumed(seed_of(self._state, match), entries)


def honest_answer(page: str, headers: dict[str, str], rng: random.Random) -> bytes:
    """Return a request that answers what a page asks, or begins a match where that is not a pick."""
    offers, revision = PICK.findall(page), REVISION.search(page)
    if not offers or revision is None or re.search("data-(amount|keep|bid)", page):
        body: dict[str, object] = {"game": "legend", "name1": "Anne", "name2": "Bart"}
        return request("POST", "/new", headers | {"Content-Type": "application/json"}, json.dumps(body).encode())
    body = {"revision": int(revision[1]), "action": {"type": "pick", "id": rng.choice(offers)}}
    return request("POST", "/answer", headers, json.dumps(body).encode())


def _may_be_done(answer: Answer) -> bool:
    return answer.status is None or answer.status < HTTPStatus.BAD_REQUEST or answer.data.count(b"HTTP/1.1 ") > 1
