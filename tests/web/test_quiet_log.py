import logging
from collections.abc import Callable

import pytest

from captains_table.web.serving.server import LINES, QuietLog

Later = list[tuple[float, Callable[[], None]]]


@pytest.fixture
def later() -> Later:
    """Return what was asked to be called later."""
    return []


@pytest.fixture
def log(later: Later, caplog: pytest.LogCaptureFixture) -> logging.Logger:
    """Return a log that is kept quiet, and read by `caplog`."""
    caplog.set_level(logging.DEBUG)
    logger = logging.getLogger("tests.quiet")
    for old in list(logger.filters):
        logger.removeFilter(old)
    QuietLog(logger, lambda seconds, act: later.append((seconds, act)))
    return logger


def test_the_first_lines_of_a_kind_are_written_and_the_others_counted(
    log: logging.Logger, later: Later, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(LINES + 30):
        log.warning("%s was turned away", f"192.0.2.{number}")
    log.error("something else")
    assert len(caplog.messages) == LINES + 1
    for _, sum_up in later:
        sum_up()
    assert caplog.messages[LINES + 1 :] == [
        "30 more such lines within 60 s were left out; the last: 192.0.2.34 was turned away"
    ]
    assert caplog.records[-1].levelname == "WARNING"


def test_after_a_while_lines_are_written_again(
    log: logging.Logger, later: Later, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(2):
        log.warning("hello")
        later.pop()[1]()
    assert caplog.messages == ["hello", "hello"]
