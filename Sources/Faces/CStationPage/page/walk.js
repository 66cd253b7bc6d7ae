// Walk: what was found out there, with its pictures, to be put right one by one.

import { announce, ask, codeTitle, count, day, dialog, dropPlace, failureOf, get, kept, number, on, post, settled, start, t, trouble, work } from "./app.js";
import { badge, bdi, byId, code, english, fill, h, icon, svg } from "./dom.js";
import { own } from "./session.js";
import { verdictCard } from "./verdict.js";

let walks = [];
let places = [];
let chosen = "";
let answer = null;
let severity = "open";
/// The findings that are followed up, by their names.
let followed = new Map();
const isDone = (item) => !["open", undefined].includes(followed.get(item.followUp)?.state);

function build() {
  if (walks.length === 0) return fill(byId("walk"), h("p", { class: "empty" }, t("walk.none")), addPart());
  const names = [...new Set(walks.map((walk) => walk.name))];
  const wanted = new URLSearchParams(location.search).get("name") ?? kept.get("walk");
  chosen = names.includes(wanted) ? wanted : names[0];
  fill(
    byId("walk"),
    h(
      "div",
      { class: "bar-form" },
      h("div", { class: "field" }, h("label", { for: "walk-name" }, t("walk.choose")), h("select", { id: "walk-name", onchange: (event) => choose(event.target.value) }, names.map((name) => h("option", { value: name, selected: name === chosen }, name)))),
      h("div", { class: "actions" }, h("a", { class: "button", id: "walk-page", target: "_blank", rel: "noopener" }, icon("file"), t("walk.page")), h("a", { class: "button", id: "walk-pdf" }, icon("down"), t("walk.pdf"))),
    ),
    h("div", { id: "walk-answer", class: "stack" }),
    addPart(),
  );
  addDrop();
  choose(chosen);
}

function addPart() {
  const field = (id, word, input, help) => h("div", { class: "field" }, h("label", { for: id }, t(word)), input, help ? h("p", { class: "help" }, t(help)) : null);
  return h(
    "section",
    { class: "card stack", "aria-labelledby": "walk-add" },
    h("h2", { id: "walk-add" }, t("walk.add")),
    h("p", {}, t("walk.addText")),
    h("div", { class: "triple" }, walks.length ? null : field("walk-new", "walk.name", h("input", { id: "walk-new", dir: "auto", autocomplete: "off" })), field("walk-place", "walk.place", h("select", { id: "walk-place" }, h("option", { value: "" }, t("walk.placeUnknown")), places.map((one) => h("option", { value: one.id }, one.name ?? one.id)))), field("walk-at", "check.position", h("input", { id: "walk-at", dir: "ltr", autocomplete: "off", placeholder: "37.3230, -122.0322" })), field("walk-accuracy", "check.accuracy", h("input", { id: "walk-accuracy", type: "number", min: 1, value: "20", inputmode: "numeric" }))),
    h("div", { id: "walk-drop" }),
    h("div", { id: "walk-work" }),
    h("div", { id: "walk-added", class: "stack" }),
  );
}

function addDrop() {
  const drop = dropPlace(byId("walk-drop"), { title: t("check.drop"), text: t("walk.dropText"), accept: "image/*,.pdf", camera: true, multiple: true, take: async (file) => {
    drop.chosen(file.name);
    const name = chosen || byId("walk-new")?.value.trim() || t("walk.title");
    const query = new URLSearchParams({ name, file: file.name });
    if (byId("walk-place").value) query.set("place", byId("walk-place").value);
    const at = byId("walk-at").value.replace(/\s/g, "");
    if (at) {
      query.set("at", at);
      query.set("accuracy", byId("walk-accuracy").value || "20");
    }
    const added = await work(byId("walk-work"), "POST", `/api/walks/picture?${query}`, { body: file, type: file.type || "application/octet-stream" });
    if (added.cancelled) return;
    const shown = added.results.filter((one) => ["verification", "error"].includes(one.type));
    const failed = shown.length ? null : failureOf(added);
    byId("walk-added").prepend(h("div", { class: "verdict-group" }, h("h3", {}, bdi(file.name)), aboutStops(shown), failed ? trouble(failed) : shown.length ? shown.map((one) => verdictCard(one, { level: "h4" })) : h("p", { class: "empty" }, t("check.nothing"))));
    announce(t("walk.added", { n: number(shown.length) }));
    if (chosen) load();
    else refresh();
  } });
}

/// What was found about pictures as a whole, each once.
function aboutStops(shown) {
  const found = new Map(shown.flatMap((one) => one.stopFindings ?? []).map((one) => [one.message, one]));
  return [...found.values()].map((one) => h("div", { class: "message", data: { tone: one.severity === "note" ? "calm" : "look" } }, badge(one.severity === "note" ? "note" : "warning"), h("div", {}, h("p", { class: "message-title" }, codeTitle(one.code) ?? code(one.code)), english(one.message))));
}

