"""Builds a UF2 file from MicroPython's sources and staged modules, by MicroPython's own build and converter."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

BOARD = "RPI_PICO"  # also runs on a Pico W, with its radio off
FLASH_START = "0x10000000"
FAMILY = "0xe48bff56"  # the UF2 family id of RP2040
TOOLS = {  # program -> the Debian package that has it
    "arm-none-eabi-gcc": "gcc-arm-none-eabi libnewlib-arm-none-eabi",
    "arm-none-eabi-g++": "libstdc++-arm-none-eabi-newlib",
    "cmake": "cmake",
    "make": "make",
    "cc": "gcc",
    "dpkg-deb": "dpkg",
}
# For a reproducible build: MicroPython's release date and tag instead of the current ones, and a fixed hash seed, as
# MicroPython's boardgen.py iterates over a set of pin names.
ENVIRONMENT = {
    "SOURCE_DATE_EPOCH": "1744675200",
    "MICROPY_GIT_TAG": "v1.25.0",
    "MICROPY_GIT_HASH": "debian",
    "PYTHONHASHSEED": "0",
}
MANIFEST = Path(__file__).with_name("manifest.py")


def missing_packages() -> list[str]:
    """Return the Debian packages that building needs and that are not installed."""
    return [package for tool, package in TOOLS.items() if shutil.which(tool) is None]


def build(tree: Path, staged: Path, folder: Path, out: Path) -> None:
    """Build MicroPython with the staged modules frozen in.

    Args:
        tree: the folder of MicroPython's sources.
        staged: the folder of modules to freeze.
        folder: the build folder; its files are reused.
        out: the path of the UF2 file.

    Raises:
        ValueError: a step of the build failed.
    """
    jobs = f"-j{os.cpu_count() or 1}"
    port = tree / "ports/rp2"
    _run("make", jobs, "-C", str(tree / "mpy-cross"), "USER_C_MODULES=")
    _run(
        "cmake", "-S", str(port), "-B", str(folder), "-DPICO_NO_PICOTOOL=1", f"-DMICROPY_BOARD={BOARD}",
        f"-DMICROPY_FROZEN_MANIFEST={MANIFEST}", f"-DMICROPY_MANIFEST_FIRMWARE_DIR={staged}",
    )  # fmt: skip
    _run("make", jobs, "-C", str(folder))
    converter = [sys.executable, str(tree / "tools/uf2conv.py"), "-b", FLASH_START, "-f", FAMILY, "-c"]
    out.parent.mkdir(parents=True, exist_ok=True)
    _run(*converter, "-o", str(out), str(folder / "firmware.bin"))


def _run(*command: str) -> None:
    """Run a step of the build; raises ValueError with the last lines of its output."""
    done = subprocess.run(
        command, env=os.environ | ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        last = "\n".join(done.stdout.splitlines()[-15:])
        raise ValueError(f"{' '.join(command)} failed:\n{last}")
