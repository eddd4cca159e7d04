"""The command `verify`: proves that no die of an exported match was tampered with, or tests that the dice are fair."""

import argparse
import sys
from pathlib import Path

from captains_table.cli.arguments import USAGE_ERROR, Commands, add_command


def add(commands: Commands) -> None:
    """Add `verify` to the parser's commands."""
    verify = add_command(
        commands,
        "verify",
        verify_command,
        "captains-table matches export 3 --to match.json && captains-table verify match.json",
        "captains-table verify match.json --digest 0123456789abcdef",
        "captains-table verify --dice",
    )
    what = verify.add_mutually_exclusive_group(required=True)
    what.add_argument("file", type=Path, nargs="?", help="what `matches export` wrote")
    what.add_argument("--dice", action="store_true", help="test a million faces of the dice themselves")
    verify.add_argument(
        "--digest",
        metavar="DIGITS",
        help="the digest that was shown with the result: its first 16 digits, or up to all 64",
    )


def verify_command(arguments: argparse.Namespace) -> int:
    """Verify an exported match and print the verdict; with --dice, test the dice themselves instead.

    The exit code is 1 if the verification or the test fails.
    """
    from captains_table.table.history.verify import BadDigest, NoExport, check_digest, verdict_lines, verify_bytes

    if arguments.dice:
        if arguments.digest is not None:
            print("--digest: expected a match to compare it with, not --dice", file=sys.stderr)
            return USAGE_ERROR
        return dice_command()
    try:
        verdict = verify_bytes(arguments.file.read_bytes())
        if arguments.digest is not None:
            verdict = check_digest(verdict, arguments.digest)
    except OSError as error:
        expected = "expected what `captains-table matches export` wrote"
        wrong = f"{arguments.file}: cannot be read ({error.strerror}): {expected}"
    except BadDigest as error:
        wrong = f"--digest: {error}"
    except NoExport as error:
        wrong = f"{arguments.file}: {error}"
    else:
        print(*verdict_lines(verdict), sep="\n")
        return 0 if verdict.proven else 1
    print(wrong, file=sys.stderr)
    return USAGE_ERROR


def dice_command() -> int:
    """Test the real dice, print the result, and return the exit code: 1 if they failed."""
    from captains_table.runtime.dice_test import TESTED_FACES, fresh_dice, run_dice_test

    print(f"{TESTED_FACES:,} faces of the dice that matches are thrown with, seed and salt fresh:")
    found = run_dice_test(fresh_dice())
    print("  " + "  ".join(f"{side}: {count:,}" for side, count in enumerate(found[0].counts, start=1)))
    for fairness in found:
        print(f"  {fairness}")
    return 0 if all(fairness.passed for fairness in found) else 1
