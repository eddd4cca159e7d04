"""Makes the tables that `players` reads; needs numpy (extra `dev`) and is no part of a table at work."""
