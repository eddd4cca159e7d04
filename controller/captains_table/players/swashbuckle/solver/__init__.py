"""Computes the value tables of Swashbuckle (`make tables`) with numpy; it is not used at run time."""
