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
    ],
}
TAPES["piracy"] += ["press roll"]
TAPES["alone-and-over"] = ["game ship-captain-crew Anne target=10", "dice 6 5 4 6 6", "press roll", "pick stand"]
TAPES["eight-and-over"] = [
    f"game ship-captain-crew {EIGHT} order=seated mode=single",
    *(f"dice 6 5 4 {seat} 1\npress roll\npick stand" for seat in (1, 2, 3, 4, 5)),
    *(f"dice 6 5 4 {seat} 6\npress roll\npick stand" for seat in (1, 2, 3)),
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
