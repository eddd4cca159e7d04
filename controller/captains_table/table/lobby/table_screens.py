"""The table's own menu: the page's address, the pace, leaving or giving up the match, the arbiter, switching off.

Further screens only show a text, such as the one while the machine is switched off.
"""

from collections.abc import Mapping
from functools import partial
from typing import Final

from captains_table.games.contract import Option
from captains_table.phrases import say
from captains_table.table.lobby.match_setup import (
    CallArbiter,
    ClubState,
    GiveUp,
    Languages,
    Leave,
    SetLanguage,
    SetPace,
    ShowAddress,
    SwitchCards,
    SwitchOff,
)
from captains_table.table.lobby.screen import THIS_TABLE, WAY_BACK, Screen, ScreenLine
from captains_table.table.model.settings import PACES, Settings
from captains_table.table.prompts.menu import BACK

TABLE: Final = "table-"
"""The prefix of the ids of all screens of the table's menu, which only its owner may answer."""
OPEN: Final = Option(f"{TABLE}menu", THIS_TABLE)
GO_ON: Final = ScreenLine(Option(BACK, say("Go on playing")), None)
ADDRESS: Final = ScreenLine(Option(f"{TABLE}address", say("The page's address")), ShowAddress())
LEAVE: Final = ScreenLine(
    Option(f"{TABLE}lobby", say("Leave the match"), then=say("It can be resumed from the lobby.")), Leave()
)
CALL: Final = ScreenLine(Option(f"{TABLE}arbiter", say("Call the arbiter")), CallArbiter(wanted=True))
CALLED: Final = ScreenLine(Option(CALL.option.id, say("No arbiter any more")), CallArbiter(wanted=False))
GIVE_UP: Final = ScreenLine(
    Option(
        f"{TABLE}give-up",
        say("Give the match up"),
        confirm=True,
        then=say("The club hears that it was left: the arbiter decides."),
    ),
    GiveUp(),
    hint=say("The arbiter decides. Choose it twice"),
)
WHAT: Final = Option(f"{TABLE}what", say("What is this?"))
CARDS_ON: Final = ScreenLine(
    Option(f"{TABLE}cards-on", say("Cards: show all")),
    SwitchCards(is_on=True),
    hint=say("Of what comes up rarely, once"),
)
CARDS_OFF: Final = ScreenLine(Option(f"{TABLE}cards-off", say("Cards: show none")), SwitchCards(is_on=False))
PACE: Final = Option(f"{TABLE}pace", say("Pace"))
PACE_NAMES: Final = {"quick": say("Quick"), "usual": say("Usual"), "unhurried": say("Unhurried")}
LANGUAGE: Final = Option(f"{TABLE}language", say("Language"))
OFF: Final = ScreenLine(
    Option(
        f"{TABLE}off",
        say("Switch off"),
        confirm=True,
        then=say("Everything is kept; the match goes on at the next start."),
    ),
    SwitchOff(),
    hint=say("All matches are kept. Choose it twice"),
)
OFF_HERE: Final = Option(OFF.option.id, OFF.option.label)  # where the table only says what to do instead
FAREWELL: Final = Screen(
    say("Switching off"), say("It is the Pi's own light"), words=say("All is kept. Unplug when the green light is out")
)


def this_table(
    settings: Settings,
    no_power_off: str = "",
    *,
    in_match: bool = False,
    club: ClubState | None = None,
    meanings: Mapping[str, str] = {},
    languages: Languages | None = None,
) -> Screen:
    """Return the screen of the table's own menu.

    Args:
        settings: the table's settings, including its pace.
        no_power_off: the advice to show if the table may not switch its machine off; else empty.
        in_match: whether a match is in progress.
        club: the state of the table's club; `None` without a club.
        meanings: what the things mean that the match shows, keyed by their names; empty without a match.
        languages: returns the languages' own names by their codes; `None` if there is no choice.
    """
    off = ScreenLine(OFF_HERE, partial(text_screen, OFF_HERE.label, no_power_off)) if no_power_off else OFF
    arbiter = () if club is None else (CALLED,) if club.calls_arbiter else (CALL,)
    give_up = (GIVE_UP,) if club is not None and club.is_paired else ()
    what = (ScreenLine(WHAT, lambda: thing_choice(meanings), hint=say("Each thing that is shown")),) if meanings else ()
    pace = ScreenLine(PACE, lambda: pace_choice(settings), hint=say("Of computers and dice"))
    language: tuple[ScreenLine, ...] = ()
    if languages is not None:
        language = (ScreenLine(LANGUAGE, partial(language_choice, settings, languages)),)
    lines = (
        (GO_ON, *what, *arbiter, ADDRESS, LEAVE, *give_up, pace, *language, off)
        if in_match
        else (*arbiter, ADDRESS, pace, *language, off, WAY_BACK)
    )
    return Screen(THIS_TABLE, say("What is to be done?"), lines)


def thing_choice(meanings: Mapping[str, str]) -> Screen:
    """Return the screen to choose the thing that is to be explained; `meanings` maps names to sentences."""
    lines = (
        ScreenLine(Option(f"{WHAT.id}-{number}", name), partial(text_screen, name, words))
        for number, (name, words) in enumerate(meanings.items(), start=1)
    )
    return Screen(WHAT.label, say("Which of these?"), (*lines, CARDS_ON, CARDS_OFF, WAY_BACK))


def pace_choice(settings: Settings) -> Screen:
    """Return the screen to choose the pace of computers and dice; the cursor starts on the present pace."""
    lines = [ScreenLine(Option(f"{PACE.id}-{pace}", PACE_NAMES[pace]), SetPace(pace)) for pace in PACES]
    return Screen(
        PACE.label, say("How fast are computers and dice?"), (*lines, WAY_BACK), default=f"{PACE.id}-{settings.pace}"
    )


def language_choice(settings: Settings, languages: Languages) -> Screen:
    """Return the screen to choose the language by its own name; the cursor starts on the present one."""
    lines = [ScreenLine(Option(f"{LANGUAGE.id}-{code}", name), SetLanguage(code)) for code, name in languages().items()]
    return Screen(
        LANGUAGE.label,
        say("In which language are display and voice?"),
        (*lines, WAY_BACK),
        default=f"{LANGUAGE.id}-{settings.language}",
    )


def text_screen(title: str, words: str, address: str = "") -> Screen:
    """Return a screen with a text to read; an address, if given, is also shown, with its QR code."""
    return Screen(title, words, (WAY_BACK,), address=address, is_read=not address)
