"""Writes an event as a Tournament Report File of FIDE (TRF26), and converts a TRF of any program to event entries.

The library `caissify-pairings` writes the records that TRF16 has too. In a Swiss event, the records 240 name the
players who will be away in the rounds to come, and the players' columns of the next round say so too: programs that
know only TRF16 leave these players out because of the column.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any, Final

import msgspec
from caissify_pairings.trf import write_trf

from captains_table import __version__
from captains_table.club.events.entries import (
    DRAW,
    LOSS,
    WIN,
    Entered,
    EventEntry,
    Made,
    PairedMatch,
    RoundPaired,
    Ruled,
    SatOut,
    System,
    TieBreak,
    Withdrew,
)
from captains_table.club.events.event import CannotBe, ClubEvent, check_tie_breaks, event_of
from captains_table.club.events.player_rounds import (
    How,
    PlayerRound,
    PlayerRounds,
    counted_rounds,
    pairing_numbers,
    player_rounds,
    total_halves,
)
from captains_table.club.events.standings import standings, tie_breaks_of
from captains_table.club.events.tie_breaks import TIE_BREAK_FORMS
from captains_table.club.events.trf_reading import (
    ANNULLED,
    EDITION,
    FORFEITS,
    HALF_POINTS_OF_SIGN,
    ROUND_WIDTH,
    ROUNDS_FROM,
    BadReport,
    PlayerLine,
    ReportedRound,
    TournamentReport,
    is_number,
    read_report,
    read_tie_breaks,
)
from captains_table.games.common.short_names import short_names
from captains_table.games.common.time_control import NO_CLOCK, parse_clock, pgn_time_tags

EMPTY: Final[Mapping[int, str]] = {}
PLAYED_SIGNS: Final = {WIN: "1", DRAW: "=", LOSS: "0"}
FORFEIT_SIGNS: Final = {WIN: "+", LOSS: "-"}
SYSTEM_WORDS: Final = {
    System.SWISS: "Individual: Swiss-System (Dutch)",
    System.ROUND_ROBIN: "Individual: Round-Robin",
    System.KEIZER: "Individual: Keizer",
}
ENCODABLE: Final = re.compile(r"[WB0-9/+:-]+")
"""Matches a time control that the record 222 can hold; it has no form for delays and hourglasses."""

LONGEST_NAME: Final = 33
LONGEST_TITLE: Final = 64
BYES: Final = frozenset({"U", "F"})
AWAY: Final = "Z"
HALF: Final = "H"


def trf_of(event: ClubEvent, fide_ids: Mapping[int, str] = EMPTY, days: Mapping[int, str] = EMPTY) -> str:
    """Return a Swiss, round robin or Keizer event as a TRF26; names of more than 33 characters are shortened.

    Args:
        event: the event.
        fide_ids: the players' FIDE IDs, as far as they are known, by the players' numbers in the club.
        days: the date of each round that was published, as YYYY/MM/DD, by the round's number.

    Raises:
        BadReport: the event is played in groups, which a TRF cannot hold.
    """
    if event.made.system is System.GROUPS:
        raise BadReport("a TRF has matches of two players: groups cannot be written so")
    numbers, history = pairing_numbers(event), player_rounds(event)
    counted, byes = counted_rounds(event), _byes_to_come(event, numbers)
    away = {number for (round_, _), absent in byes.items() if round_ == event.next_round for number in absent}
    places = {line.player: line.place for line in standings(event)}
    written = (" ".join(entrant.name.split()) for entrant in event.entrants.values())
    names = short_names(tuple(written), LONGEST_NAME, len)
    players = [
        {
            "starting_number": numbers[player],
            "name": name,
            "rating": entrant.rating or 0,
            "fide_id": fide_ids.get(player),
            "score": total_halves(counted[player]) / WIN,
            "rank": places[player],
            "results": {turnout.round: _result(turnout, numbers) for turnout in history[player]}
            | ({event.next_round: _nobody(AWAY)} if numbers[player] in away else {}),
        }
        for (player, entrant), name in zip(event.entrants.items(), names, strict=True)
    ]
    played_on = [days.get(round_.number) or round_.day for round_ in event.rounds]
    tournament = {
        "name": " ".join(event.made.title.split()),
        "location": event.made.place,
        "federation": event.made.federation,
        "start_date": "".join(played_on[:1]),
        "end_date": "".join(played_on[event.rounds_planned - 1 :]),
        "system": SYSTEM_WORDS[event.made.system],
        "color_method": "white1" if event.made.number_one_begins else "black1",
    }
    heading, first, rest = f"{write_trf(tournament, players, event.rounds_planned)}\n".partition("001 ")
    records = [*_settings(event, played_on)]
    records += [f"240 {sign} {round_:>3} {_listed(absent)}" for (round_, sign), absent in sorted(byes.items())]
    records += _odd_points(event, history, counted, numbers)
    return "\n".join([f"{heading}{records[0]}", *records[1:], f"{first}{rest}"])


def _settings(event: ClubEvent, days: Iterable[str]) -> Iterator[str]:
    """Yield the event's settings as records; `days` has the date of each paired round, empty if unknown."""
    made = event.made
    dates = "".join(f"{day[2:]:<{ROUND_WIDTH}}" for day in days).rstrip()
    if dates:
        yield f"{'132':<{ROUNDS_FROM}}{dates}"
    yield f"142 {event.rounds_planned}"
    yield f"152 {'W' if made.number_one_begins else 'B'}"
    yield f"182 Captain's Table {__version__}"
    codes = {System.SWISS: "FIDE_DUTCH_2026", System.KEIZER: "CUSTOM_SWISS"}
    yield f"192 {codes.get(made.system, f'BERGER_ROUNDROBIN_G{made.rounds}')}"
    if made.system is not System.KEIZER:
        yield f"202 {','.join(TIE_BREAK_FORMS[tie_break].code for tie_break in tie_breaks_of(event))}"
    controls = list(pgn_time_tags(parse_clock(made.options.get("clock", NO_CLOCK))).values())
    control = f"W{controls[0]}-B{controls[1]}" if len(controls) > 1 else "".join(controls)
    if ENCODABLE.fullmatch(control):
        yield f"222 {control}"
    if made.system is not System.KEIZER:
        yield f"{EDITION}{event.edition}"


