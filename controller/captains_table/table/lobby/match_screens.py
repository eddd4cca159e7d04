"""The lobby's first screen, and the screens to choose a game, its players and options, or a match to resume.

On a further screen, a player enters a text that is mixed into the randomness of the dice.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from captains_table.games.contract import LONGEST_NAME, Game, GameOption, Option, proposals
from captains_table.games.registry import computer_name, display_names
from captains_table.phrases import listed, say, several
from captains_table.table.lobby.level_proposal import computer_of
from captains_table.table.lobby.match_setup import (
    ClubPairing,
    ComputerPlayer,
    GiveWords,
    LobbyContext,
    MatchSetup,
    Request,
    Resume,
    Start,
    StartLesson,
    against_computer,
    level_for_next,
)
from captains_table.table.lobby.screen import (
    AGAINST,
    NEW_MATCH,
    SALT_WORDS,
    WAY_BACK,
    WELCOME,
    NumberEntry,
    Screen,
    ScreenLine,
    brief_names,
    short_title,
    spelling,
)
from captains_table.table.lobby.table_screens import OPEN, this_table
from captains_table.table.model.salt import MOST_CHARACTERS

RETURN: Final = Option("return", say("Back to the match"))
REMATCH: Final = Option("rematch", say("Rematch"))
OTHER_LEVEL: Final = "rematch-level"
NEW: Final = Option("new", NEW_MATCH)
COMPUTER: Final = Option("computer", AGAINST)
LEARN: Final = Option("learn", say("Learn a game"))
RESUME: Final = Option("resume", say("Resume a match"))
SPELL: Final = Option("spell", say("Another name"))
BETWEEN_NAMES: Final = " \u2013 "
MOST_NAMES: Final = 40


# --- the first screen -------------------------------------------------------------------------------------------------


def welcome(context: LobbyContext, left: int | None = None, last: Start | None = None) -> Screen:
    """Return the first screen, on which the players choose what to play.

    Its lines lead to the club's pairings, the match just left, a rematch, a match against a computer, a new match, the
    unfinished matches, and the table's own menu. Lines that would lead nowhere are left out.

    Args:
        context: what the table offers.
        left: the number of the match that the players left to open the lobby; `None` if they left none.
        last: the request that started the last match played; `None` if there is none.
    """
    lines = [_pairing(context, paired) for paired in context.paired if left is None or paired.begun != left]
    if left is not None:
        lines.append(ScreenLine(RETURN, Resume(left)))
    proposed = None if context.other_level is None else computer_of(context.other_level)
    if context.other_level is not None and proposed is not None:
        called = computer_name(proposed, context.other_level.game)
        option = Option(OTHER_LEVEL, say("Rematch · {computer}", called))
        lines.append(ScreenLine(option, context.other_level, say("Rematch · level {number}", proposed.level), called))
    if last is not None:
        players = brief_names(display_names(last.names, last.game))
        hint = say("{game}: {players}", short_title(context.games[last.game]), players)
        lines.append(ScreenLine(REMATCH, last, hint=hint))
    if left is None and _against(context):
        lines.append(ScreenLine(COMPUTER, partial(computer_game_choice, context)))
    if left is None and any(game.key in context.taught for game in context.fitting()):
        lines.append(ScreenLine(LEARN, partial(lesson_choice, context)))
    lines.append(ScreenLine(NEW, partial(game_choice, context), say("New") if left is None else ""))
    if context.waiting() - {left}:
        lines.append(ScreenLine(RESUME, partial(match_choice, context, left), say("Resume") if left is None else ""))
    menu = partial(this_table, context.settings, context.no_power_off, club=context.club, languages=context.languages)
    lines.append(ScreenLine(OPEN, menu))
    return Screen(WELCOME, say("What is to be played?"), lines)


def _pairing(context: LobbyContext, paired: ClubPairing) -> ScreenLine:
    """Return the line of a pairing of the club; choosing it starts the match, or resumes the match if it has begun."""
    start, game = paired.start, context.games.get(paired.start.game)
    called = display_names(start.names, start.game)
    words = BETWEEN_NAMES.join(called)
    hint = start.game if game is None else short_title(game)
    if paired.heading:
        words = say("{pairing}: {players}", paired.heading, words)
        hint = listed((paired.heading, hint), ",")
    option = Option(f"pairing-{start.pairing}", words)
    if paired.begun is None:
        return ScreenLine(option, start, brief_names(called), hint)
    return ScreenLine(option, Resume(paired.begun), brief_names(called), say("{pairing}: go on", hint))


def match_choice(context: LobbyContext, left: int | None) -> Screen:
    """Return the screen to choose an unfinished match; each line also tells how far its match has come.

    Args:
        context: what the table offers.
        left: the number of a match that is not listed; `None` to list all.
    """
    lines = []
    for match in context.unfinished():
        game = context.games.get(match.game)
        how_far = match.how_far if game is None else listed((short_title(game), match.how_far), ",")
        words = say("{players}: {how_far}", listed(match.names, ","), how_far)
        option = Option(f"match-{match.number}", words)
        if match.number != left:
            lines.append(ScreenLine(option, Resume(match.number), brief_names(match.names), how_far))
    return Screen(
        RESUME.label, say("Which match?") if lines else say("No match can be gone on with"), (*lines, WAY_BACK)
    )


# --- a match against a computer --------------------------------------------------------------------------------------


def _against(context: LobbyContext) -> list[tuple[Game[Any], Start]]:
    """Return the games that a newcomer can play against a computer here, each with the match that begins at once."""
    found, last = [], context.index.against()
    for game in context.fitting():
        levels = [rival.at(level) for rival in context.rivals.get(game.key, ())[:1] for level in rival.levels]
        computer = level_for_next(levels, last.get(game.key, ""))
        start = against_computer(game, computer, context.index.names()) if computer else None
        if start is not None:
            found.append((game, start))
    return found


def computer_game_choice(context: LobbyContext) -> Screen:
    """Return the screen to choose a game against its computer; the match begins at once, at the last level."""
    return _which_game(AGAINST, "against", _against(context))


def lesson_choice(context: LobbyContext) -> Screen:
    """Return the screen to choose a game to be learnt; its lesson begins at once."""
    taught = [(game, StartLesson(game.key)) for game in context.fitting() if game.key in context.taught]
    return _which_game(LEARN.label, "learn", taught)


# --- a new match ----------------------------------------------------------------------------------------------------


def game_choice(context: LobbyContext) -> Screen:
    """Return the screen to choose a game; only games for which the board is large enough are listed."""
    fitting = [(game, partial(who_plays, context, game, proposals(game.options))) for game in context.fitting()]
    return _which_game(NEW_MATCH, "game", fitting)


def _which_game(title: str, prefix: str, games: Iterable[tuple[Game[Any], Request | Callable[[], Screen]]]) -> Screen:
    """Return the screen to choose a game, given what each leads to; the ids of its lines begin with `prefix`."""
    lines = (ScreenLine(Option(f"{prefix}-{game.key}", game.title), then, short_title(game)) for game, then in games)
    return Screen(title, say("Which game?"), (*lines, WAY_BACK))


def who_plays(context: LobbyContext, game: Game[Any], options: Mapping[str, str]) -> Screen:
    """Return the screen to choose the number of players; if the game fixes it, the screen to choose the first player.

    Args:
        context: what the table offers.
        game: the game.
        options: the options that are settled already.
    """
    setups = [MatchSetup(context, game, count, options=options) for count in game.seats]
    if len(setups) == 1:
        return next_name(setups[0])
    lines = [
        ScreenLine(Option(f"players-{setup.count}", _players(setup.count)), partial(next_name, setup))
        for setup in setups
    ]
    usual = lines[min(1, len(lines) - 1)].option.id
    return Screen(short_title(game), say("How many play?"), (*lines, WAY_BACK), usual)


def _players(count: int) -> str:
    return several(count, "{n} player", "{n} players")


def next_name(setup: MatchSetup) -> Screen:
    """Return the screen to choose the next player, or the screen of the options once all players are chosen."""
    if len(setup.names) == setup.count:
        return option_list(setup)
    return _name_choice(setup) if setup.unseated() or (setup.names and setup.rivals()) else _spelled_name(setup)


def _name_choice(setup: MatchSetup) -> Screen:
    """Return the screen to choose a known player, a new player, or a computer."""
    number = len(setup.names) + 1
    known = (
        ScreenLine(Option(f"name-{name}", name), partial(_seated, setup, name))
        for name in setup.unseated()[:MOST_NAMES]
    )
    computers = (
        ScreenLine(
            Option(f"computer-{rival.key}", rival.title),
            partial(_level_choice, setup, rival),
            hint=say("Player {number}: the computer", number),
        )
        for rival in setup.rivals()
    )
    lines = (*known, ScreenLine(SPELL, partial(_spelled_name, setup)), *computers, WAY_BACK)
    return Screen(short_title(setup.game), say("Player {number}?", number), lines)


def _level_choice(setup: MatchSetup, rival: ComputerPlayer) -> Screen:
    """Return the screen to choose the level of a computer; the cursor starts at the usual level."""
    lines = (
        ScreenLine(
            Option(f"level-{level}", say("{number}: {level}", level, words)),
            partial(_seated, setup, rival.at(level)),
            hint=rival.level_notes.get(level, ""),
        )
        for level, words in rival.levels.items()
    )
    prompt = say("{computer}: which level?", rival.title)
    return Screen(short_title(setup.game), prompt, (*lines, WAY_BACK), f"level-{rival.usual}")


def _seated(setup: MatchSetup, name: str) -> Screen:
    return next_name(replace(setup, names=(*setup.names, name)))


def _spelled_name(setup: MatchSetup, text: str = "") -> Screen:
    """Return the screen to spell a player's name."""

    def done(text: str) -> Screen:
        name = text.strip()
        if name in setup.called:
            return _spelled_name(setup, text).with_error(say("{name} is playing already: expected another name", name))
        return _seated(setup, name)

    return spelling(short_title(setup.game), say("Player {number}", len(setup.names) + 1), LONGEST_NAME, done, text)