async function choose(name) {
  chosen = name;
  kept.set("walk", name);
  const query = `?name=${encodeURIComponent(name)}`;
  byId("walk-page").href = own(`/walks/report.html${query}`);
  byId("walk-pdf").href = own(`/walks/report.pdf${query}`);
  await load();
}

async function load() {
  const mine = chosen;
  const [next, all] = await Promise.all([get(`/api/walks/report?name=${encodeURIComponent(chosen)}`), get("/api/findings?state=all")]);
  if (mine !== chosen) return;
  answer = next;
  followed = new Map(all.results.filter((one) => one.type === "follow-up").map((one) => [one.id, one]));
  showAnswer();
}

function figure(item) {
  if (!item.picture) return null;
  const image = h("img", { src: own(item.picture), alt: t("walk.pictureOf", { stop: item.stop ?? "–" }), loading: "lazy" });
  const frame = h("div", { class: "marked" }, image);
  const corners = Array.isArray(item.corners) ? item.corners.filter((corner) => corner?.length >= 2) : [];
  if (corners.length >= 3)
    image.addEventListener("load", () => {
      const { naturalWidth: width, naturalHeight: height } = image;
      const points = corners.map((corner) => corner.slice(0, 2).map(Number).join(",")).join(" ");
      frame.append(svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "corners", "aria-hidden": "true", preserveAspectRatio: "xMidYMid meet" }, svg("polygon", { class: "corner-under", points, "vector-effect": "non-scaling-stroke" }), svg("polygon", { class: `corner-${item.finding.severity}`, points, "vector-effect": "non-scaling-stroke" })));
    });
  return h("figure", { class: "shot" }, frame, item.source || item.time ? h("figcaption", {}, item.source ? bdi(item.source.replace(/^.*[\\/]/, "")) : null, item.time ? [" · ", day(item.time)] : null) : null);
}

