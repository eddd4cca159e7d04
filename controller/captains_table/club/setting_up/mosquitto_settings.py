"""What Mosquitto is told of the club (mosquitto.conf(5)): a drop-in file, which also stands alone."""

from pathlib import Path
from typing import Final

from captains_table.reporting.messages import LARGEST

PACKET: Final = LARGEST + 4096  # a payload with its topic

SETTINGS: Final = """\
# The club's listener: written by `captains-table club init`, read by Mosquitto.
listener {port}
cafile {folder}/ca.crt
certfile {folder}/server.crt
keyfile {folder}/server.key
tls_version tlsv1.2

# Nobody without a password, and everybody only what the list allows him.
allow_anonymous false
password_file {folder}/passwords
acl_file {folder}/acl

# One line for each user: a new one pushes out his own and nobody else's, whatever it calls itself.
use_username_as_clientid true

# No table can fill the broker's memory: not by one message, nor by many that nobody fetches.
# A server that is busy for a moment with many tables misses nothing.
max_packet_size {packet}
max_queued_messages 20000
max_queued_bytes 67108864
persistent_client_expiration 14d

# A change on a table is seen at once.
set_tcp_nodelay true
"""


class BadFolder(ValueError):
    """Mosquitto could not read the path of a folder as it is written."""


def mosquitto_settings(folder: Path, port: int) -> str:
    """Return the settings of a broker whose files lie in a folder; raises BadFolder."""
    path = str(folder)
    if not folder.is_absolute() or path != path.strip() or any(ord(letter) < ord(" ") for letter in path):
        raise BadFolder(f"{path!r}: expected an absolute path of one line, without a blank at its end")
    return SETTINGS.format(folder=path, port=port, packet=PACKET)
