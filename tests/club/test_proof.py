import asyncio
import json
import zlib
from typing import Any

import msgspec
import pytest
from hypothesis import given, strategies as st

from captains_table.club.proof_worker import LARGEST, Damaged, proof_of, prove_in_worker, unpacked
from captains_table.club.season.proving import Finding
from captains_table.reporting.messages import FinalScore, MatchReport
from tests.support.club_tables import outcome
from tests.support.honest_match import HonestTable


@pytest.fixture(scope="module")
def export() -> dict[str, Any]:
    table = HonestTable("ship-captain-crew", {})
    table.play_on(luck=1)
    return table.export()


def result_of(export: dict[str, Any], **changed: Any) -> MatchReport:  # noqa: ANN401 - any of its fields
    told = outcome(
        export["commitment"],
        game=export["game"],
        seats=tuple(export["seats"]),
        ending=FinalScore(winner=export["result"]["winner"], scores=tuple(export["result"]["scores"])),
    )
    return msgspec.structs.replace(told, **changed)


def deflated(export: object) -> bytes:
    return zlib.compress(json.dumps(export).encode())


def test_a_whole_match_proves_its_result(export: dict[str, Any]) -> None:
    found = proof_of(result_of(export), deflated(export))
    assert found.words.startswith("The seed is the one committed to, and all")
    assert found.match is not None
    assert found.match.names == ("Anne", "Bart")


def test_a_changed_face_is_found(export: dict[str, Any]) -> None:
    changed = json.loads(json.dumps(export))
    thrown = next(entry for entry in changed["entries"] if "faces" in entry.get("action", {}))
    thrown["action"]["faces"][0] = thrown["action"]["faces"][0] % 6 + 1
    assert proof_of(result_of(export), deflated(changed)).match is None


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"match": "0" * 64}, "the seal is"),
        ({"game": "legend"}, "the game is ship-captain-crew, and legend was told"),
        ({"ending": FinalScore(winner=None, scores=(99, 99))}, "the result is"),
        ({"ending": None}, "the result is"),
    ],
)
def test_an_export_of_another_match_proves_nothing(export: dict[str, Any], changed: dict[str, Any], words: str) -> None:
    found = proof_of(result_of(export, **changed), deflated(export))
    assert found.match is None
    assert found.words.startswith("the export is of another match: ")
    assert words in found.words


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


def test_exports_are_verified_in_a_process_beside(export: dict[str, Any]) -> None:
    async def both() -> list[Finding]:
        told = result_of(export)
        return list(
            await asyncio.gather(prove_in_worker(told, deflated(export)), prove_in_worker(told, b"nothing" * 100_000))
        )

    proven, failed = asyncio.run(both())
    assert proven == proof_of(result_of(export), deflated(export))
    assert failed.match is None
