"""What holds for all tests: the games are known, those of plug-ins too, and no example is too slow."""

from hypothesis import settings

from captains_table.runtime.plugins import install_plugins

settings.register_profile("house", deadline=None)  # speed is measured by `make bench`, never by a test
settings.load_profile("house")
install_plugins()
