// What is wider than the window; words that are cut without a sign or stick out; and what one may press under another.
// On a knob that is not to be used something else may lie; below an open drawer or dialog everything.
() => {
  const found = document.documentElement.scrollWidth > innerWidth ? ["the page scrolls sideways"] : [];
  const words = (element) => `${element.id || element.className || element.nodeName} "${element.textContent.trim().slice(0, 50)}"`;
  const hides = (overflow) => overflow === "hidden" || overflow === "clip";
  const over = document.querySelector("dialog[open]") ?? document.querySelector(".drawer.open");
  const isScrolledAway = (element, x, y) => {
    for (let around = element.parentElement; around; around = around.parentElement) {
      if (getComputedStyle(around).overflowY === "visible") continue;
      const box = around.getBoundingClientRect();
      if (y < box.top || y > box.bottom || x < box.left || x > box.right) return true;
    }
    return false;
  };
  const coveredBy = (element) => {
    if (document.documentElement.scrollHeight > innerHeight) element.scrollIntoView({ block: "center" }); // from under what stays
    const box = element.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    if (x <= 0 || y <= 0 || x >= innerWidth || y >= innerHeight || isScrolledAway(element, x, y)) return null;
    const top = document.elementFromPoint(x, y);
    const isLabel = [...(element.labels ?? [])].some((label) => label.contains(top));
    return !top || isLabel || element.contains(top) || top.contains(element) ? null : top;
  };
  for (const element of document.querySelectorAll("body *")) {
    if (!(element instanceof HTMLElement) || element.closest(".unseen") || element.clientWidth < 3) continue;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true })) continue;
    const css = getComputedStyle(element);
    if (css.clipPath !== "none") continue;
    const isWider = element.scrollWidth > element.clientWidth + 1 && element.textContent.trim() !== "";
    const isHigher = element.scrollHeight > element.clientHeight + 2 && element.textContent.trim() !== "";
    const hasWords = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    const hasSign = css.textOverflow === "ellipsis" || css.webkitLineClamp !== "none";
    if (isWider && hides(css.overflowX) && !hasSign) found.push(`cut: ${words(element)}`);
    if (isHigher && hides(css.overflowY) && !hasSign && element !== document.body) found.push(`cut below: ${words(element)}`);
    if (isWider && hasWords && css.overflowX === "visible" && css.display !== "inline") found.push(`sticks out: ${words(element)}`);
    const isPressed = element.matches("a, button, summary, input, select") && element.getAttribute("aria-disabled") !== "true" && !element.closest("[inert]");
    if (!isPressed || (over && !over.contains(element)) || css.pointerEvents === "none") continue;
    const top = coveredBy(element);
    if (top) found.push(`covered: ${words(element)} by ${words(top)}`);
  }
  return [...new Set(found)];
}
