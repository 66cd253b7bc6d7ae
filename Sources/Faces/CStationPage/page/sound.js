// Three sounds that nobody mixes up: two notes up (good), one low and dull (look), three falling (bad).

const TUNES = {
  good: [[880, 0, 0.09, "sine"], [1318.5, 0.08, 0.2, "sine"]],
  right: [[1046.5, 0, 0.14, "sine"]],
  look: [[440, 0, 0.16, "triangle"], [440, 0.22, 0.16, "triangle"]],
  bad: [[311, 0, 0.16, "square"], [247, 0.15, 0.16, "square"], [185, 0.3, 0.36, "square"]],
  finished: [[659.3, 0, 0.14, "sine"], [784, 0.13, 0.14, "sine"], [1046.5, 0.26, 0.14, "sine"], [1318.5, 0.39, 0.5, "sine"]],
};
const LOUDNESS = { sine: 0.32, triangle: 0.4, square: 0.12 };

let context = null;
let muted = false;
try {
  muted = localStorage.getItem("cliptag-muted") === "yes";
} catch {
  // Without storage the page begins with sound.
}

/// Browsers allow sound after a first key or click; until then there is none.
function wake() {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {});
}
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, wake, { capture: true, passive: true });

export const isMuted = () => muted;

export function setMuted(value) {
  muted = value;
  try {
    localStorage.setItem("cliptag-muted", value ? "yes" : "no");
  } catch {
    // It holds for this page then.
  }
}

/// Plays a tune. One that was `askedFor` is heard even while the page is muted.
export function play(name, askedFor = false) {
  if ((muted && !askedFor) || !context || context.state !== "running") return;
  const start = context.currentTime + 0.01;
  for (const [pitch, after, length, shape] of TUNES[name] ?? []) {
    const tone = context.createOscillator();
    const gain = context.createGain();
    tone.type = shape;
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(0, start + after);
    gain.gain.linearRampToValueAtTime(LOUDNESS[shape], start + after + 0.012);
    gain.gain.exponentialRampToValueAtTime(0.0008, start + after + length);
    tone.connect(gain).connect(context.destination);
    tone.start(start + after);
    tone.stop(start + after + length + 0.03);
  }
}
