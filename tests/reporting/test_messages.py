"""The payloads: what is written is read, and whatever arrives is read or refused in words."""

import json

import pytest
from hypothesis import given, settings as given_settings, strategies as st

from captains_table.reporting.messages import (
    CLASSES,
    LARGEST,
    VERSION,
    Acknowledged,
    BadPayload,
    FinalScore,
    FromClub,
    FromTable,
    MatchReport,
    Message,
    NewerMessage,
    Pairing,
    Pairings,
    Presence,
    Status,
    decode,
    encode,
)
from tests.support.effort import effort

SEAL = "ab" * 32
KINDS = st.sampled_from([*FromTable, *FromClub])


def outcome(**changed: object) -> bytes:
    """Return the payload of a result with other fields than usual."""
    usual = {"v": 1, "match": SEAL, "rev": 1, "game": "legend", "seats": ["Anne", "Bart"]}
    return json.dumps(usual | {"ending": {"winner": 0, "scores": [3, 1]}} | changed).encode()


def refused(kind: FromTable | FromClub, payload: bytes) -> str:
    with pytest.raises(BadPayload) as caught:
        decode(kind, payload)
    return str(caught.value)


def test_what_is_written_is_read() -> None:
    drawn = FinalScore(winner=None, scores=(1, 1))
    said: dict[FromTable | FromClub, Message] = {
        FromTable.STATUS: Status(state=Presence.READY, board=3, title="By the window", games=("legend",)),
        FromTable.RESULT: MatchReport(match=SEAL, rev=2, game="legend", seats=("A.", "B."), ending=drawn),
        FromClub.ACKNOWLEDGED: Acknowledged(match=SEAL, rev=2),
        FromClub.PAIRINGS: Pairings(pairings=(Pairing(id="7", heading="Round 2", game="legend", seats=("A", "B")),)),
    }
    for kind, message in said.items():
        assert decode(kind, encode(message)) == message


def test_an_option_may_be_set_to_more_than_a_name_is_long() -> None:
    position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 and a piece of 200 characters " + "b4 " * 60
    assert decode(FromTable.RESULT, outcome(options={"fen": position}))


def test_names_of_other_forms_are_refused() -> None:
    for name in ("a\n", "x" * 65, "\u202eevil", "a\u2028b", "\x1b[2J"):
        assert "seats" in refused(FromTable.RESULT, outcome(seats=[name, "Bart"]))
    assert "match" in refused(FromTable.RESULT, outcome(match=f"{SEAL}\n"))


def test_a_result_whose_seats_do_not_fit_is_refused() -> None:
    assert "scores" in refused(FromTable.RESULT, outcome(ending={"winner": 0, "scores": [1]}))
    assert "won" in refused(FromTable.RESULT, outcome(ending={"winner": 5, "scores": [1, 2]}))
    assert "kinds" in refused(FromTable.RESULT, outcome(kinds=["human"]))


def test_a_newer_message_is_told_apart_from_a_bad_one() -> None:
    with pytest.raises(NewerMessage):
        decode(FromClub.PAIRINGS, b'{"v": 2, "pairings": {"otherwise": []}}')
    assert "expected 1" in refused(FromClub.PAIRINGS, b'{"v": 0}')
    assert "too many" in refused(FromClub.PAIRINGS, b" " * (LARGEST + 1))


def test_a_newer_program_may_say_more_in_the_same_version() -> None:
    assert decode(FromClub.ACKNOWLEDGED, outcome(whatever=[1])) == Acknowledged(match=SEAL, rev=1)


ANY_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=20)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=9), inner, max_size=4)),
    max_leaves=12,
)
FIELDS = sorted({name for found in CLASSES.values() for name in found.__struct_fields__})


@given(KINDS, st.one_of(st.binary(max_size=60), st.dictionaries(st.sampled_from(FIELDS), ANY_JSON).map(json.dumps)))
@given_settings(max_examples=effort(150, 20_000), deadline=None)
def test_whatever_arrives_is_read_or_refused(kind: FromTable | FromClub, payload: bytes | str) -> None:
    payload = payload if isinstance(payload, bytes) else payload.encode()
    try:
        message = decode(kind, payload)
    except BadPayload:
        return
    assert message.v == VERSION
    assert decode(kind, encode(message)) == message


def test_what_is_nested_too_deeply_is_refused() -> None:
    assert refused(FromClub.PAIRINGS, b'{"v":1,"pairings":' + b"[" * 200_000)
