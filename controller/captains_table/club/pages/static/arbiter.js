"use strict";
// The arbiter's forms: a file is read into the field it belongs to, and a link to another form of a page keeps what was
// entered.

for (const link of document.querySelectorAll("a[data-keeps]")) {
  link.addEventListener("click", () => {
    const fields = new URLSearchParams(new FormData(document.getElementById(link.dataset.keeps)));
    for (const [name, value] of new URLSearchParams(link.search)) fields.set(name, value);
    link.search = fields;
  });
}

for (const input of document.querySelectorAll("input[type=file][data-into]")) {
  input.addEventListener("change", async () => {
    const [file] = input.files;
    if (file) document.getElementById(input.dataset.into).value = decoded(await file.arrayBuffer());
  });
}

// UTF-16 if there is a byte order mark, else UTF-8, else Windows-1252.
function decoded(content) {
  const [first, second] = new Uint8Array(content);
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(content);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    return new TextDecoder("windows-1252").decode(content);
  }
}
