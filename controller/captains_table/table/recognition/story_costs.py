"""What it costs that each candidate was done, by what the switches said since a search began."""

from collections.abc import Iterable, Sequence

from captains_table.games.contract import Square
from captains_table.table.recognition.candidates import Candidate
from captains_table.table.recognition.footprint import Footprint
from captains_table.table.recognition.stories import Completion, Stage, Storyteller, goals_of
from captains_table.table.recognition.story_beginning import NOTHING_MADE, Beginning, Said, as_told
from captains_table.table.recognition.story_state import Ending
from captains_table.table.recognition.switch_history import Change


class StoryCosts:
    """The costs by one history from one beginning.

    Args:
        begun: where the search begins.
        silent: the squares whose switch says nothing.
        changes: what settled since.
    """

    def __init__(self, begun: Beginning, silent: frozenset[Square], changes: Iterable[Change]) -> None:
        self._begun = begun
        self._silent = silent
        self._changes = list(changes)
        self._made: Footprint | None = None
        self._teller: Storyteller | None = None
        self._between: dict[str, Stage] = {}
        self._known: dict[int, tuple[Candidate | None, Ending | None]] = {}

    def follow(self, made: Footprint | None) -> None:
        """Know the last move that the search does not begin with, if there is one."""
        self._made = made
        self._known, self._between = {}, {}

    def note(self, change: Change) -> None:
        """Know of a further change of a switch."""
        self._changes.append(change)
        if self._teller is not None:
            self._teller.note(change)
        self._known = {}

    # --- when the last move was complete ----------------------------------------------------------------------------

    def tells(self, move: Footprint) -> bool:
        """Return whether a story ends with a move."""
        return self._teller_for(move).ending(move) is not None

    def completed_last(self) -> Completion | None:
        """Return when the last move was complete last, `None` if it never was."""
        move = self._made or NOTHING_MADE
        return self._teller_for(move).completed_last(move)

    def began_of_reply(self, reply: Footprint) -> Completion | None:
        """Return when the last move was complete before the next player's that was made, `None` if nothing tells."""
        if self._teller is None or self._made is None:
            return None
        return self._teller.began_of_reply(self._made, reply)

    def _teller_for(self, move: Footprint) -> Storyteller:
        return self._teller if self._teller is not None else self._teller_of([move])

    # --- what may be told -------------------------------------------------------------------------------------------

    def standing(self, options: Sequence[Candidate]) -> Ending | None:
        """Return how the story ends with what the match has, `None` if nothing explains that."""
        if 0 not in self._known:
            self._known[0] = None, self._told(options).ending(self._made or NOTHING_MADE)
        return self._known[0][1]

    def ending(self, candidate: Candidate, options: Sequence[Candidate]) -> Ending | None:
        """Return how the cheapest story ends in which a candidate was done, `None` if there is none to be believed.

        Args:
            candidate: what may have been done.
            options: all that may have been done instead: for an answer to a rival, the other answers to that.
        """
        key = id(candidate)
        if key not in self._known:  # the candidate is kept beside it, so that no other one can have its id
            self._known[key] = candidate, _believable(candidate, self._told_ending(candidate, options))
        return self._known[key][1]

    def _told_ending(self, candidate: Candidate, options: Sequence[Candidate]) -> Ending | None:
        teller = self._told(options)
        if self._made is None:
            return teller.ending(candidate.footprint)
        if self._is_denied(candidate):
            return None
        if candidate.instead is not None:
            return teller.ending(candidate.instead)
        first, reply = (candidate.first, candidate.reply) if candidate.first is not None else (None, None)
        move = first.instead if first is not None else self._made
        if move is None:
            return None
        return teller.ending_of_reply(move, reply or candidate.footprint, self._stage_after(first, options))

    def _is_denied(self, candidate: Candidate) -> bool:
        """Return whether a candidate needs another move than the one that somebody said was made, and cannot have it.

        It cannot until the one said is touched again, if all its switches speak; nor if it looks like that one, as it
        does where the switches that speak cannot tell them apart until then.
        """
        said, other = self._begun.said, candidate.first or candidate
        if said is None or other.instead is None or other.id == said.id:
            return False
        changed = other.instead.changed
        is_blind = not changed.isdisjoint(self._silent) and changed - self._silent <= said.made.changed
        stands = said.made.changed.isdisjoint(self._silent)
        return changed == said.made.changed or ((is_blind or stands) and not self._is_touched_since(said))

    def _is_touched_since(self, said: Said) -> bool:
        """Return whether a square of the move that somebody said was made was touched after that."""
        told = len(as_told(said.made, self._begun.before, 0))
        return any(change.square in said.made.changed for change in self._changes[told:])

    def _stage_after(self, first: Candidate | None, options: Sequence[Candidate]) -> Stage:
        """Return the position that the next player finds after the last move, or after another choice in its place."""
        key = first.id if first is not None else ""
        if key not in self._between:
            if first is not None:
                home, replies = first.occupied, [each.reply for each in options if each.reply is not None]
            else:
                move = self._made or NOTHING_MADE
                home = (self._begun.before - move.left) | move.filled
                replies = [each.footprint for each in options if not each.takes_back and not each.replies]
            self._between[key] = Stage(home, goals_of(replies), self._silent)
        return self._between[key]

    def _told(self, options: Sequence[Candidate]) -> Storyteller:
        if self._teller is None:
            moves = [
                option.footprint if self._made is None else option.instead
                for option in options
                if not option.replies and option.takes_back == (self._made is not None)
            ]
            self._teller = self._teller_of([move for move in [*moves, self._made] if move is not None])
        return self._teller

    def _teller_of(self, moves: Iterable[Footprint]) -> Storyteller:
        teller = Storyteller(Stage(self._begun.before, goals_of(moves), self._silent), self._begun.found)
        for change in self._changes:
            teller.note(change)
        return teller


def _believable(candidate: Candidate, ending: Ending | None) -> Ending | None:
    """Return an ending, unless it rests on a switch that changed though nobody did that."""
    move = candidate.instead or candidate.reply or candidate.footprint
    return None if ending is None or ending.rests_on_noise(move.changed) else ending
