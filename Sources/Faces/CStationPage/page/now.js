// Now: what lies on the reader, and what to do next, legible from two metres.

import { announce, codeTitle, connection, count, dialog, duration, failureOf, isTyping, number, on, parts, percent, post, start, t, trouble } from "./app.js";
import { bar, change, giveUp, goOn, isUnfinished, nextRow, unfinished } from "./batches.js";
import { badge, bdi, byId, code, english, fill, h, icon } from "./dom.js";
import { own } from "./session.js";
import { shape } from "./shapes.js";
import { play } from "./sound.js";

const TONES = {
  waiting: "calm", opening: "calm", reading: "work", writing: "work", done: "good", "already-done": "good", refused: "bad", left: "look", torn: "look",
  spoiled: "bad", unasked: "look", "another-tag": "look", "own-tags": "calm", "reader-lost": "bad", "registry-lost": "bad", finished: "good", stopped: "calm", failed: "bad", seen: "work", idle: "calm",
};
const SOUNDS = { done: "good", "already-done": "right", refused: "bad", spoiled: "bad", failed: "bad", "reader-lost": "bad", "registry-lost": "bad", torn: "look", left: "look", unasked: "look", "another-tag": "look", finished: "finished" };
const TAKE_AWAY = new Set(["done", "already-done", "refused", "spoiled", "unasked", "another-tag"]);

let now = null;
let shown = "";
let spoken = "";
let offers = null;
let awake = null;

const runs = () => connection !== "gone" && now?.mode === "batch" && !["finished", "stopped", "failed"].includes(now.phase);
/// Rows of the interface carry `row`, and the row that is written now `number` as well.
const rowNumber = (row) => row?.number ?? row?.row;
const name = (row) => row?.label || row?.url || "";

// The stage

/// The label in the largest letters that its place holds.
function fit() {
  const label = byId("stage-label");
  // Without a label there is nothing to fit; without a stage the session is over.
  if (!label?.textContent) return;
  const text = label.parentElement;
  const stage = byId("stage");
  const high = Math.max(24, Math.min(stage.clientHeight * 0.5, text.clientWidth * 0.42));
  // On narrow pages the stage grows with its words, so only three lines and the width count.
  const free = () => {
    const lines = label.scrollHeight / Number.parseFloat(label.style.fontSize || "1") / 1.02;
    return lines < 3.2 && label.scrollWidth <= label.clientWidth + 1 && stage.scrollHeight <= stage.clientHeight + 1;
  };
  const largest = (from, to) => {
    while (to - from > 1) {
      const size = (from + to) / 2;
      label.style.fontSize = `${size}px`;
      if (free()) from = size;
      else to = size;
    }
    return from;
  };
  // Whole words if they fit; only words that are longer than the place are broken.
  label.style.overflowWrap = "normal";
  let low = largest(30, high);
  if (low === 30) {
    label.style.overflowWrap = "anywhere";
    low = largest(18, high);
  }
  label.style.fontSize = `${Math.floor(low)}px`;
}

function failureDetail(failure) {
  if (!failure) return [];
  const title = codeTitle(failure.code);
  return [title ? h("p", { class: "detail-title" }, title) : null, english(failure.message), english(failure.hint)];
}

function detail(phase) {
  const pieces = [];
  // First what to do, large; then why.
  if (TAKE_AWAY.has(phase)) pieces.push(h("p", { class: "detail-do" }, t(phase === "spoiled" ? "now.throwAway" : "now.takeAway")));
  if (["left", "torn", "reader-lost", "registry-lost"].includes(phase)) pieces.push(h("p", { class: "detail-do" }, t(`phase.${phase}.text`)));
  else if (["unasked", "another-tag", "own-tags", "spoiled"].includes(phase)) pieces.push(h("p", { class: "detail-title" }, t(`phase.${phase}.text`)));
  if (now.failure && phase !== "done") pieces.push(failureDetail(now.failure));
  if (phase === "own-tags") {
    const own = now.own ?? [];
    if (own.length) pieces.push(h("ul", { class: "own" }, own.slice(0, 6).map((row) => h("li", {}, bdi(name(row)), row.uid ? code(row.uid) : null)), own.length > 6 ? h("li", {}, count("now.ownMore", own.length - 6)) : null));
    pieces.push(h("p", {}, h("button", { type: "button", class: "button", data: { do: "give-up" }, onclick: () => giveUp(now.batch, byId("stage-detail")) }, t("now.giveUp"))));
  }
  if (now.uid && ["reading", "writing", "done", "already-done", "refused", "another-tag", "unasked", "spoiled", "torn"].includes(phase)) pieces.push(h("p", { class: "detail-uid" }, now.tagType ? [bdi(now.tagType), " "] : null, code(now.uid)));
  return pieces;
}

