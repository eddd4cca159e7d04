"""An event of a club, played through: entries are written one by one, as the arbiter and the tables would."""

import random
from collections.abc import Callable, Mapping, Sequence

from captains_table.club.events.entries import (
    DRAW,
    LOSS,
    WIN,
    Edition,
    Entered,
    EventEntry,
    Made,
    PairedMatch,
    Reported,
    RoundPaired,
    RoundPublished,
    Ruled,
    System,
    TieBreak,
)
from captains_table.club.events.event import ClubEvent, event_after, event_of
from captains_table.club.events.pairing import next_round
from captains_table.reporting.messages import FinalScore

TITLE = "An evening"
Referee = Callable[[PairedMatch], Sequence[int]]
"""Says how many half points a match counts for each seat."""


class Running:
    """An event with its entries; `write` refuses what cannot follow, as the club does."""

    def __init__(self, entries: Sequence[EventEntry]) -> None:
        self.entries: list[EventEntry] = list(entries)
        self.event: ClubEvent = event_of(entries)

    def write(self, *entries: EventEntry) -> None:
        """Write entries after those that stand."""
        for entry in entries:
            self.event = event_after(self.event, entry)
            self.entries.append(entry)

    def pair(self) -> RoundPaired:
        """Pair the next round and publish it."""
        paired = next_round(self.event, "e1-")
        self.write(paired, RoundPublished(round=paired.round, at_s=1_000 * paired.round))
        return paired

    def rule(self, seated: PairedMatch, *halves: int, played: bool = True) -> None:
        """Let the arbiter say what a match counts."""
        self.write(Ruled(pairing=seated.id, halves=halves, played=played))

    def play_round(self, referee: Referee) -> RoundPaired:
        """Pair a round and let its matches be told by their tables."""
        paired = self.pair()
        for seated in paired.matches:
            if not seated.absent:
                self.tell(seated, ending(referee(seated)))
        return paired

    def tell(
        self, seated: PairedMatch, end: FinalScore | None, rev: int = 1, match: str = "", seats: Sequence[str] = ()
    ) -> None:
        """Let a table tell how a match ended."""
        names = tuple(seats) or tuple(self.event.name(seat) for seat in seated.seats)
        self.write(Reported(pairing=seated.id, match=match or f"seal of {seated.id}", rev=rev, seats=names, ending=end))


def ending(halves: Sequence[int]) -> FinalScore:
    """Return an ending that counts so among two."""
    winner = None if len(set(halves)) == 1 else list(halves).index(max(halves))
    return FinalScore(winner=winner, scores=tuple(halves))


def by_chance(seed: object) -> Referee:
    """Return a referee by whom every match of two ends by chance, the same way for the same seed."""
    rng = random.Random(str(seed))
    return lambda _: rng.choice([(WIN, LOSS), (WIN, LOSS), (DRAW, DRAW), (LOSS, WIN)])


def begun(
    system: System,
    players: int,
    rounds: int,
    group_size: int = 2,
    game: str = "captains-chess",
    edition: Edition | None = None,
    *,
    number_one_begins: bool = True,
) -> Running:
    """Return an event whose players have entered, the best rated first, and of which no round is paired."""
    made = Made(
        title=TITLE,
        game=game,
        system=system,
        rounds=rounds,
        group_size=group_size,
        edition=edition,
        number_one_begins=number_one_begins,
    )
    entered = [
        Entered(player=number, name=f"Player {number}", rating=2000 - 10 * number) for number in range(1, players + 1)
    ]
    return Running([made, *entered])


HALVES = {"1-0": (WIN, LOSS), "0-1": (LOSS, WIN), "½-½": (DRAW, DRAW), "0-0": (LOSS, LOSS)}
FORFEITED = {"+-": (WIN, LOSS), "-+": (LOSS, WIN), "--": (LOSS, LOSS)}
NAMES = ("Anne", "Bart", "Cleo", "Dirk", "Eve", "Floor")


def paired_by_hand(
    rounds: Sequence[Mapping[tuple[int, int], str]],
    byes: Sequence[tuple[int, ...]] = (),
    *,
    system: System = System.SWISS,
    edition: Edition | None = Edition.FIDE_2026,
    tie_breaks: tuple[TieBreak, ...] = (),
    planned: int = 0,
) -> Running:
    """Return an event with these pairings and results (`1-0`, `+-` where nobody came), and who has a bye in each."""
    made = Made(
        title="T",
        game="captains-chess",
        system=system,
        rounds=1 if system is System.ROUND_ROBIN else planned or len(rounds),
        tie_breaks=tie_breaks,
        edition=edition,
    )
    seated = {seat for pairs in rounds for pair in pairs for seat in pair}
    running = Running([made, *(Entered(player=n, name=NAMES[n - 1], rating=2000 - n) for n in sorted(seated))])
    for number, pairs in enumerate(rounds, 1):
        matches = tuple(
            PairedMatch(id=f"{number}-{board}", board=board, seats=pair) for board, pair in enumerate(pairs, 1)
        )
        running.write(RoundPaired(round=number, matches=matches, byes=byes[number - 1] if byes else ()))
        for match, result in zip(matches, pairs.values(), strict=True):
            halves = {**HALVES, **FORFEITED}[result]
            running.write(Ruled(pairing=match.id, halves=halves, played=result in HALVES))
    return running


def all_drawn_but_dirk(edition: Edition | None) -> Running:
    """Return a round robin of four in which Dirk forfeits to Anne and loses to Bart, and all else is drawn."""
    rounds = [{(1, 4): "+-", (2, 3): "½-½"}, {(2, 4): "1-0", (1, 3): "½-½"}, {(1, 2): "½-½", (3, 4): "½-½"}]
    return paired_by_hand(rounds, system=System.ROUND_ROBIN, edition=edition)
