"""Events drawn by chance, with all that goes wrong in them, and `tiebreak-core`, which judges their tie-breaks."""

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from tiebreak_core import GameRecord, PlayerTiebreakData, calculate_all_strict, rank_standings_strict

from captains_table.club.events.entries import (
    DRAW,
    LOSS,
    WIN,
    Edition,
    Entered,
    PairedMatch,
    RoundPaired,
    Ruled,
    SatOut,
    System,
    TieBreak,
    Withdrew,
)
from captains_table.club.events.event import ClubEvent
from captains_table.club.events.pairing import pair_round_robin
from captains_table.club.events.player_rounds import How, PlayerRound, player_rounds, total_halves
from captains_table.club.events.tie_breaks import TIE_BREAK_FORMS
from tests.support.club_event import Running, begun

NAMES: Final = {
    TieBreak.BUCHHOLZ: "buchholz",
    TieBreak.BUCHHOLZ_CUT_1: "buchholz_cut1",
    TieBreak.BUCHHOLZ_CUT_2: "buchholz_cut2",
    TieBreak.BUCHHOLZ_MEDIAN_1: "median_buchholz",
    TieBreak.BUCHHOLZ_MEDIAN_2: "median_buchholz_2",
    TieBreak.SONNEBORN_BERGER: "sonneborn_berger",
    TieBreak.DIRECT_ENCOUNTER: "direct_encounter",
    TieBreak.WINS: "wins",
}
"""What the judge calls them."""

NOBODY: Final = -1
RESULTS: Final = ((WIN, LOSS), (WIN, LOSS), (DRAW, DRAW), (LOSS, WIN))
FORFEITS: Final = ((WIN, LOSS), (LOSS, WIN), (LOSS, LOSS))


def drawn_swiss(seed: int, edition: Edition | None = Edition.FIDE_2026) -> Running:
    """Return a Swiss whose pairings are drawn by lot, with forfeits, leavers, late entries and byes of every kind."""
    rng = random.Random(f"swiss {seed}")
    rounds, players = rng.randint(1, 9), rng.randint(4, 16)
    running = begun(System.SWISS, players, rounds, edition=edition)
    for number in range(1, rounds + (rng.random() < 0.8)):  # a fifth of them is not over
        _come_and_go(running, rng, number)
        playing = [player for player, entrant in running.event.entrants.items() if entrant.plays(number)]
        rng.shuffle(playing)
        byes = [playing.pop() for _ in range(len(playing) % 2 + 2 * (rng.random() < 0.1 and len(playing) > 4))]
        pairs = list(zip(playing[::2], playing[1::2], strict=True))
        _play(running, rng, number, pairs, byes)
    return running


def drawn_round_robin(seed: int, edition: Edition | None = Edition.FIDE_2026) -> Running:
    """Return a round robin, played once or twice, with forfeits and leavers, of whom some come back."""
    rng = random.Random(f"round robin {seed}")
    rounds, players = rng.randint(1, 2), rng.randint(3, 9)
    running = begun(System.ROUND_ROBIN, players, rounds, edition=edition)
    planned = running.event.rounds_planned
    for number in range(1, planned + 1 - (rng.random() < 0.2)):
        for player, entrant in running.event.entrants.items():
            if rng.random() < 0.05 and not entrant.is_gone:
                running.write(Withdrew(player=player))
        pairs, byes = pair_round_robin(running.event)
        _play(running, rng, number, pairs, byes)
    return running


def _come_and_go(running: Running, rng: random.Random, number: int) -> None:
    if number > 1 and rng.random() < 0.3:
        new = len(running.event.entrants) + 1
        running.write(Entered(player=new, name=f"Player {new}", rating=1500))
    for player, entrant in running.event.entrants.items():
        if entrant.is_gone:
            continue
        if rng.random() < 0.04:
            running.write(Withdrew(player=player))
        elif rng.random() < 0.1:
            running.write(SatOut(player=player, round=number, half=rng.random() < 0.5))


def _play(
    running: Running,
    rng: random.Random,
    number: int,
    pairs: Sequence[tuple[int, int]],
    byes: Sequence[int],
) -> None:
    matches = [PairedMatch(id=f"{number}-{board}", board=board, seats=pair) for board, pair in enumerate(pairs, 1)]
    running.write(RoundPaired(round=number, matches=tuple(matches), byes=tuple(byes)))
    for seated in matches:
        gone = [running.event.entrants[seat].is_gone for seat in seated.seats]
        if any(gone):
            halves = tuple(LOSS if left else WIN for left in gone)
            running.write(Ruled(pairing=seated.id, halves=halves, played=False))
            continue
        played = rng.random() > 0.12
        running.write(Ruled(pairing=seated.id, halves=rng.choice(RESULTS if played else FORFEITS), played=played))


def judged_values(event: ClubEvent, edition: Edition, tie_breaks: Sequence[TieBreak]) -> dict[int, dict[TieBreak, int]]:
    """Return what the judge counts for each player, on the scale of the program."""
    players = _players(event)
    found = {}
    for number, player in players.items():
        values = calculate_all_strict(player, players, [NAMES[each] for each in tie_breaks], **_rules(event, edition))
        found[number] = {each: int(Fraction(values[NAMES[each]]) * TIE_BREAK_FORMS[each].scale) for each in tie_breaks}
    return found


def judged_order(event: ClubEvent, edition: Edition, tie_breaks: Sequence[TieBreak]) -> list[int]:
    """Return the players in the order of the judge; whom nothing parts by their numbers."""
    ranked = rank_standings_strict(_players(event), [NAMES[each] for each in tie_breaks], **_rules(event, edition))
    return [player.player_id for player in ranked.players]


def _rules(event: ClubEvent, edition: Edition) -> dict[str, Any]:
    """Return the judge's rules: a round robin is known to its edition of 2026 alone, and the same in that of 2024."""
    if event.made.system is System.ROUND_ROBIN:
        return {"total_rounds": event.rounds_planned, "ruleset": "fide-2026", "mode": "round_robin"}
    return {"total_rounds": event.rounds_planned, "ruleset": f"fide-{edition}"}


def _players(event: ClubEvent) -> dict[int, PlayerTiebreakData]:
    all_meet = event.made.system is System.ROUND_ROBIN
    return {
        number: PlayerTiebreakData(
            number,
            event.entrants[number].rating or 0,
            total_halves(turnouts) / WIN,
            [_game(turnout) for turnout in turnouts if not (all_meet and turnout.how is How.BYE)],
        )
        for number, turnouts in player_rounds(event).items()
    }


def _game(turnout: PlayerRound) -> GameRecord:
    kind = {
        How.PLAYED: "played",
        How.FORFEIT: "forfeit_win" if turnout.halves else "forfeit_loss",
        How.BYE: "pairing_bye",
        How.SAT_OUT: "requested_bye",
        How.AWAY: "requested_bye",
    }[turnout.how]
    opponent = turnout.opponents[0] if turnout.opponents else NOBODY
    colour = "white" if turnout.began else "black"
    return GameRecord(opponent, 0, turnout.halves / WIN, colour, turnout.round, kind=kind)
