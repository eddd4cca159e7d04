"""Computes the value tables of Swashbuckle (`make tables`) with numpy; not used at run time."""
