"""A table whose dice are told: `python -m tests.support.told_dice 654336 play legend` lets these faces fall in turn.

When they are used up they fall again from the first. The seed is always the same. Without faces (`-`) the dice are
honest. Computers leave people little time to follow.
"""

import itertools
import sys
from unittest.mock import patch

from captains_table.cli.main import main
from captains_table.devices.dice_sources import HonestDice
from captains_table.table.history.dice_stream import SEED_BYTES
from tests.support.quick_computers import quick_computers

HONEST = "-"
SEED = bytes(range(SEED_BYTES))


def serve(faces: str, arguments: list[str]) -> int:
    """Run the command with dice that fall as they are told, and quick computers."""
    falling = itertools.cycle(int(face) for face in faces.replace(HONEST, ""))

    def throw(_: HonestDice, count: int) -> tuple[int, ...]:
        return tuple(itertools.islice(falling, count))

    with quick_computers():
        if faces == HONEST:
            return main(arguments)
        with patch.object(HonestDice, "throw", throw), patch.object(HonestDice, "new_seed", lambda: SEED):
            return main(arguments)


if __name__ == "__main__":
    sys.exit(serve(sys.argv[1], sys.argv[2:]))
