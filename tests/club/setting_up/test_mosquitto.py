"""The real Mosquitto, set up by `club init`: who may do what, and passwords that its own program knows."""

import itertools
import re
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from captains_table.club.setting_up.club_folder import ClubSetup, lay_out
from captains_table.club.setting_up.mosquitto import (
    PACKET,
    format_hashes,
    hashed,
    new_password,
    password_matches,
    read_hashes,
)
from captains_table.reporting.broker import read_authority
from captains_table.reporting.messages import LARGEST, FromClub, FromTable, Topic, discovery_topic
from tests.support.broker_guest import Guest, Refused
from tests.support.effort import effort
from tests.support.laid_out_club import LaidOutClub
from tests.support.patience import PATIENCE_S
from tests.support.table_process import soon
from tests.support.tools import program

NAMES = ("club", "display", "table-1", "table-2")
OWN, OF_ANOTHER = (
    [*(str(Topic(user, kind)) for kind in FromTable), discovery_topic(user)] for user in ("table-1", "table-2")
)
ORDERS = [str(Topic(user, kind)) for user in ("table-1", "table-2") for kind in FromClub]
ELSEWHERE = [
    *("captains-table", "captains-table/table-1", "captains-table/table-1/other", "captains-table/table-1/view/deeper"),
    *("captains-table/table-11/view", "captains-table//view", "captains-table/%u/view", "homeassistant/status"),
    *("homeassistant/sensor/captains-table/table-1/config", "homeassistant/device/table-1/config"),
    *("$SYS/broker/uptime", "$SYS/broker/connection/table-1/state", "anything"),
]
AS_A_TABLE = [str(Topic(user, kind)) for user in ("club", "display") for kind in FromTable]
NOT_FOR_TABLES = [*OF_ANOTHER, *ORDERS, *AS_A_TABLE, *ELSEWHERE]
PAIRINGS = str(Topic("table-1", FromClub.PAIRINGS))
ALL = [*OWN, *NOT_FOR_TABLES, discovery_topic("display"), discovery_topic("club")]


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LaidOutClub]:
    evening = LaidOutClub(tmp_path_factory.mktemp("evening"), tables=2)
    with evening.broker():
        yield evening


@pytest.fixture(scope="module")
def guests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Guest]]:
    """Everybody at a broker of their own: the same user coming in again would push them out."""
    evening = LaidOutClub(tmp_path_factory.mktemp("saying"), tables=2)
    with evening.broker(), ExitStack() as stack:
        yield {name: stack.enter_context(evening.guest(name)) for name in NAMES}


# --- saying


MAY_SAY = {"table-1": OWN, "display": [], "club": ORDERS}


@pytest.mark.parametrize("who", MAY_SAY)
def test_everybody_says_what_is_theirs_to_say_and_nothing_else(who: str, guests: dict[str, Guest]) -> None:
    """A table tells of itself alone, the club's server gives orders alone, who looks on says nothing at all."""
    said = [topic for topic in ALL if guests[who].say(topic) in {"Success", "No matching subscribers"}]
    assert said == [topic for topic in ALL if topic in MAY_SAY[who]]


WORDS = ["captains-table", "homeassistant", "device", "config", "club", "display", "table-1", "table-2", "$SYS", "%u"]
ANY_WORD = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="+#/"), max_size=8)
LEVEL = st.sampled_from([*WORDS, *FromTable, *FromClub]).map(str) | ANY_WORD
TOPIC = st.lists(LEVEL, min_size=1, max_size=6).map("/".join).filter(bool) | st.sampled_from(ALL)


@pytest.mark.slow
@settings(max_examples=effort(100, 1000), deadline=None)
@given(topic=TOPIC, who=st.sampled_from(sorted(MAY_SAY)))
def test_of_all_topics_everybody_says_their_own_and_no_other(topic: str, who: str, guests: dict[str, Guest]) -> None:
    elsewhere = re.fullmatch("captains-table/[^/]*/club/(acknowledged|pairings)", topic) if who == "club" else None
    is_denied = topic.startswith("captains-table/club/")
    may = topic in MAY_SAY[who] or (elsewhere is not None and not is_denied)
    assert guests[who].say(topic).startswith(("Success", "No matching")) == may


# --- hearing


