"""Issues secret links to the seats of the current match; a link lets its holder play that seat until the match ends.

The owner can renew or revoke each link. Links survive a restart, and are suspended while the table has left the match.
"""

import hmac
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from captains_table import phrases
from captains_table.storage.key_files import KeysUnreadable, MatchKeys, SeatKeyFile
from captains_table.table.model.match import Match

KEY_BYTES = 16  # 128 bits: guessing is hopeless


class NoSuchSeat(ValueError):
    """The current match has no seat of this number that a person plays."""


@dataclass(frozen=True, slots=True)
class SeatLink:
    """A seat of the current match, and its link.

    Attributes:
        seat: the seat's number, from 0.
        name: the player's name.
        key: the key of the seat's link; `None` if the seat has no link.
        is_absent: whether the seat has always belonged to a computer and therefore has no link.
    """

    seat: int
    name: str
    key: str | None
    is_absent: bool = False


class SeatLinks:
    """Issues a key for each person's seat when a match begins, and revokes all keys when the match is over.

    Args:
        file: stores the keys, so that they survive a restart.
        say: is called with a sentence if the file cannot be read or written; the match goes on.
    """

    def __init__(self, file: SeatKeyFile, say: Callable[[str], None]) -> None:
        self._file = file
        self._say = say
        self._stored: MatchKeys | None = None
        self._match: Match | None = None  # the match that links may play now
        self._computers: frozenset[int] = frozenset()
        try:
            self._stored = file.read()
        except KeysUnreadable as error:
            say(f"{error}: new links to the seats are drawn.")

    # --- for the table ----------------------------------------------------------------------------------------------

    def open(self, number: int, match: Match) -> None:
        """Make the links valid for a match that was started or resumed; issue new keys if none are stored for it.

        If the match has ended, revoke all links instead.
        """
        if match.is_ended:
            self.end()
            return
        seats = range(len(match.names))
        self._match = match
        if self._stored is None or not self._stored.fits(number, match.started.commitment, len(seats)):
            keys = tuple(None if _is_absent(match, seat) else _new_key() for seat in seats)
            self._store(MatchKeys(number, match.started.commitment, keys))
        self._computers = frozenset(seat for seat in seats if _is_absent(match, seat) and not self._keys()[seat])

    def seated(self, match: Match) -> None:
        """Issue a key for each seat at which a person has taken over from the computer that was seated at the start.

        The seat keeps its key even if a computer plays there later.
        """
        taken = [seat for seat in self._computers if not _is_absent(match, seat)]
        self._computers -= frozenset(taken)
        for seat in taken:
            self.renew(seat)

    def close(self) -> None:
        """Suspend all links, because the table leaves the match; they work again when the match is resumed."""
        self._match = None

    def end(self) -> None:
        """Revoke all links, because the match is over."""
        self._match = None
        if self._stored is not None:
            self._stored = None
            self._try(self._file.remove)

    # --- for the page -----------------------------------------------------------------------------------------------

    def seat_of(self, key: str) -> int | None:
        """Return the seat of the current match that a key opens; `None` if the key opens no seat."""
        found = None
        for seat, own in enumerate(self._keys()):
            if own is not None and hmac.compare_digest(own.encode(), key.encode()):
                found = seat
        return found

    def links(self) -> Sequence[SeatLink]:
        """Return all seats of the current match with their links; empty without a match."""
        names = () if self._match is None else self._match.names
        return [
            SeatLink(seat, name, key, is_absent=seat in self._computers)
            for seat, (name, key) in enumerate(zip(names, self._keys(), strict=False))
        ]

    def renew(self, seat: int) -> None:
        """Issue a new key for a seat and revoke the old one; raises NoSuchSeat, also for a computer's seat."""
        self._set(seat, _new_key())

    def revoke(self, seat: int) -> None:
        """Revoke the key of a seat; raises NoSuchSeat, also for a computer's seat."""
        self._set(seat, None)

    def _set(self, seat: int, key: str | None) -> None:
        keys = self._keys()
        if seat not in range(len(keys)) or seat in self._computers:
            raise NoSuchSeat(phrases.say("there is no seat {seat} that a person plays now", seat=seat))
        if self._stored is not None:
            self._store(replace(self._stored, keys=(*keys[:seat], key, *keys[seat + 1 :])))

    def _keys(self) -> tuple[str | None, ...]:
        return self._stored.keys if self._stored is not None and self._match is not None else ()

    def _store(self, keys: MatchKeys) -> None:
        self._stored = keys
        self._try(lambda: self._file.write(keys))

    def _try(self, act: Callable[[], None]) -> None:
        """Call a function that changes the file of seat keys; report an OSError instead of raising it."""
        try:
            act()
        except OSError as error:
            self._say(
                f"{self._file.path} cannot be written ({error}): after a restart the links to seats may be others."
            )


def _is_absent(match: Match, seat: int) -> bool:
    """Return whether no person played a seat at the match's start, and no person plays it now."""
    return match.started.is_program(seat) and match.seating.is_program(seat)


def _new_key() -> str:
    return secrets.token_urlsafe(KEY_BYTES)
