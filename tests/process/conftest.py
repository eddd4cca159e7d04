"""Fixtures of a started table, for tests of plug-ins at one."""

from tests.runtime.conftest import open_table as open_table, runner as runner, supervisor as supervisor, table as table
