"""Parses tournament reports of any program: FIDE's TRF06, TRF16 and TRF26, line by line.

A report has fixed columns. Programs differ in small things: the encoding, columns counted in characters or in bytes,
signs in small letters, forfeits without colours, byes without zeros for the opponent. All these variants are accepted.

The module also checks that the two lines of a match agree, and prepares a report's results for computing tie-breaks.
"""

import codecs
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from captains_table.club.events.entries import DRAW, LOSS, WIN, Edition, System, TieBreak
from captains_table.club.events.player_rounds import How, PlayerRound, PlayerRounds, total_halves
from captains_table.club.events.tie_breaks import TIE_BREAK_FORMS, Comparison

SYSTEMS: Final = {
    System.SWISS: re.compile(r"swiss|schweizer|suisse|suizo|dutch|dubov|burstein", re.IGNORECASE),
    System.ROUND_ROBIN: re.compile(
        r"robin|berger|all[ -]?play[ -]?all|rundenturnier|toutes rondes|todos contra todos|\brr\b", re.IGNORECASE
    ),
}
"""The names of the systems in the records 192 and 092."""

NUMBER: Final = slice(3, 8)
NAME: Final = slice(14, 47)
RATING: Final = slice(48, 52)
FIDE_ID: Final = slice(57, 68)
POINTS: Final = slice(80, 84)
BETWEEN: Final = (47, 52, 56, 68, 79, 84, 89, 90)
ROUNDS_FROM: Final = 91
ROUND_WIDTH: Final = 10
BETWEEN_IN_ROUND: Final = (4, 6, 8, 9)
"""The columns between the fields of a player's line and of a round, which must be empty."""

COLOUR_FROM: Final = 4
SIGN_FROM: Final = 7
SHORTEST: Final = NAME.start
MOST_ROUNDS: Final = 99

PLAYED: Final = {"1": "1", "W": "1", "=": "=", "D": "=", "½": "=", "0": "0", "L": "0", "+": "+", "-": "-", "": ""}
"""The signs of a match, each with its present-day form; empty: it has no result yet."""

FREE: Final = {**dict.fromkeys("UFHZ", ""), "+": "F", "1": "F", "W": "F", "=": "H", "½": "H", "D": "H"}
"""The signs of a round without an opponent, each with the form U, F, H or Z; older files have scores instead."""

HALF_POINTS_OF_SIGN: Final = {
    "1": WIN,
    "=": DRAW,
    "0": LOSS,
    "+": WIN,
    "-": LOSS,
    "": LOSS,
    "U": WIN,
    "F": WIN,
    "H": DRAW,
    "Z": LOSS,
}
OTHER_SIGN: Final = {"1": "0", "=": "=", "0": "1", "+": "-", "-": "+"}
FORFEITS: Final = frozenset({"+", "-"})
POINT: Final = re.compile(r"([A-Z])\s*(\d{1,2}(?:[.,]\d{1,2})?)")
CODE_OF_POINTS: Final = {"BBW": "W", "BBD": "D", "BBL": "L", "BBU": "P"}
USUAL_POINTS: Final = {"W": WIN, "D": DRAW, "L": LOSS}
EDITION: Final = "### Tie-breaks: FIDE C.07, edition of "
ANNULLED: Final = "### Left, and all matches count for nobody (FIDE C.05, 6.6): "
DAY: Final = re.compile(r"\d\d/\d\d/\d\d")
BY_CODE: Final = {
    form.code: tie_break for tie_break, form in TIE_BREAK_FORMS.items() if tie_break is not TieBreak.SCORE
}


class BadReport(ValueError):
    """A tournament report cannot be read or written, or its event cannot be continued; the message says why."""


