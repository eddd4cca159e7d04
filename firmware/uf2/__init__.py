"""Builds MicroPython, firmware, link and settings into one file for a Pico: `make uf2`. Runs on the host."""
