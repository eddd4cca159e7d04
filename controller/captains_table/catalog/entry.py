"""The type of a game's catalog entry: rules, advisers, computer players, odds, exports, records and more."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Final, NamedTuple

from captains_table.games.common.records import RecordRules, always, never
from captains_table.games.contract import ORDER, Action, Game
from captains_table.players.boreas.opponents import JudgedMove as JudgedMove
from captains_table.players.common.advice import StateAdviser
from captains_table.players.common.bidding import BidStrategy
from captains_table.players.common.luck import Measure
from captains_table.players.common.opponents import DecisionJudge, MoveAdviser, Opponent
from captains_table.players.common.strategies import Below, CaptureJudge, Strategy

STOCKFISH: Final = "stockfish"
"""The key of the UCI engine that is offered without any configuration, where it is installed."""

Remarks = Mapping[int, Sequence[str]]
Writer = Callable[[Sequence[str], Mapping[str, str], Iterable[Action], str, Remarks], str]
StrategyMaker = Callable[[Below], Strategy]
BidderMaker = Callable[[Below], BidStrategy]
StateJudge = Callable[[Any], JudgedMove]


class Export(NamedTuple):
    """A file format in which a game's matches can be exported.

    Attributes:
        write: returns the file's text. Its arguments are the players' names, the options, the actions without those
            that were taken back, the time of the start (ISO 8601), and the remarks, keyed by the index of the action
            that they precede.
        media_type: the file's media type.
    """

    write: Writer
    media_type: str = "text/plain"


class Example(NamedTuple):
    """An example in a command's help: the command line after `captains-table`, and a description (may be empty)."""

    command: str
    words: str


class PackageFile(NamedTuple):
    """A text file in a Python package."""

    package: str
    file: str

    def read(self) -> str:
        """Return the text; raises OSError, ModuleNotFoundError or UnicodeDecodeError if the file cannot be read."""
        return (files(self.package) / self.file).read_text(encoding="utf-8")


class RulesPage(PackageFile):
    """A game's rules as an HTML file in a Python package.

    The file's text is put between the site's header and footer. The file is not a template: braces are plain text.
    """


class LessonFile(PackageFile):
    """The lesson of a game as a TOML file in a Python package (docs/lessons.md)."""


class Picture(PackageFile):
    """A picture of a game as an SVG file in a Python package, about 640 by 280 units and without scripts.

    Pages crop the picture to their own shape: what matters belongs below the middle, and away from the edges.
    """


@dataclass(frozen=True, kw_only=True, slots=True)
class UciDialect:
    """How a game is described to UCI engines, and how their moves become the answers of a seat.

    Attributes:
        position: returns the UCI command `position` that sets up a state.
        moves: returns the ids of the legal moves in a state; an engine must answer with one of them.
        trials: returns the states in which an engine must find a legal move before it may play.
        strategy: returns a player, given the judge of the moves to make, and the same judge without the errors of the
            level, for decisions about draws. Both return a move, and the state's value in hundredths of a pawn.
        settings: returns the UCI options that a state needs. An option that the engine does not have counts as
            `false`.
        variant: the variant's name for engines; empty for chess, which every UCI engine plays.
        definition: returns the file that defines the variant for Fairy-Stockfish; `None` if engines know the variant.
        judge: returns a judge for the review of one match, given a function that asks the engine; `None` if engines'
            values in this game do not follow the chance to win.
        crash_guess: the probable reason if an engine crashes in a trial, as a sentence without a full stop; may be
            empty.
        remedy: how to get an engine that plays the game, as a clause.
    """

    position: Callable[[Any], str]
    moves: Callable[[Any], Collection[str]]
    trials: Callable[[], Sequence[Any]]
    strategy: Callable[[StateJudge, StateJudge], Strategy]
    settings: Callable[[Any], Mapping[str, str]] = lambda _: {}
    variant: str = ""
    definition: Callable[[], str] | None = None
    judge: Callable[[StateJudge], DecisionJudge] | None = None
    crash_guess: str = ""
    remedy: str = "Debian's package stockfish is one"


def moves_on_if_seated(options: Mapping[str, str]) -> bool:
    """Return whether a rematch must seat the players anew (`GameEntry.seats_move_on`).

    This is so if the option `order` is `seated`.
    """
    return options.get(ORDER.name) == "seated"


