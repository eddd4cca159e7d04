"""Plays tapes: runs a session with a simulated board and a virtual clock, as fast as possible.

The player prints the actions of each match and the final state as JSON. It reports lines that cannot be played, and
`expect` lines that find another value.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from msgspec.structs import replace

from captains_table import catalog
from captains_table.devices.dice_sources import DiceQueueEmpty, DictatedDice
from captains_table.games.contract import BadOption, Bid, IllegalAction, Square, did_you_mean
from captains_table.games.registry import UnknownGame, game_by_key
from captains_table.players.common.opponents import sitter_of
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.runtime.thinking.thinker import ComputerThinker, NothingToDecide
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model import events
from captains_table.table.model.entries import MatchStarted, SeatKind
from captains_table.table.model.seating import declared_names
from captains_table.table.model.settings import BadSetting, tape_settings
from captains_table.table.model.view import View
from captains_table.table.playing.thinking import passing_bid
from captains_table.table.tapes import tape_reader as tape
from captains_table.table.tapes.final_object import NOTHING, action_line, final_object, look_up
from captains_table.table.tapes.tape_reader import STEP_MS, BadTape, TapeLine, parse_line

MISMATCH, BAD_TAPE = 1, 2
IMPOSSIBLE = (BadTape, IllegalAction, DiceQueueEmpty, BadOption, UnknownGame, BadSetting)


class TapePlayer:
    """Plays the lines of one tape on one simulated table.

    Args:
        out: the text file to which the match's actions are printed, each as a line of JSON.
    """

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._now_ms = 0
        self._settings = tape_settings()
        self._dice = DictatedDice()
        self._journal: MemoryJournal | None = None
        self._printed = 0
        self._standing: tape.SetUpBoard | None = None
        self._mind = ComputerThinker(catalog.opponents_of, lambda: 0.0)
        self._table = self._powered(SimulatedBoard())

    def view(self) -> View:
        """Return the view that is shown now."""
        return self._table.session.view()

    def final(self) -> dict[str, Any]:
        """Return the object that describes the present state of the table, as it is printed at the end of a tape."""
        return final_object(self._table.session.referee.view(), self._table.board.occupied)

    def play(self, line: TapeLine) -> str | None:
        """Play a line and print the actions; return a sentence if an `expect` line finds another value, else `None`.

        Raises:
            BadTape, IllegalAction, DiceQueueEmpty, BadOption, UnknownGame, BadSetting: the line cannot be played.
        """
        try:
            self.wait(line.after_ms)
            return self._do(line)
        finally:
            self._print_new()

    def finish(self) -> None:
        """Let `STEP_MS` pass for the timers that the last line started, then print the actions not printed yet."""
        self.wait(STEP_MS)
        self._print_new()

    def wait(self, ms: int) -> None:
        """Let some milliseconds pass; each timer that becomes due fires at its own time."""
        self._now_ms += ms
        self._table.session.handle(events.TimePassed(), self._now_ms)

    def _do(self, line: TapeLine) -> str | None:  # noqa: C901, PLR0912 - one table, one line each
        table, now_ms = self._table, self._now_ms
        session = table.session
        match line.directive:
            case tape.StartMatch(game, names, options):
                self._start(_started(game, names, options))
            case tape.QueueDice(faces):
                self._dice.queue(faces)
            case tape.SeedDice(number):
                self._dice.seed(number)
            case tape.Press(button, held_ms):
                session.handle(events.ButtonPressed(button), now_ms)
                self.wait(held_ms)
                session.handle(events.ButtonReleased(button), self._now_ms)
            case tape.MoveSwitch(square, closed, reading):
                self._check(square)
                if closed:
                    table.place(square, now_ms, reading)
                else:
                    table.lift(square, now_ms)
            case tape.ReadPieces(readings):
                for square in readings:
                    self._check(square)
                table.read(readings, now_ms)
            case tape.SaltWords(name, text):
                session.handle(events.WordsGiven(self._seat(name), text), now_ms)
            case tape.NamedBid(name, value):
                session.handle(events.Answered(Bid(self._seat(name), value)), now_ms)
            case tape.SetUpBoard():
                self._before_match("board")
                self._standing = line.directive
            case tape.Configure(key, value):
                self._before_match("config")
                self._settings = self._settings.with_value(key, value)
            case events.Answered() | events.TimersSwitched() | events.SwitchMasked() as event:
                if isinstance(event, events.SwitchMasked):
                    self._check(event.square)
                session.handle(event, now_ms)
            case tape.WordDirective(word):
                self._simple(word)
            case tape.Expect(path, value):
                return self._compare(path, value)
        return None

    def _simple(self, word: str) -> None:
        if self._journal is None:
            raise BadTape(f"{word}: expected a match to be started first (game KEY NAME ...)")
        match word:
            case "set-up":
                self._table.set_up(self._now_ms)
            case "advice":
                self._table.session.handle(events.AdviceAsked(), self._now_ms)
            case "think":
                self._think()
            case "unplug":
                self._table.unplug(self._now_ms)
            case "plug":
                self._table.plug(self._now_ms)
            case _:
                self._restart(self._journal, self._table.board, resumed=True)

    def _think(self) -> None:
        """Make a computer that has to act give one answer; of several computers, the one at the lowest seat answers.

        If the computer passes in an auction, nothing happens. Raises BadTape if no computer has to act, or if the
        computer cannot answer.
        """
        match = self._table.session.match
        seats = () if match is None else sorted(match.acting_seats)
        seat = next((seat for seat in seats if match is not None and match.seating.is_program(seat)), None)
        if match is None or seat is None:
            raise BadTape("think: expected a computer to be asked, as after game legend Anne aether:3")
        try:
            action = self._mind.decide(match, match.seating.sitter(seat), seat)
        except NothingToDecide as error:
            raise BadTape(f"think: {error}") from error
        if action != passing_bid(seat):
            self._table.session.handle(events.Answered(action), self._now_ms)

    def _start(self, started: MatchStarted) -> None:
        game = game_by_key(started.game)
        first = game.start(declared_names(started), started.options)
        board = SimulatedBoard()
        if game.shape is not None:
            standing = self._standing or tape.SetUpBoard(game.pieces(first), game.shape)
            if standing.shape != game.shape:
                raise BadTape(f"the board before it has {standing.shape}: {game.title} expected {game.shape}")
            board.arrange(standing.pieces)
        self._journal, self._printed = MemoryJournal(started), 0
        self._restart(self._journal, board, resumed=False)

    def _restart(self, journal: MemoryJournal, board: SimulatedBoard, *, resumed: bool) -> None:
        """Start the table from a journal, as for a new match or after a power cut; the pieces stay where they are."""
        self._table = self._powered(board)
        session = self._table.session
        session.handle(events.BoardRead(board.occupied), self._now_ms)
        session.load(journal, self._dice, self._now_ms, resumed=resumed)

    def _powered(self, board: SimulatedBoard) -> SimulatedSource:
        return SimulatedSource(Session(self._settings, adviser=catalog.hint, now=self._virtual_time), board)

    def _virtual_time(self) -> str:
        """Return the tape's time as a date, counted from 1970, so that a tape always makes the same journal."""
        return datetime.fromtimestamp(self._now_ms / 1000, tz=UTC).isoformat(timespec="seconds")

    def _before_match(self, word: str) -> None:
        if self._journal is not None:
            raise BadTape(f"{word}: expected before the line that starts the match")

    def _check(self, square: Square) -> None:
        match = self._table.session.match
        if match is None or match.game.shape is None:
            raise BadTape(f"{square}: expected a match with a board to be started first")
        shape = match.game.shape
        if square not in shape:
            last = Square(shape.files - 1, shape.ranks - 1)
            raise BadTape(f"{square} is not on this board: expected a1 to {last}")

    def _seat(self, name: str) -> int:
        match = self._table.session.match
        names = () if match is None else match.names
        if name not in names:
            known = ", ".join(names) or "a match to be started first"
            raise BadTape(f"{name!r} plays no match here: expected {known}{did_you_mean(name, names)}")
        return names.index(name)

    def _compare(self, path: str, value: str) -> str | None:
        found = look_up(self.final(), path)
        try:
            expected = json.loads(value)
        except (ValueError, RecursionError):
            expected = value
        if found == expected and isinstance(found, bool) == isinstance(expected, bool):
            return None
        there = "is not there" if found is NOTHING else f"is {json.dumps(found)}"
        return f"{path} {there}: expected {json.dumps(expected)}"

    # --- output -----------------------------------------------------------------------------------------------------

    def _print_new(self) -> None:
        if self._journal is None:
            return
        entries = self._journal.entries()
        match = self._table.session.match
        names = () if match is None else match.names
        for entry in entries[self._printed :]:
            line = action_line(entry, names)
            if line is not None:
                print(json.dumps(line), file=self._out)
        self._printed = len(entries)


