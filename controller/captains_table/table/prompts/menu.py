"""The menu: shows each question to the players as a list with a cursor, to be answered with three buttons or one.

Some answers must be chosen twice. Dice are held and released in the menu; a bid is chosen in two steps.
Source: docs/contracts.md Contract 4.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from captains_table.games.contract import (
    Action,
    Amount,
    AmountAsk,
    Ask,
    Auction,
    Bell,
    Bid,
    Bidder,
    Keep,
    KeepAsk,
    Option,
    Pick,
    PickAsk,
    proposed_option,
)
from captains_table.phrases import say
from captains_table.table.model.view import Menu, MenuEntry

THROW = "throw"
BACK = "back"
BELL = "bell"
BID = "bid-"
RUN_ON = "timers-start"


@dataclass(frozen=True, slots=True)
class MenuState:
    """A menu in use: its lines, its cursor, and which dice are held.

    Attributes:
        entries: the lines.
        cursor: the index of the line under the cursor; -1 if the cursor is on no line. The cursor starts on no line if
            a guarded menu has no default and only answers that must be confirmed or end the match.
        confirming: whether the line under the cursor was chosen and must be chosen again to confirm it.
        guarded: whether an answer that wastes something (`Option.wasteful`) must be confirmed too. At first, the cursor
            of a guarded menu avoids answers that must be confirmed, except the default.
        held_back: whether the last choice gave no answer only because the menu is guarded.
        bidder: the bidder whose amounts are listed; `None` while bidders are listed, and outside an auction.
        names: the players' names in an auction.
    """

    entries: tuple[MenuEntry, ...] = ()
    cursor: int = 0
    confirming: bool = False
    guarded: bool = True
    held_back: bool = False
    bidder: Bidder | None = None
    names: tuple[str, ...] = ()

    def shown(self) -> Menu:
        """Return the menu as displays show it."""
        entries = list(self.entries)
        if self.confirming:
            label = say("{answer}? Once more", entries[self.cursor].label)
            entries[self.cursor] = replace(entries[self.cursor], label=label)
        return Menu(tuple(entries), None if self.chosen is None else self.cursor)

    def next(self) -> "MenuState":
        """Return the menu with the cursor on the next line; the first line follows the last."""
        return self._moved_to(self.cursor + 1)

    def previous(self) -> "MenuState":
        """Return the menu with the cursor on the previous line; the last line precedes the first."""
        return self._moved_to(max(self.cursor, 0) - 1)

    def _moved_to(self, cursor: int) -> "MenuState":
        if not self.entries:
            return self
        return replace(self, cursor=cursor % len(self.entries), confirming=False, held_back=False)

    def at(self, id_: str, *, confirming: bool = False) -> "MenuState":
        """Return the menu with the cursor on the line with this id; the menu is unchanged if no line has the id.

        `confirming` states whether that line must be chosen once more to confirm it.
        """
        place = next((index for index, entry in enumerate(self.entries) if entry.id == id_), None)
        return self if place is None else replace(self, cursor=place, confirming=confirming)

    @property
    def chosen(self) -> MenuEntry | None:
        """The line under the cursor; `None` if there is none."""
        return self.entries[self.cursor] if self.entries and self.cursor >= 0 else None

    def held_dice(self) -> tuple[int, ...]:
        """Return the numbers of the held dice, which will not be thrown."""
        return tuple(int(entry.id) for entry in self.entries if entry.held)

    def holds_all(self) -> bool:
        """Return whether all dice are held, so that none would be thrown."""
        return all(entry.held for entry in self.entries if entry.held is not None)

    def with_toggled(self, id_: str) -> "MenuState":
        """Return the menu with one die held, or released if it was held."""
        entries = [replace(entry, held=not entry.held) if entry.id == id_ else entry for entry in self.entries]
        return replace(self, entries=tuple(entries))

    def with_held(self, dice: Collection[int]) -> "MenuState":
        """Return the menu with these dice held and all others released."""
        entries = [
            entry if entry.held is None else replace(entry, held=int(entry.id) in dice) for entry in self.entries
        ]
        return replace(self, entries=tuple(entries))

    def with_time_to_start(self) -> "MenuState":
        """Return the menu with one more line at the end: it restarts the timers that a game master stopped."""
        return replace(self, entries=(*self.entries, MenuEntry(RUN_ON, say("Let the time run on"))))

    def with_way_back(self) -> "MenuState":
        """Return the menu with a last line *Back*, for tables that have no button to go back."""
        return replace(self, entries=(*self.entries, MenuEntry(BACK, say("Back"))))


def menu_of(
    ask: Ask | Auction,
    faces: Sequence[str],
    reachable: Collection[str] = (),
    names: Sequence[str] = (),
    *,
    guarded: bool = True,
) -> MenuState:
    """Return the menu for a question to a player.

    Args:
        ask: the question.
        faces: the faces of the dice in words, for the question which dice to keep.
        reachable: the ids of options on the board that the menu must offer, because the switches cannot show them.
        names: the players' names, for the lines of an auction.
        guarded: whether wasteful answers must be confirmed. If so, the cursor starts on the default or on an answer
            that needs no confirmation and does not end the match.
    """
    match ask:
        case PickAsk(options=options, default=default):
            listed = [option for option in options if _is_listed(option, reachable)]
            return _pick_menu(listed, proposed_option(ask) or default, guarded=guarded)
        case KeepAsk(_, dice, default):
            lines = tuple(MenuEntry(str(die), say("Keep {face}", faces[die - 1]), held=die in default) for die in dice)
            return MenuState((*lines, MenuEntry(THROW, say("Throw"))), len(lines))
        case AmountAsk(_, lo, hi, default):
            return MenuState(tuple(MenuEntry(str(value), str(value)) for value in range(lo, hi + 1)), default - lo)
        case Auction(bidders=bidders):
            lines = tuple(
                MenuEntry(
                    f"{BID}{bidder.seat}",
                    say("{bid}\u2026", _bid_words(ask, bidder, names, bidder.least)),
                    name=names[bidder.seat],
                )
                for bidder in bidders
            )
            return MenuState((*lines, MenuEntry(BELL, say("Ring the bell"))), names=tuple(names))


def menu_of_bidder(auction: Auction, bidder: Bidder, names: Sequence[str], value: int | None = None) -> MenuState:
    """Return the menu of the amounts that a bidder may bid, with the cursor on the amount nearest to a value.

    Args:
        auction: the auction.
        bidder: the bidder.
        names: the players' names.
        value: an amount; `None` for the lowest amount that outbids all others.
    """
    amounts = range(bidder.least, bidder.most + 1)
    lines = tuple(
        MenuEntry(str(amount), _bid_words(auction, bidder, names, amount), name=names[bidder.seat])
        for amount in amounts
    )
    near = max(auction.bids, default=0) + 1 if value is None else value
    cursor = min(max(near, bidder.least), bidder.most) - bidder.least
    return MenuState(lines, cursor, bidder=bidder, names=tuple(names))


def _bid_words(auction: Auction, bidder: Bidder, names: Sequence[str], amount: int) -> str:
    """Return a possible bid in words, phrased so that it is not mistaken for a bid already made."""
    name = names[bidder.seat]
    if auction.bids and auction.bids[bidder.seat] > 0:
        return say("{name}: raise to {amount}", name, amount)
    return say("{name}: bid {amount}", name, amount)


def _is_listed(option: Option, reachable: Collection[str]) -> bool:
    return not option.in_vain and (not option.on_board or option.id in reachable)


def _pick_menu(options: Sequence[Option], default: str | None, *, guarded: bool) -> MenuState:
    """Return a menu of options, with the cursor on the default.

    Without a default, the cursor is on the first option that is not rarely chosen (`Option.under`). In a guarded menu,
    the cursor also skips options that must be chosen twice because they are wasteful or risky, and options that end the
    match or a round. If no option is left, the cursor is on none.
    """
    entries = tuple(MenuEntry(option.id, option.label) for option in options)
    is_harmless = [not (option.under or (guarded and option.asked_twice)) for option in options]
    harmless = is_harmless.index(True) if True in is_harmless else -1
    cursor = next((index for index, option in enumerate(options) if option.id == default), harmless)
    return MenuState(entries, cursor, guarded=guarded)


def choose(ask: Ask | Auction, menu: MenuState) -> Action | MenuState:
    """Choose the line under the cursor; return the answer, or the changed menu if there is no answer yet.

    In a menu of dice, choosing a die holds or releases it. Choosing to throw while all dice are held does nothing. In
    an auction, the bidder is chosen first, then the amount.

    The bell of an auction and any option that asks for confirmation must be chosen twice. In a guarded menu, a wasteful
    option and one that may end the match must be chosen twice too.
    """
    chosen = menu.chosen
    if chosen is None:
        return replace(menu, held_back=bool(menu.entries))
    match ask:
        case PickAsk(options=options):
            option = next((option for option in options if option.id == chosen.id), Option(chosen.id, chosen.label))
            is_grave = option.confirm or (menu.guarded and option.asked_twice)
            held_back = replace(menu, confirming=True, held_back=not option.confirm)
            return held_back if is_grave and not menu.confirming else Pick(chosen.id)
        case AmountAsk():
            return Amount(int(chosen.id))
        case KeepAsk():
            if chosen.id != THROW:
                return menu.with_toggled(chosen.id)
            return menu if menu.holds_all() else Keep(menu.held_dice())
        case Auction():
            return _choose_bid(ask, menu, chosen.id)


def _choose_bid(auction: Auction, menu: MenuState, id_: str) -> Action | MenuState:
    if menu.bidder is not None:
        return Bid(menu.bidder.seat, int(id_))
    if id_ == BELL:
        return Bell() if menu.confirming else replace(menu, confirming=True)
    bidder = auction.bidder(int(id_.removeprefix(BID)))
    return menu if bidder is None else menu_of_bidder(auction, bidder, menu.names)
