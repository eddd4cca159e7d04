"""Stages the modules that are frozen into the UF2 file: the firmware as flashed by `make flash`, and a start module."""

from hashlib import sha256
from pathlib import Path
from shutil import copyfile, rmtree

from firmware import flash

FROZEN = Path(__file__).parent / "frozen"
MOVED = {"main.py": "firmware/main.py"}  # the frozen main.py chooses between this one and one flashed later


def stage(settings: Path, folder: Path) -> None:
    """Stage a build with these settings in a folder, whose content is replaced."""
    rmtree(folder, ignore_errors=True)
    plan = [(source, MOVED.get(target, target)) for source, target in flash.plan(settings)]
    plan += [(source, source.name) for source in sorted(FROZEN.glob("*.py"))]
    for source, target in plan:
        (folder / target).parent.mkdir(parents=True, exist_ok=True)
        copyfile(source, folder / target)
    (folder / "uf2_build.py").write_text(
        f'"""Which build this is."""\n\nBUILD = "{fingerprint(plan)}"\n', encoding="utf-8"
    )


def fingerprint(plan: list[tuple[Path, str]]) -> str:
    """Return a digest of the staged files and their paths: 16 hex digits."""
    digest = sha256()
    for source, target in sorted(plan, key=lambda entry: entry[1]):
        digest.update(f"{target}\n{source.stat().st_size}\n".encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]
