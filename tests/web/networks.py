"""What a page says of where it is while its network comes and goes; run in a network namespace of its own."""

import fcntl
import struct
import time
from pathlib import Path

from captains_table.web.reach import PageReach
from tests.support.own_namespaces import cable, ip
from tests.support.patience import PATIENCE_S

EVERYWHERE = PageReach("0.0.0.0", 80)  # noqa: S104 - not listened on
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


def main() -> None:
    """Let the network come, change and go."""
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
    main()
