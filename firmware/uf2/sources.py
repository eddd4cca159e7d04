"""Fetches the sources of MicroPython and the Pico's SDK from Debian's stable release, and prepares them for the build.

apt verifies the packages by Debian's signatures. Nothing is installed: apt uses separate folders.
"""

import os
import re
import subprocess
from pathlib import Path
from shutil import rmtree
from typing import NamedTuple

RELEASE = "trixie"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
MICROPYTHON = "micropython=1.25.0+ds-1"
SDK_PACKAGES = ("pico-sdk-source=2.1.1-1", "tinyusb-source=0.18.0+dfsg-1")
LINKS = {"lib/pico-sdk": "usr/src/pico-sdk", "lib/tinyusb": "usr/src/tinyusb"}


class Change(NamedTuple):
    """A substitution in a source file of MicroPython: regular expression and replacement, for all matching lines."""

    path: str
    found: str
    put: str


# TLS needs a library that Debian's source package lacks; the board has no network and does not need it.
WITHOUT_TLS = (
    Change("ports/rp2/CMakeLists.txt", r"^set\(MICROPY_SSL_MBEDTLS ON\)\n", ""),
    Change("ports/rp2/CMakeLists.txt", r"^list\(APPEND GIT_SUBMODULES lib/mbedtls\)\n", ""),
    Change("ports/rp2/CMakeLists.txt", r"^ *mbedtls/mbedtls_port\.c\n", ""),
    Change("ports/rp2/CMakeLists.txt", r"^target_link_libraries\(\S+ micropy_lib_mbedtls\)\n", ""),
    Change("ports/rp2/mpconfigport.h", r"^(#define MICROPY_SSL_MBEDTLS +)\(1\)", r"\1(0)"),
    Change("ports/rp2/mpconfigport.h", r"^(#define MICROPY_PY_HASHLIB_SHA1 +)\(1\)", r"\1(0)"),
    Change("ports/rp2/mpconfigport.h", r"^(#define MICROPY_PY_CRYPTOLIB +)\(1\)", r"\1(0)"),
)


def sources(folder: Path) -> Path:
    """Return the folder of MicroPython's prepared sources under this one; fetch and prepare them if it is missing.

    Raises:
        ValueError: a step failed; the message says what is missing or unexpected.
    """
    tree = folder / "micropython"
    if not tree.is_dir():
        unfinished = folder / "unfinished"
        rmtree(unfinished, ignore_errors=True)
        downloads = unfinished / "downloads"
        fetch(downloads)
        lay_together(downloads, unfinished)
        for change in WITHOUT_TLS:
            apply(change, unfinished)
        unfinished.rename(tree)
    return tree


def fetch(downloads: Path) -> None:
    """Download the packages into a folder; raises ValueError."""
    settings = _apt_settings(downloads)
    _apt(settings, "apt-get", "update", "-qq")
    _apt(settings, "apt-get", "source", "--download-only", "-qq", MICROPYTHON)
    _apt(settings, "apt-get", "download", "-qq", *SDK_PACKAGES)


def lay_together(downloads: Path, tree: Path) -> None:
    """Unpack the downloaded packages, with links to the SDK where MicroPython expects it; raises ValueError."""
    _run(["tar", "--extract", "--file", str(_only(downloads, "micropython_*.orig.tar.xz"))], tree)
    unpacked = _only(tree, "micropython-*")
    for child in list(unpacked.iterdir()):
        child.rename(tree / child.name)
    unpacked.rmdir()
    for package in SDK_PACKAGES:
        name = package.partition("=")[0]
        _run(["dpkg-deb", "--extract", str(_only(downloads, f"{name}_*.deb")), str(tree / "sdk")], tree)
    for place, target in LINKS.items():
        (tree / place).rmdir()
        (tree / place).symlink_to(Path("../sdk") / target)
    # MicroPython's build requires this file of its module library, although it uses no module of it here.
    (tree / "lib/micropython-lib/README.md").touch()


def apply(change: Change, tree: Path) -> None:
    """Apply a substitution to the sources; raises ValueError if no line matches."""
    path = tree / change.path
    text, changes = re.subn(change.found, change.put, path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    if not changes:
        raise ValueError(f"{path}: expected a line like {change.found}; are these the sources of {MICROPYTHON}?")
    path.write_text(text, encoding="utf-8")


def debian_archive(targets: str) -> str:
    """Return the address of the Debian archive that this machine's apt uses; raises ValueError.

    Args:
        targets: output of `apt-get indextargets`: lines of origin, code name and address, separated by `|`.
    """
    for line in targets.splitlines():
        origin, code_name, address = line.split("|")
        if origin == "Debian" and not code_name.endswith(("-security", "-updates", "-backports")):
            return address
    raise ValueError("apt has no archive of Debian; firmware/README.md says how the file is built by hand")


def _apt_settings(downloads: Path) -> Path:
    """Write an apt configuration that uses separate folders; return its file."""
    for name in ("lists/partial", "archives/partial"):
        (downloads / name).mkdir(parents=True)
    form = "$(ORIGIN)|$(CODENAME)|$(REPO_URI)"
    archive = debian_archive(_run(["apt-get", "indextargets", "--format", form, "Created-By: Packages"], downloads))
    lines = [f"{kind} [signed-by={KEYRING}] {archive} {RELEASE} main\n" for kind in ("deb", "deb-src")]
    (downloads / "sources.list").write_text("".join(lines), encoding="utf-8")
    settings = downloads / "apt.conf"
    settings.write_text(
        f'Dir::Etc::SourceList "{downloads}/sources.list";\n'
        f'Dir::Etc::SourceParts "{downloads}/none";\n'
        f'Dir::State::Lists "{downloads}/lists";\n'
        f'Dir::State::Status "/dev/null";\n'
        f'Dir::Cache "{downloads}";\n'
        'APT::Sandbox::User "root";\n',
        encoding="utf-8",
    )
    return settings


def _apt(settings: Path, *command: str) -> None:
    _run(list(command), settings.parent, APT_CONFIG=str(settings))


def _run(command: list[str], folder: Path, **environment: str) -> str:
    """Run a command in a folder; return its standard output; raises ValueError."""
    try:
        done = subprocess.run(
            command, cwd=folder, env=os.environ | environment, capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise ValueError(f"{command[0]} is not there: expected Debian, or a system like it") from error
    if done.returncode:
        raise ValueError(f"{' '.join(command)} failed: {done.stderr.strip()}")
    return done.stdout


def _only(folder: Path, pattern: str) -> Path:
    """Return the only path in a folder that matches a pattern; raises ValueError."""
    found = list(folder.glob(pattern))
    if len(found) != 1:
        raise ValueError(f"{folder}: expected one {pattern}, found {len(found)}")
    return found[0]
