"""What a browser sounds and says of what happens, and what it is told of it: while it happens, and never later."""

import pytest
from playwright.sync_api import Page, expect

from captains_table.table.model.sounds import SOUNDS
from tests.e2e.conftest import Call, OpenTable
from tests.support.browser import Visitor
from tests.support.table_process import Caller

LISTENING = """
window.started = [];
window.said = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (when) { window.started.push(this.frequency.value); start.call(this, when); };
Object.defineProperty(window, "speechSynthesis", {
  value: { speaking: false, cancel() {}, speak(sentence) { window.said.push(sentence.text); } },
});
"""
LOUDNESS = """async (kind) => {
  const { schedule } = await import("/static/sound.js");
  const audio = new OfflineAudioContext(1, 4 * 24000, 24000);
  const ends = schedule(audio, audio.destination, [kind], 0);
  const levels = (await audio.startRendering()).getChannelData(0);
  return { ends, peak: levels.reduce((peak, level) => Math.max(peak, Math.abs(level)), 0) };
}"""

pytestmark = pytest.mark.browser


class Listener:
    """A page, what it sounded and said, and somebody else who plays."""

    def __init__(self, page: Page, caller: Caller) -> None:
        self.page, self._caller = page, caller

    def throw(self) -> None:
        """Let somebody at the table throw for the start, and wait until the page shows it."""
        before = self.page.locator("#told").inner_text()
        for way in ("press", "release"):
            assert self._caller.post(f"/button/roll/{way}").status_code == 204
        expect(self.page.locator("#told")).not_to_have_text(before)

    def started(self) -> int:
        return int(self.page.evaluate("started.length"))

    def said(self) -> list[str]:
        said: list[str] = self.page.evaluate("said")
        return said

    def switch(self, name: str, *, on: bool) -> None:
        self.page.get_by_role("button", name="Settings").click()
        self.page.get_by_role("switch", name=name).set_checked(on)
        self.page.get_by_role("button", name="Done").click()

    def touch(self) -> None:
        """Touch the page, which is what lets it sound."""
        self.page.locator("h1").first.click()


@pytest.fixture
def anne(open_table: OpenTable, visitor: Visitor, call: Call) -> Listener:
    """Return somebody who listens at the page of a table."""
    table = open_table("play", "swashbuckle", "--players", "Anne", "Bart")
    return Listener(visitor.open(table.printed, script=LISTENING), call(table))


def test_a_page_sounds_what_happens_once_it_was_touched_until_sounds_are_switched_off_for_good(anne: Listener) -> None:
    """One that comes late does not; a throw is told to screen readers all the same."""
    anne.throw()
    assert anne.started() == 0, "no browser lets a page sound that nobody touched"
    anne.touch()
    assert anne.started() == 0
    anne.throw()
    anne.page.wait_for_function("() => started.length > 0")
    anne.page.reload()
    anne.touch()
    expect(anne.page.locator("#told")).to_contain_text("throws")
    assert anne.started() == 0
    anne.switch("Sounds", on=False)
    anne.throw()
    expect(anne.page.locator("[aria-live]")).to_have_count(1)
    expect(anne.page.get_by_role("status").filter(has_text="throws")).to_have_count(1)
    anne.page.reload()
    anne.touch()
    anne.throw()
    assert anne.started() == 0


def test_speech_is_off_until_wanted_and_then_remembered_and_every_sound_is_made_by_the_page(anne: Listener) -> None:
    anne.throw()
    assert anne.said() == []
    anne.switch("Speech", on=True)
    (first,) = anne.said()
    assert first.startswith("Anne throws"), "so that it is heard that it works"
    anne.throw()
    anne.page.wait_for_function("() => said.length === 2")
    anne.page.reload()
    expect(anne.page.locator("#told")).to_contain_text("throws")
    assert anne.said() == [], "what was said before is not said again"
    anne.throw()
    anne.page.wait_for_function("() => said.length === 1")
    for kind, sound in SOUNDS.items():
        heard = anne.page.evaluate(LOUDNESS, kind)
        assert 0.03 < heard["peak"] <= 1, kind
        assert heard["ends"] >= sum(ms for _, ms in sound.tones) / 1000, kind
