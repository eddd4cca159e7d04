"""A small siege; `tests/support/hungry_guests.py` can hold one of any size."""

from pathlib import Path

from tests.support.hungry_guests import DESCRIPTORS, besieged

LIMITS = ("connections = 30", "streams = 20", "request_s = 1", "idle_s = 5")
MET = {
    "half a request",
    "half a request answered 408",
    "half a request answered 503",
    "stream served",
    "stream turned away",
    "cut off",  # turned away so late that the words were lost on their way
}


def test_among_hungry_guests_somebody_plays_and_the_kiosk_shows_it(tmp_path: Path) -> None:
    report = besieged(tmp_path, streams=40, halves=20, answers=12, settle_s=1.2, limits=LIMITS)
    assert report.journalled == report.picks == 12
    assert report.breaks == 0
    assert report.open_files < DESCRIPTORS
    assert set(report.crowd) <= MET, report.crowd
    assert report.crowd["stream turned away"] > 0
    assert report.crowd["half a request answered 408"] > 0
    assert "Traceback" not in report.complaints
    assert len(report.complaints.splitlines()) <= 15


def test_a_program_gone_wild_at_the_table_keeps_nobody_from_playing(tmp_path: Path) -> None:
    """It is never turned away, for it might be the kiosk: its older connections give way to its newer ones."""
    report = besieged(tmp_path, streams=60, halves=30, answers=12, settle_s=1.2, at_home=True, limits=LIMITS)
    assert report.journalled == report.picks == 12
    assert report.crowd["stream turned away"] == 0
    assert "Traceback" not in report.complaints


def test_where_too_few_files_may_be_opened_the_table_says_how_many_it_serves(tmp_path: Path) -> None:
    report = besieged(tmp_path, streams=5, halves=5, answers=3, settle_s=0.5, limits=("connections = 400",))
    assert "[web] connections = 400: 168 are served at once. Expected a limit (ulimit -n) of 488." in report.complaints
    assert report.journalled == report.picks == 3
