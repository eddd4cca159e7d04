"""Makes the tables that `players` reads: the only room that needs numpy (extra `dev`), and no part of a running table."""
