// Label sheets: a CSV file, the stock that lies in the printer, and where on it to begin.

import { announce, count, downloads, dropPlace, failureOf, get, kept, length, number, settled, t, tableText, trouble, work } from "./app.js";
import { badge, bdi, byId, code, english, fill, h, icon, svg } from "./dom.js";
import { own } from "./session.js";
import { verdictCard } from "./verdict.js";

let csv = null;
let fileName = "labels.csv";
let template = null;
let first = 1;
let rowCount = 0;
let control = null;
let search = null;
const captions = new Set();

/// The names of the columns: the first line of the file, with quotes.
function columns(text) {
  const line = text.replace(/^\uFEFF/, "").split(/\r?\n/, 1)[0];
  const separator = [",", ";", "\t"].sort((a, b) => line.split(b).length - line.split(a).length)[0];
  return line.split(separator).map((name) => name.trim().replace(/^"(.*)"$/, "$1"));
}

async function take(file, drop) {
  const sent = await tableText(file);
  csv = sent.text;
  fileName = file.name;
  rowCount = csv.split(/\r?\n/).filter((line) => line.trim()).length - 1;
  drop.chosen(file.name, sent.note);
  captions.clear();
  const names = columns(csv).filter((name) => !["url", "copies", "place", "app-clip-code"].includes(name));
  if (names.includes("label")) captions.add("label");
  fill(
    byId("sheet-captions"),
    names.length
      ? h("fieldset", { class: "choices" }, h("legend", {}, t("sheet.captions")), names.map((name) => h("label", { class: "check" }, h("input", { type: "checkbox", data: { do: "caption" }, checked: captions.has(name), onchange: (event) => { if (event.target.checked) captions.add(name); else captions.delete(name); preview(); } }), bdi(name))))
      : null,
  );
  drawSheet();
  preview();
}

async function find(words) {
  search?.abort();
  search = new AbortController();
  const mine = search;
  const answer = await get(`/api/templates?words=${encodeURIComponent(words.trim().replace(/\s+/g, "+")).replaceAll("%2B", "+")}`, { signal: mine.signal }).catch(() => null);
  if (!answer || mine !== search) return;
  const list = answer.results.filter((one) => one.type === "template" && !one.problem);
  const place = byId("sheet-found");
  fill(
    place,
    h("p", { class: "help", role: "status" }, list.length ? count("sheet.found", list.length) : t("sheet.foundNone")),
    list.length
      ? h("div", { class: "stock", role: "radiogroup", "aria-label": t("sheet.stock") }, list.slice(0, 40).map((one) => h("label", { class: "stock-item" }, h("input", { type: "radio", name: "template", data: { do: "template" }, value: one.name, checked: one.name === template?.name, onchange: () => choose(one.name) }), h("span", {}, h("strong", {}, bdi(one.name)), h("span", { class: "help" }, bdi(one.description ?? "")), h("span", { class: "help" }, t(one.round ? "sheet.round" : "sheet.labelSize", { n: number(one.labels ?? 0), width: length(one.width ?? 0), height: length(one.height ?? 0), paper: one.paper ?? "" }))))))
      : null,
  );
}

async function choose(name) {
  const answer = await get(`/api/templates/${encodeURIComponent(name)}`);
  const failed = failureOf(answer);
  if (failed && !answer.labels) return fill(byId("sheet-grid"), trouble(failed));
  template = answer.labels ? answer : answer.results[0];
  first = 1;
  kept.set("template", name);
  drawSheet();
  preview();
}

/// Row and column of each label, for people who hear the page.
function positions(labels) {
  const rows = [...new Set(labels.map((label) => Math.round(label.y)))].sort((a, b) => a - b);
  const across = [...new Set(labels.map((label) => Math.round(label.x)))].sort((a, b) => a - b);
  return labels.map((label) => ({ row: rows.indexOf(Math.round(label.y)) + 1, column: across.indexOf(Math.round(label.x)) + 1 }));
}

