"""Writes Aether's weights as a Python module."""

from captains_table.players.legend.aether.evaluation import Weights

HEAD = '''"""Aether's weights, in points of grand score: made by `make train`, not by hand."""

from typing import Final

from captains_table.players.legend.aether.evaluation import Weights, both_wings

# fmt: off
WEIGHTS: Final = Weights(
'''
DIGITS = 3


def weights_source(weights: Weights) -> str:
    """Return the source text of a module with these weights.

    Of the piece-square values only the files a to d are written, because `both_wings` mirrors them.
    """
    lines = [HEAD.rstrip("\n"), "    squares=both_wings("]
    for row in weights.squares:
        lines.append("        (")
        ranks = [row[first : first + 4] for first in range(0, 64, 8)]
        lines += [f"            {', '.join(f'{worth:.{DIGITS}f}' for worth in rank)}," for rank in ranks]
        lines.append("        ),")
    lines.append("    ),")
    for name in ("attack", "attack_stake", "attack_keeps", "exposed", "exposed_stake", "exposed_keeps"):
        lines.append(f"    {name}=({', '.join(f'{worth:.{DIGITS}f}' for worth in getattr(weights, name))}),")
    lines += [
        f"    {name}={getattr(weights, name):.{DIGITS}f}," for name in ("stake", "stake_against", "genie", "turn")
    ]
    return "\n".join([*lines, ")", ""])
