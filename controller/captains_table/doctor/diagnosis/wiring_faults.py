"""Diagnoses the switches from a walk over the board: dead, stuck and shared ones, and a wrong order of the wiring.

The diagnosis includes the map that corrects the order of lines and squares. `wiring_words` describes a wrong order of
lights too.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from captains_table.games.contract import Shape, Square

Rule = Callable[[Square], Square]
LEAST_OF_A_LINE = 3  # answers of a rank or file that must fit before it counts as reversed; two would be a swap


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is wrong with the switches. All squares are real squares of the board, except the keys of `places`.

    Attributes:
        places: maps every square as the table reads it to the real square.
        dead: the squares whose switch never closed.
        stuck: the squares whose switch is always closed.
        shared: the groups of squares on which a piece closes the same switch.
        wiring: sentences about lines and squares in the wrong order.
    """

    places: Mapping[Square, Square]
    dead: tuple[Square, ...]
    stuck: tuple[Square, ...]
    shared: tuple[tuple[Square, ...], ...]
    wiring: tuple[str, ...]


def diagnose(shape: Shape, answers: Mapping[Square, Square], at_rest: Collection[Square] = ()) -> Diagnosis:
    """Return the diagnosis of a walk over the board.

    Args:
        shape: the board.
        answers: maps each square that was asked for to the square whose switch closed; squares without an answer are
            left out.
        at_rest: the squares whose switch is closed although the board is empty.
    """
    askers: dict[Square, list[Square]] = {}
    for asked in sorted(answers):
        askers.setdefault(answers[asked], []).append(asked)
    shared = tuple(tuple(group) for group in askers.values() if len(group) > 1)
    owners = {read: read if read in group else group[0] for read, group in askers.items()}
    clear = {asked: read for read, asked in owners.items()}
    words, rule = _patterns(shape, clear)
    places = _paired(shape, owners, rule)
    stuck = tuple(sorted(places[read] for read in at_rest))
    dead = tuple(square for square in shape.squares() if square not in answers and square not in stuck)
    return Diagnosis(places, dead, stuck, shared, words)


def wiring_words(shape: Shape, answers: Mapping[Square, Square]) -> tuple[str, ...]:
    """Return sentences about squares that are in the wrong order: first whole lines, then single squares.

    Args:
        shape: the board.
        answers: maps each square to the square that was read in its place.
    """
    return _patterns(shape, answers)[0]


def _paired(shape: Shape, owners: Mapping[Square, Square], rule: Rule) -> dict[Square, Square]:
    """Return a mapping from every switch to its square.

    A square for which no switch closed is assigned the switch that the rule predicts. If that switch is taken, the
    square is assigned the switch of its own name, and if that is taken too, any switch that is left.
    """
    places = dict(owners)
    for choice in (rule, _same):
        for asked in sorted(set(shape.squares()) - set(places.values())):
            if choice(asked) in shape and choice(asked) not in places:
                places[choice(asked)] = asked
    left = sorted(set(shape.squares()) - set(places.values()))
    return places | dict(zip(sorted(set(shape.squares()) - places.keys()), left, strict=True))


def _same(square: Square) -> Square:
    return square


# --- patterns -------------------------------------------------------------------------------------------------------


def _patterns(shape: Shape, answers: Mapping[Square, Square]) -> tuple[tuple[str, ...], Rule]:
    """Return sentences about wrongly ordered lines and squares, and a rule that describes the wrong order.

    The rule maps the square of a piece to the square whose switch the piece closes, as `answers` does for the squares
    that were tested.
    """
    if all(asked == read for asked, read in answers.items()):
        return (), _same
    for words, rule in (*_whole_board(shape), *_exchanged(answers)):
        moved = sum(asked != read for asked, read in answers.items())
        if moved >= LEAST_OF_A_LINE and all(rule(asked) == read for asked, read in answers.items()):
            return words, rule
    return _by_lines(shape, answers)


def _whole_board(shape: Shape) -> list[tuple[tuple[str, ...], Rule]]:
    files, ranks = shape.files - 1, shape.ranks - 1
    return [
        (("The file lines are in reverse order.",), lambda at: Square(files - at.file, at.rank)),
        (("The rank lines are in reverse order.",), lambda at: Square(at.file, ranks - at.rank)),
        (("File and rank lines are both in reverse order: the board is turned round.",),
         lambda at: Square(files - at.file, ranks - at.rank)),
        (("File and rank lines are exchanged: the board is transposed.",), lambda at: Square(at.rank, at.file)),
    ]  # fmt: skip


def _exchanged(answers: Mapping[Square, Square]) -> list[tuple[tuple[str, ...], Rule]]:
    """Explain the answers by exchanged wires of whole files or ranks.

    Return a list with one pair: sentences that name the exchanged lines, and the rule that maps a square to the square
    read in its place. The list is empty if exchanged lines cannot explain the answers.
    """
    files: dict[int, int] = {}
    ranks: dict[int, int] = {}
    for asked, read in answers.items():
        if files.setdefault(asked.file, read.file) != read.file or ranks.setdefault(asked.rank, read.rank) != read.rank:
            return []
    words = [*_line_words("file", files, file_name), *_line_words("rank", ranks, _rank_name)]
    return [(tuple(words), lambda at: Square(files.get(at.file, at.file), ranks.get(at.rank, at.rank)))]


def _line_words(kind: str, lines: Mapping[int, int], name: Callable[[int], str]) -> list[str]:
    words = []
    for line, read in sorted(lines.items()):
        if lines.get(read) == line and line < read:
            words.append(f"The {kind} lines {name(line)} and {name(read)} are exchanged.")
        elif lines.get(read) != line:
            words.append(f"The {kind} line {name(line)} is connected as {name(read)}.")
    return words


def _by_lines(shape: Shape, answers: Mapping[Square, Square]) -> tuple[tuple[str, ...], Rule]:
    """Return sentences about the wrong order of lines and squares, and a rule that maps each square to its switch.

    The first sentences are about reversed ranks and files, the others about single squares. The rule takes only
    reversed ranks and files into account.
    """
    ranks, files = range(shape.ranks), range(shape.files)
    lines = [(f"Row {_rank_name(rank)}", [Square(file, rank) for file in files]) for rank in ranks]
    lines += [(f"Column {file_name(file)}", [Square(file, rank) for rank in ranks]) for file in files]
    rules: dict[Square, Square] = {}
    words: list[str] = []
    for name, line in lines:
        if _is_reversed(line, answers):
            words.append(f"{name} is reversed.")
            rules |= dict(zip(line, reversed(line), strict=True))
    others = {asked: read for asked, read in answers.items() if asked != read and rules.get(asked) != read}
    return (*words, *_single_words(others)), lambda at: rules.get(at, at)


def _is_reversed(line: Sequence[Square], answers: Mapping[Square, Square]) -> bool:
    moved = [(asked, back) for asked, back in zip(line, reversed(line), strict=True) if asked != back]
    known = [(asked, back) for asked, back in moved if asked in answers]
    return len(known) >= LEAST_OF_A_LINE and all(answers[asked] == back for asked, back in known)


def _single_words(others: Mapping[Square, Square]) -> list[str]:
    words = []
    for asked, read in sorted(others.items()):
        if others.get(read) == asked:
            if asked < read:
                words.append(f"{asked} and {read} are swapped.")
        else:
            words.append(f"{asked} is read as {read}.")
    return words


def file_name(file: int) -> str:
    """Return the letter of a file, given the file's number."""
    return str(Square(file, 0))[0]


def _rank_name(rank: int) -> str:
    return str(rank + 1)
