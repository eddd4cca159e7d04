"""An event as FIDE's Tournament Report File (TRF16), and an event read from one; by the library `caissify-pairings`.

Where a player is known to be away in the next round, that round's column says so already, as arbiters' programs do:
whoever pairs from the file leaves him out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from caissify_pairings.trf import TRFError, parse_trf, write_trf

from captains_table.club.events.entries import (
    DRAW,
    LOSS,
    WIN,
    Entered,
    Entry,
    Made,
    RoundPaired,
    Ruled,
    SatOut,
    Seated,
    System,
    Withdrew,
)
from captains_table.club.events.event import CannotBe, Event, event_of
from captains_table.club.events.records import How, Turnout, pairing_numbers, points, records
from captains_table.club.events.standings import standings

PLAYED_SIGNS: Final = {WIN: "1", DRAW: "=", LOSS: "0"}
FORFEIT_SIGNS: Final = {WIN: "+", LOSS: "-"}
HALVES: Final = {"1": WIN, "W": WIN, "=": DRAW, "D": DRAW, "0": LOSS, "L": LOSS, "+": WIN, "-": LOSS}
SYSTEM_WORDS: Final = {System.SWISS: "Individual: Swiss-System (Dutch)", System.ROUND_ROBIN: "Individual: Round-Robin"}
COLOURS: Final = {"white1": True, "black1": False}
LONGEST_NAME: Final = 33
LONGEST_TITLE: Final = 64
NOT_PLAYED: Final = frozenset({"+", "-"})
BYES: Final = frozenset({"U", "F"})
AWAY: Final = "Z"
HALF: Final = "H"


class BadReport(ValueError):  # noqa: N818 - named by its condition
    """A tournament report cannot be read; the message says what was wrong, and what was expected."""


def trf_of(event: Event) -> str:
    """Return a Swiss or a round robin as a TRF; names of more than 33 characters are cut.

    Raises:
        BadReport: groups cannot be written so.
    """
    if event.made.system is System.GROUPS:
        raise BadReport("a TRF has matches of two players: groups cannot be written so")
    numbers, history = pairing_numbers(event), records(event)
    places = {line.player: order for order, line in enumerate(standings(event), 1)}
    players = [
        {
            "starting_number": numbers[player],
            "name": _field(entrant.name),
            "rating": entrant.rating or 0,
            "score": points(history[player]) / WIN,
            "rank": places[player],
            "results": _results(event, player, history[player], numbers),
        }
        for player, entrant in event.entrants.items()
    ]
    tournament = {
        "name": " ".join(event.made.title.split()),
        "system": SYSTEM_WORDS[event.made.system],
        "color_method": "white1" if event.made.number_one_begins else "black1",
    }
    return f"{write_trf(tournament, players, event.rounds_planned)}\n"


def _field(name: str) -> str:
    return " ".join(name.split())[:LONGEST_NAME].strip()


def _results(
    event: Event, player: int, turnouts: tuple[Turnout, ...], numbers: Mapping[int, int]
) -> dict[int, dict[str, Any]]:
    found = {turnout.round: _result(turnout, numbers) for turnout in turnouts}
    upcoming, entrant = event.next_round, event.entrants[player]
    if not entrant.plays(upcoming) and upcoming <= event.rounds_planned and event.made.system is System.SWISS:
        half = entrant.sits_out.get(upcoming, False) and not entrant.is_away(upcoming)
        found[upcoming] = _nobody(HALF if half else AWAY)
    return found


def _result(turnout: Turnout, numbers: Mapping[int, int]) -> dict[str, Any]:
    match turnout.how:
        case How.BYE:
            return _nobody("U" if turnout.halves else AWAY)
        case How.SAT_OUT | How.AWAY:
            return _nobody(HALF if turnout.halves else AWAY)
    signs = {How.PENDING: {LOSS: ""}, How.PLAYED: PLAYED_SIGNS, How.FORFEIT: FORFEIT_SIGNS}[turnout.how]
    colour = "w" if turnout.began else "b"
    return {"opponent": numbers[turnout.opponents[0]], "color": colour, "result": signs[turnout.halves]}


def _nobody(sign: str) -> dict[str, Any]:
    return {"opponent": None, "color": None, "result": sign}


def entries_of_trf(text: str, made: Made, prefix: str) -> list[Entry]:
    """Return the entries of an event that is read from a TRF; its players are numbered as they are there.

    Args:
        text: the file.
        made: the event it becomes; its title, number of rounds and who begins are those of the file where it has them.
        prefix: what the ids of its matches begin with.

    Raises:
        BadReport: it is none, or not of an event that can be played here.
    """
    try:
        parsed = parse_trf(text)
    except (TRFError, ValueError) as error:  # it takes ² for a digit
        raise BadReport(f"this is no TRF: {error}") from error
    report = _Report.read(parsed)
    tournament = parsed["tournament"]
    heading = Made(
        title=tournament["name"][:LONGEST_TITLE],
        game=made.game,
        options=made.options,
        system=made.system,
        rounds=tournament.get("total_rounds", report.paired) if made.system is System.SWISS else made.rounds,
        forfeit_min=made.forfeit_min,
        number_one_begins=COLOURS.get(tournament.get("color_method", ""), made.number_one_begins),
        tie_breaks=made.tie_breaks,
    )
    entries: list[Entry] = [heading]
    entries += [Entered(player=number, name=name, rating=rating) for number, name, rating in report.entrants()]
    for number in range(1, report.paired + 1):
        entries += report.away_from(number, heading)
        entries += report.round(number, f"{prefix}{number}-")
    entries += report.away_from(report.paired + 1, heading)
    try:
        event_of(entries)
    except CannotBe as error:
        raise BadReport(f"this report cannot be played on: {error}") from error
    return entries


def renumbered(entries: Sequence[Entry], numbers: Mapping[int, int]) -> list[Entry]:
    """Return the entries of an event whose players have these numbers in place of those of the report."""
    return [_renumbered(entry, numbers) for entry in entries]


def _renumbered(entry: Entry, numbers: Mapping[int, int]) -> Entry:
    match entry:
        case Entered() | Withdrew() | SatOut():
            return msgspec.structs.replace(entry, player=numbers[entry.player])
        case RoundPaired():
            matches = tuple(
                msgspec.structs.replace(seated, seats=tuple(numbers[seat] for seat in seated.seats))
                for seated in entry.matches
            )
            return msgspec.structs.replace(entry, matches=matches, byes=tuple(numbers[bye] for bye in entry.byes))
    return entry


@dataclass(frozen=True, slots=True)
class _Report:
    """The players of a report by their numbers, each with a result for some of the rounds; how many were paired."""

    players: Mapping[int, Mapping[str, Any]]
    paired: int

    @classmethod
    def read(cls, parsed: Mapping[str, Any]) -> "_Report":
        players = {player["starting_number"]: player for player in parsed["players"]}
        met = [
            number
            for player in players.values()
            for number, result in player["results"].items()
            if result["opponent"] is not None or result["result"] in BYES
        ]
        return cls(players, max(met, default=0))

    def entrants(self) -> Iterator[tuple[int, str, int | None]]:
        """Yield each player's number, name and rating."""
        for number in sorted(self.players):
            yield number, self.players[number]["name"], self.players[number]["rating"] or None

    def away_from(self, number: int, made: Made) -> Iterator[Entry]:
        """Yield what was known before a round: who sits it out, and who has left because he plays none that follows."""
        if made.system is not System.SWISS or number > made.rounds:
            return
        last = min(self.paired + 1, made.rounds)
        for player in sorted(self.players):
            if not self._sign(player, number):
                continue
            if any(self._sign(player, later) != AWAY for later in range(number, last + 1)):
                yield SatOut(player=player, round=number, half=self._sign(player, number) == HALF)
            elif number == 1 or self._sign(player, number - 1) != AWAY:
                yield Withdrew(player=player)

    def _sign(self, player: int, number: int) -> str:
        """Return why a player does not play a round; empty where he does."""
        result = self.players[player]["results"].get(number)
        if result is None:
            return AWAY if number <= self.paired else ""
        if result["opponent"] is not None or result["result"] in BYES:
            return ""
        return HALF if result["result"] in {HALF, "="} else AWAY

    def round(self, number: int, prefix: str) -> Iterator[Entry]:
        """Yield a round that was paired, and what its matches count."""
        results = {
            player: found["results"][number] for player, found in self.players.items() if number in found["results"]
        }
        pairs = [
            (player, result["opponent"])
            for player, result in sorted(results.items())
            if result["opponent"] is not None and result["color"] == "w"
        ]
        self._check(number, results, pairs)
        yield RoundPaired(
            round=number,
            matches=tuple(
                Seated(id=f"{prefix}{board}", board=board, seats=pair) for board, pair in enumerate(pairs, 1)
            ),
            byes=tuple(player for player, result in sorted(results.items()) if self._is_bye(result)),
        )
        for board, pair in enumerate(pairs, 1):
            signs = [results[seat]["result"].upper() for seat in pair]
            if "" not in signs:
                played = not NOT_PLAYED & set(signs)
                halves = tuple(HALVES[sign] for sign in signs)
                yield Ruled(pairing=f"{prefix}{board}", halves=halves, played=played, why="as the report says")

    def _check(self, number: int, results: Mapping[int, Mapping[str, Any]], pairs: list[tuple[int, int]]) -> None:
        """Refuse a round in which somebody's opponent met somebody else, or whose result is none."""
        for player, result in results.items():
            other = result["opponent"]
            if other is None:
                continue
            if (
                other not in results
                or results[other]["opponent"] != player
                or result["color"] == results[other]["color"]
            ):
                raise BadReport(f"round {number}: player {player} met {other}, but {other} did not meet him")
            if result["result"].upper() not in {"", *HALVES}:
                raise BadReport(f"round {number}: {result['result']!r} is no result of player {player}")
        if not pairs:
            raise BadReport(f"round {number} has no pair")

    def _is_bye(self, result: Mapping[str, Any]) -> bool:
        return result["opponent"] is None and result["result"] in BYES
