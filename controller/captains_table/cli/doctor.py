"""The command `doctor`: examines a table by checks and a guided test, and prints a report.

The examined table may be simulated, with chosen faults. The command can also print only the state of the running
table's switches.
"""

import argparse
import sys

from captains_table.cli.arguments import Commands, add_command, add_state, state_dir_of
from captains_table.cli.serving import print_line


def add(commands: Commands) -> None:
    """Add `doctor` to the parser's commands."""
    doctor = add_command(
        commands,
        "doctor",
        doctor_command,
        "captains-table doctor pico-8x8",
        "captains-table doctor /etc/captains-table/config.toml --checks",
        "captains-table doctor pico-8x8 --simulated --fault diode-missing:c4 --fault encoder-reversed",
        "captains-table doctor --switches",
    )
    doctor.add_argument("build", nargs="?", metavar="PROFILE|CONFIG", help="a profile's name, or a file (simulated)")
    doctor.add_argument("--checks", action="store_true", help="only the checks that need no hand")
    doctor.add_argument("--simulated", action="store_true", help="examine a simulated table of that build")
    doctor.add_argument(
        "--fault",
        action="append",
        default=[],
        metavar="KIND:PLACE",
        help="something wrong with the simulated table, such as short:c-d; may be given several times",
    )
    doctor.add_argument("--faults", default="", metavar="WORDS", help="several of them, with commas between")
    doctor.add_argument("--switches", action="store_true", help="only how the running table's switches are doing")
    add_state(doctor)


def doctor_command(arguments: argparse.Namespace) -> int:
    """Examine a table: checks, a guided test with a piece, a report.

    With --switches, only print the state of the running table's switches.
    """
    if arguments.switches:
        from captains_table.doctor.running_table import switch_lines

        for line in switch_lines(state_dir_of(arguments)):
            print(line)
        return 0
    from captains_table.doctor.examination import ExaminationRequest, config_of, examine_table
    from captains_table.runtime.applied_config import profile_of

    name = arguments.build or ("simulated" if arguments.simulated else None)
    config = config_of(name, getattr(arguments, "state", None))
    profile = profile_of(config)
    is_simulated = arguments.simulated or profile.board.is_simulated
    faults = (*arguments.fault, *arguments.faults.split(","))
    if any(faults) and not is_simulated:
        raise ValueError(f"--fault: {profile.name} is a real board; expected --simulated with it")
    wanted = ExaminationRequest(config, profile, faults, checks_only=arguments.checks, is_simulated=is_simulated)
    return examine_table(wanted, sys.stdin, print_line)
