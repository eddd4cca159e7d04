"""Results as they arrive: which are refused, which are kept, and what their exports prove."""

import base64
import zlib

import pytest
from hypothesis import given, strategies as st

from captains_table.club.proof_worker import LARGEST, Damaged, proof_of, prove_in_worker, unpacked
from captains_table.club.result_storage import MOST_REVISIONS, Forged, ReportedResult, is_new, read_result
from captains_table.reporting.messages import BadPayload, FromTable, encode
from tests.club.club_tables import NOON_S, arrival, outcome
from tests.club.recorded_matches import export_of, proven, recorded


def told(user: str = "table-1", rev: int = 1, scores: tuple[int, ...] = (3, 1), export: bytes = b"") -> ReportedResult:
    return ReportedResult(user, outcome(rev=rev, scores=scores), export, NOON_S)


def test_a_result_is_read_and_its_export_apart_from_it() -> None:
    export = base64.b64encode(b"deflated").decode()
    found = read_result(arrival("table-1", outcome(export=export), at_s=2))
    assert found == ReportedResult("table-1", outcome(), b"deflated", NOON_S + 2)


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        (encode(outcome()).replace(b'"scores":[3,1]', b'"scores":[3]'), "1 scores of 2 seats"),
        (outcome(export="%%%"), "not base64"),
        (b"{}", "cannot be read"),
    ],
)
def test_what_cannot_be_a_result_is_refused(payload: object, words: str) -> None:
    with pytest.raises(BadPayload, match=words):
        read_result(arrival("table-1", payload, FromTable.RESULT))  # type: ignore[arg-type]


@given(st.binary(max_size=200))
def test_bytes_that_are_no_result_are_refused(payload: bytes) -> None:
    with pytest.raises(BadPayload):
        read_result(arrival("table-1", payload, FromTable.RESULT))


def test_a_result_told_twice_is_kept_once_and_each_revision_once() -> None:
    assert is_new(told(), [])
    assert not is_new(told(), [told()])
    assert is_new(told(rev=2, scores=(1, 3)), [told()])
    assert is_new(told(rev=1), [told(rev=2)])


def test_other_words_under_the_same_revision_are_refused() -> None:
    with pytest.raises(Forged, match=r"revision 1 .* told otherwise before"):
        is_new(told(scores=(0, 3)), [told()])
    with pytest.raises(Forged, match="told otherwise before"):
        is_new(told(export=b"another"), [told()])


def test_a_result_of_another_tables_match_is_refused() -> None:
    with pytest.raises(Forged, match="was told by table 'table-1'"):
        is_new(told("table-2", rev=2), [told()])
    with pytest.raises(Forged, match="is played at table 'table-1'"):
        is_new(told("table-2"), [], shown_at="table-1")
    assert is_new(told("table-1"), [], shown_at="table-1")


def test_a_match_has_so_many_revisions_and_no_more() -> None:
    kept = [told(rev=rev) for rev in range(1, MOST_REVISIONS + 1)]
    assert not is_new(told(rev=MOST_REVISIONS), kept)
    with pytest.raises(Forged, match="expected at most"):
        is_new(told(rev=MOST_REVISIONS + 1), kept)


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
async def test_an_export_is_verified_by_a_worker() -> None:
    assert await prove_in_worker(OUTCOME, EXPORT) == proof_of(OUTCOME, EXPORT)
