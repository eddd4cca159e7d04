"""What tests of a club with a real broker share: the broker, and the settings of a server at it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.club_process import configured
from tests.support.mosquitto import Mosquitto


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path / "broker") as broker:
        yield broker


@pytest.fixture
def config(tmp_path: Path, mosquitto: Mosquitto) -> Path:
    return configured(tmp_path, mosquitto.port)
