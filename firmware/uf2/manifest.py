"""What is frozen into the one file: MicroPython's own modules that mount the files, and what `staging.py` lays out.

MicroPython's build runs this (its documentation: "Package management", manifest files), and not Python.
"""

freeze("$(PORT_DIR)/modules", ("_boot.py", "rp2.py"))  # type: ignore[name-defined]
freeze("$(FIRMWARE_DIR)")  # type: ignore[name-defined]