def _byes_to_come(event: ClubEvent, numbers: Mapping[int, int]) -> dict[tuple[int, str], list[int]]:
    """Return who misses the rounds to come of a Swiss: pairing numbers by the round and its sign, H or Z."""
    found: dict[tuple[int, str], list[int]] = {}
    rounds = range(event.next_round, event.rounds_planned + 1) if event.made.system is System.SWISS else ()
    for number, entrant in product(rounds, event.entrants.values()):
        if not entrant.plays(number):
            half = entrant.sits_out.get(number, False) and not entrant.is_away(number)
            found.setdefault((number, HALF if half else AWAY), []).append(numbers[entrant.number])
    return found


def _listed(numbers: Iterable[int]) -> str:
    """Return pairing numbers in the columns of TRF26's records."""
    return " ".join(f"{number:>4}" for number in sorted(numbers))


def _odd_points(
    event: ClubEvent, history: PlayerRounds, counted: PlayerRounds, numbers: Mapping[int, int]
) -> Iterator[str]:
    """Yield the records of TRF26 that take the points of annulled matches, and name the players who left."""
    annulled = sorted(numbers[player] for player, entrant in event.entrants.items() if entrant.is_annulled)
    if annulled:
        yield f"{ANNULLED}{' '.join(map(str, annulled))}"
    taken: dict[tuple[int, int], list[int]] = {}
    for player, turnouts in history.items():
        for turnout, kept in zip(turnouts, counted[player], strict=True):
            if kept.halves != turnout.halves:
                taken.setdefault((turnout.round, kept.halves - turnout.halves), []).append(numbers[player])
    for (round_, halves), players in sorted(taken.items()):
        yield f"299{halves / WIN:>14.1f}  {round_:>3} {_listed(players)}"


