"""Captain's Table: the controller of a smart tabletop."""

__version__ = "0.1.0"