@dataclass(frozen=True, slots=True)
class ReportedRound:
    """A player's round in a report.

    Attributes:
        opponent: the opponent's number; `None` if there was no match.
        begins: whether the player had the first move; `None` if the report does not say.
        sign: the result in the present-day notation: `1`, `=`, `0`, `+`, `-` or empty for a match; `U`, `F`, `H` or `Z`
            if there was no match.
    """

    opponent: int | None
    begins: bool | None
    sign: str


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player's line in a report: its line number, the stated name, rating, FIDE ID and points, and the rounds."""

    line: int
    name: str
    rating: str
    fide_id: str
    points: str
    results: dict[int, ReportedRound]


@dataclass(slots=True)
class TournamentReport:
    """The content of a report.

    Attributes:
        title: the event's name; empty if not stated.
        system: the pairing system; `None` if not stated.
        players: the players' lines by their numbers.
        planned: how many rounds are planned; 0 if not stated.
        number_one_begins: whether the player with pairing number 1 has the first move in the first round; `None` if not
            stated.
        tie_breaks: the codes of the tie-breaks in their order; empty if not stated.
        edition: the edition of FIDE's tie-break rules; `None` if not stated.
        halves_of_bye: the number of half points for a pairing-allotted bye.
        place, federation: where the event is played; empty if not stated.
        days: the dates of rounds, as YYYY/MM/DD, by the round's number.
        announces_byes: whether byes of rounds to come are stated by records of TRF26.
        annulled: the players who left a round robin and whose matches count for nobody.
        odd_points: the number of the first line that gives points which do not follow from results; 0 if there is none.
    """

    title: str = ""
    system: System | None = None
    players: dict[int, PlayerLine] = field(default_factory=dict)
    planned: int = 0
    number_one_begins: bool | None = None
    tie_breaks: tuple[str, ...] = ()
    edition: Edition | None = None
    halves_of_bye: int = WIN
    place: str = ""
    federation: str = ""
    days: dict[int, str] = field(default_factory=dict)
    announces_byes: bool = False
    annulled: frozenset[int] = frozenset()
    odd_points: int = 0

    @property
    def paired(self) -> int:
        """The number of the last round in which a player has an opponent or an allotted bye; 0 if there is none."""
        rounds = (
            number
            for player in self.players.values()
            for number, result in player.results.items()
            if result.opponent is not None or result.sign == "U"
        )
        return max(rounds, default=0)

    @property
    def rounds(self) -> int:
        """The number of planned rounds or the number of paired rounds, whichever is greater."""
        return max(self.planned, self.paired)

    def comparison(self, edition: Edition, system: System) -> Comparison:
        """Return the players' rounds, and the rules by which tie-breaks are computed from these rounds."""
        return Comparison(self._records(), self.rounds, edition, is_round_robin=system is System.ROUND_ROBIN)

    def remarks(self, history: PlayerRounds) -> Iterator[str]:
        """Yield a sentence for each player whose stated points differ from the sum of the results in `history`."""
        for number, player in self.players.items():
            halves = total_halves(history[number])
            if re.fullmatch(r"\d+[.,][05]?", player.points) and 2 * float(player.points.replace(",", ".")) != halves:
                said = f"{player.name} has {player.points} points there"
                yield f"line {player.line}: {said}, but {halves / WIN:g} by the results"

    def _records(self) -> PlayerRounds:
        """Return each player's paired rounds."""
        numbers = range(1, self.paired + 1)
        return {player: tuple(self._turnout(player, number) for number in numbers) for player in self.players}

    def _turnout(self, player: int, number: int) -> PlayerRound:
        result = self.players[player].results.get(number) or ReportedRound(None, None, "Z")
        if self.annulled & {player, result.opponent}:
            return PlayerRound(number, How.BYE)
        halves = self.halves_of_bye if result.sign == "U" else HALF_POINTS_OF_SIGN[result.sign]
        if result.opponent is None:
            how = {"H": How.SAT_OUT, "Z": How.AWAY}.get(result.sign, How.BYE)
            return PlayerRound(number, how, halves=halves)
        other = self.players[result.opponent].results.get(number)
        signs = {result.sign, other.sign if other and other.opponent == player else result.sign}
        how = How.PENDING if not result.sign else How.FORFEIT if signs & FORFEITS else How.PLAYED
        return PlayerRound(number, how, (result.opponent,), result.begins, halves, best=halves == WIN)


