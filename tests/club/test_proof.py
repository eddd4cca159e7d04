import asyncio
import zlib

import pytest
from hypothesis import given, strategies as st

from captains_table.club.proof_worker import LARGEST, Damaged, proof_of, prove_in_worker, unpacked
from captains_table.club.season.proving import Finding
from tests.club.club_tables import outcome
from tests.club.recorded_matches import export_of, proven, recorded

OUTCOME = recorded("ship-captain-crew-alone")
EXPORT = zlib.compress(export_of(OUTCOME))


def test_a_whole_match_proves_its_result() -> None:
    found = proof_of(OUTCOME, EXPORT)
    assert found.words.startswith("The seed is the one committed to, and all")
    assert found.match == proven("ship-captain-crew-alone")


@given(st.binary(max_size=100))
def test_bytes_that_are_no_export_prove_nothing(data: bytes) -> None:
    assert proof_of(outcome(), data).match is None
    assert proof_of(outcome(), zlib.compress(data)).match is None


def test_what_swells_is_not_unpacked() -> None:
    with pytest.raises(Damaged, match="expected a whole one of at most"):
        unpacked(zlib.compress(bytes(LARGEST + 1), 9))
    with pytest.raises(Damaged, match="expected a whole one"):
        unpacked(zlib.compress(b"{}")[:-1])
    assert unpacked(zlib.compress(b"{}")) == b"{}"


@pytest.mark.slow
def test_exports_are_verified_by_workers() -> None:
    async def both() -> list[Finding]:
        asked = (prove_in_worker(OUTCOME, EXPORT), prove_in_worker(OUTCOME, b"nothing" * 100_000))
        return list(await asyncio.gather(*asked))

    whole, failed = asyncio.run(both())
    assert whole == proof_of(OUTCOME, EXPORT)
    assert failed.match is None
