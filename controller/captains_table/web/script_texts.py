"""What the pages' scripts say: a script has the English text, and its page brings the translation (static/words.js)."""

import json
from typing import Final

from captains_table.phrases import Language, say

TEXTS: Final = (
    say("All"),
    say("All: bid {bid}"),
    say("{raise}: bid {bid}"),
    say("closed"),
    say("Choose {square} again to leave the board."),
    say("Copied"),
    say("Copied."),
    say("Copy"),
    say("I see"),
    say("More than one move goes there: choose in the list."),
    say("No more cards"),
    say("Not well: {squares}."),
    say("Nothing is explained here: point at something in the match, or go to it by Tab, and press F1."),
    say("open"),
    say("Rule {rule}"),
    say("Settings has the cards, for when you want them again."),
    say("Share"),
    say("Somebody bid meanwhile: look again"),
    say("Speech is on."),
    say("The line is marked: copy it from there."),
    say("The table cannot be reached. Nothing was drawn."),
    say("The table cannot be reached. Nothing was sent."),
    say("Thinking about each decision: {done} of {all}…"),
    say("Thinking about each decision…"),
    say("Who bids? Choose first: nothing was bid."),
)


def script_texts(language: Language) -> str:
    """Return the translations of all texts as JSON, keyed by the English text; what is not translated is left out."""
    return json.dumps({each.text: found for each in TEXTS if (found := language.find(each.text))}, ensure_ascii=False)
