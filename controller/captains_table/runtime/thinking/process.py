"""What starts the process that thinks."""

import sys
from typing import Final

COMMAND: Final = (sys.executable, "-m", "captains_table.runtime.thinking.worker")