/// What happens to each tag after it was read back.
const protection = () => (now.locks ? "now.locks" : now.setsPassword ? "now.setsPassword" : "");

function showStage(tone, picture, { over = "", lock = "", row = "", state, label = "", url = "", detail: more = [] }) {
  const stage = byId("stage");
  if (!stage) return;
  if (stage.dataset.phase !== picture) fill(byId("stage-shape"), shape(picture));
  stage.dataset.tone = tone;
  stage.dataset.phase = picture;
  fill(byId("stage-batch"), over ? bdi(over) : "");
  byId("stage-row").textContent = row;
  byId("stage-protection").textContent = lock ? t(lock) : "";
  byId("stage-state").textContent = state;
  fill(byId("stage-label"), label ? bdi(label) : "");
  fill(byId("stage-url"), url ? code(url) : "");
  fill(byId("stage-detail"), more);
  fit();
}

function showBatch() {
  const { phase, row, counts } = now;
  const total = counts?.rows ?? 0;
  if (phase === "finished") {
    showStage("good", "finished", {
      state: t("phase.finished"), label: now.batch,
      detail: [h("p", { class: "detail-title" }, count("now.finishedText", counts?.done ?? 0)), h("p", { class: "links" }, reportLink(), h("a", { class: "button", data: { do: "another" }, href: "/batch" }, t("now.another")))],
    });
    return;
  }
  if (phase === "stopped" || phase === "failed") {
    showStage(TONES[phase], phase, {
      over: phase === "stopped" ? "" : now.batch, state: t(`phase.${phase}`), label: phase === "stopped" ? now.batch : "",
      detail: [phase === "failed" ? failureDetail(now.failure) : h("p", { class: "detail-title" }, t("now.stoppedText")), h("p", { class: "links" }, h("button", { type: "button", class: "button primary large", id: "go-on", onclick: () => resume({ batch: now.batch }) }, t("now.goOn")), reportLink())],
    });
    return;
  }
  const withRow = !["opening", "own-tags"].includes(phase);
  showStage(TONES[phase] ?? "calm", phase, {
    over: now.batch, lock: protection(),
    row: row && withRow ? t("now.row", { row: number(rowNumber(row)), rows: number(total) }) : "",
    state: t(`phase.${phase}`),
    label: withRow && !["unasked", "refused"].includes(phase) ? name(row) : "",
    url: row && ["waiting", "reading", "writing"].includes(phase) ? row.url : "",
    detail: detail(phase),
  });
}

const reportLink = () => h("a", { class: "button", data: { do: "report" }, href: own(`/api/batches/${encodeURIComponent(now.batch)}/report.csv`), download: "" }, icon("down"), t("batch.report"));

function showOther() {
  const { mode, phase } = now;
  const phaseWord = ["failed", "reader-lost", "registry-lost"].includes(phase) ? t(`phase.${phase}`) : t(`now.mode.${mode}`);
  showStage(TONES[phase] ?? "calm", phase, { state: phaseWord, detail: [failureDetail(now.failure), h("p", { class: "links" }, h("a", { class: "button primary", data: { do: "open-mode" }, href: `/${mode}` }, t(`now.open.${mode}`)))] });
}

async function showIdle(focus) {
  const list = offers ?? (offers = await unfinished());
  if (now?.mode !== "idle") return;
  const [first, ...others] = list;
  const goButton = (batch, large) => h("button", { type: "button", class: large ? "button primary large" : "button", id: large ? "go-on" : null, data: { do: large ? "go-on" : "go-on-other" }, onclick: () => resume(batch) }, h("span", {}, parts("now.goOnWith", { batch: bdi(batch.batch), row: number(nextRow(batch)), rows: number(batch.rows) })));
  showStage("calm", "idle", {
    state: t(first ? "now.welcomeBack" : "phase.idle"),
    detail: first
      ? [h("p", { class: "links" }, goButton(first, true)), bar(first), others.length ? [h("p", { class: "muted" }, t("now.orGoOn")), h("ul", { class: "offers" }, others.slice(0, 4).map((batch) => h("li", {}, goButton(batch, false))))] : null, h("p", { class: "links" }, h("a", { class: "button", data: { do: "begin-another" }, href: "/batch" }, t("now.begin")))]
      : [h("p", { class: "detail-title" }, t("now.idleText")), h("p", { class: "links" }, h("a", { class: "button primary large", data: { do: "begin" }, href: "/batch" }, t("now.begin")))],
  });
  if (focus) byId("go-on")?.focus();
}

