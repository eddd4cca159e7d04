"""The matches of an event as files: round by round and board by board, as chess clubs exchange and broadcast them."""

import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from captains_table.club.events.event import Event
from captains_table.club.store.kept import KeptResult, Proof
from captains_table.storage.exports import forms_of, written
from captains_table.table.model.entries import ENTRIES

PGN: Final = "pgn"
TAG: Final = re.compile(r'^\[(?P<name>Event|Round) "(?P<value>[^"\n]*)"\]$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played: its round and board, and its export, JSON of which it is proven that it was played."""

    round: int
    board: int
    export: bytes


def played_of(event: Event, results: Mapping[str, KeptResult], exports: Mapping[str, bytes]) -> list[Played]:
    """Return the matches of an event of which an export is kept that is proven.

    Args:
        event: the event.
        results: by which its matches count, by the matches' ids.
        exports: what came with them, by their seals.
    """
    return [
        Played(round_.number, match.seated.board, exports[kept.outcome.match])
        for round_ in event.rounds
        for match in round_.matches
        if (kept := results.get(match.seated.id)) is not None
        and kept.proof is Proof.PROVEN
        and exports.get(kept.outcome.match)
    ]


def zipped(title: str, matches: Sequence[Played]) -> bytes:
    """Return the matches as a ZIP file: `round-N/game-N.json`, and `.pgn` of what is like chess."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as folder:
        for match in matches:
            for name, content in _files(title, match):
                folder.writestr(zipfile.ZipInfo(f"round-{match.round}/game-{match.board}.{name}"), content)
    return found.getvalue()


def _files(title: str, match: Played) -> Iterator[tuple[str, bytes]]:
    yield "json", match.export
    value = json.loads(match.export)
    if PGN in forms_of(value["game"]):
        entries = [ENTRIES.from_plain(entry) for entry in value["entries"]]
        text = written(entries, PGN, value["began"])
        yield PGN, tagged(text, title, f"{match.round}.{match.board}").encode()


def tagged(text: str, title: str, round_and_board: str) -> str:
    """Return PGN whose games are of an event, and of this round and board; a match of several rounds has them as well.

    Args:
        text: the games of one match.
        title: what the event is called.
        round_and_board: such as `2.5`.
    """
    quoted = " ".join(title.replace("\\", "/").replace('"', "'").split())

    def tag(found: re.Match[str]) -> str:
        if found["name"] == "Event":
            return f'[Event "{quoted}"]'
        own = found["value"]
        return f'[Round "{round_and_board}{f".{own}" if own.isdecimal() else ""}"]'

    return TAG.sub(tag, text)
