"""Converts a strip (the squares' circuit board) to a KiCad 6 board file, by kiutils; KiCad's y axis points down."""

from itertools import pairwise
from uuid import NAMESPACE_OID, uuid5

from kiutils.board import Board
from kiutils.footprint import Attributes, DrillDefinition, Footprint, Pad
from kiutils.items.brditems import Segment, Via
from kiutils.items.common import Effects, Font, Net, Position
from kiutils.items.fpitems import FpLine, FpRect, FpText
from kiutils.items.gritems import GrLine, GrText

from hardware.strip import parts
from hardware.strip.layout import Label, Strip, Track
from hardware.strip.netlist import connections
from hardware.strip.parts import Part, Point

ORIGIN = (40.0, 120.0)  # position of the strip's corner on the sheet
VIA = (0.8, 0.4)  # diameter and drill
PRINT = 0.15


def board_file(board: Strip) -> str:
    """Return the strip as the text of a `.kicad_pcb` file."""
    nets = {name: Net(number, name) for number, name in enumerate(connections(board), start=1)}
    file = Board.create_new()
    file.nets += nets.values()
    file.footprints = [_footprint(part, nets) for part in board.parts]
    file.traceItems = [segment for track in board.tracks for segment in _segments(track, nets)]
    file.traceItems += [
        Via(position=_place(at), size=VIA[0], drill=VIA[1], layers=["F.Cu", "B.Cu"], net=nets[net].number)
        for net, at in board.vias
    ]
    file.graphicItems = [*_outline(board), *(_text(label) for label in board.labels)]
    return str(file.to_sexpr())


def _place(at: Point, angle: float | None = None) -> Position:
    return Position(round(ORIGIN[0] + at[0], 3), round(ORIGIN[1] - at[1], 3), angle)


def _outline(board: Strip) -> list[GrLine]:
    (left, low), (right, high) = board.corners
    corners = [(left, low), (right, low), (right, high), (left, high), (left, low)]
    return [GrLine(_place(start), _place(end), layer="Edge.Cuts", width=0.1) for start, end in pairwise(corners)]


def _segments(track: Track, nets: dict[str, Net]) -> list[Segment]:
    number = nets[track.net].number
    return [
        Segment(_place(start), _place(end), track.width, track.side, net=number, tstamp=_id(track, start))
        for start, end in pairwise(track.points)
    ]


def _id(track: Track, start: Point) -> str:
    """Return the id that KiCad requires, the same at each run."""
    return str(uuid5(NAMESPACE_OID, f"{track.net} {track.side} {start}"))


def _text(label: Label) -> GrText:
    font = Font(height=label.height, width=label.height, thickness=round(label.height * 0.15, 2))
    return GrText(text=label.text, position=_place(label.at), layer="F.SilkS", effects=Effects(font=font))


def _footprint(part: Part, nets: dict[str, Net]) -> Footprint:
    drilled = all(pad.drill for pad in part.footprint.pads)
    footprint = Footprint(
        libraryNickname="strip",
        entryName=part.footprint.name,
        layer="F.Cu",
        tedit="65000000",
        position=_place(part.at, part.angle or None),
        attributes=Attributes(
            type="through_hole" if drilled else "smd",
            excludeFromPosFiles=drilled,
            excludeFromBom=not part.nets,
        ),
    )
    print_at = Effects(font=Font(height=0.8, width=0.8, thickness=0.12))
    footprint.graphicItems = [
        FpText("reference", part.reference, Position(0, 0, part.angle or None), "F.Fab", effects=print_at),
        FpText("value", part.value, Position(0, 1, part.angle or None), "F.Fab", effects=print_at),
        *_room(part),
        *(FpLine(_down(start), _down(end), "F.SilkS", PRINT) for start, end in part.footprint.drawn),
    ]
    footprint.pads = [_pad(part, pad, nets) for pad in part.footprint.pads]
    return footprint


def _room(part: Part) -> list[FpRect]:
    if part.footprint.outline is None:
        return []
    x, y = part.footprint.outline
    return [FpRect(Position(-x, -y), Position(x, y), "F.CrtYd", 0.05)]


def _down(point: Point) -> Position:
    return Position(point[0], 0.0 - point[1])


def _pad(part: Part, pad: parts.Pad, nets: dict[str, Net]) -> Pad:
    hole = not pad.number
    made = Pad(
        number=pad.number,
        type="np_thru_hole" if hole else "thru_hole" if pad.drill else "smd",
        shape="circle" if pad.drill else "rect",
        position=Position(pad.at[0], 0.0 - pad.at[1], part.angle or None),
        size=Position(*pad.size),
        drill=DrillDefinition(diameter=pad.drill) if pad.drill else None,
        layers=["*.Cu", "*.Mask"] if pad.drill else ["F.Cu", "F.Paste", "F.Mask"],
    )
    if pad.number in part.nets:
        made.net = nets[part.nets[pad.number]]
    return made
