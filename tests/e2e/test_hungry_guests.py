"""A small siege; `tests/support/hungry_guests.py` can hold one of any size."""

from pathlib import Path

from tests.support.hungry_guests import DESCRIPTORS, besieged

LIMITS = ("streams = 20", "request_s = 1", "idle_s = 5")
MET = {
    *("half a request", "half a request answered 408", "half a request answered 503"),
    *("stream served", "stream turned away"),
    "cut off",  # turned away so late that the words were lost on their way
}


def test_among_hungry_guests_somebody_plays_and_the_kiosk_shows_it(tmp_path: Path) -> None:
    """The table says how many it serves, as too few files may be opened for its limit."""
    limits = ("connections = 400", *LIMITS)
    report = besieged(tmp_path, streams=40, halves=20, answers=6, settle_s=1.2, limits=limits)
    assert report.journalled == report.picks == 6
    assert report.breaks == 0
    assert report.open_files < DESCRIPTORS
    assert set(report.crowd) <= MET, report.crowd
    assert report.crowd["stream turned away"] > 0
    assert report.crowd["half a request answered 408"] > 0
    assert "[web] connections = 400: 168 are served at once. Expected a limit (ulimit -n) of 488." in report.complaints
    assert "Traceback" not in report.complaints
    assert len(report.complaints.splitlines()) <= 16


def test_a_program_gone_wild_at_the_table_keeps_nobody_from_playing(tmp_path: Path) -> None:
    """It is never turned away, for it might be the kiosk: its older connections give way to its newer ones."""
    limits = ("connections = 30", *LIMITS)
    report = besieged(tmp_path, streams=60, halves=30, answers=6, settle_s=1.2, at_home=True, limits=limits)
    assert report.journalled == report.picks == 6
    assert report.crowd["stream turned away"] == 0
    assert "Traceback" not in report.complaints
