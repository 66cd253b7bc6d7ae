// What every page shares: words, requests, events, the header, what is said aloud.

import { badge, bdi, byId, english, fill, h, icon } from "./dom.js";
import { onNewSession, own, session } from "./session.js";
import { isMuted, play, setMuted } from "./sound.js";
import { openStream } from "./stream.js";

const root = document.documentElement;
const page = document.body.dataset.page;
export const language = root.lang || "en";

// Words

let words = {};
/// Resolves when the words of the page's language are here.
export const ready = fetch(`/words/${encodeURIComponent(language)}.json`)
  .then((response) => (response.ok ? response.json() : {}))
  .catch(() => ({}))
  .then((loaded) => {
    words = loaded;
  });

export const has = (key) => Object.hasOwn(words, key);

/// A word or sentence, its `{names}` filled in. With elements as values use `parts`.
export const t = (key, values = {}) => (words[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name] ?? "") : whole));

/// The same as a list of texts and elements.
export const parts = (key, values = {}) =>
  (words[key] ?? key).split(/(\{\w+\})/).map((piece) => {
    const name = /^\{(\w+)\}$/.exec(piece)?.[1];
    return name && name in values ? values[name] : piece;
  });

const plural = new Intl.PluralRules(language);
/// A sentence that counts: `key.one` or `key.other`, with `{n}`.
export function count(key, n, values = {}) {
  const form = `${key}.${plural.select(n)}`;
  return t(has(form) ? form : `${key}.other`, { n: number(n), ...values });
}

/// The title of a finding or failure in the page's language; null where there is none.
export const codeTitle = (name) => (name && has(`code.${name}`) ? t(`code.${name}`) : null);

// Numbers and times

const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
const hundredths = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
export const number = (value, digits = 0) => (digits === 0 ? whole : digits === 1 ? tenths : hundredths).format(value);
const unit = (value, name, digits = 0) => new Intl.NumberFormat(language, { style: "unit", unit: name, unitDisplay: "short", maximumFractionDigits: digits }).format(value);
export const percent = (value) => new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 }).format(value);
export const millimetres = (value) => unit(value, "millimeter", 1);
export const metres = (value) => unit(value, "meter", value < 10 ? 1 : 0);
/// A length in millimetres, in the unit that is read most easily.
export const length = (value) => (value >= 1000 ? unit(value / 1000, "meter", 2) : value >= 100 ? unit(value / 10, "centimeter", 0) : millimetres(value));
export function duration(seconds) {
  if (seconds < 60) return unit(Math.max(1, Math.round(seconds)), "second");
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return unit(minutes, "minute");
  return `${unit(Math.floor(minutes / 60), "hour")} ${unit(minutes % 60, "minute")}`;
}
export const day = (text) => (text ? new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(text)) : "");
export const clock = (text) => (text ? new Intl.DateTimeFormat(language, { timeStyle: "medium" }).format(new Date(text)) : "");

// What is kept in this browser

export const kept = {
  get(key, otherwise = null) {
    try {
      return JSON.parse(localStorage.getItem(`cliptag-${key}`)) ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(`cliptag-${key}`, JSON.stringify(value));
    } catch {
      // Storage is full or switched off: only this page knows it.
    }
  },
};

// Said aloud

let urgentFirst = true;
/// Says a sentence through a screen reader: at once for trouble, else when there is time.
export function announce(text, urgent = false) {
  const place = byId(urgent ? "say-urgent" : "say-polite");
  // The same sentence twice has to be a change to be said again.
  urgentFirst = !urgentFirst;
  // What was urgent is over when something else is said.
  if (!urgent && byId("say-urgent")) byId("say-urgent").textContent = "";
  if (place) place.textContent = text + (urgentFirst ? "" : "\u00a0");
}

// Requests

