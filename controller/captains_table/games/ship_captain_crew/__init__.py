"""Ship, Captain and Crew: three throws for ship, captain and crew in order, and the cargo beside them."""

from captains_table.games.ship_captain_crew.game import ShipCaptainCrew

__all__ = ["ShipCaptainCrew"]