# --- words for the dice ---------------------------------------------------------------------------------------------


def salt_words_choice(names: Sequence[str]) -> Screen:
    """Return the screen to choose the player who adds words to the salt of the dice.

    Args:
        names: the players' names in seat order.
    """
    lines = (
        ScreenLine(Option(f"seat-{seat}", name), partial(_spelled_words, seat, name)) for seat, name in enumerate(names)
    )
    return Screen(SALT_WORDS, say("Whose own words?"), (*lines, WAY_BACK))


def _spelled_words(seat: int, name: str) -> Screen:
    return spelling(SALT_WORDS, name, MOST_CHARACTERS, lambda text: GiveWords(seat, text.strip()))


# --- the options of a match -----------------------------------------------------------------------------------------

BEGIN: Final = Option("begin", say("Begin"))
NUMBER: Final = Option("number", say("A number"))
SPELL_VALUE: Final = Option("spell", say("Spell it"))
CHANGE: Final = "change-"
VALUE: Final = "value-"
LONGEST_LINE: Final = 22


def option_list(setup: MatchSetup, changed: str = "") -> Screen:
    """Return the screen to begin the match or change an option.

    The cursor is on the option `changed`, which was changed last; it is on *Begin* if `changed` is empty.
    """
    default = f"{CHANGE}{changed}" if changed else BEGIN.id
    lines = (ScreenLine(BEGIN, setup.start), *(_line(setup, option) for option in setup.listed()), WAY_BACK)
    prompt = say("Ready? {players}", brief_names(setup.called))
    return Screen(short_title(setup.game), prompt, lines, default)


