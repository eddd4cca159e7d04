"""The catalog entry of Ship, Captain and Crew."""

from typing import Final

from captains_table.catalog.entry import Example, GameEntry, LessonFile, Picture, moves_on_if_seated
from captains_table.games.common.records import RecordRules
from captains_table.games.ship_captain_crew import ShipCaptainCrew
from captains_table.phrases import say
from captains_table.players.ship_captain_crew import adviser, berths_solver
from captains_table.players.ship_captain_crew.adviser import CargoMeasure
from captains_table.players.ship_captain_crew.zephyr.player import ZEPHYR

ENTRY: Final = GameEntry(
    game=ShipCaptainCrew(),
    adviser=adviser.advise_on_cargo,
    luck=CargoMeasure,
    opponents={ZEPHYR.key: ZEPHYR},
    odds=berths_solver.ship_captain_crew_odds,
    seats_move_on=moves_on_if_seated,
    records=RecordRules(
        counts_turns=lambda options: options.get("mode", "target") == "target",  # docs/rules/ship-captain-crew.md S5
        immaterial_alone=frozenset({"order", "stake", "finish_round"}),
        material=frozenset({"mode", "target", "cargo_dice"}),
    ),
    lesson=LessonFile("captains_table.games.ship_captain_crew", "lesson.toml"),
    picture=Picture("captains_table.catalog", "ship_captain_crew.svg"),
    sentence=say("Three throws."),
    minutes=5,
    examples=(
        Example("odds ship-captain-crew", ""),
        Example("simulate ship-captain-crew target=30 --players best,greedy,random", ""),
    ),
)
