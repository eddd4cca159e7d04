"""By which addresses and names others reach a page: what the system says when it is asked."""

import asyncio
import contextlib
import fcntl
import re
import socket
import struct
import time
from pathlib import Path

import pytest

from captains_table.web import reach
from captains_table.web.reach import PageReach
from tests.support.announcing import UNKNOWN, announcing
from tests.support.fake_table import FakeTable
from tests.support.own_namespaces import cable, in_its_own_namespaces, ip
from tests.support.patience import PATIENCE_S
from tests.support.room_display import ReachedAt
from tests.support.visiting import get, visit

ANYWHERE = "0.0.0.0"  # noqa: S104 - not listened on


@pytest.fixture
def on_a_net(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, tuple[bool, ...]]]:
    found: list[tuple[str, tuple[bool, ...]]] = [("192.0.2.7", ())]
    monkeypatch.setattr(reach, "_addresses_v4", lambda: found)
    monkeypatch.setattr(reach, "_way_out", lambda _: [])
    monkeypatch.setattr(socket, "gethostname", lambda: "raspberrypi")
    return found


@pytest.mark.slow
@pytest.mark.root
def test_the_addresses_are_those_of_the_networks_that_the_machine_is_on_now() -> None:
    in_its_own_namespaces("tests.web.test_reach")


def test_the_machine_itself_comes_by_what_the_page_listens_on() -> None:
    listened = {ANYWHERE: "127.0.0.1", "::": "[::1]", "192.0.2.9": "192.0.2.9", "2001:db8::1": "[2001:db8::1]"}
    for host, own in listened.items():
        assert PageReach(host, 80).own == f"http://{own}:80/"


@pytest.mark.usefixtures("on_a_net")
@pytest.mark.parametrize(
    ("said", "name"),
    [
        (b"+ 2 0 raspberrypi-2.local\n", "raspberrypi-2.local"),
        (b"+ 2 0 Tisch.local\n", "tisch.local"),
        (b"+ 2 0 evil.example\n", "raspberrypi.local"),  # a name that name servers could rebind
        (b"+ 2 0 a.b.local\n", "raspberrypi.local"),
        (UNKNOWN, "raspberrypi.local"),
        (b"", "raspberrypi.local"),
        (b"\xff" * 400, "raspberrypi.local"),
        (None, "raspberrypi.local"),
    ],
)
def test_the_name_is_the_one_that_is_announced_or_else_the_machines_own(
    said: bytes | None, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reach, "ANSWER_S", 0.05)
    page = PageReach(ANYWHERE, 80, avahi=tmp_path / "socket")
    with announcing(tmp_path / "socket", {"192.0.2.7": said}):
        page.ask_name()
    assert page.addresses() == ("http://192.0.2.7:80/", f"http://{name}:80/")
    assert name in page.hosts()
    page.ask_name()
    assert page.addresses() == ("http://192.0.2.7:80/",), "nothing announces it any more"


@pytest.mark.usefixtures("on_a_net")
def test_the_page_answers_to_the_name_it_was_given_and_to_no_strangers(tmp_path: Path) -> None:
    page = PageReach(ANYWHERE, 80, avahi=tmp_path / "socket")

    def status(name: str) -> int:
        return visit(FakeTable(), lambda client: client.get(f"http://{name}/"), reach=page).status_code

    assert status("raspberrypi-2.local") == 400
    with announcing(tmp_path / "socket", {"192.0.2.7": b"+ 2 0 raspberrypi-2.local\n"}):
        page.ask_name()
    assert status("raspberrypi-2.local") == 200
    for stranger in ("raspberrypi-3.local", "raspberrypi-2.local.evil.example", "evil.example"):
        assert status(stranger) == 400


@pytest.mark.usefixtures("on_a_net")
def test_a_page_of_this_machine_alone_asks_for_no_name(tmp_path: Path) -> None:
    page = PageReach("127.0.0.1", 80, avahi=tmp_path / "socket")
    with announcing(tmp_path / "socket", {"192.0.2.7": b"+ 2 0 raspberrypi-2.local\n"}):
        page.ask_name()
    assert page.addresses() == ()
    assert "raspberrypi-2.local" not in page.hosts()


