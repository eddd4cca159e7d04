import msgspec
import pytest
from hypothesis import given, strategies as st

from captains_table.club.intake.table_state import LAST, MOST_WORDS, RefusedPayloads
from captains_table.club.intake.tables import MOST_MATCHES, MOST_READ, MOST_TABLES, ExpectedTable, Tables, TooManyTables
from captains_table.reporting.messages import ArbiterCall, BadPayload, FromTable, NewerMessage, Presence, Status, encode
from captains_table.reporting.table_view import decoded_view
from tests.club.club_tables import NOON_S, SEAL, arrival, ready, seen

READABLE = encode(seen(1))


def heading(tables: Tables, user: str = "table-1") -> str:
    found = tables.find(user)
    assert found is not None
    assert found.glance is not None
    view = tables.views.view(user)
    assert view is not None
    assert view.heading == found.glance.heading
    return found.glance.heading


def test_the_newest_view_is_kept_and_an_older_one_is_not_taken() -> None:
    tables = Tables()
    assert tables.take(arrival("table-1", seen(3, "third")))
    assert not tables.take(arrival("table-1", seen(2, "second")))
    assert not tables.take(arrival("table-1", seen(3, "third again")))
    assert heading(tables) == "third"
    assert tables.take(arrival("table-1", seen(4, "fourth")))
    assert heading(tables) == "fourth"


def test_a_table_that_started_again_counts_anew() -> None:
    tables = Tables()
    tables.take(arrival("table-1", seen(300, "before")))
    tables.take(arrival("table-1", seen(1, "after", boot="another")))
    assert heading(tables) == "after"


def test_views_are_read_again_where_nobody_looked_for_long() -> None:
    tables = Tables()
    users = [f"table-{number}" for number in range(MOST_READ * 2)]
    for round_ in (1, 2):
        for user in users:
            tables.take(arrival(user, seen(round_, f"{user} {round_}")))
        assert [heading(tables, user) for user in users] == [f"{user} {round_}" for user in users]


def test_a_table_goes_and_comes_back() -> None:
    tables = Tables()
    tables.take(arrival("table-1", ready(1, "Port"), at_s=1))
    tables.take(arrival("table-1", Status(state=Presence.LOST), at_s=5))
    [away] = tables.all()
    assert (away.is_away, away.away_since_s, away.board, away.title) == (True, NOON_S + 5, 1, "Port")
    tables.take(arrival("table-1", Status(state=Presence.DISCONNECTED), at_s=9))
    assert tables.all()[0].away_since_s == NOON_S + 5
    tables.take(arrival("table-1", ready(), at_s=20))
    assert (tables.all()[0].is_away, tables.all()[0].away_since_s) == (False, None)


def test_what_was_retained_does_not_say_since_when() -> None:
    tables = Tables()
    tables.take(arrival("table-1", Status(state=Presence.LOST), retained=True))
    tables.take(arrival("table-1", ArbiterCall(arbiter=True, since=7), retained=True))
    [left] = tables.all()
    assert (left.is_away, left.away_since_s, left.needs, left.needs_since_s) == (True, None, True, None)


def test_a_call_is_another_one_than_that_which_was_answered() -> None:
    tables = Tables()
    tables.take(arrival("table-1", ArbiterCall(arbiter=True, call="boot 1"), at_s=3))
    tables.answer("table-1")
    tables.take(arrival("table-1", ArbiterCall(arbiter=True, call="boot 2"), at_s=8))
    [table] = tables.all()
    assert (table.call, table.answered, table.needs_since_s) == ("boot 2", "boot 1", NOON_S + 3)
    assert tables.take(arrival("table-1", ArbiterCall(arbiter=False), at_s=9))
    [table] = tables.all()
    assert (table.call, table.needs, table.needs_since_s) == ("", False, None)


def test_tables_stand_by_their_numbers_and_what_the_club_says_of_them_holds() -> None:
    tables = Tables({"table-9": ExpectedTable(2, "By the window"), "table-8": ExpectedTable()})
    tables.take(arrival("table-9", ready(7, "Seven")))
    tables.take(arrival("table-1", ready(1)))
    tables.take(arrival("table-8", ready(0, "Lee")))
    shown = [(table.user, table.board, table.title) for table in tables.all()]
    assert shown == [("table-1", 1, "table-1"), ("table-9", 2, "By the window"), ("table-8", 0, "Lee")]


