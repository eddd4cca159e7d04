"""The command `verify`: that no die of an exported match was touched, and that the dice are fair."""

import argparse
import sys
from pathlib import Path

from captains_table.cli.arguments import USAGE_ERROR, Commands, add_command


def add_verify(commands: Commands) -> None:
    """Add `verify` to the parser's commands."""
    verify = add_command(
        commands,
        "verify",
        "prove that no die of an exported match was touched",
        "captains-table matches export 3 --to match.json && captains-table verify match.json",
        "captains-table verify --dice",
    )
    what = verify.add_mutually_exclusive_group(required=True)
    what.add_argument("file", type=Path, nargs="?", help="what `matches export` wrote")
    what.add_argument("--dice", action="store_true", help="test a million faces of the dice themselves")
    verify.set_defaults(do=verify_command)


def verify_command(arguments: argparse.Namespace) -> int:
    """Prove that no die of an exported match was touched."""
    import json

    from captains_table.table.history.verify import verify_export

    if arguments.dice:
        return dice_command()
    try:
        text = arguments.file.read_text(encoding="utf-8")
    except OSError as error:
        expected = "expected what `captains-table matches export` wrote"
        print(f"{arguments.file}: cannot be read ({error.strerror}): {expected}", file=sys.stderr)
        return USAGE_ERROR
    except UnicodeDecodeError as error:
        print(f"{arguments.file}: is no export of a match ({error}): expected JSON", file=sys.stderr)
        return USAGE_ERROR
    try:
        value = json.loads(text, object_pairs_hook=_object_of)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()  # refuses halves of characters, and no numbers
        verdict = verify_export(value)
    except (ValueError, RecursionError) as error:
        print(f"{arguments.file}: is no export of a match ({error}): expected JSON", file=sys.stderr)
        return USAGE_ERROR
    print(verdict.words, *verdict.remarks, sep="\n")
    for name in ("entry", "expected", "found"):
        if not verdict.proven and getattr(verdict, name) is not None:
            print(f"{name}: {getattr(verdict, name)}")
    return 0 if verdict.proven else 1


def _object_of(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object of JSON; raises ValueError where a key comes twice, of which readers see one or the other."""
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"{next(key for key in keys if keys.count(key) > 1)!r} comes twice in one object")
    return value


def dice_command() -> int:
    """Put the real dice to the test and print what came of it; 1 if they failed."""
    from captains_table.runtime.dice_test import FACES, fresh_dice, run_dice_test

    print(f"{FACES:,} faces of the dice that matches are thrown with, seed and salt fresh:")
    found = run_dice_test(fresh_dice())
    print("  " + "  ".join(f"{side}: {count:,}" for side, count in enumerate(found[0].counts, start=1)))
    for fairness in found:
        print(f"  {fairness}")
    return 0 if all(fairness.passed for fairness in found) else 1
