"""Converts a strip (the squares' circuit board) to a KiCad netlist: its parts, and the pins that each net connects."""

from collections.abc import Iterable

from hardware.strip.layout import Strip


def netlist(board: Strip) -> str:
    """Return the strip's netlist in KiCad's format, version E."""
    parts = [part for part in board.parts if part.nets]
    components = [
        f'    (comp (ref "{part.reference}") (value "{part.value}") (footprint "strip:{part.footprint.name}"))'
        for part in parts
    ]
    nets = [
        f'    (net (code "{code}") (name "{net}")\n'
        + "\n".join(f'      (node (ref "{reference}") (pin "{pin}"))' for reference, pin in pins)
        + ")"
        for code, (net, pins) in enumerate(connections(board).items(), start=1)
    ]
    return "\n".join(['(export (version "E")', "  (components", *components, "  )", "  (nets", *nets, "  )", ")", ""])


def connections(board: Strip) -> dict[str, list[tuple[str, str]]]:
    """Return net -> its sorted (part, pin) pairs."""
    pins = [(net, part.reference, pin) for part in board.parts for pin, net in part.nets.items()]
    return {net: sorted((part, pin) for name, part, pin in pins if name == net) for net in names(pins)}


def names(pins: Iterable[tuple[str, str, str]]) -> list[str]:
    """Return the names of all nets, sorted."""
    return sorted({net for net, _, _ in pins})
