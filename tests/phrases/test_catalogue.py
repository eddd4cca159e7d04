"""A catalogue is a .po file as gettext and its editors write it."""

import pytest

from captains_table.phrases.catalogue import BadCatalogue, catalogue_entries, misfits, read_catalogue

HEADER = 'msgid ""\nmsgstr ""\n"Language: pl\\n"\n"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n<5 ? 1 : 2);\\n"\n\n'


def test_it_tells_its_language_and_which_form_a_number_takes() -> None:
    language = read_catalogue(
        f'{HEADER}msgid "{{n}} die"\nmsgid_plural "{{n}} dice"\nmsgstr[0] "a"\nmsgstr[1] "b"\nmsgstr[2] "c"\n'
    )
    assert language.code == "pl"
    assert [language.find("{n} die", number=number) for number in (1, 3, 7)] == ["a", "b", "c"]


def test_long_texts_stand_in_several_lines_and_signs_are_escaped() -> None:
    language = read_catalogue(f'{HEADER}msgid ""\n"one "\n"two"\nmsgstr ""\n"eins \\"zwei\\"\\n"\n"drei\\\\"\n')
    assert language.find("one two") == 'eins "zwei"\ndrei\\'


def test_a_context_keeps_messages_with_one_text_apart() -> None:
    language = read_catalogue(
        f'{HEADER}msgctxt "noun"\nmsgid "draw"\nmsgstr "Remis|n"\n\nmsgid "draw"\nmsgstr "zeichnen"\n'
    )
    assert (language.find("draw"), language.find("draw", "noun")) == ("zeichnen", "Remis|n")


@pytest.mark.parametrize(
    "entry",
    [
        '#, fuzzy\nmsgid "a"\nmsgstr "b"\n',
        'msgid "a"\nmsgstr ""\n',
        'msgid "a {name}"\nmsgstr "b {nobody}"\n',
        '#~ msgid "a"\n#~ msgstr "b"\n',
    ],
)
def test_what_is_uncertain_empty_wrong_or_gone_is_left_out(entry: str) -> None:
    assert read_catalogue(HEADER + entry).messages == {}


def test_a_field_that_is_not_there_is_told() -> None:
    entry = next(iter(catalogue_entries('msgid "a {name}"\nmsgstr "b {Name} {other}"\n')))
    assert misfits(entry) == ["there is no {other} in 'a {name}'"]


def test_spaces_at_the_ends_of_lines_do_no_harm() -> None:
    assert read_catalogue(f'{HEADER}   \nmsgid "a"  \n msgstr "b"\n').find("a") == "b"


def test_a_file_that_is_no_catalogue_says_where() -> None:
    with pytest.raises(BadCatalogue, match="line 2: expected msgid or msgstr and a text"):
        read_catalogue('msgid "a"\nmsgstr b\n')


def test_a_long_file_has_all_its_entries_and_says_where_it_is_wrong() -> None:
    entries = [f'msgid "{number} a"\nmsgstr "{number} b"\n' for number in range(5000)]
    assert len(read_catalogue("\n".join([HEADER, *entries])).messages) == 5000
    with pytest.raises(BadCatalogue, match="line 14999: expected"):
        read_catalogue("\n".join([*entries[:-1], 'msgid "a"\nmsgstr b\n']))
