"""How long a file takes to rise after a rank was released: a simulation in time by ngspice."""

from tests.support.spice import DIODE_MODEL, ngspice

SUPPLY_V = 3.3
OUTPUT_OHM = 50
SLOT_S = 100e-6  # a rank is driven low so long, one after the other
REST_S = 500e-6


def rising_us(closed: int, pull_up_ohm: float, line_farad: float, until_v: float) -> float:
    """Return how long a file takes to rise to a level, once the last of its closed switches' ranks was released.

    Args:
        closed: how many ranks with a closed switch on the file were read one after the other.
        pull_up_ohm: of the file.
        line_farad: the capacitance of each line.
        until_v: the level.
    """
    ranks = range(1, closed + 1)
    lines = [
        "* a file with closed switches on ranks that are read one after the other and released",
        DIODE_MODEL,
        f".model driver sw(vt=0.5 ron={OUTPUT_OHM} roff=1e9)",
        f"vdd vdd 0 {SUPPLY_V}",
        f"rpull vdd file {pull_up_ohm}",
        f"cfile file 0 {line_farad}",
        *(line for rank in ranks for line in _rank(rank, line_farad)),
        ".control",
        f"tran 0.1u {closed * SLOT_S + REST_S}",
        f"meas tran risen when v(file)={until_v} rise=last",
        "print risen",
        "quit",
        ".endc",
        ".end",
        "",
    ]
    return (ngspice("\n".join(lines))["risen"] - closed * SLOT_S) * 1e6


def _rank(rank: int, line_farad: float) -> list[str]:
    began, low = (rank - 1) * SLOT_S, SLOT_S
    return [
        f"crank{rank} rank{rank} 0 {line_farad}",
        f"d{rank} file rank{rank} d1n4148",
        f"vgate{rank} gate{rank} 0 pulse(0 1 {began} 1n 1n {low} 1)",
        f"s{rank} rank{rank} 0 gate{rank} 0 driver",
    ]
