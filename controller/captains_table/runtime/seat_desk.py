"""The links to the seats of the match in hand: who has one plays that seat, and no other, until the match is over."""

import hmac
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from captains_table.storage.key_files import KeysUnreadable, MatchKeys, SeatKeyFile
from captains_table.table.model.match import Match

KEY_BYTES = 16  # 128 bits: guessing is hopeless


class NoSuchSeat(ValueError):
    """The match in hand has no such seat that a person plays."""


@dataclass(frozen=True, slots=True)
class SeatLink:
    """A seat of the match in hand, and the key that opens it; None where there is none now."""

    seat: int
    name: str
    key: str | None
    is_absent: bool = False


class SeatDesk:
    """Draws a key for each seat when a match begins, and takes all of them back when it is over.

    Args:
        file: keeps them over restarts.
        say: is told, in a sentence, when it cannot.
    """

    def __init__(self, file: SeatKeyFile, say: Callable[[str], None]) -> None:
        self._file = file
        self._say = say
        self._kept: MatchKeys | None = None
        self._match: Match | None = None  # while it may be played by links
        self._computers: frozenset[int] = frozenset()
        try:
            self._kept = file.read()
        except KeysUnreadable as error:
            say(f"{error}: new links to the seats are drawn.")

    # --- what the table says ----------------------------------------------------------------------------------------

    def open(self, number: int, match: Match) -> None:
        """Let those with a link play a match that is taken up; new links are drawn unless it has some already."""
        if match.is_ended:
            self.end()
            return
        seats = range(len(match.names))
        self._match = match
        if self._kept is None or not self._kept.fits(number, match.started.commitment, len(seats)):
            keys = tuple(None if _is_absent(match, seat) else _new_key() for seat in seats)
            self._keep(MatchKeys(number, match.started.commitment, keys))
        self._computers = frozenset(seat for seat in seats if _is_absent(match, seat) and not self._keys()[seat])

    def seated(self, match: Match) -> None:
        """Draw a link for each seat that was a computer's from the start and that a person has taken over.

        It keeps that link, as every other seat its own, also while a computer plays on there.
        """
        taken = [seat for seat in self._computers if not _is_absent(match, seat)]
        self._computers -= frozenset(taken)
        for seat in taken:
            self.renew(seat)

    def close(self) -> None:
        """Let nobody play while the match is left; who has a link has it still when it is taken up again."""
        self._match = None

    def end(self) -> None:
        """Take all links back: the match is over."""
        self._match = None
        if self._kept is not None:
            self._kept = None
            self._try(self._file.remove)

    # --- what the page asks -----------------------------------------------------------------------------------------

    def seat_of(self, key: str) -> int | None:
        """Return the seat of the match in hand that a key is for, None if it is for none."""
        found = None
        for seat, own in enumerate(self._keys()):
            if own is not None and hmac.compare_digest(own.encode(), key.encode()):
                found = seat
        return found

    def links(self) -> Sequence[SeatLink]:
        """Return the seats of the match in hand with their keys; empty where none is."""
        names = () if self._match is None else self._match.names
        return [
            SeatLink(seat, name, key, is_absent=seat in self._computers)
            for seat, (name, key) in enumerate(zip(names, self._keys(), strict=False))
        ]

    def renew(self, seat: int) -> None:
        """Draw a new key for a seat, the old one is worth nothing then; raises NoSuchSeat."""
        self._set(seat, _new_key())

    def revoke(self, seat: int) -> None:
        """Take the key of a seat back; raises NoSuchSeat."""
        self._set(seat, None)

    def _set(self, seat: int, key: str | None) -> None:
        keys = self._keys()
        if seat not in range(len(keys)) or seat in self._computers:
            raise NoSuchSeat(f"there is no seat {seat} that a person plays now")
        if self._kept is not None:
            self._keep(replace(self._kept, keys=(*keys[:seat], key, *keys[seat + 1 :])))

    def _keys(self) -> tuple[str | None, ...]:
        return self._kept.keys if self._kept is not None and self._match is not None else ()

    def _keep(self, kept: MatchKeys) -> None:
        self._kept = kept
        self._try(lambda: self._file.write(kept))

    def _try(self, act: Callable[[], None]) -> None:
        """Change the file if that can be done; the match goes on in any case."""
        try:
            act()
        except OSError as error:
            self._say(
                f"{self._file.path} cannot be written ({error}): after a restart the links to seats may be others."
            )


def _is_absent(match: Match, seat: int) -> bool:
    """Return whether a seat is declared to be played by nobody here, and no person has taken it over."""
    return match.started.is_absent(seat) and match.seating.is_absent(seat)


def _new_key() -> str:
    return secrets.token_urlsafe(KEY_BYTES)
