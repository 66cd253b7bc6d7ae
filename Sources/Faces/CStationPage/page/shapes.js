// The large shapes of the Now page. Each state has one of its own, told apart without colour.

import { svg } from "./dom.js";

const ring = (extra = "") => svg("circle", { class: `s-line ${extra}`, cx: 100, cy: 100, r: 84 });
const disc = () => svg("circle", { class: "s-fill", cx: 100, cy: 100, r: 90 });
const line = (d, extra = "") => svg("path", { class: `s-line ${extra}`, d });
const cut = (d, extra = "") => svg("path", { class: `s-cut ${extra}`, d });
const octagon = () => svg("path", { class: "s-fill", d: "M64 12h72l52 52v72l-52 52H64L12 136V64z" });
const diamond = () => svg("path", { class: "s-fill", d: "M100 6 194 100 100 194 6 100z" });
const tag = (x, y, r, extra = "") => svg("circle", { class: `s-fill ${extra}`, cx: x, cy: y, r });

const SHAPES = {
  // A ring that waits, and a tag that comes down onto the reader.
  waiting: () => [svg("circle", { class: "s-pulse", cx: 100, cy: 100, r: 84 }), ring("faint"), line("M52 138h96"), svg("g", { class: "s-drop" }, tag(100, 74, 22), line("M100 104v18M90 113l10 10 10-10", "thin"))],
  "own-tags": () => [ring("faint dashed"), line("M52 138h96"), tag(100, 78, 30), cut("M89 78l8 8 15-17", "thin")],
  opening: () => [ring("faint"), svg("g", { class: "s-dots" }, tag(62, 100, 11, "d1"), tag(100, 100, 11, "d2"), tag(138, 100, 11, "d3"))],
  // A quarter of the ring goes round; then half of it, with a pen stroke.
  reading: () => [ring("faint"), svg("path", { class: "s-line s-turn", d: "M100 16a84 84 0 0 1 84 84" }), tag(100, 100, 20), line("M66 76a42 42 0 0 0 0 48M134 76a42 42 0 0 1 0 48", "thin")],
  writing: () => [ring("faint"), svg("path", { class: "s-line s-turn", d: "M100 16a84 84 0 0 1 0 168" }), tag(100, 100, 52), cut("M76 90h48M76 110h30", "thin")],
  done: () => [disc(), cut("M58 104l30 30 56-64", "s-draw"), svg("g", { class: "s-lift" }, line("M100 4v-22M88-8l12-12 12 12", "thin"))],
  "already-done": () => [ring(), ring("thin faint"), line("M58 104l30 30 56-64")],
  // An octagon, as on roads, with a cross.
  refused: () => [octagon(), cut("M66 66l68 68M134 66l-68 68")],
  failed: () => [octagon(), cut("M100 50v64M100 144v2")],
  spoiled: () => [octagon(), cut("M62 74h76M86 74V60h28v14M72 74l6 68h44l6-68M90 94l2 30M110 94l-2 30", "thin")],
  // A diamond: look. Two tags that are not the same.
  "another-tag": () => [diamond(), cut("M62 88h76M62 114h76M118 66l-36 70", "thin")],
  unasked: () => [diamond(), cut("M80 82a21 21 0 1 1 31 18c-8 5-11 9-11 18M100 140v2")],
  left: () => [diamond(), cut("M100 140V68M72 94l28-28 28 28")],
  // A ring in two halves that do not meet.
  torn: () => [svg("g", { class: "s-apart-1" }, line("M88 18a84 84 0 0 0-4 164l14-30-18-24 22-26-18-26 10-28z", "thin filled")), svg("g", { class: "s-apart-2" }, line("M116 182a84 84 0 0 0-4-164l-8 30 20 28-22 26 18 24-12 28z", "thin filled"))],
  // A plug out of its socket.
  "reader-lost": () => [octagon(), cut("M22 100h26M48 72h26v56H48zM74 88h20M74 112h20M126 72h26v56h-26zM152 100h26M126 88v24", "thin")],
  // A stack of plates, and a cross.
  "registry-lost": () => [octagon(), cut("M64 72c0-18 72-18 72 0v56c0 18-72 18-72 0zM64 72c0 18 72 18 72 0M64 100c0 18 72 18 72 0", "thin")],
  connection: () => [ring("faint dashed"), line("M56 92a62 62 0 0 1 88 0M74 112a36 36 0 0 1 52 0M52 52l96 96"), tag(100, 134, 9)],
  finished: () => [disc(), cut("M46 106l26 26 44-52M92 124l10 10 46-54", "s-draw")],
  stopped: () => [ring("faint"), svg("rect", { class: "s-fill", x: 68, y: 68, width: 64, height: 64, rx: 10 })],
  seen: () => [ring(), line("M44 100c26-40 86-40 112 0-26 40-86 40-112 0z", "thin"), tag(100, 100, 16)],
  idle: () => [ring("faint"), svg("path", { class: "s-fill", d: "M80 62v76a5 5 0 0 0 8 4l56-38a5 5 0 0 0 0-8L88 58a5 5 0 0 0-8 4z" })],
};

export const shape = (phase) => svg("svg", { viewBox: "-8 -26 216 234", class: `shape shape-${phase}`, focusable: "false" }, (SHAPES[phase] ?? SHAPES.idle)());
