"""Everything about a game beside its rules, one `GameEntry` a game; every room above the table looks here.

A game of the house is one entry in `ENTRIES`; all it must name is the rules. A plug-in brings its own entry (see
`process.plugins`). Whoever imports this module fills `games.registry`, from which the pure rooms know the rules.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Any, Final, NamedTuple

from captains_table.games import registry
from captains_table.games.captains_chess import CaptainsChess
from captains_table.games.captains_chess.fairy import fairy_ini
from captains_table.games.common.records import RecordRules
from captains_table.games.common.sitter import SEPARATOR, NoSuchOpponent, Sitter
from captains_table.games.contract import ORDER, Action, Decide, Game, Keep, Pick, PickAsk, Turn, did_you_mean
from captains_table.games.crowns import Crowns
from captains_table.games.legend import Legend
from captains_table.games.ship_captain_crew import ShipCaptainCrew
from captains_table.games.swashbuckle import Swashbuckle
from captains_table.games.swashbuckle.ranks import captain_begins, honours_of, ranking_of
from captains_table.players.captains_chess.opponents import BOREAS, ENGINE
from captains_table.players.common.advice import Advice, Adviser
from captains_table.players.common.bidding import BidStrategy
from captains_table.players.common.luck import Measure
from captains_table.players.common.opponents import Judge, Means, MoveAdviser, Opponent, sitter_of
from captains_table.players.common.strategies import Below, Strategy
from captains_table.players.crowns.notus import NOTUS, bid_shrewdly, play_shrewdly
from captains_table.players.legend import dice_advice, odds as legend_odds
from captains_table.players.legend.aether.opponent import OPPONENT as AETHER
from captains_table.players.legend.bartering import with_bargains
from captains_table.players.legend.luck import TurnMeasure
from captains_table.players.ship_captain_crew import (
    adviser as ship_captain_crew_adviser,
    berths_solver as ship_captain_crew_odds,
)
from captains_table.players.ship_captain_crew.adviser import CargoMeasure
from captains_table.players.ship_captain_crew.zephyr.player import ZEPHYR
from captains_table.players.swashbuckle import odds as swashbuckle_odds
from captains_table.players.swashbuckle.adviser import SwashbuckleAdviser
from captains_table.players.swashbuckle.eurus.player import EURUS
from captains_table.players.swashbuckle.luck import SheetMeasure
from captains_table.players.swashbuckle.sheet_values import optimum_alone, table_of
from captains_table.table.model.entries import SeatKind
from captains_table.table.model.view import THINKING, Hint

Remarks = Mapping[int, Sequence[str]]
Writer = Callable[[Sequence[str], Mapping[str, str], Iterable[Action], str, Remarks], str]
StrategyMaker = Callable[[Below], Strategy]
BidderMaker = Callable[[Below], BidStrategy]


class NoOdds(LookupError):
    """A game has no odds."""


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


def _always(options: Mapping[str, str]) -> bool:  # noqa: ARG001 - whatever was agreed
    return True


def _stay_seated(options: Mapping[str, str]) -> bool:  # noqa: ARG001 - whatever was agreed
    return False


def _move_on(options: Mapping[str, str]) -> bool:  # noqa: ARG001 - whatever was agreed
    return True


def _move_on_if_seated(options: Mapping[str, str]) -> bool:
    """Return whether the first named begins; else the dice say who does."""
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
    luck_is_known: Callable[[Mapping[str, str]], bool] = _always
    piece_values: Mapping[str, int] = field(default_factory=dict)
    strategies: Mapping[str, StrategyMaker] = field(default_factory=dict)
    opponents: Mapping[str, Opponent] = field(default_factory=dict)
    bidders: Mapping[str, BidderMaker] = field(default_factory=dict)
    odds: Callable[[], Iterable[str]] | None = None
    optimum_alone: Callable[[Mapping[str, str]], float | None] | None = None
    exports: Mapping[str, Export] = field(default_factory=dict)
    seat_hints: Sequence[str] = ()
    seats_move_on: Callable[[Mapping[str, str]], bool] = _stay_seated
    rules_page: RulesPage | None = None
    records: RecordRules = field(default_factory=RecordRules)
    tally_icons: Mapping[str, str] = field(default_factory=dict)
    examples: Sequence[Example] = ()


def _pgn(
    names: Sequence[str], options: Mapping[str, str], actions: Iterable[Action], began: str, remarks: Remarks
) -> str:
    from captains_table.games.legend.pgn import pgn  # noqa: PLC0415 - chess.pgn is a fifth of a start, and rarely asked for

    return pgn(names, options, actions, began, remarks)


def _captains_pgn(
    names: Sequence[str], options: Mapping[str, str], actions: Iterable[Action], began: str, remarks: Remarks
) -> str:
    from captains_table.games.captains_chess.pgn import pgn  # noqa: PLC0415 - rarely asked for

    return pgn(names, options, actions, began, remarks)


def _fairy_ini(
    names: Sequence[str],
    options: Mapping[str, str],
    actions: Iterable[Action],
    began: str,
    remarks: Remarks,  # noqa: ARG001 - an engine's variant has no place for them
) -> str:
    return fairy_ini(names, options, actions, began)


def _legend_move(state: Any, means: Means) -> Advice | None:  # noqa: ANN401 - Legend's own
    from captains_table.players.legend.aether.advising import advise_on_move  # noqa: PLC0415 - its tables take a moment

    return advise_on_move(state, means)


def _captains_move(state: Any, means: Means) -> Advice | None:  # noqa: ANN401 - Captain's Chess's own
    from captains_table.players.captains_chess.advising import advise_on_move  # noqa: PLC0415 - as above

    return advise_on_move(state, means)


def _legend_judge() -> Judge:
    from captains_table.players.legend.aether.advising import MoveJudge  # noqa: PLC0415 - as above

    return MoveJudge()


def _captains_judge() -> Judge:
    from captains_table.players.captains_chess.advising import judge_move  # noqa: PLC0415 - as above

    return judge_move


ENTRIES: Final = (
    GameEntry(
        game=Legend(),
        adviser=dice_advice.advise,
        move_adviser=_legend_move,
        judge=_legend_judge,
        luck=TurnMeasure,
        opponents={AETHER.key: with_bargains(AETHER)},
        odds=legend_odds.odds,
        exports={"pgn": Export(_pgn, "application/x-chess-pgn")},
        seat_hints=("Has White in the first round.", "With no second player you play both sides by your own hand."),
        seats_move_on=_move_on,
        tally_icons={
            "cargo": ".###. #...# ##### #...# ##### #...# .###.",
            "legend": "..#.. ..#.. ##### .###. .###. ##.## #...#",
        },
        examples=(
            Example("play --players Anne Bart rounds=1", "a new match, one round"),
            Example("play legend --players Anne", "solitaire: Aether plays the other side with the same hand"),
            Example("simulate legend rounds=1 turn_limit=200 --players best,greedy --matches 100", ""),
        ),
    ),
    GameEntry(
        game=CaptainsChess(),
        move_adviser=_captains_move,
        judge=_captains_judge,
        opponents={BOREAS.key: BOREAS},
        piece_values={"P": 1, "N": 3, "B": 3, "C": 5, "R": 5, "+B": 5, "+R": 7, "Q": 9},
        exports={"ini": Export(_fairy_ini), "pgn": Export(_captains_pgn, "application/x-chess-pgn")},
        seat_hints=("Has White.",),
        seats_move_on=_move_on,
        examples=(Example("play captains-chess clock=5+3", "on nine files, five minutes and three seconds a move"),),
    ),
    GameEntry(
        game=ShipCaptainCrew(),
        adviser=ship_captain_crew_adviser.advise,
        luck=CargoMeasure,
        opponents={ZEPHYR.key: ZEPHYR},
        odds=ship_captain_crew_odds.odds,
        seats_move_on=_move_on_if_seated,
        records=RecordRules(
            counts_turns=lambda options: (
                options.get("mode", "target") == "target"
            ),  # docs/rules/ship-captain-crew.md S5
            immaterial_alone=frozenset({"order", "stake", "finish_round"}),
        ),
        examples=(
            Example("odds ship-captain-crew", ""),
            Example("simulate ship-captain-crew target=30 --players best,greedy,random", ""),
        ),
    ),
    GameEntry(
        game=Swashbuckle(),
        adviser=SwashbuckleAdviser(table_of),
        luck=lambda: SheetMeasure(table_of),
        luck_is_known=lambda options: options.get("columns", "1") == "1",  # docs/rules/swashbuckle.md N5
        opponents={EURUS.key: EURUS},
        odds=swashbuckle_odds.odds,
        seats_move_on=_move_on_if_seated,
        optimum_alone=optimum_alone,
        records=RecordRules(
            immaterial_alone=frozenset({"order", "captain", "pillage", "captain_pillage", "challenge", "pirate1"}),
            agreed=captain_begins,
            ranking=ranking_of,
            honours=honours_of,
            ranks=lambda options: options.get("columns", "1") == "1",
        ),
        examples=(
            Example("odds swashbuckle", "the exact figures of its dice"),
            Example("simulate swashbuckle --players best --matches 5000", "how good the best player is"),
        ),
    ),
    GameEntry(
        game=Crowns(),
        strategies={"shrewd": play_shrewdly},
        opponents={NOTUS.key: NOTUS},
        bidders={"shrewd": bid_shrewdly},
        seat_hints=("Is White's.", "Is Black's; seats alternate."),
        examples=(
            Example("simulate crowns turn_limit=200 --players shrewd,random", "a chess of bids and gold"),
            Example("simulate crowns turn_limit=200 piece1=Cook --players shrewd,shrewd", "the first with a piece"),
        ),
    ),
)
DEFAULT_GAME: Final = ENTRIES[0].game.key

_entries: dict[str, GameEntry] = {}


def add(entry: GameEntry) -> None:
    """Make a game known to the whole house; raises KeyTaken."""
    registry.register(entry.game, {key: opponent.levels for key, opponent in entry.opponents.items()})
    _entries[entry.game.key] = entry


for _entry in ENTRIES:
    add(_entry)


# --- computers ------------------------------------------------------------------------------------------------------


def opponents_of(key: str) -> Mapping[str, Opponent]:
    """Return the computers that may play a game, by what they are called."""
    entry = find_entry(key)
    return {} if entry is None else entry.opponents


def add_opponent(key: str, opponent: Opponent) -> None:
    """Let another computer play a game, as an engine of this table's own; raises UnknownGame."""
    entry = entry_of(key)
    _entries[key] = replace(entry, opponents={**entry.opponents, opponent.key: opponent})
    registry.COMPUTERS[key][opponent.key] = opponent.levels


