"""Reads tournament reports of any program: FIDE's TRF06, TRF16 and TRF26, line by line.

A report has fixed columns. Programs differ in small things: the encoding, columns counted in characters or in bytes,
signs in small letters, forfeits without colours, byes without zeros for the opponent. All these variants are accepted.

The module also checks that the two lines of a match agree, and converts a report to the entries of an event.
"""

import codecs
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import msgspec

from captains_table.club.events import entries
from captains_table.club.events.entries import DRAW, LOSS, WIN, Edition, EventEntry, Made, System, TieBreak
from captains_table.club.events.event import CannotBe, check_tie_breaks, event_of
from captains_table.club.events.player_rounds import How, PlayerRound, PlayerRounds, total_halves
from captains_table.club.events.tie_breaks import REQUESTED, TIE_BREAK_FORMS, Comparison

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

LONGEST_TITLE: Final = 64

PLAYED: Final = {
    **dict.fromkeys("1W", (How.PLAYED, WIN)),
    **dict.fromkeys("=D½", (How.PLAYED, DRAW)),
    **dict.fromkeys("0L", (How.PLAYED, LOSS)),
    "+": (How.FORFEIT, WIN),
    "-": (How.FORFEIT, LOSS),
    "": (How.PENDING, LOSS),
}
"""What the signs of a match say: how the round was spent, and its half points."""

FREE: Final = {
    **dict.fromkeys("UF+1W", (How.BYE, WIN)),
    **dict.fromkeys("H=D½", (How.SAT_OUT, DRAW)),
    **dict.fromkeys("Z-0L", (How.AWAY, LOSS)),
}
"""What the signs of a round without an opponent say; older files have scores instead of U, F, H and Z."""

SIGNS: Final = {said: sign for sign, said in reversed((*PLAYED.items(), *FREE.items()))}
"""The present-day sign of each way to spend a round: the first of those above that say it."""

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
class PlayerLine:
    """A player's line in a report: its line number, the stated name, rating, FIDE ID and points, and the rounds."""

    line: int
    name: str
    rating: str
    fide_id: str
    points: str
    results: dict[int, PlayerRound]


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
        paired: the last round in which a player has an opponent or an allotted bye; 0 if there is none. Each player's
            `results` have all rounds up to it.
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
    paired: int = 0
    halves_of_bye: int = WIN
    place: str = ""
    federation: str = ""
    days: dict[int, str] = field(default_factory=dict)
    announces_byes: bool = False
    annulled: frozenset[int] = frozenset()
    odd_points: int = 0

    @property
    def rounds(self) -> int:
        """The number of planned rounds or the number of paired rounds, whichever is greater."""
        return max(self.planned, self.paired)

    def comparison(self, edition: Edition, system: System) -> Comparison:
        """Return the players' rounds, and the rules by which tie-breaks are computed from these rounds."""
        history = {number: tuple(self._counted(number, player)) for number, player in self.players.items()}
        return Comparison(history, self.rounds, edition, is_round_robin=system is System.ROUND_ROBIN)

    def _counted(self, number: int, player: PlayerLine) -> Iterator[PlayerRound]:
        """Yield a player's paired rounds; a match with an annulled player is a round without one."""
        for round_ in range(1, self.paired + 1):
            result = player.results[round_]
            yield PlayerRound(round_, How.BYE) if self.annulled & {number, *result.opponents} else result

    def remarks(self, history: PlayerRounds) -> Iterator[str]:
        """Yield a sentence for each player whose stated points differ from the sum of the results in `history`."""
        for number, player in self.players.items():
            halves = total_halves(history[number])
            if re.fullmatch(r"\d+[.,][05]?", player.points) and 2 * float(player.points.replace(",", ".")) != halves:
                said = f"{player.name} has {player.points} points there"
                yield f"line {player.line}: {said}, but {halves / WIN:g} by the results"


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
    lines: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), 1):
        lines[line[:3]].append((number, line))
    if not lines["001"]:
        raise BadReport("this is no TRF: it has no players, expected lines that begin with 001")
    report = TournamentReport()
    said = {code: (line[3:] for _, line in found) for code, found in lines.items()}
    _read_heading(report, {code: next(filter(str.strip, words), "") for code, words in said.items()})
    for code in ("162", *CODE_OF_POINTS):
        for number, line in lines[code]:
            _read_points(report, number, line)
    report.odd_points = next((number for number, _ in lines["299"]), 0)
    in_bytes = _counts_bytes(line for _, line in lines["001"])
    for number, line in lines["001"]:
        _add_player(report, number, line.replace("\t", " "), in_bytes=in_bytes)
    for _, line in lines["###"]:
        _read_comment(report, line)
    for number, line in lines["240"]:
        _add_byes(report, number, line)
    for player in report.players.values():
        for round_ in range(1, report.paired + 1):
            player.results.setdefault(round_, PlayerRound(round_, How.AWAY))
    _check_matches(report)
    return report


