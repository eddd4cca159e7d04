"""Divides the players of an event into groups for a round, so that few players meet again.

The sizes of the groups differ by one at most. Repeated meetings cost most, and each repetition costs more than the one
before. Unequal strength of the groups costs less. A cheap grouping is found by local search from several starting
points: two players of different groups are exchanged as long as an exchange lowers the cost. The starting points depend
only on the players' ranking and the round's number. Within a group, players who had the first seat less often come
first.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from typing import Final

from captains_table.club.events.counting import players_to_pair
from captains_table.club.events.event import ClubEvent
from captains_table.club.events.player_rounds import pairing_numbers, player_rounds, total_halves

BEGINNINGS: Final = 24
MANY: Final = 24  # with more players than this, fewer starting points are tried
FEW_BEGINNINGS: Final = 6
MOST_SWEEPS: Final = 40
DEARER: Final = 6
"""How many times as much each repeated meeting of two players costs as the one before it."""

Group = list[int]


def sizes_of(players: int, most: int) -> tuple[int, ...]:
    """Split players into as few groups as possible; return the sizes, the largest first.

    The sizes differ by at most 1.

    Args:
        players: the number of players.
        most: the maximum size of a group.
    """
    groups = -(-players // most)
    return tuple(players // groups + (place < players % groups) for place in range(groups))


def pair_groups(event: ClubEvent) -> tuple[tuple[int, ...], ...]:
    """Return the groups of the next round, each in seat order: players who had the first seat less often come first.

    Raises:
        CannotPair: fewer than two players take part.
    """
    history, numbers, players = player_rounds(event), pairing_numbers(event), players_to_pair(event)
    ranked = sorted(players, key=lambda player: (-total_halves(history[player]), numbers[player]))
    rounds = ((player, turnout) for player in players for turnout in history[player])
    met = Counter((player, other) for player, turnout in rounds for other in turnout.opponents if player < other)
    began = {player: sum(bool(turnout.began) for turnout in history[player]) for player in players}
    groups = mixed(ranked, sizes_of(len(ranked), event.made.group_size), met, event.next_round)
    return tuple(tuple(sorted(group, key=lambda player: (began[player], numbers[player]))) for group in groups)


def mixed(
    ranked: Sequence[int], sizes: Sequence[int], met: Mapping[tuple[int, int], int], round_number: int
) -> list[Group]:
    """Divide the players into groups of the given sizes, searching for few repeated meetings and equal strength.

    Args:
        ranked: the players, the strongest first.
        sizes: the size of each group.
        met: how often each pair of players has met; the smaller number is first in a pair, and pairs that have not met
            may be missing.
        round_number: the number of the round; the divisions with which the search begins depend on it.
    """
    weighing = _Weighing({player: place for place, player in enumerate(ranked)}, met)
    beginnings = BEGINNINGS if len(ranked) <= MANY else FEW_BEGINNINGS
    found: list[tuple[tuple[int, int], list[Group]]] = []
    for attempt in range(beginnings):
        groups = _improved(_dealt(_beginning(ranked, len(sizes), round_number, attempt), sizes), weighing)
        found.append((weighing.cost(groups), groups))
        if not found[-1][0][0]:
            break  # nobody meets again: it cannot be better
    return min(found, key=lambda each: each[0])[1]


@dataclass(frozen=True, slots=True)
class _Weighing:
    """The cost function of the search for groups.

    Attributes:
        places: each player's place in the ranking, from 0, by the player's number.
        met: how often each pair of players has met, keyed by the pair, the smaller number first; pairs that have not
            met may be missing.
    """

    places: Mapping[int, int]
    met: Mapping[tuple[int, int], int]

    def meetings(self, group: Sequence[int]) -> int:
        """Return the cost of a group's meetings.

        The first meeting of two players is free, and the second costs `DEARER`. Each further meeting costs `DEARER`
        times as much as the previous meeting.
        """
        times = (self.met.get((min(pair), max(pair)), 0) for pair in combinations(group, 2))
        return sum(DEARER**met for met in times if met)

    def inequality(self, group: Sequence[int]) -> int:
        """Return four times the squared difference between a group's strength and the mean for groups of its size.

        The strength is the sum of the players' places. The factor four makes the result a whole number.
        """
        places = sum(self.places[player] for player in group)
        mean_twice = len(group) * (len(self.places) - 1)
        return (2 * places - mean_twice) ** 2

    def cost(self, groups: Sequence[Sequence[int]]) -> tuple[int, int]:
        """Return the cost of a division into groups, as two numbers; the first number is compared first.

        The first number is the cost of repeated meetings (`meetings`) in all groups. The second number is the total
        `inequality` of the groups' strengths.
        """
        return sum(map(self.meetings, groups)), sum(map(self.inequality, groups))


def _beginning(ranked: Sequence[int], groups: int, round_number: int, attempt: int) -> list[int]:
    """Return the players in the order in which they are dealt to groups.

    In the first attempt (0), the ranking is cut into pots of as many players as there are groups, and each pot is
    rotated by its place times the round's number. In later attempts, all players are shuffled; the order depends only
    on the players, the round and the attempt.
    """
    if attempt:
        return sorted(ranked, key=lambda player: sha256(f"{round_number} {attempt} {player}".encode()).digest())
    pots = [list(ranked[start : start + groups]) for start in range(0, len(ranked), groups)]
    return [player for place, pot in enumerate(pots) for player in _turned(pot, place * round_number)]


def _turned(pot: Sequence[int], by: int) -> Sequence[int]:
    shift = by % len(pot)
    return [*pot[shift:], *pot[:shift]]


def _dealt(order: Sequence[int], sizes: Sequence[int]) -> list[Group]:
    """Deal the players one by one to groups of the given sizes.

    Each player joins the group that has the fewest players so far and is not full.
    """
    groups: list[Group] = [[] for _ in sizes]
    for player in order:
        smallest = min(range(len(sizes)), key=lambda place: (len(groups[place]) >= sizes[place], len(groups[place])))
        groups[smallest].append(player)
    return groups


def _improved(groups: list[Group], weighing: _Weighing) -> list[Group]:
    """Exchange players between groups while an exchange lowers the cost, in at most `MOST_SWEEPS` passes.

    The groups are changed in place, and returned.
    """
    for _ in range(MOST_SWEEPS):
        exchanges = sum(_exchange(groups, weighing, one, two) for one, two in combinations(range(len(groups)), 2))
        if not exchanges:
            return groups
    return groups


def _exchange(groups: list[Group], weighing: _Weighing, one: int, two: int) -> bool:
    """Try every exchange of two players between two groups, and make those that lower the cost.

    Return whether any players were exchanged. The groups are changed in place.
    """
    exchanged = False
    for here in range(len(groups[one])):
        for there in range(len(groups[two])):
            before = weighing.cost((groups[one], groups[two]))
            groups[one][here], groups[two][there] = groups[two][there], groups[one][here]
            if weighing.cost((groups[one], groups[two])) < before:
                exchanged = True
            else:
                groups[one][here], groups[two][there] = groups[two][there], groups[one][here]
    return exchanged
