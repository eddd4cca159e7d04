"""Who a table may be on a broker."""

import pytest

from captains_table.reporting.messages import RESERVED_USERS, BadUser, checked_user, discovery_topic


@pytest.mark.parametrize("name", sorted(RESERVED_USERS))
def test_no_table_is_called_as_the_clubs_other_users_are(name: str) -> None:
    with pytest.raises(BadUser, match="another user of the club's broker"):
        checked_user(name)


@pytest.mark.parametrize("name", ["", "Table-1", "table 1", "table/1", "+", "#", "$sys", "-1", "t" * 33, "table\n"])
def test_a_name_that_a_broker_might_read_otherwise_is_refused(name: str) -> None:
    with pytest.raises(BadUser, match="small letters, digits and hyphens"):
        checked_user(name)


def test_home_assistant_finds_a_table_by_a_topic_with_its_users_name_as_a_level_of_its_own() -> None:
    assert discovery_topic(checked_user("table-3")) == "homeassistant/device/captains-table/table-3/config"