def _started(game: str, names: Sequence[str], options: Mapping[str, str]) -> MatchStarted:
    """Return the entry that starts a match of a tape; raises NoSuchOpponent.

    An engine or a computer of another game counts as a person, because the tape must contain its actions.
    """
    own = catalog.opponents_of(game)
    kinds: tuple[SeatKind, ...] = tuple("computer" if sitter_of(words, own) else "human" for words in names)
    started = MatchStarted(game, tuple(names), options)
    return replace(started, kinds=kinds) if "computer" in kinds else started


def replay_lines(name: str, lines: Iterable[str], out: TextIO, err: TextIO) -> int:
    """Play a tape's lines, print the actions and then the table's final state as JSON, and return the exit code.

    The code is BAD_TAPE if a line cannot be played; the tape then ends at this line. Otherwise the code is MISMATCH if
    an `expect` line found another value, else 0. Unplayable lines and mismatches are reported on `err`.
    """
    player, code = TapePlayer(out), 0
    for number, text in enumerate(lines, start=1):
        try:
            line = parse_line(number, text)
            mismatch = None if line is None else player.play(line)
            if mismatch is not None:
                print(f"{name}:{number}: {mismatch}", file=err)
                code = MISMATCH
        except IMPOSSIBLE as error:
            player.finish()  # the lines before have taken effect by the time of this line
            print(f"{name}:{number}: {error}", file=err)
            code = BAD_TAPE
            break
    else:
        player.finish()
    print(json.dumps({"tape": name, "final": player.final()}), file=out)
    return code


def replay_files(paths: Iterable[Path], out: TextIO, err: TextIO) -> int:
    """Play tapes one after the other, and return the highest exit code; an unreadable file counts as BAD_TAPE."""
    worst = 0
    for path in paths:
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            print(f"{path}: cannot be read ({error}): expected a tape, a text file in UTF-8", file=err)
            worst = BAD_TAPE
            continue
        worst = max(worst, replay_lines(str(path), lines, out, err))
    return worst
