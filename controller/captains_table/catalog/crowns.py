"""The catalog entry of Crowns."""

from typing import Final

from captains_table.catalog.entry import Example, GameEntry, LessonFile, Picture
from captains_table.games.crowns import Crowns
from captains_table.games.crowns.meanings import MEANINGS
from captains_table.phrases import say
from captains_table.players.crowns.appraisal import takes_undefended
from captains_table.players.crowns.notus import NOTUS, bid_shrewdly, play_shrewdly

ENTRY: Final = GameEntry(
    game=Crowns(),
    strategies={"shrewd": play_shrewdly},
    takes_undefended=takes_undefended,
    opponents={NOTUS.key: NOTUS},
    bidders={"shrewd": bid_shrewdly},
    lesson=LessonFile("captains_table.games.crowns", "lesson.toml"),
    picture=Picture("captains_table.catalog", "crowns.svg"),
    sentence=say("Bid for crowns."),
    minutes=35,
    seat_hints=(say("Is White's."), say("Is Black's; seats alternate.")),
    tally_words={name: MEANINGS[f"tally {name}"].words for name in ("value", "level", "cards", "gold")},
    examples=(
        Example("simulate crowns turn_limit=200 --players shrewd,random", "a chess of bids and gold"),
        Example("simulate crowns turn_limit=200 piece1=Cook --players shrewd,shrewd", "the first with a piece"),
    ),
)
