"""Swiss pairings by FIDE's Dutch system: whom the library `caissify-pairings` pairs with whom."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from caissify_pairings import generate_pairings

from captains_table.club.events.colours import Colours, first_begins
from captains_table.club.events.entries import WIN
from captains_table.club.events.event import Event
from captains_table.club.events.may_be_paired import CannotPair
from captains_table.club.events.records import How, Records, Turnout, pairing_numbers, points, records

Met = set[tuple[int, int]]
"""Who has played whom, the smaller number first."""

COLOUR_WORDS: Final = {True: "white", False: "black"}


def pair_swiss(event: Event) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """Return who meets whom in the next round, the first of a pair begins, and who meets nobody.

    The first board comes first: the points of the better of a pair, then those of both, then the better number. Where
    nobody can be paired otherwise, players may begin, or not begin, more often than the rules like.

    Raises:
        CannotPair: fewer than two play, or nobody can be paired without meeting somebody again.
    """
    history, numbers = records(event), pairing_numbers(event)
    players = [number for number, entrant in event.entrants.items() if entrant.plays(event.next_round)]
    if len(players) < 2:  # noqa: PLR2004 - a pair
        raise CannotPair(f"{len(players)} would play round {event.next_round}: expected two at least")
    met = _met(history)
    known = [_as_the_library_has_it(event, history, numbers, player) for player in players]
    for field in (known, [{**player, "color_hist": []} for player in known]):
        pairs, byes = _asked(event, field, met)
        if _is_allowed(players, pairs, byes, met):
            break
    else:
        words = f"round {event.next_round} cannot be paired: everybody left has met"
        raise CannotPair(f"{words}; end {event.made.title!r} here, or let more players enter")
    colours = {player: _colours(history[player], numbers[player]) for player in players}
    begun = [_in_order(colours, pair, number_one_begins=event.made.number_one_begins) for pair in pairs]
    return tuple(sorted(begun, key=lambda pair: _board_order(colours, pair))), byes


def _as_the_library_has_it(event: Event, history: Records, numbers: Mapping[int, int], player: int) -> dict[str, Any]:
    turnouts = history[player]
    return {
        "id": player,
        "name": event.name(player),
        "score": points(turnouts) / WIN,
        "rating": event.entrants[player].rating or 0,
        "starting_number": numbers[player],
        "pairing_number": numbers[player],
        "color_hist": [COLOUR_WORDS[bool(turnout.began)] for turnout in turnouts if turnout.how is How.PLAYED],
        "float_history": [_float(history, turnout, points(turnouts[:place])) for place, turnout in enumerate(turnouts)],
        "bye_count": sum(turnout.how is How.BYE for turnout in turnouts),
        "forfeit_win_count": sum(turnout.how is How.FORFEIT and turnout.halves == WIN for turnout in turnouts),
    }


def _float(history: Records, turnout: Turnout, before: int) -> str:
    """Return where a player was moved to meet somebody: whoever got points for no match floated down."""
    if turnout.how is not How.PLAYED:
        return "down" if turnout.halves else "none"
    other = points(history[turnout.opponents[0]][: turnout.round - 1])
    return "down" if before > other else "up" if before < other else "none"


def _met(history: Records) -> Met:
    """Return who has played whom; who did not come may be met again."""
    return {
        (min(player, other), max(player, other))
        for player, turnouts in history.items()
        for turnout in turnouts
        if turnout.how is How.PLAYED
        for other in turnout.opponents
    }


def _asked(event: Event, field: list[dict[str, Any]], met: Met) -> tuple[list[tuple[int, int]], tuple[int, ...]]:
    """Return whom the library pairs with whom, and who meets nobody."""
    found = generate_pairings(
        system="dutch",
        players=field,
        previous_pairings=met,
        round_number=event.next_round,
        total_rounds=event.rounds_planned,
        initial_color=COLOUR_WORDS[event.made.number_one_begins],
    )
    pairs = [(pairing["white_id"], pairing["black_id"]) for pairing in found if pairing["black_id"] is not None]
    return pairs, tuple(pairing["white_id"] for pairing in found if pairing["black_id"] is None)


def _is_allowed(players: Sequence[int], pairs: Sequence[tuple[int, int]], byes: Sequence[int], met: Met) -> bool:
    """Return whether a round is whole; where its rules leave no way the library lets players meet again, or rest."""
    seated = sorted([*(seat for pair in pairs for seat in pair), *byes])
    again = any((min(pair), max(pair)) in met for pair in pairs)
    return seated == sorted(players) and len(byes) == len(players) % 2 and not again


def _colours(turnouts: Sequence[Turnout], number: int) -> Colours:
    began = tuple(bool(turnout.began) for turnout in turnouts if turnout.how is How.PLAYED)
    return Colours(number, points(tuple(turnouts)), began)


def _in_order(colours: Mapping[int, Colours], pair: tuple[int, int], *, number_one_begins: bool) -> tuple[int, int]:
    one, two = pair
    begins = first_begins(colours[one], colours[two], number_one_begins=number_one_begins)
    return pair if begins else (two, one)


def _board_order(colours: Mapping[int, Colours], pair: tuple[int, int]) -> tuple[int, int, int]:
    """FIDE Handbook C.04.2, D.9."""
    better, other = sorted((colours[seat] for seat in pair), key=lambda player: (-player.halves, player.number))
    return (-better.halves, -better.halves - other.halves, better.number)
