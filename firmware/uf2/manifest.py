"""MicroPython's manifest of the modules frozen into the UF2 file: its own boot modules, and those that are staged.

MicroPython's build executes this file (its documentation: "Package management", manifest files).
"""

freeze("$(PORT_DIR)/modules", ("_boot.py", "rp2.py"))  # type: ignore[name-defined]
freeze("$(FIRMWARE_DIR)")  # type: ignore[name-defined]
