"""Recorded matches of all games, played by computers under honest dice, as results; clubs and seasons with them."""

import base64
import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from hypothesis import strategies as st

from captains_table.club.proof_worker import proof_of
from captains_table.club.season.proving import Finding, examine_export, remembered_names
from captains_table.club.season.season import ProvenMatch, ResultSource, SeasonMatch
from captains_table.reporting.messages import FinalScore, FromTable, MatchReport, decode, encode
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.match import Match
from tests.support.fake_club import FakeClub, store_for_any_thread

FOLDER: Final = Path(__file__).parent / "season" / "told"
PLAYED: Final = (
    *("legend", "legend-against-aether", "captains-chess", "ship-captain-crew", "ship-captain-crew-alone"),
    *("swashbuckle", "swashbuckle-of-three", "crowns"),
)
"""The files of the folder, each a result."""


def told(export: Mapping[str, Any], rev: int = 1) -> MatchReport:
    """Return the result that a table tells of a match it exports."""
    kinds = tuple(export["entries"][0].get("kinds", ()))
    started = MatchStarted(export["game"], tuple(export["seats"]), export["options"], "", kinds)
    ending = export["result"]
    return MatchReport(
        match=export["commitment"],
        rev=rev,
        game=export["game"],
        options=export["options"],
        seats=Match(started).names,
        kinds=kinds,
        ending=None if ending is None else FinalScore(winner=ending["winner"], scores=tuple(ending["scores"])),
        began=export["began"],
        ended=export["began"],
        export=base64.b64encode(zlib.compress(json.dumps(export).encode(), 9)).decode(),
    )


@cache
def recorded(name: str) -> MatchReport:
    """Return a result that was recorded: one of `PLAYED`."""
    outcome = decode(FromTable.RESULT, (FOLDER / f"{name}.json").read_bytes())
    assert isinstance(outcome, MatchReport)
    return outcome


def export_of(outcome: MatchReport) -> bytes:
    """Return the export that comes with a result, as JSON."""
    return zlib.decompress(base64.b64decode(outcome.export))


NAMES = ("Anne", "Bart", "Cleo")
GAMES = ("captains-chess", "ship-captain-crew", "swashbuckle", "a-game-that-is-not-installed")


@cache
def proven(name: str) -> ProvenMatch:
    """Return what is remembered of a recorded match."""
    found = examine_export(recorded(name), export_of(recorded(name))).match
    assert found is not None
    return found


def of_outcome(outcome: MatchReport, word: ResultSource, *, evening: int = 1, user: str = "table-1") -> SeasonMatch:
    """Return a result as a season remembers it, with nothing proven."""
    return SeasonMatch(
        seal=outcome.match,
        rev=outcome.rev,
        evening=evening,
        user=user,
        game=outcome.game,
        names=remembered_names(outcome.seats, outcome.kinds),
        options=outcome.options,
        ending=outcome.ending,
        began=outcome.began,
        word=word,
    )


def proven_match(name: str, *, evening: int = 1) -> SeasonMatch:
    """Return a recorded match as a season remembers it."""
    outcome, found = recorded(name), proven(name)
    match = of_outcome(outcome, ResultSource.PROVEN, evening=evening)
    return replace(match, names=found.names, options=found.options, proven=found)


def all_proven() -> list[SeasonMatch]:
    """Return all recorded matches, all of one evening."""
    return [proven_match(name) for name in PLAYED]


@st.composite
def told_matches(draw: st.DrawFn, word: ResultSource | None = None) -> SeasonMatch:
    """Draw a match that was told; few seals, so that some are revisions of others."""
    names = draw(st.permutations(NAMES))[: draw(st.integers(1, 3))]
    scores = tuple(draw(st.integers(0, 400)) for _ in names)
    winner = draw(st.sampled_from([None, *range(len(names))]))
    return SeasonMatch(
        seal=draw(st.sampled_from([f"{number:064x}" for number in range(12)])),
        rev=draw(st.integers(1, 4)),
        evening=draw(st.integers(1, 4)),
        user=draw(st.sampled_from(["table-1", "table-2"])),
        game=draw(st.sampled_from(GAMES)),
        names=tuple(names),
        options={},
        ending=draw(st.sampled_from([None, *[FinalScore(winner=winner, scores=scores)] * 5])),
        began=f"2026-01-31T20:{draw(st.integers(0, 59)):02}:00+01:00",
        word=draw(st.sampled_from(ResultSource)) if word is None else word,
    )


def seasons() -> st.SearchStrategy[list[SeasonMatch]]:
    """Draw matches of which no two have the same seal and revision, real ones among them."""
    drawn = st.lists(told_matches(), max_size=14, unique_by=lambda match: (match.seal, match.rev))
    real = st.lists(st.sampled_from(sorted(PLAYED)), unique=True, max_size=4).flatmap(
        lambda names: st.tuples(*(st.builds(proven_match, st.just(name), evening=st.integers(1, 4)) for name in names))
    )
    return st.builds(lambda told, real: [*told, *real], drawn, real)


DAY_S = 86_400.0


@cache
def found_in(outcome: bytes, export: bytes) -> Finding:
    """Return what an export proves of a result."""
    return proof_of(msgspec.json.decode(outcome, type=MatchReport), export)


class SeasonClub(FakeClub):
    """A club whose evenings are in a real file of a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(store=store_for_any_thread(folder))

    def tell(
        self, outcome: MatchReport, user: str = "table-1", *, export: bytes | None = None, proves: bool = True
    ) -> None:
        """Let a result arrive with its own export, or another deflated one; it is verified at once if it `proves`."""
        packed = export if export is not None else zlib.compress(export_of(outcome)) if outcome.export else b""
        self.store.add_result(user, outcome, packed, self.at_s)
        while proves and (waiting := self.store.to_prove()) is not None:
            found = found_in(encode(waiting[1]), waiting[2])
            self.store.note_proof(waiting[0], found.words, found.match)
        self._changed(results=True)

    def tell_recorded(self, names: Iterable[str] = PLAYED) -> None:
        """Let recorded matches arrive, each of another table."""
        for number, name in enumerate(names, 1):
            self.tell(recorded(name), f"table-{number}")
            self.at_s += 60
