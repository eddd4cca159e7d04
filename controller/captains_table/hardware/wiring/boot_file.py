"""The Pi's config.txt brought to what a build needs: a block of our own at its end, of what does not hold already.

How the firmware reads it (Raspberry Pi documentation, "config.txt"): a line `[filter]` limits those after it to some
models, `[all]` to none; what is said later counts; `dtparam` takes several parameters parted by commas.
"""

from collections.abc import Iterator, Sequence
from typing import Final

BEGIN: Final = "# --- Captain's Table: what its build needs; written by `captains-table boot`"
END: Final = "# --- Captain's Table ends"
FOR_ALL: Final = "[all]"
ON: Final = "on"
SWITCHED_ON: Final = frozenset({"on", "true", "yes", "1"})


def with_boot_lines(text: str, lines: Sequence[str]) -> str:
    """Return a config.txt in which these lines hold on every model; the same text where they do already.

    Args:
        text: the file as it is; our own block of an earlier build in it gives way.
        lines: what a build needs, from `boot_lines`.
    """
    others = _without_block(text)
    known = _settings(others)
    missing = [line for line in lines if not _settings(line) <= known]
    if not missing:
        return others
    ending = "\r\n" if "\r\n" in text else "\n"
    block = [BEGIN, FOR_ALL, *missing, END]
    gap = ending if others and not others.endswith("\n") else ""
    return f"{others}{gap}{ending.join(block)}{ending}"


def _without_block(text: str) -> str:
    kept, inside = [], False
    for line in text.splitlines(keepends=True):
        inside = inside or line.strip() == BEGIN
        if not inside:
            kept.append(line)
        inside = inside and line.strip() != END
    return "".join(kept)


def _settings(text: str) -> set[tuple[str, str]]:
    """Return what holds on every model: overlays as they are written, of everything else the last value."""
    overlays: set[tuple[str, str]] = set()
    values: dict[str, str] = {}
    for key, value in _for_every_model(text):
        if key == "dtoverlay":
            overlays.add((key, value))
        elif key == "dtparam":
            values |= {f"{key} {name}": setting for name, setting in _parameters(value)}
        else:
            values[key] = value
    return overlays | set(values.items())


def _for_every_model(text: str) -> Iterator[tuple[str, str]]:
    applies = True
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            applies = line == FOR_ALL
        elif applies and "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            yield key.strip(), value.strip()


def _parameters(value: str) -> Iterator[tuple[str, str]]:
    for part in value.split(","):
        name, _, setting = part.partition("=")
        yield name.strip(), ON if (setting.strip() or ON).lower() in SWITCHED_ON else setting.strip()
