"""The names of the files and subfolders in a club's folder."""

from typing import Final

CONFIG: Final = "config.toml"
CLUB_PASSWORD: Final = "club-password"  # noqa: S105 - the name of a file
DISPLAY_PASSWORD: Final = "display-password"  # noqa: S105 - the name of a file
AUTHORITY: Final = "ca.crt"
AUTHORITY_KEY: Final = "ca.key"
BROKER: Final = "broker"
SETTINGS: Final = "captains-table.conf"
ACCESS: Final = "acl"
PASSWORDS: Final = "passwords"
CERTIFICATE: Final = "server.crt"
KEY: Final = "server.key"
WEB_CERTIFICATE: Final = "web.crt"
WEB_KEY: Final = "web.key"
TABLES: Final = "tables"
BLOCK: Final = "club.toml"
PASSWORD: Final = "password"  # noqa: S105 - the name of a file