function showConnectionLost() {
  showStage("bad", "connection", { state: t("connection.title"), detail: [h("p", { class: "detail-title" }, t("connection.text"))] });
}

// Beneath the stage

function showDock() {
  const dock = byId("dock");
  if (!dock) return;
  dock.hidden = now?.mode !== "batch" || !now.counts;
  if (dock.hidden) return;
  const { rows = 0, done = 0, pending = 0, torn = 0, skipped = 0 } = now.counts;
  const settledRows = done + skipped;
  fill(byId("progress"), bar(now.counts), h("p", { class: "progress-text" }, t("now.ofTotal", { done: number(done), rows: number(rows) }), h("span", { class: "muted" }, percent(rows ? settledRows / rows : 0))));
  const counter = (word, value, tone) => h("div", { data: tone ? { tone } : {} }, h("dt", {}, t(word)), h("dd", {}, value));
  fill(
    byId("counters"),
    counter("now.left", number(pending)),
    counter("now.skipped", number(skipped)),
    counter("now.own", number(torn), torn > 0 ? "look" : null),
    counter("now.perMinute", now.perMinute === null || now.perMinute === undefined ? "–" : number(now.perMinute, 1)),
    counter("now.timeLeft", now.secondsLeft === null || now.secondsLeft === undefined || !runs() ? "–" : duration(now.secondsLeft)),
  );
  const actions = byId("actions");
  // Buttons stay, so that the focus does.
  if (actions.childElementCount === 0)
    fill(
      actions,
      actionButton("do-skip", "now.skip", "S", skip),
      actionButton("do-redo", "now.redo", "R", redo),
      actionButton("do-stop", "now.stop", ".", stop, "danger"),
      h("span", { class: "spacer" }),
      h("button", { type: "button", id: "do-full", class: "button quiet", "aria-keyshortcuts": "F", title: t("now.full"), onclick: toggleFull }, icon("full"), h("span", { class: "hidden" }, t("now.full")), h("kbd", { "aria-hidden": "true" }, "F")),
    );
  byId("do-skip").disabled = !canSkip();
  byId("do-redo").disabled = connection === "gone" || lastWritten() === null;
  byId("do-stop").disabled = !runs();
}

const actionButton = (id, word, key, action, kind = "") => h("button", { type: "button", id, class: `button ${kind}`, "aria-keyshortcuts": key, onclick: action }, t(word), h("kbd", { "aria-hidden": "true" }, key));

function showRecent() {
  const place = byId("recent-list");
  if (!place) return;
  const recent = now?.recent ?? [];
  byId("recent").hidden = now?.mode !== "batch" && recent.length === 0;
  fill(
    place,
    recent.length === 0
      ? h("p", { class: "empty" }, t("now.recentNone"))
      : h("ol", { class: "recent-list" }, recent.map((item) => {
          const good = item.type === "write" || item.outcome === "already-done";
          const kind = good ? "accepted" : ["refused", "spoiled"].includes(item.outcome) ? "rejected" : "warning";
          return h("li", {}, badge(kind), h("div", {}, h("p", { class: "recent-label" }, item.label || item.url ? bdi(item.label || item.url) : t("now.noRow")), h("p", { class: "recent-what" }, t(item.type === "write" ? "phase.done" : `phase.${item.outcome}`), item.code && item.type !== "write" && codeTitle(item.code) ? [" · ", codeTitle(item.code)] : null)), h("div", { class: "recent-end" }, item.row ? h("span", {}, t("now.rowShort", { row: number(item.row) })) : null, item.uid ? code(item.uid) : null));
        })),
  );
}

// What is done

function canSkip() {
  return runs() && rowNumber(now.row) !== undefined && !["done", "already-done", "writing"].includes(now.phase);
}
function lastWritten() {
  if (now?.mode !== "batch") return null;
  const item = now.recent?.find((one) => one.type === "write" && one.row);
  return item ? { row: item.row, label: item.label || item.url } : null;
}

