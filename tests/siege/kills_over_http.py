"""Kill the real daemon in the midst of play, start it again, and compare action by action.

A person plays Legend by requests. In a throw, a move, a take-back or a settlement the daemon is killed at a random
moment (SIGKILL: nothing is said, nothing tidied up). Then the daemon starts again on the same files, and

- every row of the journal that was there before is there, byte for byte;
- the actions that follow are those that were acknowledged, in order, and at most the one in flight more;
- every page and every message of the event stream that arrived showed dice as the journal has them at that action;
- all dice are those of the match's seed.
"""

import random
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from captains_table.devices.dice_sources import HonestDice
from captains_table.table.model.entries import ENTRIES, Acted, Entry, TakenBack
from captains_table.table.model.match import Match
from captains_table.web.svg.dice_svg import die_label
from tests.siege.attack import Attack, Case, Fault, Finding, Found, Outcome, complaints_of
from tests.siege.http_person import Deed, Gone, HttpPerson, Memory, Page, Shown
from tests.support.patience import PATIENCE_S
from tests.support.table_process import TableProcess

KINDS: Final = ("throw", "move", "take-back", "settlement")
MOST_STEPS: Final = 80
TURNS_OF_PATIENCE: Final = 4
KINGS: Final = {"d4e5", "d5e4"}
STEPS: Final = {f"{file}{start}{file}{end}" for file in "agh" for start, end in ((2, 3), (3, 4), (7, 6), (6, 5))}
FIELDS: Final = {
    "game": "legend",
    "name1": "Anne",
    "name2": "Bart",
    # Pawns stand by to take either king, so that a settlement is never far; any Legend die lets a pawn move.
    "fen": "8/p1p3pp/8/3pk3/3PK3/8/P1P3PP/8 w - - 0 1",
}
CLICKS_SHARE: Final = 0.3
USUAL_S: Final = {"throw": 0.06, "move": 0.02, "clicks": 0.45, "take-back": 0.8, "settlement": 0.03}
Row = tuple[int, int, str, str]


class Voyage:
    """One state directory, and one daemon after the other on it."""

    def __init__(self, case: Case, place: Path) -> None:
        self._rng = case.rng()
        self._place = place
        self._state = place / "state"
        self._rows: list[Row] = []
        self._lives = 0
        self._table: TableProcess | None = None
        self._took_s = dict(USUAL_S)
        self.outcome = Outcome()

    def sail(self, kills: int) -> None:
        """Kill so many daemons, each in something else."""
        kinds = [KINDS[number % len(KINDS)] for number in range(kills)]
        self._rng.shuffle(kinds)
        try:
            person = self._start()
            for kind in kinds:
                in_flight = self._live(person, kind)
                memory = person.memory
                person = self._start()
                self._compare(memory, in_flight)
                self.outcome.counts[f"in a {kind}"] += 1
        finally:
            if self._table is not None:
                self._table.kill()
                self.outcome.findings += complaints_of(self._table.complaints, "the daemon")
        person.leave()

    def _start(self) -> HttpPerson:
        """Start the daemon as a person does; each takes up what the one before it left."""
        words = ["play", "--state", self._state, "--port", "0"]
        if not self._lives:
            words += ["legend", "--players", "Anne", "Bart", f"fen={FIELDS['fen']}"]
        elif self._table is not None:
            self.outcome.findings += complaints_of(self._table.complaints, "the daemon")
        self._lives += 1
        self._table = TableProcess(*words, logs=self._place / f"life-{self._lives % 2}")
        if self._lives == 1:
            self._rows = rows_of(self._state)
        return HttpPerson(self._table.port)

    # --- playing until something can be struck -----------------------------------------------------------------------

    def _live(self, person: HttpPerson, kind: str) -> Deed:
        """Play until something of this kind can be done, kill the daemon in it, and return what was in flight."""
        player = _Player(person, self._rng)
        for _ in range(MOST_STEPS):
            page = person.look()
            act = player.way_to(kind, page)
            if act is not None:
                return self._strike(person, kind, *act)
        raise Found(Fault.WRONG, f"no {kind} came up in {MOST_STEPS} steps; the last page was {page}")

    def _strike(self, person: HttpPerson, kind: str, deed: Deed, act: Callable[[], None]) -> Deed:
        """Do something, and kill the daemon at some moment of it."""
        assert self._table is not None
        process = self._table.process
        by_clicks = "clicks" if kind == "move" and isinstance(act, partial) and act.func.__name__ == "_click" else kind
        moment_s = self._rng.uniform(0, 1.2 * self._took_s[by_clicks])
        began, known = time.monotonic(), len(person.memory.done)
        killer = threading.Timer(moment_s, process.kill)
        killer.start()
        try:
            act()
            self._took_s[by_clicks] = 0.7 * self._took_s[by_clicks] + 0.3 * (time.monotonic() - began)
        except Gone:
            self.outcome.counts["cut off"] += 1
        finally:
            killer.join()
            process.wait(PATIENCE_S)
            person.leave()
        return deed if len(person.memory.done) == known else ()

    # --- comparing --------------------------------------------------------------------------------------------------

    def _compare(self, memory: Memory, in_flight: Deed) -> None:
        rows, known = rows_of(self._state), self._rows
        if rows[: len(known)] != known:
            place = next(at for at, row in enumerate(known) if rows[at : at + 1] != [row])
            raise Found(Fault.LOST, f"row {place} was {known[place]}, now {rows[place : place + 1]}")
        self._rows = rows
        deeds = [deed for row in rows[len(known) :] if (deed := deed_of(row)) is not None]
        more = deeds[len(memory.done) :]
        if deeds[: len(memory.done)] != memory.done or more not in ([], [in_flight]):
            words = f"acknowledged were {memory.done}, in flight was {in_flight or 'nothing'}; the journal has {deeds}"
            raise Found(Fault.LOST, words)
        self.outcome.counts["actions compared"] += len(deeds)
        self.outcome.counts["in flight, kept"] += len(more)
        self._compare_shown(memory.shown)

    def _compare_shown(self, shown: list[Shown]) -> None:
        histories = {number: self._history(number) for number in {one.match for one in shown}}
        for one in set(shown):
            dice = dice_at(histories[one.match], one.seq)
            if dice is None:
                raise Found(Fault.LOST, f"action {one.seq} of match {one.match} was shown and is not in the journal")
            if not _same_dice(one.dice, dice):
                raise Found(Fault.LOST, f"action {one.seq}: shown were {one.dice}, the journal has {dice}")
            self.outcome.counts["pictures of the dice compared"] += 1


    def _history(self, number: int) -> list[Entry]:
        """Return the entries of a match, whose dice are those of its seed."""
        entries = [ENTRIES.from_text(body) for match, _, _, body in self._rows if match == number]
        HonestDice.resumed(seed_of(self._state, number), entries)  # raises DiceMismatch
        return entries


