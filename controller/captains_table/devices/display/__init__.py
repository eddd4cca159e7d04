"""The glass: a little screen that shows a view, real ones of several kinds and ones without hardware."""

from captains_table.devices.display.driver.fake_bus import FakeI2cPanel as FakeI2cPanel
from captains_table.devices.display.driver.fake_bus import FakeSh1106Bus as FakeSh1106Bus
from captains_table.devices.display.driver.fake_bus import FakeSsd1306Bus as FakeSsd1306Bus
from captains_table.devices.display.driver.fake_bus import FakeSsd1309Bus as FakeSsd1309Bus
from captains_table.devices.display.driver.fake_bus import NobodyAnswers as NobodyAnswers
from captains_table.devices.display.driver.fake_bus import UnknownCommand as UnknownCommand
from captains_table.devices.display.driver.fake_spi import FakeSsd1322Bus as FakeSsd1322Bus
from captains_table.devices.display.driver.oled import Oled as Oled
from captains_table.devices.display.driver.oled import Painter as Painter
from captains_table.devices.display.driver.panels import PANELS as PANELS
from captains_table.devices.display.driver.panels import Ssd1306 as Ssd1306
from captains_table.devices.display.packing import png as png
from captains_table.devices.display.screens.draw_view import draw as draw