def seated_at(key: str, words: str) -> Sitter | None:
    """Return the computer that a seat's words declare in a game, such as `aether:3`; `None` where they name a person.

    Raises:
        NoSuchOpponent: they name a computer that does not play this game, or not at that level, or misspell one.
    """
    own = opponents_of(key)
    found = sitter_of(words, own)
    name, separator, level = words.partition(SEPARATOR)
    name = name.strip().lower()
    others = [each.game.title for each in entries() if name in each.opponents]
    if found or not (separator and level.strip().isdecimal() and (others or name == ENGINE)):
        return found
    plays = f"plays {' and '.join(others)}" if others else "is there where the configuration names one"
    spans = [f"{each.key}:{min(each.levels)} to {each.key}:{max(each.levels)}" for each in own.values()]
    title = entry_of(key).game.title
    has = f"{title} has {' and '.join(spans)}" if spans else f"{title} has no computer"
    raise NoSuchOpponent(f"{words!r}: {name} {plays}; {has}")


def kinds_of(key: str, seats: Sequence[str]) -> tuple[SeatKind, ...]:
    """Return who plays each named seat: a computer where `aether:3` or the like is written.

    Raises:
        NoSuchOpponent: a computer is named that does not play this game, or not at that level.
    """
    return tuple("human" if seated_at(key, words) is None else "computer" for words in seats)


