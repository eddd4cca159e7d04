"""Builds one UF2 file for a Pico from MicroPython, firmware, link and settings (`make uf2`). Runs on the host."""
