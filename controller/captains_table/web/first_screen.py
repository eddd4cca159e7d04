"""The first screen: a card for each game, and above the cards what waits: pairings, open matches, a rematch.

The table's page shows it between matches, the room display in its own way, and `/new` at any time.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from captains_table import catalog
from captains_table.games.common.board_sizes import misfit
from captains_table.games.common.records import Tally
from captains_table.games.contract import Game, Shape
from captains_table.games.registry import GAMES, display_names
from captains_table.table.lobby.match_setup import (
    NOBODY_YET,
    PAIR,
    ClubPairing,
    Start,
    UnfinishedMatch,
    against_computer,
    for_newcomers,
    level_for_next,
)
from captains_table.table.lobby.screen import AGAINST, NEW_MATCH, WELCOME, short_title
from captains_table.table.model.view import Phase, View
from captains_table.web.joining import JoinLink
from captains_table.web.match_form import Computer, computers

MATES: Final = (NOBODY_YET, "Mate")
"""The names that the form proposes for two players while too few are known."""
MOST_CHAMPIONS: Final = 3
_CHOICES: Final = (WELCOME, NEW_MATCH, AGAINST)


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game as a card.

    Attributes:
        key: the game's key.
        title: the game's short title.
        sentence: what the game is; may be empty.
        players: for how many players it is, such as 1 to 2.
        minutes: how long the match usually takes that the card starts; 0 if unknown.
        picture: the address of its picture; empty without one.
        against: a match against the computer at the level that is proposed; `None` if there is no computer.
        levels: the computer's levels, the lowest first.
        together: the address of the form for a match of two or more players, filled in.
        has_lesson: whether the game can be learnt in a lesson.
    """

    key: str
    title: str
    sentence: str
    players: str
    minutes: int
    picture: str
    against: Start | None
    levels: tuple[Computer, ...]
    together: str
    has_lesson: bool


@dataclass(frozen=True, slots=True)
class FirstScreen:
    """What may be played now.

    Attributes:
        cards: the games that fit the board.
        paired: the first pairings that the club wants played here.
        open: the matches in which something was done and that can be resumed, the most recent first.
        rematch: the last match, to be played again; `None` if there is none, or it is open.
        joining: the link by which phones open the page; `None` if other devices cannot.
        champions: the results of those who have won most, on the room display.
        has_buttons: whether the table has buttons of its own, which start a match too.
    """

    cards: tuple[GameCard, ...]
    paired: tuple[ClubPairing, ...] = ()
    open: tuple[UnfinishedMatch, ...] = ()
    rematch: Start | None = None
    joining: JoinLink | None = None
    champions: tuple[Tally, ...] = ()
    has_buttons: bool = False

    def rematch_names(self) -> tuple[str, ...]:
        """Return the names of the rematch's players; empty without one."""
        return () if self.rematch is None else display_names(self.rematch.names, self.rematch.game)


def asks_what_to_play(view: View) -> bool:
    """Return whether nothing is played and nothing further is asked than what to play."""
    return view.phase is Phase.IDLE and view.hold is None and (view.ask is None or view.title in _CHOICES)


def knob_is_used(view: View) -> bool:
    """Return whether the lobby's menu was moved: its cursor is no more on the first line of the first screen."""
    return view.ask is not None and (view.title != WELCOME or bool(view.menu.cursor))


def asked_picture(view: View) -> str:
    """Return the address of the picture of the game that the lobby asks about; empty without one."""
    return next((picture_of(key) for key, game in GAMES.items() if short_title(game) == view.title), "")


def picture_of(key: str) -> str:
    """Return the address of a game's picture; empty without one."""
    entry = catalog.find_entry(key)
    return "" if entry is None or entry.picture is None else f"/games/{key}.svg"


def game_card(game: Game[Any], known_names: Sequence[str], last: str) -> GameCard:
    """Return a game's card.

    Args:
        game: the game.
        known_names: the known players' names, the most recent first.
        last: the computer of the last match of the game, such as `aether:1`; empty without one.
    """
    entry, least, most = catalog.entry_of(game.key), game.seats.start, game.seats.stop - 1
    levels = next(iter(computers(game.key).values()), [])
    computer = level_for_next([each.value for each in levels], last)
    names = dict.fromkeys((*known_names[:PAIR], *MATES))
    fields = {f"name{number}": name for number, name in enumerate(names, 1) if number <= min(PAIR, most)}
    return GameCard(
        key=game.key,
        title=short_title(game),
        sentence=entry.sentence,
        players=f"{least}\u2013{most}" if most > least else f"{least}",
        minutes=entry.minutes,
        picture=picture_of(game.key),
        against=against_computer(game, computer, known_names) if computer else None,
        levels=tuple(levels),
        together=f"/new?{urlencode({'game': game.key, **fields, **for_newcomers(game)})}",
        has_lesson=entry.lesson is not None,
    )


def cards(known_names: Sequence[str], board_shape: Shape | None, last: Mapping[str, str]) -> tuple[GameCard, ...]:
    """Return the cards of all games that fit the board.

    Args:
        known_names: the known players' names, the most recent first.
        board_shape: the shape of a real board; `None` if the board adapts to the game.
        last: the computer of the last match of each game, by the game's key.
    """
    fitting = (game for game in GAMES.values() if misfit(game, board_shape) is None)
    return tuple(game_card(game, known_names, last.get(game.key, "")) for game in fitting)


def rematch_unless_open(last: Start | None, waiting: Sequence[UnfinishedMatch]) -> Start | None:
    """Return the rematch of the last match; `None` if the same players have an open match of the same game."""
    if last is None:
        return None
    who = sorted(display_names(last.names, last.game))
    return None if any(each.game == last.game and sorted(each.names) == who for each in waiting) else last


def champions(tallies: Sequence[Tally], persons: Collection[str]) -> tuple[Tally, ...]:
    """Return for a few games the results of the person who has won most matches.

    Args:
        tallies: the players' results; within a game whoever won most comes first.
        persons: the names of persons; computers are no champions.
    """
    best: dict[str, Tally] = {}
    for tally in tallies:
        if tally.won and tally.name in persons and tally.game in GAMES:
            best.setdefault(tally.game, tally)
    return tuple(best.values())[:MOST_CHAMPIONS]