class _Player:
    """Plays toward what is to be struck, and remembers what was done in this turn."""

    def __init__(self, person: HttpPerson, rng: random.Random) -> None:
        self._person = person
        self._rng = rng
        self._moved = ""
        self._took_king = False
        self._turns_without_a_step = 0

    def way_to(self, kind: str, page: Page) -> tuple[Deed, Callable[[], None]] | None:
        """Return what is wanted if it can be done now; else take a step toward it."""
        wanted = self._wanted(kind, page)
        if wanted is None:
            self._step(kind, page)
        return wanted

    def _wanted(self, kind: str, page: Page) -> tuple[Deed, Callable[[], None]] | None:
        steps = [id_ for id_ in page.offers if id_ in STEPS]
        if page.wrong:
            return None
        match kind:
            case "throw" if page.throwable:
                return _keep_deed(page), partial(self._keep, page)
            case "throw" if "roll" in page.offers:
                return ("pick", "roll"), partial(self._hold_roll, self._rng.uniform(0, 0.03))
            case "throw" if "throw-again" in page.offers and self._rng.random() < CLICKS_SHARE:
                return ("pick", "throw-again"), partial(self._person.pick, page, "throw-again")
            case "move" if steps:
                id_ = self._rng.choice(steps)
                if self._rng.random() < CLICKS_SHARE:
                    return ("pick", id_), partial(self._click, id_[:2], id_[2:], ("pick", id_))
                return ("pick", id_), partial(self._person.pick, page, id_)
            case "take-back" if self._moved and not steps:
                return ("taken-back",), partial(self._click, self._moved[2:], self._moved[:2], ("taken-back",))
            case "settlement" if self._took_king and "done" in page.offers:
                return ("pick", "done"), partial(self._person.pick, page, "done")
        return None

    def _step(self, kind: str, page: Page) -> None:
        """Do whatever brings the match on."""
        kings = [id_ for id_ in page.offers if id_ in KINGS and page.round == 1]
        steps = [id_ for id_ in page.offers if id_ in STEPS]
        if self._is_hopeless(kind, page):
            self._turns_without_a_step = 0
            self._person.new_match(FIELDS | {"rounds": self._rng.choice("12")})
        elif page.wrong:  # a round is over: the next one begins with the pieces set up
            self._person.post("/board/set-up")
        elif page.throwable:
            self._keep(page)
        elif "roll" in page.offers:
            self._moved, self._took_king = "", False
            self._hold_roll(0.01)
        elif kind == "settlement" and kings and not self._took_king:
            self._took_king = True
            self._person.pick(page, kings[0])
        elif steps and kind == "take-back":
            self._turns_without_a_step = 0
            self._moved = self._rng.choice(steps)
            self._person.pick(page, self._moved)
        elif "done" in page.offers:
            self._turns_without_a_step += 1
            self._person.pick(page, "done")
        elif steps:
            self._person.pick(page, self._rng.choice(steps))
        else:
            raise Found(Fault.WRONG, f"nothing can be done: {page}")

    def _is_hopeless(self, kind: str, page: Page) -> bool:
        """Return whether another match is needed: this one is over, too far on, or has run out of pawns to move."""
        if "rematch" in page.offers or not (page.offers or page.throwable):
            return True
        return self._turns_without_a_step >= TURNS_OF_PATIENCE or (kind == "settlement" and page.round > 1)

    def _hold_roll(self, held_s: float) -> None:
        self._person.post("/button/roll/press")
        time.sleep(held_s)
        if self._person.post("/button/roll/release") == 204:  # noqa: PLR2004 - No Content
            self._person.memory.done.append(("pick", "roll"))

    def _keep(self, page: Page) -> None:
        """Keep all dice but one, which falls again."""
        action: dict[str, object] = {"type": "keep", "dice": list(page.throwable[1:])}
        self._person.answer(page, action, _keep_deed(page))

    def _click(self, start: str, end: str, deed: Deed) -> None:
        """Lift a piece and put it down, and look until the table has understood."""
        before = self._person.look()
        for square in (start, end):
            self._person.post("/board/click", {"square": square})
        deadline = time.monotonic() + PATIENCE_S
        while self._person.look().revision == before.revision:
            if time.monotonic() > deadline:
                raise Found(Fault.HANG, f"{deed} was never understood")
            time.sleep(0.02)
        self._person.memory.done.append(deed)


