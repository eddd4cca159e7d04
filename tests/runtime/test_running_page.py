"""Where the page of a running table is: whether it answers, who reaches it, and what is said where it does not."""

import functools
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from captains_table.cli.page import page_lines
from captains_table.runtime import running_page as module
from captains_table.runtime.config import TableConfig
from captains_table.runtime.running_page import PageSilent, RunningPage, find_running_page, wait_for_page
from captains_table.web import reach
from captains_table.web.reach import PageReach
from tests.support.announcing import announcing

FILE = Path("/etc/captains-table/config.toml")


@contextmanager
def at(said: bytes) -> Iterator[str]:
    """Yield the address of a server that answers with these bytes."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as http.server names it
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_a_page_that_answers_is_waited_for_no_longer() -> None:
    with at(json.dumps({"status": "ok"}).encode()) as address:
        wait_for_page(address, 60)


def test_a_program_on_the_port_that_speaks_no_http_is_not_taken_for_the_table() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}/"
        threading.Thread(target=_greet_as_ssh, args=(server,), daemon=True).start()
        with pytest.raises(PageSilent, match=r"no table answers at .*another program listens there"):
            wait_for_page(address, 0)


def _greet_as_ssh(server: socket.socket) -> None:
    there, _ = server.accept()
    with there:
        there.sendall(b"SSH-2.0-another\r\n")
        there.recv(1000)


@pytest.mark.parametrize("said", [b"a printer", b"[]", b'{"status": "busy"}', b"\xff"])
def test_another_program_on_the_port_is_not_taken_for_the_table(said: bytes) -> None:
    with at(said) as stranger, pytest.raises(PageSilent, match=r"no table answers at .*another program listens there"):
        wait_for_page(stranger, 0)


def test_where_nobody_listens_it_says_so() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(PageSilent, match=f"no table answers at http://127.0.0.1:{port}/ .*refused"):
        wait_for_page(f"http://127.0.0.1:{port}/", 0)


def test_other_devices_come_by_address_and_by_the_name_that_is_announced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "token").write_text("secret-token\n", encoding="ascii")
    avahi = tmp_path / "socket"
    monkeypatch.setattr(reach, "_addresses_v4", lambda: [("192.0.2.7", ())])
    monkeypatch.setattr(reach, "_way_out", lambda _: [])
    monkeypatch.setattr(module, "PageReach", functools.partial(PageReach, avahi=avahi))
    config = TableConfig(host="0.0.0.0", port=8377, state_dir=tmp_path)  # noqa: S104 - what an installed table listens on
    assert find_running_page(config).others == ("http://192.0.2.7:8377/",)
    with announcing(avahi, {"192.0.2.7": b"+ 2 0 raspberrypi-2.local\n"}):
        page = find_running_page(config)
    assert page.own == "http://127.0.0.1:8377/"
    assert page.others == ("http://192.0.2.7:8377/", "http://raspberrypi-2.local:8377/")
    assert page.table(page.others[0]) == "http://192.0.2.7:8377/table?token=secret-token"


def test_a_page_of_this_machine_alone_has_no_token_and_says_how_to_open_it_to_others() -> None:
    page = find_running_page(TableConfig(host="127.0.0.1", port=8377))
    assert page == RunningPage("http://127.0.0.1:8377/", (), None)
    said = "\n".join(page_lines(page, FILE))
    assert "http://127.0.0.1:8377/table" in said
    assert 'host = "0.0.0.0"' in said
    assert "token" not in said


def test_what_is_said_names_every_address_with_the_token_and_what_that_is_worth_or_that_there_is_no_network() -> None:
    page = RunningPage("http://127.0.0.1:8377/", ("http://192.0.2.7:8377/", "http://pi.local:8377/"), "abc")
    said = "\n".join(page_lines(page, FILE))
    for address in (page.own, *page.others):
        assert f"{address}table?token=abc" in said
    assert "Whoever has the token" in said
    assert "on no network" in "\n".join(page_lines(RunningPage(page.own, (), "abc"), FILE))


def test_a_token_that_is_not_there_or_not_to_be_read_is_a_sentence(tmp_path: Path) -> None:
    config = TableConfig(host="0.0.0.0", state_dir=tmp_path)  # noqa: S104
    with pytest.raises(PageSilent, match=r"there is no token in .*token"):
        find_running_page(config)
    (tmp_path / "token").mkdir()
    with pytest.raises(PageSilent, match=r"cannot be read .* sudo"):
        find_running_page(config)
