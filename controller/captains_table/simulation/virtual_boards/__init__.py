"""Simulates boards that people can buy, byte for byte, as a program sees them at the end of a cable.

Written from descriptions of their protocols alone, and independent of the program's own drivers for such boards.
"""