def test_everybody_hears_what_is_for_them_and_nothing_else_whatever_they_ask_for(evening: LaidOutClub) -> None:
    may_hear = {
        "table-1": [str(Topic("table-1", kind)) for kind in FromClub],
        "table-2": [str(Topic("table-2", kind)) for kind in FromClub],
        "club": [*OWN[:-1], *OF_ANOTHER[:-1]],
        "display": [*OWN, *OF_ANOTHER],
    }
    with ExitStack() as stack:
        guests = {name: stack.enter_context(evening.guest(name)) for name in NAMES}
        for guest, pattern in itertools.product(guests.values(), ("#", "$SYS/#", "captains-table/#", *ALL)):
            guest.listen(pattern)
        said = {"table-1": OWN, "table-2": OF_ANOTHER, "club": ORDERS}
        for speaker, topics in said.items():
            for topic in topics:
                assert guests[speaker].say(topic).startswith("Success")
        for name, topics in may_hear.items():
            assert set(guests[name].hear_until(topics[-1])) == set(topics), name


def test_what_is_retained_is_as_little_for_everybody_as_what_is_said_now(evening: LaidOutClub) -> None:
    with evening.guest("table-2") as table, evening.guest("club") as club:
        table.say(str(Topic("table-2", FromTable.VIEW)), retain=True)
        for topic in (str(Topic("table-2", FromClub.PAIRINGS)), PAIRINGS):
            club.say(topic, retain=True)
    with evening.guest("table-1") as late:
        late.listen("#")
        assert late.hear_until(PAIRINGS) == [PAIRINGS]
    with evening.guest("table-2") as table, evening.guest("club") as club:
        for speaker, kind in ((table, FromTable.VIEW), (club, FromClub.PAIRINGS)):
            speaker.say(str(Topic("table-2", kind)), b"", retain=True)
        club.say(PAIRINGS, b"", retain=True)


def test_a_table_that_left_is_taken_out_of_home_assistant_with_its_own_password(evening: LaidOutClub) -> None:
    view = str(Topic("table-1", FromTable.VIEW))
    with evening.guest("table-1") as table, evening.guest("display") as home_assistant:
        table.say(discovery_topic("table-1"), retain=True)
        table.say(discovery_topic("table-1"), b"", retain=True)
        home_assistant.listen("#")
        table.say(view)
        assert home_assistant.hear_until(view) == [view]


def test_home_assistant_is_let_in_with_its_last_will_which_it_may_not_say(evening: LaidOutClub) -> None:
    with evening.guest("display", will=("homeassistant/status", b"offline")) as home_assistant:
        assert home_assistant.say("homeassistant/status", b"online") == "Not authorized"
        assert not home_assistant.is_gone.is_set()


def test_a_last_will_is_said_of_the_table_itself_alone(evening: LaidOutClub) -> None:
    with evening.guest("club") as club:
        club.listen("captains-table/+/status")
        evening.guest("table-1", will=("captains-table/table-2/status", b"{}")).vanish()
        evening.guest("table-1", will=("captains-table/table-1/status", b"{}")).vanish()
        assert club.hear_until("captains-table/table-1/status") == ["captains-table/table-1/status"]


def test_nobody_is_pushed_out_by_a_line_of_the_same_name(evening: LaidOutClub) -> None:
    with evening.guest("club", identifier="the-club") as club, evening.guest("table-1", identifier="the-club") as table:
        club.listen("captains-table/+/view")
        assert table.say("captains-table/table-1/view") == "Success"
        assert club.hear_until("captains-table/table-1/view")
        assert not club.is_gone.is_set()


# --- coming in


def test_nobody_comes_in_without_a_password_with_a_wrong_one_or_anothers(evening: LaidOutClub) -> None:
    right = evening.password("table-1")
    lacking = ((None, None), ("table-1", None), ("table-1", ""), ("", ""))
    wrong = (("table-1", f"{right}x"), ("table-1", right[:-1]), ("table-2", right), ("table-3", right))
    for user, password in (*lacking, *wrong):
        with pytest.raises(Refused, match="Not authorized"):
            Guest(evening.port, evening.ca, user, password)


def test_a_line_in_the_clear_is_not_answered(evening: LaidOutClub) -> None:
    with socket.create_connection(("127.0.0.1", evening.port), timeout=PATIENCE_S) as line:
        line.sendall(bytes.fromhex("10 0e 00 04 4d 51 54 54 04 02 00 3c 00 02 61 62"))  # CONNECT of MQTT 3.1.1
        try:
            answer = line.recv(64)
        except ConnectionResetError:
            answer = b""
    assert not answer.startswith(b"\x20"), "that would be a CONNACK"