def decoded(content: bytes) -> str:
    """Return the text of a file: UTF-16 if it has a byte order mark, else UTF-8, else Windows-1252."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def read_tie_breaks(codes: Iterable[str]) -> tuple[TieBreak, ...]:
    """Return the tie-breaks with these codes (such as BH/C1), each once; raises BadReport for an unknown code."""
    found = []
    for code in codes:
        tie_break = BY_CODE.get(code.strip().upper().replace("-", "/"))
        if tie_break is None:
            raise BadReport(
                f"{code.strip()!r} is no tie-break that is counted here: expected some of {', '.join(BY_CODE)}"
            )
        found.append(tie_break)
    return tuple(dict.fromkeys(found))


def read_report(text: str) -> TournamentReport:
    """Parse a tournament report in FIDE's text format (TRF).

    Raises:
        BadReport: the text is no report, or contains an error. The message names the line of the error.
    """
    report, byes = TournamentReport(), []
    named: dict[str, str] = {}
    lines = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))
    in_bytes = _counts_bytes(line for line in lines if line.startswith("001"))
    for number, line in enumerate(lines, 1):
        code, said = line[:3], line[3:].strip()
        if code == "001":
            _add_player(report, number, line.replace("\t", " "), in_bytes=in_bytes)
        elif code == "240":
            byes.append((number, line))
        elif code in {"162", "299", *CODE_OF_POINTS}:
            _read_points(report, number, line)
        elif code == "###":
            _read_comment(report, line)
        elif said:
            named.setdefault(code, line[3:])
    if not report.players:
        raise BadReport("this is no TRF: it has no players, expected lines that begin with 001")
    _read_heading(report, named)
    paired = report.paired
    for number, line in byes:
        _add_byes(report, number, line, paired)
    report.annulled = report.annulled.intersection(report.players)
    _check_matches(report)
    return report


def _read_comment(report: TournamentReport, line: str) -> None:
    """Read a comment of this program: the edition of the tie-breaks, or the players whose matches are annulled."""
    if line.startswith(EDITION) and line.removeprefix(EDITION).strip() in list(Edition):
        report.edition = Edition(line.removeprefix(EDITION).strip())
    elif line.startswith(ANNULLED):
        report.annulled = frozenset(int(word) for word in line.removeprefix(ANNULLED).split() if is_number(word))


def _read_heading(report: TournamentReport, named: Mapping[str, str]) -> None:
    if "keizer" in named.get("092", "").lower():
        raise BadReport("this is a report of a Keizer event: its ranking does not follow from what a report has")
    report.title, report.place, report.federation = (
        " ".join(named.get(code, "").split()) for code in ("012", "022", "032")
    )
    said = (named.get(code, "").replace("_", " ") for code in ("192", "092"))
    report.system = next((system for words in said for system, form in SYSTEMS.items() if form.search(words)), None)
    for code in ("142", "XXR"):
        words = named.get(code, "").split() or ["0"]
        report.planned = report.planned or (int(words[0]) if is_number(words[0]) else 0)
    dates = named.get("132", "")[ROUNDS_FROM - 3 :]
    report.planned = report.planned or len(dates.split())
    columns = (dates[start : start + ROUND_WIDTH].strip() for start in range(0, len(dates), ROUND_WIDTH))
    report.days = {number: f"20{day}" for number, day in enumerate(columns, 1) if DAY.fullmatch(day)}
    colour = (named.get("152", "").strip() or named.get("XXC", "").strip()).lower()
    report.number_one_begins = {"w": True, "white1": True, "b": False, "black1": False}.get(colour)
    codes = (named.get("202", "") or named.get("212", "")).strip()
    report.tie_breaks = tuple(code for code in re.split(r"[\s,;]+", codes) if code and code.upper() != "PTS")


def _add_player(report: TournamentReport, number: int, line: str, *, in_bytes: bool) -> None:
    if len(line.rstrip()) <= SHORTEST:
        raise BadReport(
            f"line {number}: the line of a player is too short: expected a number and a name in its columns"
        )
    read, name = line, line[NAME]
    if in_bytes:
        read = _in_bytes(line)
        name = read[NAME].encode("latin-1").decode("utf-8", "replace")
    player = read[NUMBER].strip()
    if not is_number(player) or not int(player):
        raise BadReport(
            f"line {number}: {read[NUMBER].strip()!r} is no number of a player: expected it in columns 5 to 8"
        )
    if int(player) in report.players:
        first = report.players[int(player)].line
        raise BadReport(
            f"line {number}: there are two players {player}, the other in line {first}: expected each number once"
        )
    results = {}
    for round_, start in enumerate(range(ROUNDS_FROM, len(read), ROUND_WIDTH), 1):
        try:
            result = _result(read[start : start + ROUND_WIDTH])
        except BadReport as error:
            raise BadReport(f"line {number}, round {round_}: {error}") from error
        if result is not None:
            results[round_] = result
    if max(results, default=0) > MOST_ROUNDS:
        raise BadReport(f"line {number}: {max(results)} rounds: expected at most {MOST_ROUNDS}")
    rating, fide_id, points = (read[columns].strip() for columns in (RATING, FIDE_ID, POINTS))
    report.players[int(player)] = PlayerLine(number, name.strip(), rating, fide_id.lstrip("0"), points, results)


def _counts_bytes(lines: Iterable[str]) -> bool:
    """Return whether the columns of players' lines seem to be counted in bytes of UTF-8, as some programs do."""
    differing = [line for line in lines if not line.isascii()]
    return sum(map(_misplaced, map(_in_bytes, differing))) < sum(map(_misplaced, differing))


