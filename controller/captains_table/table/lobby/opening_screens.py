"""The lobby's screens as far as who plays what: frozen values, each with a question and its answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from captains_table.games.contract import LONGEST_NAME, Action, Game, Option, PickAsk, proposals
from captains_table.table.lobby.match_setup import (
    LobbyContext,
    MatchSetup,
    Paired,
    Request,
    Resume,
    Rival,
    Start,
    Unfinished,
)
from captains_table.table.lobby.option_screens import OptionList
from captains_table.table.lobby.question import WAY_BACK, Go, Question, Screen, pick_of, short_title
from captains_table.table.lobby.table_screens import OPEN, ThisTable
from captains_table.table.lobby.text_entry import DONE, brief_names, respelled, spelling, typed

NEW_MATCH: Final = "New match"
RETURN: Final = Option("return", "Back to the match")
REMATCH: Final = Option("rematch", "Rematch")
NEW: Final = Option("new", NEW_MATCH)
RESUME: Final = Option("resume", "Resume a match")
SPELL: Final = Option("spell", "Another name")
GAME: Final = "game-"
PLAYERS: Final = "players-"
NAME: Final = "name-"
COMPUTER: Final = "computer-"
LEVEL: Final = "level-"
MATCH: Final = "match-"
PAIRING: Final = "pairing-"
BETWEEN_NAMES: Final = " \u2013 "
MOST_NAMES: Final = 40


# --- where it begins ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Welcome:
    """What is to be played: the match that was left, the same again, a new one, or an earlier one.

    Attributes:
        context: what the table has to offer.
        left: number of the match that was left to come here.
        last: how the match began that was played last.
    """

    context: LobbyContext
    left: int | None = None
    last: Start | None = None

    def question(self) -> Question:
        """Ask what is to be played."""
        paired = self._paired()
        offered = [
            *(Option(id_, self._pairing_words(each)) for id_, each in paired.items()),
            *([RETURN] if self.left is not None else []),
            *([REMATCH] if self.last is not None else []),
            NEW,
            *([RESUME] if self.context.waiting() - {self.left} else []),
            OPEN,
        ]
        brief = {NEW.id: "New", RESUME.id: "Resume"} if self.left is None else {}
        brief |= {id_: brief_names(self._called(each.start)) for id_, each in paired.items()}
        hints = {REMATCH.id: self._rematch_words()} if self.last is not None else {}
        hints |= {id_: self._pairing_hint(each) for id_, each in paired.items()}
        return Question("Captain's Table", PickAsk("What is to be played?", tuple(offered)), brief, hints)

    def _paired(self) -> dict[str, Paired]:
        """Return the club's pairings but that of the match that was left, by the ids of their options."""
        others = (each for each in self.context.paired if self.left is None or each.begun != self.left)
        return {f"{PAIRING}{each.start.pairing}": each for each in others}

    def _called(self, start: Start) -> tuple[str, ...]:
        return self.context.called(start.game, start.names)

    def _pairing_words(self, paired: Paired) -> str:
        names = BETWEEN_NAMES.join(self._called(paired.start))
        return f"{paired.heading}: {names}" if paired.heading else names

    def _pairing_hint(self, paired: Paired) -> str:
        game = self.context.games.get(paired.start.game)
        parts = (paired.heading, paired.start.game if game is None else short_title(game))
        return f"{', '.join(filter(None, parts))}{'' if paired.begun is None else ': go on'}"

    def _rematch_words(self) -> str:
        if self.last is None:
            return ""
        names = self._called(self.last)
        return f"{short_title(self.context.games[self.last.game])}: {brief_names(names)}"

    def answered(self, action: Action) -> Go | Request:
        """Go to the chosen screen."""
        picked, paired = pick_of(action, self.question().ask), self._paired()
        match picked:
            case _ if picked in paired:
                begun = paired[picked].begun
                return paired[picked].start if begun is None else Resume(begun)
            case RETURN.id if self.left is not None:
                return Resume(self.left)
            case REMATCH.id if self.last is not None:
                return self.last
            case RESUME.id:
                others = (match for match in self.context.unfinished() if match.number != self.left)
                return Go(MatchChoice(self.context, tuple(others)))
            case OPEN.id:
                return Go(ThisTable(self.context.no_power_off, club=self.context.club))
            case _:
                return Go(GameChoice(self.context))


@dataclass(frozen=True, slots=True)
class MatchChoice:
    """Which unfinished match is to be resumed."""

    context: LobbyContext
    matches: tuple[Unfinished, ...]

    def question(self) -> Question:
        """Ask which match; the line under the cursor shows how far that one is."""
        options = tuple(Option(f"{MATCH}{match.number}", self._words(match)) for match in self.matches)
        brief = {f"{MATCH}{match.number}": brief_names(match.names) for match in self.matches}
        hints = {f"{MATCH}{match.number}": self._how_far(match) for match in self.matches}
        return Question(
            RESUME.label,
            PickAsk("Which match?" if options else "No match can be gone on with", (*options, WAY_BACK)),
            brief,
            hints,
        )

    def _words(self, match: Unfinished) -> str:
        return f"{', '.join(match.names)}: {self._how_far(match)}"

    def _how_far(self, match: Unfinished) -> str:
        game = self.context.games.get(match.game)
        return match.how_far if game is None else f"{short_title(game)}, {match.how_far}"

    def answered(self, action: Action) -> Go | Request:
        """Resume the match."""
        return Resume(int(pick_of(action, self.question().ask).removeprefix(MATCH)))


