"""Speech at the table: the real espeak-ng speaks into files, which are read back."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

from captains_table.catalog.languages import language_codes
from captains_table.devices.sound import speech as module
from captains_table.devices.sound.speech import Speech, Voice
from captains_table.phrases import Language
from captains_table.table.model.view import View
from tests.devices.reports import until, wait_at_rest
from tests.support.mouth import AUDIBLE, Mouth

ON = Voice(speech=True)
SENTENCE = "Anne throws 6 5 4 2 2: ship, captain, crew; cargo 4."


@pytest.fixture
def mouth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mouth:
    return Mouth(tmp_path, monkeypatch)


@pytest.fixture
def speech() -> Iterator[Speech]:
    with closing(Speech(ON, lambda: None)) as speech:
        yield speech


def tell(speech: Speech, words: str) -> None:
    """Let a view tell something, and wait until that was said or was not."""
    speech.show(View(told=words))
    assert wait_at_rest(speech)


# --- what is heard --------------------------------------------------------------------------------------------------


def test_what_the_view_tells_is_heard_and_a_quicker_voice_takes_less_time(mouth: Mouth, speech: Speech) -> None:
    mouth.writes_what_it_hears()
    tell(speech, SENTENCE)
    speech.change(Voice(speech=True, voice="en-us", rate=320))
    tell(speech, f"{SENTENCE} ")
    (slow, _), (quick, _) = mouth.heard()
    assert slow > 2
    assert quick < 0.7 * slow
    assert all(level > AUDIBLE for _, level in mouth.heard())
    assert speech.fault is None


@pytest.mark.parametrize("code", language_codes())
def test_it_has_a_voice_for_every_language(code: str, mouth: Mouth, speech: Speech) -> None:
    mouth.writes_what_it_hears()
    speech.show(View(told="Anne, 5.", language=Language(code)))
    assert wait_at_rest(speech)
    assert speech.fault is None
    assert all(level > AUDIBLE for _, level in mouth.heard())


def test_a_voice_that_speaks_the_language_stays() -> None:
    assert Voice(voice="de-f3").speaking("de") == Voice(voice="de-f3")
    assert Voice(voice="no-such-one").speaking("en") == Voice(voice="no-such-one")
    assert Voice(voice="en-us", rate=99).speaking("de") == Voice(voice="de", rate=99)


def test_a_name_that_looks_like_an_option_or_like_phonemes_is_only_said(mouth: Mouth, speech: Speech) -> None:
    mouth.writes_what_it_hears()
    tell(speech, "--version throws a 6.")
    tell(speech, "[[k'ap]] throws a 6.")
    assert all(seconds > 0.5 and level > AUDIBLE for seconds, level in mouth.heard())
    assert len(mouth.heard()) == 2
    assert speech.fault is None


def test_it_is_a_patient_process(mouth: Mouth, speech: Speech) -> None:
    mouth.is_(f'cat >/dev/null; nice >"{mouth.said_in}"')
    tell(speech, SENTENCE)
    assert int(mouth.said()[0]) >= 10


def test_the_same_is_not_said_twice_and_nothing_while_speech_is_off(mouth: Mouth, speech: Speech) -> None:
    mouth.notes()
    speech.change(Voice())
    tell(speech, "Nobody hears this.")
    speech.change(ON)
    tell(speech, "Nobody hears this.")
    tell(speech, "One.")
    tell(speech, "One.")
    speech.change(Voice())
    tell(speech, "Two.")
    assert mouth.said() == ["One."]


# --- the latest wins ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_sentence_gives_way_after_a_moment_and_of_those_that_wait_the_latest_is_said(
    mouth: Mouth, speech: Speech
) -> None:
    mouth.notes(gated=True)
    speech.show(View(told="One."))
    until(lambda: mouth.said() == ["One."])
    speech.show(View(told="Two."))
    speech.show(View(told="Three."))
    until(lambda: mouth.said() == ["One.", "Three."])
    mouth.gate.touch()
    assert wait_at_rest(speech)
    assert speech.fault is None


def test_nothing_is_said_later_than_it_may_be(mouth: Mouth, speech: Speech, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE_S", 99)
    monkeypatch.setattr(module, "LATEST_S", 0.1)
    mouth.notes(gated=True)
    speech.show(View(told="One."))
    until(lambda: mouth.said() == ["One."])
    speech.show(View(told="Two."))
    Event().wait(0.2)
    mouth.gate.touch()
    assert wait_at_rest(speech)
    assert mouth.said() == ["One."]


def test_switching_it_off_and_closing_it_silence_it_in_the_middle_of_a_sentence(mouth: Mouth, speech: Speech) -> None:
    mouth.notes(gated=True)
    speech.show(View(told="One."))
    until(lambda: mouth.said() == ["One."])
    speech.change(Voice())
    assert wait_at_rest(speech)
    speech.change(ON)
    speech.show(View(told="Two."))
    until(lambda: mouth.said() == ["One.", "Two."])
    speech.close()
    speech.close()
    assert not speech._thread.is_alive()


# --- what may be missing --------------------------------------------------------------------------------------------


def test_no_sound_device_is_a_fault_which_ends_when_there_is_one(
    mouth: Mouth, speech: Speech, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real one ends with 0 then, and says so on its standard error."""
    noticed: list[str | None] = []
    monkeypatch.setattr(speech, "_on_fault", lambda: noticed.append(speech.fault))
    mouth.is_("cat >/dev/null; echo 'ALSA lib pcm.c:2666: Unknown PCM default' >&2; echo 'error: No such device' >&2")
    tell(speech, "One.")
    fault = "The table cannot speak: no sound device answers (No such device). Expected one that espeak-ng can use."
    assert speech.fault == fault
    mouth.notes()
    tell(speech, "Two.")
    assert mouth.said() == [], "it is not tried again at once"
    monkeypatch.setattr(speech, "_silent_until_s", 0.0)  # as when the time is over
    tell(speech, "Three.")
    assert mouth.said() == ["Three."]
    assert speech.fault is None
    assert noticed == [fault, None]


def test_a_machine_without_espeak_ng_is_told_how_to_have_it(
    tmp_path: Path, speech: Speech, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    tell(speech, "One.")
    assert speech.fault == "The table cannot speak: espeak-ng is not installed (sudo apt install espeak-ng)."
    speech.change(Voice())
    assert speech.fault is None


def test_a_voice_that_there_is_not_is_named_by_espeak_ng_itself(speech: Speech) -> None:
    assert shutil.which("espeak-ng") is not None
    speech.change(Voice(speech=True, voice="nonsense"))
    tell(speech, "One.")
    assert speech.fault == "The table cannot speak: The specified espeak-ng voice does not exist."


def test_a_program_that_ends_with_an_error_or_hangs_is_a_fault(
    mouth: Mouth, speech: Speech, monkeypatch: pytest.MonkeyPatch
) -> None:
    mouth.is_("exit 7")
    tell(speech, "One.")
    assert speech.fault == "The table cannot speak: espeak-ng ended with 7."
    monkeypatch.setattr(module, "LONGEST_S", 0.1)
    mouth.notes(gated=True)
    speech.change(Voice(speech=True, rate=200))
    tell(speech, "Two.")
    assert speech.fault == "The table cannot speak: espeak-ng hangs."
