"""Views of the dice games, as playing them leads there."""

import io

from captains_table.runtime.tape_player import TapePlayer
from captains_table.table.model.view import View
from captains_table.table.tapes.tape_reader import parse_line

EIGHT = "Anne Bart Cora Dirk Elsa Finn Gwen Hugo"
CREW, BOXES = "game ship-captain-crew Tom Lisa order=seated", "game swashbuckle Anne Bart order=seated"
FULL_BOAT = "dice 1 1 1 3 3; press roll"
FOUR_TWOS = "dice 2 2 2 2 1; press roll"
FIVE_TWOS = "".join(f"dice 2 2 2 2 2; press roll; pick score-{box}; " for box in ("twos", "three-alike", "four-alike"))
CARGOES = ("1 1", "2 1", "3 1", "4 1", "5 1", "1 6", "2 6", "3 6")
LAST = "game ship-captain-crew Anne target=10; dice 6 5 4 6 6; press roll; pick stand"
TAPES = {
    "berths-empty": "game ship-captain-crew Tom Lisa Fred order=seated",
    "berths-filling": f"{CREW}; dice 2 6 2 5 4 3 3; press roll",
    "berths-in-order": f"{CREW}; dice 6 4 2 2 2; press roll",
    "berths-full": f"{CREW}; dice 6 6 5 4 1; press roll",
    "cargo-die-kept": f"{CREW} cargo_dice=each; dice 2 6 5 4 6; press roll; pick throw-again",
    "eight-seats": f"game swashbuckle {EIGHT} order=seated",
    "boxes-best-first": f"{BOXES}; {FULL_BOAT}; press next",
    "six-columns-of-eight": f"game swashbuckle {EIGHT} order=seated columns=6; {FULL_BOAT}",
    "two-columns-of-two": f"{BOXES} columns=2 penalty=1 pirate2=Sunnyseas; dice 1 1 1 3 3 2 2 2 2 5; press roll;"
    " pick score-full-boat-2; pick no-curse; press roll; press next",
    "penalty-called": f"{BOXES} penalty=2; {FULL_BOAT}; pick penalty-1",
    "scuttle-forced": f"game swashbuckle Anne order=seated; {FOUR_TWOS}; pick score-flotsam; {FOUR_TWOS};"
    f" pick score-ones; {FIVE_TWOS}{FOUR_TWOS}",
    "piracy": f"{BOXES}; dice 2 3 4 5 6 6 6 5 4 1; press roll; pick score-piracy; press roll",
    "cursed": f"{BOXES}; {FULL_BOAT}; pick score-full-boat; pick curse-1; +1800 expect seat Bart",
    "last-throw-of-the-cargo": f"{CREW}; dice 6 5 1 1 1 4 2 2 3 6; press roll; press roll; pick throw-again",
    "last-throw-without-a-crew": "game ship-captain-crew Tom Lisa Fred order=seated; dice 6 4 1 1 1 4 1 1 1 4 1 1 1;"
    " press roll; press roll; press roll",
    "last-throw-for-the-start": "game ship-captain-crew Bartholomew Anne; dice 6 5 1 1 1 4 2 2 3 6;"
    " press roll; press roll",
    "last-throw-of-a-box": f"{BOXES}; dice 5 3 4 2 2; press roll; pick score-succession-4; pick no-curse",
    "pressed-in-vain": "game legend Anne Bart; dice 6 5 4 1 1 6; press roll; press roll",
    "last-throw-of-a-treasure": 'game legend Anne Bart "fen=4k3/8/7P/8/8/8/8/4K3 w - - 0 1";'
    " dice 6 5 1 1 1 6 5 1 1 1 6 5 4 2 3 1 3 4; pick roll-cargo; pick throw-again; keep; pick throw-again; keep;"
    " pick roll-legend; pick h6h7; press roll",
    "last-throw-of-the-match": LAST,
    "alone-and-over": f"{LAST}; +1800 expect phase over",
    "eight-and-over": f"game ship-captain-crew {EIGHT} order=seated mode=single; "
    + "".join(f"dice 6 5 4 {cargo}; press roll; pick stand; " for cargo in CARGOES)
    + "+1800 expect phase over",
}


def played(tape: str) -> View:
    """Return what is seen after the lines of a tape; they are separated by semicolons."""
    player = TapePlayer(io.StringIO())
    for text in tape.split(";"):
        line = parse_line(1, text.strip())
        assert line is not None
        assert player.play(line) is None
    return player.view()


DICE_VIEWS = {name: played(tape) for name, tape in TAPES.items()}
