"""The payloads: what is written is read, and whatever arrives is read or refused in words."""

import json

import pytest
from hypothesis import given, settings as given_settings, strategies as st

from captains_table.reporting.messages import (
    CLASSES,
    LARGEST,
    RESERVED_USERS,
    VERSION,
    Acknowledged,
    BadMessage,
    BadUser,
    Ending,
    Message,
    NewerMessage,
    Order,
    Outcome,
    Pairing,
    Pairings,
    Presence,
    Report,
    Status,
    checked_user,
    discovery_topic,
    read,
    written,
)
from tests.support.effort import effort

SEAL = "ab" * 32
KINDS = st.sampled_from([*Report, *Order])


def outcome(**changed: object) -> bytes:
    """Return the payload of a result with other fields than usual."""
    usual = {"v": 1, "match": SEAL, "rev": 1, "game": "legend", "seats": ["Anne", "Bart"]}
    return json.dumps(usual | {"ending": {"winner": 0, "scores": [3, 1]}} | changed).encode()


def refused(kind: Report | Order, payload: bytes) -> str:
    with pytest.raises(BadMessage) as caught:
        read(kind, payload)
    return str(caught.value)


def test_what_is_written_is_read() -> None:
    drawn = Ending(winner=None, scores=(1, 1))
    said: dict[Report | Order, Message] = {
        Report.STATUS: Status(state=Presence.READY, board=3, title="By the window", games=("legend",)),
        Report.RESULT: Outcome(match=SEAL, rev=2, game="legend", seats=("A.", "B."), ending=drawn),
        Order.ACKNOWLEDGED: Acknowledged(match=SEAL, rev=2),
        Order.PAIRINGS: Pairings(pairings=(Pairing(id="7", heading="Round 2", game="legend", seats=("A", "B")),)),
    }
    for kind, message in said.items():
        assert read(kind, written(message)) == message


def test_an_option_may_be_set_to_more_than_a_name_is_long() -> None:
    position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 and a piece of 200 characters " + "b4 " * 60
    assert read(Report.RESULT, outcome(options={"fen": position}))


def test_names_of_other_forms_are_refused() -> None:
    for name in ("a\n", "x" * 65, "\u202eevil", "a\u2028b", "\x1b[2J"):
        assert "seats" in refused(Report.RESULT, outcome(seats=[name, "Bart"]))
    assert "match" in refused(Report.RESULT, outcome(match=f"{SEAL}\n"))


def test_a_result_whose_seats_do_not_fit_is_refused() -> None:
    assert "scores" in refused(Report.RESULT, outcome(ending={"winner": 0, "scores": [1]}))
    assert "won" in refused(Report.RESULT, outcome(ending={"winner": 5, "scores": [1, 2]}))
    assert "kinds" in refused(Report.RESULT, outcome(kinds=["human"]))


def test_a_newer_message_is_told_apart_from_a_bad_one() -> None:
    with pytest.raises(NewerMessage):
        read(Order.PAIRINGS, b'{"v": 2, "pairings": {"otherwise": []}}')
    assert "expected 1" in refused(Order.PAIRINGS, b'{"v": 0}')
    assert "too many" in refused(Order.PAIRINGS, b" " * (LARGEST + 1))


def test_a_newer_program_may_say_more_in_the_same_version() -> None:
    assert read(Order.ACKNOWLEDGED, outcome(whatever=[1])) == Acknowledged(match=SEAL, rev=1)


ANY_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=20)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=9), inner, max_size=4)),
    max_leaves=12,
)
FIELDS = sorted({name for found in CLASSES.values() for name in found.__struct_fields__})


@given(KINDS, st.one_of(st.binary(max_size=60), st.dictionaries(st.sampled_from(FIELDS), ANY_JSON).map(json.dumps)))
@given_settings(max_examples=effort(60, 20_000), deadline=None)
def test_whatever_arrives_is_read_or_refused(kind: Report | Order, payload: bytes | str) -> None:
    payload = payload if isinstance(payload, bytes) else payload.encode()
    try:
        message = read(kind, payload)
    except BadMessage:
        return
    assert message.v == VERSION
    assert read(kind, written(message)) == message


def test_what_is_nested_too_deeply_is_refused() -> None:
    assert refused(Order.PAIRINGS, b'{"v":1,"pairings":' + b"[" * 200_000)


@pytest.mark.parametrize("name", sorted(RESERVED_USERS))
def test_no_table_is_called_as_the_clubs_other_users_are(name: str) -> None:
    with pytest.raises(BadUser, match="another user of the club's broker"):
        checked_user(name)


@pytest.mark.parametrize("name", ["", "Table-1", "table 1", "table/1", "+", "#", "$sys", "-1", "t" * 33, "table\n"])
def test_a_name_that_a_broker_might_read_otherwise_is_refused(name: str) -> None:
    with pytest.raises(BadUser, match="small letters, digits and hyphens"):
        checked_user(name)


def test_home_assistant_finds_a_table_by_a_topic_with_its_users_name_as_a_level_of_its_own() -> None:
    assert discovery_topic(checked_user("table-3")) == "homeassistant/device/captains-table/table-3/config"