def seats_of(key: str, seats: Sequence[str]) -> tuple[str, ...]:
    """Return the named seats, a computer as journals write it, such as `aether:3`; raises NoSuchOpponent."""
    return tuple(words if (sitter := seated_at(key, words)) is None else str(sitter) for words in seats)


# --- asking ---------------------------------------------------------------------------------------------------------


def entries() -> list[GameEntry]:
    """Return every game's entry: those of the house in their order, then the plug-ins'."""
    return list(_entries.values())


def is_of_a_plugin(key: str) -> bool:
    """Return whether a game comes from another package."""
    return all(key != entry.game.key for entry in ENTRIES)


def find_entry(key: str) -> GameEntry | None:
    """Return a game's entry; `None` where no such game is installed."""
    return _entries.get(key)


def entry_of(key: str) -> GameEntry:
    """Return a game's entry; raises UnknownGame."""
    return _entries[registry.game_by_key(key).key]


def media_types() -> dict[str, str]:
    """Return every form that matches of some game can be written in, with what a browser is told of it."""
    forms = {form: export.media_type for entry in entries() for form, export in entry.exports.items()}
    return {"json": "application/json", **forms}


def advises(key: str) -> bool:
    """Return whether a game has advice to offer."""
    entry = find_entry(key)
    return entry is not None and entry.adviser is not None


