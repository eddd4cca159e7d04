"""Views of the dice games, as playing them leads there."""

import io

from captains_table.runtime.tape_player import TapePlayer
from captains_table.table.model.view import View
from captains_table.table.tapes.tape_reader import parse_line

EIGHT = "Anne Bart Cora Dirk Elsa Finn Gwen Hugo"
TAPES = {
    "berths-empty": ["game ship-captain-crew Tom Lisa Fred order=seated"],
    "berths-filling": ["game ship-captain-crew Tom Lisa order=seated", "dice 2 6 2 5 4 3 3", "press roll"],
    "berths-in-order": ["game ship-captain-crew Tom Lisa order=seated", "dice 6 4 2 2 2", "press roll"],
    "berths-full": ["game ship-captain-crew Tom Lisa order=seated", "dice 6 6 5 4 1", "press roll"],
    "cargo-die-kept": [
        "game ship-captain-crew Tom Lisa order=seated cargo_dice=each",
        "dice 2 6 5 4 6",
        "press roll",
        "pick throw-again",
    ],
    "eight-seats": [f"game swashbuckle {EIGHT} order=seated"],
    "boxes-best-first": ["game swashbuckle Anne Bart order=seated", "dice 1 1 1 3 3", "press roll", "press next"],
    "six-columns-of-eight": [f"game swashbuckle {EIGHT} order=seated columns=6", "dice 1 1 1 3 3", "press roll"],
    "two-columns-of-two": [
        "game swashbuckle Anne Bart order=seated columns=2 penalty=1 pirate2=Sunnyseas",
        "dice 1 1 1 3 3 2 2 2 2 5",
        "press roll",
        "pick score-full-boat-2",
        "pick no-curse",
        "press roll",
        "press next",
    ],
    "penalty-called": [
        "game swashbuckle Anne Bart order=seated penalty=2",
        "dice 1 1 1 3 3",
        "press roll",
        "pick penalty-1",
    ],
    "scuttle-forced": [
        "game swashbuckle Anne order=seated",
        *(
            f"dice {dice}\npress roll\npick score-{box}"
            for dice, box in (("2 2 2 2 1", "flotsam"), ("2 2 2 2 1", "ones"))
        ),
        *(f"dice 2 2 2 2 2\npress roll\npick score-{box}" for box in ("twos", "three-alike", "four-alike")),
        "dice 2 2 2 2 1",
        "press roll",
    ],
    "piracy": [
        "game swashbuckle Anne Bart order=seated",
        "dice 2 3 4 5 6 6 6 5 4 1",
        "press roll",
        "pick score-piracy",
    ],
    "cursed": [
        "game swashbuckle Anne Bart order=seated",
        "dice 1 1 1 3 3",
        "press roll",
        "pick score-full-boat",
        "pick curse-1",
        "+1800 expect seat Bart",
    ],
    "last-throw-of-the-cargo": [
        "game ship-captain-crew Tom Lisa order=seated",
        "dice 6 5 1 1 1 4 2 2 3 6",
        "press roll",
        "press roll",
        "pick throw-again",
    ],
    "last-throw-without-a-crew": [
        "game ship-captain-crew Tom Lisa Fred order=seated",
        "dice 6 4 1 1 1 4 1 1 1 4 1 1 1",
        *["press roll"] * 3,
    ],
    "last-throw-for-the-start": [
        "game ship-captain-crew Bartholomew Anne",
        "dice 6 5 1 1 1 4 2 2 3 6",
        *["press roll"] * 2,
    ],
    "last-throw-of-a-box": [
        "game swashbuckle Anne Bart order=seated",
        "dice 5 3 4 2 2",
        "press roll",
        "pick score-succession-4",
        "pick no-curse",
    ],
    "pressed-in-vain": [
        "game legend Anne Bart",
        "dice 6 5 4 1 1 6",
        "press roll",
        "press roll",
    ],
    "last-throw-of-a-treasure": [
        'game legend Anne Bart "fen=4k3/8/7P/8/8/8/8/4K3 w - - 0 1"',
        "dice 6 5 1 1 1 6 5 1 1 1 6 5 4 2 3 1 3 4",
        "pick roll-cargo",
        "pick throw-again",
        "keep",
        "pick throw-again",
        "keep",
        "pick roll-legend",
        "pick h6h7",
        "press roll",
    ],
}
TAPES["piracy"] += ["press roll"]
TAPES["last-throw-of-the-match"] = [
    "game ship-captain-crew Anne target=10",
    "dice 6 5 4 6 6",
    "press roll",
    "pick stand",
]
TAPES["alone-and-over"] = [*TAPES["last-throw-of-the-match"], "+1800 expect phase over"]
TAPES["eight-and-over"] = [
    f"game ship-captain-crew {EIGHT} order=seated mode=single",
    *(f"dice 6 5 4 {seat} 1\npress roll\npick stand" for seat in (1, 2, 3, 4, 5)),
    *(f"dice 6 5 4 {seat} 6\npress roll\npick stand" for seat in (1, 2, 3)),
    "+1800 expect phase over",
]


def played(lines: list[str]) -> View:
    """Return what is to be seen after these lines of a tape."""
    player = TapePlayer(io.StringIO())
    for text in "\n".join(lines).splitlines():
        line = parse_line(1, text)
        assert line is not None
        assert player.play(line) is None
    return player.view()


DICE_VIEWS = {name: played(lines) for name, lines in TAPES.items()}
