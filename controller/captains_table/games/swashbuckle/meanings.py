"""What the answers, boxes and tallies of Swashbuckle mean, for players who do not know the rules.

Source: docs/rules/swashbuckle.md.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from captains_table.games.contract import Meaning
from captains_table.games.swashbuckle.sheet import box_title
from captains_table.phrases import say

_BOXES: Final[Mapping[str, Meaning]] = {  # what each box takes
    "ones": Meaning(say("Takes the sum of all ones."), "W11"),
    "twos": Meaning(say("Takes the sum of all twos."), "W11"),
    "threes": Meaning(say("Takes the sum of all threes."), "W11"),
    "fours": Meaning(say("Takes the sum of all fours."), "W11"),
    "fives": Meaning(say("Takes the sum of all fives."), "W11"),
    "sixes": Meaning(say("Takes the sum of all sixes."), "W11"),
    "three-alike": Meaning(say("Three equal dice: takes the sum of all five."), "W11"),
    "four-alike": Meaning(say("Four equal dice: takes the sum of all five."), "W11"),
    "aces-high": Meaning(say("Four ones or more: usually 45 points."), "W11"),
    "full-boat": Meaning(say("Three equal dice and two other equal ones: 25 points."), "W11"),
    "succession-4": Meaning(say("Four in a row, such as 2 3 4 5: usually 30 points."), "W11"),
    "succession-5": Meaning(say("Five in a row: usually 40 points."), "W11"),
    "pieces-of-8": Meaning(say("All five dice together make 8: usually 45 points."), "W11"),
    "flotsam": Meaning(say("Takes the sum of any five dice."), "W11"),
    "piracy": Meaning(say("Five in a row, then all dice once more: that sum, and a victim to raid."), "W6"),
    "swashbuckle": Meaning(say("Five equal dice: 50 points."), "W5"),
}


def _of_boxes() -> Iterator[tuple[str, Meaning]]:
    """Yield the meanings of each box: to fill it, to scuttle it, and its row; a column's number may follow (N5)."""
    for id_, takes in _BOXES.items():
        yield f"pick score-{id_}", takes
        yield f"pick score-{id_}-[0-9]*", takes
        yield f"row {box_title(id_)}", takes


MEANINGS: Final[Mapping[str, Meaning]] = {
    **dict(_of_boxes()),
    "pick scuttle-*": Meaning(say("Gives this box up for good, with 0 points."), "W3"),
    "pick throw-again": Meaning(say("Throws dice of your choice again; three throws a turn are all."), "W2"),
    "pick hornswaggle": Meaning(say("One throw more, once a match; it costs 15 points."), "W4"),
    "pick stand": Meaning(say("Leaves the dice as they are."), "W6"),
    "pick raid-*": Meaning(say("Raids this player: unless agreed otherwise, they lose what you win."), "W6"),
    "pick curse-*": Meaning(say("A curse, once a match: this player throws only four dice next turn."), "W7"),
    "pick no-curse": Meaning(say("Keeps your curse for later."), "W7"),
    "pick take-up": Meaning(say("Begins your sheet of the challenge, all its turns in a row."), "N1"),
    "pick penalty-*": Meaning(say("Calls a penalty on this player; it counts if the player agrees."), "N2"),
    "pick agree": Meaning(say("Takes the penalty that was called on you."), "N2"),
    "pick refuse": Meaning(say("Takes no penalty."), "N2"),
    "keep": Meaning(say("Dice that stay are not thrown this time; a die may be thrown later again."), "W2"),
    "roll": Meaning(say("Throws the dice, three times a turn at most."), "W2"),
    "die pips": Meaning(
        say("In a turn the dice are thrown up to three times, then they fill one box of the sheet."), "W2"
    ),
    "row Subtotal": Meaning(say("The sum of ones to sixes: 68 or more earn the blimey bonus."), "W11"),
    "row Blimey bonus": Meaning(say("45 points if ones to sixes make 68 or more."), "W11"),
    "row Crow's nest tally": Meaning(say("Ones to sixes, and the blimey bonus."), "W11"),
    "row Smooth sailing": Meaning(say("10 points if no box holds 0."), "W11"),
    "row Swashbuckle bonus": Meaning(say("50 points for each further five alike."), "W5"),
    "row Hornswaggle": Meaning(say("The price of the extra throw, 15 points."), "W4"),
    "row Pillaged": Meaning(say("What another player raided from you."), "W6"),
    "row Curse": Meaning(say("Where a curse of yours is written, and whom it hit."), "W7"),
    "row Penalties": Meaning(say("Points for penalties that you agreed to."), "N2"),
    "row Bilge tally": Meaning(say("The ten lower boxes with all that is added and taken below them."), "W11"),
    "row Column's plunder": Meaning(say("What one column brings; all columns together are your plunder."), "N5"),
    "row Total plunder": Meaning(say("Both tallies together: the largest plunder wins."), "W8"),
    "tally nest": Meaning(say("The crow's nest: ones to sixes, and the blimey bonus."), "W11"),
    "tally bilge": Meaning(say("The bilge: the ten lower boxes with all that is added and taken."), "W11"),
    "tally total": Meaning(say("Nest and bilge together: the largest total wins."), "W8"),
    "honours": Meaning(say("A rank earned in earlier matches, by their totals."), "W10"),
}

CARDS: Final[Mapping[str, str]] = {
    "pick curse-*": say("The curse"),
    "pick hornswaggle": say("Hornswaggle"),
    "pick raid-*": say("A raid"),
}
"""What comes up rarely, with the title of the card that tells of it for the first time."""
