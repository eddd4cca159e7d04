"""Generates a build's wiring page in Markdown: link to the diagram, notes, table of wires, parts list."""

from collections.abc import Iterator, Sequence
from typing import Final

from captains_table.hardware.profiles.light_supply import USED_SHARE, light_supply
from captains_table.hardware.profiles.profile import Profile
from captains_table.hardware.wiring.boot import FREES_SELECTS, UPGRADE, boot_lines, pin_blocked_by_old_kernels
from captains_table.hardware.wiring.parts import parts_of
from captains_table.hardware.wiring.plan import WiringPlan
from captains_table.hardware.wiring.planning import plan_of

COLUMNS: Final = ("Part", "Needed", "Buy", "Unit", "For", "Each, EUR (estimate, unchecked)")
COLOURS: Final = {
    "BN": "brown",
    "RD": "red",
    "OG": "orange",
    "YE": "yellow",
    "GN": "green",
    "BU": "blue",
    "VT": "violet",
    "GY": "grey",
    "WH": "white",
    "BK": "black",
}


def part_rows(profile: Profile) -> list[Sequence[str]]:
    """Return a build's parts as table rows; their columns are named in `COLUMNS`."""
    return [
        (part.what, f"{part.quantity:g}", f"{part.buy:g}", part.unit, part.use, f"{part.price_eur:.2f}")
        for part in parts_of(profile)
    ]


def wiring_page(profile: Profile) -> Iterator[str]:
    """Yield the lines of a build's wiring page."""
    name = profile.name
    yield f"<!-- Made from the profile {name} by `captains-table wiring {name}`. -->"
    yield f"# {name}: {profile.title}"
    yield ""
    yield f"![Wiring of {name}]({name}.svg)"
    yield ""
    yield "The numbers at the Pico and the Pi are places on their headers, counted as on their pinouts."
    yield "The inside of the board (reeds and diodes) is drawn in the [build guide](../README.md)."
    yield from _lights_words(profile)
    lines = boot_lines(profile)
    if lines:
        yield from ("", "In the Pi's `/boot/firmware/config.txt`:", "")
        yield from (f"    {line}" for line in lines)
    yield from _kernel_words(profile)
    yield from ("", "## Wires", "")
    yield from _table(("From", "Pin", "Colour", "To", "Pin"), _wires(plan_of(profile)))
    yield from ("", "## Parts", "")
    yield from _table(COLUMNS, part_rows(profile))
    total = sum(part.buy * part.price_eur for part in parts_of(profile))
    yield ""
    yield (
        f"All that is to be bought, together: about {round(total, -1):.0f} EUR (an estimate that nobody has checked; "
        "buy what the column says: a tenth more of what breaks easily). Tools and pieces are not in it."
    )


def _kernel_words(profile: Profile) -> Iterator[str]:
    use = pin_blocked_by_old_kernels(profile)
    if use is not None:
        yield ""
        yield (
            f"**First `{UPGRADE}`**, then reboot: kernels before {'.'.join(map(str, FREES_SELECTS))} (January 2024) "
            f"keep BCM {use.pin} ({use.what}) for SPI whatever that file says, and the table says that it is busy."
        )


def _lights_words(profile: Profile) -> Iterator[str]:
    if profile.lights is not None:
        supply = light_supply(profile)
        yield ""
        yield (
            f"At the brightness of the profile the lights draw {supply.drawn_ma / 1000:.1f} A at most. "
            f"The supply gives {supply.rated_ma / 1000:g} A, which blows the fuse of {supply.fuse_ma / 1000:g} A, "
            "slow (`supply_ma` and `fuse_ma` in the profile; [why so small](../../docs/electrics.md#the-lights-fuse)). "
            f"Whatever is shown, the lights are dimmed to draw no more than {supply.fuse_ma * USED_SHARE / 1000:g} A."
        )


def _wires(plan: WiringPlan) -> Iterator[Sequence[str]]:
    for bundle, wire in plan.connections():
        start, end = plan.boxes[bundle.start], plan.boxes[bundle.end]
        yield (
            start.name,
            f"{wire.start} ({start.pins[wire.start]})",
            COLOURS[wire.colour],
            end.name,
            f"{wire.end} ({end.pins[wire.end]})",
        )


def _table(head: Sequence[str], rows: Iterator[Sequence[str]] | Sequence[Sequence[str]]) -> Iterator[str]:
    for cells in (head, ["---"] * len(head), *rows):
        yield f"| {' | '.join(cells)} |"
