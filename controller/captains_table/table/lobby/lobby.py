"""The lobby: how a match is started at the table, by the buttons it has. Its outcome is a request others carry out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from captains_table.games.contract import Action, BadOption, IllegalAction, Pick, proposals
from captains_table.table.lobby.game_and_player_screens import game_choice, welcome, who_plays, words_of
from captains_table.table.lobby.match_setup import ClubState, LobbyContext, Paired, Request, Start
from captains_table.table.lobby.option_screens import CHANGE
from captains_table.table.lobby.screen import NEW_MATCH, THIS_TABLE, WELCOME, WORDS, Screen
from captains_table.table.lobby.table_screens import FAREWELL, said, this_table
from captains_table.table.model.events import Answered, ButtonPressed, ButtonReleased, DieToggled, Event
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Phase, RollOffer, View
from captains_table.table.prompts.buttons import Buttons, Command
from captains_table.table.prompts.menu import BACK, MenuState, choose
from captains_table.table.prompts.next_throw import walking

FOR_THE_LOBBY: Final = ButtonPressed | ButtonReleased | Answered | DieToggled


@dataclass(frozen=True, slots=True)
class Shown:
    """A screen of the lobby with its menu in hand."""

    screen: Screen
    menu: MenuState


class Lobby:
    """The screens one came through, the last one being shown; closed while a match is played.

    Args:
        settings: the buttons the table has, and how long they are held.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._buttons = Buttons(settings)
        self._way: tuple[Shown, ...] = ()
        self._welcomed: tuple[LobbyContext, int | None, Start | None] | None = None
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
        self._welcomed = (context, left, last)
        self._enter(welcome(context, left, last), is_aside=False)
        if is_first and wanted is None:
            self._go(game_choice(context))
        if wanted is not None:
            game = context.games[wanted.game]
            self._go(who_plays(context, game, {**proposals(game.options), **wanted.options}))

    def _enter(self, screen: Screen, *, is_aside: bool) -> None:
        """Show a first screen."""
        self._buttons.forget()
        self._way, self._is_aside = (), is_aside
        self._go(screen)

    def open_words(self, names: Sequence[str]) -> None:
        """Let the players of the match in hand spell own words for its dice; the match stays to be seen behind it."""
        self._enter(words_of(names), is_aside=True)

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
        if not self._shows(THIS_TABLE):
            self._go(this_table(no_power_off, in_match=in_match, club=club))

    def say(self, title: str, words: str, address: str = "") -> None:
        """Show a text to read, with the page's address where it is asked for, while a match may go on.

        It takes the place of what was said under the same title.
        """
        if not self.is_open:
            self._is_aside = True
        self._go(replace(said(title, words, address), replaces=int(self._shows(title))))

    def _shows(self, title: str) -> bool:
        """Return whether a screen of this title is what is shown."""
        return self.is_open and self._way[-1].screen.title == title

    def say_farewell(self) -> None:
        """Show that the machine is being switched off."""
        self._enter(FAREWELL, is_aside=False)

    def offer(self, paired: Sequence[Paired]) -> None:
        """Offer these matches of the club from now on, where what is to be played is asked; the cursor stays.

        Where which game is asked at once, as nothing was ever played here, that is asked first.
        """
        if not self.is_open or self._way[0].screen.title != WELCOME or self._welcomed is None:
            return
        context, left, last = self._welcomed
        if context.paired == paired:
            return
        context = replace(context, paired=paired)
        self._welcomed = (context, left, last)
        first, goes_back = self._way[0], bool(paired) and [each.screen.title for each in self._way[1:]] == [NEW_MATCH]
        screen = replace(welcome(context, left, last), words=first.screen.words)
        menu, chosen = screen.menu(), first.menu.chosen
        if first.menu.cursor and chosen is not None:
            menu = menu.at(chosen.id)
        self._way = (Shown(screen, menu), *(() if goes_back else self._way[1:]))
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
            case ButtonPressed() if self._way[-1].screen.address:  # "any button goes on"
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
        here = self._way[-1].screen
        line = here.line(f"{CHANGE}{error.option}") if isinstance(error, BadOption) else None
        at_option = None if line is None else line.chosen()
        self._go(replace(at_option, words=str(error)) if isinstance(at_option, Screen) else here.refusing(str(error)))

    def view(self, behind: View) -> View:
        """Return what is to be seen.

        Args:
            behind: the table without the lobby; of a match that is over everything stays to be seen at first.
        """
        here = self._way[-1]
        if self._is_aside:
            base = replace(behind, prompt=self._prompt(here, behind), hint=None)
        elif behind.phase is Phase.OVER and len(self._way) == 1 and not here.screen.words:
            base = behind
        else:
            title, prompt = here.screen.title, self._prompt(here, behind)
            base = View(title=title, prompt=prompt, switches=behind.switches, faults=behind.faults)
        return replace(
            base,
            ask=here.screen.ask,
            menu=here.menu.shown(),
            roll=walking(self._settings, here.menu) or RollOffer(why=self._why_no_throw()),
            revision=behind.revision + self._steps,
            joining=here.screen.address,
        )

    def _why_no_throw(self) -> str:
        if not self._is_aside:
            return "Choose what is played"
        return "Finish the words first" if self._way[0].screen.title == WORDS else "Leave this menu first"

    def _prompt(self, here: Shown, behind: View) -> tuple[str, ...]:
        if here.screen.words:
            return (here.screen.words, here.screen.prompt)
        if len(self._way) == 1 and behind.faults and not self._is_aside:
            return behind.faults[:1]
        line = None if here.menu.chosen is None else here.screen.line(here.menu.chosen.id)
        return (here.screen.prompt if line is None else line.hint or here.screen.prompt,)

    # --- buttons and answers ----------------------------------------------------------------------------------------

    def _execute(self, command: Command | None) -> Request | None:
        here = self._way[-1]
        match command:
            case Command.NEXT:
                self._turn(here.menu.next())
            case Command.PREVIOUS:
                self._turn(here.menu.previous())
            case Command.CHOOSE:
                chosen = choose(here.screen.ask, here.menu)
                if not isinstance(chosen, MenuState):
                    return self._answer(chosen)
                self._turn(chosen)
            case Command.BACK:
                self._back()
        return None

    def _turn(self, menu: MenuState) -> None:
        self._way = (*self._way[:-1], replace(self._way[-1], menu=menu))

    def _answer(self, action: Action) -> Request | None:
        goes_back = action == Pick(BACK) and (self._is_aside or len(self._way) > 1)
        try:
            outcome = None if goes_back else self._way[-1].screen.answered(action)
        except BadOption as error:
            self.refuse(error)
            return None
        match outcome:
            case None:
                self._back()
            case Screen():
                self._go(outcome)
            case _:
                return outcome
        return None

    def _back(self) -> None:
        """Leave the screen for the one before; at the first one there is nowhere to go but to a match behind it."""
        if len(self._way) > 1:
            before = self._way[-2]
            self._way = (*self._way[:-2], replace(before, screen=replace(before.screen, words="")))
            self._steps += 1
        elif self._is_aside:
            self.close()

    def _go(self, screen: Screen) -> None:
        self._way = (*self._way[: len(self._way) - screen.replaces], Shown(screen, screen.menu()))
        self._steps += 1
