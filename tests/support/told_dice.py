"""A table whose dice are told: `python -m tests.support.told_dice 654336 play legend` lets these faces fall in turn.

When they are used up they fall again from the first. The seed is always the same.
"""

import itertools
import sys
from unittest.mock import patch

from captains_table.cli.main import main
from captains_table.devices.dice_sources import HonestDice
from captains_table.table.history.dice_stream import SEED_BYTES

SEED = bytes(range(SEED_BYTES))


def serve(faces: str, arguments: list[str]) -> int:
    """Run the command with dice that fall as they are told."""
    falling = itertools.cycle(int(face) for face in faces)

    def throw(_: HonestDice, count: int) -> tuple[int, ...]:
        return tuple(itertools.islice(falling, count))

    with patch.object(HonestDice, "throw", throw), patch.object(HonestDice, "new_seed", lambda: SEED):
        return main(arguments)


if __name__ == "__main__":
    sys.exit(serve(sys.argv[1], sys.argv[2:]))
