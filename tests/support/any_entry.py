"""Any entry a journal may hold, made up by Hypothesis."""

from hypothesis import strategies as st

from captains_table.games.contract import Action, Amount, Bell, Bid, Correct, EndMatch, Keep, Pick, Rolled, TimeUp
from captains_table.table.model import entries

KINDS: st.SearchStrategy[entries.SeatKind] = st.sampled_from(["human", "computer"])
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NUMBERS = st.integers(0, 2**53)
SEATS = st.none() | NUMBERS
FEW = st.lists(st.integers(1, 9), max_size=6).map(tuple)
ANY_ACTION: st.SearchStrategy[Action] = st.one_of(
    st.builds(Pick, WORDS),
    st.builds(Keep, FEW),
    st.builds(Amount, NUMBERS),
    st.builds(Rolled, FEW),
    st.just(TimeUp()),
    st.builds(Bid, NUMBERS, NUMBERS),
    st.just(Bell()),
    st.builds(Correct, WORDS, WORDS, WORDS, WORDS),
    st.just(EndMatch()),
)
ANY_ENTRY: st.SearchStrategy[entries.Entry] = st.one_of(
    st.builds(entries.MatchStarted, WORDS, st.lists(WORDS).map(tuple), st.dictionaries(WORDS, WORDS), WORDS),
    st.builds(entries.MatchStarted, WORDS, st.just(()), st.just({}), WORDS, st.lists(KINDS).map(tuple), NUMBERS),
    st.builds(entries.MatchStarted, WORDS, st.just(()), st.just({}), WORDS, st.just(()), NUMBERS, st.booleans()),
    st.builds(entries.Acted, NUMBERS, SEATS, NUMBERS, ANY_ACTION),
    st.builds(entries.TakenBack, NUMBERS, SEATS, NUMBERS, NUMBERS),
    st.builds(entries.Salted, NUMBERS, NUMBERS),
    st.builds(entries.SaltText, NUMBERS, WORDS),
    st.builds(entries.Masked, WORDS),
    st.builds(entries.Unsure, NUMBERS, NUMBERS, st.lists(st.tuples(NUMBERS, WORDS, st.booleans())).map(tuple)),
    st.builds(entries.Unsure, NUMBERS, NUMBERS, st.just(()), st.lists(WORDS).map(tuple), st.booleans()),
    st.builds(entries.Advised, NUMBERS, NUMBERS, WORDS),
    st.builds(entries.ClockStopped, SEATS, NUMBERS),
    st.builds(entries.ClockStopped, SEATS, NUMBERS, st.sampled_from(("left", "hand", "asked", "put-back"))),
    st.builds(entries.Resumed, WORDS, NUMBERS),
    st.builds(entries.Resumed, WORDS, NUMBERS, st.booleans()),
    st.builds(entries.ClockWentOn, NUMBERS),
    st.builds(entries.TimersStopped, NUMBERS, NUMBERS, st.none() | NUMBERS),
    st.builds(entries.TimersWentOn, NUMBERS, NUMBERS),
    st.builds(entries.MatchEnded, st.none() | NUMBERS, FEW),
)
