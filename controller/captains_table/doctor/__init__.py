"""Finds out what is wrong with a table, by automatic checks and by a guided test of pieces, lights and buttons."""
