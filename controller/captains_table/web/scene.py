"""The scene: everything a live page shows at one moment, with the values that each fragment's template needs.

The scene also says what the user of the page may do now, such as answer or take a move back.
"""

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from captains_table.games.common.dice import face_words, throws_in_words
from captains_table.games.contract import (
    AGREE,
    PRESS_CLOCK,
    THROW_AGAIN,
    AmountAsk,
    Auction,
    Correctable,
    Die,
    KeepAsk,
    Meaning,
    Option,
    PickAsk,
    RowKind,
    SheetRow,
    Square,
    parse_square,
    proposed_option,
)
from captains_table.phrases import listed, noun, say
from captains_table.table.meanings import cards_due
from captains_table.table.model.view import LastThrow, Phase, RollOffer, View
from captains_table.table.prompts.asks import MASK, PUT_RIGHT, TURN_BOARD
from captains_table.web.auction import auction_shown
from captains_table.web.captured import CapturedPieces, sides_of
from captains_table.web.first_screen import FirstScreen
from captains_table.web.joining import JoinLink
from captains_table.web.match_form import computers
from captains_table.web.sheets import sheet_columns
from captains_table.web.svg.board_svg import BoardStyle, board_svg
from captains_table.web.svg.dice_svg import die_label, die_svg, slot_svg
from captains_table.web.svg.pieces_svg import PIECE_SIZE, piece_name, piece_svg

MOST_COLUMNS_IN_A_ROOM: Final = 12
_MOVE = re.compile(r"([a-z]\d)([a-z]\d)")


@dataclass(frozen=True, slots=True)
class PhysicalBoard:
    """The state of the simulated board: its pieces on squares, in the hand and next to the board.

    Attributes:
        pieces: maps each occupied square to its piece's FEN letter.
        hand: the FEN letters of the pieces in the hand, in the order in which they were lifted.
        beside: the FEN letters of the pieces next to the board.
        noisy: whether the board's switches bounce like those of a real board.
        undoes: the seat whose last move may be taken back; `None` if there is none.
        leaves: whether the piece in the hand may be laid beside the board.
    """

    pieces: Mapping[Square, str]
    hand: tuple[str, ...]
    beside: tuple[str, ...]
    noisy: bool = False
    undoes: int | None = None
    leaves: bool = True


