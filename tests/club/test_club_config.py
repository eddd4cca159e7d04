from pathlib import Path

import pytest

from captains_table.club.access import Public
from captains_table.club.config import ClubServerConfig, parse_club_config, read_club_config
from captains_table.club.intake.tables import ExpectedTable
from captains_table.reporting.broker import BrokerUnusable
from captains_table.storage.configuration import BadConfig

WHOLE = """
[club]
title = "Harbour Club"
state_dir = "evenings"
[broker]
host = "broker.example"
user = "club"
password_file = "club.password"
ca = "/etc/ca.crt"
[web]
host = "0.0.0.0"
port = 80
hosts = ["wall.example"]
proxies = ["192.0.2.1", "10.1.0.0/24", "2001:db8::/32"]
streams = 20
public = "wall"
certificate = "web.crt"
certificate_key = "/etc/web.key"
https_port = 443
[tables.table-1]
board = 1
title = "By the window"
[tables.table-2]
"""


def test_a_whole_file_is_read_and_its_paths_are_seen_from_its_folder(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_text(WHOLE)
    config = read_club_config(file)
    assert (config.title, config.host, config.port, config.hosts) == ("Harbour Club", "0.0.0.0", 80, ("wall.example",))  # noqa: S104 - read
    assert (config.state_dir, config.password_file) == (tmp_path / "evenings", tmp_path / "club.password")
    assert config.ca == Path("/etc/ca.crt")
    assert (config.broker.host, config.broker.port, config.broker.user) == ("broker.example", 8883, "club")
    assert config.proxies == ("192.0.2.1", "10.1.0.0/24", "2001:db8::/32")
    assert config.limits.streams == 20
    assert (config.public, config.https_port) == (Public.WALL, 443)
    assert (config.certificate, config.certificate_key) == (tmp_path / "web.crt", Path("/etc/web.key"))
    assert config.tables == {"table-1": ExpectedTable(1, "By the window"), "table-2": ExpectedTable()}


def test_an_empty_file_is_a_club_with_a_broker_on_this_machine() -> None:
    config = parse_club_config({})
    assert config == ClubServerConfig(state_dir=config.state_dir)
    assert (config.broker.host, config.broker.port) == ("127.0.0.1", 1883)
    assert (config.public, config.certificate) == (Public.ALL, None), "as before there was a choice"


@pytest.mark.parametrize(
    ("sections", "words"),
    [
        (
            {"web": {"public": "none"}},
            r"\[web\] public = 'none': expected \"nothing\", \"wall\", \"events\" or \"all\"",
        ),
        ({"web": {"certificate": "a"}}, r"\[web\] certificate and certificate_key: expected both, or neither"),
        ({"clubb": {}}, r"unknown section \[clubb\].*did you mean"),
        ({"club": 3}, r"club = 3: expected a section \[club\]"),
        ({"club": {"titel": "x"}}, r"unknown key 'titel' in \[club\].*title"),
        ({"tables": {"table-1": {"bord": 1}}}, r"unknown key 'bord' in \[tables.table-1\]"),
        ({"tables": {"Table 1": {}}}, "'Table 1' cannot be a table's user"),
        ({"tables": {"a": {"board": 3}, "b": {"board": 3}}}, r"\[tables.b\] board = 3: a has that number already"),
        ({"tables": {"a": 3}}, r"tables.a = 3: expected a section \[tables.a\]"),
        ({"tables": {"a": {"board": -1}}}, r"\[tables.a\] board = -1: expected a whole number from 0 to 9999"),
        ({"web": {"port": 65536}}, r"\[web\] port = 65536: expected a whole number from 0 to 65535"),
        ({"web": {"hosts": "wall"}}, r"\[web\] hosts = 'wall': expected a list of words"),
        (
            {"web": {"proxies": ["wall.lan"]}},
            r"\[web\] proxies = 'wall.lan': expected an address or a network",
        ),
        ({"web": {"proxies": ["192.0.2.1", "10.1.0.1/24"]}}, r"\[web\] proxies = '10.1.0.1/24': expected an address"),
        ({"web": {"proxies": "192.0.2.1"}}, r"\[web\] proxies = '192.0.2.1': expected a list of addresses"),
        ({"web": {"proxies": [1]}}, r"\[web\] proxies = \[1\]: expected a list of addresses"),
        ({"broker": {"port": True}}, r"\[broker\] port = True: expected a whole number from 1 to 65535"),
        ({"club": {"title": ""}}, r"\[club\] title = '': expected 1 to 64 characters in quotes"),
        ({"club": {"title": "a\nb"}}, r"\[club\] title = 'a\\nb': expected 1 to 64 characters in quotes, none"),
    ],
)
def test_what_cannot_be_is_named_with_its_place(sections: dict[str, object], words: str) -> None:
    with pytest.raises(BadConfig, match=words):
        parse_club_config(sections)


@pytest.mark.parametrize("content", [b"[club", b"\xff", b"a = 1\na = 2"])
def test_what_is_no_toml_is_refused_with_its_path(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "club.toml"
    file.write_bytes(content)
    with pytest.raises(BadConfig, match=r"club\.toml: "):
        read_club_config(file)


def test_the_password_is_read_when_the_way_is_asked_for(tmp_path: Path) -> None:
    config = parse_club_config({"broker": {"user": "club", "password_file": "club.password"}}, tmp_path)
    with pytest.raises(BrokerUnusable, match=r"club\.password cannot be read"):
        config.way()
    (tmp_path / "club.password").write_text("rum\n")
    (tmp_path / "club.password").chmod(0o600)
    assert config.way().password == "rum"  # noqa: S105 - nobody's
