"""A language: its translations of the English messages, and the rule for its plural forms."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

MessageKey = tuple[str, str]
"""A message's context, mostly empty, and its English text."""


@dataclass(frozen=True, eq=False)
class Language:
    """A language into which messages are translated.

    Attributes:
        code: the language's code, as in HTML's `lang`: `de`.
        messages: the translations of each message; of a message with plural forms, one for each form.
        plural: returns the index of the plural form for a number.
    """

    code: str = "en"
    messages: Mapping[MessageKey, tuple[str, ...]] = field(default_factory=dict)
    plural: Callable[[int], int] = lambda number: int(number != 1)

    def find(self, text: str, context: str = "", number: int | None = None) -> str:
        """Return the translation of an English text; empty if there is none.

        Args:
            text: the English text; of a message with plural forms, the one for a single thing.
            context: what distinguishes messages with the same English text, such as "noun".
            number: the number that chooses the plural form; `None` for a message without plural forms.
        """
        forms = self.messages.get((context, text), ())
        form = 0 if number is None else self.plural(number)
        return forms[form] if form < len(forms) else ""


ENGLISH = Language()
"""The language in which messages are written: it translates nothing."""
