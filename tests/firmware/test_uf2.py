"""The one file for a Pico: what is frozen into it, how it starts. `make emulate` runs a whole one."""

from pathlib import Path

import pytest

from firmware import flash
from firmware.uf2.sources import Change, apply, debian_archive
from firmware.uf2.staging import FROZEN, stage
from tests.support.micropython_bridge import run_program

SETTINGS = flash.HERE / "settings.py"

# What the file holds is imported from /held here, as this MicroPython has nothing frozen.
TWO_STARTS = """
import os, sys
sys.path.append('/held')
import starting
print(sorted(os.listdir('/')).count('captains_table'))
with open('/main.py', 'w') as main:
    main.write("print('flashed later')")
for name in ('starting', 'firmware', 'firmware.main'):
    sys.modules.pop(name, None)
import starting
"""

LIGHT = """
import neopixel
chain = neopixel.NeoPixel(7, 2)
chain[1] = (1, 2, 3)
chain.write()
"""


def put(folder: Path, files: dict[str, str]) -> list[tuple[Path, str]]:
    """Write files to be seen by a MicroPython; return them as it is told of them."""
    for number, text in enumerate(files.values()):
        (folder / str(number)).write_text(text, encoding="utf-8")
    return [(folder / str(number), target) for number, target in enumerate(files)]


def test_all_that_flashing_puts_on_a_board_is_frozen_with_what_starts_it(tmp_path: Path) -> None:
    stage(SETTINGS, tmp_path)
    staged = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.py")}
    flashed = {target for _, target in flash.plan()}
    assert staged == flashed | {"firmware/main.py", "neopixel.py", "uf2_build.py"}
    assert (tmp_path / "firmware/main.py").read_text() == (flash.HERE / "main.py").read_text()
    assert (tmp_path / "main.py").read_text() == (FROZEN / "main.py").read_text()


def test_other_settings_are_another_build_and_the_same_are_the_same(tmp_path: Path) -> None:
    builds = []
    for text in ("FILE_PINS = ()", "FILE_PINS = (1,)", "FILE_PINS = ()"):
        (tmp_path / "mine.py").write_text(text)
        stage(tmp_path / "mine.py", tmp_path / "staged")
        builds.append((tmp_path / "staged/uf2_build.py").read_text())
        assert (tmp_path / "staged/firmware/settings.py").read_text() == text
    assert builds[0] == builds[2] != builds[1]


def test_a_new_file_takes_away_what_was_flashed_before_and_gives_way_to_what_is_flashed_after(
    tmp_path: Path,
) -> None:
    files = put(
        tmp_path,
        {
            "starting.py": (FROZEN / "main.py").read_text(),
            "uf2_build.py": "BUILD = 'new'",
            "uf2": "old",
            "main.py": "print('flashed before')",
            "firmware/main.py": "print('flashed before')",
            "captains_table/link/board.py": "",
            "held/firmware/main.py": "print('the file itself')",
        },
    )
    assert run_program(TWO_STARTS, files=files).split("\n")[:3] == ["the file itself", "0", "flashed later"]


def test_a_light_gets_green_red_and_blue_in_its_place(tmp_path: Path) -> None:
    files = put(
        tmp_path,
        {
            "neopixel.py": (FROZEN / "neopixel.py").read_text(),
            "machine.py": "Pin = int\ndef bitstream(pin, kind, times, data):\n  print(pin, kind, list(data))\n",
        },
    )
    assert run_program(LIGHT, files=files).strip() == "7 0 [0, 0, 0, 2, 1, 3]"


def test_debian_is_fetched_from_where_this_machine_has_it() -> None:
    said = "Other|stable|file:/other/\nDebian|bookworm-security|file:/security/\nDebian|bookworm|file:/debian/\n"
    assert debian_archive(said) == "file:/debian/"
    with pytest.raises(ValueError, match="apt has no archive of Debian"):
        debian_archive("Other|stable|file:/other/\n")


def test_sources_that_are_not_as_expected_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "file.h").write_text("#define ONE (1)\n")
    apply(Change("file.h", r"^(#define ONE +)\(1\)", r"\1(0)"), tmp_path)
    assert (tmp_path / "file.h").read_text() == "#define ONE (0)\n"
    with pytest.raises(ValueError, match=r"file\.h: expected a line like"):
        apply(Change("file.h", "^TWO$", ""), tmp_path)
