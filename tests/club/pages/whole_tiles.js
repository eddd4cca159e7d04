// What the eye finds wrong with the tiles of a wall: what is cut, what lies over what, who is neither shown nor counted.
() => {
  const SLACK = 1; // pixels
  const LEAST_NAME = 3; // of its letters' height: four or five letters
  const MAY_GO = ".tile-log li, .tile-news li"; // whole, or not at all
  const PARTS = ".berth, h2, .round, .miniature, .tile-seats li, .name, .score, .bid, .clock, .mark, .tile-dice li, "
    + ".tile-dice svg, .tile-words, .flag";

  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true });
  const width = (box) => box.right - box.left;
  const height = (box) => box.bottom - box.top;
  const isGone = (box) => width(box) <= SLACK || height(box) <= SLACK;
  const both = (one, other) => ({
    left: Math.max(one.left, other.left), top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right), bottom: Math.min(one.bottom, other.bottom),
  });
  const place = (box) => [box.left, box.top, box.right, box.bottom].map(Math.round).join(",");
  const words = (node) => node.textContent.trim().slice(0, 30);

  /** What of a box is left when all that it lies in has cut off what sticks out. */
  function leftOf(element, box, tile) {
    let left = both(box, tile.getBoundingClientRect());
    for (let outer = element; outer !== tile; outer = outer.parentElement) {
      if (getComputedStyle(outer).overflow !== "visible") left = both(left, outer.getBoundingClientRect());
    }
    return left;
  }

  function* wrongWithPart(part, tile) {
    const box = part.getBoundingClientRect();
    const left = leftOf(part, box, tile);
    if (isGone(left)) {
      if (!part.matches(MAY_GO) && part.textContent.trim()) yield "not to be seen";
      return;
    }
    if (width(left) < width(box) - SLACK || height(left) < height(box) - SLACK) yield `cut, ${place(box)} to ${place(left)}`;
    const style = getComputedStyle(part);
    const isTooLong = part.scrollWidth > part.clientWidth + SLACK;
    if (isTooLong && style.overflowX === "hidden" && style.textOverflow !== "ellipsis") yield "cut without a sign";
    const least = Math.min(part.scrollWidth, LEAST_NAME * parseFloat(style.fontSize)) - SLACK;
    if (part.matches(".name") && part.clientWidth < least) yield `hardly a letter, ${part.clientWidth} px`;
  }

  /** All texts and pictures of a tile as they are seen, each with its box as it would be, and as it is. */
  function* drawn(tile) {
    const walker = document.createTreeWalker(tile.querySelector(".face"), NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const around = text.parentElement;
      if (!text.data.trim() || around.closest("svg") || !isSeen(around)) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const box of range.getClientRects()) yield { node: text, box, left: leftOf(around, box, tile) };
    }
    for (const svg of tile.querySelectorAll(".tile-dice svg, .miniature")) {
      const box = svg.getBoundingClientRect();
      if (isSeen(svg)) yield { node: svg, box, left: box };
    }
  }

  function* wrongWithTexts(tile) {
    const seen = [...drawn(tile)].filter(({ left }) => !isGone(left));
    for (const [number, { node, box, left }] of seen.entries()) {
      if (height(left) < 0.8 * height(box)) yield `letters cut: "${words(node)}" ${place(box)} to ${place(left)}`;
      for (const other of seen.slice(number + 1)) {
        const shared = both(left, other.left);
        if (node === other.node || width(shared) <= SLACK || height(shared) <= 3 * SLACK) continue;
        yield `over each other: "${words(node)}" ${place(left)} and "${words(other.node)}" ${place(other.left)}`;
      }
    }
  }

  /** All are shown or counted, whoever is to act among them. */
  function* wrongWithPlayers(tile) {
    const list = tile.querySelector(".tile-seats");
    const seats = [...list.querySelectorAll("li:not(.more)")];
    const more = list.querySelector(".more");
    const shown = seats.filter(isSeen).length;
    const counted = more && isSeen(more) ? Number(more.textContent.match(/\d+/)[0]) : 0;
    const players = Number(list.dataset.beyond) + seats.length;
    if (shown + counted !== players) yield `of ${players} players ${shown} are shown and ${counted} counted`;
    const acting = seats.filter((seat) => seat.classList.contains("on-turn"));
    if (acting.length && !acting.some(isSeen)) yield "nobody who is to act is shown";
  }

  function* wrongWith(tile) {
    for (const part of tile.querySelectorAll(`${PARTS}, ${MAY_GO}`)) {
      if (!isSeen(part)) continue;
      for (const wrong of wrongWithPart(part, tile)) yield `${part.className.baseVal ?? part.className} "${words(part)}": ${wrong}`;
    }
    yield* wrongWithTexts(tile);
    yield* wrongWithPlayers(tile);
  }

  const tiles = [...document.querySelectorAll(".tile")].filter((tile) => tile.getBoundingClientRect().width);
  return tiles.flatMap((tile) => [...wrongWith(tile)].map((wrong) => `${tile.closest(".slot").id}: ${wrong}`));
}
