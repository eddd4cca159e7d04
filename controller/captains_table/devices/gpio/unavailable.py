"""What a bus or the pins are that cannot be used."""


class NotThere(OSError):  # noqa: N818 - named by its condition
    """A bus or the pins cannot be used; the message says what to do about it."""
