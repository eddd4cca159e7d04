"""The table's questions, those of the game and those about the board; which is asked now, and the menu to answer it."""

from collections.abc import Sequence
from dataclasses import replace

from captains_table.games.common.dice import face_words
from captains_table.games.common.pieces import kind_name
from captains_table.games.contract import Ask, Auction, Decide, Option, Over, PickAsk, Square
from captains_table.phrases import capitalized, say
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.prompts.menu import MenuState, menu_of, menu_of_bidder
from captains_table.table.recognition.board_monitor import BoardMonitor
from captains_table.table.recognition.candidates import TAKE_BACK, Candidate

MASK = "mask-"
PUT_RIGHT = Option("put-right", say("I will put it right"))
STILL_MOVING = Option("still-moving", say("Still moving"))
TURN_BOARD = Option(
    "turn-board",
    say("The board lies the other way round"),
    then=say("The pieces are then read from its other side"),
    under=say("board"),
)


def ask_now(match: Match | None) -> Ask | Auction | None:
    """Return the question that the game asks; `None` if it asks nothing, or if a player not at the table decides."""
    turn = match.turn if match is not None and not match.absent_decides else None
    if isinstance(turn, Auction):
        return turn
    return turn.ask if isinstance(turn, Decide) else None


def suspect_question(suspects: Sequence[Square], ask: Ask | Auction | None) -> PickAsk:
    """Return the question whether the board is right or a switch is broken.

    The answers come first. If the game itself asks for a choice (`ask`), the options of that choice follow.
    """
    masks = tuple(Option(f"{MASK}{square}", say("Ignore the switch of {square}", str(square))) for square in suspects)
    others = ask.options if isinstance(ask, PickAsk) else ()
    return PickAsk(say("Is the board right?"), (PUT_RIGHT, *masks, *others), PUT_RIGHT.id)


def offered_rivals(rivals: Sequence[Candidate], ask: Ask | Auction | None) -> list[Candidate]:
    """Return the rivals that can be added to the game's ask: the rivals with an id that the ask does not use.

    Args:
        rivals: the candidates that explain the board as well as the last move does.
        ask: the game's ask; `None` if it asks nothing.
    """
    taken = {option.id for option in ask.options} if isinstance(ask, PickAsk) else set()
    return [rival for rival in rivals if rival.id not in taken]


def with_rivals(ask: Ask | Auction | None, rivals: Sequence[Candidate]) -> Ask | Auction | None:
    """Return the game's question to the players with more options: the rivals, and `STILL_MOVING`.

    The rivals are the moves that explain the board as well as the last move does. The ask is unchanged if no rival can
    be added (`offered_rivals`), or if the ask is not a `PickAsk`.
    """
    offered = offered_rivals(rivals, ask)
    if not offered or not isinstance(ask, PickAsk):
        return ask
    others = tuple(Option(rival.id, _rival_words(rival)) for rival in offered)
    return replace(ask, options=(*ask.options, *others, STILL_MOVING))


def _rival_words(rival: Candidate) -> str:
    return say("Nothing was played") if rival.id == TAKE_BACK else say("It was {move}", rival.label)


def board_question(asked: Sequence[Candidate], *, sure: bool) -> PickAsk | None:
    """Return the question which of several candidates was played; `None` if there are no candidates.

    Args:
        asked: the candidates.
        sure: whether the move is complete on the board, so that only the players' choice is missing (as in promotion).
    """
    if not asked:
        return None
    options = tuple(Option(candidate.id, candidate.label) for candidate in asked)
    if sure and len({candidate.footprint for candidate in asked}) == 1:
        if len({candidate.becomes for candidate in asked}) == 1:  # they look the same on the board and differ off it
            then = next((candidate.then for candidate in asked if candidate.then), "")
            return PickAsk(say("Which move is it?"), options, options[0].id, then)
        pieces = tuple(Option(candidate.id, _piece_words(candidate)) for candidate in asked)
        return PickAsk(say("Which piece does it become?"), pieces, pieces[0].id)
    further = () if sure else (STILL_MOVING,)
    then = say("Choose what was played, or put the pieces right")
    return PickAsk(say("What happened on the board?"), options + further, options[0].id, then)


def _piece_words(candidate: Candidate) -> str:
    """Return the name of the piece that a candidate promotes to, without its colour, or else the candidate's label."""
    if candidate.becomes is None:
        return candidate.label
    return capitalized(kind_name(candidate.becomes))


