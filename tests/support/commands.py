"""Commands as documents show them: whether target, command, option, game and profile exist."""

import argparse
import importlib.util
import itertools
import re
import shlex
from collections.abc import Iterable, Iterator
from functools import cache

from captains_table.cli.main import build_parser, with_joined
from captains_table.games.registry import GAMES
from captains_table.storage.profile_files import profile_names
from tests.prove.__main__ import parser as prove_parser
from tests.support.documents import ROOT

PROGRAM = "captains-table"
_MAKE = re.compile(r"(?:sudo )?(?:[A-Z_]+=\S+ )*make (?P<target>[a-z][\w-]*)(?P<rest>.*)")
_PROGRAM = re.compile(rf"(?:sudo )?(?:\S*/)?{PROGRAM}(?: (?P<rest>.*))?")
_MODULE = re.compile(r"(?:\S*/)?python -m (?P<module>[\w.]+)")
_ARGS = re.compile(r"ARGS=(?:\"(?P<quoted>[^\"]*)\"|(?P<bare>\S+))")
_PROFILE = re.compile(r"PROFILE=(?P<name>[a-z][\w-]*)")
_OPTION = re.compile(r"--[a-z][\w-]*")
_AGREED = re.compile(r"(?P<name>[a-z]\w*)=.*")


whole_parser = cache(build_parser)


def broken_commands(code: Iterable[str]) -> list[str]:
    """Return which commands in some lines of code cannot be given, and why."""
    return [f"{line}: {wrong}" for line in code for part in line.split(" && ") for wrong in _wrong_with(part)]


def _wrong_with(line: str) -> Iterator[str]:
    if (found := _MAKE.fullmatch(line)) is not None:
        yield from _wrong_with_make(found["target"], found["rest"])
    elif (found := _PROGRAM.fullmatch(line)) is not None:
        yield from _wrong_with_program((found["rest"] or "").split())
    elif (found := _MODULE.match(line)) is not None and importlib.util.find_spec(found["module"]) is None:
        yield f"there is no module {found['module']}"


@cache
def make_targets() -> frozenset[str]:
    """Return what make can be told to do."""
    return frozenset(re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def _wrong_with_make(target: str, rest: str) -> Iterator[str]:
    if target not in make_targets():
        yield f"make has no target {target}"
    profile = _PROFILE.search(rest)
    if profile is not None and profile["name"] not in profile_names():
        yield f"there is no profile {profile['name']}"
    arguments = _ARGS.search(rest)
    words = shlex.split((arguments["quoted"] or arguments["bare"]) if arguments is not None else "")
    if target == "play":
        yield from _wrong_with_program(["play", *words])
    elif target == "prove":
        yield from _wrong_words(prove_parser(), words)


def _wrong_with_program(words: list[str]) -> Iterator[str]:
    parser, words = whole_parser(), list(with_joined(words))
    named: list[str] = []
    while words and (below := commands_of(parser)) and (words[0] in below or _is_word(words[0])):
        if words[0] not in below:
            yield f"there is no command {words[0]}"
            return
        parser = below[words[0]]
        named.append(words.pop(0))
    yield from _wrong_words(parser, words)
    if named and named[0] in ("play", "simulate", "odds"):
        yield from _wrong_game(words)


def commands_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _wrong_words(parser: argparse.ArgumentParser, words: list[str]) -> Iterator[str]:
    options = parser._option_string_actions
    for word, following in itertools.pairwise([*words, ""]):
        for option in _OPTION.findall(word):
            if option not in options:
                yield f"there is no option {option}"
            elif (choices := options[option].choices) and _is_word(following) and following not in choices:
                yield f"{option} takes no {following}"


def _wrong_game(words: list[str]) -> Iterator[str]:
    game = next(iter(words), "legend")
    if game not in GAMES and _is_word(game) and not _AGREED.fullmatch(game):
        yield f"there is no game {game}"
    known = {option.name for option in GAMES.get(game, GAMES["legend"]).options}
    agreed = [found["name"] for word in words if (found := _AGREED.fullmatch(word))]
    yield from (f"the game has no option {name}" for name in agreed if name not in known)


def _is_word(text: str) -> bool:
    """Return whether it is meant as it stands: small letters, neither an option nor a PLACEHOLDER."""
    return re.fullmatch(r"[a-z][a-z0-9-]*", text) is not None
