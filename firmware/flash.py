"""Flashes the firmware to a Pico that runs MicroPython (`make flash`). Runs on the host, not on the board."""

import argparse
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from serial import Serial, SerialException
from serial.tools import list_ports

from captains_table.hardware.wiring.board_settings import board_settings
from captains_table.link.frames import frame
from captains_table.link.from_host import Update
from captains_table.storage.profile_files import load_profile

USB_ID = (0x2E8A, 0x0005)  # Raspberry Pi, MicroPython
PICO_2_LOADER = ("2e8a", "000f")  # USB id of a Pico 2's boot loader; that of a Pico (RP2040) is 2e8a:0003
NO_PICO_2 = "a Pico 2 (RP2350), which this firmware is not for: expected a Pico or Pico W (RP2040)"
MACHINE = "import os, sys\nprint(getattr(sys.implementation, '_machine', '') or os.uname().machine)"
HERE = Path(__file__).parent
LINK = HERE.parent / "controller" / "captains_table" / "link"
LINK_MODULES = ("__init__", "debounce", "frames", "fields", "from_board", "from_host", "board")
FIRMWARE_MODULES = (
    "__init__", "settings", "clock", "matrix", "encoder", "buzzer", "lights", "stdio", "board_loop",
)  # fmt: skip
GONE_S = 2
BACK_S = 10


def plan(settings: Path = HERE / "settings.py") -> list[tuple[Path, str]]:
    """Return each source file with its path on the board; `main.py` last, so that it runs only after a full flash."""
    link = [(LINK / f"{name}.py", f"captains_table/link/{name}.py") for name in LINK_MODULES]
    firmware = [(HERE / f"{name}.py", f"firmware/{name}.py") for name in FIRMWARE_MODULES if name != "settings"]
    return [*link, *firmware, (settings, "firmware/settings.py"), (HERE / "main.py", "main.py")]


def folders() -> list[str]:
    """Return the folders to create on the board, outer ones first."""
    return sorted({str(parent) for _, target in plan() for parent in Path(target).parents} - {"."})


def commands(port: str, settings: Path = HERE / "settings.py") -> list[list[str]]:
    """Return the mpremote commands that flash the board at a port."""
    remote = [sys.executable, "-m", "mpremote", "connect", port, "resume"]
    make = f"import os\nfor name in {folders()!r}:\n  try: os.mkdir(name)\n  except OSError: pass"
    stop = "import os\nif 'main.py' in os.listdir(): os.remove('main.py')"
    copies = [
        [*remote, "fs", "cp", *sources, f":{folder}/"]
        for folder in folders()
        if (sources := _sources(folder, settings))
    ]
    start = [*remote, "fs", "cp", str(HERE / "main.py"), ":main.py"]
    return [[*remote, "exec", stop], [*remote, "exec", make], *copies, start, [*remote, "reset"]]


def _sources(folder: str, settings: Path) -> list[str]:
    """Return the source files for a folder of the board."""
    return [str(source) for source, target in plan(settings) if Path(target).parent == Path(folder)]


def ports() -> list[str]:
    """Return the ports of all Picos that run MicroPython."""
    return [str(port.device) for port in list_ports.comports() if (port.vid, port.pid) == USB_ID]


def pico_2_waits(root: Path = Path("/")) -> bool:
    """Return whether a Pico 2 in boot loader mode is plugged in, by its USB id or the INFO_UF2.TXT of its drive."""
    devices = (root / "sys/bus/usb/devices").glob("*/idProduct")
    ids = [(_text(product.with_name("idVendor")), _text(product)) for product in devices]
    drives = [
        drive for place in ("media/*", "media/*/*", "run/media/*/*", "mnt", "Volumes/*") for drive in root.glob(place)
    ]
    return PICO_2_LOADER in ids or any("RP2350" in _text(drive / "INFO_UF2.TXT") for drive in drives)


def _text(path: Path) -> str:
    """Return the content of a small file, an empty string if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def machine_of(port: str) -> str:
    """Return MicroPython's name of the board at a port, such as "Raspberry Pi Pico with RP2040"."""
    command = [sys.executable, "-m", "mpremote", "connect", port, "resume", "exec", MACHINE]
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout.strip()


def leave_to_prompt(port: str) -> bool:
    """Order the firmware to reboot into MicroPython's prompt; return whether the board came back."""
    try:
        with Serial(port, timeout=1, write_timeout=1) as serial:
            serial.write(b"\n" + frame(Update().line()))
            serial.flush()
    except SerialException as error:
        print(f"{port}: {error}. Is the table still running? Stop it first.", file=sys.stderr)
        return False
    time.sleep(GONE_S)  # the board reboots, or was at its prompt already, where the order is harmless
    deadline = time.monotonic() + BACK_S
    while port not in ports():
        if time.monotonic() > deadline:
            print(f"The board at {port} did not come back; plug it in anew and try again.", file=sys.stderr)
            return False
        time.sleep(0.2)
    return True


def main() -> int:
    """Flash the board at the given port, or the only board found; return the exit code."""
    parser = argparse.ArgumentParser(prog="make flash")
    parser.add_argument("ports", nargs="*", metavar="PORT", help="where the Pico is")
    parser.add_argument("--profile", help="the build: name or file of a profile; settings.py without it")
    arguments = parser.parse_args(sys.argv[1:])
    found = arguments.ports or ports()
    if not found and pico_2_waits():
        print(f"What is plugged in is {NO_PICO_2}.", file=sys.stderr)
        return 1
    if not found:
        print("No Pico with MicroPython is plugged in; firmware/README.md says how to put it there.", file=sys.stderr)
        return 1
    if len(found) > 1:
        print(f"Which one? make flash ARGS={found[0]}, or one of {', '.join(found[1:])}.", file=sys.stderr)
        return 1
    with TemporaryDirectory() as folder:
        settings = HERE / "settings.py"
        if arguments.profile:
            try:
                text = board_settings(load_profile(arguments.profile))
            except ValueError as error:
                print(error, file=sys.stderr)
                return 1
            settings = Path(folder) / "settings.py"
            settings.write_text(text, encoding="utf-8")
        return flash(found[0], settings)


def flash(port: str, settings: Path) -> int:
    """Flash the board at a port with these settings; return the exit code."""
    if not leave_to_prompt(port):
        return 1
    if "RP2350" in machine_of(port):
        print(f"The board at {port} is {NO_PICO_2}. Nothing was put on it.", file=sys.stderr)
        return 1
    for command in commands(port, settings):
        if subprocess.run(command, check=False).returncode:
            print(
                f"{' '.join(command)} failed. Hold all buttons while plugging it in, then try again.", file=sys.stderr
            )
            return 1
    print(f"The board at {port} has been flashed and starts anew.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