def _in_bytes(line: str) -> str:
    """Return a line with one character for each byte of its UTF-8 form."""
    return line.encode(errors="replace").decode("latin-1")


def _misplaced(line: str) -> int:
    """Return how many columns of a player's line contain text although they should be empty."""
    starts = range(ROUNDS_FROM, len(line), ROUND_WIDTH)
    between = [*BETWEEN, *(start + column for start in starts for column in BETWEEN_IN_ROUND)]
    return sum(not line[column].isspace() for column in between if column < len(line))


def _result(block: str) -> ReportedRound | None:
    """Parse the columns of a player's round.

    Return `None` if they name neither an opponent nor a result. Raises BadReport if they cannot be parsed.
    """
    words = [(found.start(), found.group()) for found in re.finditer(r"\S+", block)]
    parts = ["", "", ""]  # the opponent, the colour, the sign
    for place, (start, word) in enumerate(words):
        column = 0 if start < COLOUR_FROM else 1 if start < SIGN_FROM else 2
        parts[place if len(words) == len(parts) else column] += word
    opponent, colour, sign = parts
    if not sign and colour.lower() not in {"w", "b", "-", ""}:
        colour, sign = "", colour
    sign = sign.upper()
    if len(words) > len(parts) or colour.lower() not in {"w", "b", "-", ""} or not is_number(opponent or "0"):
        sign = "?"
    met, begins = int(opponent or "0") if sign != "?" else 0, {"w": True, "b": False}.get(colour.lower())
    if met and sign in PLAYED:
        return ReportedRound(met, begins, PLAYED[sign])
    if sign in FREE:
        return ReportedRound(None, None, FREE[sign] or sign)
    if not met and sign in {*PLAYED}:
        return ReportedRound(None, None, "Z") if sign else None
    raise BadReport(
        f"{block.strip()!r} is no result: expected the opponent's number, w or b, and one of 1 = 0 + - W D L; "
        "or 0000, - and one of U F H Z"
    )


