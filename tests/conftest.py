"""What holds for all tests."""

from hypothesis import settings

settings.register_profile("house", deadline=None)  # speed is measured by `make bench`, never by a test
settings.load_profile("house")