@pytest.mark.parametrize(
    ("trusted", "host", "wrong"),
    [
        ("the club's own", "other.local", "Hostname mismatch"),
        ("another club", "127.0.0.1", "self-signed certificate|unable to get local issuer"),
    ],
)
def test_a_table_trusts_its_own_clubs_broker_alone(
    trusted: str, host: str, wrong: str, evening: LaidOutClub, tmp_path: Path
) -> None:
    lay_out(ClubSetup(tmp_path / "another club", tables=1), datetime.now(UTC))
    folder = evening.folder if trusted == "the club's own" else tmp_path / trusted
    trusts = read_authority(folder / "tables" / "table-1" / "ca.crt")
    with (
        socket.create_connection(("127.0.0.1", evening.port), timeout=PATIENCE_S) as line,
        pytest.raises(ssl.SSLCertVerificationError, match=wrong),
    ):
        trusts.wrap_socket(line, server_hostname=host)


def test_an_old_tls_is_not_spoken(evening: LaidOutClub) -> None:
    old = ssl.create_default_context(cafile=evening.ca)
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
    old.set_ciphers("ALL:@SECLEVEL=0")
    with (
        socket.create_connection(("127.0.0.1", evening.port), timeout=PATIENCE_S) as line,
        pytest.raises((ssl.SSLError, ConnectionResetError)),
    ):
        old.wrap_socket(line, server_hostname="127.0.0.1")


# --- measure


def test_the_largest_payload_passes_and_who_sends_a_larger_one_is_put_out(evening: LaidOutClub) -> None:
    with evening.guest("club") as club, evening.guest("table-1") as table:
        club.listen("captains-table/+/result")
        assert table.say("captains-table/table-1/result", b" " * LARGEST) == "Success"
        assert club.hear_until("captains-table/table-1/result")
        table._client.publish("captains-table/table-1/result", b" " * PACKET, qos=1)
        assert table.is_gone.wait(PATIENCE_S)


def test_users_that_are_added_come_in_after_a_reload_and_those_before_stay(tmp_path: Path) -> None:
    evening = LaidOutClub(tmp_path, tables=1)
    with evening.broker() as broker, evening.guest("club") as club:
        lay_out(ClubSetup(evening.folder, tables=2, port=evening.port), datetime.now(UTC))
        with pytest.raises(Refused):
            evening.guest("table-2")
        broker.reload()
        with soon(lambda: let_in(evening, "table-2")) as table:
            club.listen("captains-table/+/view")
            assert table.say("captains-table/table-2/view") == "Success"
            assert club.hear_until("captains-table/table-2/view")


def let_in(evening: LaidOutClub, user: str) -> Guest | None:
    """Return a guest if the broker has read its passwords again."""
    with suppress(Refused):
        return evening.guest(user)
    return None


def test_what_mosquittos_own_program_wrote_is_known_by_its_password(tmp_path: Path) -> None:
    file, password = tmp_path / "passwords", new_password()
    subprocess.run([program("mosquitto_passwd"), "-c", "-b", file, "anne", password], check=True, timeout=PATIENCE_S)
    kept = read_hashes(file.read_text())["anne"]
    assert password_matches(password, kept)
    assert not password_matches(f"{password}x", kept)
    assert hashed(password).split("$")[:3] == kept.split("$")[:3], "the same scheme, as often"


def test_a_password_is_another_each_time() -> None:
    assert len({new_password() for _ in range(100)}) == 100


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@settings(max_examples=20)
@given(TEXT, TEXT, st.binary(min_size=1, max_size=20))
def test_a_hash_fits_its_own_password_alone(password: str, other: str, salt: bytes) -> None:
    kept = hashed(password, salt)
    assert password_matches(password, kept)
    assert password_matches(other, kept) == (other == password)


@settings(max_examples=20)
@given(st.dictionaries(st.from_regex(r"[a-z0-9-]{1,32}", fullmatch=True), st.binary(min_size=1, max_size=9)))
def test_what_is_written_is_what_is_read(passwords: dict[str, bytes]) -> None:
    hashes = {user: hashed(salt.hex(), salt) for user, salt in passwords.items()}
    assert read_hashes(format_hashes(hashes)) == hashes
