"""Computers think in a process of their own, of low priority, so that the table never waits for them."""