class PromptPresenter:
    """The current ask and its menu; the menu is built again whenever the ask changes.

    Args:
        monitor: the monitor of the board.
        settings: the table's settings; menus get a line *Back* if there is no button to go back.
    """

    def __init__(self, monitor: BoardMonitor, settings: Settings) -> None:
        self._monitor = monitor
        self._needs_way_back = settings.buttons == "one" or settings.back == "menu"
        self._guarded = settings.guarded
        self._served: object = None
        self._auction_since: int | None = None  # start of the auction whose menu is laid out
        self.menu = MenuState()

    def ask(self, match: Match | None) -> Ask | Auction | None:
        """Return the question that is asked now; `None` if nothing is asked.

        The question whether a switch is broken comes first, then the question which move was made on the board. If
        neither is open, the result is the game's ask. Its options then include other moves that explain the board
        equally well.
        """
        suspects = self._monitor.suspects()
        if suspects:
            return suspect_question(suspects, ask_now(match))
        question = board_question(self._monitor.asked, sure=self._monitor.asked_is_sure)
        if question is None and match is not None and isinstance(match.turn, Over):
            question = board_question(self._stories(), sure=False)  # the game has no ask they could be added to
        return question or with_rivals(ask_now(match), self._monitor.rivals())

    def choices(self, match: Match | None) -> Ask | Auction | None:
        """Return the ask for the table's buttons: the current ask, plus the options that any player may always pick.

        The options for any player are added only to a `PickAsk`, and not while a question about the board or a switch
        is open.
        """
        ask = self.ask(match)
        if match is None or not isinstance(ask, PickAsk) or self._monitor.suspects() or self._monitor.asked:
            return ask
        calls = (*match.calls, TURN_BOARD) if self._monitor.may_lie_turned() else match.calls
        return replace(ask, options=(*ask.options, *calls)) if calls else ask

    def _stories(self) -> Sequence[Candidate]:
        """Return the last move, followed by the other moves that would explain the board equally well.

        The result is empty if no other move explains the board equally well.
        """
        rivals, believed = self._monitor.rivals(), self._monitor.decision.believed()
        return (believed, *rivals) if rivals and believed is not None else ()

    def serve(self, match: Match | None) -> None:
        """Build the menu again if a change of the match or of the board may have changed what players are asked.

        During an auction, the cursor stays on its line.
        """
        monitor, suspects = self._monitor, self._monitor.suspects()
        state = (match.revision, match.absent_decides, match.timers.are_stopped) if match else ()
        board = (monitor.asked, monitor.rivals(), monitor.switches.ignored(), suspects, monitor.may_lie_turned())
        asked = (id(match), state, *board)
        if asked == self._served:
            return
        self._served = asked
        ask = self.choices(match)
        since = None if match is None else match.auction_since
        if suspects and isinstance(ask, PickAsk):  # the game's own options wait until the board is right
            ask = replace(ask, options=ask.options[: 1 + len(suspects)])
        before, self.menu = self.menu, self._menu_of(ask, match)
        if isinstance(ask, Auction):
            if since == self._auction_since:
                self._go_on_bidding(ask, before)
        elif self._needs_way_back and (monitor.asked or (match is not None and match.in_sub_menu())):
            self.menu = self.menu.with_way_back()
        self._auction_since = since

    def _menu_of(self, ask: Ask | Auction | None, match: Match | None) -> MenuState:
        if ask is None:
            return MenuState()
        names = () if match is None else match.called(match.state)
        faces = [] if match is None else face_words(match.game.dice(match.state))
        menu = menu_of(ask, faces, self._monitor.decision.unreadable(), names, guarded=self._guarded)
        stopped = match is not None and match.timers.are_stopped and isinstance(ask, PickAsk | Auction)
        return menu.with_time_to_start() if stopped and not self._monitor.asked else menu

    def _go_on_bidding(self, auction: Auction, before: MenuState) -> None:
        """Keep the cursor on its line in the new menu after a bid.

        If a player was asked to confirm the end of the bidding, the request is dropped, because the bids have changed.
        """
        bidder, chosen = None if before.bidder is None else auction.bidder(before.bidder.seat), before.chosen
        if bidder is not None:
            value = int(chosen.id) if chosen is not None and chosen.id.isdecimal() else 0
            self.open(menu_of_bidder(auction, bidder, self.menu.names, value))
        elif chosen is not None and before.bidder is None:
            self.menu = self.menu.at(chosen.id)

    def open(self, menu: MenuState) -> None:
        """Show a different menu for the question that is already displayed.

        If no button goes back, a menu of the amounts that a seat may bid gets a last line *Back*.
        """
        self.menu = menu.with_way_back() if self._needs_way_back and menu.bidder is not None else menu

    def leave_bidder(self, match: Match | None) -> bool:
        """Go back from a bidder's amounts to the list of bidders; return whether amounts were shown."""
        is_bidding = self.menu.bidder is not None
        if is_bidding:
            self.menu = self._menu_of(self.ask(match), match)
        return is_bidding
