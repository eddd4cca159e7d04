"""A phrase is English text that can be said in another language later."""

import copy
import json
import pickle

import msgspec
import pytest
from hypothesis import given, strategies as st

from captains_table.phrases import (
    ENGLISH,
    Language,
    Phrase,
    as_english,
    as_sentence,
    computed,
    decimal,
    listed,
    message,
    message_of,
    noun,
    say,
    several,
    short_form,
)
from captains_table.phrases.catalogue import read_catalogue

GERMAN = read_catalogue("""
msgid ""
msgstr ""
"Language: de\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgctxt "noun"
msgid "captain"
msgstr "Kapitän|m|acc=den Kapitän|ein=einen Kapitän"

msgctxt "noun"
msgid "crew"
msgstr "Mannschaft|f|acc=die Mannschaft|ein=eine Mannschaft"

msgid "{name}: {throws} for a {berth}"
msgstr "{name}: {throws} für {berth:ein}"

msgid "No {berth}, no cargo"
msgstr "{berth:m=Kein|f=Keine} {berth}, keine Ladung"

msgid "{berth} found"
msgstr "{Berth:acc} gefunden"

msgid "{n} throw"
msgid_plural "{n} throws"
msgstr[0] "{n} Wurf"
msgstr[1] "{n} Würfe"

msgid "Round {n} of {m}¦Round {n}/{m}"
msgstr "Runde {n} von {m}¦R. {n}/{m}"

msgctxt "list"
msgid "{first} and {last}"
msgstr "{first} und {last}"

msgctxt "decimal mark"
msgid "."
msgstr ","

msgid "who asks: {name}"
msgstr "wer fragt: {nobody}"
""")
FRENCH = Language(
    "fr",
    {("noun", "knight"): ("cavalier|m",), ("noun", "queen"): ("dame|f",)}
    | {("", "The {piece} is captured"): ("{piece:m=Le|f=La} {piece} est {piece:m=pris|f=prise}",)},
    lambda number: int(number > 1),
)


def words(phrase: str, language: Language = GERMAN) -> str:
    assert isinstance(phrase, Phrase)
    return phrase.render(language)


def test_it_is_its_english_text_for_everything_that_knows_no_language() -> None:
    phrase = say("{name}: throw the dice", name="Anne")
    assert phrase == "Anne: throw the dice"
    assert hash(phrase) == hash("Anne: throw the dice")
    assert json.dumps([phrase]) == '["Anne: throw the dice"]'
    assert f"{phrase}" == str(phrase) == "Anne: throw the dice"
    assert type(str(phrase)) is str
    assert msgspec.json.encode([phrase], enc_hook=as_english) == b'["Anne: throw the dice"]'


def test_what_cannot_be_encoded_is_no_text() -> None:
    with pytest.raises(NotImplementedError, match="object cannot be encoded"):
        as_english(object())


def test_a_copy_keeps_the_parts() -> None:
    phrase = say("No {berth}, no cargo", berth=noun("crew"))
    for each in (copy.copy(phrase), copy.deepcopy(phrase), pickle.loads(pickle.dumps(phrase))):  # noqa: S301 - our own
        assert words(each) == "Keine Mannschaft, keine Ladung"


def test_a_translation_chooses_the_case_of_a_noun_and_words_that_agree_with_it() -> None:
    throws = several(2, "{n} throw", "{n} throws")
    assert words(say("{name}: {throws} for a {berth}", name="Bart", throws=throws, berth=noun("captain"))) == (
        "Bart: 2 Würfe für einen Kapitän"
    )
    assert words(say("No {berth}, no cargo", berth=noun("captain"))) == "Kein Kapitän, keine Ladung"
    assert words(say("The {piece} is captured", piece=noun("queen")), FRENCH) == "La dame est prise"
    assert words(say("The {piece} is captured", piece=noun("knight")), FRENCH) == "Le cavalier est pris"


def test_parts_follow_in_the_order_in_which_the_message_first_names_them() -> None:
    crew = noun("crew")
    assert words(say("{name}: {throws} for a {berth}", "Anne", several(2, "{n} throw", "{n} throws"), crew)) == (
        "Anne: 2 Würfe für eine Mannschaft"
    )
    assert say("{Berth} of {name}, {berth} of all", crew, "Anne") == "Crew of Anne, crew of all"
    assert several(3, "{n} point of {name}", "{n} points of {name}", "Anne") == "3 points of Anne"
    with pytest.raises(ValueError, match="zip"):
        say("{name} wins", "Anne", "Bart")


