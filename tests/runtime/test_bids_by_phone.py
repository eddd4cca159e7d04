"""Bids of a match of Crowns from each player's own phone: rights, pace, and the bell."""

import asyncio
import re
from typing import Any

from hypothesis import given, strategies as st

from captains_table.page.play_requests import MOST_BIDS, WITHIN_S, BidPace
from captains_table.web.security import SEAT_COOKIE
from tests.runtime.seat_guests import Evening, pick, refused

NAMES = ["Anne", "Bart", "Cora", "Dirk"]


def bid(seat: int, value: int) -> dict[str, Any]:
    return {"type": "bid", "seat": seat, "value": value}


def bids(at: Evening) -> list[int]:
    return [seat.bid for seat in at.table.view().seats]


async def bell(at: Evening) -> int:
    """Ring the bell as the owner does, and return the revision that it was rung at."""
    shown = at.table.view().revision
    await at.owner("POST", "/answer", {"revision": shown, "action": {"type": "bell"}})
    return shown


async def page_of(at: Evening, seat: int) -> str:
    return (await at.ask("GET", "/seat", Cookie=f"{SEAT_COOKIE}-80={at.key(seat)}")).text


async def test_a_phone_shows_purse_bids_time_and_large_buttons(at: Evening) -> None:
    at.table.matches.new_match("crowns", NAMES, {"timer": "60"})
    await at.answer(at.key(0), bid(0, 2))
    await at.answer(at.key(2), bid(2, 3))
    page = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", await page_of(at, 0)))
    purses = [seat.tallies["gold"] for seat in at.table.view().seats]
    for words in (
        f"You bid 2 of {purses[0]}",
        f"Cora bids 3 of {purses[2]}",
        f"Dirk bids \N{EN DASH} of {purses[3]}",
        f"Your purse: {purses[0]} , your bid: 2",
        "+1: bid 4 +5: bid 8",
        f"All: bid {purses[0]}",
        "Let it go",
        "The bell rings in 1:00",
    ):
        assert words in page
    assert "Ring the bell" not in page


async def test_who_bids_all_or_acted_last_is_told_that_others_bid(at: Evening) -> None:
    at.table.matches.new_match("crowns", NAMES, {"timer": "0"})
    purse = at.table.view().seats[0].tallies["gold"]
    await at.answer(at.key(0), bid(0, purse))
    assert "You bid all you have." in await page_of(at, 0)
    await bell(at)
    await at.answer(at.key(0), pick("pass"))
    assert "You acted last, so you do not bid this time." in await page_of(at, 0)
    answer = await at.answer(at.key(0), bid(0, 1))
    assert answer.status_code == 400
    assert answer.json()["error"] == "Anne may not bid now, acted last: expected a bid of somebody who may."


async def test_a_seat_bids_for_itself_alone_however_old_the_bid_is_and_rings_no_bell(at: Evening) -> None:
    at.table.matches.new_match("crowns", NAMES, {})
    shown = at.table.view().revision
    await at.answer(at.key(0), bid(0, 2))
    for revision in (shown, at.table.view().revision, shown - 1):
        assert refused(await at.answer(at.key(1), bid(0, 3), revision), "of seat 0", "your own seat, 1")
    assert refused(await at.answer(at.key(1), {"type": "bell"}), "bell")
    assert refused(await at.answer(at.key(1), pick("roll")), "bid of your own seat")
    assert bids(at) == [2, 0, 0, 0]


async def test_all_bid_at_once_though_each_sees_an_older_page(at: Evening) -> None:
    at.table.matches.new_match("crowns", NAMES, {})
    shown = at.table.view().revision
    for seat in range(4):
        assert (await at.answer(at.key(seat), bid(seat, seat + 1), shown)).status_code == 204
    assert bids(at) == [1, 2, 3, 4]
    low, purse = await at.answer(at.key(3), bid(3, 4), shown), at.table.view().seats[3].tallies["gold"]
    assert low.status_code == 400
    assert low.json()["error"] == f"4 is no bid of Dirk now: expected a bid of Dirk from 5 to {purse}."


