// Parcel: what is in it, what is missing, and what does not belong to its place.

import { announce, count, dialog, dropPlace, failureOf, get, kept, number, on, parts, post, start, t, trouble, work } from "./app.js";
import { badge, bdi, byId, code, fill, h, icon } from "./dom.js";
import { own } from "./session.js";
import { play } from "./sound.js";
import { findings } from "./verdict.js";

let place = "";
let places = [];
let watching = false;
let before = null;

const path = (tail = "") => `/api/parcels/${encodeURIComponent(place)}${tail}`;
const WRONG = ["swapped", "foreign", "duplicate", "retired", "unread"];

function build() {
  const wanted = new URLSearchParams(location.search).get("place") ?? kept.get("parcel");
  place = places.some((one) => one.id === wanted) ? wanted : places[0]?.id ?? "";
  if (!place) return fill(byId("parcel"), h("p", { class: "empty" }, t("parcel.noPlaces")));
  const choice = h("select", { id: "parcel-place", onchange: (event) => choose(event.target.value) }, places.map((one) => h("option", { value: one.id, selected: one.id === place }, one.name ?? one.id)));
  fill(
    byId("parcel"),
    h("div", { class: "bar-form" }, h("div", { class: "field" }, h("label", { for: "parcel-place" }, t("parcel.place")), choice), h("div", { class: "actions" }, h("a", { class: "button", id: "parcel-list", download: "" }, icon("down"), t("parcel.list")))),
    h("div", { id: "parcel-answer" }),
    h(
      "div",
      { class: "ways" },
      h("section", { class: "card way", "aria-labelledby": "scan-title" }, h("h2", { id: "scan-title" }, t("parcel.scan")), h("form", { class: "stack", id: "scan-form" }, h("div", { class: "field" }, h("label", { for: "scan" }, t("parcel.scanField")), h("input", { id: "scan", dir: "ltr", class: "code", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-describedby": "scan-help" }), h("p", { class: "help", id: "scan-help" }, t("parcel.scanHelp"))), h("button", { type: "submit", class: "button", id: "scan-send" }, t("parcel.scanButton")))),
      h("section", { class: "card way", "aria-labelledby": "tags-title" }, h("h2", { id: "tags-title" }, t("parcel.tags")), h("p", {}, t("parcel.tagsText")), h("button", { type: "button", role: "switch", id: "parcel-switch", class: "switch", "aria-checked": "false", onclick: () => watch(!watching) }, h("span", { class: "switch-track", "aria-hidden": "true" }, h("span", {})), t("check.tagSwitch")), h("div", { id: "parcel-tag-state" })),
      h("section", { class: "card way", "aria-labelledby": "photo-title" }, h("h2", { id: "photo-title" }, t("parcel.pictures")), h("div", { id: "parcel-drop" }), h("div", { id: "parcel-work" })),
    ),
    h("div", { id: "parcel-lists", class: "lists" }),
    h("div", { class: "actions" }, h("button", { type: "button", class: "button primary", id: "parcel-packed", onclick: packed }, t("parcel.packed")), h("button", { type: "button", class: "button", id: "parcel-reset", onclick: reset }, t("parcel.reset"))),
    h("div", { id: "parcel-state" }),
  );
  const drop = dropPlace(byId("parcel-drop"), { title: t("parcel.drop"), text: t("parcel.dropText"), accept: "image/*,.pdf", camera: true, multiple: true, take: async (file) => {
    drop.chosen(file.name);
    show(await work(byId("parcel-work"), "POST", path(`/picture?name=${encodeURIComponent(file.name)}`), { body: file, type: file.type || "application/octet-stream" }));
  } });
  byId("scan-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const field = byId("scan");
    const lines = field.value.split(/\s+/).filter(Boolean);
    field.value = "";
    field.focus();
    if (lines.length) show(await post(path("/text"), { lines }));
  });
  choose(place);
  byId("scan").focus({ preventScroll: true });
}

async function choose(id) {
  if (watching && id !== place) await watch(false);
  place = id;
  before = null;
  kept.set("parcel", id);
  byId("parcel-list").href = own(path("/list.pdf"));
  fill(byId("parcel-state"));
  show(await get(path()), true);
}

const where = (item) => item.where ?? null;

function list(id, kind, title, items, empty, line) {
  return h("section", { class: "card list", data: { tone: kind }, "aria-labelledby": id }, h("h2", { id }, badge({ good: "accepted", look: "warning", bad: "rejected" }[kind]), h("span", {}, title), h("span", { class: "count" }, number(items.length))), items.length ? h("ul", { class: "items" }, items.slice(0, 400).map(line), items.length > 400 ? h("li", { class: "muted" }, count("parcel.more", items.length - 400)) : null) : h("p", { class: "empty" }, empty));
}

function show(answer, quiet = false) {
  if (answer.cancelled) return;
  const failed = answer.results.length === 0 || answer.results[0].type === "error" ? failureOf(answer) : null;
  if (failed) {
    fill(byId("parcel-answer"), trouble(failed, { tone: failed.code === "nothing-to-pack" ? "look" : "bad" }));
    if (quiet) fill(byId("parcel-lists"));
    if (!quiet) play("bad");
    announce(t("trouble.title"), true);
    return;
  }
  const packing = new Map(answer.results.filter((one) => one.type === "packing").map((one) => [one.code, one]));
  const items = answer.results.filter((one) => one.type === "parcel-item");
  const whole = answer.results.find((one) => one.type === "parcel") ?? { complete: false, expected: packing.size, read: 0, missing: packing.size, trouble: 0 };
  const inside = items.filter((one) => ["expected", "again"].includes(one.result));
  const wrong = items.filter((one) => WRONG.includes(one.result));
  const met = new Set(items.filter((one) => one.result !== "missing").map((one) => one.code));
  // What was not read yet is missing, also before the server says so of each.
  const lacks = (one) => ["missing", "incomplete"].includes(one.result);
  const missing = items.some(lacks) ? items.filter(lacks) : [...packing.values()].filter((one) => !met.has(one.code));
  const head = (item) => {
    const known = packing.get(item.code);
    return h("div", { class: "item-head" }, h("strong", {}, known?.label ? bdi(known.label) : item.label ? bdi(item.label) : code(item.payload ?? item.url ?? item.code ?? item.source)), h("span", { class: "muted" }, t(`carrier.${item.carrier ?? "qr"}`), where(known ?? item) ? [" · ", bdi(where(known ?? item))] : null));
  };
  const tone = wrong.length ? "bad" : whole.complete ? "good" : "calm";
  const title = wrong.length ? count("parcel.wrongNow", wrong.length) : whole.complete ? t("parcel.complete") : count("parcel.missingNow", missing.length);
  fill(
    byId("parcel-answer"),
    h("div", { class: "answer", data: { tone } }, badge(tone === "good" ? "accepted" : tone === "bad" ? "rejected" : "note"), h("div", {}, h("p", { class: "answer-title" }, title), h("p", {}, t("parcel.counts", { read: number(whole.piecesRead ?? inside.length), expected: number(whole.pieces ?? packing.size) })))),
  );
  fill(
    byId("parcel-lists"),
    list("list-wrong", "bad", t("parcel.wrong"), wrong, t("parcel.wrongNone"), (item) => h("li", {}, h("div", { class: "item-head" }, h("span", { class: "chip" }, t(`parcel.${item.result}`))), head(item), findings(item.findings), item.source ? h("p", { class: "muted" }, bdi(item.source)) : null)),
    list("list-missing", "look", t("parcel.missing"), missing, t("parcel.missingNone"), (item) => h("li", {}, head(item), item.result === "incomplete" ? h("p", { class: "muted" }, t("parcel.counts", { read: number(item.seen), expected: number(item.pieces) })) : null)),
    list("list-in", "good", t("parcel.in"), inside, t("parcel.inNone"), (item) => h("li", {}, head(item))),
  );
  byId("parcel-packed").disabled = !whole.complete;
  const signature = `${wrong.length}/${inside.length}/${missing.length}`;
  if (!quiet && signature !== before) {
    announce(title, wrong.length > 0);
    const [oldWrong = 0] = (before ?? "0").split("/").map(Number);
    play(wrong.length > oldWrong ? "bad" : whole.complete ? "finished" : "good");
  }
  before = signature;
}

async function watch(value) {
  const failed = failureOf(await post(path("/tags"), { on: value }));
  fill(byId("parcel-tag-state"), failed ? trouble(failed) : "");
  if (!failed) watching = value;
  showSwitch();
}
function showSwitch(phase = null) {
  byId("parcel-switch")?.setAttribute("aria-checked", String(watching));
  const state = byId("parcel-tag-state");
  if (state && phase) fill(state, h("p", { class: "live", data: { state: ["reader-lost", "registry-lost", "failed"].includes(phase) ? "bad" : "on" } }, h("span", { class: "live-dot", "aria-hidden": "true" }), ["reader-lost", "registry-lost", "failed", "opening", "reading"].includes(phase) ? t(`phase.${phase}`) : t("check.tagOn")));
}

async function reset() {
  const { value } = await dialog({ name: "parcel-reset", title: t("parcel.resetTitle"), body: [h("p", {}, t("parcel.resetText"))], buttons: [{ label: t("cancel"), value: "" }, { label: t("parcel.reset"), value: "yes", primary: true }] });
  if (value !== "yes") return;
  before = null;
  const answer = await post(path("/reset"), {});
  show(answer.results.length ? answer : await get(path()), true);
  byId("scan").focus();
}

async function packed() {
  const answer = await post(path("/packed"), {});
  const failed = failureOf(answer);
  const name = places.find((one) => one.id === place)?.name ?? place;
  fill(byId("parcel-state"), failed ? trouble(failed) : h("div", { class: "message", data: { tone: "good" } }, badge("accepted"), h("p", { class: "message-title" }, parts("parcel.recorded", { place: bdi(name) }))));
  announce(failed ? t("trouble.title") : t("parcel.recorded", { place: name }), Boolean(failed));
}

on("parcel", (event) => {
  if (event.place === place && byId("parcel-lists")) show({ ok: true, results: event.results });
});
on("now", (now) => {
  watching = now.mode === "parcel";
  if (!watching) fill(byId("parcel-tag-state") ?? h("p"), "");
  showSwitch(watching ? now.phase : null);
});

start(async () => {
  const answer = await get("/api/places");
  places = answer.results.filter((one) => one.type === "place");
  build();
});
