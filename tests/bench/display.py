"""Figures of the glass: how many bytes an action sends over its bus."""

from luma.core.interface.serial import noop

from captains_table.devices.display.driver.oled import Painter
from captains_table.devices.display.driver.panels import Ssd1306
from captains_table.devices.display.screens.draw_view import draw_view
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model.entries import MatchStarted
from tests.support.seeded_dice import SeededDice
from tests.support.self_play import SelfPlay

FULL_FRAME_BYTES = 1024
ACTIONS = 500


def bytes_an_action() -> list[int]:
    """Return how many bytes, commands included, each action of a match sends."""
    painter = Painter(Ssd1306(noop()))
    started = MatchStarted("legend", ("Anne", "Bart"), {"rounds": "9"})
    play = SelfPlay(MemoryJournal(started), SeededDice(3))
    painter.paint(draw_view(play.table.session.view()))
    sent: list[int] = []
    while not play.over and len(sent) < ACTIONS:
        revision = play.match.revision
        play.step()
        painted = painter.paint(draw_view(play.table.session.view()))
        if play.match.revision > revision:
            sent.append(painted)
    return sent
