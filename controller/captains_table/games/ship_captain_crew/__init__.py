"""Ship, Captain and Crew, a dice game: three throws for ship, captain and crew in order, the other dice are cargo."""

from captains_table.games.ship_captain_crew.game import ShipCaptainCrew

__all__ = ["ShipCaptainCrew"]
