"""A match: the game, the history of actions and the state after them, with its clock, timers, players and salt.

Its methods carry out and take back actions, and return the entries for the journal. A match is resumed by replaying its
journal.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import UNSET

from captains_table.games.common.computer_seat import ComputerSeat
from captains_table.games.contract import (
    Action,
    AmountAsk,
    Auction,
    BadOption,
    Decide,
    Game,
    IllegalAction,
    KeepAsk,
    MasterAction,
    Option,
    Over,
    Pick,
    PickAsk,
    Roll,
    Square,
    Turn,
    acting_seat,
    check_auction,
    check_correction,
    deadline_of,
    goes_on_with_time,
    offered_option,
)
from captains_table.games.registry import computer_name, game_by_key
from captains_table.phrases import listed, message_of, say
from captains_table.table.model.entries import (
    LATEST_MS,
    Acted,
    ClockStopped,
    ClockWentOn,
    Entry,
    MatchStarted,
    SaltText,
    SeatChanged,
    StopReason,
    TakenBack,
    TimersStopped,
    TimersWentOn,
    standing_actions,
)
from captains_table.table.model.player_clocks import Clock, Timers, is_press
from captains_table.table.model.salt import MOST_WORDS, Salt, check_words
from captains_table.table.model.seating import Seating, declared_names
from captains_table.table.model.steps import Step as Step, answered_move, open_menu, open_move


def _no_seat(seat: int, count: int) -> str:
    return say("there is no seat {seat}: expected one of {count}, counted from 0", seat, count)


def expectation(turn: Turn, names: Sequence[str]) -> str:
    """Return the action that a turn waits for, in words."""
    match turn:
        case Roll(dice=dice):
            return say("{count} dice to fall", len(dice))
        case Decide(ask=PickAsk(options=options)):
            return say("a pick of {answers}", ", ".join(option.id for option in options))
        case Decide(ask=KeepAsk(dice=dice)):
            return say("which of the dice {dice} stay", listed(list(map(str, dice)), ","))
        case Decide(ask=AmountAsk(lo=lo, hi=hi)):
            return say("an amount from {lo} to {hi}", lo, hi)
        case Auction(bidders=bidders):
            bids = [
                say("a bid of {name} from {lo} to {hi}", names[each.seat], each.least, each.most) for each in bidders
            ]
            return listed([listed(bids, ","), say("the bell")] if bids else [say("the bell")], "or")
        case _:
            return say("nothing more, the match is over")


if TYPE_CHECKING:
    from captains_table.games.common.records import Honours

E = TypeVar("E", bound=Entry)


class BadHistory(ValueError):
    """The history in a journal cannot be replayed."""


class Match:
    """A match; methods such as `act` and `take_back` change it and return the entry for the journal.

    Args:
        started: the match's first entry.
        game: the rules, if they are not those of the registered game, as in a lesson.
    """

    def __init__(self, started: MatchStarted, game: Game[Any] | None = None) -> None:
        self.game: Game[Any] = game or game_by_key(started.game)
        self.started = started
        self.history: list[Step] = []
        self.salt = Salt()
        self.seating = Seating(started)
        self.computers_think = False  # whether computers act for their own seats, as at a table; else anybody may
        self.honours: tuple[Honours, ...] = ()  # display only: marks shown before names, earned in other matches
        self.is_ended = False  # the end is recorded: nothing can be changed any more
        self._first = self.game.start(declared_names(started), started.options)
        control = self.game.time_control(self._first)
        self.clock = None if control is None else Clock(control, len(self.names))
        self.timers = Timers()
        self._next_seq = 1
        self._turn: Turn | None = None

    @classmethod
    def resumed(cls, entries: Iterable[Entry], game: Game[Any] | None = None) -> "Match":
        """Rebuild the match that a journal records; `game`: its rules, if they are not those of the registered game.

        Raises:
            BadHistory: the journal cannot be replayed.
            UnknownGame: there is no such game.
        """
        entries = list(entries)
        if not entries or not isinstance(entries[0], MatchStarted):
            raise BadHistory("a journal must begin with the start of a match")
        try:
            match = cls(entries[0], game)
        except BadOption as error:
            raise BadHistory(f"the match cannot have begun so: {error}") from error
        match._check_entries(entries)
        for entry in entries:
            match._noted(entry)
        for acted in standing_actions(entries):
            try:
                match.carry_out(acted, match.seating.acted.get(acted.seq, ""))
            except IllegalAction as error:
                raise BadHistory(f"action {acted.seq} ({acted.action}) does not replay: {error}") from error
        if match.clock is not None:
            match.clock.stop()
        match._next_seq = 1 + sum(isinstance(entry, Acted | TakenBack) for entry in entries)
        return match

    def _check_entries(self, entries: Iterable[Entry]) -> None:
        """Raise BadHistory if an entry names a seat that does not exist or has an impossible time."""
        seats = range(len(self.names))
        for place, entry in enumerate(entries):
            seat, at_ms = getattr(entry, "seat", None), getattr(entry, "at_ms", UNSET)
            if seat is not None and seat not in seats:
                raise BadHistory(f"entry {place} is of seat {seat}: expected one of {len(seats)}, counted from 0")
            if at_ms is not UNSET and not 0 <= at_ms <= LATEST_MS:
                raise BadHistory(f"entry {place} is of a time no table shows: expected 0 to {LATEST_MS} ms")

    def _noted(self, entry: E) -> E:
        """Update salt, seats, timers and clock with a new entry, and return the entry."""
        for follower in (self.salt, self.seating, self.timers):
            follower.note(entry)
        if self.clock is not None:
            self.clock.note(entry)
        return entry

    def start_clock(self, now_ms: int, action: Action | None = None) -> ClockWentOn | None:
        """Start the clock and return the entry.

        Return `None` if there is no clock, if the clock already runs, or if the match is over. Also return `None` if
        the clock waits for its first press and `action` is not this press.

        Args:
            now_ms: table time.
            action: the next action, if it is known.
        """
        if self.clock is None or self.clock.is_running or isinstance(self.turn, Over):
            return None
        if self.clock.awaits_press and not is_press(action):
            return None
        return self._noted(ClockWentOn(now_ms))

    def stop_clock(self, now_ms: int, why: StopReason) -> ClockStopped | None:
        """Stop the clock, charge the time used, and return the entry; `None` if no clock runs or the match is over."""
        if self.clock is None or not self.clock.is_running or isinstance(self.turn, Over):
            return None
        return self._noted(ClockStopped(self.seat, now_ms, why))

    @property
    def state(self) -> Any:  # noqa: ANN401 - each game has its own state
        """The game's current state."""
        return self.history[-1].after if self.history else self._first

    @property
    def turn(self) -> Turn:
        """What must happen next; computed once per action and cached."""
        if self._turn is None:
            self._turn = self.game.turn(self.state)
        return self._turn

    @property
    def seat(self) -> int | None:
        """The seat that must decide or throw; `None` while several may bid, and when the match is over."""
        turn = self.turn
        return None if isinstance(turn, Over | Auction) else turn.seat

    @property
    def calls(self) -> Sequence[Option]:
        """The options that any player may pick now, regardless of whose turn it is."""
        return self.game.calls(self.state)

    def is_call(self, action: Action) -> bool:
        """Return whether an action picks an option that any player may pick now, regardless of whose turn it is."""
        return isinstance(action, Pick) and any(call.id == action.id for call in self.calls)

    @property
    def acting_seats(self) -> frozenset[int]:
        """All seats that must decide or throw now, or may bid."""
        turn = self.turn
        if isinstance(turn, Auction):
            return frozenset(bidder.seat for bidder in turn.bidders)
        return frozenset() if isinstance(turn, Over) else frozenset([turn.seat])

    @property
    def revision(self) -> int:
        """The number of actions and take-backs in the journal."""
        return self._next_seq - 1

    @property
    def auction_since(self) -> int | None:
        """The revision at which the current auction began; `None` outside an auction.

        A bid that was made for any view since this revision is accepted.
        """
        if not isinstance(self.turn, Auction):
            return None
        began = (step.acted.seq for step in reversed(self.history) if not goes_on_with_time(step.acted.action))
        return next(began, 0)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names in seat order."""
        return tuple(self.game.names(self.state))

    def called(self, state: Any) -> tuple[str, ...]:  # noqa: ANN401 - each game has its own state
        """Return the names that displays show for the players: a player's title in this state, or else the name."""
        names = tuple(self.game.names(state))
        titles = self.game.titles(state) or [""] * len(names)
        return tuple(title or name for title, name in zip(titles, names, strict=True))

    def pieces(self) -> Mapping[Square, str]:
        """Return the piece on each occupied square according to the match, which may differ from the board."""
        return self.game.pieces(self.state)

    def act(self, action: Action, now_ms: int) -> Acted:
        """Carry out an action and return its entry.

        Raises:
            IllegalAction: the action is not allowed now; nothing was changed.
        """
        if isinstance(self.turn, Over):
            raise IllegalAction(say("the match is over"))
        acted = Acted(self._next_seq, acting_seat(self.turn, action, self.calls), now_ms, action)
        try:
            self.carry_out(acted, self.seating.sitter(acted.seat))
        except IllegalAction as error:
            if "expected" in str(error):
                raise
            raise IllegalAction(
                say("{problem}: expected {expected}", message_of(error), expectation(self.turn, self.names))
            ) from error
        self._next_seq += 1
        return self._noted(acted)

    def seat_player(self, seat: int, player: str) -> SeatChanged:
        """Let a computer or a person play a seat from now on, and return the entry.

        Args:
            seat: the seat.
            player: the computer, such as `aether:3`; empty for a person.

        Raises:
            IllegalAction: there is no such seat, the player plays that seat already, or the match is over.
        """
        if seat not in range(len(self.names)):
            raise IllegalAction(_no_seat(seat, len(self.names)))
        if isinstance(self.turn, Over):
            raise IllegalAction(say("the match is over: expected one that is played"))
        if self.seating.sitter(seat) == player:
            name = self.names[seat]
            if not player:
                raise IllegalAction(say("a person plays for {name} already: expected somebody else", name))
            computer = computer_name(ComputerSeat.parsed(player), self.game.key)
            raise IllegalAction(say("{computer} plays for {name} already: expected somebody else", computer, name))
        return self._noted(SeatChanged(seat, player))

    @property
    def absent_decides(self) -> bool:
        """Whether no person at this table acts for the seat that must throw or decide (see `is_absent`)."""
        return self.is_absent(self.seat)

    def is_absent(self, seat: int | None) -> bool:
        """Return whether no person at this table acts for a seat, because a program plays it.

        The result is false if `computers_think` is off, and for `None`, which stands for no seat.
        """
        return self.computers_think and self.seating.is_program(seat)

    def give_words(self, seat: int, text: str) -> SaltText:
        """Accept a text that a player adds to the seed of the dice, and return the text's journal entry.

        Raises:
            IllegalAction: there is no such seat, the seat was declared a computer's, no text is accepted any more, or
                this text is not allowed; nothing was changed.
        """
        if seat not in range(len(self.names)):
            raise IllegalAction(_no_seat(seat, len(self.names)))
        if not self.takes_words():
            raise IllegalAction(
                say(
                    "own words for the dice: expected before the match's first throw, and at most {count} times",
                    MOST_WORDS,
                )
            )
        if self.started.is_program(seat):
            raise IllegalAction(
                say("{name} is declared a computer: expected own words of a human player", self.names[seat])
            )
        return self._noted(SaltText(seat, check_words(text)))

    def takes_words(self) -> bool:
        """Return whether players may still give texts that are mixed into the match's dice."""
        return bool(self.game.dice(self.state)) and not isinstance(self.turn, Over) and self.salt.takes_words()

    def carry_out(self, acted: Acted, computer: str) -> None:
        """Carry out an action whose entry is given; no entry is added to the journal.

        Args:
            acted: the action's entry.
            computer: the computer that played the seat, such as `aether:3`; empty for a person.

        Raises:
            IllegalAction: the action is not allowed now; nothing was changed.
        """
        check_auction(self.turn, acted.action)
        if isinstance(acted.action, MasterAction):
            check_correction(self.game.corrections(self.state), acted.action)
        option = self.offered(acted.action)
        before = self.state
        after = self.game.apply(before, acted.action)
        self.history.append(Step(acted, before, after, option, computer))
        self._turn = None

    def truncate_history(self, count: int) -> None:
        """Remove all actions of the history after the first `count`."""
        if count < len(self.history):
            del self.history[count:]
            self._turn = None

    def is_on_board(self, action: Action) -> bool:
        """Return whether an action is a move on the board that is allowed now."""
        option = self.offered(action)
        return option is not None and option.on_board

    def is_secret_now(self) -> bool:
        """Return whether the options of the current decision may be shown only to the player who decides."""
        turn = self.turn
        options = turn.ask.options if isinstance(turn, Decide) and isinstance(turn.ask, PickAsk) else ()
        return any(option.secret for option in options)

    def offered(self, action: Action) -> Option | None:
        """Return the option that an action picks: one of the turn, or one that any player may pick now.

        `None` if the action picks no option that is offered now.
        """
        return offered_option(self.turn, action.id, self.calls) if isinstance(action, Pick) else None

    def take_back(self, step: Step, now_ms: int) -> TakenBack:
        """Take back an action of the history, together with all later ones, and return the entry."""
        self.truncate_history(self.history.index(step))
        taken_back = TakenBack(self._next_seq, step.acted.seat, now_ms, step.acted.seq)
        self._next_seq += 1
        return self._noted(taken_back)

    @property
    def provisional(self) -> Step | None:
        """The last move on the board if that move may still be changed, else `None` (see `steps.open_move`)."""
        return open_move(self.history, self.turn, is_ended=self.is_ended)

    @property
    def answered_move(self) -> Step | None:
        """The move that its player may take back together with a computer's reply; `None` if there is none.

        See `steps.answered_move`.
        """
        return answered_move(self.history, self.turn)

    def bell_after_ms(self) -> int | None:
        """Return the milliseconds until the bell according to the journal; `None` if the bell rings only by hand."""
        deadline_ms = deadline_of(self.turn)
        return None if deadline_ms is None else self.timers.left_ms(deadline_ms, self.history)

    def switch_timers(self, now_ms: int, left_ms: int | None, *, run: bool) -> TimersStopped | TimersWentOn:
        """Stop the timers for bids and actions, or let them run again, and return the entry.

        Args:
            now_ms: table time.
            left_ms: the milliseconds until the bell; `None` if the bell does not ring by itself.
            run: whether the timers run from now on.

        Raises:
            IllegalAction: the game has no game master, or the timers already run (or are already stopped).
        """
        if not self.game.corrections(self.state):
            raise IllegalAction(say("a game master has nothing to do here: expected a match of a game that has one"))
        if run and not self.timers.are_stopped:
            raise IllegalAction(say("the timers run already: expected them to be stopped"))
        if not run and self.timers.are_stopped:
            raise IllegalAction(say("the timers stand still already: expected them to be started"))
        entry = TimersWentOn(self.revision, now_ms) if run else TimersStopped(self.revision, now_ms, left_ms)
        return self._noted(entry)

    def in_sub_menu(self) -> bool:
        """Return whether the player who decides now has opened a submenu with the last action; *Back* closes it."""
        return open_menu(self.history, self.turn) is not None
