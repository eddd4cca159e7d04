"""An electrical simulation of a switch matrix, good or faulty: voltages, currents and readings at the chip's pins."""
