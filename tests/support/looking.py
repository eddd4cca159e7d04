"""What the eye and the finger find on a page: what lies in sight, what is too small, what jumped; and a finger."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession, Locator, Page

LAPTOP: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
SMALL_PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
ON_ITS_SIDE: dict[str, Any] = {"viewport": {"width": 844, "height": 390}, "is_mobile": True, "has_touch": True}
STEPS = 6  # of a drag

WATCH_SHIFTS = """() => {
  window.shifts = [];
  const place = (box) => [box.x, box.y, box.width, box.height].map(Math.round).join(",");
  const told = ({ node, previousRect, currentRect }) =>
    `${node?.id || node?.className || node?.nodeName || "gone"} ${place(previousRect)} -> ${place(currentRect)}`;
  const note = (list) => {
    for (const entry of list.getEntries()) {
      const shift = [entry.value, ...entry.sources.map(told)];
      window.shifts.push(shift);
      window.tellShift?.([location.pathname, entry.hadRecentInput ? "after input" : "by itself", ...shift]);
    }
  };
  new PerformanceObserver(note).observe({ type: "layout-shift", buffered: true });
}"""

CUT_OR_COVERED = Path(__file__).with_name("cut_or_covered.js").read_text("utf-8")

# What is not wholly inside the window, or hidden by what it scrolls in.
OUT_OF_SIGHT = """(selectors) => selectors.flatMap((selector) => [...document.querySelectorAll(selector)].flatMap(
(element) => {
  const box = element.getBoundingClientRect();
  const slack = 1;
  let clip = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  for (let around = element.parentElement; around; around = around.parentElement) {
    if (getComputedStyle(around).overflow === "visible") continue;
    const edge = around.getBoundingClientRect();
    clip = { left: Math.max(clip.left, edge.left), top: Math.max(clip.top, edge.top),
             right: Math.min(clip.right, edge.right), bottom: Math.min(clip.bottom, edge.bottom) };
  }
  const inside = box.left >= clip.left - slack && box.top >= clip.top - slack
    && box.right <= clip.right + slack && box.bottom <= clip.bottom + slack && box.width > 0;
  return inside ? [] : [`${selector} ${element.textContent.trim().slice(0, 30)} ${JSON.stringify(box)}`];
}))"""

# Where a sign says that there is more below, although all but the last pixels is in sight.
NEEDLESS_SIGNS = """() => [...document.querySelectorAll("#prompt, #ask, #tallies")].filter((box) => {
  const sign = getComputedStyle(box, "::after");
  return sign.content !== "none" && sign.opacity !== "0" && box.scrollHeight - box.clientHeight <= 3;
}).map((box) => `${box.id} fades for nothing`)"""

# What can be clicked or tapped and is smaller than a fingertip: 44 px, a square of the board 40 px.
TOO_SMALL = """() => [...document.querySelectorAll("a, button, summary, input, select, [data-board] .square")].flatMap(
(element) => {
  if (!element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) return [];
  const square = element.matches("[data-square]") ? element.querySelector("rect") : element;
  const box = square.getBoundingClientRect();
  const least = element.matches("[data-square]") ? 40 : 44;
  const large = box.width >= least - 0.01 && box.height >= least - 0.01;
  const size = `${box.width.toFixed(1)} x ${box.height.toFixed(1)}`;
  return large || box.width === 0 ? [] : [`${element.outerHTML.slice(0, 80)}: ${size}`];
})"""

# Buttons of one part of a page between which there is hardly a gap.
TOUCHING = """(least) => {
  const parts = ".live, .drawer, dialog, main, header";
  const boxes = [...document.querySelectorAll(".button, .knob")]
    .filter((element) => element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }))
    .map((element) => [element, element.getBoundingClientRect(), element.closest(parts)]);
  const gap = (one, other, start, end) => Math.max(other[start] - one[end], one[start] - other[end]);
  return boxes.flatMap(([button, one, part], at) => boxes.slice(at + 1).flatMap(([next, other, otherPart]) => {
    if (part !== otherPart) return [];
    const apart = Math.max(gap(one, other, "left", "right"), gap(one, other, "top", "bottom"));
    return apart < least ? [`${button.textContent.trim()} / ${next.textContent.trim()}: ${apart} px`] : [];
  }));
}"""
# What may have the focus of the keyboard and shows none: neither an outline, nor its label's, nor a square's frame.
WITHOUT_SIGN_OF_FOCUS = """() => {
  const outlined = (element) => {
    const css = element && getComputedStyle(element);
    return css && css.outlineStyle !== "none" && parseFloat(css.outlineWidth) >= 1;
  };
  const framed = (frame) => frame && getComputedStyle(frame).stroke === "rgb(11, 95, 255)";
  const shows = (element) =>
    outlined(element) || outlined(element.closest("label")) || framed(element.querySelector(":scope > .focus"));
  const can = "a, button:not(:disabled), summary, input:not([type=hidden], :disabled), select, [tabindex='0']";
  const found = [];
  for (const element of document.querySelectorAll(can)) {
    if (!element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) continue;
    document.activeElement.blur();
    element.focus({ preventScroll: true, focusVisible: true });
    if (document.activeElement === element && !shows(element)) found.push(element.outerHTML.slice(0, 100));
  }
  document.activeElement.blur();
  return found;
}"""
LEAST_GAP = 4


def watch_shifts(page: Page) -> None:
    """Note every layout shift of a page from its beginning, those after input included."""
    page.evaluate(WATCH_SHIFTS)


def tell_shifts(page: Page, hear: Callable[[Sequence[object]], None]) -> None:
    """Tell every layout shift of whatever is opened there: its path, its kind, how much, and what moved.

    Its kind is whether input came before it within half a second: a browser leaves such shifts out of its sum.
    """
    page.expose_function("tellShift", hear)
    page.add_init_script(f"({WATCH_SHIFTS})()")


def shifts(page: Page) -> list[object]:
    """Return every layout shift so far: how much, and what moved from where to where (x, y, width, height in px)."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    found: list[object] = page.evaluate("window.shifts")
    return found


