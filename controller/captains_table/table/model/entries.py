"""What is journalled of a match, and how it is written as JSON: one entry a line of history, nothing ever deleted."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from captains_table.games.contract import Action, Amount, Keep, Pick, Rolled, TimeUp


class NoSuchMatch(LookupError):  # noqa: N818 - named by its condition
    """No match has this number."""


class BadEntry(ValueError):  # noqa: N818 - named by its condition
    """A journal entry cannot be read."""


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """A match began: the game's key, the names in seat order as given, its options.

    `commitment` is the SHA-256 of the dice seed in hexadecimal, empty when the dice are dictated.
    """

    game: str
    seats: tuple[str, ...]
    options: Mapping[str, str]
    commitment: str = ""


@dataclass(frozen=True, slots=True)
class Acted:
    """A seat's action; `seq` counts actions and take-backs from 1."""

    seq: int
    seat: int
    action: Action
    at_ms: int = 0


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The action `of_seq` was taken back; the history before it stands."""

    seq: int
    seat: int
    of_seq: int
    at_ms: int = 0


@dataclass(frozen=True, slots=True)
class Salted:
    """A seat's first press was held this long, which goes into the dice before they fall."""

    seat: int
    held_ms: int


@dataclass(frozen=True, slots=True)
class Masked:
    """A switch was declared dead."""

    square: str


@dataclass(frozen=True, slots=True)
class Advised:
    """A seat asked for advice on what follows the action `after_seq`, and was told this."""

    seat: int
    after_seq: int
    words: str


@dataclass(frozen=True, slots=True)
class ClockWentOn:
    """The clock went on after standing still since the match was taken up; nobody used the time before."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over: the winner's seat (none when shared) and the scores in seat order."""

    winner: int | None
    scores: tuple[int, ...]


Entry = MatchStarted | Acted | TakenBack | Salted | Masked | Advised | ClockWentOn | MatchEnded


@dataclass(frozen=True, slots=True)
class ResumeInfo:
    """What a journal tells of a match beside its actions.

    Attributes:
        resumed: whether anything was played, so that a board that differs is restored, not set up.
        ended: whether the end of the match is written.
        masked: names of the squares whose switch was declared dead.
    """

    resumed: bool = False
    ended: bool = False
    masked: frozenset[str] = frozenset()


def resume_info_of(entries: Iterable[Entry], *, resumed: bool) -> ResumeInfo:
    """Return what a journal tells beside the actions."""
    entries = list(entries)
    return ResumeInfo(
        resumed=resumed,
        ended=any(isinstance(entry, MatchEnded) for entry in entries),
        masked=frozenset(entry.square for entry in entries if isinstance(entry, Masked)),
    )


def action_to_json(action: Action) -> dict[str, Any]:
    """Return an action as a tape's output and the journal write it."""
    match action:
        case Pick(id_):
            return {"type": "pick", "id": id_}
        case Keep(dice):
            return {"type": "keep", "dice": list(dice)}
        case Amount(value):
            return {"type": "amount", "value": value}
        case Rolled(faces):
            return {"type": "rolled", "faces": list(faces)}
        case TimeUp():
            return {"type": "time-up"}


def action_from_json(value: Mapping[str, Any]) -> Action:
    """Return the action that `action_to_json` wrote; raises BadEntry."""
    try:
        match value["type"]:
            case "pick":
                return Pick(str(value["id"]))
            case "keep":
                return Keep(tuple(int(die) for die in value["dice"]))
            case "amount":
                return Amount(int(value["value"]))
            case "rolled":
                return Rolled(tuple(int(face) for face in value["faces"]))
            case "time-up":
                return TimeUp()
            case other:
                raise BadEntry(f"unknown action {other!r}: expected pick, keep, amount, rolled or time-up")
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        if isinstance(error, BadEntry):
            raise
        raise BadEntry(f"unreadable action {dict(value)!r}") from error


def entry_to_json(entry: Entry) -> dict[str, Any]:  # noqa: PLR0911 - one table, one line each
    """Return an entry as the journal file and the export write it."""
    match entry:
        case MatchStarted(game, seats, options, commitment):
            return {
                "entry": "started",
                "game": game,
                "seats": list(seats),
                "options": dict(options),
                "commitment": commitment,
            }
        case Acted(seq, seat, action, at_ms):
            return {"entry": "acted", "seq": seq, "seat": seat, "at_ms": at_ms, "action": action_to_json(action)}
        case TakenBack(seq, seat, of_seq, at_ms):
            return {"entry": "taken-back", "seq": seq, "seat": seat, "at_ms": at_ms, "of_seq": of_seq}
        case Salted(seat, held_ms):
            return {"entry": "salted", "seat": seat, "held_ms": held_ms}
        case Masked(square):
            return {"entry": "masked", "square": square}
        case Advised(seat, after_seq, words):
            return {"entry": "advised", "seat": seat, "after_seq": after_seq, "words": words}
        case ClockWentOn(at_ms):
            return {"entry": "clock-went-on", "at_ms": at_ms}
        case MatchEnded(winner, scores):
            return {"entry": "ended", "winner": winner, "scores": list(scores)}


def entry_from_json(value: Mapping[str, Any]) -> Entry:  # noqa: C901, PLR0911 - one table, one line each
    """Return the entry that `entry_to_json` wrote; raises BadEntry."""
    try:
        match value["entry"]:
            case "started":
                seats = tuple(str(name) for name in value["seats"])
                options = {str(key): str(option) for key, option in value["options"].items()}
                return MatchStarted(str(value["game"]), seats, options, str(value["commitment"]))
            case "acted":
                action = action_from_json(value["action"])
                return Acted(int(value["seq"]), int(value["seat"]), action, int(value["at_ms"]))
            case "taken-back":
                return TakenBack(int(value["seq"]), int(value["seat"]), int(value["of_seq"]), int(value["at_ms"]))
            case "salted":
                return Salted(int(value["seat"]), int(value["held_ms"]))
            case "masked":
                return Masked(str(value["square"]))
            case "advised":
                return Advised(int(value["seat"]), int(value["after_seq"]), str(value["words"]))
            case "clock-went-on":
                return ClockWentOn(int(value["at_ms"]))
            case "ended":
                winner = value["winner"]
                return MatchEnded(
                    None if winner is None else int(winner), tuple(int(score) for score in value["scores"])
                )
            case other:
                known = "started, acted, taken-back, salted, masked, advised, clock-went-on or ended"
                raise BadEntry(f"unknown entry {other!r}: expected {known}")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, BadEntry):
            raise
        raise BadEntry(f"unreadable entry {dict(value)!r}") from error


def folded(entries: Iterable[Entry]) -> list[Acted]:
    """Return the actions that stand: a take-back removes its action and whatever followed it."""
    standing: list[Acted] = []
    for entry in entries:
        if isinstance(entry, Acted):
            standing.append(entry)
        elif isinstance(entry, TakenBack):
            standing = [acted for acted in standing if acted.seq < entry.of_seq]
    return standing


def advice_by_action(entries: Iterable[Entry]) -> dict[int, list[Advised]]:
    """Return the advice that was asked for before each action that stands, by the action's `seq`."""
    entries = list(entries)
    standing = [acted.seq for acted in folded(entries)]
    given: dict[int, list[Advised]] = {}
    for entry in entries:
        if isinstance(entry, Advised):
            following = next((seq for seq in standing if seq > entry.after_seq), None)
            if following is not None:
                given.setdefault(following, []).append(entry)
    return given
