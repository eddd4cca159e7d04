"""Pairs Keizer events: neighbours in the ranking meet, but not the same two again too soon.

Rules are dropped in this order if a round cannot be paired otherwise: first the bye goes to a higher place among those
who may have it; then the number of rounds without a rematch is lowered one by one, down to 0. Without this rule every
round can be paired, so the rule that spreads the byes is never dropped.
"""

from collections.abc import Iterator, Sequence

import networkx as nx

from captains_table.club.events.colours import Met, met_before
from captains_table.club.events.counting import players_to_pair
from captains_table.club.events.event import ClubEvent
from captains_table.club.events.keizer import keizer_lines, may_have_bye
from captains_table.club.events.player_rounds import How, PlayerRound, PlayerRounds, player_rounds

Pair = tuple[int, int]


def pair_keizer(event: ClubEvent) -> tuple[tuple[Pair, ...], tuple[int, ...]]:
    """Return the pairs of the next round and the players with a bye; in a pair, the first player has the first seat.

    Pairs are in the order of the ranking. Before the first round, players are ranked by rating.

    Raises:
        CannotPair: fewer than two players take part.
    """
    history, there = player_rounds(event), {*players_to_pair(event)}
    ranked = [line.player for line in keizer_lines(event) if line.player in there]
    allowed = may_have_bye(event, history, ranked)
    lowest_first = [(player,) for player in reversed(ranked) if player in allowed]
    for apart in range(event.keizer.rounds_apart, -1, -1):
        barred = met_before(history, since=event.next_round - apart)
        for bye in lowest_first if len(ranked) % 2 else [()]:
            pairs = paired_by_rank([player for player in ranked if player not in bye], barred)
            if pairs:
                return tuple(_in_order(history, *pair) for pair in pairs), bye
    raise AssertionError("without rules on rematches everybody can be paired")


def paired_by_rank(ranked: Sequence[int], barred: Met) -> list[Pair] | None:
    """Return pairs of all players, of whom the higher ranked is first; `None` if there are none without barred ones.

    From the top, each player meets the highest ranked player with whom all others can still be paired.

    Args:
        ranked: the players, the best first; an even number.
        barred: the pairs that may not meet, the smaller number first.
    """
    left, pairs = list(ranked), list[Pair]()
    if not _can_be_paired(left, barred):
        return None
    while left:
        one = left.pop(0)
        other = next(each for each in left if _may_meet(one, each, barred) and _can_be_paired(left, barred, each))
        left.remove(other)
        pairs.append((one, other))
    return pairs


def _may_meet(one: int, two: int, barred: Met) -> bool:
    return (min(one, two), max(one, two)) not in barred


def _can_be_paired(players: Sequence[int], barred: Met, without: int | None = None) -> bool:
    """Return whether all players, without one of them, can be paired so that no barred pair meets."""
    left = [player for player in players if player != without]
    graph = nx.Graph()
    graph.add_edges_from(_allowed(left, barred))
    return 2 * len(nx.max_weight_matching(graph, maxcardinality=True)) == len(left)


def _allowed(players: Sequence[int], barred: Met) -> Iterator[Pair]:
    for place, one in enumerate(players):
        yield from ((one, two) for two in players[:place] if _may_meet(one, two, barred))


def _in_order(history: PlayerRounds, higher: int, lower: int) -> Pair:
    """Return a pair in the order of seats.

    Who had the first seat less often has it; if both had it equally often, who did not have it when they last met;
    else the lower ranked player.
    """
    began = {player: sum(bool(turnout.began) for turnout in _played(history, player)) for player in (higher, lower)}
    last = [turnout for turnout in _played(history, higher) if lower in turnout.opponents][-1:]
    begins = began[higher] < began[lower] or (began[higher] == began[lower] and bool(last) and last[0].began is False)
    return (higher, lower) if begins else (lower, higher)


def _played(history: PlayerRounds, player: int) -> list[PlayerRound]:
    return [turnout for turnout in history[player] if turnout.how is How.PLAYED]
