"""Runs KiCad's design rule check on a board and exports Gerber and drill files; needs the Python with KiCad's modules.

/usr/bin/python3 hardware/strip/judge.py BOARD.kicad_pcb FOLDER
"""

import re
import sys
from pathlib import Path

try:
    import pcbnew
except ImportError as error:
    raise SystemExit("KiCad's modules are not there: apt-get install --no-install-recommends kicad") from error

LAYERS = ("F_Cu", "B_Cu", "F_Mask", "B_Mask", "F_Paste", "F_SilkS", "Edge_Cuts")
FOUND = re.compile(r"Found (\d+) (DRC violations|unconnected pads|Footprint errors)")


def main() -> int:
    """Write KiCad's report, Gerber and drill files into a folder; return 1 if the report lists errors."""
    path, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    board = pcbnew.LoadBoard(str(path))
    report = folder / "rules.txt"
    pcbnew.WriteDRCReport(board, str(report), pcbnew.EDA_UNITS_MILLIMETRES, True)
    draw(board, folder)
    found = {what: int(count) for count, what in FOUND.findall(report.read_text(encoding="utf-8"))}
    print(f"{path.name}, KiCad {pcbnew.GetBuildVersion()}: " + ", ".join(f"{found[what]} {what}" for what in found))
    return 0 if len(found) == 3 and not any(found.values()) else 1


def draw(board: "pcbnew.BOARD", folder: Path) -> None:
    """Write the Gerber file of each layer, and the drill files."""
    plot = pcbnew.PLOT_CONTROLLER(board)
    options = plot.GetPlotOptions()
    options.SetOutputDirectory(str(folder.absolute()))
    options.SetUseGerberProtelExtensions(True)
    for layer in LAYERS:
        plot.SetLayer(getattr(pcbnew, layer))
        plot.OpenPlotfile(layer, pcbnew.PLOT_FORMAT_GERBER, layer)
        plot.PlotLayer()
    plot.ClosePlot()
    drill = pcbnew.EXCELLON_WRITER(board)
    drill.SetFormat(True)
    drill.CreateDrillandMapFilesSet(str(folder.absolute()), True, False)


if __name__ == "__main__":
    raise SystemExit(main())
