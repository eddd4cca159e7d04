"""Trains Aether's weights (`make train`) by self-play and least squares."""
