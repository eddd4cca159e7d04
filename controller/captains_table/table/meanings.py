"""What the things shown at a table mean: each thing has a key, for which its game or the table has a sentence.

A key is a kind and a name, such as `pick done`, `tally cargo` or `piece n`. The kinds: `pick` (an answer), `die`
(`pips`, `roman` or `extra`), `slot`, `tally`, `place`, `piece` (White's letter, small), `thing`, `mark` and `row` (of a
sheet). Kinds without a name: `keep`, `amount`, `bid`, `bell`, `roll`, `press`, `grid` (of moves), `crown` (worn),
`honours`, `target`, `clock`, its `stage` and `delay`, and `computer`.
"""

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Final, NamedTuple

from captains_table.games.common.pieces import kind_name
from captains_table.games.contract import AmountAsk, Auction, Die, KeepAsk, Meaning, parse_square
from captains_table.games.registry import GAMES
from captains_table.phrases import capitalized, computed, computes, noun, say
from captains_table.table.model.view import Mark, Phase, RollOffer, View

OF_TABLE: Final[Mapping[str, Meaning]] = {
    "pick take-back": Meaning(say("Takes the last move back; the pieces go back to where they were.")),
    "pick mask-*": Meaning(say("Reads this square's switch no more: it seems to be broken.")),
    "pick put-right": Meaning(say("The board differs from the match, and you will put the pieces right.")),
    "pick still-moving": Meaning(say("You have not finished your move.")),
    "pick back": Meaning(say("Leaves this question as if it had not been opened.")),
    "pick timers-start": Meaning(say("Lets the time run on that the game master stopped.")),
    "press": Meaning(say("The big button makes what was done last final.")),
    "computer": Meaning(say("A computer plays this seat; the word is its level.")),
    f"mark {Mark.LAST_MOVE}": Meaning(say("The last move: from one of these squares to the other.")),
    f"mark {Mark.SPOKEN_OF}": Meaning(say("The coach speaks of this square.")),
    f"mark {Mark.MAY_MOVE}": Meaning(say("A piece on a bright square may move.")),
    f"mark {Mark.TARGET}": Meaning(say("A piece may go here now.")),
    f"mark {Mark.PUT_HERE}": Meaning(say("A piece is missing here: put it on this square.")),
    f"mark {Mark.TAKE_AWAY}": Meaning(say("A piece too many stands here: take it off this square.")),
    f"mark {Mark.FAULTY}": Meaning(say("The switch of this square is out of order; the table does without it.")),
}
"""The table's own sentences, for everything that a game does not explain."""


class Shown(NamedTuple):
    """A thing that displays show: its key, and its name in a few words."""

    key: str
    label: str


def meaning_of(game: str, key: str) -> Meaning | None:
    """Return what a key means in a game, given by its own key; `None` if neither the game nor the table explains it."""
    own = GAMES[game].meanings if game in GAMES else {}
    for meanings in (own, OF_TABLE):
        found = next((each for pattern, each in meanings.items() if fnmatchcase(key, pattern)), None)
        if found is not None:
            return found
    return None


def meanings_at(view: View, place: str) -> list[Meaning]:
    """Return what a thing at a place means; empty if nothing is known of it.

    Args:
        view: what displays show.
        place: a key, or a place that may hold several things: `square e4`, `roll`, or, counted from 1, `die 3`,
            `slot 1`, `row 2`, or `place 2` (where the second player is).
    """
    found = (meaning_of(view.game, key) for key in _keys_at(view, place))
    return list(dict.fromkeys(each for each in found if each is not None))


def _keys_at(view: View, place: str) -> Iterable[str]:
    kind, _, name = place.partition(" ")
    if kind == "square":
        square = parse_square(name)
        piece, mark = view.pieces.get(square), view.marks.get(square)
        things = (f"thing {thing}" for thing in view.things.get(square, ()))
        return ([f"mark {mark}"] if mark else []) + ([f"piece {piece.lower()}"] if piece else []) + list(things)
    counted = {
        "die": [_key_of_die(die) for die in view.dice],
        "slot": [f"slot {slot.name}" for slot in view.slots],
        "row": [f"row {row.title}" for row in view.sheet],
        "place": [f"place {seat.at.place}" for seat in view.seats],
    }
    if name.isdecimal() and kind in counted:
        return counted[kind][int(name) - 1 : int(name)]
    return [_key_of_roll(view.roll)] if place == "roll" else [place]


def _key_of_roll(roll: RollOffer) -> str:
    """Return what the roll button does now: it picks an option, throws dice, or seals what was done."""
    return f"pick {roll.option}" if roll.option else "roll" if roll.dice or not roll.possible else "press"


def things_shown(view: View) -> list[Shown]:
    """Return everything that is shown and can be explained, each kind of thing once."""
    return list({each.key: each for each in _things(view)}.values())


