"""A table whose computers are quick: `python -m tests.support.quick_computers FACES play --players Anne aether:1`.

What they do is what they always do, thought in their own process; only the time they leave people to follow is shorter.
Without faces (`-`) the dice are honest ones.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from captains_table.cli.main import main
from captains_table.table.playing import computer_turn, moment
from tests.support.told_dice import serve

HONEST = "-"
QUIET_MS, TUMBLE_MS, REST_MS, SHOWN_MS = 120, 40, 20, 60
UNWATCHED = 0.1


@contextmanager
def quick_computers(*, is_watched: bool = True) -> Iterator[None]:
    """Let computers wait, tumble and rest for a moment only; for hardly one where nobody watches."""
    share = 1 if is_watched else UNWATCHED
    with (
        patch.object(computer_turn, "QUIET_MS", QUIET_MS),
        patch.object(computer_turn, "TUMBLE_MS", round(TUMBLE_MS * share)),
        patch.object(computer_turn, "REST_MS", round(REST_MS * share)),
        patch.object(moment, "SHOWN_MS", round(SHOWN_MS * share)),
    ):
        yield


def serve_quickly(faces: str, arguments: list[str]) -> int:
    """Run the command with quick computers, and dice that fall as they are told."""
    with quick_computers():
        return main(arguments) if faces == HONEST else serve(faces, arguments)


if __name__ == "__main__":
    sys.exit(serve_quickly(sys.argv[1], sys.argv[2:]))
