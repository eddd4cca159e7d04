"use strict";
// The overlay of a table in a video stream: it shows what the club sends, keeps the last picture while the line is lost,
// and reconnects by itself.

const { overlay, secret, side } = document.body.dataset;

followTable(new URLSearchParams({ overlay, secret, side }).toString(), {
  onFragments: swapAll,
  onConnected: () => {},
  onBoot: renewPage,
});