def test_who_watches_hears_of_every_change_of_address_and_of_name(
    on_a_net: list[tuple[str, tuple[bool, ...]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reach, "LOOK_S", 0.001)
    monkeypatch.setattr(reach, "LOOKS_A_NAME", 3)
    names: dict[str, bytes] = {}
    heard: list[tuple[str, ...]] = []

    async def run() -> None:
        page = PageReach(ANYWHERE, 80, avahi=tmp_path / "socket")
        moved = asyncio.Event()

        def note() -> None:
            heard.append(page.addresses())
            moved.set()

        watching = asyncio.ensure_future(page.watch(note))
        for address, name in (("192.0.2.7", b"pi"), ("192.0.2.8", b"pi"), ("192.0.2.8", b"pi-2"), ("", b"pi-2")):
            on_a_net[:] = [(address, ())] if address else []
            names[address] = b"+ 2 0 %s.local\n" % name
            await asyncio.wait_for(moved.wait(), 60)
            moved.clear()
        watching.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watching

    with announcing(tmp_path / "socket", names):
        asyncio.run(run())
    told = [[address[7:-4] for address in each] for each in heard]
    assert told == [["192.0.2.7", "pi.local"], ["192.0.2.8", "pi.local"], ["192.0.2.8", "pi-2.local"], []]


def test_a_display_at_the_table_shows_the_address_that_is_true_now_and_one_elsewhere_the_one_it_came_by() -> None:
    reach = ReachedAt("")

    def shown(host: str) -> str:
        html = visit(FakeTable(), lambda client: client.get(f"http://{host}/"), reach=reach).text
        return re.sub("<[^>]*>", " ", html.partition("<main")[2])

    assert "No network yet" in shown("localhost")
    for address in ("http://192.0.2.7:8377/", "http://192.0.2.9:8377/"):
        reach.now = address
        assert f"{address[7:]}table" in shown("localhost")
        assert "table.example/table" in shown("table.example")
    assert "No network" not in shown("localhost")


def test_a_page_names_the_address_it_was_reached_by_and_none_where_nobody_else_reaches_it() -> None:
    html = get(FakeTable(), "/").text
    assert 'class="join"' not in html
    assert "<a " not in html
    assert "<b>192.0.2.5:8080/table</b>" in get(FakeTable(), "http://192.0.2.5:8080/").text


EVERYWHERE = PageReach(ANYWHERE, 80)
ATTACH, WITHOUT_ETHERNET = 0x400454CA, 0x1001  # TUNSETIFF, and IFF_TUN | IFF_NO_PI, of <linux/if_tun.h>
BY_IPV6 = PageReach("::", 80)


def reached(reach: PageReach = EVERYWHERE) -> list[str]:
    """Return the addresses without what they have in common."""
    return [address.removeprefix("http://").removesuffix(":80/") for address in reach.addresses()]


def soon(*expected: str) -> bool:
    """Return whether the page is soon reached at these addresses: the kernel takes up to a second to see a cable."""
    until = time.monotonic() + PATIENCE_S
    while reached() != list(expected):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def let_the_network_come_and_go() -> None:
    """Check what a page says of where it is while its network comes, changes and goes; in a namespace of its own."""
    assert reached() == [], "no interface is up"
    ip("link set lo up")
    cable("docker0")
    ip("addr add 172.17.0.1/16 dev docker0")
    assert (reached(), EVERYWHERE.address()) == ([], ""), "only this machine and its containers"
    cable("wlan0")
    ip("addr add 10.42.0.1/24 dev wlan0")
    assert soon("10.42.0.1"), "a hotspot of its own"
    cable("eth0")
    ip("addr add 192.168.7.2/24 dev eth0; route add default via 192.168.7.1")
    assert soon("192.168.7.2", "10.42.0.1"), "the way out first"
    assert PageReach("192.168.7.2", 80).address() == "http://192.168.7.2:80/"
    ip("addr del 192.168.7.2/24 dev eth0; addr add 192.168.7.9/24 dev eth0; route add default via 192.168.7.1")
    assert soon("192.168.7.9", "10.42.0.1"), "another address"
    assert PageReach("192.168.7.2", 80).address() == "", "it is no address of this machine any more"
    ip("link set eth0-end down")
    assert soon("10.42.0.1"), "a cable that was pulled"
    ip("link set wlan0-end down")
    assert soon(), "nothing at the other end, though a way out is known"
    ip("link set wlan0-end up; link set eth0 down")
    assert soon("10.42.0.1"), "an interface that is down"
    cable("direct")
    with Path("/dev/net/tun").open("r+b", buffering=0) as tunnel:
        fcntl.ioctl(tunnel, ATTACH, struct.pack("16sH14x", b"tun0", WITHOUT_ETHERNET))
        ip("addr add 169.254.3.3/16 dev direct; addr add 10.8.0.2 peer 10.8.0.1 dev tun0")
        ip("link set tun0 up; addr flush dev wlan0")
        assert soon("169.254.3.3", "10.8.0.2"), "an address that the machine gave itself, and a tunnel"
    cable("br-club")
    ip("addr flush dev direct; addr add 192.168.50.1/24 dev br-club")
    assert soon("192.168.50.1"), "a bridge of a hotspot, which is no container's"
    ip("addr flush dev br-club")
    assert reached(BY_IPV6) == []
    ip("link set eth0 up; addr add fd00::7/64 dev eth0 nodad")
    assert reached(BY_IPV6) == ["[fd00::7]"], "what listens by IPv6 alone is reached by that alone"


if __name__ == "__main__":
    let_the_network_come_and_go()