def cards_due(view: View) -> dict[str, Meaning]:
    """Return what comes up rarely and is possible now, to be told on a card once: meanings, keyed by the cards' titles.

    The result is empty in lessons, and while no person at the table must decide.
    """
    game = GAMES.get(view.game)
    is_asked = view.seat is not None and not view.seats[view.seat].is_absent and view.ask is not None
    is_played = view.phase is Phase.PLAYING and view.coach is None and not view.wrong
    if game is None or not game.cards or not is_played or not is_asked:
        return {}
    keys = [key for key, _ in _things(view)]
    possible = (each for each in game.cards if any(fnmatchcase(key, each) for key in keys))
    return {game.cards[pattern]: game.meanings[pattern] for pattern in possible}


def meanings_shown(view: View) -> dict[str, str]:
    """Return the meaning of everything shown with the number of its rule, keyed by the thing's name."""
    found = {label: meaning_of(view.game, key) for key, label in reversed(things_shown(view))}  # of moves, the first
    told = {label: computed(_with_rule, *each) for label, each in found.items() if each is not None}
    return dict(reversed(told.items()))


@computes
def _with_rule(words: str, rule: str) -> str:
    return f"{words} {rule}".rstrip()


def _things(view: View) -> Iterator[Shown]:
    yield from _answers(view)
    for die in view.dice:
        yield Shown(_key_of_die(die), say("An extra die") if die.extra else _DICE.get(die.kind, say("A die")))
    yield from (Shown(f"slot {slot.name}", _named(slot.name)) for slot in view.slots)
    for seat in view.seats:
        yield from (Shown(f"tally {name}", _named(name)) for name in seat.tallies)
        yield from [Shown(f"place {seat.at.place}", _named(seat.at.place))] if seat.at.place in _PLACES else []
        yield from [Shown("crown", say("A crown that is worn"))] if seat.at.wears else []
        yield from [Shown("honours", seat.honours.words)] if seat.honours.words else []
        yield from [Shown("computer", seat.computer_words)] if seat.computer else []
        yield from [Shown("clock", say("Clock"))] if seat.seconds_left is not None else []
        yield from [Shown("stage", say("Stage of the clock"))] if seat.stage is not None else []
        yield from [Shown("delay", say("Delay"))] if seat.delay_seconds is not None else []
    yield from [Shown("target", say("To go"))] if view.target else []
    yield from (Shown(f"row {row.title}", row.title) for row in view.sheet)
    yield from [Shown("grid", say("How a piece moves"))] if view.movements else []
    yield from (Shown(f"piece {piece.lower()}", capitalized(kind_name(piece))) for piece in view.pieces.values())
    yield from (Shown(f"thing {thing}", _named(thing)) for things in view.things.values() for thing in things)
    yield from (Shown(f"mark {mark}", _LIGHTS[mark]) for mark in view.marks.values())


def _named(name: str) -> str:
    return capitalized(noun(name))


def _answers(view: View) -> Iterator[Shown]:
    """Yield what can be done: the options, dice to keep, a price, bids and the bell, and the roll button."""
    for option in (*view.options, *view.calls):
        if not option.in_vain:
            yield Shown(f"pick {option.id}", A_MOVE if option.on_board else option.label)
    match view.ask:
        case KeepAsk():
            yield Shown("keep", say("Dice that stay"))
        case AmountAsk():
            yield Shown("amount", say("The price"))
        case Auction():
            yield from (Shown("bid", say("A bid")), Shown("bell", say("The bell")))
    if view.takes_bell:
        yield Shown("bell", say("The bell"))
    if view.roll.possible and not view.roll.option:
        yield Shown(_key_of_roll(view.roll), view.roll.label)


def _key_of_die(die: Die) -> str:
    return f"die {'extra' if die.extra else die.kind}"


A_MOVE: Final = say("A move")
"""The name of every move on the board: there are many, and they mean the same."""
_DICE: Final = {"pips": say("A die"), "roman": say("The Legend die")}
_LIGHTS: Final = {
    Mark.LAST_MOVE: say("Light: last move"),
    Mark.SPOKEN_OF: say("Light: spoken of"),
    Mark.MAY_MOVE: say("Light: may move"),
    Mark.TARGET: say("Light: target"),
    Mark.STRIKE: say("Light: strike"),
    Mark.TREASURE: say("Light: treasure"),
    Mark.KING_TAKEN: say("Light: king taken"),
    Mark.PUT_HERE: say("Light: put here"),
    Mark.TAKE_AWAY: say("Light: take away"),
    Mark.NOT_THIS_DIE: say("Light: not this die"),
    Mark.FAULTY: say("Light: faulty"),
}
_PLACES: Final = ("prison", "reserve")
