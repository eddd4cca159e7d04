"""The proof that an exported match was played as it says.

What proves what: the *seed* proves the dice. Its SHA-256 was shown before the first throw, so nobody could choose it
afterwards, and every face follows from it and the players' presses. The *replay* proves that the actions obey the
game's rules and lead to the result. The *digest* proves nothing against a forger (`export`): whoever wants to hold a
match against its owner compares commitment and digest with those written down at the table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from captains_table.games.contract import (
    BadOption,
    Bell,
    Bid,
    Decide,
    IllegalAction,
    Over,
    Rolled,
    TimeUp,
    acting_seat,
    check_auction,
)
from captains_table.games.registry import UnknownGame, game_by_key
from captains_table.table.history import fairness
from captains_table.table.history.export import FORM, canonical, end_of, export_json
from captains_table.table.model.codec import BadValue
from captains_table.table.model.entries import (
    ENTRIES,
    Acted,
    Advised,
    Entry,
    Masked,
    MatchEnded,
    MatchStarted,
    Salted,
    TakenBack,
)
from captains_table.table.model.player_clocks import Clock


class NotProven(ValueError):  # noqa: N818 - named by its condition
    """An export does not prove what it says: the first difference, with the action's `seq` where there is one."""

    def __init__(self, words: str, seq: int | None = None, expected: object = None, found: object = None) -> None:
        super().__init__(words)
        self.seq = seq
        self.expected = expected
        self.found = found


@dataclass(frozen=True, slots=True)
class Verdict:
    """What `verify` says: proven or not, in words, and the first difference if there is one."""

    proven: bool
    words: str
    seq: int | None = None
    expected: object = None
    found: object = None


def verify_export(value: object) -> Verdict:
    """Return whether an export proves itself: seed, every die, every action, the result, and not a byte changed."""
    try:
        thrown = prove(value)
    except NotProven as error:
        return Verdict(proven=False, words=str(error), seq=error.seq, expected=error.expected, found=error.found)
    return Verdict(proven=True, words=f"The seed is the one committed to, and all {thrown} throws are the seed's")


def prove(value: object) -> int:
    """Return how many throws an export proves; raises NotProven at its first difference."""
    if not isinstance(value, Mapping) or value.get("form") != FORM:
        raise NotProven(f"this is not an exported match: expected form {FORM!r}", expected=FORM)
    if "damaged" in value:
        number = value["damaged"]
        words = f"the match is damaged: entry {number} could not be read, and neither it nor what came after it is here"
        raise NotProven(words, found=number)
    entries = _parse_entries(value.get("entries"))
    seed = _parse_seed(value, entries)
    thrown = _check_dice(seed, entries)
    _check_actions(entries)
    _check_parts(value, export_json(entries, seed, str(value.get("began"))))
    return thrown


def _parse_entries(values: object) -> list[Entry]:
    if not isinstance(values, list):
        raise NotProven("entries: expected a list")
    entries = [_parse_entry(position, value) for position, value in enumerate(values)]
    _check_order(entries)
    _check_presses(entries)
    _check_throws(entries)
    return entries


def _parse_entry(position: int, value: object) -> Entry:
    """Return an entry that is written as the journal writes it, every field and no other."""
    try:
        entry = ENTRIES.from_plain(value)
        written = ENTRIES.to_plain(entry)
    except (BadValue, UnicodeError) as error:
        raise NotProven(f"entry {position}: {error}") from error
    if canonical(written) != canonical(value):
        raise NotProven(f"entry {position}: expected {written}, found {value}", _seq(entry), written, value)
    return entry


def _seq(entry: Entry) -> int | None:
    return entry.seq if isinstance(entry, Acted | TakenBack) else None