def _keep_deed(page: Page) -> Deed:
    return ("keep", *map(str, page.throwable[1:]))


def rows_of(state: Path) -> list[Row]:
    """Return every entry of a journal in the order it was written, without opening it for writing."""
    with closing(sqlite3.connect(f"file:{state / 'journal.sqlite3'}?mode=ro", uri=True)) as database:
        return database.execute("SELECT match, position, kind, body FROM entries ORDER BY id").fetchall()


def seed_of(state: Path, number: int) -> bytes:
    """Return the seed of a match."""
    with closing(sqlite3.connect(f"file:{state / 'journal.sqlite3'}?mode=ro", uri=True)) as database:
        [(seed,)] = database.execute("SELECT seed FROM matches WHERE number = ?", (number,)).fetchall()
    return bytes(seed)


def deed_of(row: Row) -> Deed | None:
    """Return what somebody did, as a person remembers it; None for what the table does by itself."""
    _, _, kind, body = row
    if kind in ("started", "taken-back"):
        return (kind,)
    if kind != "acted":
        return None
    action = msgspec.json.decode(body)["action"]
    match action["type"]:
        case "rolled":
            return None
        case "keep":
            return ("keep", *map(str, action["dice"]))
        case other:
            return (other, str(action.get("id")))


def dice_at(entries: list[Entry], seq: int) -> tuple[str, ...] | None:
    """Return the dice in words as a match had them after an action; None if it has not come to that."""
    last = next((at for at, one in enumerate(entries) if isinstance(one, Acted | TakenBack) and one.seq == seq), None)
    if seq and last is None:
        return None
    match = Match.resumed(entries[: 1 if last is None else last + 1])
    dice = match.game.dice(match.state)
    return tuple(die_label(number, die) for number, die in enumerate(dice, start=1))


def _same_dice(shown: tuple[str, ...], kept: tuple[str, ...]) -> bool:
    """Return whether dice lie as they were shown; some may still have tumbled then, or been held."""
    pairs = zip(shown, kept, strict=False)
    return all("tumbling" in one or one.removesuffix(", held") == other.removesuffix(", held") for one, other in pairs)


def run(case: Case, place: Path) -> Outcome:
    """Sail one voyage."""
    voyage = Voyage(case, place)
    try:
        voyage.sail(case.units)
    except Found as found:
        voyage.outcome.findings.append(found.finding)
    except AssertionError as error:
        voyage.outcome.findings.append(Finding(Fault.WRONG, str(error)))
    return voyage.outcome


KILLS_OVER_HTTP: Final = Attack(
    "kills-over-http", "the real daemon killed in play, restarted, compared action by action", "kills", 20, run
)
