"""Makes Aether's weights (`make train`): games against itself, and least squares."""
