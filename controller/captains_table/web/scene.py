"""Everything the page shows at one moment, and what each fragment draws of it."""

import itertools
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from captains_table.games.common.dice import throws_in_words
from captains_table.games.contract import (
    AGREE,
    THROW_AGAIN,
    AmountAsk,
    Auction,
    Correctable,
    Die,
    KeepAsk,
    Option,
    PickAsk,
    RowKind,
    SheetRow,
    Square,
    parse_square,
    proposed_option,
)
from captains_table.table.lobby.match_setup import Paired, Start
from captains_table.table.model.view import LastThrow, Phase, RollOffer, View
from captains_table.table.prompts.asks import MASK, PUT_RIGHT
from captains_table.web.auction import auction_shown
from captains_table.web.captured import Side, sides_of
from captains_table.web.joining import Joining
from captains_table.web.match_form import computers
from captains_table.web.sheets import sheet_columns
from captains_table.web.svg.board_svg import Look, board_svg
from captains_table.web.svg.dice_svg import die_label, die_svg, slot_svg
from captains_table.web.svg.pieces_svg import SIZE, piece_name, piece_svg

MOST_COLUMNS_IN_A_ROOM: Final = 12
_MOVE = re.compile(r"([a-z]\d)([a-z]\d)")


@dataclass(frozen=True, slots=True)
class PhysicalBoard:
    """What stands on the simulated board, what is in the hand (last lifted last), what lies beside it.

    Attributes:
        pieces: square -> FEN letter.
        hand: FEN letters.
        beside: FEN letters.
        noisy: whether its switches behave as those of a real board.
        undoes: the seat whose last move may still be taken back; None where none may.
    """

    pieces: Mapping[Square, str]
    hand: tuple[str, ...]
    beside: tuple[str, ...]
    noisy: bool = False
    undoes: int | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """A table at one moment, as one page looks at it.

    Attributes:
        view: what every display shows.
        physical: the simulated board, or None where the board is real or the page only watches.
        display: changes with every picture on the display.
        flipped: the board is seen from Black's side.
        seat: the seat that looks, and acts for itself alone; None: the table's owner, or one who watches.
        leave_ms: how long *back* is held to leave the match; 0: whoever looks cannot.
        watches: it is a page to look at alone, on which nobody acts.
        leads: it is the game master's page: he answers for anybody, and owns no more of the table than that.
        corrections: what he may set right.
        arbiter: whether an arbiter is called; `None`: there is none, or whoever looks cannot call him.
        paired: while nobody plays, the first matches that the club wants to be played here.
        joining: where a phone follows the match, on a page of the table's own machine; `None`: the page says it itself.
        against: while nobody plays, a computer's title, and the match somebody alone may begin with it by one press.
    """

    view: View
    physical: PhysicalBoard | None = None
    display: str = ""
    flipped: bool = False
    seat: int | None = None
    leave_ms: int = 0
    watches: bool = False
    leads: bool = False
    corrections: tuple[Correctable, ...] = ()
    against: tuple[str, Start] | None = None
    arbiter: bool | None = None
    paired: tuple[Paired, ...] = ()
    joining: Joining | None = None

    @property
    def may_act(self) -> bool:
        """Whether what is asked of one player is asked of whoever looks; what is played next is no game master's."""
        if self.leads and self.view.phase in {Phase.IDLE, Phase.OVER}:
            return False
        return not self.watches and (self.seat is None or has_turn(self.view, self.seat))

    @property
    def name(self) -> str:
        """The name of the seat that looks."""
        return "" if self.seat is None else self.view.seats[self.seat].called

    def board(self) -> str:
        """Return the board: what physically stands on the simulated one, or else what the match has.

        Where no board is, moves may be picked on it.
        """
        view = self.view
        if view.shape is None:
            return ""
        pieces = view.pieces if self.physical is None else self.physical.pieces
        touchable = self.physical is not None and self.may_act
        picks = view.boardless and self.may_act and any(option.on_board for option in view.options)
        targets = self.targets() if touchable or picks else None
        look = Look(
            touchable=touchable,
            picks=picks,
            flipped=self.flipped,
            ghosts=view.pieces,
            targets=targets,
            things=view.things,
        )
        return board_svg(view.shape, pieces, view.marks, look)

    @property
    def last_throw(self) -> LastThrow | None:
        """The throw that is still to be seen in the dice's place, unless others tumble there already."""
        return None if self.view.tumbling else self.view.last_throw

    def outcome(self) -> str:
        """Return whose throw is still to be seen, and what it came to."""
        last = self.last_throw
        if last is None:
            return ""
        name = self.view.seats[last.seat].called
        return last.words if last.words.startswith(name) else f"{name}: {last.words}" if last.words else name

    def dice(self) -> list[dict[str, Any]]:
        """Return each die drawn and in words: whether it counted, stands in a berth, may be kept, and stays."""
        last = self.last_throw
        if last is not None:
            return [self._die(number, die, lit=number - 1 in last.lit) for number, die in enumerate(last.dice, 1)]
        moored = {slot.die for slot in self.view.slots}
        choice = self._keep_choice()
        return [
            self._die(number, die, moored=number in moored) | choice.get(number, {"keep": False})
            for number, die in enumerate(self.view.dice, 1)
        ]

    def _die(self, number: int, die: Die, *, lit: bool = False, moored: bool = False) -> dict[str, Any]:
        tumbling = self.last_throw is None and number - 1 in self.view.tumbling
        label = die_label(number, die, tumbling=tumbling)
        left = f", {throws_in_words(die.throws_left)} left" if die.throws_left else ""
        return {
            "number": number,
            "svg": die_svg(die, tumbling=tumbling),
            "label": f"{label}, counted" if lit else label,
            "title": f"{label}{left}",
            "extra": die.extra,
            "moored": moored,
            "lit": lit,
            "falls": self.last_throw is None and number in self.view.roll.dice and self._some_stay(),
            "keep": False,
        }

    def _some_stay(self) -> bool:
        """Return whether the roll button would sensibly throw some of the dice that lie there, and leave others."""
        lie = [number for number, die in enumerate(self.view.dice, 1) if die.face is not None]
        return self.may_act and not self.view.roll.aside and any(number not in self.view.roll.dice for number in lie)

    @property
    def chooses_dice(self) -> bool:
        """Whether somebody chooses now which dice stay."""
        return isinstance(self.view.ask, KeepAsk)

    def _keep_choice(self) -> dict[int, dict[str, bool]]:
        """Return of each die that may stay whether it does, and whether that is advised."""
        ask = self.view.ask
        if self.view.wrong:
            return {}
        if isinstance(ask, KeepAsk):
            dice, held = ask.dice, {int(entry.id) for entry in self.view.menu.entries if entry.held}
        else:
            dice = self.view.roll.choice  # touching one opens the choice
            held = set(dice) - set(self.view.roll.dice)
        advised = (self.view.hint.dice if self.view.hint else None) or ()
        return {die: {"keep": self.may_act, "kept": die in held, "advised": die in advised} for die in dice}

    def roll(self) -> dict[str, Any]:
        """Return what the roll button does now, and how, or why it does nothing.

        Where neither dice fall nor a clock is pressed it is shown only while it does something.
        """
        others = f"{self.asked()} is to act" if self.asked() else "It is nobody's turn"
        offer = self.view.roll if self.may_act else RollOffer(why=others)
        how = "hold to tumble, let go to throw" if offer.dice else ""
        how = f"touch dice to choose · {how}" if offer.choice and offer.dice else how
        is_timed = any(seat.seconds_left is not None for seat in self.view.seats)
        return asdict(offer) | {"is_shown": self.view.has_dice or is_timed or offer.possible, "how": how}

    @property
    def may_undo(self) -> bool:
        """Whether a move may still be taken back, and by whoever looks."""
        undoes = self.view.undoes if self.physical is None else self.physical.undoes
        return not self.watches and may_take_back(undoes, self.seat)

    def players(self) -> list[dict[str, Any]]:
        """Return the seats that whoever looks may give to a computer or take over, and who plays them now."""
        view = self.view
        if self.watches or view.phase in (Phase.IDLE, Phase.OVER) or not computers(view.game):
            return []
        return [
            {"seat": number, "name": seat.called, "computer": seat.computer}
            for number, seat in enumerate(view.seats)
            if self.seat in (None, number)
        ]

    def correctables(self) -> dict[str, list[Correctable]]:
        """Return what a game master may set right, by what it is."""
        found: dict[str, list[Correctable]] = {}
        for each in self.corrections:
            found.setdefault(each.what, []).append(each)
        return found

    def calls(self) -> tuple[Option, ...]:
        """Return what whoever looks may call now, whoever is on turn."""
        is_played = self.view.phase not in (Phase.IDLE, Phase.OVER)
        return tuple(call for call in self.view.calls if not call.in_vain) if is_played and not self.watches else ()

    def captured(self) -> list[Side]:
        """Return the pieces beside the simulated board, by side."""
        return sides_of(self.physical.beside) if self.physical is not None else []

    def sheets(self) -> list[list[SheetRow]]:
        """Return the rows of the score sheet in its parts: a sum ends one, unless nothing but sums follow."""
        rows = list(self.view.sheet)
        ends = [
            index + 1
            for index, row in enumerate(rows)
            if row.kind is RowKind.SUM and any(later.kind is not RowKind.SUM for later in rows[index:])
        ]
        parts = [rows[start:end] for start, end in itertools.pairwise((0, *ends, len(rows)))]
        return [part for part in parts if part]

    def sheet_seats(self) -> list[int]:
        """Return whose sheets are shown beside each other: everybody's, but of several columns each one player's.

        That is whoever looks, or else whoever is on turn. A display for a room shows as many as can be read there.
        """
        everybody, columns = list(range(len(self.view.seats))), sheet_columns(self.view)
        shown = self.view.seat if self.seat is None else self.seat
        fits = columns == 1 or (self.watches and columns * len(everybody) <= MOST_COLUMNS_IN_A_ROOM)
        return everybody if shown is None or fits else [shown]

    def offers(self) -> dict[str, dict[str, Any]]:
        """Return the answers that whoever looks may give now by clicking a box of the sheet, by their id."""
        hint = self.view.hint
        options = self.view.options if self.may_act else ()
        return {
            option.id: {
                "label": option.label,
                "asked_twice": option.asked_twice,
                "advised": hint is not None and option.id == hint.id,
            }
            for option in options
        }

    def targets(self) -> dict[Square, list[str]]:
        """Return where each piece may be moved to now, by the square it stands on."""
        found: dict[Square, list[str]] = {}
        for option in self.view.options:
            ends = _MOVE.match(option.id) if option.on_board else None
            if ends is not None:
                found.setdefault(parse_square(ends[1]), []).append(ends[2])
        return found

    def slots(self) -> list[dict[str, str]]:
        """Return each berth with the die that stands in it, or the face it waits for."""
        if self.last_throw is not None:
            return []
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
            case PickAsk(prompt) as ask:
                return self._pick(prompt, self.view.options, proposed_option(ask))
            case KeepAsk(prompt):
                return {"kind": "keep", "prompt": prompt}
            case AmountAsk(prompt, lo, hi, default):
                return {"kind": "amount", "prompt": prompt, "lo": lo, "hi": hi, "default": default}
            case Auction() as auction:
                return auction_shown(self.view, auction, self.seat)
            case None:
                waits_for_dice = self.view.phase is Phase.PLAYING and self.view.seat is not None
                return {"kind": "roll" if waits_for_dice else "none", "prompt": ""}

    def _pick(self, prompt: str, options: tuple[Option, ...], default: str | None) -> dict[str, Any]:
        in_menu = {entry.id for entry in self.view.menu.entries}
        repairs = [option for option in options if option.id.startswith(MASK)]
        options = tuple(
            option for option in options if option not in repairs and option != PUT_RIGHT and not option.in_vain
        )
        is_listed = self.view.boardless  # the menu has the moves too, and they are a list of their own all the same
        buttons = [option for option in options if not option.on_board or (option.id in in_menu and not is_listed)]
        consent = bool(options) and options[0] == AGREE
        moves = [option for option in options if option not in buttons]
        hint = self.view.hint
        cursor = self.view.menu.entries[self.view.menu.cursor].id if self.view.menu.cursor is not None else None
        return {
            "kind": "consent" if consent else "pick",
            "prompt": prompt,
            "repairs": repairs if self.seat is None else [],
            "buttons": [
                asdict(option)
                | {
                    "default": option.id == default,
                    "risky": option.confirm,
                    "opens_menu": self._asks_further(option),
                    "at_cursor": option.id == cursor,
                    "advised": hint is not None and option.id == hint.id,
                }
                for option in buttons
            ],
            "moves": moves,
        }

    def _asks_further(self, option: Option) -> bool:
        """Return whether an answer leads to a question; to throw again does only where dice can be chosen."""
        return option.opens_menu and (option.id != THROW_AGAIN.id or bool(self.view.roll.choice))


def may_take_back(undoes: int | None, seat: int | None) -> bool:
    """Return whether a seat, or the table's owner (None), may take the last move back now.

    Args:
        undoes: whose move may be taken back; `None`: nobody's.
        seat: who would do it.
    """
    return undoes is not None and seat in (None, undoes)


def has_turn(view: View, seat: int) -> bool:
    """Return whether a seat must decide or throw."""
    return view.seat == seat and view.phase is not Phase.IDLE


def loose_piece(letter: str) -> dict[str, str]:
    """Return a piece that stands on no square: its letter, its art, and its name."""
    art = f'<svg class="loose" viewBox="0 0 {SIZE} {SIZE}" aria-hidden="true">{piece_svg(letter)}</svg>'
    return {"letter": letter, "svg": art, "name": piece_name(letter)}
