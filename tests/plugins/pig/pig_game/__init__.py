"""Pig on nine squares: what the table is told of the game, in one entry."""

from captains_table.catalog import Example, GameEntry, RulesPage
from captains_table.games.common.records import RecordRules
from pig_game.adviser import advise, hold_at
from pig_game.odds import odds
from pig_game.rules import Pig

ENTRY = GameEntry(
    game=Pig(),
    adviser=advise,
    strategies={"hold-at-10": lambda _: hold_at(10), "hold-at-25": lambda _: hold_at(25)},
    odds=odds,
    seat_hints=("Begins, from a1.", "From c3.", "From c1.", "From a3."),
    rules_page=RulesPage("pig_game", "rules.html"),
    records=RecordRules(),
    tally_icons={"turn": "..... .###. ##### #.#.# ##### .#.#. ....."},
    examples=(Example("play pig --players Anne Bart target=50", "a short one"), Example("odds pig", "")),
)
