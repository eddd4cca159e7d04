"""The lobby: how a match is started at the table, by the buttons it has. Its outcome is a request others carry out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from captains_table.games.contract import Action, AmountAsk, Ask, BadOption, IllegalAction, Pick, proposals
from captains_table.table.lobby.match_setup import ClubState, LobbyContext, Paired, Request, Start
from captains_table.table.lobby.opening_screens import GameChoice, Welcome, who_plays
from captains_table.table.lobby.option_screens import OptionList
from captains_table.table.lobby.question import Go, Question, Screen
from captains_table.table.lobby.table_screens import UNPLUG, Farewell, Said, ThisTable
from captains_table.table.lobby.text_entry import WordsOf, numbers_between
from captains_table.table.model.events import Answered, ButtonPressed, ButtonReleased, DieToggled, Event
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import MenuEntry, Phase, RollOffer, View
from captains_table.table.prompts.buttons import Buttons, Command, CommandKind
from captains_table.table.prompts.menu import BACK, MenuState, choose, menu_of
from captains_table.table.prompts.next_throw import walking

FOR_THE_LOBBY: Final = ButtonPressed | ButtonReleased | Answered | DieToggled


@dataclass(frozen=True, slots=True)
class Shown:
    """A screen of the lobby with its menu in hand, and what was refused there."""

    screen: Screen
    question: Question
    menu: MenuState
    words: str = ""


class Lobby:
    """The screens one came through, the last one being shown; closed while a match is played.

    Args:
        settings: the buttons the table has, and how long they are held.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._buttons = Buttons(settings)
        self._way: tuple[Shown, ...] = ()
        self._is_aside = False  # beside a match that is played, which closing leads back to
        self._steps = 0  # never goes back: an answer to an older screen is stale

    @property
    def is_open(self) -> bool:
        """Whether the lobby is what the table shows."""
        return bool(self._way)

    @property
    def is_in_the_way(self) -> bool:
        """Whether the lobby hides a match behind it that is played, else it lies beside it or after it."""
        return self.is_open and not self._is_aside

    def open(
        self,
        context: LobbyContext,
        *,
        left: int | None = None,
        last: Start | None = None,
        wanted: Start | None = None,
        is_first: bool = False,
    ) -> None:
        """Show what may be played.

        Args:
            context: what the table has to offer.
            left: number of the match that was left to come here.
            last: how the match began that was played last.
            wanted: a match of which all is agreed but who plays, which is asked at once.
            is_first: nothing was ever played here: which game is asked at once.
        """
        self._buttons.forget()
        self._way, self._is_aside = (), False
        self._go(Go(Welcome(context, left, last)))
        if is_first and wanted is None:
            self._go(Go(GameChoice(context)))
        if wanted is not None:
            game = context.games[wanted.game]
            self._go(Go(who_plays(context, game, {**proposals(game.options), **wanted.options})))

    def open_words(self, names: Sequence[str]) -> None:
        """Let the players of the match in hand spell own words for its dice; the match stays to be seen behind it."""
        self._buttons.forget()
        self._way, self._is_aside = (), True
        self._go(Go(WordsOf(tuple(names))))

    def open_table(self, no_power_off: str, *, in_match: bool, club: ClubState | None = None) -> None:
        """Show the table's own menu, over the lobby or beside a match that is played.

        Args:
            no_power_off: what to do instead where the table may not switch its machine off; empty where it may.
            in_match: whether a match is played.
            club: what is to be known of the club the table belongs to, if it does.
        """
        self._buttons.forget()
        if not self.is_open:
            self._is_aside = in_match
        if not self.is_open or not isinstance(self._way[-1].screen, ThisTable):
            self._go(Go(ThisTable(no_power_off, in_match=in_match, club=club)))

    def say(self, title: str, words: str, address: str = "") -> None:
        """Show a text to read, with the page's address where it is asked for, while a match may go on.

        It takes the place of what was said under the same title.
        """
        if not self.is_open:
            self._is_aside = True
        leave = int(self.is_open and isinstance(self._way[-1].screen, Said) and self._way[-1].question.title == title)
        self._go(Go(Said(title, words, address), leave))

    def say_farewell(self) -> None:
        """Show that the machine is being switched off."""
        self._way, self._is_aside = (), False
        self._go(Go(Farewell(), words=UNPLUG))

    def offer(self, paired: Sequence[Paired]) -> None:
        """Offer these matches of the club from now on, where what is to be played is asked; the cursor stays.

        Where which game is asked at once, as nothing was ever played here, that is asked first.
        """
        first = self._way[0] if self._way else None
        if first is None or not isinstance(first.screen, Welcome) or first.screen.context.paired == paired:
            return
        screen = replace(first.screen, context=replace(first.screen.context, paired=paired))
        question, chosen = screen.question(), first.menu.chosen
        menu = _menu_of(question)
        touched = first.menu.cursor and chosen is not None
        welcome = Shown(screen, question, menu.at(chosen.id) if touched and chosen else menu, first.words)
        goes_back = bool(paired) and [type(each.screen) for each in self._way[1:]] == [GameChoice]
        self._way = (welcome, *(() if goes_back else self._way[1:]))
        self._steps += 1

    def close(self) -> None:
        """Make room for a match."""
        self._way = ()
        self._steps += 1

    def forget_buttons(self) -> None:
        """Know of no button that is down: what was held meant something else."""
        self._buttons.forget()

    def takes(self, event: Event) -> bool:
        """Return whether an event is the lobby's: it is open, and somebody presses or answers something."""
        return self.is_open and isinstance(event, FOR_THE_LOBBY)

    def handle(self, event: Event, now_ms: int) -> Request | None:
        """Take in an event and return what is to be done, if that is certain by now.

        Raises:
            IllegalAction: an answer is not what is asked, and changed nothing.
        """
        match event:
            case ButtonPressed() if self._way[-1].question.address:  # "any button goes on"
                self._back()
                return None
            case ButtonPressed(button):
                return self._execute(self._buttons.pressed(button, now_ms, may_throw=False))
            case ButtonReleased(button):
                return self._execute(self._buttons.released(button, now_ms))
            case Answered(action):
                return self._answer(action)
            case DieToggled(die):
                raise IllegalAction(f"die {die} is not to be chosen now: no match is played")
            case _:
                return None

    def refuse(self, error: Exception) -> None:
        """Show why what was asked for cannot be done, at the option it is about if there is one."""
        if not self.is_open:  # it waited until it was clear what was done on the board
            self.say("That cannot be done", str(error))
            return
        here = self._way[-1]
        if isinstance(error, BadOption) and isinstance(here.screen, OptionList):
            self._go(here.screen.refused(error))
        else:
            self._go(Go(here.screen, leaving=1, words=str(error)))

    def view(self, behind: View) -> View:
        """Return what is to be seen.

        Args:
            behind: the table without the lobby; of a match that is over everything stays to be seen at first.
        """
        here = self._way[-1]
        shown = replace(
            behind,
            ask=here.question.ask,
            menu=here.menu.shown(),
            roll=self._roll_offer(here),
            revision=behind.revision + self._steps,
            joining=here.question.address,
        )
        if self._is_aside:
            return replace(shown, prompt=self._prompt(here, behind), hint=None)
        if behind.phase is Phase.OVER and len(self._way) == 1 and not here.words:
            return shown
        return View(
            phase=Phase.IDLE,
            title=here.question.title,
            prompt=self._prompt(here, behind),
            switches=behind.switches,
            ask=shown.ask,
            menu=shown.menu,
            roll=shown.roll,
            joining=shown.joining,
            faults=behind.faults,
            revision=shown.revision,
        )

    def _roll_offer(self, here: Shown) -> RollOffer:
        return walking(self._settings, here.menu) or RollOffer(why=self._why_no_throw())

    def _why_no_throw(self) -> str:
        if not self._is_aside:
            return "Choose what is played"
        return "Finish the words first" if isinstance(self._way[0].screen, WordsOf) else "Leave this menu first"

    def _prompt(self, here: Shown, behind: View) -> tuple[str, ...]:
        if here.words:
            return (here.words, here.question.ask.prompt)
        if len(self._way) == 1 and behind.faults and not self._is_aside:
            return behind.faults[:1]
        chosen = here.menu.chosen
        return (here.question.hints.get(chosen.id if chosen else "", here.question.ask.prompt),)

    # --- buttons and answers ----------------------------------------------------------------------------------------

    def _execute(self, command: Command | None) -> Request | None:
        here = self._way[-1]
        match command:
            case Command(CommandKind.NEXT):
                self._turn(here.menu.next())
            case Command(CommandKind.PREVIOUS):
                self._turn(here.menu.previous())
            case Command(CommandKind.CHOOSE):
                chosen = choose(here.question.ask, here.menu)
                if not isinstance(chosen, MenuState):
                    return self._answer(chosen)
                self._turn(chosen)
            case Command(CommandKind.BACK):
                self._back()
        return None

    def _turn(self, menu: MenuState) -> None:
        self._way = (*self._way[:-1], replace(self._way[-1], menu=menu))

    def _answer(self, action: Action) -> Request | None:
        if action == Pick(BACK) and (self._is_aside or len(self._way) > 1):
            self._back()
            return None
        outcome = self._way[-1].screen.answered(action)
        if not isinstance(outcome, Go):
            return outcome
        self._go(outcome)
        return None

    def _back(self) -> None:
        """Leave the screen for the one before; at the first one there is nowhere to go but to a match behind it."""
        if len(self._way) > 1:
            self._way = (*self._way[:-2], replace(self._way[-2], words=""))
            self._steps += 1
        elif self._is_aside:
            self.close()

    def _go(self, go: Go) -> None:
        question = go.screen.question()
        kept = self._way[: len(self._way) - go.leaving]
        self._way = (*kept, Shown(go.screen, question, _menu_of(question), go.words))
        self._steps += 1


def _menu_of(question: Question) -> MenuState:
    """Return the menu of a question, in its briefer words."""
    ask: Ask = question.ask
    if isinstance(ask, AmountAsk):
        numbers = numbers_between(ask.lo, ask.hi, ask.default)
        lines = tuple(MenuEntry(str(number), str(number)) for number in numbers)
        return MenuState(lines, numbers.index(ask.default))
    menu = menu_of(ask, ())
    entries = tuple(replace(entry, label=question.brief.get(entry.id, entry.label)) for entry in menu.entries)
    return replace(menu, entries=entries)
