"""Eurus, the computer player of Swashbuckle, which maximises the chance to end with the highest total."""
