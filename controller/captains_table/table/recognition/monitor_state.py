"""What the monitor of a board is doing."""

from enum import Enum, auto


class MonitorState(Enum):
    """What the monitor is doing about the board."""

    WATCHING = auto()
    RECOVERING = auto()  # the board fits nothing: the way home is shown until it is right again
    ASKING = auto()  # the board fits several things
    ALIGNING = auto()  # the board is to be made like the match before anything is recognised


WATCHED = (MonitorState.WATCHING, MonitorState.RECOVERING)  # moves are recognised
