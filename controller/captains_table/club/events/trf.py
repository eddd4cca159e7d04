"""Writes an event as a Tournament Report File of FIDE (TRF26), with the records that programs for TRF16 need too.

In a Swiss event, the records 240 name the players who will be away in the rounds to come, and the players' columns of
the next round say so too: programs that know only TRF16 leave these players out because of the column.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from captains_table import __version__
from captains_table.club.events.entries import WIN, System
from captains_table.club.events.event import ClubEvent
from captains_table.club.events.player_rounds import (
    PlayerRound,
    PlayerRounds,
    counted_rounds,
    pairing_numbers,
    player_rounds,
    total_halves,
)
from captains_table.club.events.standings import standings, tie_breaks_of
from captains_table.club.events.tie_breaks import TIE_BREAK_FORMS
from captains_table.club.events.trf_reading import ANNULLED, EDITION, ROUND_WIDTH, ROUNDS_FROM, SIGNS, BadReport
from captains_table.games.common.short_names import short_names
from captains_table.games.common.time_control import NO_CLOCK, parse_clock, pgn_time_tags

EMPTY: Final[Mapping[int, str]] = {}
SYSTEM_WORDS: Final = {
    System.SWISS: ("Individual: Swiss-System (Dutch)", "FIDE_DUTCH_2026"),
    System.ROUND_ROBIN: ("Individual: Round-Robin", "BERGER_ROUNDROBIN_G{rounds}"),
    System.KEIZER: ("Individual: Keizer", "CUSTOM_SWISS"),
}
"""What the records 092 and 192 say of each system."""
AWAY: Final = "0000 - Z  "
ENCODABLE: Final = re.compile(r"[WB0-9/+:-]+")
"""Matches a time control that the record 222 can hold; it has no form for delays and hourglasses."""
LONGEST_NAME: Final = 33


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
    numbers, history, counted = pairing_numbers(event), player_rounds(event), counted_rounds(event)
    byes = _byes_to_come(event, numbers)
    lines = list(_heading(event, [days.get(round_.number) or round_.day for round_ in event.rounds]))
    lines += [f"240 {sign} {round_:>3} {_listed(absent)}" for (round_, sign), absent in sorted(byes.items())]
    lines += _odd_points(event, history, counted, numbers)
    written = (" ".join(entrant.name.split()) for entrant in event.entrants.values())
    names = dict(zip(event.entrants, short_names(tuple(written), LONGEST_NAME, len), strict=True))
    places = {line.player: line.place for line in standings(event)}
    for player, number in numbers.items():
        rating, points = event.entrants[player].rating or "", total_halves(counted[player]) / WIN
        known = f"{names[player]:<33} {rating:>4}     {fide_ids.get(player, ''):>11}"
        rounds = "".join(_round(turnout, numbers) for turnout in history[player])
        is_away = any(number in absent for (round_, _), absent in byes.items() if round_ == event.next_round)
        rounds = f"{rounds}{AWAY if is_away else ''}".ljust(ROUND_WIDTH * event.rounds_planned)
        lines.append(f"001 {number:>4}      {known}            {points:4.1f} {places[player]:>4}  {rounds}")
    return "".join(f"{line}\n" for line in lines)


def _heading(event: ClubEvent, days: Sequence[str]) -> Iterator[str]:
    """Yield the event's settings as records; `days` has the date of each paired round, empty if unknown."""
    made, count = event.made, len(event.entrants)
    words, code = SYSTEM_WORDS[made.system]
    colour, older_colour = ("W", "white1") if made.number_one_begins else ("B", "black1")
    controls = list(pgn_time_tags(parse_clock(made.options.get("clock", NO_CLOCK))).values())
    control = f"W{controls[0]}-B{controls[1]}" if len(controls) > 1 else "".join(controls)
    records = {
        "012": " ".join(made.title.split()),
        "022": made.place,
        "032": made.federation,
        "042": "".join(days[:1]),
        "052": "".join(days[event.rounds_planned - 1 :]),
        "062": count,
        "072": count,
        "092": words,
        "XXR": event.rounds_planned,
        "XXC": older_colour,
        f"{'132':<{ROUNDS_FROM - 1}}": "".join(f"{day[2:]:<{ROUND_WIDTH}}" for day in days).rstrip(),
        "142": event.rounds_planned,
        "152": colour,
        "182": f"Captain's Table {__version__}",
        "192": code.format(rounds=made.rounds),
        "202": ",".join(TIE_BREAK_FORMS[tie_break].code for tie_break in tie_breaks_of(event)),
        "222": control if ENCODABLE.fullmatch(control) else "",
    }
    yield from (f"{code} {said}" for code, said in records.items() if said != "")
    if made.system is not System.KEIZER:
        yield f"{EDITION}{event.edition}"


def _byes_to_come(event: ClubEvent, numbers: Mapping[int, int]) -> dict[tuple[int, str], list[int]]:
    """Return who misses the rounds to come of a Swiss: pairing numbers by the round and its sign, H or Z."""
    found: dict[tuple[int, str], list[int]] = {}
    rounds = range(event.next_round, event.rounds_planned + 1) if event.made.system is System.SWISS else ()
    for number, entrant in product(rounds, event.entrants.values()):
        if not entrant.plays(number):
            half = entrant.sits_out.get(number, False) and not entrant.is_away(number)
            found.setdefault((number, "H" if half else "Z"), []).append(numbers[entrant.number])
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


def _round(turnout: PlayerRound, numbers: Mapping[int, int]) -> str:
    """Return the columns of a player's round: the opponent's number, the colour and the sign of the result."""
    sign = SIGNS.get((turnout.how, turnout.halves), "Z")  # any other round gives no point
    if not turnout.opponents:
        return f"0000 - {sign}  "
    return f"{numbers[turnout.opponents[0]]:>4} {'w' if turnout.began else 'b'} {sign:1}  "
