"""What a page says of where it is while its network comes and goes; run in a network namespace of its own."""

from captains_table.web.reach import PageReach
from tests.support.own_namespaces import cable, ip

EVERYWHERE = PageReach("0.0.0.0", 80)  # noqa: S104 - not listened on
BY_IPV6 = PageReach("::", 80)


def reached(reach: PageReach = EVERYWHERE) -> list[str]:
    """Return the addresses without what they have in common."""
    return [address.removeprefix("http://").removesuffix(":80/") for address in reach.addresses()]


def main() -> None:
    """Let the network come, change and go."""
    assert reached() == [], "no interface is up"
    ip("link set lo up")
    cable("docker0")
    ip("addr add 172.17.0.1/16 dev docker0")
    assert (reached(), EVERYWHERE.address()) == ([], ""), "only this machine and its containers"
    cable("wlan0")
    ip("addr add 10.42.0.1/24 dev wlan0")
    assert reached() == ["10.42.0.1"], "a hotspot of its own"
    cable("eth0")
    ip("addr add 192.168.7.2/24 dev eth0; route add default via 192.168.7.1")
    assert reached() == ["192.168.7.2", "10.42.0.1"], "the way out first"
    assert PageReach("192.168.7.2", 80).address() == "http://192.168.7.2:80/"
    ip("addr del 192.168.7.2/24 dev eth0; addr add 192.168.7.9/24 dev eth0; route add default via 192.168.7.1")
    assert reached() == ["192.168.7.9", "10.42.0.1"], "another address"
    assert PageReach("192.168.7.2", 80).address() == "", "it is no address of this machine any more"
    ip("link set eth0-end down")
    assert reached() == ["10.42.0.1", "192.168.7.9"], "a cable that was pulled"
    ip("link set eth0 down")
    assert reached() == ["10.42.0.1"], "an interface that is down"
    cable("direct")
    ip("addr add 169.254.3.3/16 dev direct; tuntap add tun0 mode tun; addr add 10.8.0.2 peer 10.8.0.1 dev tun0")
    ip("link set tun0 up; addr flush dev wlan0")
    assert reached() == ["169.254.3.3", "10.8.0.2"], "an address that the machine gave itself, and a tunnel"
    assert reached(BY_IPV6) == []
    ip("link set eth0 up; addr add fd00::7/64 dev eth0 nodad")
    assert reached(BY_IPV6) == ["[fd00::7]"], "what listens by IPv6 alone is reached by that alone"


if __name__ == "__main__":
    main()
