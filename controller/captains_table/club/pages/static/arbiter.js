"use strict";
// The arbiter's pages: an event's page follows what its tables tell; a file is read into the field it belongs to.

const eventNumber = document.body.dataset.event;
if (eventNumber) {
  followTable(`event=${eventNumber}`, { onFragments: swapAll, onConnected: showLine, onBoot: renewPage });
}

for (const input of document.querySelectorAll("input[type=file][data-into]")) {
  input.addEventListener("change", async () => {
    const [file] = input.files;
    if (file) document.getElementById(input.dataset.into).value = await file.text();
  });
}
