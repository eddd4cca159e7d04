"""Configures pytest for all tests: games of plug-ins, amount of random play, order of the tests, one shared browser."""

import asyncio
import gc
import importlib
import inspect
import os
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from playwright.sync_api import Browser

from captains_table.process.plugins import install_plugins
from tests.machine_check import closed_to_others, lacking
from tests.support.browser import chromium
from tests.support.compiled_templates import share_compiled_templates
from tests.support.effort import LONG_RUN

# No deadline: speed is measured by `make bench`, never by a test. Every day the same few examples, so that a failure
# comes from what was changed; new ones are looked for by `make long`.
settings.register_profile("everyday", deadline=None, max_examples=40, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=1000)
settings.load_profile("long" if LONG_RUN else "everyday")
if not LONG_RUN:  # or they would depend on the constants of whatever modules the tests before have read
    pytest.MonkeyPatch().setattr(providers, "is_local_module_file", lambda _path: False)
PLUGINS = [Path(__file__).parent / "plugins" / "pig", Path(__file__).parents[1] / ".venv" / "plugins"]
os.environ["PYTHONPATH"] = os.pathsep.join(
    map(str, PLUGINS)
)  # for what is started; pyproject.toml says it of the tests
install_plugins()
share_compiled_templates()
gc.disable()  # what is collected from here on lives to the end; see `pytest_collection_finish`


def read_lgpio() -> None:
    """Import lgpio in a temporary folder: it creates a named pipe there, which would block whatever reads all files."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder, suppress(ImportError), pytest.MonkeyPatch.context() as patch:
        patch.setenv("LG_WD", folder)
        importlib.import_module("lgpio")
        os.chdir(here)


read_lgpio()

SLOW_FOLDERS = ("e2e", "link_faults", "firmware", "outward", "systemd")


def pytest_sessionstart(session: pytest.Session) -> None:
    """End before the first test, in a sentence, if the machine lacks something that dozens of tests need."""
    missing = lacking()
    if missing and not hasattr(session.config, "workerinput"):
        pytest.exit(f"The tests cannot run here: {'; '.join(missing)}.", returncode=pytest.ExitCode.USAGE_ERROR)


def pytest_report_header() -> str:
    """Name the folder that keeps the user `nobody`, as whom some tests run, from reading the program."""
    closed = "" if os.geteuid() else closed_to_others(Path(__file__))
    return f"Others may not enter {closed}: tests that step down from root may fail in this checkout." if closed else ""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests that `make long` runs and those that `make quick` leaves out; without root, deselect root's."""
    if os.geteuid() != 0:
        roots = [item for item in items if item.get_closest_marker("root") is not None]
        config.hook.pytest_deselected(items=roots)
        items[:] = [item for item in items if item not in roots]
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("long")
        if item.path.parent.name in SLOW_FOLDERS or needs_browser(item):
            item.add_marker("slow")
    items.sort(key=turn_of)


def turn_of(item: pytest.Item) -> int:
    """Return the sort key of a test: tests that wait come first, while other workers are busy; browser tests last.

    Browser tests stand together, so that as a rule each worker opens the browser once.
    """
    if item.get_closest_marker("waits") is not None:
        return 0
    return 2 if needs_browser(item) else 1


def pytest_collection_finish() -> None:
    """Exclude the collected tests from garbage collection: they live to the end."""
    gc.collect()
    gc.freeze()
    gc.enable()


def needs_browser(item: pytest.Item) -> bool:
    """Return whether a test drives a browser."""
    return item.get_closest_marker("browser") is not None


class OneBrowser:
    """The browser that tests share. While it is open, Playwright's event loop runs, and no other loop can."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._browser: Browser | None = None

    def opened(self) -> Browser:
        """Return the browser, started if necessary."""
        self._browser = self._browser or self._open.enter_context(chromium())
        return self._browser

    def close(self) -> None:
        """Close the browser if it is open."""
        self._browser = None
        self._open.close()


BROWSER = OneBrowser()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Close the browser before a test that does not use it: a worker may take over other workers' tests at the end."""
    if not needs_browser(item):
        BROWSER.close()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run async tests on an event loop; tests with a fixture `runner` run on that fixture's loop."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj) and "runner" not in pyfuncitem.fixturenames:
        return None

    async def run() -> None:
        given = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
        doing = pyfuncitem.obj(**given)
        if doing is not None:
            await doing

    runner = pyfuncitem.funcargs.get("runner")
    (runner.run if isinstance(runner, asyncio.Runner) else asyncio.run)(run())
    return True


def pytest_sessionfinish() -> None:
    BROWSER.close()


@pytest.fixture(scope="module")
def browser() -> Browser:
    """Return one browser for all tests that need one; each opens contexts of its own."""
    return BROWSER.opened()
