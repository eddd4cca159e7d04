"""Composes the club server's configuration file, and the `[club]` section of each table's configuration file."""

import json
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Final

from captains_table.club.setting_up import names
from captains_table.reporting.messages import SERVER_USER

CLUB: Final = """\
# The club's server. Every key is explained in docs/club-setup.md; unknown keys are errors. Paths are seen from this
# file.

[club]
title = "The club"
state_dir = {state_dir}

[broker]
host = "localhost"
port = {port}
user = {user}
password_file = {password}
ca = {authority}

[web]
host = "0.0.0.0"                          # the wall is for everybody in the room; the arbiter's pages ask for a log-in
port = 8378
hosts = {hosts}
public = "events"                         # what is shown without a log-in: nothing, the wall, events, or all
certificate = {certificate}
certificate_key = {certificate_key}
https_port = 8379                         # the pages encrypted, where arbiters log in
"""

TABLE: Final = """\
[club]
host = {host}
port = {port}
user = {user}
password_file = {password}
ca = {authority}
board = {number}
title = {title}
names = false                             # true: the club learns the players' names, not their initials alone
"""


def club_settings(port: int, hosts: Sequence[str], state_dir: Path, authority: Path) -> str:
    """Return the configuration of a club's server that runs on the same machine as its broker.

    Args:
        port: the broker's port.
        hosts: the names of the machine.
        state_dir: the folder of the server's database.
        authority: the file with the authority's certificate.
    """
    return CLUB.format(
        port=port,
        state_dir=quoted(state_dir),
        user=quoted(SERVER_USER),
        password=quoted(names.CLUB_PASSWORD),
        authority=quoted(authority),
        hosts=json.dumps(hosts),
        certificate=quoted(names.WEB_CERTIFICATE),
        certificate_key=quoted(names.WEB_KEY),
    )


def table_settings(user: str, number: int, host: str, port: int, folder: PurePosixPath) -> str:
    """Return the `[club]` section of a table's configuration.

    Args:
        user: the table's user name at the broker.
        number: the table's number in the club.
        host: the broker's name or address.
        port: the broker's port.
        folder: the folder on the table's machine that holds the table's password and the authority's certificate.
    """
    return TABLE.format(
        host=quoted(host),
        port=port,
        user=quoted(user),
        password=quoted(folder / names.PASSWORD),
        authority=quoted(folder / names.AUTHORITY),
        number=number,
        title=quoted(f"Table {number}"),
    )


def quoted(text: str | PurePosixPath | Path) -> str:
    """Return a text as a TOML string: quoted as in JSON, but with the character DEL escaped too."""
    return json.dumps(str(text), ensure_ascii=False).replace("\x7f", "\\u007f")
