"""The process in which one round is paired: among a hundred players that is seconds of work in one piece.

It reads one line of JSON, an event with all that was written of it, and writes one with its next round.
"""

import sys

import msgspec

from captains_table.club.events.counting import CannotPair
from captains_table.club.events.event import event_of
from captains_table.club.events.pairing import next_round
from captains_table.club.pairing.messages import Paired, ToPair


def main() -> None:
    """Pair the event that stands at the standard input."""
    asked = msgspec.json.decode(sys.stdin.buffer.read(), type=ToPair)
    sys.stdout.buffer.write(msgspec.json.encode(answer_to(asked)) + b"\n")


def answer_to(asked: ToPair) -> Paired:
    """Return the next round of the event, or why there is none."""
    try:
        return Paired(next_round(event_of(asked.entries), asked.prefix))
    except CannotPair as error:
        return Paired(why=str(error))


if __name__ == "__main__":
    main()
