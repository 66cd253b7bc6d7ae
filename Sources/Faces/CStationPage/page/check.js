// Check: any tag, picture or URL, and what a phone would do with it.

import { announce, ask, day, dropPlace, failureOf, get, on, post, start, t, trouble, work } from "./app.js";
import { badge, bdi, byId, code, fill, h, icon, table } from "./dom.js";
import { own } from "./session.js";
import { shape } from "./shapes.js";
import { play } from "./sound.js";
import { verdictCard, verdictSentence, worst } from "./verdict.js";

let watching = false;
let mode = "idle";
let station = {};

/// Shows new verdicts on top; earlier ones stay, quieter.
function show(results, { picture = null, source = "" } = {}) {
  const place = byId("verdicts");
  const list = results.filter((one) => ["verification", "error"].includes(one.type));
  place.querySelector(".empty")?.remove();
  for (const old of place.children) old.classList.add("old");
  const image = picture ? h("figure", { class: "drawn" }, h("img", { src: own(picture), alt: t("check.drawn") }), source ? h("figcaption", {}, bdi(source)) : null) : null;
  const group = h("div", { class: "verdict-group" }, list.length === 0 ? h("div", { class: "message", data: { tone: "look" } }, badge("warning"), h("p", { class: "message-title" }, t("check.nothing"))) : null, list.map((one) => verdictCard(one)), image);
  place.prepend(group);
  while (place.childElementCount > 12) place.lastElementChild.remove();
  const tone = list.length ? worst(list) : "look";
  play(tone);
  announce(list.length ? list.map(verdictSentence).join(". ") : t("check.nothing"), tone === "bad");
}

// Tags

function showTag(state, words) {
  const live = byId("tag-live");
  if (!live) return;
  live.dataset.state = state;
  const picture = { on: "waiting", seen: "done", bad: "reader-lost" }[state] ?? "idle";
  if (byId("tag-shape").dataset.shape !== picture) {
    byId("tag-shape").dataset.shape = picture;
    fill(byId("tag-shape"), shape(picture));
  }
  fill(live, h("span", { class: "live-dot", "aria-hidden": "true" }), words);
}

async function setWatching(value) {
  const answer = await post("/api/check/tags", { on: value });
  const failed = failureOf(answer);
  if (failed) {
    fill(byId("tag-trouble"), trouble(failed));
    announce(t("check.tagBusy"), true);
    return;
  }
  fill(byId("tag-trouble"));
  watching = value;
  showSwitch();
}

function showSwitch() {
  const button = byId("tag-switch");
  button.setAttribute("aria-checked", String(watching));
  if (!watching) showTag("off", t("check.tagOff"));
  else if (byId("tag-live").dataset.state === "off") showTag("on", t("check.tagOn"));
}

function buildTag() {
  const button = h("button", { type: "button", role: "switch", id: "tag-switch", class: "switch", "aria-checked": "false", onclick: () => setWatching(!watching) }, h("span", { class: "switch-track", "aria-hidden": "true" }, h("span", {})), t("check.tagSwitch"));
  fill(byId("check-tag"), h("div", { class: "way-shape", id: "tag-shape", "aria-hidden": "true" }), button, h("p", { class: "live", id: "tag-live", "data-state": "off" }), h("div", { id: "tag-trouble" }));
  showSwitch();
}

// Pictures

async function checkPicture(file, drop) {
  drop.chosen(file.name);
  const place = byId("picture-work");
  const data = new FormData(byId("picture-form"));
  const query = new URLSearchParams({ name: file.name });
  const at = String(data.get("at") ?? "").replace(/\s/g, "");
  if (at) {
    query.set("at", at);
    if (data.get("accuracy")) query.set("accuracy", data.get("accuracy"));
  }
  const answer = await work(place, "POST", `/api/check/picture?${query}`, { body: file, type: file.type || "application/octet-stream" });
  if (!answer.cancelled) show(failureOf(answer) && answer.results.length === 0 ? [failureOf(answer)] : answer.results, { picture: answer.preview, source: file.name });
}

