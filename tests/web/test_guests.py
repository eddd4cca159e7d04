"""Who gets a place at the page, who waits, and who gives way."""

from dataclasses import dataclass, field

from captains_table.web.serving.guests import (
    NEWCOMERS,
    RESERVE,
    ConnectionPhase,
    Guests,
    Rank,
    block_of,
    is_home,
)
from captains_table.web.serving.limits import PageLimits

ANSWERING, READING, IDLE = ConnectionPhase.ANSWERING, ConnectionPhase.READING, ConnectionPhase.IDLE


@dataclass(eq=False)
class Someone:
    """A connection or a stream that remembers being sent away."""

    rank: Rank = Rank.GUEST
    holder: str = "192.0.2.7"
    standing: ConnectionPhase = ConnectionPhase.IDLE
    since: float = 0.0
    client: tuple[str, int] | None = None
    sent_away: bool = field(default=False, init=False)

    def settle_in(self) -> None:
        pass

    def cut(self) -> None:
        self.sent_away = True

    dismiss = cut


def admit(guests: Guests, *callers: Someone) -> None:
    for each in callers:
        guests.admit(each)


def stays(guests: Guests, caller: Someone) -> bool:
    """Return whether a connection that brings no key may stay."""
    guests.admit(caller)
    stayed = guests.recognise(caller, None, None) is None
    assert stayed is (caller.rank is not Rank.NEWCOMER)
    if not stayed:
        guests.leave(caller)
    return stayed


def test_one_who_calls_from_the_address_that_is_called_is_at_home() -> None:
    for address in ("127.0.0.1", "::1", "::ffff:127.0.0.1", "192.0.2.7"):
        assert is_home(address, address)
    assert is_home("::ffff:192.0.2.7", "192.0.2.7")
    assert not is_home("192.0.2.8", "192.0.2.7")
    assert not is_home("127.0.0.2", "127.0.0.1")


def test_an_ipv4_address_has_a_share_and_an_ipv6_network_of_64_bits() -> None:
    assert block_of("192.0.2.7") == block_of("::ffff:192.0.2.7") == "192.0.2.7"
    assert (block_of("2001:db8:1:2:3::4"), block_of("fe80::1%eth0")) == ("2001:db8:1:2::/64", "fe80::/64")
    assert block_of("unknown") is None


def test_an_address_has_its_share_and_leaves_the_rest_to_others() -> None:
    guests = Guests(PageLimits(connections=10, share=3))
    assert [stays(guests, Someone()) for _ in range(300)].count(True) == 3
    assert [stays(guests, Someone(holder="192.0.2.8")) for _ in range(4)] == [True, True, True, False]


def test_a_key_is_served_though_its_address_has_all_of_its_share() -> None:
    guests = Guests(PageLimits(connections=10, share=1))
    stranger, phone = Someone(), Someone()
    admit(guests, stranger, phone)
    assert guests.recognise(phone, "seat 1", None) is None
    assert (stranger.sent_away, phone.rank, guests.connections) == (False, Rank.KEYED, 2)


def test_where_all_is_taken_a_key_is_served_and_one_of_the_address_with_the_most_gives_way() -> None:
    guests = Guests(PageLimits(connections=5, share=3))
    spectator, strangers, phone = Someone(holder="192.0.2.9"), [Someone(since=n) for n in range(3)], Someone(holder="a")
    spectator.since = -1
    others = [spectator, *strangers, Someone(Rank.HOME)]
    admit(guests, *others, phone)
    assert phone.rank is Rank.NEWCOMER
    assert guests.recognise(phone, "seat 1", None) is None
    assert [each.sent_away for each in others] == [False, True, False, False, False]


def test_one_key_has_no_more_than_a_share_and_its_own_oldest_gives_way() -> None:
    guests = Guests(PageLimits(connections=10, share=2))
    spectator, phone = Someone(), [Someone(holder="192.0.2.8", since=number) for number in range(4)]
    for each in (spectator, *phone):
        guests.admit(each)
        assert guests.recognise(each, None if each is spectator else "seat 1", None) is None
    assert [each.sent_away for each in (spectator, *phone)] == [False, True, True, False, False]


def test_newcomers_beyond_their_places_push_out_those_of_the_address_with_the_most_and_not_a_phone() -> None:
    guests = Guests(PageLimits(connections=64))
    strangers = [Someone(holder=f"192.0.2.{number}") for number in range(64)]
    for each in strangers:
        assert stays(guests, each)
    phone = Someone(holder="198.51.100.1", since=-1)
    guests.admit(phone)
    for turn in range(3 * NEWCOMERS):
        guests.admit(Someone(holder=f"192.0.2.{turn % 64}", since=turn))
        assert guests.connections == min(64 + NEWCOMERS, 66 + turn)
    assert not phone.sent_away
    assert guests.recognise(phone, "seat 1", None) is None


