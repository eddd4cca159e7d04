"""The lights under the squares: colours, rhythms and effects, and the drivers of the LED chips."""
