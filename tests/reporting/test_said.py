"""What a table says beside its view so that a club can translate it, and what of that a club believes."""

import json
from typing import Any

import msgspec
import pytest

from captains_table.catalog.languages import find_language
from captains_table.phrases import computed, decimal, listed, noun, pack_phrase, say, several
from captains_table.phrases.packing import PACKED
from captains_table.reporting.messages import FromTable, ViewMessage, decode, encode
from captains_table.reporting.said import DEEPEST, LARGEST, MOST, phrases_in, said_of, translated, view_in_language
from captains_table.reporting.table_view import decoded_view, spectator_view
from captains_table.table.model.view import LogLine, Phase, SeatView, View
from tests.languages.pseudo import PSEUDO

THROW = say("{name}: throw the dice", name="Anne")
GERMAN = "Anne: Würfle"
SEATS = (SeatView("Anne", {}, on_turn=True), SeatView("Bart", {}, on_turn=False))


def payload(said: bytes | None = None, *prompt: str, **more: Any) -> bytes:  # noqa: ANN401 - fields of a view
    """Return a table's message with a prompt, and what it says beside it; `None`: what a table says."""
    view = spectator_view(View(phase=Phase.PLAYING, game="legend", seats=SEATS, prompt=prompt or (THROW,), **more))
    return encode(ViewMessage(boot="b", n=1, view=view, said=said_of(view) if said is None else msgspec.Raw(said)))


def prompt_of(message: bytes, code: str = "de") -> str:
    decode(FromTable.VIEW, message)  # nothing of it is a reason to refuse the view
    return view_in_language(message, find_language(code)).prompt[0]


def item(phrase: str) -> bytes:
    return pack_phrase(phrase).removeprefix(PACKED).encode()


def test_a_prompt_is_translated() -> None:
    assert prompt_of(payload()) == GERMAN
    assert prompt_of(payload(), "en") == THROW


def test_what_says_nothing_beside_its_view_is_shown_in_english() -> None:
    message = json.loads(payload())
    del message["said"]
    assert prompt_of(json.dumps(message).encode()) == THROW


def hostile(text: Any = THROW.text, parts: Any = None, *more: Any, english: Any = THROW) -> bytes:  # noqa: ANN401 - JSON
    """Return what a hostile table says of a text."""
    made = [text, {"name": "Anne"} if parts is None else parts, *(more or ("", "", None, None))]
    return json.dumps([[english, made]]).encode()


DEEP: Any = "Anne"
for _ in range(DEEPEST + 40):
    DEEP = ["{name}", {"name": DEEP}, "", "", None, None]
LAUGHS: Any = "Anne"
for _ in range(12):
    LAUGHS = ["{first}, {last}", {"first": LAUGHS, "last": LAUGHS}, "list", "", None, None]


@pytest.mark.parametrize(
    "said",
    [
        b"5",
        b"null",
        b"{}",
        b'["a", 1, null, [], {}, [[]], [1, 2], ["a", ["a"]]]',
        b"[" * 500 + b"]" * 500,
        hostile("{name}: throw your dice"),
        hostile("{name}: throw the dice", {"name": "<script>"}),
        hostile("{name}: throw the dice", {"name": "A" * 5000}),
        hostile("{name}: throw the dice", {"name": DEEP}),
        hostile("{name}: throw the dice", {"name": LAUGHS}),
        hostile("{name}: throw the dice", {}),
        hostile("{name}: throw the dice", []),
        hostile("{name}: throw the dice", {"name": 1.5}),
        hostile("{name}: throw the dice", {"name": None}),
        hostile(5),
        hostile(None),
        hostile("", {"0": "Anne", "1": "x"}, "", "", None, "os.system"),
        hostile("", {"0": "Anne", "1": "x"}, "", "", None, 5),
        hostile("{name}: throw the dice", {"name": "Anne"}, 5, 5, "x", None),
        b"[" + b",".join([b"0"] * MOST + [hostile()[1:-1]]) + b"]",
        b"[" + b" " * LARGEST + hostile()[1:],
        b'["\xff"]',
    ],
)
def test_a_hostile_table_changes_nothing_and_its_plain_text_is_shown(said: bytes) -> None:
    assert prompt_of(payload(said)) == THROW


def test_a_part_that_is_no_message_of_the_club_stays_english() -> None:
    strange = say("{name}: throw the dice", name=say("<b>{who}</b>", who=noun("knight")))
    message = payload(None, strange)
    assert prompt_of(message) == f"<b>knight</b>{GERMAN.removeprefix('Anne')}"


def test_only_texts_are_replaced_not_what_programs_read_and_nobody_s_name() -> None:
    said = b"[" + b",".join(map(item, (noun("pips"), say("legend"), say("Anne"), say("Bart")))) + b"]"
    view = view_in_language(payload(said, "Anne", log=(LogLine(0, "legend"),)), PSEUDO)
    assert (view.game, view.seats, view.prompt) == ("legend", SEATS, ("Anne",))
    assert view.log[0].words != "legend"


def test_lists_counts_and_computed_numbers_are_translated() -> None:
    words = say("{a} {b} {c}", a=listed(["Anne", "Bart"]), b=several(2, "{n} turn", "{n} turns"), c=decimal(1.5))
    assert translated(PACKED + item(words).decode(), find_language("de")) == words, "its message is none of ours"
    assert translated(PACKED + item(listed(["Anne", "Bart"])).decode(), find_language("de")) == "Anne und Bart"
    assert translated(PACKED + item(decimal(1.5)).decode(), find_language("de")) == "1,5"


def test_what_cannot_be_computed_of_other_parts_is_shown_in_english() -> None:
    own = computed(str.upper, "x")
    assert prompt_of(payload(None, own)) == "X"


def test_a_table_says_no_more_than_a_club_reads() -> None:
    many = tuple(say("{name} takes {count}", name="A" * 60, count=number) for number in range(900))
    said = said_of(spectator_view(View(phase=Phase.PLAYING, prompt=many)))
    assert 1000 < len(said) <= LARGEST
    message = payload(None, *many)
    assert 10 < len(phrases_in(message)) <= MOST
    assert decoded_view(spectator_view(View(phase=Phase.PLAYING, prompt=many))).prompt == many
