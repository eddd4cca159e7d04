"""Text for players that can be said in several languages: English that remembers what it was made of. Pure."""

from captains_table.phrases.language import ENGLISH, Language
from captains_table.phrases.packing import pack_phrase, unpack_phrases
from captains_table.phrases.phrase import (
    Phrase,
    PhrasePart,
    Rendered,
    as_english,
    as_sentence,
    capitalized,
    computed,
    computes,
    decimal,
    listed,
    message,
    noun,
    rendered,
    say,
    several,
    short_form,
    split_address,
    with_spaces,
    with_stops,
)
from captains_table.phrases.translating import in_language, message_of

__all__ = [
    "ENGLISH",
    "Language",
    "Phrase",
    "PhrasePart",
    "Rendered",
    "as_english",
    "as_sentence",
    "capitalized",
    "computed",
    "computes",
    "decimal",
    "in_language",
    "listed",
    "message",
    "message_of",
    "noun",
    "pack_phrase",
    "rendered",
    "say",
    "several",
    "short_form",
    "split_address",
    "unpack_phrases",
    "with_spaces",
    "with_stops",
]