@dataclass(frozen=True, kw_only=True, slots=True)
class GameEntry:
    """Everything the program knows about a game.

    Attributes:
        game: the rules.
        adviser: returns at once advice on the best answer in a state, or `None` without advice. The attribute is `None`
            if the game has no adviser that answers at once.
        move_adviser: returns advice on the best move after a search. The search is slow, so a table runs it in the
            background during play. The attribute is `None` if the game has no adviser that searches.
        judge: returns a new judge for the review of one match. The judge compares each move with the best move that a
            search finds. The attribute is `None` if moves are not judged by search.
        cost_unit: what the judge's costs are counted in: `points` or `pawns`.
        luck: returns a new measure of luck for one match. The measure returns what a state is worth under best play.
            The attribute is `None` if luck is not measured in the game.
        luck_is_known: returns whether `luck` works under the given options.
        book_moves: returns the first moves that led to a state as books of openings write them. The attribute is `None`
            if no book names the game's openings.
        piece_values: the value of each piece, keyed by White's letter, for the material chart of the review; may be
            empty.
        strategies: the game's own computer players for `simulate`, keyed by name, in addition to `random`, `greedy`,
            `careful` and `best` (the adviser).
        takes_undefended: returns whether a move captures a piece that nobody can capture back; the player `careful`
            makes such moves. The attribute is `None` if the game has no captures.
        opponents: the computer players that can take a seat, keyed as in `--players`.
        uci: how the game is described to UCI engines; `None` if they cannot play it.
        bidders: how the computer players of `simulate` bid in auctions, keyed by the player's name. The default is to
            bid at random (for `random`), or to make the smallest bid that gains something at once (for all others).
        odds: yields the lines that the command `odds` prints; `None` if no odds are known.
        optimum_alone: returns the highest possible expected score of a single player under the given options, or `None`
            if the score for these options is not known. The attribute is `None` if the score is known for no options.
        exports: the export formats, keyed by name, which is also the file extension; JSON is always available.
        seat_hints: sentences for the first, second and further seats, each shown below the field for the player's name
            in the form for a new match; seats without a sentence get none.
        seats_move_on: returns whether, under the given options, the players must change seats for a rematch. Otherwise
            the same player would begin again.
        lesson: the guided first game that teaches the rules; `None` without one.
        picture: the picture on the game's card; the card is plain without one.
        sentence: one short sentence that tells a newcomer what the game is; shown on the card.
        minutes: how long the match that the card starts usually takes, in minutes; 0: unknown, and not shown.
        rules_page: the rules as HTML; built-in games have a template `rules/KEY.html` in the package `web` instead.
        records: how finished matches of the game are counted and compared.
        tally_icons: icons for the small display, keyed by the tally's name: seven rows of five characters with spaces
            between the rows, `#` for a lit pixel and `.` for a dark one.
        tally_words: what a tally means, keyed by the tally's name; pages show it for the pointer. If
            it has no "total", the last tally is what the scores of the game count, such as gold.
        examples: examples for the commands' help.
    """

    game: Game[Any]
    adviser: StateAdviser | None = None
    move_adviser: MoveAdviser | None = None
    judge: Callable[[], DecisionJudge] | None = None
    cost_unit: str = "points"
    luck: Callable[[], Measure] | None = None
    luck_is_known: Callable[[Mapping[str, str]], bool] = always
    book_moves: Callable[[Any], Sequence[str]] | None = None
    piece_values: Mapping[str, int] = field(default_factory=dict)
    strategies: Mapping[str, StrategyMaker] = field(default_factory=dict)
    takes_undefended: CaptureJudge | None = None
    opponents: Mapping[str, Opponent] = field(default_factory=dict)
    uci: UciDialect | None = None
    bidders: Mapping[str, BidderMaker] = field(default_factory=dict)
    odds: Callable[[], Iterable[str]] | None = None
    optimum_alone: Callable[[Mapping[str, str]], float | None] | None = None
    exports: Mapping[str, Export] = field(default_factory=dict)
    seat_hints: Sequence[str] = ()
    seats_move_on: Callable[[Mapping[str, str]], bool] = never
    lesson: LessonFile | None = None
    picture: Picture | None = None
    sentence: str = ""
    minutes: int = 0
    rules_page: RulesPage | None = None
    records: RecordRules = field(default_factory=RecordRules)
    tally_icons: Mapping[str, str] = field(default_factory=dict)
    tally_words: Mapping[str, str] = field(default_factory=dict)
    examples: Sequence[Example] = ()
