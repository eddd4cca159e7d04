"""What the pages' scripts say: a script has the English text, and its page brings the translation (static/words.js)."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Final

from captains_table.web.page_language import page_language

CALL: Final = re.compile(r'\binWords\(([^,)]*"[^)]*)\)')
TEXT: Final = re.compile(r'"([^"]+)"')


@cache
def texts_of_scripts() -> frozenset[str]:
    """Return the English texts that scripts say: the literal arguments of `inWords`."""
    scripts = "".join(file.read_text(encoding="utf-8") for file in (Path(__file__).parent / "static").glob("*.js"))
    return frozenset(text for call in CALL.findall(scripts) for text in TEXT.findall(call))


def script_texts() -> str:
    """Return the translations of all texts as JSON, keyed by the English text; what is not translated is left out."""
    found = {text: page_language().find(text) for text in sorted(texts_of_scripts())}
    return json.dumps({text: words for text, words in found.items() if words}, ensure_ascii=False)
