"""The command `captains-table`: reads its arguments and calls what they name. Heavy rooms are imported when needed."""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from captains_table import __version__
from captains_table.cli.odds_commands import add_odds_commands

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from captains_table.runtime.config import Config
    from captains_table.runtime.daemon import Opening
    from captains_table.storage.journal_file import JournalFile

USAGE_ERROR = 2
NUMBER_HELP = "the number that `captains-table matches` shows"

EXAMPLES = """examples:
  captains-table play                              a table in the browser; takes up the match left last
  captains-table play --players Anne Bart rounds=1 a new match of Legend, one round
  captains-table play legend --players Anne        solitaire: Aether plays the other side with the same hand
  captains-table play captains-chess clock=5+3     Captain's Chess on nine files, five minutes and three seconds a move
  captains-table run table.toml                    the daemon, told by a file
  captains-table replay a.tape b.tape              play tapes as fast as they go
  captains-table matches                           what was played; `matches resume 3`, `matches export 3 --form pgn`
  captains-table verify match.json                 prove that no die of an exported match was touched
  captains-table wiring pico-8x8                   wiring diagram and parts list of a build
  captains-table doctor pico-8x8                   examine a table: checks, a guided test, a report
  captains-table doctor --switches                 how the switches of the running table are doing
  captains-table odds swashbuckle                  exact figures of a game's dice
  captains-table simulate swashbuckle --players best --matches 5000
"""


