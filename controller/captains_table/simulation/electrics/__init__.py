"""What the chip's pins see of a switch matrix, good or faulty: levels, currents, readings."""
