"""A game's entry in the catalog: adviser, computers, odds, exports, records and rules page."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, NamedTuple

from captains_table.games.common.records import RecordRules, always, never
from captains_table.games.contract import ORDER, Action, Game
from captains_table.players.common.advice import Adviser
from captains_table.players.common.bidding import BidStrategy
from captains_table.players.common.luck import Measure
from captains_table.players.common.opponents import Judge, MoveAdviser, Opponent
from captains_table.players.common.strategies import Below, Strategy

Remarks = Mapping[int, Sequence[str]]
Writer = Callable[[Sequence[str], Mapping[str, str], Iterable[Action], str, Remarks], str]
StrategyMaker = Callable[[Below], Strategy]
BidderMaker = Callable[[Below], BidStrategy]


class Export(NamedTuple):
    """A form a game's matches can be written in.

    Attributes:
        write: is given the names, the options, the actions that stand, when the match began, and remarks by the place
            of the action they precede.
        media_type: what a browser is told of the file.
    """

    write: Writer
    media_type: str = "text/plain"


class Example(NamedTuple):
    """A command worth showing in the help: what follows `captains-table`, and what it does."""

    command: str
    words: str


class RulesPage(NamedTuple):
    """A file of HTML in a package: the page's body, shown as it is between the page's own head and foot.

    It is never run as a template: what stands in braces there is text.
    """

    package: str
    file: str

    def read(self) -> str:
        """Return the HTML; raises OSError, ModuleNotFoundError or UnicodeDecodeError where there is none."""
        return (files(self.package) / self.file).read_text(encoding="utf-8")


def moves_on_if_seated(options: Mapping[str, str]) -> bool:
    """Return whether players change seats in a rematch: only where the option `order` seats them as named."""
    return options.get(ORDER.name) == "seated"


@dataclass(frozen=True, kw_only=True, slots=True)
class GameEntry:
    """A game as the house knows it.

    Attributes:
        game: its rules.
        adviser: returns the best answer in a state; `None` where the game has no advice to offer.
        move_adviser: advises on moves, which takes thought: a table has it thought about beside the play.
        judge: returns what judges its moves afterwards by search, new for each match.
        luck: returns what says what a state is worth under best play, new for each match; `None` where nothing does.
        luck_is_known: returns whether it does so under some options.
        piece_values: what the pieces are worth, by White's letter, where the material is worth a look afterwards.
        strategies: computer players of its own for `simulate`, beside `random`, `greedy`, and `best` (the adviser).
        opponents: computers that may sit on a seat in place of a person, by what they are called in `--players`.
        bidders: how computer players bid in its auctions, by the player's name; whoever is left out bids at random
            (`random`), or the least that gains him anything at once.
        odds: yields the lines that `odds` prints.
        optimum_alone: returns the greatest expected total of a player alone under some options, if it is known.
        exports: how its matches are written, by the form's name, which is the file's ending too; JSON is there anyway.
        seat_hints: for each seat a sentence that the form for a new match shows below its name.
        seats_move_on: returns whether, under some options, a rematch begins with the second player: whoever is named
            first has the first move.
        rules_page: its rules as HTML; a game of the house has a template `rules/KEY.html` in the room `web` instead.
        records: how its finished matches are remembered.
        tally_icons: tallies that the little display draws with a picture: seven rows of five, `#` for a lit dot.
        examples: what the commands' help shows of it.
    """

    game: Game[Any]
    adviser: Adviser | None = None
    move_adviser: MoveAdviser | None = None
    judge: Callable[[], Judge] | None = None
    luck: Callable[[], Measure] | None = None
    luck_is_known: Callable[[Mapping[str, str]], bool] = always
    piece_values: Mapping[str, int] = field(default_factory=dict)
    strategies: Mapping[str, StrategyMaker] = field(default_factory=dict)
    opponents: Mapping[str, Opponent] = field(default_factory=dict)
    bidders: Mapping[str, BidderMaker] = field(default_factory=dict)
    odds: Callable[[], Iterable[str]] | None = None
    optimum_alone: Callable[[Mapping[str, str]], float | None] | None = None
    exports: Mapping[str, Export] = field(default_factory=dict)
    seat_hints: Sequence[str] = ()
    seats_move_on: Callable[[Mapping[str, str]], bool] = never
    rules_page: RulesPage | None = None
    records: RecordRules = field(default_factory=RecordRules)
    tally_icons: Mapping[str, str] = field(default_factory=dict)
    examples: Sequence[Example] = ()