def test_a_newcomer_that_is_not_read_yet_is_not_pushed_out_while_another_is() -> None:
    guests = Guests(PageLimits(connections=1))
    assert stays(guests, Someone())
    arriving = [Someone(standing=ConnectionPhase.ARRIVING) for _ in range(NEWCOMERS - 1)]
    admit(guests, *arriving)
    silent, leaving = Someone(since=1), Someone(standing=ConnectionPhase.LEAVING, since=2)
    guests.admit(silent)
    assert not guests.is_crowded
    guests.admit(leaving)
    assert silent.sent_away
    guests.admit(Someone(standing=ConnectionPhase.ARRIVING))
    assert leaving.sent_away
    assert not any(each.sent_away for each in arriving)
    assert guests.is_crowded


def test_a_proxy_has_no_share_and_those_it_asks_for_have_theirs() -> None:
    guests = Guests(PageLimits(connections=20, share=2), ["192.0.2.0/24"])
    assert guests.rank_of("192.0.2.9", "192.0.2.1") == (Rank.GUEST, "")
    assert guests.rank_of("::ffff:198.51.100.9", "192.0.2.1") == (Rank.GUEST, "198.51.100.9")
    for rank, holder in ((Rank.GUEST, ""), guests.rank_of("127.0.0.1", "127.0.0.1")):
        callers = [Someone(rank, holder) for _ in range(6)]
        for each in callers:
            guests.admit(each)
        asked_for = ["203.0.113.5"] * 3 + ["203.0.113.6"]
        refused = [guests.recognise(each, None, by) for each, by in zip(callers, asked_for, strict=False)]
        assert [each is None for each in refused] == [True, True, False, True]
        assert guests.recognise(callers[4], "seat 1", "203.0.113.5") is None
        assert [each.rank for each in callers[3:]] == [Rank.GUEST, Rank.KEYED, rank]
        for each in callers:
            guests.leave(each)


def test_guests_take_no_place_of_those_at_home() -> None:
    guests, kiosk = Guests(PageLimits(connections=2)), Someone(Rank.HOME)
    guests.admit(kiosk)
    assert [stays(guests, Someone()) for _ in range(5)] == [True, False, False, False, False]
    admit(guests, *(Someone(Rank.HOME, since=number) for number in range(RESERVE)))
    assert not kiosk.sent_away


def home(standing: ConnectionPhase, since: float) -> Someone:
    return Someone(Rank.HOME, standing=standing, since=since)


def test_at_home_the_one_who_waits_longest_gives_way_to_the_newest() -> None:
    """Half a request or none, whichever is older; what is being answered comes last."""
    guests = Guests(PageLimits(connections=1))
    answered, half, resting, young_half = home(ANSWERING, 1), home(READING, 2), home(IDLE, 3), home(READING, 4)
    busy = [home(ANSWERING, 9) for _ in range(RESERVE - 1)]
    admit(guests, answered, half, resting, young_half, *busy)
    assert [each.sent_away for each in (answered, half, resting, young_half)] == [False, True, True, False]
    busy.append(home(ANSWERING, 9))
    guests.admit(busy[-1])
    assert [each.sent_away for each in (answered, half, resting, young_half)] == [False, True, True, True]
    guests.admit(home(ANSWERING, 10))
    assert answered.sent_away
    assert not any(each.sent_away for each in busy)


def test_where_the_machine_can_open_no_more_a_guest_goes_first() -> None:
    guests, kiosk, guest = Guests(), Someone(Rank.HOME, since=1), Someone(standing=ConnectionPhase.ANSWERING, since=2)
    guests.admit(kiosk)
    guests.admit(guest)
    guests.make_room()
    assert (kiosk.sent_away, guest.sent_away, guests.connections) == (False, True, 1)
    guests.make_room()
    assert (kiosk.sent_away, guests.connections) == (True, 0)
    guests.make_room()


def test_a_stream_of_a_key_is_served_and_one_without_of_the_address_with_the_most_gives_way() -> None:
    guests = Guests(PageLimits(streams=3))
    streams = {"a": Someone(), "b": Someone(), "b again": Someone()}
    for holder, stream in streams.items():
        assert guests.admit_stream(stream, Someone(holder=holder[0]))
    phone = Someone(Rank.KEYED, "seat 1")
    assert guests.admit_stream(Someone(), phone)
    assert [each.sent_away for each in streams.values()] == [False, True, False]
    for _ in range(5):
        assert guests.admit_stream(Someone(), phone)
    assert guests.streams == 3


def test_a_page_that_closes_ends_streams_that_are_yet_to_come() -> None:
    guests, here, late = Guests(), Someone(), Someone()
    guests.admit_stream(here, None)
    guests.close()
    guests.admit_stream(late, None)
    assert (here.sent_away, late.sent_away) == (True, True)


def test_other_limits_hold_for_those_who_come_next() -> None:
    guests = Guests(PageLimits(connections=1, streams=1))
    assert stays(guests, Someone())
    assert guests.admit_stream(Someone(), Someone())
    guests.limits = PageLimits(connections=2, streams=2)
    assert stays(guests, Someone())
    assert guests.admit_stream(Someone(), Someone())
