"""Pairs Swiss events by FIDE's Dutch system: the library `caissify-pairings` pairs, `colours` allocates colours.

If two players of unequal points meet, the library's
own allocation ranks them by pairing number, although A.2 ranks players by points first. So only the pairs are taken
from the library, and the colours are decided by `colours`. The module also converts the players to the library's form,
checks the library's pairs, and puts the pairs in the order of boards (C.04.2, D.9).
"""

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final

from caissify_pairings import generate_pairings

from captains_table.club.events.colours import Colours, Met, colours_of, first_begins, met_before
from captains_table.club.events.counting import CannotPair, players_to_pair
from captains_table.club.events.entries import WIN
from captains_table.club.events.event import ClubEvent
from captains_table.club.events.player_rounds import (
    How,
    PlayerRound,
    PlayerRounds,
    pairing_numbers,
    player_rounds,
    total_halves,
)

logging.getLogger("caissify_pairings.engines.dutch").setLevel(logging.ERROR)  # of several byes: `_is_allowed` refuses

Pairs = tuple[tuple[int, int], ...]
COLOUR_WORDS: Final = {True: "white", False: "black"}


def pair_swiss(event: ClubEvent) -> tuple[Pairs, tuple[int, ...]]:
    """Return the pairs of the next round and the players with a bye; in a pair, the first player has the first seat.

    Pairs are in the order of boards: first by the points of the pair's better player, then by the sum of both players'
    points (the most first), then by the better player's pairing number. If no other pairing is found, players may get
    the same seat more often than the rules for colours allow.

    Raises:
        CannotPair: fewer than two players take part, or no complete pairing without a repeated match was found.
    """
    history, numbers, players = player_rounds(event), pairing_numbers(event), players_to_pair(event)
    met = met_before(history)
    known = [_as_the_library_has_it(event, history, numbers, player) for player in players]
    for field in (known, [{**player, "color_hist": []} for player in known]):
        begins = COLOUR_WORDS[event.made.number_one_begins]
        pairs, byes = pairs_by_library(event, "dutch", field, met, initial_color=begins)
        if _is_allowed(players, pairs, byes, met):
            break
    else:
        words = f"round {event.next_round} cannot be paired: everybody left has met"
        raise CannotPair(f"{words}; end {event.made.title!r} here, or let more players enter")
    colours = {player: colours_of(history[player], numbers[player]) for player in players}
    begun = [_in_order(colours, pair, number_one_begins=event.made.number_one_begins) for pair in pairs]
    return tuple(sorted(begun, key=lambda pair: _board_order(colours, pair))), byes


def _as_the_library_has_it(
    event: ClubEvent, history: PlayerRounds, numbers: Mapping[int, int], player: int
) -> dict[str, Any]:
    turnouts = history[player]
    return {
        "id": player,
        "name": event.name(player),
        "score": total_halves(turnouts) / WIN,
        "rating": event.entrants[player].rating or 0,
        "starting_number": numbers[player],
        "pairing_number": numbers[player],
        "color_hist": [COLOUR_WORDS[bool(turnout.began)] for turnout in turnouts if turnout.how is How.PLAYED],
        "float_history": [
            _float(history, turnout, total_halves(turnouts[:place])) for place, turnout in enumerate(turnouts)
        ],
        "bye_count": sum(turnout.how is How.BYE for turnout in turnouts),
        "forfeit_win_count": sum(turnout.how is How.FORFEIT and turnout.halves == WIN for turnout in turnouts),
    }


def _float(history: PlayerRounds, turnout: PlayerRound, before: int) -> str:
    """Return the direction in which a player floated in a round: "down", "up" or "none".

    A player floats down against an opponent with fewer points, and up against one with more. A round that gives points
    without a played match counts as floating down.

    Args:
        history: every player's rounds.
        turnout: the player's round.
        before: the player's half points before the round.
    """
    if turnout.how is not How.PLAYED:
        return "down" if turnout.halves else "none"
    other = total_halves(history[turnout.opponents[0]][: turnout.round - 1])
    return "down" if before > other else "up" if before < other else "none"


def pairs_by_library(
    event: ClubEvent, system: str, players: list[dict[str, Any]], met: Met, **more: object
) -> tuple[Pairs, tuple[int, ...]]:
    """Return the pairs and the players with a bye that the library computes for the next round.

    Args:
        event: the event.
        system: the library's name of the pairing system.
        players: the players in the form that the library expects.
        met: the pairs of players who have played each other.
        more: further arguments for the library.
    """
    found = generate_pairings(
        system=system,
        players=players,
        previous_pairings=met,
        round_number=event.next_round,
        total_rounds=event.rounds_planned,
        **more,
    )
    pairs = tuple((pairing["white_id"], pairing["black_id"]) for pairing in found if pairing["black_id"] is not None)
    return pairs, tuple(pairing["white_id"] for pairing in found if pairing["black_id"] is None)


def _is_allowed(players: Sequence[int], pairs: Sequence[tuple[int, int]], byes: Sequence[int], met: Met) -> bool:
    """Return whether a round that the pairing library proposes is allowed.

    The round must seat every player once, have a bye only if the number of players is odd, and repeat no match. The
    library proposes repeated matches as a last resort.
    """
    seated = sorted([*(seat for pair in pairs for seat in pair), *byes])
    again = any((min(pair), max(pair)) in met for pair in pairs)
    return seated == sorted(players) and len(byes) == len(players) % 2 and not again


def _in_order(colours: Mapping[int, Colours], pair: tuple[int, int], *, number_one_begins: bool) -> tuple[int, int]:
    one, two = pair
    begins = first_begins(colours[one], colours[two], number_one_begins=number_one_begins)
    return pair if begins else (two, one)


def _board_order(colours: Mapping[int, Colours], pair: tuple[int, int]) -> tuple[int, int, int]:
    """Return the sort key that decides which pair plays on which board (FIDE Handbook C.04.2, D.9).

    The pair with the highest score of a player comes first, then the pair with the highest sum of scores. Among equal
    pairs, the pair whose better player has the lowest number comes first.
    """
    better, other = sorted((colours[seat] for seat in pair), key=lambda player: (-player.halves, player.number))
    return (-better.halves, -better.halves - other.halves, better.number)
