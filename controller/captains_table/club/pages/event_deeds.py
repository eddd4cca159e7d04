"""What the arbiter does to an event, by the last part of the address."""

from collections.abc import Awaitable, Callable, Mapping

from captains_table.club.events.entries import (
    Closed,
    Moved,
    Returned,
    RoundDropped,
    RulingDropped,
    SatIn,
    SatOut,
    Withdrew,
)
from captains_table.club.events.event import CannotBe
from captains_table.club.pages.event_forms import read_player, read_ruling, read_why
from captains_table.club.pages.event_port import EventPort, HeldEvent
from captains_table.web.problems import Problem

Fields = Mapping[str, str]


class EventDeeds:
    """Does what a form of the arbiter's page asks for.

    Args:
        events: what is held.
    """

    def __init__(self, events: EventPort) -> None:
        self._events = events
        self._deeds: Mapping[str, Callable[[HeldEvent, Fields], Awaitable[None]]] = {
            "enter": self._enter,
            "withdraw": self._withdraw,
            "return": self._return,
            "sit-out": self._sit_out,
            "sit-in": self._sit_in,
            "pair": self._pair,
            "publish": self._publish,
            "drop": self._drop,
            "rule": self._rule,
            "rule-not": self._rule_not,
            "move": self._move,
            "end": self._end,
        }

    async def do(self, held: HeldEvent, deed: str, fields: Fields) -> None:
        """Do it; raises Problem, NoSuchPlayer, or CannotBe where it cannot be."""
        if deed not in self._deeds:
            raise Problem(
                404, f"Nothing is done to an event at {deed[:40]!r}: expected one of {', '.join(self._deeds)}."
            )
        await self._deeds[deed](held, fields)

    async def _enter(self, held: HeldEvent, fields: Fields) -> None:
        """Let everybody take part who is ticked."""
        chosen = [
            name.removeprefix("player-") for name, value in fields.items() if name.startswith("player-") and value
        ]
        if not chosen:
            raise CannotBe("nobody was chosen: tick who takes part")
        for player in chosen:
            self._events.enter(held.number, read_player({"player": player}))

    async def _withdraw(self, held: HeldEvent, fields: Fields) -> None:
        self._events.write(held.number, Withdrew(player=read_player(fields), why=read_why(fields)))

    async def _return(self, held: HeldEvent, fields: Fields) -> None:
        self._events.write(held.number, Returned(player=read_player(fields)))

    async def _sit_out(self, held: HeldEvent, fields: Fields) -> None:
        half = fields.get("half", "") == "yes"
        self._events.write(held.number, SatOut(player=read_player(fields), round=held.event.next_round, half=half))

    async def _sit_in(self, held: HeldEvent, fields: Fields) -> None:
        self._events.write(held.number, SatIn(player=read_player(fields), round=held.event.next_round))

    async def _pair(self, held: HeldEvent, fields: Fields) -> None:  # noqa: ARG002 - nothing is asked
        await self._events.pair(held.number)

    async def _publish(self, held: HeldEvent, fields: Fields) -> None:  # noqa: ARG002 - nothing is asked
        self._events.publish(held.number)

    async def _drop(self, held: HeldEvent, fields: Fields) -> None:
        self._events.write(held.number, RoundDropped(round=len(held.event.rounds), why=read_why(fields)))

    async def _rule(self, held: HeldEvent, fields: Fields) -> None:
        match = held.event.match(fields.get("pairing", ""))
        self._events.write(held.number, read_ruling(held.event, match, fields))

    async def _rule_not(self, held: HeldEvent, fields: Fields) -> None:
        pairing = held.event.match(fields.get("pairing", "")).seated.id
        self._events.write(held.number, RulingDropped(pairing=pairing, why=read_why(fields)))

    async def _move(self, held: HeldEvent, fields: Fields) -> None:
        pairing, table = held.event.match(fields.get("pairing", "")).seated.id, fields.get("table", "")
        if table not in self._events.tables_for(held.number):
            raise CannotBe(f"{table[:40]!r} is no table at which this game can be played now")
        self._events.write(held.number, Moved(pairing=pairing, table=table))

    async def _end(self, held: HeldEvent, fields: Fields) -> None:
        self._events.write(held.number, Closed(why=read_why(fields), edition=held.event.edition))
