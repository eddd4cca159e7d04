"""What is asked at the table now, and the menu that serves it to the buttons."""

from dataclasses import replace

from captains_table.games.contract import Ask, PickAsk
from captains_table.table.model.match import Match, face_words
from captains_table.table.prompts.asks import ask_now, board_question, suspicion
from captains_table.table.prompts.menu import MenuState, menu_of
from captains_table.table.recognition.board_monitor import BoardMonitor


class PromptPresenter:
    """The ask of the moment and its menu, laid out anew whenever something else is asked.

    Args:
        monitor: what is known about the board.
        one_button: whether menus need a line that leaves them, because no button does.
    """

    def __init__(self, monitor: BoardMonitor, *, one_button: bool) -> None:
        self._monitor = monitor
        self._one_button = one_button
        self._served: object = None
        self.menu = MenuState()

    def ask(self, match: Match | None) -> Ask | None:
        """Return what must be decided: is a switch broken, what happened on the board, or what the game asks."""
        suspects = self._monitor.suspects()
        if suspects:
            return suspicion(suspects, ask_now(match))
        return board_question(self._monitor.asked, sure=self._monitor.asked_is_sure) or ask_now(match)

    def serve(self, match: Match | None) -> None:
        """Lay out the menu anew when something else is asked than before."""
        monitor, revision = self._monitor, match.revision if match else 0
        asked = (id(match), revision, monitor.asked, monitor.ignored(), monitor.suspects())
        if asked == self._served:
            return
        self._served = asked
        ask = self.ask(match)
        if monitor.suspects() and isinstance(ask, PickAsk):
            ask = replace(
                ask, options=ask.options[: 1 + len(monitor.suspects())]
            )  # the game's own wait till it is right
        self.menu = menu_of(ask, face_words(match), monitor.unreadable()) if ask is not None else MenuState()
        if self._one_button and (monitor.asked or (match is not None and match.in_sub_menu())):
            self.menu = self.menu.with_way_back()