/// The sheet with its labels as radio buttons: the one that is chosen is the first that is printed.
function drawSheet() {
  const place = byId("sheet-grid");
  if (!template) return;
  const { paper, labels, round } = template;
  const where = positions(labels);
  const needed = rowCount * Math.max(1, Number(byId("sheet-copies").value) || 1);
  const spots = labels.map((label, index) => {
    const number_ = index + 1;
    const used = number_ < first ? "free" : needed === 0 || number_ < first + needed ? "print" : "rest";
    const shape = round ? svg("ellipse", { cx: label.x + label.width / 2, cy: label.y + label.height / 2, rx: label.width / 2, ry: label.height / 2 }) : svg("rect", { x: label.x, y: label.y, width: label.width, height: label.height, rx: Math.min(3, label.height / 6) });
    return svg(
      "g",
      { role: "radio", class: "spot", "data-do": "spot", "data-used": used, tabindex: number_ === first ? 0 : -1, "aria-checked": String(number_ === first), "aria-label": t("sheet.spot", { n: number(number_), row: number(where[index].row), column: number(where[index].column) }) },
      shape,
      svg("text", { x: label.x + label.width / 2, y: label.y + label.height / 2, "font-size": Math.min(9, label.height * 0.5, label.width * 0.4), "aria-hidden": "true" }, number(number_)),
    );
  });
  const drawing = svg("svg", { viewBox: `-2 -2 ${paper.width + 4} ${paper.height + 4}`, class: "sheet-drawing", role: "radiogroup", "aria-label": t("sheet.startAt") }, svg("rect", { class: "sheet-paper", x: 0, y: 0, width: paper.width, height: paper.height, "aria-hidden": "true" }), spots);
  const pick = (index, focus) => {
    first = index + 1;
    drawSheet();
    if (focus) byId("sheet-grid").querySelectorAll(".spot")[index].focus();
    previewSoon();
  };
  drawing.addEventListener("click", (event) => {
    const index = spots.indexOf(event.target.closest(".spot"));
    if (index >= 0) pick(index, true);
  });
  drawing.addEventListener("keydown", (event) => {
    const index = spots.indexOf(document.activeElement);
    if (index < 0) return;
    const at = where[index];
    const to = (row, column) => where.findIndex((one) => one.row === row && one.column === column);
    const next = { ArrowRight: index + 1, ArrowLeft: index - 1, ArrowDown: to(at.row + 1, at.column), ArrowUp: to(at.row - 1, at.column), Home: 0, End: labels.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    if (next >= 0 && next < labels.length) pick(next, true);
  });
  fill(place, h("p", { class: "sheet-words" }, h("strong", {}, bdi(template.name)), " · ", t("sheet.starts", { n: number(first) }), needed ? [" · ", count("sheet.labelsNeeded", needed)] : null), drawing, h("p", { class: "help" }, t("sheet.startHelp")));
}

function request(more) {
  const data = new FormData(byId("sheet-form"));
  return { csv, name: fileName, template: template.name, start: first, copies: Math.max(1, Number(data.get("copies")) || 1), captions: [...captions], itemName: data.has("itemName"), cutMarks: data.has("cutMarks"), outlines: data.has("outlines"), unregistered: data.has("unregistered"), dryRun: true, ...more };
}

async function make(more) {
  const result = byId("sheet-result");
  const picture = byId("sheet-preview");
  if (csv === null || !template) {
    fill(picture, h("p", { class: "empty" }, t("sheet.notYet")));
    return;
  }
  previewSoon.drop();
  control?.abort();
  const mine = (control = new AbortController());
  picture.setAttribute("aria-busy", "true");
  const answer = await work(result, "POST", "/api/sheet", { json: request(more), signal: mine.signal });
  if (mine !== control) return;
  picture.removeAttribute("aria-busy");
  if (answer.cancelled) return;
  if (answer.preview) {
    const image = h("img", { src: own(answer.preview), class: "page", alt: t("sheet.previewOf", { template: template.name }) });
    await image.decode().catch(() => {});
    if (mine !== control) return;
    fill(picture, image);
  }
  const issues = answer.results.filter((one) => one.type === "issue");
  const refused = answer.results.filter((one) => one.type === "verification" && one.verdict !== "accepted");
  const errors = answer.results.filter((one) => one.type === "error");
  const failed = failureOf(answer);
  const made = answer.files?.length > 0;
  const warned = issues.filter((one) => one.findings?.length);
  const smallest = issues.reduce((least, one) => (one.readingDistance && one.readingDistance < least ? one.readingDistance : least), Infinity);
  const good = issues.length > 0 && !failed && refused.length === 0;
  fill(
    result,
    made ? h("div", { class: "message", data: { tone: "good" } }, badge("accepted"), h("div", {}, h("p", { class: "message-title" }, count("sheet.made", issues.length)), downloads(answer.files), h("p", { class: "help" }, t("sheet.printAt")))) : null,
    good && !made ? h("div", { class: "message", data: { tone: "good" } }, badge("accepted"), h("div", {}, h("p", { class: "message-title" }, count("sheet.ready", issues.length)), Number.isFinite(smallest) ? h("p", {}, t("poster.readingText", { distance: length(smallest) })) : null)) : null,
    refused.length ? refused.slice(0, 20).map((one) => verdictCard(one)) : null,
    errors.slice(0, 20).map((error) => trouble(error)),
    errors.length === 0 && failed ? trouble(failed) : null,
    warned.length ? h("details", { class: "more" }, h("summary", { data: { do: "warned" } }, count("sheet.warned", warned.length)), h("ul", {}, warned.slice(0, 100).map((one) => h("li", {}, code(one.url), english(one.findings[0].message))))) : null,
    good ? h("div", { class: "actions" }, h("button", { type: "button", class: "button primary", id: "sheet-make", onclick: () => make({ dryRun: false }) }, icon("down"), t("sheet.make"))) : null,
  );
  announce(made ? count("sheet.made", issues.length) : good ? count("sheet.ready", issues.length) : t("sheet.refused"), !good);
}
const preview = () => make({});
const previewSoon = settled(preview, 500);

export async function startSheet() {
  const form = byId("sheet-form");
  fill(
    form,
    h("div", { class: "card stack" }, h("h3", {}, t("sheet.file")), h("div", { id: "sheet-drop" }), h("div", { id: "sheet-captions" })),
    h(
      "div",
      { class: "card stack" },
      h("h3", {}, t("sheet.stock")),
      h("div", { class: "field" }, h("label", { for: "sheet-words" }, t("sheet.search")), h("input", { id: "sheet-words", type: "search", value: kept.get("templateWords", "avery l71"), autocomplete: "off", "aria-describedby": "sheet-words-help" }), h("p", { class: "help", id: "sheet-words-help" }, t("sheet.searchHelp"))),
      h("div", { id: "sheet-found" }),
      h("div", { id: "sheet-grid" }),
    ),
    h(
      "div",
      { class: "card stack" },
      h("h3", {}, t("sheet.how")),
      h("div", { class: "field narrow" }, h("label", { for: "sheet-copies" }, t("sheet.copies")), h("input", { id: "sheet-copies", name: "copies", type: "number", min: 1, max: 1000, value: "1", inputmode: "numeric" })),
      [["itemName", "sheet.itemName"], ["cutMarks", "sheet.cutMarks"], ["outlines", "sheet.outlines"], ["unregistered", "batch.unregistered"]].map(([name, word]) => h("label", { class: "check" }, h("input", { type: "checkbox", name }), t(word))),
    ),
  );
  const drop = dropPlace(byId("sheet-drop"), { title: t("batch.drop"), text: t("sheet.dropText"), accept: ".csv,text/csv,text/plain", take: (file) => take(file, drop) });
  form.addEventListener("submit", (event) => event.preventDefault());
  const findSoon = settled((words) => { kept.set("templateWords", words); find(words); }, 300);
  byId("sheet-words").addEventListener("input", (event) => findSoon(event.target.value));
  form.addEventListener("input", (event) => {
    if (!["copies", "itemName", "cutMarks", "outlines", "unregistered"].includes(event.target.name)) return;
    if (event.target.name === "copies") drawSheet();
    previewSoon();
  });
  fill(byId("sheet-preview"), h("p", { class: "empty" }, t("sheet.notYet")));
  await find(byId("sheet-words").value);
  const before = kept.get("template");
  if (before) await choose(before);
}
