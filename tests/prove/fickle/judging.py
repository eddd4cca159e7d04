"""Judging a table while it is played at: by the stories that fit what settled, and by what the hands meant."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from captains_table.games.contract import Square
from captains_table.runtime.session import Session
from captains_table.table.model.match import Match
from captains_table.table.tapes.tape_writer import format_dice, format_start, settings_lines
from tests.prove.fickle.ledger import Ledger, Mark, canonical
from tests.prove.fickle.scene import Pieces
from tests.prove.figures import Figures
from tests.prove.offers import ends_of
from tests.prove.stories.history import Change, History
from tests.prove.stories.judge import NOTHING, Path, Verdict, verdict
from tests.prove.stories.roles import Roles, changed_between


@dataclass(frozen=True, slots=True)
class Base:
    """Where a decision begins that is not sealed yet: after so many steps, in this state, at this moment of the ledger.

    Attributes:
        earlier: the moments before at which the board stood like that as well; what was touched since is evidence.
        told: what counts as having happened first, because an answer said so; and what stood where after that.
        spares: the pieces that the move before took, where this one answers it.
    """

    length: int
    state: Any
    mark: Mark
    earlier: tuple[Mark, ...] = ()
    told: tuple[Change, ...] = ()
    told_pieces: Pieces | None = None
    spares: tuple[str, ...] = ()


class Judging:
    """Watches one table and counts.

    Attributes:
        findings: tapes of what went wrong.
        kind: the kind of hands at work.
        true_moves: the moves that were made indeed, from the match's first.
        is_deed_done: whether the hands are at rest.
        is_blind: whether a switch is broken, so that nobody can tell what fits.
    """

    def __init__(self, session: Session, ledger: Ledger) -> None:
        self.figures = Figures()
        self.findings: list[str] = []
        self.kind = "none"
        self.true_moves: list[str] = []
        self.is_deed_done = True
        self.is_blind = False
        self._session = session
        self._ledger = ledger
        self._kinds: dict[int, str] = {}
        self._chattered: set[Square] = set()
        self.board = session.referee.board_snapshot()
        self._base = Base(0, self._match.state, ledger.mark())
        self._bases: dict[int, Base] = {}
        ledger.learn(self._match.pieces(), self._match.pieces())

    @property
    def _match(self) -> Match:
        match = self._session.match
        assert match is not None
        return match

    def count(self, what: str, number: int = 1, kind: str | None = None) -> None:
        """Count something, for the kind of hands at work too, or for another one."""
        self.figures.tell({what: number}, [kind or self.kind])

    def begin_deed(self, kind: str, true_moves: Sequence[str], moves: int = 1) -> None:
        """Know what hands are about to do, which moves will have been made then, and for how many it counts."""
        self.kind, self.is_deed_done = kind, False
        self._kinds.setdefault(len(self.true_moves), kind)
        self.true_moves = list(true_moves)
        self.count("moves", moves)

    # --- where the decision stands ----------------------------------------------------------------------------------

    @property
    def asked(self) -> Path:
        return tuple(candidate.id for candidate in self.board.asked)

    def look(self, *, said: bool) -> None:
        """See what became of the table by what just happened, and whether somebody said which move was made."""
        was_asked = self.asked
        self.board = self._session.referee.board_snapshot()
        self._chattered |= self.board.chattering
        if self.asked and self.asked != was_asked:
            self._judge_question(self.asked)
        length = self._open_since()
        if length > self._base.length and not said:
            self._judge_sealing(length)
        if length != self._base.length or self._is_elsewhere(length):
            self._rebase(length)
        if said:
            self._believe_what_was_said()

    def _believe_what_was_said(self) -> None:
        """Know that nothing but what the table now believes fits what settled until now."""
        match, base = self._match, self._base
        mark = self._ledger.mark()
        told: list[Change] = []
        state = base.state
        at_ms = self._ledger.changes[-1].at_ms if self._ledger.changes else 0
        for step in match.history[base.length :]:
            if step.on_board:
                told += canonical(match.game.pieces(step.before), match.game.pieces(step.after), at_ms)
        self._base = replace(base, mark=mark, earlier=(), told=tuple(told), told_pieces=match.pieces(), state=state)

    def _open_since(self) -> int:
        match = self._match
        last = match.provisional
        if last is None:
            return len(match.history)
        return next(place for place, step in enumerate(match.history) if step is last)

    def _state_at(self, length: int) -> Any:  # noqa: ANN401 - each game has its own state
        history = self._match.history
        return history[length].before if length < len(history) else self._match.state

    def _is_elsewhere(self, length: int) -> bool:
        """Return whether another move than before leads to where the decision begins."""
        state = self._state_at(length)
        return state is not self._base.state and state != self._base.state

    def _rebase(self, length: int) -> None:
        """Know that something was sealed, or that what was sealed may be changed again."""
        self._bases[self._base.length] = self._base
        state, known = self._state_at(length), self._bases.get(length)
        if length < self._base.length and known is not None and known.state == state:
            self._base = known
            return
        pieces, before = self._match.game.pieces(state), self._match.game.pieces(self._base.state)
        self._ledger.learn(pieces, before)
        is_answered = self._match.provisional is not None and length > self._base.length
        stood = self._ledger.stood_like(pieces, self._base.mark, self._silent(), before)
        mark = stood.pop() if stood else self._ledger.mark()
        self._base = Base(length, state, mark)
        if is_answered:
            self._base = replace(self._base, earlier=tuple(stood), spares=self._taken_before(length))
        self._chattered.clear()

    def _taken_before(self, length: int) -> tuple[str, ...]:
        """Return the pieces that the move on the board took which comes before so many steps."""
        game = self._match.game
        for step in reversed(self._match.history[:length]):
            if step.on_board:
                before, after = game.pieces(step.before), game.pieces(step.after)
                return tuple(before[square] for square in sorted(Roles(before, after, {}).taken))
        return ()

    def _silent(self) -> frozenset[Square]:
        return frozenset(self.board.ignored | self._chattered)

    def verdicts(self, *, reads_pieces: bool = True) -> list[Verdict]:
        """Return which stories fit what settled, by what the board reads of its pieces too, or by switches alone.

        Where the board once stood again as before the move there are two: what was touched until then may count as
        evidence of a move that was taken back, or as nothing. A table is only wrong where it is by both.
        """
        base, match = self._base, self._match
        history = self._history(reads_pieces=reads_pieces)
        pieces, ends = match.game.pieces(base.state), ends_of(match.game, base.state)
        found = [verdict(pieces, history, ends, forgets=history.comes_home(), spares=base.spares)]
        if history.comes_home() or base.earlier:
            earlier = (
                verdict(pieces, self._history(mark, reads_pieces=reads_pieces), ends, spares=base.spares)
                for mark in (*base.earlier, base.mark)
            )
            found.append(next((each for each in earlier if each.costs), Verdict({}, {})))
        return found

    def _history(self, since: Mark | None = None, *, reads_pieces: bool = True) -> History:
        base, silent = self._base, self._silent()
        return self._ledger.history(since or base.mark, silent, base.told, base.told_pieces, reads_pieces=reads_pieces)

    def _path(self, from_: int, to: int | None = None) -> Path:
        return tuple(_id_of(step) for step in self._match.history[from_:to] if step.on_board)

    def stands(self) -> list[str]:
        """Return the moves on the board that stand, sealed or not, from the match's first."""
        return list(self._path(0))

    def believed(self) -> Path:
        """Return the moves that the table believes were made and that are not sealed."""
        return self._path(self._base.length)

    def agrees(self) -> bool:
        return self.believed() == self.true_path()

    def true_path(self) -> Path:
        """Return the moves that were made indeed since then."""
        sealed = sum(step.on_board for step in self._match.history[: self._base.length])
        return tuple(self.true_moves[sealed:])

    def true_positions(self) -> list[Pieces]:
        """Return the positions from the one where the decision began to the one that is true."""
        match, base = self._match, self._base
        positions: list[Pieces] = [match.game.pieces(base.state)]
        ends = ends_of(match.game, base.state)
        for id_ in self.true_path():
            end = next((end for end in ends if end.id == id_), None)
            if end is None:
                break
            positions.append(end.pieces)
            ends = tuple(end.following())
        return positions

    # --- judging ----------------------------------------------------------------------------------------------------

    def judge_rest(self) -> None:
        """Judge what the table believes now that it had its quiet."""
        if self.is_blind:
            return
        self.count("judged")
        believed, true = self.believed(), self.true_path()
        if self.asked or believed == true:
            return
        if self._session.view().wrong:  # no belief: the table says that the board is none of what it knows
            self.count("guided")
            return
        found = [each for each in self.verdicts() if each.costs]
        self.count("unlikely", bool(found) and not any(each.fits(true) for each in found))
        if found and not any(each.fits(believed) for each in found):
            self.count("misread")
            self._find("MISREAD", found)
        else:
            self.count("other story")

    def _judge_question(self, asked: Path) -> None:
        self.count("questions")
        if self.is_blind:
            return
        found = self.verdicts()
        is_single = all(len(each.fitting()) == 1 for each in found)
        is_untrue = self.is_deed_done and not self._offers_truth(asked)
        is_seen = self._sees_answer(asked, is_single=is_single)
        if not any(each.costs for each in found):
            self.count("untold")
            self._find(f"UNTOLD question {', '.join(asked)}", found)
        if is_single or is_untrue or is_seen:
            self.count("needless")
            self.count("untrue", is_untrue)
            self.count("seen", is_seen)
            self._find(f"{'SEEN' if is_seen else 'NEEDLESS'} question {', '.join(asked)}", found)

    def _sees_answer(self, asked: Path, *, is_single: bool) -> bool:
        """Return whether the board reads the answer.

        By what it reads one story fits where several would, or one of the positions asked about; or it reads all of
        one of them. What rests on a square whose switch says nothing is asked about all the same.
        """
        reads, silent = self._ledger.reads(), self._silent()
        ends = {**self._ends_after(), **{end.id: end.pieces for end in ends_of(self._match.game, self._base.state)}}
        positions = [ends[id_] for id_ in asked if id_ in ends]
        before = self._match.game.pieces(self._base.state)
        if any(changed_between(before, pieces) & silent for pieces in positions):
            return False
        if is_single and not all(len(each.fitting()) == 1 for each in self.verdicts(reads_pieces=False)):
            return True
        possible = [
            pieces
            for pieces in positions
            if all(pieces.get(square) in (None, *signs) for square, signs in reads.items() if square not in silent)
        ]
        is_whole = any(map(self._history().is_read, positions))
        return is_whole or len(positions) == len(asked) > 1 >= len(possible)

    def _ends_after(self) -> dict[str, Pieces]:
        """Return what would stand where if nothing had been played, or a next move after the one that is believed."""
        game, match = self._match.game, self._match
        after = {end.id: end.pieces for end in ends_of(game, match.state)}
        return {NOTHING: game.pieces(self._base.state), **after}

    def _offers_truth(self, asked: Path) -> bool:
        true, believed = self.true_path(), self.believed()
        if not true:
            return NOTHING in asked or not believed
        return not set(asked).isdisjoint(true) or (true == believed[:-1] and NOTHING in asked)

    def _judge_sealing(self, length: int) -> None:
        sealed = self._path(self._base.length, length)
        if self.is_blind or not self._history().goes_on() or not ends_of(self._match.game, self._base.state):
            return
        self.count("sealings")
        found = self.verdicts()
        following = self._path(length)  # a next move seals, and chooses between the stories where it may follow
        rivals = [
            [
                path
                for path in each.fitting()
                if path[: len(sealed)] != sealed and path[len(sealed) :][:1] == following[:1] and each.rivals(path)
            ]
            for each in found
        ]
        if all(rivals):
            last = sum(step.on_board for step in self._match.history[:length]) - 1
            kind = self._kinds.get(last, self.kind)
            self.count("sealed wrong", kind=kind)
            self._find(f"SEALED {_words(sealed)} while {_words(rivals[0][0])} fits", found, kind)

    def fits_double(self) -> bool:
        return not self.is_blind and all(len(each.fitting()) > 1 for each in self.verdicts())

    # --- findings ---------------------------------------------------------------------------------------------------

    def _find(self, what: str, found: Sequence[Verdict], kind: str | None = None) -> None:
        words = [
            f"{what} ({kind or self.kind})",
            f"believed {_words(self.believed())}, meant {_words(self.true_path())}",
        ]
        for each in found:
            stories = ", ".join(f"{_words(path)} {each.costs[path]:g}" for path in each.fitting())
            words.append(f"stories: {stories}")
        self.findings.append(self.tape(words))

    def tape(self, what: Sequence[str]) -> str:
        """Return a tape that leads to this moment from where the decision began."""
        match, state = self._match, self._base.state
        fen = match.game.details(state).get("fen")
        options = match.started.options if fen is None else {**match.started.options, "fen": str(fen)}
        start = [*settings_lines(self._session.settings), format_start(match.game.key, match.started.seats, options)]
        faces = [die.face for die in match.game.dice(state) if not die.extra]
        if faces and all(faces):
            start += [format_dice([face for face in faces if face]), "press roll"]
        return self._ledger.tape(self._base.mark, start, what) + self._expectation()

    def _expectation(self) -> str:
        positions = self.true_positions()
        before, pieces = positions[0], positions[-1]
        filled = [square for square in pieces if pieces[square] != before.get(square)] or sorted(before)[:1]
        return "".join(
            f"+{0 if i else 8000} expect pieces.{square} {pieces[square]}\n" for i, square in enumerate(filled)
        )


def _id_of(step: Any) -> str:  # noqa: ANN401 - a step of any game
    return str(step.acted.action.id)


def _words(path: Path) -> str:
    return "-".join(path) or "nothing"