async function skip() {
  if (!canSkip()) return;
  const row = rowNumber(now.row);
  if (await change("skip", { batch: now.batch, row, label: name(now.row) }, byId("stage-detail"))) announce(t("skip.done", { row: number(row) }));
}
async function redo() {
  const last = lastWritten();
  if (!last) return;
  if (await change("redo", { batch: now.batch, ...last }, byId("stage-detail"))) announce(t("redo.done", { row: number(last.row) }));
}
async function stop() {
  if (!runs()) return;
  const { value } = await dialog({ name: "stop", title: t("stop.title"), body: [h("p", {}, t("stop.text"))], buttons: [{ label: t("stop.no"), value: "" }, { label: t("stop.button"), value: "stop", danger: true, first: true }] });
  if (value !== "stop") return;
  const failed = failureOf(await post("/api/batch/stop", { batch: now.batch }));
  if (failed) fill(byId("stage-detail"), trouble(failed));
}
async function resume(batch) {
  const place = h("div", {});
  byId("stage-detail").prepend(place);
  if (await goOn(batch, place)) offers = null;
}
function toggleFull() {
  if (document.fullscreenElement) document.exitFullscreen();
  else byId("main").requestFullscreen?.().catch(() => {});
}

addEventListener("keydown", (event) => {
  if (isTyping(event) || event.repeat) return;
  const action = { s: skip, r: redo, ".": stop, f: toggleFull }[event.key.toLowerCase()] ?? (event.key === "Escape" && !document.fullscreenElement ? stop : null);
  if (!action) return;
  event.preventDefault();
  action();
});

// What is said

function speak() {
  const { mode, phase } = now;
  if (mode !== "batch") return;
  const moment = [now.batch, phase, rowNumber(now.row), now.uid, now.failure?.code].join("|");
  if (moment === shown) return;
  const first = shown === "";
  shown = moment;
  const label = name(now.row);
  const sentence = {
    waiting: t("say.waiting", { label }), done: t("say.done", { label }), reading: "", writing: "", opening: "",
  }[phase] ?? [t(`phase.${phase}`), ["bad", "look"].includes(TONES[phase]) ? codeTitle(now.failure?.code) ?? "" : "", TAKE_AWAY.has(phase) ? t("now.takeAway") : ""].filter(Boolean).join(". ");
  if (sentence && sentence !== spoken) announce(sentence, TONES[phase] === "bad" || TONES[phase] === "look");
  spoken = sentence;
  if (!first && SOUNDS[phase]) play(SOUNDS[phase]);
}

/// The screen stays on while tags are written.
async function stayAwake() {
  if (!runs()) {
    awake?.release().catch(() => {});
    awake = null;
  } else if (!awake && document.visibilityState === "visible" && navigator.wakeLock) {
    awake = await navigator.wakeLock.request("screen").catch(() => null);
    awake?.addEventListener("release", () => (awake = null));
  }
}

function render(focus = false) {
  if (connection === "gone") return showConnectionLost();
  if (!now) return;
  if (now.mode === "batch") showBatch();
  else if (now.mode === "idle") showIdle(focus);
  else showOther();
  showDock();
  showRecent();
  document.title = now.mode === "batch" ? `${t(`phase.${now.phase}`)}${now.row && now.phase === "waiting" ? ` ${name(now.row)}` : ""} · ${t("brand")}` : `${t("nav.now")} · ${t("brand")}`;
}

let wasGone = false;
on("now", (next) => {
  const became = next.mode !== now?.mode;
  if (became && next.mode === "idle") offers = null;
  now = next;
  const focus = became && next.mode === "idle" && (wasGone || document.activeElement === document.body);
  wasGone = false;
  render(focus);
  speak();
  stayAwake();
});
on("connection", (state) => {
  if (state === "gone") {
    wasGone = true;
    play("bad");
    render();
    showDock();
  } else if (state === "ok") {
    offers = null;
    render(wasGone);
  }
});
on("registry", async () => {
  if (now?.mode !== "idle") return;
  offers = (await unfinished()).filter(isUnfinished);
  render();
});
document.addEventListener("visibilitychange", () => now && stayAwake());
new ResizeObserver(fit).observe(byId("stage"));
document.addEventListener("fullscreenchange", () => requestAnimationFrame(fit));

start();