def _read_comment(report: TournamentReport, line: str) -> None:
    """Read a comment of this program: the edition of the tie-breaks, or the players whose matches are annulled."""
    if line.startswith(EDITION) and line.removeprefix(EDITION).strip() in list(Edition):
        report.edition = Edition(line.removeprefix(EDITION).strip())
    elif line.startswith(ANNULLED):
        numbers = (int(word) for word in line.removeprefix(ANNULLED).split() if is_number(word))
        report.annulled = frozenset(numbers).intersection(report.players)


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
    results: dict[int, PlayerRound] = {}
    for round_, start in enumerate(range(ROUNDS_FROM, len(read), ROUND_WIDTH), 1):
        try:
            _add_round(report, results, round_, read[start : start + ROUND_WIDTH])
        except BadReport as error:
            raise BadReport(f"line {number}, round {round_}: {error}") from error
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


def _add_round(report: TournamentReport, results: dict[int, PlayerRound], number: int, block: str) -> None:
    """Parse the columns of a player's round; add it to `results` unless they name neither an opponent nor a result.

    Raises BadReport if they cannot be parsed.
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
    met = int(opponent or "0") if sign != "?" else 0
    if met and sign in PLAYED:
        how, halves = PLAYED[sign]
        begins = {"w": True, "b": False}.get(colour.lower())
        results[number] = PlayerRound(number, how, (met,), begins, halves, best=halves == WIN)
    elif sign in FREE:
        how, halves = FREE[sign]
        results[number] = PlayerRound(number, how, halves=report.halves_of_bye if sign == "U" else halves)
    elif met or sign:
        raise BadReport(
            f"{block.strip()!r} is no result: expected the opponent's number, w or b, and one of 1 = 0 + - W D L; "
            "or 0000, - and one of U F H Z"
        )
    if sign == "U" or (number in results and results[number].opponents):
        report.paired = max(report.paired, number)


def is_number(text: str) -> bool:
    """Return whether a text is a whole number of up to five digits."""
    return text.isascii() and text.isdecimal() and len(text) <= COLOUR_FROM + 1


def _read_points(report: TournamentReport, number: int, line: str) -> None:
    """Read the line that states the points for each kind of result; store the half points of an allotted bye.

    Raises:
        BadReport: a win, draw or loss gives other points than 1, ½ and 0.
    """
    code = CODE_OF_POINTS.get(line[:3])
    found = POINT.findall(f"{code}{line[3:].strip()}" if code else line[3:].upper())
    for sign, worth in found:
        halves = round(2 * float(worth.replace(",", ".")))
        if sign in USUAL_POINTS and halves != USUAL_POINTS[sign]:
            raise BadReport(f"line {number}: {sign} counts {worth}: expected 1 for a win, 0.5 for a draw, 0 for a loss")
        if sign == "P":
            report.halves_of_bye = halves


def _add_byes(report: TournamentReport, number: int, line: str) -> None:
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
        if round_ > report.paired or round_ not in results:
            how, halves = FREE[sign]
            results[round_] = PlayerRound(round_, how, halves=halves)
        report.announces_byes |= round_ > report.paired


def _check_matches(report: TournamentReport) -> None:
    """Check that the lines of a match's two players agree, and fill in what only one of the lines states.

    Raises:
        BadReport: the two lines contradict each other, a line lacks a match, or an opponent is not in the report.
    """
    for number, player in report.players.items():
        for round_, result in player.results.items():
            try:
                player.results[round_] = _completed(report, number, result) if result.opponents else result
            except BadReport as error:
                raise BadReport(f"line {player.line}, round {round_}: {error}") from error


def _completed(report: TournamentReport, number: int, result: PlayerRound) -> PlayerRound:
    """Return a player's match, completed by what the opponent's line says of it; raises BadReport.

    A forfeited match may be missing in the opponent's line; any other match must be in both lines. If neither line has
    a colour, the player with the lower number has the first seat.
    """
    [opponent] = result.opponents
    other = report.players.get(opponent)
    if other is None or opponent == number:
        raise BadReport(f"there is no opponent {opponent} for player {number}: expected another player's number")
    answer = other.results.get(result.round)
    if answer is None or answer.opponents != (number,):
        if result.how is How.FORFEIT:
            return result
        raise BadReport(
            f"player {number} met {opponent}, but line {other.line} does not say that {opponent} met {number}: "
            "expected the match in both lines"
        )
    names = f"players {number} and {opponent}"
    if result.began is not None and result.began == answer.began:
        raise BadReport(f"{names} both have {'w' if result.began else 'b'}: expected w and b")
    if result.halves + answer.halves > WIN:
        points = f"{result.halves / WIN:g} and {answer.halves / WIN:g}"
        raise BadReport(f"{names} have {points}: expected a point for both at most")
    began = result.began
    if began is None:
        began = number < opponent if answer.began is None else not answer.began
    if result.how is How.PENDING and answer.how is not How.PENDING:
        halves = WIN - answer.halves
        return replace(result, how=answer.how, began=began, halves=halves, best=halves == WIN)
    return replace(result, how=How.FORFEIT if answer.how is How.FORFEIT else result.how, began=began)


def entries_of_trf(text: str, made: Made, prefix: str) -> list[EventEntry]:
    """Return the entries of the event in a TRF; the players keep the numbers that they have in the file.

    Args:
        text: the file.
        made: the settings of the event. Title, system, rounds, who begins, tie-breaks and their edition are taken from
            the file, if it states them.
        prefix: the prefix of the event's matches' ids.

    Raises:
        BadReport: the text is no TRF, or its event cannot be played here.
    """
    report = read_report(text)
    if report.halves_of_bye != WIN:
        raise BadReport("a bye counts no point in this report: it cannot be played on here, where it counts one")
    made = msgspec.structs.replace(made, system=report.system or made.system)
    if report.odd_points and not report.annulled:
        raise BadReport(
            f"line {report.odd_points}: a record 299 gives points that do not follow from results: it cannot be played "
            "on here, where no other points are given"
        )
    heading = msgspec.structs.replace(
        made,
        title=(report.title or made.title)[:LONGEST_TITLE],
        place=(report.place or made.place)[:LONGEST_TITLE],
        federation=(report.federation or made.federation)[:LONGEST_TITLE],
        rounds=_cycles(report, made.rounds) if made.system is System.ROUND_ROBIN else report.rounds,
        number_one_begins=made.number_one_begins if report.number_one_begins is None else report.number_one_begins,
        tie_breaks=_tie_breaks(report, made),
        edition=report.edition or made.edition,
    )
    log: list[EventEntry] = [heading]
    log += [
        entries.Entered(player=number, name=_name(report, number), rating=_rating(report.players[number]))
        for number in sorted(report.players)
    ]
    for number in range(1, report.paired + 1):
        log += _away_from(report, number, heading)
        log += _round(report, number, f"{prefix}{number}-", made.system)
    for number in range(report.paired + 1, heading.rounds + 1):
        log += _away_from(report, number, heading)
    log += [entries.Withdrew(player=player, annuls=True) for player in sorted(report.annulled)]
    try:
        event_of(log)
    except CannotBe as error:
        raise BadReport(f"this report cannot be played on: {error}") from error
    return log


def _name(report: TournamentReport, number: int) -> str:
    """Return a player's name, with the player's number if an earlier player has the same name."""
    name = report.players[number].name
    is_taken = any(other < number and player.name == name for other, player in report.players.items())
    return f"{name} ({number})" if is_taken else name


def _rating(player: PlayerLine) -> int | None:
    """Return a player's rating; `None` if it is 0 or has no digit.

    Raises:
        BadReport: the rating has a digit, but is no whole number.
    """
    if not any(map(str.isdigit, player.rating)):
        return None
    if not is_number(player.rating):
        raise BadReport(f"line {player.line}: {player.rating!r} is no rating: expected a whole number, or none")
    return int(player.rating) or None


def _cycles(report: TournamentReport, expected: int) -> int:
    """Return the number of cycles in which all players meet: 2 if the rounds are too many for one, else `expected`."""
    once = len(report.players) - 1 + len(report.players) % 2
    return 2 if report.rounds > once else expected


def _tie_breaks(report: TournamentReport, made: Made) -> tuple[TieBreak, ...]:
    """Return the tie-breaks that a report names.

    If the report names none, or names one that is unknown or not allowed here, return those of `made`.
    """
    try:
        named = read_tie_breaks(report.tie_breaks)
        check_tie_breaks(made.system, report.edition or made.edition, named)
    except ValueError:
        return made.tie_breaks
    return named or made.tie_breaks


def renumbered(entry: EventEntry, numbers: Mapping[int, int]) -> EventEntry:
    """Return an entry of a report with the club's player numbers.

    `numbers` maps a player's number in the report to the player's number in the club.
    """
    match entry:
        case entries.Entered() | entries.Withdrew() | entries.SatOut():
            return msgspec.structs.replace(entry, player=numbers[entry.player])
        case entries.RoundPaired():
            matches = tuple(
                msgspec.structs.replace(seated, seats=tuple(numbers[seat] for seat in seated.seats))
                for seated in entry.matches
            )
            return msgspec.structs.replace(entry, matches=matches, byes=tuple(numbers[bye] for bye in entry.byes))
    return entry


def _away_from(report: TournamentReport, number: int, made: Made) -> Iterator[EventEntry]:
    """Yield the entries that state who is absent from a round of a Swiss event; yield none in other systems.

    A player with sign Z in this round and in every later one withdraws before the first round of this absence. The last
    of these rounds is the next one to be paired, or the last one of the event if the report has records 240. In any
    other case of absence, the player sits the round out.

    Raises:
        BadReport: a player has a result other than H or Z for a round that is not paired.
    """
    if made.system is not System.SWISS or number > made.rounds:
        return
    last = made.rounds if report.announces_byes else min(report.paired + 1, made.rounds)
    for player in sorted(report.players):
        if not _absence(report, player, number):
            if number > report.paired and number in report.players[player].results:
                given = f"player {player} has a full point for it already"
                raise BadReport(f"round {number} is not paired, but {given}: expected H or Z")
            continue
        gone = last + 1  # the first round of an absence that lasts to the end
        while gone > 1 and _absence(report, player, gone - 1) is How.AWAY:
            gone -= 1
        if number < gone or gone > report.paired + 1:
            is_half = _absence(report, player, number) is How.SAT_OUT
            yield entries.SatOut(player=player, round=number, half=is_half)
        elif number == gone:
            yield entries.Withdrew(player=player)


def _absence(report: TournamentReport, player: int, number: int) -> How | None:
    """Return how a player misses a round: SAT_OUT (half-point bye) or AWAY.

    Return `None` for a match and for a full-point bye, and if nothing is stated of a round that is not paired yet.
    """
    result = report.players[player].results.get(number)
    return result.how if result is not None and result.how in REQUESTED else None


def _round(report: TournamentReport, number: int, prefix: str, system: System) -> Iterator[EventEntry]:
    """Yield the pairing of a round, then a ruling for each of its matches that has a result.

    Raises:
        BadReport: the round has no pair, two players' lines contradict each other, or a bye is not allowed.
    """
    results = {player: report.players[player].results[number] for player in sorted(report.players)}
    is_round_robin = system is System.ROUND_ROBIN
    for player, result in results.items():
        for opponent in result.opponents:
            if results[opponent].opponents != (player,):
                missed = f"but {opponent} did not meet player {player}"
                raise BadReport(f"round {number}: player {player} met {opponent}, {missed}")
        if is_round_robin and result.halves and not result.opponents:
            given = f"player {player} gets {result.halves / WIN:g} without a match"
            raise BadReport(f"round {number}: {given}: expected Z, a free round counts nothing")
    pairs = [(player, *result.opponents) for player, result in results.items() if result.began]
    free = [player for player, result in results.items() if not result.opponents]
    byes = tuple(player for player in free if is_round_robin or results[player].how is How.BYE)
    if not pairs:
        raise BadReport(f"round {number} has no pair")
    matches = tuple(
        entries.PairedMatch(id=f"{prefix}{board}", board=board, seats=pair) for board, pair in enumerate(pairs, 1)
    )
    yield entries.RoundPaired(round=number, matches=matches, byes=byes, day=report.days.get(number, ""))
    for seated in matches:
        said = [results[seat] for seat in seated.seats]
        if said[0].how is not How.PENDING:
            halves = tuple(result.halves for result in said)
            played = said[0].how is not How.FORFEIT
            yield entries.Ruled(pairing=seated.id, halves=halves, played=played, why="as the report says")