@dataclass(frozen=True, slots=True)
class Scene:
    """The state of a table at one moment, for one page.

    Attributes:
        view: the view that all displays show.
        physical: the simulated board; `None` if the table has no simulated board, and on pages that do not show it (for
            spectators, the game master and reviews).
        display: a checksum of the picture on the table's display; empty except on the owner's page.
        flipped: whether the board is seen from Black's side.
        seat: the seat whose page it is, which acts for itself only; `None` for the other pages.
        may_leave: whether the match can be left on this page.
        watches: whether the page is for spectators, without controls.
        leads: whether it is the game master's page, which answers for any seat but controls nothing else of the table.
        corrections: the corrections that the game master may make.
        arbiter: whether the table is calling an arbiter; `None` if this page cannot call one, or the table has no club.
        joining: the link with which phones open the page. It is set only on a room display that was opened on the
            table's machine; other pages make the link from their own address.
        number: the number of the finished match that is shown; `None` if there is none.
        luck: the luck and skill in the finished match, in one line; empty until it is known, `None` if the game has no
            measure of luck.
        first: what may be played now; `None` except between matches on the owner's page and the room display, on the
            room display also after a match. It is `None` while the lobby asks for something else.
    """

    view: View
    physical: PhysicalBoard | None = None
    display: str = ""
    flipped: bool = False
    seat: int | None = None
    may_leave: bool = False
    watches: bool = False
    leads: bool = False
    corrections: tuple[Correctable, ...] = ()
    arbiter: bool | None = None
    joining: JoinLink | None = None
    number: int | None = None
    luck: str | None = None
    first: FirstScreen | None = None

    @property
    def may_act(self) -> bool:
        """Whether the page's user may answer now.

        The owner may always answer. The game master may answer while a match is played, and a seat's player on their
        turn. Spectators may never answer.
        """
        if self.leads and self.view.phase in {Phase.IDLE, Phase.OVER}:
            return False
        return not self.watches and (self.seat is None or has_turn(self.view, self.seat))

    @property
    def name(self) -> str:
        """The name of the player whose page this is; empty if the page belongs to no seat."""
        return "" if self.seat is None else self.view.seats[self.seat].called

    @property
    def must_set_up(self) -> bool:
        """Whether pieces must be put right; false if only the piece in the page's hand is missing."""
        wrong = self.view.wrong
        is_held = self.physical is not None and len(self.physical.hand) == len(wrong.missing) == 1
        return bool(wrong) and not (is_held and not wrong.extra)

    @property
    def own_seat(self) -> int | None:
        """The seat of the page's user: the page's own, or the only person's; `None` if that is nobody's."""
        is_one_persons = self.seat is None and not (self.watches or self.leads)
        return sole_person(self.view) if is_one_persons else self.seat

    def cards(self) -> dict[str, Meaning]:
        """Return what the page may tell its user on a card, if it was not told before; empty if others decide."""
        is_asked = self.may_act and self.own_seat in {None, self.view.seat}
        return cards_due(self.view) if is_asked else {}

    def board(self) -> str:
        """Return the board as SVG; empty if the game has none.

        It shows the pieces of the simulated board, or those of the match if there is no simulated board. A user who may
        act can click squares: to move pieces on a simulated board, or to pick a move at a table without a board.
        """
        view = self.view
        if view.shape is None:
            return ""
        pieces = view.pieces if self.physical is None else self.physical.pieces
        touchable = self.physical is not None and self.may_act
        picks = view.boardless and self.may_act and any(option.on_board for option in view.options)
        targets = self.targets() if touchable or picks else None
        look = BoardStyle(
            touchable=touchable,
            picks=picks,
            flipped=self.flipped,
            ghosts=view.pieces,
            holds=self.physical is not None and bool(self.physical.hand),
            targets=targets,
            things=view.things,
            advised=self._advised_squares(),
        )
        return board_svg(view.shape, pieces, view.marks, look)

    def _advised_squares(self) -> tuple[Square, ...]:
        """Return the squares from and to which the advice is to move; empty without such advice."""
        ends = _MOVE.match((self.view.hint and self.view.hint.id) or "")
        return tuple(map(parse_square, ends.groups())) if ends and self.may_act else ()

    @property
    def last_throw(self) -> LastThrow | None:
        """The past throw that is shown in place of the dice; `None` if there is none or while new dice tumble.

        Pages to play on show it pale until the next throw (`is_past`).
        """
        return self.view.past_throw if self.is_past else None if self.view.tumbling else self.view.last_throw

    @property
    def is_past(self) -> bool:
        """Whether the past throw is shown only until the next one falls, and not for its result.

        Another's throw is not shown for its result once the person is to throw whose page it is.
        """
        view, last = self.view, self.view.past_throw
        if last is None or self.watches or view.tumbling or any(die.face is not None for die in view.dice):
            return False
        is_anothers = self.own_seat == view.seat != last.seat or view.seats[last.seat].computer
        is_persons = view.seat is not None and not view.seats[view.seat].computer
        return view.last_throw is None or bool(is_persons and is_anothers)

    def outcome(self) -> str:
        """Return in words who made the past throw that is still shown, and its result; empty if no throw is shown."""
        last = self.last_throw
        if last is None:
            return ""
        name = self.view.seats[last.seat].called
        if last.words.startswith(name):
            return last.words
        whose = say("{name}'s throw", name) if self.is_past else name
        return say("{who} · {result}", whose, last.words) if last.words else whose

    def dice(self) -> list[dict[str, Any]]:
        """Return the template's values for each die: the dice of a past throw while it is shown, else the present dice.

        The values are the die's number, its picture as SVG, its labels, the name of its slot, why a touch of it does
        nothing, and flags. The flags say whether the die is an extra one, and whether it counted in the past throw. A
        further flag marks the dice that the roll button would throw while some other dice stay in place. While a player
        chooses which dice to keep, more flags say whether the die may be chosen, whether it is kept, and whether advice
        is to keep it. A die that stays has a mark only while other dice may still be thrown.
        """
        last = self.last_throw
        if last is not None:
            return [self._die(number, replace(die, held=False)) for number, die in enumerate(last.dice, 1)]
        is_open = any(die.throws_left for die in self.view.dice)
        choice = self._keep_choice()
        return [
            self._die(number, replace(die, held=die.held and is_open)) | choice.get(number, {"keep": False})
            for number, die in enumerate(self.view.dice, 1)
        ]

    def _die(self, number: int, die: Die) -> dict[str, Any]:
        last, tumbling = self.last_throw, self.last_throw is None and number - 1 in self.view.tumbling
        label = die_label(number, die, tumbling=tumbling)
        title = say("{die}, {throws} left", label, throws_in_words(die.throws_left)) if die.throws_left else label
        lit = last is not None and number - 1 in last.lit
        slots = self.view.slots if last is None else last.slots
        berth = next((slot.name for slot in slots if slot.fixed and slot.die == number), "")
        return {
            "number": number,
            "svg": die_svg(die, tumbling=tumbling),
            "label": say("{die}, counted", label) if lit else label,
            "title": title,
            "extra": die.extra,
            "what": "extra" if die.extra else die.kind,
            "name": noun("Legend") if die.kind == "roman" else "",
            "berth": berth,
            "lit": lit,
            "falls": last is None and number in self.view.roll.dice and self._some_stay(),
            "keep": False,
            "why": self._why_not(die, berth),
        }

    def _why_not(self, die: Die, berth: str) -> str:
        """Return why a touch of a die does nothing now."""
        if self.last_throw is not None:
            return say("That is {name}'s last throw", self.view.seats[self.last_throw.seat].called)
        if not self.may_act:
            return say("It is {name}'s turn", self.asked()) if self.asked() else say("It is nobody's turn")
        if die.face is None:
            return say("This die has not fallen yet: throw first")
        if berth:
            return say("The {berth} stays aside until the turn ends", berth)
        if die.throws_left:
            return say("All these dice are thrown together: none can be kept")
        return say("This die stays as it is now")

    def _some_stay(self) -> bool:
        """Return whether this page may throw now, and the throw would leave some thrown dice in place.

        The result is False if a sensible player would do something other than throw.
        """
        lie = [number for number, die in enumerate(self.view.dice, 1) if die.face is not None]
        return self.may_act and not self._throws_aside() and any(number not in self.view.roll.dice for number in lie)

    def _advised(self) -> str | None:
        """Return the id of the answer that is advised by name; `None` if there is none, or if it is a move."""
        hint = self.view.hint
        return next((each.id for each in self.view.options if hint and each.id == hint.id and not each.on_board), None)

    def _throws_aside(self) -> bool:
        """Return whether the throw is possible, but something else is advised, or a sensible player would do else."""
        advised = self._advised()
        return self.view.roll.aside if advised is None else advised != self.view.roll.option

    def advice(self) -> str:
        """Return what is advised, with the dice to keep in the order in which they lie."""
        hint, faces = self.view.hint, face_words(self.view.dice)
        if hint is None or not hint.dice or not hint.words.startswith("Keep"):
            return "" if hint is None else hint.words
        return say("Keep {dice}; throw the rest", listed([faces[die - 1] for die in hint.dice], ","))

    @property
    def chooses_dice(self) -> bool:
        """Whether a player is choosing now which dice to keep."""
        return isinstance(self.view.ask, KeepAsk)

    def _keep_choice(self) -> dict[int, dict[str, object]]:
        """Map the number of each die that may be kept to three flags for the template.

        They say whether the die can be chosen on this page, whether it is kept, and what the advice is: `stay`, `throw`
        or `False`. The map is empty while the pieces on the board are wrong.
        """
        ask = self.view.ask
        if self.view.wrong:
            return {}
        if isinstance(ask, KeepAsk):
            dice, held = ask.dice, {int(entry.id) for entry in self.view.menu.entries if entry.held}
        else:
            dice = self.view.roll.choice  # a tap on one starts the choice
            held = set(dice) - set(self.view.roll.dice)
        advised = self.view.hint.dice if self.view.hint else None
        return {
            die: {
                "keep": self.may_act,
                "kept": die in held,
                "advised": advised is not None and ("stay" if die in advised else "throw"),
            }
            for die in dice
        }

    def roll(self) -> dict[str, Any]:
        """Return what this page's roll button does now, with instructions, or the reason why it does nothing.

        Between matches, and in games without dice and clocks, the button is shown only while it does something.
        """
        others = say("{name} is to act", self.asked()) if self.asked() else say("It is nobody's turn")
        offer = replace(self.view.roll, aside=self._throws_aside()) if self.may_act else RollOffer(why=others)
        how: str = say("hold to tumble, let go to throw") if offer.dice else ""
        how = say("touch dice to choose · hold to tumble, let go to throw") if offer.choice and offer.dice else how
        is_timed = any(seat.seconds_left is not None for seat in self.view.seats)
        is_played = self.view.phase is not Phase.IDLE and (self.view.has_dice or is_timed)
        return asdict(offer) | {"is_shown": is_played or offer.possible, "how": how}

    @property
    def may_undo(self) -> bool:
        """Whether this page may take the last move back."""
        undoes = self.view.undoes if self.physical is None else self.physical.undoes
        return not self.watches and may_take_back(undoes, self.seat)

    @property
    def undo_words(self) -> str:
        """What *Undo* does, or the reason why it does nothing now."""
        if self.may_undo:
            return say("Take the last move back")
        if self.physical is not None and self.physical.hand:
            return say("Put the piece in the hand down first")
        return say("There is no move to take back: a move stays once dice are thrown or another player moves")

    def players(self) -> list[dict[str, Any]]:
        """Return the seats whose player may be changed on this page, with the present players.

        A player may be replaced by a computer or by a person. The result is empty on spectators' pages, between
        matches, and for a game without computer players.
        """
        view = self.view
        if self.watches or view.phase in (Phase.IDLE, Phase.OVER) or not computers(view.game):
            return []
        return [
            {"seat": number, "name": seat.called, "computer": seat.computer_words}
            for number, seat in enumerate(view.seats)
            if self.seat in (None, number)
        ]

    def correctables(self) -> dict[str, list[Correctable]]:
        """Return the corrections that the game master may make, grouped by the kind of value."""
        found: dict[str, list[Correctable]] = {}
        for each in self.corrections:
            found.setdefault(each.what, []).append(each)
        return found

    def calls(self) -> tuple[Option, ...]:
        """Return the calls: the options that this page may pick now, no matter whose turn it is.

        Calls that cannot succeed are left out. The result is empty on spectators' pages and between matches.
        """
        is_played = self.view.phase not in (Phase.IDLE, Phase.OVER)
        elsewhere = TURN_BOARD if isinstance(self.view.ask, PickAsk) else None
        calls = (call for call in self.view.calls if not call.in_vain and call != elsewhere)
        return tuple(calls) if is_played and not self.watches else ()

    def captured(self) -> list[CapturedPieces]:
        """Return the pieces next to the simulated board, grouped by side; empty without a simulated board."""
        return sides_of(self.physical.beside) if self.physical is not None else []

    def sheets(self) -> list[list[SheetRow]]:
        """Return the rows of the score sheet in sections.

        Each section but the last ends with its sum; the last section ends with the final sums.
        """
        rows = list(self.view.sheet)
        ends = [
            index + 1
            for index, row in enumerate(rows)
            if row.kind is RowKind.SUM and any(later.kind is not RowKind.SUM for later in rows[index:])
        ]
        parts = [rows[start:end] for start, end in itertools.pairwise((0, *ends, len(rows)))]
        return [part for part in parts if part]

    def sheet_seats(self) -> list[int]:
        """Return the seats whose score sheets are shown next to each other.

        All sheets are shown if each sheet has one column. On a page for spectators, all sheets are also shown if they
        have at most MOST_COLUMNS_IN_A_ROOM columns together. Otherwise a seat's page shows only the seat's sheet. Other
        pages show the sheet of the seat on turn, or all sheets if nobody is on turn.
        """
        everybody, columns = list(range(len(self.view.seats))), sheet_columns(self.view)
        shown = self.view.seat if self.seat is None else self.seat
        fits = columns == 1 or (self.watches and columns * len(everybody) <= MOST_COLUMNS_IN_A_ROOM)
        return everybody if shown is None or fits else [shown]

    def offers(self) -> dict[str, dict[str, Any]]:
        """Return the answers that this page can give now, keyed by id, as values for the score sheet's template.

        The values are the answer's label, whether it must be confirmed, and whether it is advised.
        """
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
        """Map each movable piece's square to the squares to which the piece may move now."""
        found: dict[Square, list[str]] = {}
        for option in self.view.options:
            ends = _MOVE.match(option.id) if option.on_board else None
            if ends is not None:
                found.setdefault(parse_square(ends[1]), []).append(ends[2])
        return found

    def slots(self) -> list[dict[str, Any]]:
        """Return each slot with its die, or with the face that it still needs.

        They are the slots of the past throw while it is shown for its result, else those of the turn in progress.
        """
        dice, last = self.dice(), self.last_throw
        return [
            {
                "name": slot.name,
                "face": slot.face,
                "filled": slot.die is not None,
                "fixed": slot.fixed,
                "svg": slot_svg(slot.face) if slot.die is None else dice[slot.die - 1]["svg"],
                "label": say("{berth}: waits for a {face}", slot.name, slot.face)
                if slot.die is None
                else say("{berth}: {face}", slot.name, slot.face),
            }
            for slot in (self.view.slots if last is None or self.is_past else last.slots)
        ]

    def asked(self) -> str:
        """Return the name of the player who must act; empty if nobody must."""
        view = self.view
        return view.seats[view.seat].called if view.seat is not None and view.seat < len(view.seats) else ""

    def ask(self) -> dict[str, Any]:
        """Return the values for the template of the current question: its kind and the possible answers.

        On a page whose user may not act, the kind is `wait` if a player must act, and otherwise `none`. An auction is
        shown on all pages.
        """
        if not self.may_act and not isinstance(self.view.ask, Auction):
            return {"kind": "wait" if self.asked() else "none", "prompt": ""}
        match self.view.ask:
            case PickAsk(prompt) as ask:
                return self._pick(prompt, self.view.options, self._advised() or proposed_option(ask))
            case KeepAsk(prompt):
                return {"kind": "keep", "prompt": prompt}
            case AmountAsk(prompt, lo, hi, default):
                return {"kind": "amount", "prompt": prompt, "lo": lo, "hi": hi, "default": default}
            case Auction() as auction:
                return auction_shown(self.view, auction, self.own_seat)
            case None:
                waits_for_dice = self.view.phase is Phase.PLAYING and self.view.seat is not None
                return {"kind": "roll" if waits_for_dice else "none", "prompt": ""}

    def _repairs(self, masks: Sequence[Option]) -> list[Option]:
        """Return the answers about the board itself, which only the table's own page gives."""
        turning = [call for call in self.view.calls if call == TURN_BOARD]
        return [] if self.seat is not None else [*turning, *(masks if self.must_set_up else ())]

    def _pick(self, prompt: str, options: tuple[Option, ...], default: str | None) -> dict[str, Any]:
        in_menu = {entry.id for entry in self.view.menu.entries}
        repairs = [option for option in options if option.id.startswith(MASK)]
        options = tuple(
            option for option in options if option not in repairs and option != PUT_RIGHT and not option.in_vain
        )
        is_listed = self.view.boardless  # the menu lists the moves too, but they get a list of their own
        buttons = [option for option in options if not option.on_board or (option.id in in_menu and not is_listed)]
        consent = bool(options) and options[0] == AGREE
        moves = [option for option in options if option not in buttons]
        hint = self.view.hint
        cursor = self.view.menu.entries[self.view.menu.cursor].id if self.view.menu.cursor is not None else None
        shown = [
            asdict(option)
            | {
                "default": option.id == default,
                "risky": option.confirm,
                "opens_menu": self._asks_further(option),
                "at_cursor": option.id == cursor,
                "advised": hint is not None and option.id == hint.id,
                "by_roll": option.id in (self.view.roll.option, PRESS_CLOCK.id),
            }
            for option in buttons
        ]
        return {
            "kind": "consent" if consent else "pick",
            "prompt": prompt,
            "repairs": self._repairs(repairs),
            "buttons": [button for button in shown if not (button["wasteful"] or button["ends"] or button["under"])],
            "folded": [button for button in shown if button["under"]],
            "wasteful": [button for button in shown if button["wasteful"]],
            "endings": [button for button in shown if button["ends"]],
            "moves": moves,
        }

    def _asks_further(self, option: Option) -> bool:
        """Return whether an answer opens another question; *throw again* opens one only if dice can be chosen."""
        return option.opens_menu and (option.id != THROW_AGAIN.id or bool(self.view.roll.choice))


def may_take_back(undoes: int | None, seat: int | None) -> bool:
    """Return whether a page may take the last move back now.

    Args:
        undoes: the seat whose last move may be taken back; `None` if there is none.
        seat: the seat whose page it is; `None` for the owner or the game master, who may take back any seat's move.
    """
    return undoes is not None and seat in (None, undoes)


def sole_person(view: View) -> int | None:
    """Return the seat of the only person in a match against computers; `None` if there is none or are several."""
    persons = [seat for seat, shown in enumerate(view.seats) if not shown.computer]
    return persons[0] if len(persons) == 1 < len(view.seats) else None


def has_turn(view: View, seat: int) -> bool:
    """Return whether a seat must decide or throw now."""
    return view.seat == seat and view.phase is not Phase.IDLE


def loose_piece(letter: str) -> dict[str, str]:
    """Return the template's values of a piece next to the board: its letter, its SVG, and its name."""
    art = f'<svg class="loose" viewBox="0 0 {PIECE_SIZE} {PIECE_SIZE}" aria-hidden="true">{piece_svg(letter)}</svg>'
    return {"letter": letter, "svg": art, "name": piece_name(letter)}