def _check_order(entries: Sequence[Entry]) -> None:
    """A match starts once, first; its actions count from 1; nothing is done after its end."""
    expected = 1
    over = False
    for position, entry in enumerate(entries):
        if isinstance(entry, MatchStarted) != (position == 0):
            raise NotProven(f"entry {position}: a match starts once, with its first entry")
        if over and not isinstance(entry, Masked):
            raise NotProven(f"entry {position}: something was done after the match was over", _seq(entry))
        over = over or isinstance(entry, MatchEnded)
        if isinstance(entry, Advised) and entry.after_seq != expected - 1:
            words = f"entry {position}: advice after action {entry.after_seq}, expected {expected - 1}"
            raise NotProven(words, None, expected - 1, entry.after_seq)
        seq = _seq(entry)
        if seq is not None:
            if seq != expected:
                raise NotProven(f"action {seq}: expected number {expected}", seq, expected, seq)
            expected += 1


def _check_presses(entries: Sequence[Entry]) -> None:
    """Each player stirs the dice once: whoever might go on pressing could fish for faces."""
    seats: set[int] = set()
    for position, entry in enumerate(entries):
        if isinstance(entry, Salted):
            if entry.seat in seats:
                raise NotProven(f"entry {position}: seat {entry.seat} stirred the dice twice")
            seats.add(entry.seat)
    ended = end_of(entries)
    if ended is not None and not seats <= set(range(len(ended.scores))):
        raise NotProven(f"seat {max(seats)} stirred the dice and did not play")


def _check_throws(entries: Sequence[Entry]) -> None:
    """Each seat has stirred the dice before it throws, and every throw stands: a bad one cannot be had again."""
    stirred: set[int | None] = set()
    thrown: list[int] = []
    for position, entry in enumerate(entries):
        match entry:
            case Salted(seat):
                stirred.add(seat)
            case Acted(seq=seq, seat=seat, action=Rolled()):
                if seat not in stirred:
                    words = (
                        f"entry {position}: {_actor(seat)} threw before it stirred the dice: expected its press first"
                    )
                    raise NotProven(words, seq, expected="salted", found="rolled")
                thrown.append(seq)
            case TakenBack(seq=seq, of_seq=of_seq) if thrown and thrown[-1] >= of_seq:
                words = f"entry {position}: throw {thrown[-1]} is taken back with action {of_seq}: expected it to stand"
                raise NotProven(words, seq, expected=f"an action after {thrown[-1]}", found=of_seq)


def _parse_seed(value: Mapping[str, Any], entries: Sequence[Entry]) -> bytes:
    started = entries[0] if entries else None
    if not isinstance(started, MatchStarted):
        raise NotProven("entries: expected the start of a match")
    if not started.commitment:
        raise NotProven("the dice of this match were dictated: there is nothing to verify")
    if end_of(entries) is None:
        raise NotProven("the match is not over: its seed is not told yet")
    text = value.get("seed")
    try:
        seed = bytes.fromhex(text) if isinstance(text, str) else None
    except ValueError:
        seed = None
    if seed is None or len(seed) != fairness.SEED_BYTES or seed.hex() != text:
        raise NotProven(f"seed: expected {2 * fairness.SEED_BYTES} hexadecimal digits, found {text!r}", found=text)
    found = fairness.commitment(seed)
    if found != started.commitment:
        words = f"the seed is not the one committed to: its SHA-256 is {found}, promised was {started.commitment}"
        raise NotProven(words, expected=started.commitment, found=found)
    return seed


def _check_dice(seed: bytes, entries: Sequence[Entry]) -> int:
    try:
        return fairness.FaceStream(seed).consume(entries)
    except fairness.DiceMismatch as error:
        raise NotProven(str(error), error.seq, error.expected, error.found) from error
    except ValueError as error:
        raise NotProven(f"salt: {error}") from error


def _check_actions(entries: Sequence[Entry]) -> None:
    """Replay every action, those taken back too, and compare who acted and how the match ended."""
    started = entries[0]
    if not isinstance(started, MatchStarted):
        raise NotProven("entries: expected the start of a match")
    try:
        replay = _Replay(started)
    except (UnknownGame, BadOption) as error:
        raise NotProven(f"the match cannot have begun: {error}") from error
    clock = replay.new_clock()
    for entry in entries[1:]:
        if clock is not None:
            _check_time(clock, entry)
            clock.note(entry)
        match entry:
            case Acted():
                replay.act(entry)
            case TakenBack():
                replay.take_back(entry)
            case Advised():
                replay.advise(entry)
            case MatchEnded():
                replay.end(entry)


