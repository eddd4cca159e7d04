"""The command `make train`, in which Aether plays against itself and its weights are fitted to the results.

The same seed gives the same weights. For a quick trial, `--rounds N` gives every training pass (`Course`) N rounds.
"""

import argparse
import time
from dataclasses import replace
from pathlib import Path

from captains_table.players.legend.aether import weights
from tests.training.learning import HAND, Course, trained_weights
from tests.training.writing import weights_source

COURSES = (
    Course(rounds=350, depth=2, lambda_=0.6, discount=0.96, ridge=300),
    Course(rounds=350, depth=2, lambda_=0.6, discount=0.96, ridge=300),
    Course(rounds=400, depth=2, lambda_=0.6, discount=0.96, ridge=500),
)
MODULE = Path(weights.__file__)


def main() -> None:
    """Train Aether, and write the weights into the package or into the file that `--out` names."""
    parser = argparse.ArgumentParser(prog="make train", description="Fits Aether's weights in games against itself.")
    parser.add_argument("--seed", type=int, default=1, help="from which all chance comes")
    parser.add_argument("--rounds", type=int, help="how many rounds a course has")
    parser.add_argument("--out", type=Path, default=MODULE, help="where the weights are written")
    asked = parser.parse_args()
    trained, began = HAND, time.monotonic()
    for number, course in enumerate(COURSES, start=1):
        shorter = course if asked.rounds is None else replace(course, rounds=asked.rounds)
        trained = trained_weights(trained, shorter, f"{asked.seed} {number}")
        asked.out.write_text(weights_source(trained), encoding="utf-8")
        print(f"course {number} of {len(COURSES)}: {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