def test_a_noun_alone_is_its_plain_form() -> None:
    assert words(noun("captain")) == "Kapitän"
    assert words(noun("ship")) == "ship"


def test_a_field_with_a_capital_begins_with_one() -> None:
    assert words(say("{berth} found", berth=noun("crew"))) == "Die Mannschaft gefunden"
    assert say("{Berth} found", berth=noun("crew")) == "Crew found"
    assert say("{Question}", question="¿reina?") == "¿Reina?"
    assert as_sentence("«torre»") == "«Torre»."


def test_what_follows_a_colon_begins_small_where_a_language_wants_that_but_never_a_name() -> None:
    own = {
        "{name}: {words}": "{name}: {words:small}",
        "Which die?": "¿Qué dado?",
        "{name} throws": "{name} tira",
    }
    spanish = Language("es", {("", text): (translation,) for text, translation in own.items()})
    question, told = say("Which die?"), say("{name} throws", name="Bart")
    assert words(say("{name}: {words}", name="Anne", words=question), spanish) == "Anne: ¿qué dado?"
    assert words(say("{name}: {words}", name="Anne", words=told), spanish) == "Anne: Bart tira"
    assert words(say("{name}: {words}", name="Anne", words="Bart throws"), spanish) == "Anne: Bart throws"


def test_the_number_chooses_the_plural_form_by_the_language() -> None:
    assert [several(n, "{n} throw", "{n} throws") for n in (0, 1, 2)] == ["0 throws", "1 throw", "2 throws"]
    assert [words(several(n, "{n} throw", "{n} throws")) for n in (0, 1, 2)] == ["0 Würfe", "1 Wurf", "2 Würfe"]


def test_what_is_not_translated_stays_english_and_its_parts_do_not() -> None:
    assert words(say("{throws} left", throws=several(1, "{n} throw", "{n} throws"))) == "1 Wurf left"


def test_a_translation_that_names_what_is_not_there_is_not_used() -> None:
    assert words(say("who asks: {name}", name="Anne")) == "who asks: Anne"


def test_the_name_of_a_player_is_never_a_message() -> None:
    name = "{berth:acc} {n}¦{"
    assert words(say("{name}: {throws} for a {berth}", name=name, throws="2", berth=noun("crew"))).startswith(name)


def test_lists_decimals_and_sentences_are_those_of_the_language() -> None:
    assert listed([]) == ""
    assert listed(["Anne"]) == "Anne"
    assert listed(["Anne", "Bart", "Cora"]) == "Anne, Bart and Cora"
    assert words(listed(["Anne", noun("captain")])) == "Anne und Kapitän"
    assert listed(["a", "b", "c"], ",") == "a, b, c"
    assert [decimal(2.5), decimal(2, signed=True), decimal(0.25, 2)] == ["2.5", "+2.0", "0.25"]
    assert words(decimal(-2.5)) == "-2,5"
    assert words(as_sentence(noun("captain"))) == "Kapitän."
    assert as_sentence("is it?") == "Is it?"


def upper(first: str, second: str) -> str:
    return f"{first.upper()} {second}"


def test_what_no_message_can_say_is_computed_of_translated_parts() -> None:
    phrase = computed(upper, noun("crew"), "Anne")
    assert phrase == "CREW Anne"
    assert words(phrase) == "MANNSCHAFT Anne"


def test_a_short_form_is_for_small_displays_and_for_what_it_is_a_part_of() -> None:
    heading = say("Round {n} of {m}¦Round {n}/{m}", n=1, m=3)
    assert (heading, heading.short) == ("Round 1 of 3", "Round 1/3")
    assert words(heading) == "Runde 1 von 3"
    assert heading.render(GERMAN, is_short=True) == "R. 1/3"
    assert short_form(say("Now: {stage}", stage=heading)) == "Now: Round 1/3"
    assert short_form("as it is") == "as it is"


def test_the_message_of_an_error_keeps_its_parts() -> None:
    assert words(message_of(ValueError(noun("crew")))) == "Mannschaft"
    assert message_of(ValueError("one", "two")) == "('one', 'two')"
    assert message("as it is") == "as it is"


@given(st.text(), st.integers(), st.sampled_from([ENGLISH, GERMAN, FRENCH]))
def test_no_name_and_no_number_can_spoil_a_message(name: str, number: int, language: Language) -> None:
    phrase = say(
        "{name}: {throws} for a {berth}", name=name, throws=several(number, "{n} throw", "{n} throws"), berth="x"
    )
    assert phrase.render(language).startswith(name)
