"""What the tests of installations share: a Python that fetches nothing, and a table that is laid down once."""

import shutil
from pathlib import Path

import pytest

from tests.systemd.installing import BUILD, NASTY, ROOT, make, python_that_fetches_nothing


@pytest.fixture(scope="session")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python that fetches nothing, in a folder with all characters in its name that make or a shell reads."""
    folder = tmp_path_factory.mktemp("python") / NASTY
    folder.mkdir()
    return python_that_fetches_nothing(folder)


@pytest.fixture(scope="session")
def laid(tmp_path_factory: pytest.TempPathFactory, python: Path) -> Path:
    """A table that is laid down without its packages, for a build of any name; tests only look at it."""
    folder = tmp_path_factory.mktemp("laid") / NASTY
    folder.mkdir()
    shutil.copy(ROOT / "hardware/profiles/gpio-9x8.toml", folder / BUILD)
    laying = make("install", folder / "system", python, profile=str(folder / BUILD))
    assert laying.returncode == 0, laying.stderr
    return folder / "system"