# --- a new match ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameChoice:
    """Which game is to be played, of those the board has room for."""

    context: LobbyContext

    def question(self) -> Question:
        """Ask which game."""
        games = self.context.fitting()
        options = tuple(Option(f"{GAME}{game.key}", game.title) for game in games)
        brief = {f"{GAME}{game.key}": short_title(game) for game in games}
        return Question(NEW_MATCH, PickAsk("Which game?", (*options, WAY_BACK)), brief)

    def answered(self, action: Action) -> Go | Request:
        """Ask how many play, if that is not certain."""
        game = self.context.games[pick_of(action, self.question().ask).removeprefix(GAME)]
        return Go(who_plays(self.context, game, proposals(game.options)))


@dataclass(frozen=True, slots=True)
class CountChoice:
    """How many play.

    Attributes:
        context: what the table has to offer.
        game: what is played.
        options: what was agreed already.
    """

    context: LobbyContext
    game: Game[Any]
    options: Mapping[str, str] = field(default_factory=dict)

    def question(self) -> Question:
        """Ask how many play."""
        options = tuple(Option(f"{PLAYERS}{count}", _players(count)) for count in self.game.seats)
        usual = options[min(1, len(options) - 1)].id
        ask = PickAsk("How many play?", (*options, WAY_BACK), usual)
        return Question(short_title(self.game), ask)

    def answered(self, action: Action) -> Go | Request:
        """Ask for the first name."""
        count = int(pick_of(action, self.question().ask).removeprefix(PLAYERS))
        return Go(next_name(MatchSetup(self.context, self.game, count, options=self.options)))


def who_plays(context: LobbyContext, game: Game[Any], options: Mapping[str, str]) -> Screen:
    """Return the screen that asks who plays a game: how many first, if that is not certain."""
    if len(game.seats) == 1:
        return next_name(MatchSetup(context, game, game.seats.start, options=options))
    return CountChoice(context, game, options)


def _players(count: int) -> str:
    return "1 player" if count == 1 else f"{count} players"


def next_name(setup: MatchSetup) -> Screen:
    """Return the screen that asks for the next player; when all are named, the one with the options."""
    if len(setup.names) == setup.count:
        return OptionList(setup)
    return NameChoice(setup) if setup.strangers() or (setup.names and setup.rivals()) else Spelling(setup)


@dataclass(frozen=True, slots=True)
class NameChoice:
    """Who plays, of those the table knows, or somebody else, or a computer."""

    setup: MatchSetup

    def question(self) -> Question:
        """Ask who plays."""
        known = tuple(Option(f"{NAME}{name}", name) for name in self.setup.strangers()[:MOST_NAMES])
        computers = tuple(Option(f"{COMPUTER}{rival.key}", rival.title) for rival in self.setup.rivals())
        hint = f"Player {len(self.setup.names) + 1}: the computer"
        ask = PickAsk(f"Player {len(self.setup.names) + 1}?", (*known, SPELL, *computers, WAY_BACK))
        return Question(short_title(self.setup.game), ask, hints=dict.fromkeys((each.id for each in computers), hint))

    def answered(self, action: Action) -> Go | Request:
        """Seat the player, or spell a name."""
        picked = pick_of(action, self.question().ask)
        if picked == SPELL.id:
            return Go(Spelling(self.setup))
        if picked.startswith(COMPUTER):
            rivals = {f"{COMPUTER}{rival.key}": rival for rival in self.setup.rivals()}
            return Go(LevelChoice(self.setup, rivals[picked]))
        return Go(next_name(self.setup.with_name(picked.removeprefix(NAME))))


@dataclass(frozen=True, slots=True)
class LevelChoice:
    """How strong a computer plays."""

    setup: MatchSetup
    rival: Rival

    def question(self) -> Question:
        """Ask for the level; the cursor begins at the usual one."""
        levels = tuple(Option(f"{LEVEL}{level}", f"{level}: {words}") for level, words in self.rival.levels.items())
        ask = PickAsk(f"{self.rival.title}: which level?", (*levels, WAY_BACK), f"{LEVEL}{self.rival.usual}")
        return Question(short_title(self.setup.game), ask)

    def answered(self, action: Action) -> Go | Request:
        """Seat the computer."""
        level = int(pick_of(action, self.question().ask).removeprefix(LEVEL))
        return Go(next_name(self.setup.with_name(self.rival.at(level))))


@dataclass(frozen=True, slots=True)
class Spelling:
    """A name, letter by letter."""

    setup: MatchSetup
    text: str = ""

    def question(self) -> Question:
        """Ask for the next letter."""
        prompt = f"Player {len(self.setup.names) + 1}: {typed(self.text)}"
        return Question(short_title(self.setup.game), PickAsk(prompt, (*spelling(self.text, LONGEST_NAME), WAY_BACK)))

    def answered(self, action: Action) -> Go | Request:
        """Take a letter, take one away, or seat the player."""
        picked = pick_of(action, self.question().ask)
        if picked == DONE.id:
            return self._seated(self.text.strip())
        return Go(replace(self, text=respelled(self.text, picked)), leaving=1)

    def _seated(self, name: str) -> Go:
        if name in self.setup.called:
            return Go(self, leaving=1, words=f"{name} is playing already: expected another name")
        return Go(next_name(self.setup.with_name(name)))
