"""Help texts about the games, filled in from the catalog when help is printed, so that no list has to be maintained.

The module also installs the games of plug-ins, checks their example commands, and offers the games' export formats as
choices of an argument.
"""

import argparse
import contextlib
import io
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from captains_table.phrases import listed

if TYPE_CHECKING:
    from captains_table.catalog import GameEntry
    from captains_table.players.common.opponents import Opponent

ENTER = "captains-table "
COLUMN = 33  # where the explanations of examples begin


class Parser(argparse.ArgumentParser):
    """A parser whose help may contain placeholders such as `{games}`, filled in from the catalog when it is printed."""

    def format_help(self) -> str:
        """Return the command's help text, with all placeholders replaced by their values."""
        self.epilog = fill_placeholders(self.epilog)
        if self.epilog is not None and "%(prog)" in self.epilog:  # argparse then %-formats the whole text: escape it
            self.epilog = self.epilog.replace("%", "%%")
        for action in self._actions:
            if action.help is not argparse.SUPPRESS:
                action.help = fill_placeholders(action.help, percent="%%")
        return super().format_help()


class ExportForms:
    """The export formats of all games, as choices of an argument; the catalog is loaded only once they are needed."""

    def __iter__(self) -> Iterator[str]:
        from captains_table.catalog import media_types

        install_games()
        return iter(media_types())

    def __contains__(self, form: object) -> bool:
        return form in list(self)


def install_games() -> None:
    """Register the games of installed plug-ins, except those that are unusable or have example commands with errors."""
    from captains_table.process.plugins import install_plugins

    install_plugins(parse_error_of)


def parse_error_of(command: str) -> str:
    """Return the parser's error message for an example command; empty if the parser accepts the command."""
    from captains_table.cli.main import read_arguments

    errors = io.StringIO()
    try:
        with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
            read_arguments(command.split())
    except SystemExit as end:
        return errors.getvalue().strip().rpartition("error: ")[2] if end.code else ""
    return ""


def fill_placeholders(text: str | None, percent: str = "%") -> str | None:
    """Return a text with its placeholders replaced by facts about the games.

    Args:
        text: the text; `None` for no text, which is returned as it is.
        percent: what replaces each % in the facts, such as `%%` in a text that argparse formats.
    """
    if text is None or "{" not in text:
        return text
    from captains_table.catalog import entries

    install_games()
    for word, fill in FILLINGS.items():
        if f"{{{word}}}" in text:
            text = text.replace(f"{{{word}}}", fill(entries()).replace("%", percent))
    return text


def _games(entries: "Iterable[GameEntry]") -> str:
    from captains_table.catalog import DEFAULT_GAME

    keys = [entry.game.key for entry in entries]
    return listed([f"{key} (the default)" if key == DEFAULT_GAME else key for key in keys], "or")


def _games_with_odds(entries: "Iterable[GameEntry]") -> str:
    return listed([entry.game.key for entry in entries if entry.odds is not None], "or")


def _forms(entries: "Iterable[GameEntry]") -> str:
    titles: dict[str, list[str]] = {}
    for entry in entries:
        for form in entry.exports:
            titles.setdefault(form, []).append(entry.game.title)
    return "; ".join(["json: any game", *(f"{form}: {', '.join(of)}" for form, of in titles.items())])


def _strategies(entries: "Iterable[GameEntry]") -> str:
    own = [
        f"{entry.game.key} also {', '.join([*entry.strategies, *map(_with_levels, entry.opponents.values())])}"
        for entry in entries
        if entry.strategies or entry.opponents
    ]
    return "; ".join(["best (where the game has advice), greedy, random, careful", *own])


def _with_levels(opponent: "Opponent") -> str:
    return f"{opponent.key}:{min(opponent.levels)} to {opponent.key}:{max(opponent.levels)}"


def _examples(entries: "Iterable[GameEntry]", command: str) -> str:
    return "\n".join(
        _explained(each.command, f"{entry.game.title.partition(' ~ ')[0]}: {each.words}" if each.words else "")
        for entry in entries
        for each in entry.examples
        if each.command.split()[0] == command
    )


def _explained(command: str, words: str) -> str:
    """Return an example command with its explanation as a line of the help; a long command is not explained."""
    return f"  {ENTER}{command}" if len(command) > COLUMN or not words else f"  {ENTER}{command:<{COLUMN}} {words}"


FILLINGS: "dict[str, Callable[[Iterable[GameEntry]], str]]" = {
    "games": _games,
    "games with odds": _games_with_odds,
    "forms": _forms,
    "strategies": _strategies,
    **{f"examples of {command}": partial(_examples, command=command) for command in ("play", "odds", "simulate")},
}
