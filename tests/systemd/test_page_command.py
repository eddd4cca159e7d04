"""`captains-table page` at a real table: addresses that open it, and a QR code a camera reads off the terminal."""

import io
import os
import pty
import re
import subprocess
from pathlib import Path

import httpx
import pytest
import zxingcpp
from PIL import Image

from tests.support.patience import PATIENCE_S
from tests.support.table_process import COMMAND, run_here

BLOCKS = {" ": (0, 0), "\u2580": (1, 0), "\u2584": (0, 1), "\u2588": (1, 1)}  # which halves are light


@pytest.fixture
def config(playing: Path) -> Path:
    return playing.parent / "config.toml"


def test_each_address_it_says_opens_the_table_to_play(config: Path) -> None:
    said = run_here("page", config, "--wait", "20")
    assert said.returncode == 0, said.stderr
    addresses = re.findall(r"http://\S+", said.stdout)
    assert len(addresses) >= 1
    for address in (each for each in addresses if ".local" not in each):
        page = httpx.get(address, timeout=PATIENCE_S, trust_env=False)
        assert page.status_code == 200
        assert [name.rpartition("-")[0] for name in page.cookies] == ["captains-table-token"]


def test_at_a_terminal_a_phone_reads_the_same_off_its_screen(config: Path) -> None:
    master, slave = pty.openpty()
    environment = os.environ | {"PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen([COMMAND, "page", str(config)], stdout=slave, env=environment) as asked:
        os.close(slave)
        shown = read_all(master)
    assert asked.returncode == 0
    first = re.search(r"From other devices: (\S+)", shown)
    assert first is not None, "this machine has no address on a net"
    read = zxingcpp.read_barcodes(screen(shown.partition("camera:")[2]))
    assert [code.text for code in read] == [first[1]]


def test_a_table_that_does_not_answer_is_said_to_and_is_no_success(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[web]\nport = 1\n", encoding="utf-8")
    said = run_here("page", file)
    assert said.returncode != 0
    assert said.stderr.startswith("captains-table: no table answers at http://127.0.0.1:1/ (")


def read_all(terminal: int) -> str:
    shown = io.BytesIO()
    try:
        while part := os.read(terminal, 65_536):
            shown.write(part)
    except OSError:  # so a terminal ends whose other side is closed
        pass
    os.close(terminal)
    return shown.getvalue().decode("utf-8")


def screen(text: str) -> Image.Image:
    """Return what a dark terminal shows of light blocks: two pixels a letter, one above the other."""
    rows = text.replace("\r", "").split("\n")
    image = Image.new("L", (max(map(len, rows)), 2 * len(rows)), 0)
    for row, letters in enumerate(rows):
        for column, letter in enumerate(letters):
            for half, light in enumerate(BLOCKS.get(letter, (0, 0))):
                image.putpixel((column, 2 * row + half), 255 * light)
    return image.resize((image.width * 6, image.height * 6), Image.Resampling.NEAREST)
