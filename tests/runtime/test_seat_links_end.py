"""Until when links to seats open anything, and what becomes of them."""

import logging
from pathlib import Path

import pytest

from captains_table.runtime.table import Table
from captains_table.storage.key_files import SEATS
from tests.support.seat_guests import Evening, evening, pick, refused
from tests.support.service_at_work import at_a_table


def test_a_link_that_is_renewed_or_revoked_opens_nothing_from_then_on(tmp_path: Path) -> None:
    """The other seat's is as it was."""

    async def do(at: Evening) -> None:
        at.table.matches.new_match("legend", ["Anne", "Bart"], {})
        old, other = at.key(0), at.key(1)
        assert (await at.owner("POST", "/seats/0/renew")).status_code == 303
        assert at.key(0) != old
        assert refused(await at.answer(old, pick("roll")), "opens no seat")
        assert refused(await at.ask("GET", f"/seat?key={old}"), "opens no seat")
        assert (await at.answer(at.key(0), pick("roll"))).status_code == 204
        assert (await at.owner("POST", "/seats/0/revoke")).status_code == 303
        assert [link.key for link in at.keys.links()] == [None, other]
        for seat in ("2", "x", "-1"):
            assert (await at.owner("POST", f"/seats/{seat}/renew")).status_code == 404

    assert evening(tmp_path, do) == []


def test_links_end_with_the_match(tmp_path: Path) -> None:
    async def do(at: Evening) -> None:
        at.table.matches.new_match("legend", ["Anne", "Bart"], {"rounds": "1", "fen": "7k/8/8/8/8/8/8/K7 w - - 0 1"})
        anne = at.key(0)
        assert (await at.answer(anne, pick("roll"))).status_code == 204
        while at.table.view().phase != "over":
            seat = at.table.view().seat
            assert seat is not None
            ask = at.table.view().ask
            offered = {option.id for option in ask.options}  # type: ignore[union-attr]
            wish = next(id_ for id_ in ("abandon", "agree", "done", "roll") if id_ in offered)
            assert (await at.answer(at.key(seat), pick(wish))).status_code == 204
        assert at.keys.links() == []
        assert not (tmp_path / SEATS).exists()
        assert refused(await at.ask("GET", f"/seat?key={anne}"), "match is over")
        assert refused(await at.answer(anne, pick("new")), "match is over")

    assert evening(tmp_path, do) == []


def test_links_are_of_one_match_and_wait_while_it_is_left(tmp_path: Path) -> None:
    """They open no other, and after another was begun they open nothing any more."""

    async def do(at: Evening) -> None:
        at.table.matches.new_match("legend", ["Anne", "Bart"], {})
        first = at.key(0)
        at.table.matches.leave(for_good=False)
        assert at.keys.links() == []
        assert refused(await at.ask("GET", f"/seat?key={first}"), "left")
        at.table.matches.resume(1)
        assert at.key(0) == first
        at.table.matches.new_match("legend", ["Anne", "Bart"], {})
        assert refused(await at.answer(first, pick("roll")), "opens no seat")
        at.table.matches.resume(1)
        assert at.key(0) != first
        assert refused(await at.answer(first, pick("roll")), "opens no seat")

    assert evening(tmp_path, do) == []


def test_links_outlast_a_restart_in_the_middle_of_the_match(tmp_path: Path) -> None:
    keys: list[str] = []

    async def do(at: Evening) -> None:
        at.table.matches.new_match("legend", ["Anne", "Bart"], {})
        await at.owner("POST", "/seats/1/revoke")
        keys.append(at.key(0))

    async def go_on(at: Evening) -> None:
        at.table.matches.begin("", (), {})
        assert [link.key for link in at.keys.links()] == [keys[0], None]
        assert (await at.answer(keys[0], pick("roll"))).status_code == 204

    assert evening(tmp_path, do) + evening(tmp_path, go_on) == []
    assert (tmp_path / SEATS).stat().st_mode & 0o777 == 0o600


def test_another_journal_in_the_place_of_this_brings_no_link_back(tmp_path: Path) -> None:
    """Its match has the same number, the same players, and other dice."""
    keys: list[str] = []

    async def begin(at: Evening) -> None:
        at.table.matches.new_match("legend", ["Anne", "Bart"], {})
        keys.append(at.key(0))

    async def look(at: Evening) -> None:
        at.table.matches.begin("", (), {})
        assert at.key(0) not in keys
        assert refused(await at.answer(keys[0], pick("roll")), "opens no seat")

    other = tmp_path / "other"
    other.mkdir()
    evening(tmp_path, begin)
    evening(other, begin)
    (other / SEATS).write_text((tmp_path / SEATS).read_text())
    assert evening(other, look) == []


def test_a_file_of_keys_that_cannot_be_used_is_named_and_the_match_goes_on(tmp_path: Path) -> None:
    async def do(at: Evening) -> None:
        at.table.matches.new_match("legend", ["Anne", "Bart"], {})
        assert (await at.answer(at.key(0), pick("roll"))).status_code == 204

    (tmp_path / SEATS).mkdir()
    unreadable, unwritable = evening(tmp_path, do)
    assert str(tmp_path / SEATS) in unreadable
    assert "new links" in unreadable
    assert str(tmp_path / SEATS) in unwritable
    assert "after a restart" in unwritable


def test_a_key_that_opens_nothing_is_told_in_the_log_with_who_came(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Odd ones as well, and they do no harm."""

    async def do(at: Evening) -> None:
        at.table.matches.new_match("legend", ["Anne", "Bart"], {})
        before = at.table.view()
        near = f"{at.key(0)[:-1]}{'A' if at.key(0)[-1] != 'A' else 'B'}"
        for key in (near, at.key(0)[:-1], f"{at.key(0)}A", "x" * 5000, "%C3%A9%00"):
            assert refused(await at.ask("GET", f"/seat?key={key}"), "opens no seat")
            assert refused(
                await at.ask("POST", "/answer", {"revision": 1, "action": pick("roll")}, **{"X-Seat-Key": key})
            )
        assert at.table.view() == before

    with caplog.at_level(logging.WARNING):
        assert evening(tmp_path, do) == []
    assert set(caplog.messages) == {"127.0.0.1 came with a link that opens no seat."}
    assert len(caplog.messages) == 6  # each key once, and one is another in a header than in an address


def test_where_nobody_else_can_reach_the_page_the_owner_is_told_how_they_could(tmp_path: Path) -> None:
    async def do(table: Table) -> None:
        table.matches.new_match("legend", ["Anne", "Bart"], {})
        at = Evening(table, [])
        page = (await at.owner("GET", "/seats")).text
        assert "--host 0.0.0.0" in page
        assert "segno" not in page
        assert 'href="/seats"' in (await at.owner("GET", "/table")).text
        assert refused(await at.ask("GET", "/seat?key=anything"), "this machine alone")
        assert (await at.owner("POST", "/seats/0/renew")).status_code == 409

    at_a_table(tmp_path, do)
