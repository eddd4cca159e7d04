"""Certificates that will not be good for much longer are said when the club's server starts."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from captains_table.club.setting_up.certificates import AUTHORITY_FOR, BROKER_FOR, certificates_of, expiring
from captains_table.club.setting_up.club_folder import ClubSetup, lay_out
from tests.support.club_process import ClubProcess

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.fixture
def authority(tmp_path: Path) -> Path:
    lay_out(ClubSetup(tmp_path, tables=1), NOW)
    return tmp_path / "broker" / "ca.crt"


def said(authority: Path, now: datetime) -> list[str]:
    return [
        sentence.removeprefix(f"The certificate {authority.parent}/")
        for sentence in expiring(certificates_of(authority), now)
    ]


def test_nothing_is_said_more_than_thirty_days_before(authority: Path) -> None:
    assert said(authority, NOW) == []
    assert said(authority, NOW + BROKER_FOR - timedelta(days=30, seconds=1)) == []


@pytest.mark.parametrize(("days", "words"), [(29.5, "in 29 days"), (1.5, "in 1 day"), (0.5, "in less than a day")])
def test_the_days_that_are_left_are_said_and_what_to_do(days: float, words: str, authority: Path) -> None:
    (sentence,) = said(authority, NOW + BROKER_FOR - timedelta(days=days))
    assert sentence == (
        f"server.crt expires on {NOW + BROKER_FOR:%Y-%m-%d}, {words}. Take it away, run `captains-table club init` "
        "again as at first, and restart the broker."
    )


def test_with_the_authority_all_tables_need_a_new_certificate(authority: Path) -> None:
    sentences = said(authority, NOW + AUTHORITY_FOR)
    assert [sentence.split(" ")[:2] for sentence in sentences] == [["ca.crt", "expired"], ["server.crt", "expired"]]
    assert sentences[0].endswith("Every table needs the new ca.crt too.")


def test_club_init_says_it_too(authority: Path) -> None:
    (sentence,) = lay_out(ClubSetup(authority.parents[1], tables=1), NOW + BROKER_FOR).words
    assert "no table reaches the broker" in sentence


def test_what_is_no_certificate_is_said_and_what_is_elsewhere_is_passed_over(authority: Path) -> None:
    authority.with_name("server.crt").unlink()
    assert said(authority, NOW) == []
    authority.write_text("nothing of the kind")
    (sentence,) = said(authority, NOW)
    assert "cannot be read" in sentence


@pytest.mark.slow
def test_the_server_says_it_when_it_starts(tmp_path: Path) -> None:
    ten_days_are_left = datetime.now(UTC) - BROKER_FOR + timedelta(days=10, hours=1)
    lay_out(ClubSetup(tmp_path, tables=1), ten_days_are_left)
    config = tmp_path / "config.toml"
    config.write_text(config.read_text().replace("port = 8378", "port = 0"))
    with ClubProcess(config, tmp_path / "logs") as club:
        assert f"{tmp_path}/broker/server.crt expires on" in club.words
        assert "in 10 days. Take it away" in club.words
