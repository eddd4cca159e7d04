"""Eurus, the computer player of Swashbuckle, which maximises its chance to end with the highest total."""
