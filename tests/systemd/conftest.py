"""What the tests of installations share: a Python that fetches nothing, and a table that is laid down once."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.table_process import TableProcess
from tests.systemd.installing import BUILD, NASTY, ROOT, made, python_that_fetches_nothing


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
    made("install", folder / "system", python, profile=str(folder / BUILD))
    return folder / "system"


@pytest.fixture(scope="session")
def playing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Start a table that other devices reach; its state is in the folder, next to its configuration with its port."""
    folder = tmp_path_factory.mktemp("playing")
    words = ("play", "legend", "--state", folder / "state", "--port", "0", "--host", "0.0.0.0")  # noqa: S104
    table = TableProcess(*words, logs=folder / "logs")
    (folder / "config.toml").write_text(
        f'[table]\nstate_dir = "{folder}/state"\n[web]\nhost = "0.0.0.0"\nport = {table.port}\n', encoding="utf-8"
    )
    yield folder / "state"
    table.stop()
