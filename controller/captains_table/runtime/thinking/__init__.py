"""Runs computer players in a low-priority process of their own, so that the table never waits for them."""