def _line(setup: MatchSetup, option: GameOption) -> ScreenLine:
    words = say("{option}: {value}", setup.words(option), setup.display_text(option, setup.value(option)))
    brief = option.words if len(words) > LONGEST_LINE else ""
    return ScreenLine(Option(f"{CHANGE}{option.name}", words), partial(_changing, setup, option), brief, hint=words)


def _changing(setup: MatchSetup, option: GameOption) -> Screen:
    return value_choice(setup, option) if setup.values(option) else number_choice(setup, option)


def _changed(setup: MatchSetup, option: GameOption, value: str) -> Screen:
    return replace(option_list(setup.with_value(option, value), option.name), replaces=2)


def _usually(setup: MatchSetup, option: GameOption) -> str:
    return say("{option}? Usually {value}", setup.words(option), setup.display_text(option, option.default))


def value_choice(setup: MatchSetup, option: GameOption) -> Screen:
    """Return the screen to choose one of the listed values of an option; the cursor is on the current value.

    If the option allows other values, a further line leads to the screen to enter a number or a text. The cursor is on
    that line if the current value is not listed.
    """
    further: tuple[ScreenLine, ...] = ()
    if option.bounds is not None:
        further = (ScreenLine(NUMBER, lambda: replace(number_choice(setup, option), replaces=1)),)
    elif option.is_free and option.seat and not option.collection:  # a collection's entries have names
        further = (ScreenLine(SPELL_VALUE, lambda: replace(_spelled_value(setup, option), replaces=1)),)
    values = [
        ScreenLine(Option(f"{VALUE}{choice.value}", choice.words), partial(_changed, setup, option, choice.value))
        for choice in setup.values(option)
    ]
    now = f"{VALUE}{setup.value(option)}"
    is_listed = any(line.option.id == now for line in values)
    default = now if is_listed else next((line.option.id for line in further), None)
    return Screen(short_title(setup.game), _usually(setup, option), (*values, *further, WAY_BACK), default)


def number_choice(setup: MatchSetup, option: GameOption) -> Screen:
    """Return the screen to choose a number as the value of an option."""
    lo, hi = option.bounds or (0, 0)
    default = next((int(text) for text in (setup.value(option), option.default) if text.isdecimal()), lo)
    number = NumberEntry(lo, hi, default, lambda value: _changed(setup, option, str(value)))
    return Screen(short_title(setup.game), _usually(setup, option), number=number)


def _spelled_value(setup: MatchSetup, option: GameOption) -> Screen:
    def done(text: str) -> Screen:
        return _changed(setup, option, text.strip())

    return spelling(short_title(setup.game), setup.words(option), LONGEST_NAME, done)
