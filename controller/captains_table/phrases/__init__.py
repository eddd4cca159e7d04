"""Text for players that can be said in several languages: English that remembers what it was made of. Pure."""

from captains_table.phrases.language import (
    ENGLISH as ENGLISH,
    Language as Language,
)
from captains_table.phrases.packing import (
    pack_phrase as pack_phrase,
    unpack_phrases as unpack_phrases,
)
from captains_table.phrases.phrase import (
    Phrase as Phrase,
    PhrasePart as PhrasePart,
    Rendered as Rendered,
    as_english as as_english,
    as_sentence as as_sentence,
    capitalized as capitalized,
    computed as computed,
    computes as computes,
    decimal as decimal,
    listed as listed,
    message as message,
    noun as noun,
    rendered as rendered,
    say as say,
    several as several,
    short_form as short_form,
    split_address as split_address,
    with_spaces as with_spaces,
    with_stops as with_stops,
)
from captains_table.phrases.translating import (
    in_language as in_language,
    message_of as message_of,
)