function buildPicture() {
  const position = h("input", { id: "check-at", name: "at", dir: "ltr", autocomplete: "off", placeholder: "37.3230, -122.0322", inputmode: "text" });
  const accuracy = h("input", { id: "check-accuracy", name: "accuracy", type: "number", min: 1, value: "20", inputmode: "numeric" });
  const state = h("p", { class: "help", role: "status" });
  const here = h("button", { type: "button", class: "button small", id: "check-here", onclick: () => navigator.geolocation?.getCurrentPosition(
    ({ coords }) => { position.value = `${coords.latitude.toFixed(6)}, ${coords.longitude.toFixed(6)}`; accuracy.value = Math.ceil(coords.accuracy); },
    () => (state.textContent = t("check.noHere")),
  ) }, t("check.here"));
  const phone = h("div", { id: "phone-link" });
  fill(
    byId("check-picture"),
    h("div", { id: "picture-drop" }),
    h("form", { id: "picture-form", class: "stack", onsubmit: (event) => event.preventDefault() }, h("details", { class: "more" }, h("summary", { data: { do: "where" } }, t("check.where")), h("div", { class: "stack" }, h("div", { class: "pair" }, h("div", { class: "field" }, h("label", { for: "check-at" }, t("check.position")), position), h("div", { class: "field" }, h("label", { for: "check-accuracy" }, t("check.accuracy")), accuracy)), here, state))),
    h("div", { id: "picture-work" }),
    station.phones ? h("p", {}, h("button", { type: "button", class: "button", id: "phone-begin", onclick: linkPhone }, icon("phone"), t("check.phone"))) : null,
    phone,
  );
  const drop = dropPlace(byId("picture-drop"), { title: t("check.drop"), text: t("check.dropText"), accept: "image/*,.pdf,.svg", camera: true, multiple: true, take: (file) => checkPicture(file, drop) });
}

async function linkPhone() {
  const place = byId("phone-link");
  const answer = await post("/api/phone", {});
  const failed = failureOf(answer);
  const link = answer.results.find((one) => one.type === "phone-link");
  if (failed || !link) return fill(place, failed ? trouble(failed) : "");
  fill(
    place,
    h("div", { class: "phone-card" }, h("img", { src: own(link.qr), alt: t("check.phoneQr"), class: "qr" }), h("div", { class: "stack" }, h("p", {}, t("check.phoneText")), h("p", {}, code(link.url)), h("p", { class: "help" }, t("check.phoneUntil", { time: day(link.expires) })), h("button", { type: "button", class: "button small", id: "phone-end", onclick: async () => { await ask("DELETE", "/api/phone"); fill(place); } }, t("check.phoneEnd")))),
  );
  announce(t("check.phoneText"));
}

// URLs

async function checkUrls(event) {
  event.preventDefault();
  const urls = byId("url").value.split(/\s*\n\s*/).map((line) => line.trim()).filter(Boolean);
  if (urls.length === 0) return byId("url").focus();
  const answer = await post("/api/check", { urls: urls.slice(0, 500) });
  show(answer.results.length ? answer.results : [failureOf(answer)]);
}

on("now", (now) => {
  mode = now.mode;
  if (!byId("tag-switch")) return;
  watching = mode === "check";
  showSwitch();
  if (!watching) return;
  if (["reader-lost", "registry-lost", "failed"].includes(now.phase)) showTag("bad", t(`phase.${now.phase}`));
  else if (now.phase === "opening") showTag("on", t("phase.opening"));
  else if (now.phase === "reading") showTag("on", t("phase.reading"));
  else if (now.phase === "waiting") showTag("on", t("check.tagOn"));
});
on("tag", (event) => {
  if (event.type === "gone") showTag("on", t("check.tagOn"));
  else {
    showTag("seen", t("check.tagAway"));
    show([event]);
  }
});
on("phone", (event) => show(event.results ?? [], { picture: event.picture, source: t("check.fromPhone") }));

start(async () => {
  station = await get("/api/station");
  buildTag();
  buildPicture();
  byId("check-url").addEventListener("submit", checkUrls);
  byId("url").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) checkUrls(event);
  });
  const answer = await get("/api/experiences");
  const list = answer.results.filter((one) => one.type === "experience");
  fill(byId("experiences"), list.length ? table({ caption: t("check.experiences"), hidden: true, heads: [t("col.title"), t("col.subtitle"), t("col.link"), t("col.status")], rows: list.map((one) => ({ cells: [bdi(one.title ?? one.clip), one.subtitle ? bdi(one.subtitle) : "", one.link ? code(one.link) : t("check.defaultExperience"), one.status ? bdi(one.status) : ""] })) }) : h("p", { class: "empty" }, t("table.empty")));
});
