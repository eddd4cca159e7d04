"""The figures of `make field` in words: what the guide says of magnet and reed."""

from collections.abc import Iterator

from captains_table.hardware.wiring.sensing import SquareSensor
from tests.field.margins import (
    CLOSES,
    DISTURBS,
    OFF_MM,
    ORDINARY,
    SLIP_MM,
    Build,
    margins,
    millitesla,
    thresholds,
    worst_slipped,
)


def what_it_was_run_with(sensor: SquareSensor) -> str:
    """Return the build in one line."""
    least, most = sensor.reed.pull_in_at
    return (
        f"magnet {sensor.magnet}; felt {sensor.felt_mm:g} mm; sheet {sensor.sheet_mm:g} mm; reed {sensor.reed.model}, "
        f"{least:g} to {most:g} AT, cut to {sensor.cut_mm:g} mm, its middle {sensor.shift_mm:g} mm off the square's"
    )


def guide_table(build: Build) -> Iterator[str]:
    """Yield the guide's table of margins, as Markdown."""
    nominal, slipped = margins(build), worst_slipped(build)
    closes, stays = thresholds(build)
    wanted = f"{CLOSES:g} or more", "1 or more", f"{DISTURBS:g} or less"
    rows = (
        (f"field of its own piece, up to {OFF_MM:g} mm off the middle, over what closes every reed", "closes"),
        ("the same, with pieces on the neighbours against it", "closes_in_company"),
        ("field of pieces on the eight neighbours, over the weakest that holds a reed closed", "disturbs"),
    )
    yield f"| At its worst | wanted | reed in its place | reed {SLIP_MM:g} mm off |"
    yield "|---|---|---|---|"
    for (words, name), asked in zip(rows, wanted, strict=True):
        yield f"| {words} | {asked} | {getattr(nominal, name):.2f} | {getattr(slipped, name):.2f} |"
    yield ""
    yield (
        f"In a uniform field along it every reed closes at {millitesla(build, closes.most):.1f} mT at the latest, "
        f"and none stays closed below {millitesla(build, stays.least):.1f} mT. With ordinary reeds of the same class, "
        f"which may stay closed down to {ORDINARY * 100:.0f} %, the last row is "
        f"{_ordinary(nominal.disturbs, build):.2f} and {_ordinary(slipped.disturbs, build):.2f}."
    )


def _ordinary(disturbs: float, build: Build) -> float:
    return disturbs * build.sensor.reed.release_share / ORDINARY