def _check_time(clock: Clock, entry: Entry) -> None:
    """Time is up when it is up, and whoever acts has some left; an auction uses up nobody's."""
    if isinstance(entry, Acted):
        up_ms = clock.up_ms(None if isinstance(entry.action, Bid | Bell) else entry.seat)
        if isinstance(entry.action, TimeUp) and (up_ms is None or entry.at_ms < up_ms):
            raise NotProven(f"action {entry.seq}: the time was not up yet", entry.seq, up_ms, entry.at_ms)
        if not isinstance(entry.action, TimeUp) and up_ms is not None and entry.at_ms > up_ms:
            raise NotProven(f"action {entry.seq}: the time was up before", entry.seq, up_ms, entry.at_ms)


class _Replay:
    """A match played again, action by action."""

    def __init__(self, started: MatchStarted) -> None:
        self._game = game_by_key(started.game)
        self._state = self._game.start(started.seats, started.options)
        self._before: dict[int, Any] = {}

    def new_clock(self) -> Clock | None:
        """Return the match's clock before it goes for the first time; `None` if it is played without one."""
        control = self._game.time_control(self._state)
        return None if control is None else Clock(control, len(self._game.names(self._state)))

    def act(self, acted: Acted) -> None:
        turn = self._game.turn(self._state)
        if isinstance(turn, Over):
            raise NotProven(f"action {acted.seq}: the match was over before", acted.seq)
        seat = acting_seat(turn, acted.action)
        if seat != acted.seat:
            words = f"action {acted.seq}: {_actor(seat)} had to act, found {_actor(acted.seat)}"
            raise NotProven(words, acted.seq, seat, acted.seat)
        try:
            check_auction(turn, acted.action)
            after = self._game.apply(self._state, acted.action)
        except IllegalAction as error:
            raise NotProven(f"action {acted.seq}: {error}", acted.seq, turn, acted.action) from error
        self._before[acted.seq] = self._state
        self._state = after

    def advise(self, advised: Advised) -> None:
        turn = self._game.turn(self._state)
        if not isinstance(turn, Decide) or turn.seat != advised.seat:
            words = f"advice after action {advised.after_seq}: seat {advised.seat} had nothing to decide"
            raise NotProven(words, advised.after_seq, turn, advised.seat)

    def take_back(self, taken: TakenBack) -> None:
        if taken.of_seq not in self._before:
            words = f"action {taken.seq} takes back {taken.of_seq}, which does not stand"
            raise NotProven(words, taken.seq, sorted(self._before), taken.of_seq)
        self._state = self._before[taken.of_seq]
        self._before = {seq: state for seq, state in self._before.items() if seq < taken.of_seq}

    def end(self, ended: MatchEnded) -> None:
        turn = self._game.turn(self._state)
        if not isinstance(turn, Over):
            raise NotProven("the match ended before its game was over", expected=turn, found=ended)
        result = turn.result
        if (result.winner, result.scores) != (ended.winner, ended.scores):
            words = f"result: the game's is {result.winner}, {result.scores}; found {ended.winner}, {ended.scores}"
            raise NotProven(words, expected=result, found=ended)


def _actor(seat: int | None) -> str:
    return "nobody" if seat is None else f"seat {seat}"


def _check_parts(value: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    """Compare an export with the one its own entries make: headings, result, digest and nothing besides."""
    keys = expected.keys() | value.keys()
    for key in sorted(keys, key=lambda key: (key == "digest", key)):  # the digest differs whatever differs: last
        if key not in value:
            raise NotProven(f"{key} is missing", expected=expected[key])
        if key not in expected:
            raise NotProven(f"{key}: not expected in an exported match", found=value[key])
        if canonical(value[key]) != canonical(expected[key]):
            raise NotProven(f"{key}: expected {expected[key]}, found {value[key]}", None, expected[key], value[key])
