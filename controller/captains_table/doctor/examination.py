"""Runs the whole examination: checks, guided test, report, and the profile's override that corrects wrong wiring.

The choice of the table's configuration and a writer for TOML are here too.
"""

import json
import os
import tomllib
from collections.abc import Hashable, Iterable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TextIO, TypeVar

from msgspec import structs

from captains_table.devices.build import BuildOptions, build
from captains_table.devices.gpio.pi_hardware import PiHardware
from captains_table.doctor.checks import Check, Severity, check_all
from captains_table.doctor.diagnosis.findings import Findings
from captains_table.doctor.diagnosis.guided_test import GuidedTest
from captains_table.doctor.diagnosis.simulated_table import SimulatedTable, buttons_of, chain_of
from captains_table.doctor.guiding import QUIT, SayLine, TypedLines, lead_person
from captains_table.doctor.simulated_hands import lead_simulated
from captains_table.games.contract import Square
from captains_table.hardware.kinds import SIMULATED
from captains_table.hardware.profiles.profile import Profile
from captains_table.runtime.config import TableConfig, read_table_config
from captains_table.storage.files import write_whole
from captains_table.storage.lock import sole_use
from captains_table.storage.ownership import as_owner
from captains_table.storage.profile_files import OVERRIDE

HEAD = "# Written by `captains-table doctor`: how this table differs from its profile. Delete it to begin anew.\n"
REPORT: Final = "doctor-report.txt"
_Place = TypeVar("_Place", bound=Hashable)
YES: Final = frozenset({"y", "yes"})


@dataclass(frozen=True, slots=True)
class ExaminationRequest:
    """The table to examine, and how to examine it.

    Attributes:
        config: the table's configuration.
        profile: the table's build, including the corrections of this table.
        faults: the faults of a simulated table, written as in `SimulatedTable`.
        checks_only: whether to leave out the guided test.
        is_simulated: whether to examine a simulated table of this build instead of the real one.
    """

    config: TableConfig
    profile: Profile
    faults: tuple[str, ...] = ()
    checks_only: bool = False
    is_simulated: bool = False


@dataclass(frozen=True, slots=True)
class MapCorrections:
    """Corrections of wrong connections, to be added to the corrections of a profile.

    Attributes:
        switches: maps the square that the table reads to the square where the piece really is.
        lights: maps the square that the table lights to the square that really shines.
        buttons: maps the button that the table registers to the button that was really pressed.
    """

    switches: Mapping[Square, Square] = field(default_factory=dict)
    lights: Mapping[Square, Square] = field(default_factory=dict)
    buttons: Mapping[str, str] = field(default_factory=dict)


def examine_table(wanted: ExaminationRequest, typed: TextIO, say: SayLine) -> int:
    """Examine a table, save the report, and offer to correct wrong wiring; return 0 if nothing is wrong, else 1.

    The report is not saved if the state directory cannot be written.

    Args:
        wanted: the table, and how to examine it.
        typed: the stream of lines that the person types.
        say: shows a line to the person.

    Raises:
        BadFault: a fault of the simulated table is invalid.
        CannotBuild: the table's devices cannot be opened.
        StateInUse: a table runs with this state directory.
        Planted: root runs this, and somebody may have planted a link or a file to misdirect root (see `as_owner`).
    """
    answers = TypedLines(typed, at_end=QUIT)
    table = SimulatedTable(wanted.profile, wanted.faults) if wanted.is_simulated else None
    checks = []
    for check in check_all(wanted.config, _without_hardware(wanted.profile) if table else wanted.profile):
        checks.append(check)
        say(str(check))
    findings = None if wanted.checks_only else _guide(wanted, table, answers, say)
    report = list(report_lines(wanted.profile, checks, findings))
    say("\n".join(["", *report]))
    state_dir = wanted.config.state_dir
    with as_owner(state_dir, state=True) as folder:
        is_kept = os.access(folder, os.W_OK, effective_ids=True)
        if is_kept:
            write_whole(folder / REPORT, "\n".join([*report, ""]))
    if is_kept:
        say(f"The report is also in {state_dir / REPORT}.")
    if findings is not None:
        _offer_override(wanted, findings, answers, say)
    is_well = all(check.level is not Severity.WRONG for check in checks) and (findings is None or not findings.lines())
    return 0 if is_well else 1


def _without_hardware(profile: Profile) -> Profile:
    """Return a copy of the profile for a simulated table: a simulated board, no lights, no display device."""
    return replace(profile, board=SIMULATED, lights=None, display=replace(profile.display, bus=None))


def _guide(wanted: ExaminationRequest, table: SimulatedTable | None, answers: TypedLines, say: SayLine) -> Findings:
    profile = wanted.profile
    test = GuidedTest(
        profile.shape,
        buttons_of(profile),
        chain_of(profile),
        profile.corrections,
        has_matrix=not profile.board.is_bought,
    )
    with ExitStack() as stack:
        with as_owner(wanted.config.state_dir, state=True) as folder:
            stack.enter_context(sole_use(folder))
        if table is None:
            _guide_person(wanted, test, answers, say)
        else:
            say(f"Simulated hands do what the test asks, with {table.pieces} pieces.")
            say(f"They have put {lead_simulated(test, table)} pieces.")
    return test.findings()


def _guide_person(wanted: ExaminationRequest, test: GuidedTest, answers: TypedLines, say: SayLine) -> None:
    config = wanted.config
    options = BuildOptions(config.device, config.turned, debounce_ms=config.settings.debounce_ms)
    with closing(build(wanted.profile, PiHardware(), options)) as devices:
        if devices.board is None:
            raise AssertionError("a build that is not simulated has a board")
        lead_person(test, devices, devices.board, answers, say)
        for fault in devices.faults():
            say(fault)


