"""A match in hand: the game, its history of actions, and the state they lead to; loading one is replaying it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from captains_table.games.common.dice import roman
from captains_table.games.common.time_control import NO_CLOCK, PRESS, parse_clock
from captains_table.games.contract import (
    Action,
    AmountAsk,
    Decide,
    Game,
    IllegalAction,
    KeepAsk,
    Over,
    Pick,
    PickAsk,
    Roll,
    Rolled,
    Square,
    TimeUp,
    Turn,
)
from captains_table.games.registry import game_by_key
from captains_table.table.model.entries import Acted, ClockWentOn, Entry, MatchStarted, Salted, TakenBack, folded
from captains_table.table.model.player_clocks import Clock


class BadHistory(ValueError):  # noqa: N818 - named by its condition
    """A journal's history does not replay."""


@dataclass(frozen=True, slots=True)
class Step:
    """One action of the history with the states around it, and whether it was made on the board."""

    acted: Acted
    before: Any
    after: Any
    on_board: bool


class Match:
    """A match: every change goes through `act` or `take_back`, each answering with the entry to journal."""

    def __init__(self, started: MatchStarted) -> None:
        self.game: Game[Any] = game_by_key(started.game)
        self.started = started
        self.history: list[Step] = []
        self.salted: set[int] = set()
        self.is_ended = False  # the end is written: nothing can be amended any more
        self._first = self.game.start(started.seats, started.options)
        control = parse_clock(started.options.get("clock", NO_CLOCK))
        self.clock = None if control is None else Clock(control, len(self.names))
        self._next_seq = 1
        self._turn: Turn | None = None

    @classmethod
    def resumed(cls, entries: Iterable[Entry]) -> "Match":
        """Return the match that a journal tells of; raises BadHistory."""
        entries = list(entries)
        if not entries or not isinstance(entries[0], MatchStarted):
            raise BadHistory("a journal must begin with the start of a match")
        match = cls(entries[0])
        for acted in folded(entries):
            try:
                match._append(acted)
            except IllegalAction as error:
                raise BadHistory(f"action {acted.seq} ({acted.action}) does not replay: {error}") from error
        match._wind_clock(entries)
        match.salted = {entry.seat for entry in entries if isinstance(entry, Salted)}
        match._next_seq = 1 + sum(isinstance(entry, Acted | TakenBack) for entry in entries)
        return match

    def _wind_clock(self, entries: Iterable[Entry]) -> None:
        """Let the clock show what a journal tells, standing still."""
        if self.clock is not None:
            for entry in entries:
                self.clock.note(entry)
            self.clock.stop()

    def start_clock(self, now_ms: int) -> ClockWentOn | None:
        """Let the clock go on and return the entry, none if there is no clock or it goes already."""
        if self.clock is None or self.clock.is_running or isinstance(self.turn, Over):
            return None
        went_on = ClockWentOn(now_ms)
        self.clock.note(went_on)
        return went_on

    @property
    def state(self) -> Any:  # noqa: ANN401 - each game has its own state
        """The game's state now."""
        return self.history[-1].after if self.history else self._first

    @property
    def turn(self) -> Turn:
        """What must happen next; worked out once an action."""
        if self._turn is None:
            self._turn = self.game.turn(self.state)
        return self._turn

    @property
    def seat(self) -> int | None:
        """Who must decide or throw; none when the match is over."""
        turn = self.turn
        return None if isinstance(turn, Over) else turn.seat

    @property
    def revision(self) -> int:
        """How many actions and take-backs were journalled."""
        return self._next_seq - 1

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names in seat order."""
        return tuple(self.game.names(self.state))

    def called(self, state: Any) -> tuple[str, ...]:  # noqa: ANN401 - each game has its own state
        """Return what displays call the players in a state: a title in place of the name where one has it."""
        names = tuple(self.game.names(state))
        titles = self.game.titles(state) or [""] * len(names)
        return tuple(title or name for title, name in zip(titles, names, strict=True))

    def pieces(self) -> Mapping[Square, str]:
        """Return the pieces as the match has them."""
        return self.game.pieces(self.state)

    def act(self, action: Action, now_ms: int) -> Acted:
        """Play an action and return its entry; raises IllegalAction and changes nothing."""
        seat = self.seat
        if seat is None:
            raise IllegalAction("the match is over")
        acted = Acted(self._next_seq, seat, now_ms, action)
        try:
            self._append(acted)
        except IllegalAction as error:
            if "expected" in str(error):
                raise
            raise IllegalAction(f"{error}: expected {expectation(self.turn)}") from error
        self._next_seq += 1
        self._time(acted)
        return acted

    def _time(self, entry: Acted | TakenBack) -> None:
        if self.clock is not None:
            self.clock.note(entry)

    def _append(self, acted: Acted) -> None:
        on_board = self.is_on_board(acted.action)
        before = self.state
        after = self.game.apply(before, acted.action)
        self.history.append(Step(acted, before, after, on_board))
        self._turn = None

    def is_on_board(self, action: Action) -> bool:
        """Return whether an action is a move on the board that may be made now."""
        turn = self.turn
        if not isinstance(action, Pick) or not isinstance(turn, Decide) or not isinstance(turn.ask, PickAsk):
            return False
        return any(option.on_board and option.id == action.id for option in turn.ask.options)

    def take_back(self, step: Step, now_ms: int) -> TakenBack:
        """Take an action of the history back, with all that followed it, and return the entry."""
        del self.history[self.history.index(step) :]
        self._turn = None
        taken_back = TakenBack(self._next_seq, step.acted.seat, now_ms, step.acted.seq)
        self._next_seq += 1
        self._time(taken_back)
        return taken_back

    @property
    def provisional(self) -> Step | None:
        """The move on the board that may still be changed.

        The next throw, the end of the turn, the clock or the next move seals it; questions that came to nothing since
        then do not. A move that ends the match is sealed when the end is written.
        """
        if isinstance(self.turn, Over):
            return self.history[-1] if self.history and self.history[-1].on_board and not self.is_ended else None
        for step in reversed(self.history):
            if step.on_board:
                return step if step is self.history[-1] or self._looks(step.after) == self._looks(self.state) else None
            if isinstance(step.acted.action, Rolled | TimeUp) or step.acted.action == Pick(PRESS.id):
                return None
        return None

    def in_sub_menu(self) -> bool:
        """Return whether the last action only opened a further question to the same player, which `back` leaves."""
        if not self.history or not isinstance(self.turn, Decide):
            return False
        last = self.history[-1]
        if last.on_board or not isinstance(last.acted.action, Pick) or last.acted.seat != self.turn.seat:
            return False
        return self._looks(last.before) == self._looks(last.after)

    def _looks(self, state: Any) -> tuple[object, ...]:  # noqa: ANN401 - each game has its own state
        game = self.game
        return game.heading(state), list(game.dice(state)), list(game.tallies(state)), game.pieces(state)


def expectation(turn: Turn) -> str:
    """Return in words which action a turn waits for."""
    match turn:
        case Roll(dice=dice):
            return f"{len(dice)} dice to fall"
        case Decide(ask=PickAsk(options=options)):
            return f"a pick of {', '.join(option.id for option in options)}"
        case Decide(ask=KeepAsk(dice=dice)):
            return f"which of the dice {', '.join(map(str, dice))} stay"
        case Decide(ask=AmountAsk(lo=lo, hi=hi)):
            return f"an amount from {lo} to {hi}"
        case _:
            return "nothing more, the match is over"


def face_words(match: Match | None) -> list[str]:
    """Return each die as it lies, in words."""
    if match is None:
        return []
    dice = match.game.dice(match.state)
    return ["-" if die.face is None else roman(die.face) if die.kind == "roman" else str(die.face) for die in dice]
