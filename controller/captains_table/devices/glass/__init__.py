"""The glass: a 128 x 64 OLED that shows a view, the real one and one without hardware."""

from captains_table.devices.glass.fake_bus import FakeSsd1306Bus as FakeSsd1306Bus
from captains_table.devices.glass.fake_bus import NobodyAnswers as NobodyAnswers
from captains_table.devices.glass.fake_bus import UnknownCommand as UnknownCommand
from captains_table.devices.glass.frames import draw as draw
from captains_table.devices.glass.oled import Oled as Oled
from captains_table.devices.glass.painter import PagePainter as PagePainter
from captains_table.devices.glass.panel import Panel as Panel
from captains_table.devices.glass.png import png as png