def hint(key: str, state: Any) -> Hint | None:  # noqa: ANN401 - each game has its own state
    """Return advice on a game's state as displays show it; `None` where there is none to give."""
    entry = find_entry(key)
    advice = None if entry is None or entry.adviser is None else entry.adviser(state)
    if advice is None:
        return None
    return _hint_of(advice)


def table_hint(key: str, state: Any) -> Hint | None:  # noqa: ANN401 - each game has its own state
    """Return advice as `hint` does, or that a move is to be thought about first; `None` where there is none to give."""
    given, entry = hint(key, state), find_entry(key)
    says_what = given is not None and (given.id is not None or given.dice is not None)
    if says_what or entry is None or entry.move_adviser is None or not _asks_for_move(entry.game.turn(state)):
        return given
    return THINKING


def thought_hint(key: str, state: Any, means: Means) -> Hint | None:  # noqa: ANN401 - each game has its own state
    """Return advice on a move, which takes its time; `None` where there is none to give."""
    entry = find_entry(key)
    advice = None if entry is None or entry.move_adviser is None else entry.move_adviser(state, means)
    return hint(key, state) if advice is None else _hint_of(advice)


def _asks_for_move(turn: Turn) -> bool:
    options = turn.ask.options if isinstance(turn, Decide) and isinstance(turn.ask, PickAsk) else ()
    return any(option.on_board for option in options)


def _hint_of(advice: Advice) -> Hint:
    action = advice.action
    return Hint(
        advice.words,
        advice.why,
        action.id if isinstance(action, Pick) else None,
        action.dice if isinstance(action, Keep) else None,
    )


def odds_lines(key: str) -> list[str]:
    """Return the exact figures of a game's dice; raises NoOdds."""
    entry = find_entry(key)
    if entry is None or entry.odds is None:
        known = ", ".join(each.game.key for each in entries() if each.odds is not None)
        meant = did_you_mean(key, known.split(", "))
        raise NoOdds(f"no odds are known for {key!r}: expected one of {known}{meant}")
    return list(entry.odds())


def tally_icons(key: str) -> Mapping[str, str]:
    """Return the pictures of a game's tallies, by the tally's name."""
    entry = find_entry(key)
    return {} if entry is None else entry.tally_icons
