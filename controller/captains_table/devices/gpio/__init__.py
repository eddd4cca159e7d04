"""The Pi's own pins and buses: a board on the pins (switch matrix, buttons, encoder), and the SPI and I2C buses."""