def out_of_sight(page: Page, *selectors: str) -> list[str]:
    """Return which elements are not wholly in sight as the page stands, without scrolling."""
    found: list[str] = page.evaluate(OUT_OF_SIGHT, list(selectors))
    return found


def needless_signs(page: Page) -> list[str]:
    """Return which boxes fade out as if there were more below them, and show all."""
    found: list[str] = page.evaluate(NEEDLESS_SIGNS)
    return found


def too_small(page: Page) -> list[str]:
    """Return what can be clicked and is smaller than a fingertip."""
    found: list[str] = page.evaluate(TOO_SMALL)
    return found


def cut_or_covered(page: Page) -> list[str]:
    """Return what is cut without a sign, sticks out, scrolls the page sideways, or lies below something else."""
    found: list[str] = page.evaluate(CUT_OR_COVERED)
    return found


def touching(page: Page) -> list[str]:
    """Return which buttons in sight touch, or nearly so."""
    found: list[str] = page.evaluate(TOUCHING, LEAST_GAP)
    return found


def without_sign_of_focus(page: Page) -> list[str]:
    """Return what does not show that it has the keyboard's focus."""
    found: list[str] = page.evaluate(WITHOUT_SIGN_OF_FOCUS)
    return found


class Finger:
    """A finger on a phone's glass."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._glass: CDPSession = page.context.new_cdp_session(page)
        self._at = (0.0, 0.0)

    def down(self, on: Locator) -> None:
        """Lay the finger on something."""
        self._at = self._middle(on)
        self._touch("touchStart")

    def slide(self, to: Locator) -> None:
        """Slide it, without lifting it, to something else."""
        (x, y), (to_x, to_y) = self._at, self._middle(to)
        for step in range(1, STEPS + 1):
            self._at = (x + (to_x - x) * step / STEPS, y + (to_y - y) * step / STEPS)
            self._touch("touchMove")

    def up(self) -> None:
        """Lift the finger."""
        self._glass.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def _middle(self, of: Locator) -> tuple[float, float]:
        box = of.bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def _touch(self, kind: str) -> None:
        x, y = self._at
        self._glass.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
