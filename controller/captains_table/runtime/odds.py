"""What `captains-table odds GAME` prints: exact figures of a game's dice, as fractions where they are small."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement

from captains_table.catalog import SWASHBUCKLE_VOLUNTARY, sheet_values
from captains_table.games.common.dice import roman
from captains_table.games.swashbuckle.boxes import BOXES, PIRACY, is_for_piracy, points, title_of
from captains_table.players.common.cargo_solver import (
    DICE,
    THROWS,
    FreeHold,
    before_first_throw,
    cargo_dice,
    chance_of_at_least,
    crew_dice,
    stop_or_throw,
)
from captains_table.players.common.hold_solver import FACES, dice_multisets
from captains_table.players.ship_captain_crew.berths_solver import BOTH, EACH, NEVER, CargoOdds, crew_chances

LARGEST_DENOMINATOR = 10**12
LABEL_WIDTH = 46


class NoOdds(LookupError):  # noqa: N818 - named by its condition
    """A game has no odds."""


def odds_lines(game: str) -> list[str]:
    """Return the exact figures of a game, by its key; raises NoOdds."""
    if game not in ODDS:
        raise NoOdds(f"no odds are known for {game!r}: expected one of {', '.join(ODDS)}")
    return list(ODDS[game]())


def _figure(label: str, value: Fraction) -> str:
    """Return a line with a figure: nine decimals, and the fraction where it is small."""
    fraction = f"  = {value}" if value.denominator <= LARGEST_DENOMINATOR else ""
    return f"{label:{LABEL_WIDTH}} {float(value):14.9f}{fraction}"


# --- Ship, Captain and Crew -----------------------------------------------------------------------------------------


def _ship_captain_crew() -> Iterator[str]:
    yield "Ship, Captain and Crew: a turn of three throws"
    chances = crew_chances()
    for throw, chance in enumerate(chances, start=1):
        yield _figure(f"chance that the crew is complete on throw {throw}", chance)
    yield _figure("chance of a crew within three", sum(chances, Fraction()))
    ways = (("never throwing the cargo again", NEVER), ("best play, both dice together", BOTH))
    for label, keeps in (*ways, ("best play, single dice too", EACH)):
        yield _figure(f"expected cargo, {label}", CargoOdds(keeps).expected())
    for label, keeps in (("both together", BOTH), ("single dice too", EACH)):
        yield from _cargo_advice(label, CargoOdds(keeps))


def _cargo_advice(label: str, odds: CargoOdds) -> Iterator[str]:
    """Yield what is best with every cargo, by throws left."""
    for left in (2, 1):
        yield f"best with the cargo ({label}), {left} left:"
        best = {cargo: odds.choices(cargo, left)[0] for cargo in combinations_with_replacement(FACES, 2)}
        for kept, words in (((0, 1), "stand on"), ((1,), "keep the higher of"), ((), "throw both of")):
            cargoes = [f"{one}-{two}" for (one, two), choice in best.items() if choice.kept == kept]
            if cargoes:
                yield f"  {words} {', '.join(cargoes)}"


# --- Legend ---------------------------------------------------------------------------------------------------------


def _legend() -> Iterator[str]:
    yield "Legend: five cargo dice, three throws, free keeping"
    yield _figure("best expected cargo a turn", cargo_dice().expected())
    yield _figure("best chance of ship, captain and crew", crew_dice().expected())
    yield "best with crew and cargo, for the greatest expected cargo:"
    for left in (2, 1):
        thrown = {cargo: _cargo_thrown(cargo, left) for cargo in combinations_with_replacement(FACES, 2)}
        for words, wanted in (("stand on", 0), ("throw one of", 1), ("throw both of", 2)):
            cargoes = [f"{one}-{two}" for (one, two), count in thrown.items() if count == wanted]
            if cargoes:
                yield f"  {left} left: {words} {', '.join(cargoes)}"
    yield "Legend die: up to three throws, the third scores no die (L9); any value may move"
    scored = {face: Fraction(face) for face in FACES}
    unscored = dict.fromkeys(FACES, Fraction())
    yield _figure("best expected value scored", before_first_throw(scored, unscored))
    stops = [roman(face) for face in FACES if stop_or_throw(face, THROWS - 1, scored, unscored).stops]
    yield f"after the first throw stop on {', '.join(stops)}; after the second always"
    for face in FACES:
        chances = [chance_of_at_least(face, throws) for throws in range(1, THROWS + 1)]
        yield f"{roman(face):>3} or more within 1, 2, 3 throws: " + ", ".join(str(chance) for chance in chances)


def _cargo_thrown(cargo: tuple[int, int], left: int) -> int:
    return DICE - len(cargo_dice().best((6, 5, 4, *cargo), left).kept)


# --- Swashbuckle ----------------------------------------------------------------------------------------------------


def _swashbuckle() -> Iterator[str]:
    yield "Swashbuckle alone: greatest expected plunder of a whole match"
    for label, table in (
        ("scuttling only where nothing scores", sheet_values()),
        ("scuttling at will (voluntary_scuttle)", sheet_values(SWASHBUCKLE_VOLUNTARY)),
    ):
        yield f"{label:{LABEL_WIDTH}} {table.optimum:14.4f}"
    yield "one turn of three throws for one box alone, best chance that it scores:"
    for box in BOXES:
        yield _figure(f"  {title_of(box)}", _turn_for(partial(_scores, box)))
    yield "the same for the greatest expected points:"
    for box in BOXES:
        if box != PIRACY:
            yield _figure(f"  {title_of(box)}", _turn_for(partial(points, box)))


def _scores(box: str, faces: tuple[int, ...]) -> bool:
    return is_for_piracy(faces) if box == PIRACY else points(box, faces) > 0


def _turn_for(value: Callable[[tuple[int, ...]], int]) -> Fraction:
    """Return what a turn's final dice are worth under the best keeping."""
    return FreeHold([Fraction(value(multiset)) for multiset in dice_multisets(DICE).full]).expected()


ODDS: dict[str, Callable[[], Iterator[str]]] = {
    "legend": _legend,
    "ship-captain-crew": _ship_captain_crew,
    "swashbuckle": _swashbuckle,
}
