"""Finds out what is wrong with a table: automatic checks, and a guided test with a piece, lights and buttons."""
