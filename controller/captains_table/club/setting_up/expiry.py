"""Certificates that will not be good for much longer, as sentences for whoever runs the club."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from captains_table.club.setting_up.certificates import BadCertificate, expires_at
from captains_table.club.setting_up.names import AUTHORITY, CERTIFICATE

SHOWN_DAYS: Final = 30


def certificates_of(authority: Path) -> tuple[Path, Path]:
    """Return the files that a club's line hangs on: the authority's certificate, and the broker's beside it."""
    return authority, authority.with_name(CERTIFICATE)


def expiring(certificates: Iterable[Path], now: datetime) -> Iterator[str]:
    """Yield a sentence for each certificate that expires within 30 days, has expired, or cannot be read.

    Args:
        certificates: their files; one that is not there is passed over.
        now: the time in UTC.
    """
    for path in certificates:
        try:
            until = expires_at(path.read_text(encoding="ascii"))
        except FileNotFoundError:
            continue  # the broker is another computer, or its certificate somebody else's to look after
        except (OSError, UnicodeDecodeError, BadCertificate) as error:
            yield f"The certificate {path} cannot be read ({error})."
            continue
        days = (until - now).days
        if until <= now:
            yield f"The certificate {path} expired on {until:%Y-%m-%d}: no table reaches the broker. {_remedy(path)}"
        elif days < SHOWN_DAYS:
            yield f"The certificate {path} expires on {until:%Y-%m-%d}, in {_days(days)}. {_remedy(path)}"


def _days(days: int) -> str:
    return {0: "less than a day", 1: "1 day"}.get(days, f"{days} days")


def _remedy(path: Path) -> str:
    remedy = "Take it away, run `captains-table club init` again as at first, and restart the broker."
    if path.name == AUTHORITY:
        return f"{remedy} Every table needs the new {AUTHORITY} too."
    return remedy