/// Asks the server. The answer is always the command's: status, results, notes, files, preview.
export async function ask(method, path, { json, body, type, job, signal } = {}) {
  const headers = { Accept: "application/json" };
  const { page: secret } = session();
  if (secret) headers["X-CSRF-Token"] = secret;
  if (job) headers["X-Job"] = job;
  if (json !== undefined) {
    headers["Content-Type"] = "application/json";
    body = JSON.stringify(json);
  } else if (body !== undefined) headers["Content-Type"] = type || body.type || "application/octet-stream";
  let response;
  try {
    response = await fetch(path, { method, headers, body, signal, cache: "no-store" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    return { ok: false, status: 69, results: [{ type: "error", code: "connection-lost", message: null, hint: null }], notes: [], files: [] };
  }
  const answer = await response.json().catch(() => ({ results: [{ type: "error", code: "bad-response", message: null, hint: null }] }));
  if (response.status === 401 || answer.results?.[0]?.code === "no-token") showSessionGone();
  return { status: response.ok ? 0 : 70, results: [], notes: [], files: [], preview: null, ...answer, ok: response.ok, http: response.status };
}
export const get = (path, options) => ask("GET", path, options);
export const post = (path, json, options) => ask("POST", path, { json, ...options });

/// The failure of an answer, if it is one.
export const failureOf = (answer) => answer.results?.find((result) => result.type === "error") ?? (answer.ok ? null : { type: "error", code: null, message: null });

/// A failure in the page's words, and the command's sentence beneath.
export function trouble(error, { tone = "bad" } = {}) {
  const title = codeTitle(error.code) ?? (error.message ? t("trouble.title") : t("trouble.unknown"));
  return h(
    "div",
    { class: "message", data: { tone } },
    badge(tone === "bad" ? "rejected" : "warning"),
    h(
      "div",
      {},
      h("p", { class: "message-title" }, title),
      error.line ? h("p", {}, t("trouble.line", { line: number(error.line), column: error.column ? number(error.column) : "–" })) : null,
      ...(adviceOf(error) ?? [english(error.message), english(error.hint)]),
    ),
  );
}

/// What an input is called on this page, and its field if it has one.
function inputOf(name) {
  const field = document.querySelector(`form [name="${CSS.escape(name)}"], form [id$="-${CSS.escape(name)}"]`);
  const label = field?.labels?.[0];
  const words = (label?.querySelector("strong") ?? label)?.textContent.trim();
  return { field, words: words || name };
}

/// A mistake in what was filled in, in the page's words, with a button that leads to the field.
function adviceOf({ advice }) {
  if (!advice || !has(`advice.${advice.name}`)) return null;
  const [input, other] = advice.inputs.map(inputOf);
  const sentence = t(`advice.${advice.name}`, { ...advice.values, input: input?.words, other: other?.words });
  const go = () => {
    input.field.closest("details")?.setAttribute("open", "");
    input.field.focus();
  };
  return [h("p", { class: "advice" }, sentence), input?.field ? h("button", { type: "button", class: "button small", data: { do: "advice" }, onclick: go }, t("advice.go", { input: input.words })) : null];
}

/// Work that may take long: shows progress with Cancel in `place` while it runs.
export async function work(place, method, path, options = {}) {
  // Not randomUUID, which a station reached through a network, without encryption, does not have.
  const job = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
  const control = new AbortController();
  const bar = h("progress", { "aria-label": t("work.progress") });
  const said = h("span", { class: "muted" }, t("work.running"));
  const cancel = h("button", { type: "button", class: "button small", data: { do: "cancel-work" }, onclick: () => control.abort() }, t("cancel"));
  const stopped = () => fetch(`/api/jobs/${job}`, { method: "DELETE", headers: { "X-CSRF-Token": session().page ?? "" }, keepalive: true }).catch(() => {});
  if (options.signal) options.signal.addEventListener("abort", () => control.abort());
  const off = on("progress", (event) => {
    if (event.job !== job) return;
    if (event.total) {
      bar.max = event.total;
      bar.value = event.done;
      said.textContent = t("work.of", { done: number(event.done), total: number(event.total) });
    }
  });
  const shown = h("div", { class: "working" }, bar, said, cancel);
  // Quick answers need no bar.
  const later = setTimeout(() => place?.prepend(shown), 400);
  try {
    return await ask(method, path, { ...options, job, signal: control.signal });
  } catch (error) {
    stopped();
    if (error.name === "AbortError") return { ok: false, cancelled: true, status: 130, results: [], notes: [], files: [] };
    throw error;
  } finally {
    clearTimeout(later);
    shown.remove();
    off();
  }
}

// Events

const listeners = new Map();
export function on(name, listener) {
  if (!listeners.has(name)) listeners.set(name, new Set());
  listeners.get(name).add(listener);
  return () => listeners.get(name).delete(listener);
}
const tell = (name, value) => listeners.get(name)?.forEach((listener) => listener(value));

/// Milliseconds of silence after which the station does not answer. It says something every second.
const SILENCE = 4000;
let heard = Date.now();
let lostAt = 0;
let sessionGone = false;
let leave = () => {};
/// `ok`, `lost` (a moment ago) or `gone` (for long).
export let connection = "ok";

function setConnection(state) {
  if (state === connection) return;
  const before = connection;
  connection = state;
  const line = byId("line-state");
  if (line) {
    line.hidden = state === "ok";
    fill(line, state === "ok" ? "" : h("span", { class: "spinner", "aria-hidden": "true" }), state === "ok" ? "" : t(state === "lost" ? "connection.lost" : "connection.gone"));
    line.dataset.state = state;
  }
  if (state === "gone") announce(t("connection.gone"), true);
  if (state === "ok" && before === "gone") announce(t("connection.back"));
  tell("connection", state);
}

function hear(name, data) {
  if (sessionGone) return;
  if (name === "error" || name === "refused") {
    lostAt ||= Date.now();
    // A station that refuses may not know the session any more.
    if (name === "refused") get("/api/station");
    return;
  }
  heard = Date.now();
  lostAt = 0;
  setConnection("ok");
  if (data !== undefined && name !== "beat") tell(name, JSON.parse(data));
}

/// Listens through the worker that all windows of the browser share; where there is none, by itself.
function listen() {
  heard = Date.now();
  setInterval(() => {
    if (sessionGone) return;
    if (Date.now() - heard > SILENCE) setConnection("gone");
    else if (lostAt && Date.now() - lostAt > 1200) setConnection("lost");
  }, 400);
  const alone = () => {
    leave();
    leave = openStream(own("/api/events"), hear);
  };
  // Another window of this browser opened a link: the secrets are new for all.
  let enter = alone;
  onNewSession(() => (sessionGone ? location.reload() : enter()));
  if (!("SharedWorker" in globalThis)) return alone();
  const worker = new SharedWorker("/worker.js", { type: "module", name: "cliptag" });
  worker.onerror = () => {
    enter = alone;
    alone();
  };
  const { port } = worker;
  port.onmessage = ({ data }) => hear(data.name, data.data);
  enter = () => port.postMessage({ address: own("/api/events") });
  leave = () => port.postMessage({ leaves: true });
  addEventListener("pagehide", () => leave());
  addEventListener("pageshow", ({ persisted }) => persisted && enter());
  enter();
}

/// The session is unknown: it has ended, or the station is one for another registry.
function showSessionGone() {
  if (sessionGone) return;
  sessionGone = true;
  leave();
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  const main = byId("main");
  if (!main) return;
  if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
  main.className = "notice";
  const shape = h("div", { class: "notice-badge" }, badge("warning"));
  fill(main, shape, h("h1", { id: "gone-title" }, t("session.title")), h("p", { class: "lead" }, t("session.text")), h("p", {}, h("button", { type: "button", class: "button primary", id: "session-again", onclick: () => location.reload() }, t("session.again"))));
  byId("line-state")?.setAttribute("hidden", "");
  announce(`${t("session.title")}. ${t("session.text")}`, true);
  play("bad");
  main.focus();
}

// Dialogs

/// A dialog; `name` tells it from others, `body` are its elements, `buttons` a list of `{label, value, primary, danger}`. Resolves to the value.
export function dialog({ name, title, body = [], buttons, wide = false, onopen }) {
  return new Promise((resolve) => {
    const id = `dialog-${Date.now()}`;
    const form = h("form", { method: "dialog", class: "stack" });
    const box = h("dialog", { class: wide ? "dialog wide" : "dialog", data: { dialog: name }, "aria-labelledby": id }, form);
    fill(
      form,
      h("h2", { id }, title),
      body,
      h(
        "div",
        { class: "actions" },
        buttons.map(({ label, value, primary, danger, first }) =>
          h("button", { type: "submit", value, data: { do: value || "cancel" }, autofocus: first, class: `button${primary ? " primary" : ""}${danger ? " danger" : ""}`, formnovalidate: value === "" }, label),
        ),
      ),
    );
    box.addEventListener("close", () => {
      resolve({ value: box.returnValue, data: new FormData(form) });
      box.remove();
    });
    // Within the full screen only what lies in it is drawn.
    (document.fullscreenElement ?? document.body).append(box);
    box.returnValue = "";
    box.showModal();
    onopen?.(form);
  });
}

export const isDialogOpen = () => document.querySelector("dialog[open]") !== null;

const KEYS = [["S", "keys.skip"], ["R", "keys.redo"], [". Esc", "keys.stop"], ["F", "keys.full"], ["M", "keys.mute"], ["?", "keys.help"]];
export function help() {
  if (isDialogOpen()) return;
  dialog({
    name: "help",
    title: t("help.title"),
    wide: true,
    body: [
      h("p", {}, t("help.text")),
      h("h3", {}, t("help.signs")),
      h("ul", { class: "legend" }, [["good", "accepted"], ["look", "warning"], ["bad", "rejected"]].map(([tone, sign]) =>
        h("li", {}, badge(sign), h("span", {}, t(`help.${tone}`)), h("button", { type: "button", class: "button small", data: { do: `listen-${tone}` }, onclick: () => play(tone, true) }, icon("sound"), t("help.listen"), h("span", { class: "hidden" }, ": ", t(`help.${tone}`)))))),
      h("h3", {}, t("help.keys")),
      h("p", { class: "help" }, t("help.keysWhere")),
      h("dl", { class: "keys" }, KEYS.map(([keys, word]) => h("div", {}, h("dt", {}, keys.split(" ").map((key) => h("kbd", {}, key))), h("dd", {}, t(word))))),
    ],
    buttons: [{ label: t("close"), value: "", primary: true, first: true }],
  });
}

// The header

export function toggleMute() {
  setMuted(!isMuted());
  showTools();
  announce(t(isMuted() ? "sound.off" : "sound.on"));
}

const THEMES = ["auto", "light", "dark"];
function toggleTheme() {
  const next = THEMES[(THEMES.indexOf(root.dataset.theme ?? "auto") + 1) % 3];
  if (next === "auto") delete root.dataset.theme;
  else root.dataset.theme = next;
  try {
    localStorage.setItem("cliptag-theme", next);
  } catch {
    // It holds for this page then.
  }
  showTools();
  announce(t(`theme.${next}`));
}

function tool(id, picture, label, action, pressed) {
  let button = byId(id);
  if (!button) {
    button = h("button", { type: "button", id, class: "tool", onclick: action });
    byId("tools")?.append(button);
  }
  button.setAttribute("aria-label", label);
  button.title = label;
  if (pressed !== undefined) button.setAttribute("aria-pressed", pressed);
  fill(button, icon(picture));
}

function showTools() {
  const theme = root.dataset.theme ?? "auto";
  tool("tool-sound", isMuted() ? "mute" : "sound", t("sound.mute"), toggleMute, isMuted());
  tool("tool-theme", theme, t(`theme.${theme}`), toggleTheme);
  tool("tool-help", "help", t("help.title"), help);
}

/// What the page's own address does not say, for whoever has but a cookie.
async function showFacts() {
  const facts = await get("/api/station");
  if (!facts.ok) return;
  for (const name of ["registry", "reader", "who"]) if (byId(`foot-${name}`)) byId(`foot-${name}`).textContent = facts[name] ?? "";
}

async function changeWho() {
  const name = byId("foot-who").textContent;
  const { value, data } = await dialog({
    name: "who",
    title: t("who.title"),
    body: [h("div", { class: "field" }, h("label", { for: "who-name" }, t("who.name")), h("input", { id: "who-name", name: "by", value: name, autocomplete: "name", dir: "auto", maxlength: 200, required: true }), h("p", { class: "help" }, t("who.help")))],
    buttons: [{ label: t("cancel"), value: "" }, { label: t("save"), value: "save", primary: true }],
  });
  const by = String(data.get("by") ?? "").trim();
  if (value !== "save" || by === "") return;
  const answer = await post("/api/who", { by });
  if (answer.ok) {
    byId("foot-who").textContent = by;
    announce(t("who.saved", { name: by }));
  } else announce(codeTitle(failureOf(answer)?.code) ?? t("trouble.unknown"), true);
}

/// Whether a key was meant for a field or a dialog.
export const isTyping = (event) =>
  event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isDialogOpen() || event.target.closest?.('input:not([type="checkbox"]):not([type="radio"]):not([type="button"]), textarea, select, [contenteditable]') !== null;

/// Starts the page: words, header, events; then `main`.
export async function start(main) {
  await ready;
  const current = document.querySelector(`[data-nav="${page}"]`);
  if (current) {
    current.setAttribute("aria-current", "page");
    const list = current.closest("ul");
    list.scrollLeft = current.offsetLeft - (list.clientWidth - current.offsetWidth) / 2;
  }
  showTools();
  document.querySelector(`#language-form button[value="${CSS.escape(language)}"]`)?.setAttribute("aria-current", "true");
  const change = byId("foot-who-change");
  if (change) fill(change, h("button", { type: "button", class: "link", data: { do: "who-change" }, onclick: changeWho }, t("who.change")));
  addEventListener("keydown", (event) => {
    if (isTyping(event)) return;
    if (event.key === "?") help();
    else if (event.key === "m" || event.key === "M") toggleMute();
    else return;
    event.preventDefault();
  });
  on("now", (now) => {
    const place = byId("foot-reader");
    if (place && now.reader) place.textContent = now.reader;
  });
  showFacts();
  listen();
  await main?.();
}

// Things that several pages have

/// The text of a file of rows, whose encoding the station recognises, and what it says about it.
export async function tableText(file) {
  const answer = await ask("POST", "/api/tables", { body: file });
  return answer.ok ? answer : { text: await file.text(), note: null };
}

/// A place to drop, paste, choose or photograph a file. `take(file)` gets each.
export function dropPlace(place, { title, text, accept, camera = false, multiple = false, take }) {
  const input = h("input", { type: "file", id: `${place.id}-file`, accept, multiple, class: "drop-input" });
  const chosen = h("p", { class: "drop-chosen", "aria-live": "polite" });
  const give = (files) => {
    for (const file of multiple ? files : [...files].slice(0, 1)) take(file);
  };
  input.addEventListener("change", () => {
    give(input.files);
    input.value = "";
  });
  const label = h("label", { for: input.id, class: "drop-label" }, icon(camera ? "camera" : "file"), h("span", { class: "drop-title" }, title), text ? h("span", { class: "help" }, text) : null);
  fill(place, input, label, chosen);
  place.classList.add("drop");
  let depth = 0;
  const over = (now) => place.classList.toggle("over", now);
  place.addEventListener("dragenter", (event) => { event.preventDefault(); depth += 1; over(true); });
  place.addEventListener("dragleave", () => { depth -= 1; if (depth <= 0) over(false); });
  place.addEventListener("dragover", (event) => event.preventDefault());
  place.addEventListener("drop", (event) => {
    event.preventDefault();
    depth = 0;
    over(false);
    give(event.dataTransfer.files);
  });
  if (camera)
    addEventListener("paste", (event) => {
      if (event.clipboardData?.files.length) give(event.clipboardData.files);
    });
  return { chosen: (name, note) => fill(chosen, name ? parts("drop.chosen", { name: bdi(name) }) : "", note ? [" ", english(note, "span")] : null) };
}

/// Files beside the places for them must not leave the page.
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => event.preventDefault());

/// Waits until nothing came for a moment; `drop` forgets what came.
export function settled(action, milliseconds = 350) {
  let timer = null;
  const soon = (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), milliseconds);
  };
  soon.drop = () => clearTimeout(timer);
  return soon;
}

export const downloads = (files) =>
  files?.length ? h("ul", { class: "files" }, files.map((file) => h("li", {}, h("a", { class: "button", data: { do: "download" }, href: own(file.url), download: file.name }, icon("down"), bdi(file.name))))) : null;
