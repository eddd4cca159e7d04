"""The command `page`: prints the addresses of the running table's page, with a QR code for phones."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from captains_table.cli.arguments import Commands, add_command

if TYPE_CHECKING:
    from captains_table.runtime.running_page import RunningPage

INSTALLED: Final = Path("/etc/captains-table/config.toml")


def add(commands: Commands) -> None:
    """Add `page` to the parser's commands."""
    page = add_command(
        commands,
        "page",
        page_command,
        "sudo captains-table page",
        "captains-table page table.toml --wait 30",
    )
    page.add_argument("config", nargs="?", type=Path, default=INSTALLED, help=f"its configuration ({INSTALLED})")
    page.add_argument("--wait", type=float, default=0, metavar="SECONDS", help="wait so long for it to answer")


def page_command(arguments: argparse.Namespace) -> int:
    """Say where the running table's page is, once it answers."""
    from captains_table.runtime.config import read_table_config
    from captains_table.runtime.running_page import find_running_page, wait_for_page
    from captains_table.web.reach import PageReach

    config = read_table_config(arguments.config)
    wait_for_page(PageReach(config.host, config.port).own, arguments.wait)
    page = find_running_page(config)
    for line in page_lines(page, arguments.config):
        print(line)
    if page.others and sys.stdout.isatty():
        _show_code(page.table(page.others[0]))
    return 0


def page_lines(page: "RunningPage", config: Path) -> Iterator[str]:
    """Yield lines that say at which addresses the page is, and what people may do there.

    Args:
        page: the page's addresses and its token.
        config: the table's configuration file, which is named in the advice on opening the page to other devices.
    """
    yield "The table is at work, and its page answers."
    yield f"  On this machine:    {page.table(page.own)}"
    for number, address in enumerate(page.others):
        yield f"  {'From other devices:' if number == 0 else '                or:'} {page.table(address)}"
    if page.token is None:
        yield "  Only this machine reaches it. To open it from other devices, write"
        yield f'      host = "0.0.0.0"    under [web] in {config}, then: sudo systemctl restart captains-table'
    elif page.others:
        yield "  Whoever has the token in these addresses plays and leads the table; without it one may watch."
    else:
        yield "  This machine is on no network now. Once it is: sudo captains-table page"


def _show_code(address: str) -> None:
    import segno

    print("  For a phone's camera:")
    segno.make(address, error="l", micro=False).terminal(sys.stdout, compact=_writes_blocks())


def _writes_blocks() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
