"""A match under other names: its actions are replayed with pseudonyms, so that its view shows no real name.

The game itself writes the texts that contain names: headings, prompts, the log, score sheets and messages about the
rules. Therefore the match is replayed with the pseudonyms. Only data without text is copied from the real view.
Computers keep their names. The module also makes the pseudonyms: the players' initials.
"""

from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import msgspec
from msgspec import Struct, field

from captains_table.games.common.records import NO_HONOURS
from captains_table.games.contract import Auction, Correct, GameEvent, KeepAsk, Over
from captains_table.games.registry import game_by_key
from captains_table.phrases import say
from captains_table.table.history.event_log import events_of, log_lines
from captains_table.table.model.entries import Acted, MatchStarted
from captains_table.table.model.match import Match, Step
from captains_table.table.model.view import LastThrow, LogLine, Menu, RollOffer, View
from captains_table.table.playing.timed_displays import last_throw_of
from captains_table.table.prompt_lines import result_sentence, turn_lines

LATEST: Final = 40
"""How many of the latest actions are searched for the lines of the log; a view shows twelve lines."""
PUTTING_RIGHT: Final = say("The board is being put right")


def player_initials(started: MatchStarted) -> tuple[str, ...]:
    """Return the players' initials, such as A.B.; computers keep their names.

    A second player with the same initials gets a number: A.B. (2).
    """
    found: list[str] = []
    for seat, name in enumerate(started.seats):
        if started.is_program(seat):
            found.append(name)
            continue
        letters = "".join(f"{word[0].upper()}." for word in name.split())
        known = sum(each == letters or each.startswith(f"{letters} (") for each in found)
        found.append(f"{letters} ({known + 1})" if known else letters)
    return tuple(found)


def renamed_start(started: MatchStarted, names: Sequence[str]) -> MatchStarted:
    """Return the start of a match with other names; options whose value is a player's name are changed too."""
    others = dict(zip(started.seats, names, strict=True))
    of_players = {option.name for option in game_by_key(started.game).options if option.of_players}
    options = {
        name: others.get(value, value) if name in of_players else value for name, value in started.options.items()
    }
    return msgspec.structs.replace(started, seats=tuple(names), options=options)


class RenamedAction(Struct, frozen=True):
    """An action of the real match, with copies of its log lines and events under the changed names.

    `lines` and `events` map each original to its copy. They are empty for all actions before the last `LATEST` actions
    of the match at the time of copying.
    """

    acted: Acted
    lines: Mapping[LogLine, LogLine] = field(default_factory=dict)
    events: Mapping[GameEvent, GameEvent] = field(default_factory=dict)


class RenamedMatch:
    """A copy of a match under other names; it repeats the actions of the real match.

    Args:
        started: how the match began.
        names: the other names of the players, in seat order; computers keep their names.
    """

    def __init__(self, started: MatchStarted, names: Sequence[str]) -> None:
        self._started = renamed_start(started, names)
        self._others: Mapping[str, str] = dict(zip(started.seats, names, strict=True))
        self._match = Match(self._started)
        self._known: list[RenamedAction] = []

    def view(self, view: View, match: Match) -> View:
        """Return the view with the real names replaced, and without texts that could contain a real name.

        Args:
            view: the view with the real names, drawn while the match is loaded.
            match: the match with the real names.
        """
        self._follow(match)
        renamed, state = self._match, self._match.state
        called = renamed.called(state)
        titles = renamed.game.titles(state) or [""] * len(view.seats)
        return replace(
            view,
            heading=renamed.game.heading(state),
            prompt=tuple(self._prompt(view, called)),
            seats=tuple(
                replace(seat, name=name, title=title, honours=NO_HONOURS)
                for seat, name, title in zip(view.seats, renamed.names, titles, strict=True)
            ),
            sheet=tuple(renamed.game.sheet(state)),
            ask=self._ask(view),
            menu=view.menu if isinstance(view.ask, KeepAsk) else Menu(),
            log=tuple(self._log(view.log)),
            earlier_log=(),
            latest_events=self._events(view.latest_events),
            last_throw=self._last_throw(view.last_throw),
            past_throw=self._last_throw(view.past_throw),
            roll=RollOffer(),
            calls=(),
            hint=None,
            told="",
            dice_proof="",
            bell_then="",
            joining="",
            details={},
        )

    def _follow(self, match: Match) -> None:
        """Remove the actions that were taken back in the real match, then repeat its new actions."""
        history = match.history
        unchanged = min(len(history), len(self._known))
        while unchanged and history[unchanged - 1].acted is not self._known[unchanged - 1].acted:
            unchanged -= 1
        self._match.truncate_history(unchanged)
        del self._known[unchanged:]
        for step in history[unchanged:]:
            self._match.carry_out(self._renamed(step.acted), step.computer)
            is_late = len(history) - len(self._known) > LATEST
            self._known.append(RenamedAction(step.acted) if is_late else self._renamed_step(match, step))

    def _renamed_step(self, match: Match, step: Step) -> RenamedAction:
        """Return a step's action, and the versions of its log lines and events with the pseudonyms.

        The last action of the renamed match must be this action.
        """
        twin = self._match.history[-1]
        lines = zip(log_lines(match, step), log_lines(self._match, twin), strict=False)
        events = zip(events_of(match, step), events_of(self._match, twin), strict=False)
        return RenamedAction(step.acted, dict(lines), dict(events))

    def _renamed(self, acted: Acted) -> Acted:
        """Return an action with pseudonyms; the reason that a game master gave for a correction is left out."""
        if not isinstance(acted.action, Correct):
            return acted
        action = acted.action
        of, to = (self._others.get(words, words) for words in (action.of, action.to))
        return msgspec.structs.replace(acted, action=msgspec.structs.replace(action, of=of, to=to, why=""))

    # --- words ------------------------------------------------------------------------------------------------------

    def _prompt(self, view: View, called: Sequence[str]) -> Iterable[str]:
        turn = self._match.turn
        if isinstance(turn, Over):
            return [result_sentence(self._match, turn)]
        if view.wrong:
            return [PUTTING_RIGHT]
        thinking = [say("{name} thinks", called[number]) for number, seat in enumerate(view.seats) if seat.is_thinking]
        return thinking[:1] or turn_lines(turn, called)

    def _ask(self, view: View) -> Auction | KeepAsk | None:
        if isinstance(view.ask, Auction) and isinstance(self._match.turn, Auction):
            return self._match.turn
        return KeepAsk("", view.ask.dice) if isinstance(view.ask, KeepAsk) else None

    def _log(self, lines: Sequence[LogLine]) -> Iterable[LogLine]:
        """Return the renamed log lines that report actions; other lines, such as requested advice, are left out."""
        found = ChainMap(*(dict(each.lines) for each in reversed(self._known[-LATEST:])))
        return (replace(found[line], aloud="") for line in lines if line in found)

    def _events(self, events: Sequence[GameEvent]) -> tuple[GameEvent, ...]:
        if not events:
            return ()
        found = ChainMap(*(dict(each.events) for each in reversed(self._known[-LATEST:])))
        return tuple(found[event] for event in events if event in found)

    def _last_throw(self, last: LastThrow | None) -> LastThrow | None:
        if last is None:
            return None
        candidates = (last_throw_of(self._match, twin) for twin in reversed(self._match.history[-LATEST:]))
        same = (each for each in candidates if each is not None and (each.seat, each.dice) == (last.seat, last.dice))
        found = next(same, None)
        return None if found is None else replace(found, scored=self._events(last.scored))
