"""The catalog entry of Swashbuckle."""

from typing import Final

from captains_table.catalog.entry import Example, GameEntry, LessonFile, Picture, moves_on_if_seated
from captains_table.games.common.records import RecordRules
from captains_table.games.swashbuckle import Swashbuckle
from captains_table.games.swashbuckle.ranks import captain_begins, honours_of, ranking_of
from captains_table.phrases import say
from captains_table.players.swashbuckle import odds
from captains_table.players.swashbuckle.adviser import SheetMeasure, SwashbuckleAdviser
from captains_table.players.swashbuckle.eurus.player import EURUS
from captains_table.players.swashbuckle.sheet_values import optimum_alone, table_of

ENTRY: Final = GameEntry(
    game=Swashbuckle(),
    adviser=SwashbuckleAdviser(table_of),
    luck=lambda: SheetMeasure(table_of),
    luck_is_known=lambda options: options.get("columns", "1") == "1",  # docs/rules/swashbuckle.md N5
    opponents={EURUS.key: EURUS},
    odds=odds.swashbuckle_odds,
    seats_move_on=moves_on_if_seated,
    optimum_alone=optimum_alone,
    records=RecordRules(
        immaterial_alone=frozenset({"order", "captain", "pillage", "captain_pillage", "challenge", "pirate1"}),
        material=frozenset(
            {"columns", "voluntary_scuttle", "aces_high", "succession_4", "succession_5", "pieces_of_8"}
        ),
        agreed=captain_begins,
        ranking=ranking_of,
        honours=honours_of,
        ranks=lambda options: options.get("columns", "1") == "1",
    ),
    lesson=LessonFile("captains_table.games.swashbuckle", "lesson.toml"),
    picture=Picture("captains_table.catalog", "swashbuckle.svg"),
    sentence=say("Five dice, sixteen boxes."),
    minutes=30,
    examples=(
        Example("odds swashbuckle", "the exact figures of its dice"),
        Example("simulate swashbuckle --players best --matches 5000", "how good the best player is"),
    ),
)
