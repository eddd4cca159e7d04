"""What the program shows to the outside, observed from there: by its command, its page, its files."""

import json
import os
import re
import sqlite3
import subprocess
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.support.outward.command import command
from tests.support.patience import PATIENCE_S
from tests.support.table_process import Caller

HERE = Path(__file__).parents[2] / "outward"
ROOT = HERE.parents[1]
TAPES = sorted((HERE / "tapes").glob("*.tape"))
SQUARE = re.compile(r"[a-i]\d")
NAMED = ("tallies", "scores", "clock", "ranks", "sheets")  # what follows is a player's name


def words_of(text: str) -> list[str]:
    """Return the words a message lists after `expected`."""
    listed = text.strip().rpartition("expected ")[2].removeprefix("one of ")
    return sorted(word.strip("[]") for word in listed.split(", "))


# --- tapes ----------------------------------------------------------------------------------------------------------


def tape_words(scratch: Path) -> list[str]:
    """Return the directives of tapes."""
    return _refused_line(scratch, "parrot")


def buttons(scratch: Path) -> list[str]:
    """Return the buttons of tapes."""
    return _refused_line(scratch, "press parrot")


def _refused_line(scratch: Path, line: str) -> list[str]:
    tape = scratch / "refused.tape"
    tape.write_text(f"{line}\n", encoding="utf-8")
    refused = command("replay", tape)
    assert refused.code == 2
    return words_of(refused.err)


def replayed() -> dict[str, tuple[list[dict[str, Any]], dict[str, Any]]]:
    """Return each tape's lines and its last line, by the tape's name; each was cut off where something stands."""
    said = command("replay", *TAPES)
    assert (said.code, said.err) == (0, "")
    found = {}
    lines: list[dict[str, Any]] = []
    for text in said.out.splitlines():
        lines.append(json.loads(text))
        if "final" in lines[-1]:
            *actions, last = lines
            found[Path(last.pop("tape")).stem] = (actions, last)
            lines = []
    return found


def keys_of(value: object, path: str = "") -> Iterable[str]:
    """Yield every dotted path in a value; squares and players' names are stars."""
    if isinstance(value, dict):
        for key, part in value.items():
            is_named = SQUARE.fullmatch(key) or path.rpartition(".")[2] in NAMED
            inner = f"{path}.{'*' if is_named else key}".removeprefix(".")
            yield inner
            yield from keys_of(part, inner)
    elif isinstance(value, list):
        for part in value:
            yield from keys_of(part, f"{path}[]")


def kind_of(id_: str) -> str:
    """Return an id with the square, number, letter or move in it replaced by what it is."""
    if re.fullmatch(r"(?:[a-i]\d){2}.*", id_):
        return f"MOVE{id_[4:]}"
    for pattern, kind in ((r"([a-z]+-|p@)[a-i]\d", "SQUARE"), (r"(curse-|raid-|match-|players-|level-)\d+", "NUMBER")):
        if found := re.fullmatch(pattern, id_):
            return f"{found[1]}{kind}"
    return re.sub(r"^(name|computer|letter|value|change)-.*", r"\1-WORD", id_)


# --- configuration and profile --------------------------------------------------------------------------------------


def configuration(scratch: Path) -> dict[str, list[str]]:
    """Return the sections of a configuration and the keys of each."""

    def refused(text: str) -> list[str]:
        file = scratch / "refused.toml"
        file.write_text(text, encoding="utf-8")
        said = command("run", "--check", file)
        assert said.code == 2
        return words_of(said.err)

    return {section: refused(f"[{section}]\nparrot = 1\n") for section in refused("[parrot]\n")}


def profile(scratch: Path) -> dict[str, list[str]]:
    """Return the keys of every table of a profile; where kinds differ in keys, of each kind."""
    pico = (HERE / "earlier" / "my-table.toml").read_text(encoding="utf-8").replace("port = 1\n", "")
    page = pico.replace('chip = "ssd1306"\nbus = "i2c"\naddress = 0x3C', 'chip = "ssd1322"\nbus = "spi"')
    page = page.replace('bus = "spi"', 'bus = "spi"\ndata_command = 25\nreset = 24')
    gpio = re.sub(r"(?s)\[lights\].*?\n\n", '[lights]\nkind = "max7219"\n\n', pico).replace('"pico"', '"gpio"')
    texts = {"": pico, "matrix": pico, "buttons": pico, "lights": pico, "buzzer": pico, "glass": pico}
    found = {table or "top": _refused_key(scratch, text, table) for table, text in texts.items()}
    found["encoder"] = _refused_key(scratch, pico.replace("push = 19 }", "push = 19, parrot = 1 }"))
    found["glass on SPI"] = _refused_key(scratch, page, "glass")
    found["lights on SPI"] = _refused_key(scratch, gpio.replace('usb = "2E8A:0005"\n', ""), "lights")
    return found


