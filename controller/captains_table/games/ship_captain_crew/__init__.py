"""Ship, Captain and Crew, a dice game: three throws for a ship, a captain and a crew, in this order, and for cargo."""

from captains_table.games.ship_captain_crew.game import ShipCaptainCrew as ShipCaptainCrew
