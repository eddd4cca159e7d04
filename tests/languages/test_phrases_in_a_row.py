"""Texts that are taken apart or joined: by their messages, so that every language may order its words as it does."""

from captains_table.phrases import Language, Phrase, Rendered, computed, noun, say, split_address
from captains_table.table.history.event_log import spoken_text
from captains_table.table.history.narrator import joined, sentence
from captains_table.table.model.view import LogLine, Phase, SeatView, View
from captains_table.table.prompt_lines import with_addressee

FRENCH = Language(
    "fr",
    {
        ("", "{name}: {words}"): ("{name}\u00a0: {words}",),
        ("", "{name} (White): your move"): ("{name} (les Blancs)\u00a0: à vous",),
        ("", "{name}, which die?"): ("Quel dé choisissez-vous, {name} ?",),
        ("", "throw the dice"): ("lancez les dés",),
        ("", "{name} gains {count}"): ("{name} gagne {count}",),
        ("", "{name} takes a rook"): ("Une tour est prise par {name}",),
        ("", "{piece} {start} to {end}"): ("{piece} {start} en {end}",),
        ("noun", "knight"): ("cavalier|m",),
    },
)


def test_whom_a_text_addresses_is_read_from_its_message() -> None:
    own = say("{name}: {words}", name="Anne", words=say("throw the dice"))
    white = say("{name} (White): your move", name="Anne")
    asked = say("{name}, which die?", name="Anne")
    assert [split_address(each, "Anne") for each in (own, white, asked)] == [
        ("Anne", "throw the dice"),
        ("Anne (White)", "your move"),
        ("Anne", "which die?"),
    ]
    assert in_french(own) == ("Anne", "lancez les dés")
    assert in_french(white) == ("Anne (les Blancs)", "à vous")
    assert split_address(Rendered(asked, FRENCH), "Anne")[0] == "", "it does not begin with the name"
    assert split_address(own, "Ann") == ("", own)
    assert with_addressee("Anne", say("throw the dice")) == own
    assert with_addressee("Anne", white) is white


def in_french(text: Phrase) -> tuple[str, str]:
    who, rest = split_address(Rendered(text, FRENCH), "Anne")
    assert isinstance(rest, Phrase)
    return who, rest.render(FRENCH)


def test_a_text_without_a_message_addresses_whom_it_names_first() -> None:
    assert split_address("Anne (Black): {move}", "Anne") == ("Anne (Black)", "{move}")
    assert split_address("Anneliese: move", "Anne") == ("", "Anneliese: move")


def test_events_in_a_row_are_one_sentence_where_they_begin_with_the_same_name() -> None:
    seats = (SeatView("Anne", {}, on_turn=True),)
    before = View(phase=Phase.PLAYING, seats=seats)
    lines = say("{name} gains {count}", name="Anne", count=5), say("{name} takes a rook", name="Anne")
    told = sentence(before, View(phase=Phase.PLAYING, seats=seats, log=tuple(LogLine(0, line) for line in lines)))
    assert told == "Anne gains 5, takes a rook."
    assert computed(str, told).render(FRENCH) == "Anne gagne 5. Une tour est prise par Anne."
    assert joined(["Anne wins", "Bart loses"], ["Anne", "Bart"]) == "Anne wins. Bart loses"


def test_moves_are_spoken_in_the_words_of_each_language() -> None:
    spoken = spoken_text(say("{name}: {words}", name="Anne", words="Nb1-c3"))
    assert spoken == "Anne: knight b1 to c3"
    assert computed(str, spoken).render(FRENCH) == "Anne\u00a0: cavalier b1 en c3"
    assert noun("knight").render(FRENCH) == "cavalier"
