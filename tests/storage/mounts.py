"""What is said of where matches lie, on file systems of every kind; run in namespaces of its own, in a folder."""

import subprocess
import sys
from pathlib import Path

from captains_table.storage.disk_warnings import LEAST_FREE_MB, disk_warnings

MEMORY = "All is lost at power-off: matches are kept in memory"
FULL = "The disk is nearly full"


def mount(kind: str, where: Path, options: str) -> Path:
    where.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", kind, "-o", options, kind, where], check=True)
    return where


def overlay(place: Path, name: str, upper: Path) -> Path:
    layers = [upper / f"{name} {layer}" for layer in ("upper", "work")]
    for folder in (*layers, place / "lower"):
        folder.mkdir(exist_ok=True)
    options = f"lowerdir={place / 'lower'},upperdir={layers[0]},workdir={layers[1]},userxattr"
    return mount("overlay", place / name, options)


def said(folder: Path) -> list[str]:
    """Return the beginnings of what is said of a folder, and the file system that is named."""
    return [words.partition(",")[0].partition(":")[0] for words in disk_warnings(folder)]


def main() -> None:
    place = Path(sys.argv[1]).resolve()
    plain = place / "plain"
    plain.mkdir()
    assert disk_warnings(plain) == (), "in the place for temporary files"
    assert disk_warnings(place / "missing") == ()
    memory = mount("tmpfs", place / "memory", "size=1g")
    assert disk_warnings(memory) == (f"{MEMORY} (tmpfs), not on a disk",)
    link = place / "link"
    link.symlink_to(memory)
    assert disk_warnings(link) == disk_warnings(memory), "the state's folder is a link to another"
    assert disk_warnings(overlay(place, "on memory", memory)) == (f"{MEMORY} (overlay), not on a disk",)
    assert disk_warnings(overlay(place, "on a disk", place)) == ()
    out_of_sight = overlay(place, "out of sight", mount("tmpfs", place / "hidden", "size=1g"))
    subprocess.run(["umount", "--lazy", place / "hidden"], check=True)
    (place / "hidden").rmdir()
    assert disk_warnings(out_of_sight) == (f"{MEMORY} (overlay), not on a disk",)
    small = mount("tmpfs", place / "small", "size=40m")
    (small / "file").write_bytes(bytes(30 << 20))
    assert disk_warnings(small)[1] == f"{FULL}: 10 MB are left for matches, expected {LEAST_FREE_MB}"


if __name__ == "__main__":
    main()
