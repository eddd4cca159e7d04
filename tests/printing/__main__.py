"""`make printing`: plastic and hours that the case takes, estimated from the volumes of its parts."""

from tests.printing.estimate import TILES, built, printed, together


def main() -> None:
    """Print a table for each number of files."""
    for files in TILES:
        model = built(files)
        print(f"{files} files        g     h")
        for kind, part in (printed(model) | {"together": together(model)}).items():
            print(f"{kind:10} {part.grams:6.0f} {part.hours:5.0f}")


if __name__ == "__main__":
    main()
