"""The command `captains-table`."""