def _offer_override(wanted: ExaminationRequest, findings: Findings, answers: TypedLines, say: SayLine) -> None:
    cure = corrections_of(findings)
    if cure == MapCorrections() or wanted.profile.board.is_bought:
        return
    if wanted.is_simulated and not wanted.profile.board.is_simulated:
        say(f"Mind: this was a simulated board, and {wanted.config.state_dir} may be a real table's.")
    say(f"{_cured(cure)} put right by another map; the table uses it from its next start on. Write it? [y/N]")
    if answers.ask() not in YES:
        say("Nothing was written.")
        return
    with as_owner(wanted.config.state_dir, state=True) as folder:
        written = write_override(wanted.profile, cure, folder)
    say(f"Written: {wanted.config.state_dir / written.name}")


def corrections_of(findings: Findings) -> MapCorrections:
    """Return the corrections of the profile's maps that the findings call for."""
    switches = findings.switches.places if findings.switches.wiring and findings.complete else {}
    buttons = {read.value: real.value for read, real in findings.button_places.items()}
    return MapCorrections(switches, findings.light_places, buttons)


def _cured(cure: MapCorrections) -> str:
    *most, last = [
        name
        for name, places in (("squares", cure.switches), ("lights", cure.lights), ("buttons", cure.buttons))
        if places
    ]
    return f"The {', '.join(most)}{' and ' if most else ''}{last} can be"


def report_lines(profile: Profile, checks: Iterable[Check], findings: Findings | None) -> Iterable[str]:
    """Yield the lines of the report: profile, versions and checks, findings, and the health of every switch."""
    yield "--- captains-table doctor: paste all of this into a bug report ---"
    yield f"profile: {profile.name} ({profile.board.key}, {profile.shape}, {len(profile.corrections)} corrections)"
    yield from map(str, checks)
    if findings is None:
        yield "guided test: not done"
    else:
        yield from _findings_lines(findings)
    yield "--- end ---"


def _findings_lines(findings: Findings) -> Iterable[str]:
    yield f"guided test: {'done' if findings.complete else 'ended before every square was asked'}"
    yield from findings.lines() or ["Nothing is wrong."]
    yield from (f"note: {note}" for note in findings.notes)
    yield "square  now     changes  flickers  condition"
    for row in findings.health:
        now = "closed" if row.closed else "open"
        yield f"{row.square!s:6}  {now:6}  {row.changes:7}  {row.flickers:8}  {row.condition}"


def config_of(name: str | None, state_dir: Path | None) -> TableConfig:
    """Return a table's configuration.

    Args:
        name: a profile's name, or the path of a profile or of a configuration file; `None` for the default
            configuration.
        state_dir: the state directory; `None` for the configured one.

    Raises:
        BadConfig: the configuration file is invalid.
    """
    config = TableConfig()
    if name is not None:
        path = Path(name)
        config = read_table_config(path) if _is_config(path) else TableConfig(profile=name)
    return config if state_dir is None else structs.replace(config, state_dir=state_dir)


def _is_config(path: Path) -> bool:
    """Return whether a file is a configuration; a profile is recognised by its title, which no configuration has."""
    try:
        return path.is_file() and "title" not in tomllib.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        return False  # reading it as a profile will report the error


# --- the override ---------------------------------------------------------------------------------------------------


def write_override(profile: Profile, cure: MapCorrections, state_dir: Path) -> Path:
    """Add new corrections to the override file, keep its other values, and return its path; raises OSError."""
    path = state_dir / OVERRIDE
    values: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    values |= {"profile": profile.name}
    if cure.switches:
        values["corrections"] = _combined(profile.corrections, cure.switches)
    if cure.lights and profile.lights is not None:
        values.setdefault("lights", {})["corrections"] = _combined(profile.lights.corrections, cure.lights)
    if cure.buttons:
        before = {str(wire): str(real) for wire, real in profile.buttons.corrections.items()}
        values.setdefault("buttons", {})["corrections"] = _combined(before, cure.buttons)
    state_dir.mkdir(parents=True, exist_ok=True)
    write_whole(path, HEAD + format_toml(values), keeps_mode=True)
    return path


def _combined(before: Mapping[_Place, _Place], found: Mapping[_Place, _Place]) -> dict[str, str]:
    """Return the corrections that have the same effect as the old ones and then the new ones, as text for TOML.

    Corrections map a place in the wiring to the real place. An old correction that is no longer needed is listed too:
    as a place that maps to itself. If it were left out, the profile's correction would remain, because the result is
    merged into the profile key by key.

    Args:
        before: the old corrections.
        found: the new corrections, which were found while the old corrections were in use.
    """
    real_at = {}
    for wire in (*before, *sorted(found, key=repr)):
        read = before.get(wire, wire)
        real_at[wire] = found.get(read, read)
    return {str(wire): str(real) for wire, real in real_at.items() if wire != real or wire in before}


def format_toml(values: Mapping[str, Any], path: tuple[str, ...] = ()) -> str:
    """Return nested tables of strings, numbers, booleans and lists as TOML; `path` is the name of the outer table."""
    plain = {key: value for key, value in values.items() if not isinstance(value, dict)}
    text = f"\n[{'.'.join(path)}]\n" if path else ""
    text += "".join(f"{key} = {json.dumps(value)}\n" for key, value in plain.items())
    tables = ((key, value) for key, value in values.items() if isinstance(value, dict))
    return text + "".join(format_toml(value, (*path, key)) for key, value in tables)