def _result(turnout: PlayerRound, numbers: Mapping[int, int]) -> dict[str, Any]:
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


def entries_of_trf(text: str, made: Made, prefix: str) -> list[EventEntry]:
    """Return the entries of the event in a TRF; the players keep the numbers that they have in the file.

    Args:
        text: the file.
        made: the settings of the event. Title, system, rounds, who begins, tie-breaks and their edition are taken from
            the file, if it states them.
        prefix: the prefix of the event's matches' ids.

    Raises:
        BadReport: the text is no TRF, or its event cannot be played here.
    """
    report = read_report(text)
    if report.halves_of_bye != WIN:
        raise BadReport("a bye counts no point in this report: it cannot be played on here, where it counts one")
    made = msgspec.structs.replace(made, system=report.system or made.system)
    if report.odd_points and not report.annulled:
        raise BadReport(
            f"line {report.odd_points}: a record 299 gives points that do not follow from results: it cannot be played "
            "on here, where no other points are given"
        )
    heading = msgspec.structs.replace(
        made,
        title=(report.title or made.title)[:LONGEST_TITLE],
        place=(report.place or made.place)[:LONGEST_TITLE],
        federation=(report.federation or made.federation)[:LONGEST_TITLE],
        rounds=_cycles(report, made.rounds) if made.system is System.ROUND_ROBIN else report.rounds,
        number_one_begins=made.number_one_begins if report.number_one_begins is None else report.number_one_begins,
        tie_breaks=_tie_breaks(report, made),
        edition=report.edition or made.edition,
    )
    entries: list[EventEntry] = [heading]
    entries += [
        Entered(player=number, name=_name(report, number), rating=_rating(report.players[number]))
        for number in sorted(report.players)
    ]
    for number in range(1, report.paired + 1):
        entries += _away_from(report, number, heading)
        entries += _round(report, number, f"{prefix}{number}-", made.system)
    for number in range(report.paired + 1, heading.rounds + 1):
        entries += _away_from(report, number, heading)
    entries += [Withdrew(player=player, annuls=True) for player in sorted(report.annulled)]
    try:
        event_of(entries)
    except CannotBe as error:
        raise BadReport(f"this report cannot be played on: {error}") from error
    return entries


def _name(report: TournamentReport, number: int) -> str:
    """Return a player's name, with the player's number if an earlier player has the same name."""
    name = report.players[number].name
    is_taken = any(other < number and player.name == name for other, player in report.players.items())
    return f"{name} ({number})" if is_taken else name


def _rating(player: PlayerLine) -> int | None:
    """Return a player's rating; `None` if it is 0 or has no digit.

    Raises:
        BadReport: the rating has a digit, but is no whole number.
    """
    if not any(map(str.isdigit, player.rating)):
        return None
    if not is_number(player.rating):
        raise BadReport(f"line {player.line}: {player.rating!r} is no rating: expected a whole number, or none")
    return int(player.rating) or None


def _cycles(report: TournamentReport, expected: int) -> int:
    """Return the number of cycles in which all players meet: 2 if the rounds are too many for one, else `expected`."""
    once = len(report.players) - 1 + len(report.players) % 2
    return 2 if report.rounds > once else expected


def _tie_breaks(report: TournamentReport, made: Made) -> tuple[TieBreak, ...]:
    """Return the tie-breaks that a report names.

    If the report names none, or names one that is unknown or not allowed here, return those of `made`.
    """
    try:
        named = read_tie_breaks(report.tie_breaks)
        check_tie_breaks(made.system, report.edition or made.edition, named)
    except ValueError:
        return made.tie_breaks
    return named or made.tie_breaks


def renumbered(entry: EventEntry, numbers: Mapping[int, int]) -> EventEntry:
    """Return an entry of a report with the club's player numbers.

    `numbers` maps a player's number in the report to the player's number in the club.
    """
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