def _refused_key(scratch: Path, text: str, table: str | None = None) -> list[str]:
    if table is not None:
        text = text.replace(f"[{table}]\n", f"[{table}]\nparrot = 1\n") if table else f"parrot = 1\n{text}"
    file = scratch / "refused.toml"
    file.write_text(text, encoding="utf-8")
    said = command("wiring", file, "--out", scratch)
    assert said.code == 2
    assert "parrot" in said.err
    return words_of(said.err)


def override(scratch: Path) -> list[str]:
    """Return the keys a profile's override may have."""
    (scratch / "profile-override.toml").write_text("parrot = 1\n", encoding="utf-8")
    config = scratch / "overridden.toml"
    config.write_text(f'[table]\nprofile = "pico-8x8"\nstate_dir = "{scratch}"\n', encoding="utf-8")
    said = command("run", "--check", config)
    assert said.code == 2
    return words_of(said.err)


# --- journal --------------------------------------------------------------------------------------------------------


def columns(journal: Path) -> dict[str, list[str]]:
    """Return the tables of a journal with their columns."""
    with closing(sqlite3.connect(journal)) as database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        return {
            table: [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            for (table,) in sorted(tables.fetchall())
        }


def entries(journal: Path) -> dict[str, list[str]]:
    """Return the kinds of a journal's entries, actions by their type, with the keys of each."""
    with closing(sqlite3.connect(journal)) as database:
        rows = database.execute("SELECT kind, body FROM entries").fetchall()
    found = {}
    for kind, text in rows:
        body = json.loads(text)
        assert body["entry"] == kind
        found[kind] = sorted(body)
        if "action" in body:
            found[f"{kind} {body['action']['type']}"] = sorted(body["action"])
    return found


def wait_for_entry(journal: Path, kind: str) -> None:
    """Wait until an entry of this kind is in a journal."""
    deadline = time.monotonic() + PATIENCE_S
    while kind not in entries(journal):
        assert time.monotonic() < deadline, f"{kind} was never written"
        time.sleep(0.02)


# --- page -----------------------------------------------------------------------------------------------------------


def form_fields(anne: Caller, game: str) -> list[str]:
    """Return the fields of the form for a new match."""
    form = anne.get(f"/new?game={game}").text.partition('<form method="post" action="/new"')[2]
    return sorted(set(re.findall(r'<(?:input|select)[^>]* name="([^"]+)"', form)))


# --- installation ---------------------------------------------------------------------------------------------------

PYTHON = """#!/bin/sh
# Stands for the system's Python: makes nothing but the folders an installation is about.
while [ $# -gt 0 ]; do
    case "$1" in
    venv) mkdir -p "$2/bin" && cp "$0" "$2/bin/python" ;;
    --target) mkdir -p "$2" && touch "$2/program" ;;
    esac
    shift
done
"""


PROGRAM = Path("opt/captains-table/lib")


def laid_down(scratch: Path) -> list[str]:
    """Return the files that `make install` lays down; the program's own are one."""
    python = scratch / "python3"
    python.write_text(PYTHON, encoding="utf-8")
    python.chmod(0o755)
    destdir = scratch / "system"
    subprocess.run(
        ["make", "--no-print-directory", "install", f"DESTDIR={destdir}"],
        cwd=ROOT,
        env=os.environ | {"SYSTEM_PYTHON": str(python)},
        check=True,
        capture_output=True,
        timeout=PATIENCE_S,
    )
    found = {path.relative_to(destdir) for path in destdir.rglob("*") if path.is_file()}
    return sorted({str(PROGRAM / "program" if path.is_relative_to(PROGRAM) else path) for path in found})
