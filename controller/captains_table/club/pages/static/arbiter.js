"use strict";
// The arbiter's pages: an event's page follows what its tables tell; a file is read into the field it belongs to.

const eventNumber = document.body.dataset.event;
if (eventNumber) {
  const lost = document.getElementById("connection");
  followTable(`event=${eventNumber}`, {
    onFragments: swapAll,
    onConnected: (connected) => { lost.hidden = connected; },
    onBoot: (boot) => { if (boot !== document.body.dataset.boot) location.reload(); },
  });
}

for (const input of document.querySelectorAll("input[type=file][data-into]")) {
  input.addEventListener("change", async () => {
    const [file] = input.files;
    if (file) document.getElementById(input.dataset.into).value = await file.text();
  });
}