def _away_from(report: TournamentReport, number: int, made: Made) -> Iterator[EventEntry]:
    """Yield the entries that state who is absent from a round of a Swiss event; yield none in other systems.

    A player with sign Z in this round and in every later one withdraws before the first round of this absence. The last
    of these rounds is the next one to be paired, or the last one of the event if the report has records 240. In any
    other case of absence, the player sits the round out.

    Raises:
        BadReport: a player has a result other than H or Z for a round that is not paired.
    """
    if made.system is not System.SWISS or number > made.rounds:
        return
    last = made.rounds if report.announces_byes else min(report.paired + 1, made.rounds)
    for player in sorted(report.players):
        if not _absence(report, player, number):
            if number > report.paired and number in report.players[player].results:
                given = f"player {player} has a full point for it already"
                raise BadReport(f"round {number} is not paired, but {given}: expected H or Z")
            continue
        gone = last + 1  # the first round of an absence that lasts to the end
        while gone > 1 and _absence(report, player, gone - 1) == AWAY:
            gone -= 1
        if number < gone or gone > report.paired + 1:
            yield SatOut(player=player, round=number, half=_absence(report, player, number) == HALF)
        elif number == gone:
            yield Withdrew(player=player)


def _absence(report: TournamentReport, player: int, number: int) -> str:
    """Return the sign of a round that a player misses: H (half-point bye) or Z (absent).

    Return "" if the player has a match or a full-point bye, or if the round is not paired yet and nothing is stated.
    """
    result = report.players[player].results.get(number)
    if result is None:
        return AWAY if number <= report.paired else ""
    return result.sign if result.sign in {HALF, AWAY} else ""


def _round(report: TournamentReport, number: int, prefix: str, system: System) -> Iterator[EventEntry]:
    """Yield the pairing of a round, then a ruling for each of its matches that has a result.

    Raises:
        BadReport: the round has no pair, two players' lines contradict each other, or a bye is not allowed.
    """
    results = {
        player: said.results[number] for player, said in sorted(report.players.items()) if number in said.results
    }
    pairs, byes = [], []
    for player in sorted(report.players):
        result = results.get(player, ReportedRound(None, None, AWAY))
        if result.opponent is None:
            if system is System.ROUND_ROBIN and result.sign != AWAY:
                said = f"{result.sign!r} of player {player}"
                raise BadReport(f"round {number}: {said}: expected Z, a free round counts nothing")
            if system is System.ROUND_ROBIN or result.sign in BYES:
                byes.append(player)
        elif results.get(result.opponent, ReportedRound(None, None, AWAY)).opponent != player:
            missed = f"but {result.opponent} did not meet player {player}"
            raise BadReport(f"round {number}: player {player} met {result.opponent}, {missed}")
        elif _begins(player, result, results):
            pairs.append((player, result.opponent))
    if not pairs:
        raise BadReport(f"round {number} has no pair")
    matches = tuple(PairedMatch(id=f"{prefix}{board}", board=board, seats=pair) for board, pair in enumerate(pairs, 1))
    yield RoundPaired(round=number, matches=matches, byes=tuple(byes), day=report.days.get(number, ""))
    for seated in matches:
        signs = [results[seat].sign for seat in seated.seats]
        if "" not in signs:
            played = not FORFEITS & set(signs)
            halves = tuple(HALF_POINTS_OF_SIGN[sign] for sign in signs)
            yield Ruled(pairing=seated.id, halves=halves, played=played, why="as the report says")


def _begins(player: int, result: ReportedRound, results: Mapping[int, ReportedRound]) -> bool:
    """Return whether a player has the first seat of a pair; False without an opponent.

    The colour in the player's line decides. If it is missing, the colour in the opponent's line decides. If both are
    missing, the player with the lower number has the first seat.
    """
    if result.begins is not None or result.opponent is None:
        return bool(result.begins)
    other = results[result.opponent].begins
    return player < result.opponent if other is None else not other
