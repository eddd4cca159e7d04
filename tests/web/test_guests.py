"""Who gets a place at the page, who waits, and who gives way."""

from dataclasses import dataclass, field

import pytest

from captains_table.web.serving.guests import RESERVE, STREAM_RESERVE, Guests, Standing, is_home
from captains_table.web.serving.limits import Limits


@dataclass(eq=False)
class Someone:
    """A connection or a stream that remembers being sent away."""

    at_home: bool = False
    standing: Standing = Standing.IDLE
    since: float = 0.0
    sent_away: bool = field(default=False, init=False)

    def cut(self) -> None:
        self.sent_away = True

    dismiss = cut


def at_home(count: int) -> list[Someone]:
    return [Someone(at_home=True, since=number) for number in range(count)]


@pytest.mark.parametrize(
    ("peer", "own", "home"),
    [
        ("127.0.0.1", "127.0.0.1", True),
        ("::1", "::1", True),
        ("::ffff:127.0.0.1", "::ffff:127.0.0.1", True),
        ("192.0.2.7", "192.0.2.7", True),
        ("::ffff:192.0.2.7", "192.0.2.7", True),
        ("192.0.2.8", "192.0.2.7", False),
        ("127.0.0.2", "127.0.0.1", False),
    ],
)
def test_who_calls_from_the_address_he_calls_is_at_home(peer: str, own: str, home: bool) -> None:  # noqa: FBT001 - data
    """Whoever answers for others on this machine calls from another address of loopback."""
    assert is_home(peer, own) is home


def test_a_guest_beyond_the_limit_is_turned_away_until_another_leaves() -> None:
    guests, first = Guests(Limits(connections=2)), Someone()
    assert [guests.admit(first), guests.admit(Someone()), guests.admit(Someone())] == [True, True, False]
    guests.leave(first)
    assert guests.admit(Someone())


def test_guests_take_no_place_of_those_at_home() -> None:
    """However many ask: the reserve is not theirs, and nobody at home is cut for them."""
    guests, kiosk = Guests(Limits(connections=2)), Someone(at_home=True)
    assert guests.admit(kiosk)
    assert [guests.admit(Someone()) for _ in range(5)] == [True, False, False, False, False]
    assert all(guests.admit(caller) for caller in at_home(RESERVE))
    assert not kiosk.sent_away


def test_at_home_the_one_who_waits_longest_gives_way_to_the_newest() -> None:
    """Half a request or none, whichever is older; what is being answered comes last."""
    guests = Guests(Limits(connections=1))
    answered, half, resting, young_half = (
        Someone(at_home=True, standing=Standing.ANSWERING, since=1),
        Someone(at_home=True, standing=Standing.READING, since=2),
        Someone(at_home=True, standing=Standing.IDLE, since=3),
        Someone(at_home=True, standing=Standing.READING, since=4),
    )
    for each in [answered, half, resting, young_half]:
        guests.admit(each)
    busy = [Someone(at_home=True, standing=Standing.ANSWERING, since=9) for _ in range(RESERVE - 1)]
    for each in busy:
        assert guests.admit(each)
    assert [each.sent_away for each in (answered, half, resting, young_half)] == [False, True, True, False]
    busy.append(Someone(at_home=True, standing=Standing.ANSWERING, since=9))
    guests.admit(busy[-1])
    assert [each.sent_away for each in (answered, half, resting, young_half)] == [False, True, True, True]
    assert guests.admit(Someone(at_home=True, standing=Standing.ANSWERING, since=10))
    assert answered.sent_away
    assert not any(each.sent_away for each in busy)


def test_where_the_machine_can_open_no_more_a_guest_goes_first() -> None:
    guests, kiosk, guest = Guests(), Someone(at_home=True, since=1), Someone(standing=Standing.ANSWERING, since=2)
    guests.admit(kiosk)
    guests.admit(guest)
    guests.make_room()
    assert (kiosk.sent_away, guest.sent_away, guests.connections) == (False, True, 1)
    guests.make_room()
    assert (kiosk.sent_away, guests.connections) == (True, 0)
    guests.make_room()


def test_a_stream_beyond_the_limit_is_turned_away_but_never_at_home() -> None:
    guests, kiosk = Guests(Limits(streams=2)), Someone()
    assert guests.admit_stream(kiosk, at_home=True)
    assert [guests.admit_stream(Someone(), at_home=False) for _ in range(3)] == [True, False, False]
    others = [Someone() for _ in range(STREAM_RESERVE)]
    assert all(guests.admit_stream(each, at_home=True) for each in others)
    assert not kiosk.sent_away
    assert guests.admit_stream(Someone(), at_home=True)
    assert kiosk.sent_away
    assert guests.streams == 2 + STREAM_RESERVE


def test_a_page_that_closes_ends_streams_that_are_yet_to_come() -> None:
    guests, here, late = Guests(), Someone(), Someone()
    guests.admit_stream(here, at_home=True)
    guests.close()
    guests.admit_stream(late, at_home=True)
    assert (here.sent_away, late.sent_away) == (True, True)


def test_other_limits_hold_for_whoever_comes_next() -> None:
    guests = Guests(Limits(connections=1, streams=1))
    assert guests.admit(Someone())
    assert guests.admit_stream(Someone(), at_home=False)
    guests.limits = Limits(connections=2, streams=2)
    assert guests.admit(Someone())
    assert guests.admit_stream(Someone(), at_home=False)
