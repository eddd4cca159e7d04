"""The lobby: a stack of screens, in which players answer with the table's buttons or on the page.

Players start or resume a match there. The lobby can also show the table's own menu, a message, or the spelling of texts
for the dice over a match in progress. The caller carries out the lobby's requests.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from captains_table.games.contract import Action, BadOption, IllegalAction, Pick, proposals
from captains_table.phrases import message_of, say
from captains_table.table.lobby.match_screens import CHANGE, salt_words_choice, welcome, who_plays
from captains_table.table.lobby.match_setup import ClubPairing, ClubState, Languages, LobbyContext, Request, Start
from captains_table.table.lobby.screen import SALT_WORDS, THIS_TABLE, WELCOME, Screen
from captains_table.table.lobby.table_screens import FAREWELL, text_screen, this_table
from captains_table.table.model.events import Answered, ButtonPressed, ButtonReleased, DieToggled, Event
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Phase, RollOffer, View
from captains_table.table.prompts.buttons import ButtonCommand, ButtonCommands
from captains_table.table.prompts.menu import BACK, MenuState, choose
from captains_table.table.prompts.next_throw import single_button_offer

LOBBY_EVENTS: Final = ButtonPressed | ButtonReleased | Answered | DieToggled


@dataclass(frozen=True, slots=True)
class OpenScreen:
    """A screen of the lobby and the state of its menu."""

    screen: Screen
    menu: MenuState


class Lobby:
    """A stack of screens; the last one is displayed, and the lobby is closed while the stack is empty.

    Args:
        settings: the table's buttons, and how long they must be held.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._buttons = ButtonCommands(settings)
        self._stack: tuple[OpenScreen, ...] = ()
        self._welcomed: tuple[LobbyContext, int | None, Start | None] | None = None
        self._is_aside = False  # whether the screens are over a match in progress, to which closing returns
        self._steps = 0  # only grows: an answer to an older screen is stale

    @property
    def is_open(self) -> bool:
        """Whether the table shows the lobby."""
        return bool(self._stack)

    @property
    def is_in_the_way(self) -> bool:
        """Whether the lobby is open and not merely shown over a match in progress."""
        return self.is_open and not self._is_aside

    def open(
        self,
        context: LobbyContext,
        *,
        left: int | None = None,
        last: Start | None = None,
        wanted: Start | None = None,
    ) -> None:
        """Show the first screen, where the players choose what to play.

        Args:
            context: what the table offers.
            left: the number of the match that the players left to open the lobby; `None` if they left none.
            last: the request that started the last match played; `None` if there is none.
            wanted: a match whose players are not chosen yet; the lobby then asks for them at once. `None` if there is
                none.
        """
        self._welcomed = (context, left, last)
        self._enter(welcome(context, left, last), is_aside=False)
        if wanted is not None:
            game = context.games[wanted.game]
            self._go(who_plays(context, game, {**proposals(game.options), **wanted.options}))

    def _enter(self, screen: Screen, *, is_aside: bool) -> None:
        """Close all other screens, show this one, and treat all buttons as released.

        `is_aside` states whether the screen is shown in front of a match in progress.
        """
        self._buttons.forget()
        self._stack, self._is_aside = (), is_aside
        self._go(screen)

    def open_words(self, names: Sequence[str]) -> None:
        """Let the players of the current match spell texts that are mixed into the dice; then return to the match."""
        self._enter(salt_words_choice(names), is_aside=True)

    def open_table(
        self,
        no_power_off: str,
        *,
        in_match: bool,
        club: ClubState | None = None,
        meanings: Mapping[str, str],
        languages: Languages | None = None,
    ) -> None:
        """Show the table's own menu over the lobby or a match in progress, unless that menu is displayed already.

        Args:
            no_power_off: what to do instead if the table may not switch its machine off; empty if it may.
            in_match: whether a match is played.
            club: the state of the table's club; `None` without a club.
            meanings: what the things mean that the match shows, keyed by their names.
            languages: returns the languages' own names by their codes; `None` if there is no choice.
        """
        self._buttons.forget()
        if not self.is_open:
            self._is_aside = in_match
        if not self._shows(THIS_TABLE):
            self._go(
                this_table(
                    self._settings,
                    no_power_off,
                    in_match=in_match,
                    club=club,
                    meanings=meanings,
                    languages=languages,
                )
            )

    def say(self, title: str, words: str, address: str = "") -> None:
        """Show a text, and an address if one is given; a match in progress stays underneath.

        The text replaces the displayed screen if both have the same title.
        """
        if not self.is_open:
            self._is_aside = True
        self._go(replace(text_screen(title, words, address), replaces=int(self._shows(title))))

    def _shows(self, title: str) -> bool:
        """Return whether the displayed screen has this title."""
        return self.is_open and self._stack[-1].screen.title == title

    def say_farewell(self) -> None:
        """Show that the machine is being switched off."""
        self._enter(FAREWELL, is_aside=False)

    def offer(self, paired: Sequence[ClubPairing]) -> None:
        """Update the first screen to show the club's pairings for this table.

        Do nothing if the first screen is not open; other screens may be open above it. If the cursor is on the first
        line, it is on the new first line afterwards. Otherwise the cursor stays on the same entry.
        """
        if not self.is_open or self._stack[0].screen.title != WELCOME or self._welcomed is None:
            return
        context, left, last = self._welcomed
        if context.paired == paired:
            return
        context = replace(context, paired=paired)
        self._welcomed = (context, left, last)
        first = self._stack[0]
        screen = replace(welcome(context, left, last), words=first.screen.words)
        menu, chosen = screen.menu(), first.menu.chosen
        if first.menu.cursor and chosen is not None:
            menu = menu.at(chosen.id)
        self._stack = (OpenScreen(screen, menu), *self._stack[1:])
        self._steps += 1

    def close(self) -> None:
        """Close the lobby, to make room for a match."""
        self._stack = ()
        self._steps += 1

    def forget_buttons(self) -> None:
        """Treat all buttons as released, because they were pressed for another purpose."""
        self._buttons.forget()

    def takes(self, event: Event) -> bool:
        """Return whether the lobby must handle an event.

        The lobby handles events about buttons, answers and dice while it is open.
        """
        return self.is_open and isinstance(event, LOBBY_EVENTS)

    def handle(self, event: Event, now_ms: int) -> Request | None:
        """Process an event and return the resulting request; `None` if there is no request yet.

        Raises:
            IllegalAction: the answer is not offered; nothing was changed.
        """
        match event:
            case ButtonPressed() if self._stack[-1].screen.address:  # "any button goes on"
                self._back()
                return None
            case ButtonPressed(button):
                return self._execute(self._buttons.pressed(button, now_ms, may_throw=False))
            case ButtonReleased(button):
                return self._execute(self._buttons.released(button, now_ms))
            case Answered(action):
                return self._answer(action)
            case DieToggled(die):
                raise IllegalAction(say("die {die} is not to be chosen now: no match is played", die))
            case _:
                return None

    def refuse(self, error: Exception) -> None:
        """Show why a request cannot be carried out.

        If the error names an option that the displayed screen lists, the screen of this option opens and shows the
        error. Otherwise the displayed screen shows the error. If the lobby is closed, a new screen shows the error.
        """
        words = message_of(error)
        if not self.is_open:  # the request had waited for a question about the board
            self.say(say("That cannot be done"), words)
            return
        here = self._stack[-1].screen
        line = here.line(f"{CHANGE}{error.option}") if isinstance(error, BadOption) else None
        at_option = None if line is None else line.chosen()
        self._go(replace(at_option, words=words) if isinstance(at_option, Screen) else here.with_error(words))

    def view(self, behind: View) -> View:
        """Return the view of the lobby.

        Args:
            behind: the view without the lobby. A match in progress stays visible behind the lobby. A finished match
                stays visible behind the lobby's first screen only.
        """
        here = self._stack[-1]
        if self._is_aside:
            reading = here.screen.title if here.screen.is_read else ""
            base = replace(behind, prompt=self._prompt(here, behind), hint=None, reading=reading)
        elif behind.phase is Phase.OVER and len(self._stack) == 1 and not here.screen.words:
            base = behind
        else:
            title, prompt = here.screen.title, self._prompt(here, behind)
            base = View(title=title, prompt=prompt, switches=behind.switches, faults=behind.faults)
        return replace(
            base,
            ask=here.screen.ask,
            menu=here.menu.shown(),
            roll=single_button_offer(self._settings, here.menu) or RollOffer(why=self._why_no_throw()),
            revision=behind.revision + self._steps,
            pace=behind.pace,
            joining=here.screen.address,
        )

    def _why_no_throw(self) -> str:
        if not self._is_aside:
            return say("Choose what is played")
        return (
            say("Finish the words first") if self._stack[0].screen.title == SALT_WORDS else say("Leave this menu first")
        )

    def _prompt(self, here: OpenScreen, behind: View) -> tuple[str, ...]:
        if here.screen.words:
            return (here.screen.words, here.screen.prompt)
        if len(self._stack) == 1 and behind.faults and not self._is_aside:
            return behind.faults[:1]
        line = None if here.menu.chosen is None else here.screen.line(here.menu.chosen.id)
        return (here.screen.prompt if line is None else line.hint or here.screen.prompt,)

    # --- buttons and answers ----------------------------------------------------------------------------------------

    def _execute(self, command: ButtonCommand | None) -> Request | None:
        here = self._stack[-1]
        match command:
            case ButtonCommand.NEXT:
                self._turn(here.menu.next())
            case ButtonCommand.PREVIOUS:
                self._turn(here.menu.previous())
            case ButtonCommand.CHOOSE:
                chosen = choose(here.screen.ask, here.menu)
                if not isinstance(chosen, MenuState):
                    return self._answer(chosen)
                self._turn(chosen)
            case ButtonCommand.BACK:
                self._back()
        return None

    def _turn(self, menu: MenuState) -> None:
        self._stack = (*self._stack[:-1], replace(self._stack[-1], menu=menu))

    def _answer(self, action: Action) -> Request | None:
        goes_back = action == Pick(BACK) and (self._is_aside or len(self._stack) > 1)
        try:
            outcome = None if goes_back else self._stack[-1].screen.answered(action)
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
        """Go back to the previous screen.

        On the first screen, close the lobby if it was opened during a match, else do nothing.
        """
        if len(self._stack) > 1:
            before = self._stack[-2]
            self._stack = (*self._stack[:-2], replace(before, screen=replace(before.screen, words="")))
            self._steps += 1
        elif self._is_aside:
            self.close()

    def _go(self, screen: Screen) -> None:
        self._stack = (*self._stack[: len(self._stack) - screen.replaces], OpenScreen(screen, screen.menu()))
        self._steps += 1