def is_number(text: str) -> bool:
    """Return whether a text is a whole number of up to five digits."""
    return text.isascii() and text.isdecimal() and len(text) <= COLOUR_FROM + 1


def _read_points(report: TournamentReport, number: int, line: str) -> None:
    """Read the line that states the points for each kind of result; store the half points of an allotted bye.

    Of points that do not follow from results (the record 299), only note that there are some.

    Raises:
        BadReport: a win, draw or loss gives other points than 1, ½ and 0.
    """
    if line.startswith("299"):
        report.odd_points = report.odd_points or number
        return
    code = CODE_OF_POINTS.get(line[:3])
    found = POINT.findall(f"{code}{line[3:].strip()}" if code else line[3:].upper())
    for sign, worth in found:
        halves = round(2 * float(worth.replace(",", ".")))
        if sign in USUAL_POINTS and halves != USUAL_POINTS[sign]:
            raise BadReport(f"line {number}: {sign} counts {worth}: expected 1 for a win, 0.5 for a draw, 0 for a loss")
        if sign == "P":
            report.halves_of_bye = halves


def _add_byes(report: TournamentReport, number: int, line: str, paired: int) -> None:
    """Add the byes of a TRF26 record such as `240 H   5    1    3`: half-point byes in round 5 for players 1 and 3.

    For a round that is paired, a result in the player's own line takes precedence over the bye.

    Raises:
        BadReport: the record is malformed, or names an unknown player.
    """
    sign, *words = line[3:].upper().split() or [""]
    if not words or sign not in {"F", "H", "Z"} or not all(map(is_number, words)):
        raise BadReport(
            f"line {number}: {line.strip()!r} announces no bye: expected 240, then F, H or Z, the round, and players"
        )
    round_, *players = map(int, words)
    for player in players:
        if player not in report.players:
            raise BadReport(f"line {number}: {line.strip()!r}: there is no player {player}: expected players' numbers")
        results = report.players[player].results
        if round_ > paired or round_ not in results:
            results[round_] = ReportedRound(None, None, sign)
        report.announces_byes |= round_ > paired


def _check_matches(report: TournamentReport) -> None:
    """Check that the lines of a match's two players agree, and fill in a result that only one of the lines states.

    A forfeited match may be missing in one of the two lines. Any other match must be in both lines.

    Raises:
        BadReport: the two lines contradict each other, a line lacks a match, or an opponent is not in the report.
    """
    for number, player in report.players.items():
        for round_, result in list(player.results.items()):
            if result.opponent is None:
                continue
            where = f"line {player.line}, round {round_}"
            other = report.players.get(result.opponent)
            if other is None or result.opponent == number:
                missed = f"there is no opponent {result.opponent} for player {number}"
                raise BadReport(f"{where}: {missed}: expected another player's number")
            answer = other.results.get(round_)
            met = answer is not None and answer.opponent == number
            if not met and result.sign not in FORFEITS:
                raise BadReport(
                    f"{where}: player {number} met {result.opponent}, but line {other.line} does not say that "
                    f"{result.opponent} met {number}: expected the match in both lines"
                )
            if answer is None or not met:
                continue
            names = f"players {number} and {result.opponent}"
            if result.begins is not None and result.begins == answer.begins:
                raise BadReport(f"{where}: {names} both have {'w' if result.begins else 'b'}: expected w and b")
            if HALF_POINTS_OF_SIGN[result.sign] + HALF_POINTS_OF_SIGN[answer.sign] > WIN:
                raise BadReport(
                    f"{where}: {names} have {result.sign} and {answer.sign}: expected a point for both at most"
                )
            if not result.sign and answer.sign:  # only the opponent's line states the result
                player.results[round_] = replace(result, sign=OTHER_SIGN[answer.sign])
