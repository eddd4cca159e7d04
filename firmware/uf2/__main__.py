"""The command `make uf2`: builds the UF2 file for a profile."""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from captains_table.hardware.wiring.board_settings import board_settings
from captains_table.link.from_board import FIRMWARE
from captains_table.storage.profile_files import load_profile
from firmware import flash
from firmware.uf2.building import build, missing_packages
from firmware.uf2.sources import sources
from firmware.uf2.staging import stage

WORK = flash.HERE.parent / "build" / "uf2"


def main() -> int:
    """Build the UF2 file for a profile; return the exit code."""
    parser = argparse.ArgumentParser(prog="make uf2")
    parser.add_argument("--profile", help="the build: name or file of a profile; settings.py without it")
    parser.add_argument("--out", type=Path, help="the file to write (default: build/captains-table-PROFILE.uf2)")
    arguments = parser.parse_args()
    if flash.pico_2_waits():
        print(f"What is plugged in is {flash.NO_PICO_2}; its drive, RP2350, ignores the file.", file=sys.stderr)
        return 1
    missing = missing_packages()
    if missing:
        print(f"Building needs more Debian packages: apt-get install {' '.join(missing)}", file=sys.stderr)
        return 1
    try:
        out = one_file(arguments.profile, arguments.out)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{out}: firmware {FIRMWARE} with MicroPython, {out.stat().st_size // 1024} kB.")
    print("Hold BOOTSEL while plugging the Pico in, and copy it onto the drive RPI-RP2 that appears.")
    print("A drive RP2350 is a Pico 2, which ignores the file: it takes a Pico or Pico W.")
    return 0


def one_file(profile: str | None, out: Path | None) -> Path:
    """Build the UF2 file for a profile, or without one for settings.py; return its path; raises ValueError."""
    name = Path(profile).stem if profile else "settings"
    with TemporaryDirectory() as folder:
        settings = flash.HERE / "settings.py"
        if profile:
            settings = Path(folder) / "settings.py"
            settings.write_text(board_settings(load_profile(profile)), encoding="utf-8")
        stage(settings, WORK / "frozen")
    target = (out or WORK.parent / f"captains-table-{name}.uf2").absolute()
    if not (WORK / "pico").is_dir():
        print("The first time MicroPython is fetched and built, which takes some minutes.", file=sys.stderr)
    build(sources(WORK), WORK / "frozen", WORK / "pico", target)
    return target


if __name__ == "__main__":
    raise SystemExit(main())
