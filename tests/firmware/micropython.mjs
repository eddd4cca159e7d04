// Runs a MicroPython program with files, a serial line and controls of its own:
//   node micropython.mjs PLAN
// PLAN is a JSON file: {"files": [[where it is, where MicroPython sees it], ...], "start": "a program"}; the program is run
// anew, in a new interpreter, each time it ends. With "again" that program is run over and over in the same interpreter:
// MicroPython's port to JavaScript collects garbage between programs only.
// With "prompt" the program is followed by MicroPython's own prompt on the serial line.
// Descriptors, all non-blocking: 3 the serial line, 4 control lines in, 5 answers out.
// Everything is synchronous, as on the board: the program's own loop runs, and time is real.
import fs from 'node:fs';
import path from 'node:path';
import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';

const SERIAL = 3, CONTROL = 4, ANSWERS = 5;
const FIFO_BYTES = 256; // what the Pico's USB stream takes before it waits
const RAW_PASTE = '\x05A\x01', NO_RAW_PASTE = 'R\0';
const plan = JSON.parse(fs.readFileSync(process.argv[2]));
const sleeper = new Int32Array(new SharedArrayBuffer(4));
let outgoing = Buffer.alloc(0), control = '';

// Returns what is there: undefined if nothing is, or if the other end is closed for now; null at the end of a pipe.
function read(descriptor) {
  const chunk = Buffer.alloc(FIFO_BYTES);
  try {
    const length = fs.readSync(descriptor, chunk);
    return length ? chunk.subarray(0, length) : null;
  } catch (error) {
    if (error.code === 'EAGAIN' || error.code === 'EIO') return undefined;
    throw error;
  }
}

function flush() {
  while (outgoing.length) {
    try {
      outgoing = outgoing.subarray(fs.writeSync(SERIAL, outgoing));
    } catch (error) {
      if (error.code === 'EAGAIN') return; // the reader has stalled
      if (error.code !== 'EIO' && error.code !== 'EPIPE') throw error;
      outgoing = Buffer.alloc(0);
    }
  }
}

// The control lines that are whole, each with its newline. When whoever controls us is gone, so are we.
function controlLines() {
  const more = read(CONTROL);
  if (more === null) process.exit(0);
  control += more ?? '';
  const end = control.lastIndexOf('\n') + 1;
  const lines = control.slice(0, end);
  control = control.slice(end);
  return lines;
}

// A call from MicroPython is dear, so there is one for all: it sends, rests, and returns how many bytes wait for the
// reader, what arrived (both ways in hexadecimal), and control lines.
const wires = {
  exchange: (sent, rest_ms) => {
    outgoing = Buffer.concat([outgoing, Buffer.from(sent, 'hex')]);
    flush();
    Atomics.wait(sleeper, 0, 0, rest_ms);
    return `${outgoing.length} ${(read(SERIAL) ?? Buffer.alloc(0)).toString('hex')}\n${controlLines()}`;
  },
  stop: () => process.exit(0),
  answer: (line) => { fs.writeSync(ANSWERS, line + '\n'); },
};

// One life of the board: from power-on, or a reset, to the next reset.
async function live(kept) {
  const python = await loadMicroPython({ heapsize: 192 * 1024, linebuffer: true, stdout: (line) => console.error(line) });
  python.registerJsModule('wires', wires);
  for (const [source, target] of plan.files) {
    python.FS.mkdirTree(path.posix.dirname('/' + target));
    python.FS.writeFile('/' + target, fs.readFileSync(source));
  }
  for (const [name, content] of kept) python.FS.writeFile('/' + name, content);
  python.globals.set('after_a_reset', kept.after_a_reset ?? false);
  python.runPython(plan.start);
  while (plan.again) python.runPython(plan.again);
  if (plan.once) process.exit(0);
  const mark = python.FS.readdir('/').filter((name) => name === 'update');
  return Object.assign(mark.map((name) => [name, python.FS.readFile('/' + name)]), { after_a_reset: true });
}

// A bare board: MicroPython's prompt on the serial line, as mpremote meets it.
async function prompt() {
  const python = await loadMicroPython({ linebuffer: false, stdout: (bytes) => { outgoing = Buffer.concat([outgoing, bytes]); } });
  python.runPython(plan.start);
  python.replInit();
  for (;;) {
    controlLines();
    let typed = (read(SERIAL) ?? Buffer.alloc(0)).toString('latin1');
    if (typed.startsWith(RAW_PASTE)) { // this port hangs there; a Pico does it
      typed = typed.slice(RAW_PASTE.length);
      outgoing = Buffer.concat([outgoing, Buffer.from(NO_RAW_PASTE)]);
    }
    for (const byte of Buffer.from(typed, 'latin1')) python.replProcessChar(byte);
    flush();
    if (!typed) Atomics.wait(sleeper, 0, 0, 1);
  }
}

try {
  if (plan.prompt) await prompt();
  for (let kept = []; ; ) kept = await live(kept);
} catch (error) { // the interpreter's own source is one line of 100 kB: not on the screen, please
  console.error(error.message);
  process.exit(1);
}
