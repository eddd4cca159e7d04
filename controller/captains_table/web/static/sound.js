// Plays the sound of each event: the tones of the table's buzzer (data-sounds), made here by Web Audio.

import { remembered } from "./remembered.js";

/** Signal -> its tones, [hertz, milliseconds] each, and its timbre. */
export const sounds = JSON.parse(document.querySelector("[data-sounds]")?.dataset.sounds ?? "{}");
const BETWEEN_S = 0.06; // pause between sounds that arrive together
let context = null; // browsers play no sound before the first click on the page
let playing = null; // the current sound, which a new one replaces

/** Prepare the audio context after the first click on the page. */
function wake() {
  const isTouched = navigator.userActivation?.hasBeenActive ?? true;
  if (remembered("sound") !== "on" || !isTouched) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
}
for (const gesture of ["pointerup", "keydown", "click"]) {
  document.addEventListener(gesture, wake, { capture: true, passive: true });
}

/** Ramp a level from one value to another and back to zero, without a click. */
function swell(level, { at, peak, attack, hold, fade }) {
  level.setValueAtTime(0.0001, at);
  level.exponentialRampToValueAtTime(peak, at + attack);
  level.setValueAtTime(peak, at + attack + hold);
  level.exponentialRampToValueAtTime(0.0001, at + attack + hold + fade);
  return at + attack + hold + fade;
}

function note(audio, out, { wave, hertz, ...shape }) {
  const oscillator = new OscillatorNode(audio, { type: wave, frequency: hertz });
  const level = new GainNode(audio, { gain: 0 });
  oscillator.connect(level).connect(out);
  oscillator.start(shape.at);
  oscillator.stop(swell(level.gain, shape));
}

const timbres = {
  /** A knock on wood: short, however long the buzzer has to sound to be heard. */
  wood(audio, out, hertz, at) {
    note(audio, out, { wave: "triangle", hertz: hertz / 2, at, peak: 0.5, attack: 0.002, hold: 0, fade: 0.07 });
    note(audio, out, { wave: "square", hertz: hertz * 1.5, at, peak: 0.06, attack: 0.001, hold: 0, fade: 0.02 });
  },
  bell(audio, out, hertz, at, length) {
    note(audio, out, { wave: "sine", hertz, at, peak: 0.3, attack: 0.004, hold: 0, fade: length + 0.35 });
    note(audio, out, { wave: "sine", hertz: hertz * 2.76, at, peak: 0.06, attack: 0.002, hold: 0, fade: 0.15 });
  },
  brass(audio, out, hertz, at, length) {
    const soft = new BiquadFilterNode(audio, { type: "lowpass", frequency: hertz * 3 });
    soft.connect(out);
    note(audio, soft, { wave: "sawtooth", hertz, at, peak: 0.22, attack: 0.02, hold: Math.max(0, length - 0.05), fade: 0.06 });
  },
};

/** Schedule sounds one after the other on an audio context's clock; return when the last one ends. */
export function schedule(audio, out, kinds, at) {
  for (const { tones, timbre } of kinds.map((kind) => sounds[kind]).filter(Boolean)) {
    for (const [hertz, ms] of tones) {
      if (hertz) timbres[timbre](audio, out, hertz, at, ms / 1000);
      at += ms / 1000;
    }
    at += BETWEEN_S;
  }
  return at;
}

function play(kinds) {
  if (!kinds.length || remembered("sound") !== "on" || context?.state !== "running") return;
  playing?.gain.setTargetAtTime(0, context.currentTime, 0.01);
  playing = new GainNode(context);
  playing.connect(context.destination);
  schedule(context, playing, kinds, context.currentTime + 0.01);
}

document.addEventListener("heard", (event) => { play(event.detail.sounds); });
document.addEventListener("remembered", ({ detail }) => {
  if (detail.name !== "sound" || detail.value === "on") return;
  playing?.gain.setTargetAtTime(0, context.currentTime, 0.01);
});