function findingCard(item) {
  const { finding } = item;
  const done = isDone(item);
  const known = followed.get(item.followUp);
  const last = known?.history.findLast((entry) => entry.kind !== "assigned");
  const kind = { error: "rejected", warning: "warning" }[finding.severity] ?? "note";
  const title = codeTitle(finding.code) ?? finding.code;
  const facts = [item.payload ? [t("col.payload"), code(item.payload)] : null, item.code ? [t("col.code"), code(item.code)] : null, item.uid ? [t("col.uid"), code(item.uid)] : null, item.note ? [t("walk.note"), bdi(item.note)] : null, known?.owner ? [t("col.owner"), bdi(known.owner)] : null, known?.due ? [t("col.due"), known.due] : null];
  return h(
    "article",
    { class: "card found", data: { severity: finding.severity, done: done ? "yes" : "no" } },
    h("header", { class: "found-head" }, badge(done ? "accepted" : kind), h("div", {}, h("h3", {}, codeTitle(finding.code) ?? code(finding.code)), h("p", { class: "muted" }, t(`severity.${finding.severity}`), item.place ? [" · ", bdi(item.place.name ?? item.place.id)] : null, item.stop ? [" · ", t("walk.stop", { n: number(item.stop) })] : null))),
    english(finding.message),
    h("dl", { class: "facts" }, facts.filter(Boolean).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    figure(item),
    done ? h("p", { class: "ticked" }, badge("accepted"), h("span", {}, t("walk.ticked", { what: t(`findings.state.${known.state}`), time: day(last.time) }), " · ", bdi(last.who), last.note ? [": ", bdi(last.note)] : null), h("button", { type: "button", class: "link", data: { do: "untick" }, onclick: () => change(item, { change: "reopened" }, "findings.entry.reopened") }, t("walk.untick"))) : null,
    !done && item.followUp ? h("div", { class: "actions" }, h("button", { type: "button", class: "button", data: { do: "tick" }, onclick: () => tick(item) }, icon("accepted"), t("walk.tick"), h("span", { class: "hidden" }, ": ", title)), known ? h("a", { class: "button small", href: `/findings?finding=${encodeURIComponent(item.followUp)}`, data: { do: "follow" } }, t("findings.assign"), h("span", { class: "hidden" }, ": ", title)) : null) : null,
  );
}

function showAnswer() {
  const target = byId("walk-answer");
  const items = answer.results.filter((one) => one.type === "audit-finding");
  const report = answer.results.find((one) => one.type === "audit-report");
  const failed = failureOf(answer);
  if (failed && items.length === 0) return fill(target, trouble(failed));
  const groups = {
    open: items.filter((item) => item.followUp && !isDone(item)),
    error: items.filter((item) => item.finding.severity === "error"),
    warning: items.filter((item) => item.finding.severity === "warning"),
    note: items.filter((item) => item.finding.severity === "note"),
    done: items.filter(isDone),
  };
  const shown = groups[severity] ?? items;
  const tone = report && report.errors === 0 && report.warnings === 0 ? "good" : groups.open.length === 0 ? "good" : (report?.errors ?? groups.error.length) > 0 ? "bad" : "look";
  const figureOf = (word, value, mood) => h("div", { data: mood && value > 0 ? { tone: mood } : {} }, h("dt", {}, t(word)), h("dd", {}, number(value ?? 0)));
  fill(
    target,
    report
      ? h("div", { class: "answer", data: { tone } }, badge({ good: "accepted", look: "warning", bad: "rejected" }[tone]), h("div", {}, h("p", { class: "answer-title" }, tone === "good" && groups.open.length === 0 && items.length ? t("walk.allDone") : !report.expected ? t("walk.noneExpected") : t("walk.answer", { confirmed: number(report.sum.confirmed), expected: number(report.sum.all) })), english(report.answer)))
      : null,
    report ? h("dl", { class: "counters" }, figureOf("walk.stops", report.stops), figureOf("walk.readings", report.readings), figureOf("walk.confirmed", report.sum.confirmed, "good"), figureOf("walk.unconfirmed", report.sum.unconfirmed, "look"), figureOf("walk.wrong", report.sum.wrong, "bad"), figureOf("walk.missing", report.sum.missing, "bad"), figureOf("walk.dead", report.sum.dead, "bad"), figureOf("walk.unvisited", report.unvisited?.length ?? 0)) : null,
    answer.map ? h("figure", { class: "map" }, h("img", { src: own(answer.map), alt: t("walk.map") }), h("figcaption", {}, t("walk.mapText"))) : null,
    h("div", { class: "table-head" }, h("h2", { id: "found-title" }, t("walk.findings")), h("label", { class: "inline", for: "walk-filter" }, t("rows.show"), " ", h("select", { id: "walk-filter", onchange: (event) => { severity = event.target.value; showAnswer(); byId("walk-filter").focus(); } }, ["open", "all", "error", "warning", "note", "done"].map((one) => h("option", { value: one, selected: one === severity }, `${t(`walk.filter.${one}`)} (${number((groups[one] ?? items).length)})`))))),
    groups.open.some((item) => !followed.has(item.followUp)) ? h("div", { class: "bar-form" }, h("p", {}, t("walk.keepText")), h("button", { type: "button", class: "button", id: "walk-keep", onclick: keep }, t("walk.keep"))) : null,
    shown.length ? h("div", { class: "found-list" }, shown.slice(0, 200).map(findingCard)) : h("p", { class: "empty" }, t(items.length && severity === "open" ? "walk.allDone" : "walk.noFindings")),
    shown.length > 200 ? h("p", { class: "muted" }, count("walk.more", shown.length - 200)) : null,
  );
}

async function tick(item) {
  const kinds = ["replaced", "installed", "read"];
  const { value, data } = await dialog({
    name: "tick",
    title: t("walk.tickTitle"),
    body: [
      h("p", { class: "dialog-label" }, codeTitle(item.finding.code) ?? item.finding.code),
      h("fieldset", { class: "choices" }, h("legend", {}, t("walk.what")), kinds.map((kind, index) => h("label", { class: "choice" }, h("input", { type: "radio", name: "kind", value: kind, checked: index === 0 }), h("span", {}, h("strong", {}, t(`walk.did.${kind}`)), h("span", { class: "help" }, t(`walk.did.${kind}Help`)))))),
      h("div", { class: "field" }, h("label", { for: "tick-note" }, t("walk.note")), h("textarea", { id: "tick-note", name: "note", rows: 3, dir: "auto", maxlength: 2000 })),
      item.code ? h("p", { class: "help" }, t("walk.recorded")) : null,
    ],
    buttons: [{ label: t("cancel"), value: "" }, { label: t("walk.tick"), value: "tick", primary: true }],
  });
  if (value !== "tick") return;
  const note = String(data.get("note") ?? "").trim();
  const kind = String(data.get("kind"));
  if (item.code && refused(await post(`/api/codes/${encodeURIComponent(item.code)}/note`, { kind, note }))) return;
  await change(item, { change: "done", note: [t(`walk.did.${kind}`), note].filter(Boolean).join(": ") }, "walk.tickedNow");
}

/// Shows and says the failure of an answer, if it is one.
function refused(answered) {
  const failed = failureOf(answered);
  if (!failed) return false;
  byId("walk-answer").prepend(trouble(failed));
  announce(t("trouble.title"), true);
  return true;
}

async function change(item, order, word) {
  if (refused(await post(`/api/findings/${encodeURIComponent(item.followUp)}`, { ...order, walk: chosen }))) return;
  announce(t(word));
  await load();
  byId("walk-filter").focus();
}

/// Keeps the findings of the walk in the registry, with an owner and a due date if they are given.
async function keep() {
  if (refused(await post("/api/findings", { walk: chosen }))) return;
  announce(t("walk.kept"));
  await load();
  byId("walk-filter").focus();
}

async function refresh() {
  const list = await ask("GET", "/api/walks");
  walks = list.results.filter((one) => one.type === "walk");
  build();
  if (walks.length === 0) addDrop();
}

start(async () => {
  const answered = await get("/api/places");
  places = answered.results.filter((one) => one.type === "place");
  await refresh();
  on("registry", settled(() => chosen && load(), 1000));
});