async def test_a_late_bid_of_a_phone_never_lands_in_the_auction_that_came_instead(at: Evening) -> None:
    """Nobody bids, and the next turn's auction begins with the bell; then a tie is not broken, and it is renewed."""
    at.table.matches.new_match("crowns", NAMES, {f"piece{number}": "S: c4 / b3 c2 c4 d3" for number in range(1, 5)})
    for _ in range(2):
        shown = await bell(at)
        late = await at.answer(at.key(1), bid(1, 2), shown)
        assert late.status_code == 409
        assert late.json()["error"].startswith("Too late: the bell has rung")
        assert bids(at) == [0, 0, 0, 0]
    for seat in (0, 1):
        await at.answer(at.key(seat), bid(seat, 3))
    shown = await bell(at)
    for seat in (0, 1):
        assert at.table.view().seat == seat
        await at.answer(at.key(seat), pick("no-pledge"))
    assert at.table.view().heading == "Turn 3"
    assert (await at.answer(at.key(2), bid(2, 2), shown)).status_code == 409
    assert bids(at) == [0, 0, 0, 0]
    assert (await at.answer(at.key(2), bid(2, 2))).status_code == 204


async def test_a_seat_that_bids_too_fast_is_told_so_and_the_others_bid_on(at: Evening) -> None:
    at.table.matches.new_match("crowns", NAMES, {"piece1": "S: c4 / b3 c2 c4 d3"})
    shown, anne = at.table.view().revision, at.key(0)
    values = range(1, 2 + MOST_BIDS)
    codes = [(await at.answer(anne, bid(0, value), shown)).status_code for value in values]
    assert codes == [204] * MOST_BIDS + [429]
    fast = await at.answer(anne, bid(0, 9), shown)
    assert fast.json()["error"] == "Anne bids too fast, and this bid was not taken: expected 5 a second at most."
    assert bids(at) == [MOST_BIDS, 0, 0, 0]
    assert (await at.answer(at.key(1), bid(1, 4), shown)).status_code == 204


async def test_the_player_to_act_takes_the_own_token_from_next_to_the_board_or_touches_a_lit_square(
    at: Evening,
) -> None:
    at.table.matches.new_match("crowns", NAMES, {"timer": "0"})
    for seat, posts in (
        (1, [("take", {"piece": "2"}), ("click", {"square": "c7"})]),
        (0, [("click", {"square": "e1"})]),
    ):
        await at.answer(at.key(seat), bid(seat, 1))
        await bell(at)
        for path, body in posts:
            assert (await at.seat(at.key(1 - seat), f"/board/{path}", body)).status_code == 403
            assert (await at.seat(at.key(seat), f"/board/{path}", body)).is_success
        while at.table.view().auction_since is None:  # noqa: ASYNC110 - a switch takes its time, and says nothing
            await asyncio.sleep(0.01)
    assert [seat.at.place for seat in at.table.view().seats] == ["e1", "c7", "reserve", "reserve"]
    wrong = await at.owner("POST", "/board/take", {"piece": "0"})
    assert (wrong.status_code, "or a player's number" in wrong.json()["error"]) == (400, True)


@given(st.lists(st.tuples(st.integers(0, 2), st.floats(0, 0.7)), max_size=60))
def test_no_seat_bids_more_than_five_times_within_any_second(bids_made: list[tuple[int, float]]) -> None:
    """Seats and the time since the bid before; a seat that keeps to the pace is never refused."""
    now_s = 0.0
    pace = BidPace(lambda: now_s)
    taken: dict[int, list[float]] = {}
    for seat, after_s in bids_made:
        now_s += after_s
        lately = [at_s for at_s in taken.setdefault(seat, []) if at_s > now_s - WITHIN_S]
        assert pace.takes(seat) is (len(lately) < MOST_BIDS)
        if len(lately) < MOST_BIDS:
            taken[seat].append(now_s)