class NothingPlayed(LookupError):  # noqa: N818 - named by its condition
    """There is no journal."""


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    parser = argparse.ArgumentParser(
        prog="captains-table",
        description="A smart tabletop: a board that sees its pieces, honest dice, and a journal that loses nothing.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"captains-table {__version__}")
    commands = parser.add_subparsers(title="commands", dest="command", required=True, metavar="COMMAND")
    _add_play(commands)
    _add_run(commands)
    _add_replay(commands)
    _add_verify(commands)
    _add_matches(commands)
    _add_doctor(commands)
    _add_wiring(commands)
    add_odds_commands(commands, _command)
    return parser


def _command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, what: str, *examples: str
) -> argparse.ArgumentParser:
    """Add a command whose help says what it does and shows how."""
    return commands.add_parser(
        name,
        help=what,
        description=f"{what[0].upper()}{what[1:]}.",
        epilog="\n".join(["examples:", *(f"  {example}" for example in examples)]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def _add_play(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    play = _command(
        commands,
        "play",
        "play at a simulated table in the browser",
        "captains-table play --players Anne Bart rounds=1",
        "captains-table play legend turn_limit=80 --port 9000",
    )
    play.add_argument(
        "game",
        nargs="?",
        help="legend (the default), captains-chess, ship-captain-crew or swashbuckle; naming a game starts a new match",
    )
    play.add_argument("options", nargs="*", metavar="OPTION=VALUE", help="the game's options, such as rounds=1")
    play.add_argument("--players", nargs="+", metavar="NAME", help="in seat order; starts a new match")
    _add_serving(play)
    play.set_defaults(do=play_command)


def _add_serving(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", help="address to listen on (127.0.0.1; others ask for the printed token)")
    parser.add_argument("--port", type=int, help="port to listen on (8377, or any free one if that is taken)")
    _add_state(parser)
    parser.add_argument("--record", type=Path, metavar="TAPE", help="write all that is done into a tape")


def _add_state(parser: argparse.ArgumentParser) -> None:
    """Add --state; where a command and what it does both take it, the last one given counts."""
    parser.add_argument(
        "--state", type=Path, metavar="DIR", default=argparse.SUPPRESS, help="where the journal is kept"
    )


def _state_dir(arguments: argparse.Namespace) -> Path:
    from captains_table.runtime.config import default_state_dir

    state: Path | None = getattr(arguments, "state", None)
    return default_state_dir() if state is None else state


def _add_run(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    run = _command(commands, "run", "run the daemon under a configuration file", "captains-table run table.toml")
    run.add_argument("config", type=Path, help="a TOML file")
    run.add_argument("--record", type=Path, metavar="TAPE", help="write all that is done into a tape")
    run.add_argument("--check", action="store_true", help="only say whether file and profile are in order")
    run.set_defaults(do=run_command)


def _add_replay(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    replay = _command(
        commands, "replay", "play tapes with no hardware and a virtual clock", "captains-table replay a.tape b.tape"
    )
    replay.add_argument("tapes", nargs="+", type=Path, metavar="TAPE")
    replay.set_defaults(do=replay_command)


def _add_verify(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    verify = _command(
        commands,
        "verify",
        "prove that no die of an exported match was touched",
        "captains-table matches export 3 --to match.json && captains-table verify match.json",
        "captains-table verify --dice",
    )
    what = verify.add_mutually_exclusive_group(required=True)
    what.add_argument("file", type=Path, nargs="?", help="what `matches export` wrote")
    what.add_argument("--dice", action="store_true", help="test a million faces of the dice themselves")
    verify.set_defaults(do=verify_command)


def _add_matches(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    matches = _command(
        commands,
        "matches",
        "list, resume and export matches",
        "captains-table matches",
        "captains-table matches resume 3",
        "captains-table matches export 3 --form pgn --to match.pgn",
    )
    _add_state(matches)
    matches.set_defaults(do=list_command)
    doing = matches.add_subparsers(title="what to do", metavar="list | resume | export")
    listing = _command(doing, "list", "list the matches, latest first", "captains-table matches list")
    _add_state(listing)
    listing.set_defaults(do=list_command)
    resume = _command(doing, "resume", "take a match up again at a simulated table", "captains-table matches resume 3")
    resume.add_argument("number", type=int, help=NUMBER_HELP)
    _add_serving(resume)
    resume.set_defaults(do=resume_command)
    export = _command(
        doing, "export", "write a match as text", "captains-table matches export 3 --form pgn --to match.pgn"
    )
    export.add_argument("number", type=int, help=NUMBER_HELP)
    _add_state(export)
    export.add_argument(
        "--form", choices=("json", "pgn", "ini"), default="json", help="pgn: Legend; ini: Captain's Chess"
    )
    export.add_argument("--to", type=Path, metavar="FILE", help="file to write instead of the standard output")
    export.set_defaults(do=export_command)


def _add_doctor(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    doctor = _command(
        commands,
        "doctor",
        "examine a table: checks, a guided test with a piece, a report",
        "captains-table doctor pico-8x8",
        "captains-table doctor /etc/captains-table/table.toml --checks",
        "captains-table doctor --simulated --faults 'dead e4, swap a1 b1, reverse row 3'",
        "captains-table doctor --switches",
    )
    doctor.add_argument("build", nargs="?", metavar="PROFILE|CONFIG", help="a profile's name, or a file (simulated)")
    doctor.add_argument("--checks", action="store_true", help="only the checks that need no hand")
    doctor.add_argument("--simulated", action="store_true", help="examine a simulated table")
    doctor.add_argument("--faults", default="", metavar="WORDS", help="what is broken on the simulated table")
    doctor.add_argument("--switches", action="store_true", help="only how the running table's switches are doing")
    _add_state(doctor)
    doctor.set_defaults(do=doctor_command)


def _add_wiring(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    wiring = _command(
        commands,
        "wiring",
        "write the wiring diagram and the parts list of a build",
        "captains-table wiring pico-8x8",
        "captains-table wiring my-table.toml --out my-table",
    )
    wiring.add_argument("profile", help="the name of a build (an unknown one lists them), or a profile's file")
    wiring.add_argument("--out", type=Path, default=Path(), metavar="DIR", help="where to write them (here)")
    wiring.set_defaults(do=wiring_command)


# --- commands -------------------------------------------------------------------------------------------------------


def play_command(arguments: argparse.Namespace) -> int:
    """Play at a simulated table."""
    from captains_table.runtime.config import DEFAULT_GAME
    from captains_table.runtime.daemon import Opening, options_from_words

    words = [word for word in (arguments.game, *arguments.options) if word is not None]
    game = words.pop(0) if words and "=" not in words[0] else None
    options = options_from_words([*words, *(name for name in arguments.players or () if "=" in name)])
    players = tuple(name for name in arguments.players or () if "=" not in name)
    fresh = bool(game or options or players)
    config = _config(arguments, game=game or DEFAULT_GAME, players=players, options=options)
    return _serve(config, Opening(fresh=fresh, record=arguments.record, any_port=arguments.port is None))


def run_command(arguments: argparse.Namespace) -> int:
    """Run the daemon under a configuration file."""
    from captains_table.hardware.profiles.files import load_profile
    from captains_table.runtime.config import read_config
    from captains_table.runtime.daemon import Opening

    config = read_config(arguments.config)
    profile = load_profile(config.profile, config.state_dir)
    if arguments.check:
        print(f"{arguments.config} is in order: {profile.name}, {profile.title}.")
        return 0
    return _serve(config, Opening(record=arguments.record))


def resume_command(arguments: argparse.Namespace) -> int:
    """Take a match up again."""
    from captains_table.runtime.daemon import Opening

    any_port = arguments.port is None
    return _serve(_config(arguments), Opening(match=arguments.number, record=arguments.record, any_port=any_port))


def _config(arguments: argparse.Namespace, **match: object) -> "Config":
    from captains_table.runtime.config import Config

    values = dict(match)
    values |= {key: getattr(arguments, key, None) for key in ("host", "port")}
    values["state_dir"] = _state_dir(arguments)
    return Config(**{key: value for key, value in values.items() if value not in (None, (), {})})  # type: ignore[arg-type]


def _serve(config: "Config", opening: "Opening") -> int:
    from captains_table.runtime.daemon import run

    return run(config, opening, _say)


def _say(line: str) -> None:
    print(line, flush=True)


def replay_command(arguments: argparse.Namespace) -> int:
    """Play tapes."""
    from captains_table.runtime.replay import replay_files

    return replay_files(arguments.tapes, sys.stdout, sys.stderr)


def verify_command(arguments: argparse.Namespace) -> int:
    """Prove that no die of an exported match was touched."""
    import json

    from captains_table.cli.odds_commands import dice_command
    from captains_table.table.history.verify import verify_export

    if arguments.dice:
        return dice_command()
    try:
        value = json.loads(arguments.file.read_text(encoding="utf-8"))
    except ValueError as error:
        print(f"{arguments.file}: is no export of a match ({error}): expected JSON", file=sys.stderr)
        return USAGE_ERROR
    verdict = verify_export(value)
    print(verdict.words)
    return 0 if verdict.proven else 1


def _journal(arguments: argparse.Namespace) -> "AbstractContextManager[JournalFile]":
    from contextlib import closing

    from captains_table.runtime.daemon import JOURNAL
    from captains_table.storage.journal_file import JournalFile

    path = _state_dir(arguments) / JOURNAL
    if not path.exists():
        raise NothingPlayed(f"no match was played yet: there is no {path}")
    return closing(JournalFile(path))


def list_command(arguments: argparse.Namespace) -> int:
    """List the matches."""
    from captains_table.storage.exports import all_names, listed, outcome_words

    try:
        with _journal(arguments) as journal:
            records = journal.matches()
    except NothingPlayed:
        records = []
    for record in records:
        names = listed(all_names(record))
        ended = outcome_words(record) or "not over"
        print(f"{record.number:4}  {record.began}  {record.started.game}  {names}: {record.actions} actions, {ended}")
    if not records:
        print("No match was played yet.")
    return 0


def export_command(arguments: argparse.Namespace) -> int:
    """Write a match as text."""
    from captains_table.storage.exports import export_match

    with _journal(arguments) as journal:
        text = export_match(journal.open(arguments.number), arguments.form)
    if arguments.to is None:
        sys.stdout.write(text)
    else:
        arguments.to.write_text(text, encoding="utf-8")
    return 0


def doctor_command(arguments: argparse.Namespace) -> int:
    """Examine a table, or say how the switches of the running one are doing."""
    if arguments.switches:
        from captains_table.doctor.running_table import switch_lines

        for line in switch_lines(_state_dir(arguments)):
            print(line)
        return 0
    from captains_table.doctor.examination import Wanted, config_of, examine
    from captains_table.runtime.daemon import profile_of

    name = "simulated" if arguments.simulated else arguments.build
    config = config_of(name, getattr(arguments, "state", None))
    profile = profile_of(config)
    if arguments.faults and profile.source != "simulated":
        raise ValueError(f"--faults: {profile.name} is a real board; expected --simulated with it")
    wanted = Wanted(config, profile, arguments.faults, checks_only=arguments.checks)
    return examine(wanted, sys.stdin, _say)


def wiring_command(arguments: argparse.Namespace) -> int:
    """Write the wiring documents of a build."""
    from captains_table.hardware.profiles.files import load_profile
    from captains_table.hardware.wiring.documents import write_documents

    for path in write_documents(load_profile(arguments.profile), arguments.out):
        print(path)
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; what the user can put right is said in a sentence."""
    arguments = build_parser().parse_args(argv)
    do: Callable[[argparse.Namespace], int] = arguments.do
    try:
        return do(arguments)
    except BrokenPipeError:
        return 1
    except (ValueError, LookupError, OSError, RuntimeError) as error:
        print(f"captains-table: {error}", file=sys.stderr)
        return USAGE_ERROR
