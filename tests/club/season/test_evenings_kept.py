"""Seasons of the club's real file: a deleted evening leaves what the others give."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from hypothesis import given, settings, strategies as st

from captains_table.club.pages.seasons import season_match_of
from captains_table.club.season.hall_of_fame import HallOfFame, hall_of_fame
from captains_table.club.season.season import games_of, season_of
from captains_table.club.store.store import Proof, Store
from captains_table.reporting.messages import MatchReport
from tests.club.recorded_matches import PLAYED, proven, recorded
from tests.support.effort import effort

NOON_S = 1_795_460_000.0


@dataclass(frozen=True)
class Arriving:
    """A result that arrives in an evening, and what its export will be found to be."""

    evening: int
    outcome: MatchReport
    name: str
    proof: Proof


@st.composite
def arriving(draw: st.DrawFn) -> Arriving:
    """Draw a recorded result, whole, told alone, or with an export that proves nothing; perhaps a revision."""
    name = draw(st.sampled_from(sorted(PLAYED)))
    outcome = msgspec.structs.replace(recorded(name), export="", rev=draw(st.integers(1, 3)))
    if draw(st.integers(0, 3)) == 0:
        outcome = msgspec.structs.replace(outcome, ending=draw(st.sampled_from([None, outcome.ending])))
    proof = draw(st.sampled_from([Proof.PROVEN, Proof.NONE, Proof.FAILED]))
    return Arriving(draw(st.integers(1, 3)), outcome, name, proof)


ARRIVING = st.lists(arriving(), max_size=10, unique_by=lambda each: (each.outcome.match, each.outcome.rev))


def halls(store: Store) -> list[HallOfFame]:
    """Return all halls of fame of a file."""
    season = season_of(map(season_match_of, store.results()))
    return [hall_of_fame(season, game) for game in games_of(season)]


@contextmanager
def kept(arrived: Sequence[Arriving], evenings: Sequence[int]) -> Iterator[Store]:
    """Yield a file into which these results arrived, each in its evening."""
    with TemporaryDirectory() as folder, closing(Store(Path(folder))) as store:
        for evening in evenings:
            store.begin_evening(f"Evening {evening}", NOON_S)
            for each in arrived:
                if each.evening == evening:
                    take(store, each)
        yield store


def take(store: Store, each: Arriving) -> None:
    """Let a result arrive, and its export be verified if it has one."""
    store.add_result("table-1", each.outcome, b"" if each.proof is Proof.NONE else b"export", NOON_S)
    waiting = store.to_prove()
    if waiting is not None:
        found = proven(each.name) if each.proof is Proof.PROVEN else None
        store.note_proof(waiting[0], "", found)


@settings(max_examples=effort(12, 300), deadline=None)
@given(arrived=ARRIVING, evening=st.integers(1, 3))
def test_a_deleted_evening_leaves_what_the_others_give(arrived: list[Arriving], evening: int) -> None:
    first = {each.outcome.match: each.evening for each in reversed(sorted_by_evening(arrived))}
    others = [each for each in arrived if first[each.outcome.match] != evening]
    with kept(arrived, (1, 2, 3)) as store, kept(others, (1, 2, 3)) as without:
        store.delete_evening(evening)
        assert halls(store) == halls(without)
        assert [result.outcome for result in store.results()] == [result.outcome for result in without.results()]


def sorted_by_evening(arrived: Sequence[Arriving]) -> list[Arriving]:
    """Return results in the order in which they arrive: a match belongs to the evening of its first."""
    return sorted(arrived, key=lambda each: each.evening)