def test_a_topic_that_is_emptied_on_the_broker_is_withdrawn() -> None:
    tables = Tables({"table-2": ExpectedTable(2)})
    for user in ("table-1", "table-2"):
        tables.take(arrival(user, ready()))
        tables.take(arrival(user, seen(5, match=SEAL)))
        tables.take(arrival(user, b"", FromTable.VIEW))
        assert tables.views.view(user) is None
        tables.take(arrival(user, b"", FromTable.STATUS))
    assert [(table.user, table.presence, table.match) for table in tables.all()] == [("table-2", None, "")]
    assert not tables.take(arrival("table-7", b"", FromTable.STATUS))


def test_a_newer_version_says_that_this_server_needs_an_update_and_leaves_what_is_known() -> None:
    tables = Tables()
    tables.take(arrival("table-1", seen(1, "known")))
    with pytest.raises(NewerMessage):
        tables.take(arrival("table-1", b'{"v": 2, "boot": "x"}', FromTable.VIEW))
    assert tables.all()[0].needs_update
    assert heading(tables) == "known"
    tables.take(arrival("table-1", seen(2)))
    assert not tables.all()[0].needs_update


def test_there_are_so_many_tables_and_no_more() -> None:
    tables = Tables()
    for number in range(MOST_TABLES):
        tables.take(arrival(f"table-{number}", ready()))
    with pytest.raises(TooManyTables, match="'table-x' is one too many"):
        tables.take(arrival("table-x", ready()))
    assert len(tables.all()) == MOST_TABLES


def test_who_is_silent_after_the_line_came_up_was_lost_while_it_was_down() -> None:
    tables = Tables()
    tables.take(arrival("table-1", ready(), at_s=1))
    tables.take(arrival("table-2", ready(), at_s=1))
    tables.take(arrival("table-2", ready(), retained=True, at_s=31))
    assert tables.mark_silent_as_lost(NOON_S + 30, NOON_S + 20) == ["table-1"]
    assert [(table.is_away, table.away_since_s) for table in tables.all()] == [(True, NOON_S + 20), (False, None)]


def test_a_match_is_where_it_was_shown_first_and_old_ones_are_forgotten() -> None:
    tables = Tables()
    tables.take(arrival("table-1", seen(1, match=SEAL)))
    tables.take(arrival("table-2", seen(1, match=SEAL)))
    assert tables.first_shown_at(SEAL) == "table-1"
    for n in range(MOST_MATCHES):
        tables.take(arrival("table-1", seen(n + 2, match=f"{n:064x}")))
    assert tables.first_shown_at(SEAL) is None
    assert tables.first_shown_at(f"{0:064x}") == "table-1"


@given(st.sampled_from([FromTable.VIEW, FromTable.STATUS, FromTable.NEEDS]), st.binary(min_size=1, max_size=200))
def test_bytes_that_are_no_message_change_nothing(kind: FromTable, payload: bytes) -> None:
    tables = Tables()
    tables.take(arrival("table-1", seen(1, "known")))
    before = tables.all()
    with pytest.raises(BadPayload):
        tables.take(arrival("table-1", payload, kind))
    assert tables.all() == before


@pytest.mark.slow
@given(st.data())
def test_a_view_with_anything_else_in_one_field_is_drawable_or_refused(data: st.DataObject) -> None:
    tables = Tables()
    plain = msgspec.json.decode(READABLE)
    name = data.draw(st.sampled_from(["pieces", "seats", "dice", "shape", "marks", "sheet", "log", "result", "seat"]))
    anything = st.recursive(
        st.none() | st.booleans() | st.integers(-5, 300) | st.text(max_size=5) | st.sampled_from(["a1", "K", "z99"]),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
        max_leaves=6,
    )
    plain["view"][name] = data.draw(anything)
    try:
        tables.take(arrival("table-1", msgspec.json.encode(plain), FromTable.VIEW))
    except BadPayload:
        assert tables.views.view("table-1") is None
    else:
        view = tables.views.view("table-1")
        assert view == decoded_view(msgspec.convert(plain["view"], type(seen(1).view)))


def test_refusals_are_counted_and_the_last_few_told_in_tame_words() -> None:
    refused = RefusedPayloads()
    for n in range(LAST + 3):
        refused.add("table-1", "view", f"{n} \x1b[31m\u202e{'long ' * 100}", NOON_S)
    [told] = refused.counts()
    assert (told.user, told.count, len(told.last)) == ("table-1", LAST + 3, LAST)
    assert told.last[0].words.startswith("3 ·[31m·long")
    assert all(len(each.words) <= MOST_WORDS for each in told.last)
