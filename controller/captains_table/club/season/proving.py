"""Verifies the export that came with a result, and computes the facts about the match that a season remembers."""

import json
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from captains_table import catalog
from captains_table.catalog import GameEntry
from captains_table.club.season.season import MeasuredThrow, ProvenMatch, SeatLuck
from captains_table.games.common.computer_seat import ComputerSeat, NoSuchOpponent
from captains_table.games.common.dice import roman
from captains_table.games.contract import Roll, Rolled
from captains_table.players.common.luck import MatchLuck
from captains_table.records.finished import all_names, counts_turns, turns_of
from captains_table.records.luck import luck_of
from captains_table.reporting.messages import FinalScore, MatchReport
from captains_table.table.history.event_log import dice_words
from captains_table.table.history.export import end_entry
from captains_table.table.history.review import MatchReview
from captains_table.table.history.verify import NoExport, verify_bytes
from captains_table.table.model.entries import JOURNAL_ENTRIES, Entry, MatchEnded, MatchStarted
from captains_table.table.model.match import Match, Step

THROWS_A_SEAT: Final = 5
"""How many lucky and how many unlucky throws of each seat are remembered."""
DIGITS: Final = 3  # decimal places of luck


class Finding(Struct, frozen=True):
    """The result of examining an export.

    Attributes:
        words: what the export proves and who can rely on its dice, or why it proves nothing.
        match: the facts about the match; `None` if the export proves nothing.
    """

    words: str
    match: ProvenMatch | None = None


def examine_export(outcome: MatchReport, export: bytes) -> Finding:
    """Return what an export proves about a result, or why it proves nothing.

    To prove the result, the export must be of the same match, obey the rules, and use the dice that were sealed at the
    start.

    Args:
        outcome: the reported result.
        export: the export that came with the result, as JSON.
    """
    try:
        verdict = verify_bytes(export)
    except NoExport as error:
        return Finding(f"the export {error}")
    if not verdict.proven:
        return Finding(verdict.words)
    entries = [JOURNAL_ENTRIES.from_plain(entry) for entry in json.loads(export)["entries"]]
    started = entries[0]
    assert isinstance(started, MatchStarted)  # noqa: S101 - it was verified
    difference = _difference(outcome, started, entries)
    if difference:
        return Finding(f"the export is of another match: {difference}")
    words = " ".join((f"{verdict.words}.", *verdict.remarks))
    return Finding(words, _remembered(outcome, started, entries))


def _difference(outcome: MatchReport, started: MatchStarted, entries: Sequence[Entry]) -> str:
    """Return the first difference between an export and the result that it came with, in words; empty if there is none.

    The names of computers are not compared.
    """
    ended = end_entry(entries)
    names = all_names(started)
    told: list[tuple[str, object, object]] = [
        ("the seal", outcome.match, started.commitment),
        ("the game", outcome.game, started.game),
        ("the number of players", len(outcome.seats), len(names)),
        ("the result", _result(outcome.ending), _result(ended)),
        *(
            (f"the player of seat {seat + 1}", said, name)
            for seat, (said, name) in enumerate(zip(outcome.seats, names, strict=False))
            if not started.is_program(seat)
        ),
    ]
    return next((f"{what} is {found}, and {said} was told" for what, said, found in told if said != found), "")


def _result(ended: FinalScore | MatchEnded | None) -> str:
    """Return an ending in words, so that a reported ending can be compared with an exported one.

    `None` stands for a match that was abandoned.
    """
    if ended is None:
        return "that it was left"
    winner = "nobody" if ended.winner is None else f"seat {ended.winner + 1}"
    return f"{winner} won, {' : '.join(map(str, ended.scores))}"


def remembered_names(names: Sequence[str], kinds: Sequence[str]) -> tuple[str, ...]:
    """Return the names of a result's players as records show them.

    A computer such as `aether:3` is shown with its name and level in words.

    Args:
        names: the names in seat order.
        kinds: who plays each seat, for example "human" or "computer"; empty if people play all seats.
    """
    return tuple(
        _with_level(name) if seat < len(kinds) and kinds[seat] == "computer" else name
        for seat, name in enumerate(names)
    )


def _with_level(words: str) -> str:
    try:
        return ComputerSeat.parsed(words).words
    except NoSuchOpponent:
        return words


def _remembered(outcome: MatchReport, started: MatchStarted, entries: Sequence[Entry]) -> ProvenMatch:
    entry = catalog.entry_of(started.game)
    match = Match.resumed(entries)
    kinds = ["computer" if started.is_program(seat) else "human" for seat in range(len(outcome.seats))]
    called = [started.seats[seat] if started.is_program(seat) else name for seat, name in enumerate(outcome.seats)]
    names = remembered_names(called, kinds)
    luck, throws = _luck(entry, match)
    return ProvenMatch(
        names=names,
        options=started.options,
        turns=turns_of(match) if counts_turns(entry, names, started.options) else None,
        luck=luck,
        throws=throws,
    )


def _luck(entry: GameEntry, match: Match) -> tuple[tuple[SeatLuck, ...], tuple[MeasuredThrow, ...]]:
    story = MatchReview(match)
    luck = luck_of(entry, story)
    if luck is None:
        return (), ()
    seats = tuple(SeatLuck(round(each.luck, DIGITS), round(each.skill, DIGITS)) for each in luck.seats)
    return seats, _outstanding(story, luck)


def _outstanding(story: MatchReview, luck: MatchLuck) -> tuple[MeasuredThrow, ...]:
    """Return each seat's five luckiest and five unluckiest throws, in the order of the match.

    Throws whose luck is 0 are left out.
    """
    thrown: dict[int, list[tuple[float, int]]] = {}
    for place, (step, worth) in enumerate(zip(story.steps, luck.deeds, strict=True)):
        seat = step.acted.seat
        if worth.luck is not None and seat is not None and isinstance(step.acted.action, Rolled):
            thrown.setdefault(seat, []).append((round(worth.luck, DIGITS), place))
    chosen = {
        (place, seat, value)
        for seat, throws in thrown.items()
        for ranked in (sorted(throws), sorted(throws, key=lambda throw: (-throw[0], throw[1])))
        for value, place in ranked[:THROWS_A_SEAT]
        if value
    }
    return tuple(_throw(story, *each) for each in sorted(chosen))


def _throw(story: MatchReview, place: int, seat: int, value: float) -> MeasuredThrow:
    step = story.steps[place]
    words = str(_thrown_words(story, step)), str(story.game.heading(step.before))  # the club's file is in English
    return MeasuredThrow(seat, value, *words, place)


def _thrown_words(story: MatchReview, step: Step) -> str:
    """Return in words the dice that were thrown, followed by the other dice that lay on the table, if any."""
    turn, action = story.game.turn(step.before), step.acted.action
    assert isinstance(turn, Roll)  # noqa: S101 - dice fell
    assert isinstance(action, Rolled)  # noqa: S101 - as above
    fell = dice_words(story.game, step.before, action.faces).removeprefix("throws ")
    lay = [
        roman(die.face) if die.kind == "roman" else str(die.face)
        for number, die in enumerate(story.game.dice(step.before), 1)
        if number not in turn.dice and die.face is not None
    ]
    return f"{fell} beside {' '.join(lay)}" if lay else fell
