"""Everything the page shows at one moment, and what each fragment draws of it."""

import zlib
from dataclasses import dataclass, replace
from typing import Any

from captains_table.games.contract import AGREE, AmountAsk, Auction, KeepAsk, Option, PickAsk
from captains_table.table.model.view import Phase, View
from captains_table.table.prompts.asks import MASK, PUT_RIGHT
from captains_table.web.port import PhysicalBoard, TablePort
from captains_table.web.svg.board_svg import Look, board_svg
from captains_table.web.svg.dice_svg import die_label, die_svg, slot_svg
from captains_table.web.svg.pieces_svg import SIZE, piece_name, piece_svg


@dataclass(frozen=True, slots=True)
class Scene:
    """A table at one moment, as one page looks at it.

    Attributes:
        view: what every display shows.
        physical: the simulated board, or None where the board is real or the page only watches.
        display: changes with every picture on the display.
        flipped: the board is seen from Black's side.
        seat: the seat that looks, and acts for itself alone; None: the table's owner, or one who watches.
    """

    view: View
    physical: PhysicalBoard | None = None
    display: str = ""
    flipped: bool = False
    seat: int | None = None

    @property
    def may_act(self) -> bool:
        """Whether what is asked of one player is asked of whoever looks."""
        return self.seat is None or has_turn(self.view, self.seat)

    @property
    def name(self) -> str:
        """The name of the seat that looks."""
        return "" if self.seat is None else self.view.seats[self.seat].called

    def board(self) -> str:
        """Return the board: what physically stands on the simulated one, or else what the match has."""
        view = self.view
        if view.shape is None:
            return ""
        pieces = view.pieces if self.physical is None else self.physical.pieces
        look = Look(touchable=self.physical is not None and self.may_act, flipped=self.flipped, ghosts=view.pieces)
        return board_svg(view.shape, pieces, view.marks, look)

    def dice(self) -> list[dict[str, Any]]:
        """Return each die drawn and in words, and whether it stands in a berth."""
        moored = {slot.die for slot in self.view.slots}
        return [
            {
                "svg": die_svg(die, tumbling=index in self.view.tumbling),
                "label": die_label(index + 1, die, tumbling=index in self.view.tumbling),
                "extra": die.extra,
                "held": die.held,
                "moored": index + 1 in moored,
            }
            for index, die in enumerate(self.view.dice)
        ]

    def thrown(self) -> list[dict[str, Any]]:
        """Return the last throw's dice, drawn and in words, and whether each counted; none where none is shown."""
        last = self.view.last_throw
        if last is None:
            return []
        return [
            {"svg": die_svg(die), "label": die_label(index + 1, die), "lit": index in last.lit}
            for index, die in enumerate(last.dice)
        ]

    def slots(self) -> list[dict[str, str]]:
        """Return each berth with the die that stands in it, or the face it waits for."""
        dice = self.dice()
        return [
            {"name": slot.name, "svg": slot_svg(slot.face), "label": f"{slot.name}: waits for a {slot.face}"}
            if slot.die is None
            else {"name": slot.name, "svg": dice[slot.die - 1]["svg"], "label": f"{slot.name}: {slot.face}"}
            for slot in self.view.slots
        ]

    def asked(self) -> str:
        """Return the name of whoever must act, or nothing."""
        view = self.view
        return view.seats[view.seat].called if view.seat is not None and view.seat < len(view.seats) else ""

    def ask(self) -> dict[str, Any]:
        """Return what the ask's fragment draws: the kind of ask and what can be answered."""
        if not self.may_act and not isinstance(self.view.ask, Auction):
            return {"kind": "wait" if self.asked() else "none", "prompt": ""}
        match self.view.ask:
            case PickAsk(prompt, options, default):
                return self._pick(prompt, options, default)
            case KeepAsk(prompt, dice):
                drawn = self.dice()
                advised = (self.view.hint.dice if self.view.hint else None) or ()
                held = {entry.id for entry in self.view.menu.entries if entry.held}
                return {
                    "kind": "keep",
                    "prompt": prompt,
                    "dice": [
                        {"number": die, **drawn[die - 1], "kept": str(die) in held, "advised": die in advised}
                        for die in dice
                    ],
                }
            case AmountAsk(prompt, lo, hi, default):
                return {"kind": "amount", "prompt": prompt, "lo": lo, "hi": hi, "default": default}
            case Auction(prompt, bidders):
                bids = [
                    {
                        "seat": bidder.seat,
                        "name": self.view.seats[bidder.seat].called,
                        "least": bidder.least,
                        "most": bidder.most,
                    }
                    for bidder in bidders
                    if self.seat in (None, bidder.seat)
                ]
                return {"kind": "auction", "prompt": prompt, "bidders": bids}
            case None:
                return {"kind": "roll" if self._waits_for_dice() else "none", "prompt": ""}

    def _pick(self, prompt: str, options: tuple[Option, ...], default: str | None) -> dict[str, Any]:
        in_menu = {entry.id for entry in self.view.menu.entries}
        repairs = [option for option in options if option.id.startswith(MASK)]
        options = tuple(option for option in options if option not in repairs and option != PUT_RIGHT)
        buttons = [option for option in options if not option.on_board or option.id in in_menu]
        consent = bool(options) and options[0] == AGREE
        moves = [option for option in options if option not in buttons]
        hint = self.view.hint
        cursor = self.view.menu.entries[self.view.menu.cursor].id if self.view.menu.cursor is not None else None
        return {
            "kind": "consent" if consent else "pick",
            "prompt": prompt,
            "repairs": repairs if self.seat is None else [],
            "buttons": [
                {
                    "id": option.id,
                    "label": option.label,
                    "default": option.id == default,
                    "risky": option.confirm,
                    "at_cursor": option.id == cursor,
                    "advised": hint is not None and option.id == hint.id,
                }
                for option in buttons
            ],
            "moves": moves,
        }

    def _waits_for_dice(self) -> bool:
        return self.view.phase is Phase.PLAYING and self.view.seat is not None


def has_turn(view: View, seat: int) -> bool:
    """Return whether a seat must decide or throw."""
    return view.seat == seat and view.phase is not Phase.IDLE


def scene_of(table: TablePort, *, touch: bool, flipped: bool, seat: int | None = None) -> Scene:
    """Return what a page shows now; `touch`: it stands in for the board, and for the glass unless it is a seat's."""
    hands = table.hands() if touch else None
    physical = hands.physical() if hands is not None else None
    if physical is not None:  # a copy: what was drawn is compared with what is to be drawn
        physical = replace(physical, pieces=dict(physical.pieces))
    display = f"{zlib.crc32(table.display_png()):08x}" if touch and seat is None else ""
    return Scene(table.view(), physical, display, flipped, seat)


def loose_piece(letter: str) -> dict[str, str]:
    """Return a piece that stands on no square: its letter, its art, and its name."""
    art = f'<svg class="loose" viewBox="0 0 {SIZE} {SIZE}" aria-hidden="true">{piece_svg(letter)}</svg>'
    return {"letter": letter, "svg": art, "name": piece_name(letter)}
