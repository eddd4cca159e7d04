"""How long a test waits before it calls something stuck: longer than a busy machine can make it wait."""

PATIENCE_S = 90.0
PATIENCE_MS = PATIENCE_S * 1000
