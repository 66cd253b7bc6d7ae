// Findings: what walks found, followed up by a person until it is right.

import { announce, codeTitle, count, day, dialog, failureOf, get, number, on, post, settled, start, t, trouble } from "./app.js";
import { badge, bdi, byId, code, english, fill, h, table } from "./dom.js";

const STATES = ["open", "done", "will-not", "all"];
const asked = new URLSearchParams(location.search);
let only = asked.get("finding");
let state = STATES.includes(asked.get("state")) ? asked.get("state") : "open";
let place = asked.get("place") ?? "";
let owner = "";
let all = [];
let groups = [];

const today = () => new Date().toLocaleDateString("sv");
/// A day without a time, as the reader's language writes it.
const date = (text) => new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(`${text}T00:00:00Z`));
const names = (one) => one.place?.name ?? one.placeID;

async function load() {
  const [answer, counted] = await Promise.all([get("/api/findings?state=all"), get("/api/findings/statistics")]);
  const failed = failureOf(answer);
  if (failed) return fill(byId("findings"), trouble(failed));
  all = answer.results.filter((one) => one.type === "follow-up");
  groups = counted.results.filter((one) => one.type === "finding-statistics");
  show();
}

function choice(id, word, values, chosen, take) {
  return h("div", { class: "field" }, h("label", { for: id }, t(word)), h("select", { id, onchange: (event) => {
    take(event.target.value);
    show();
    byId(id).focus();
  } }, values.map(([value, label]) => h("option", { value, selected: value === chosen }, label))));
}

function show() {
  if (only) return showOne();
  const places = [...new Map(all.filter((one) => one.placeID).map((one) => [one.placeID, names(one)]))].sort((a, b) => a[1].localeCompare(b[1]));
  const owners = [...new Set(all.map((one) => one.owner).filter(Boolean))].sort();
  const shown = all.filter((one) => (state === "all" || one.state === state) && (!place || one.placeID === place) && (!owner || one.owner === owner));
  fill(
    byId("findings"),
    h("div", { class: "triple" }, choice("findings-state", "findings.show", STATES.map((one) => [one, `${t(`findings.filter.${one}`)} (${number(one === "all" ? all.length : all.filter((other) => other.state === one).length)})`]), state, (value) => (state = value)), choice("findings-place", "walk.place", [["", t("findings.anyPlace")], ...places], place, (value) => (place = value)), choice("findings-owner", "col.owner", [["", t("findings.anyOwner")], ...owners.map((one) => [one, one])], owner, (value) => (owner = value))),
    shown.length ? h("div", { class: "found-list" }, shown.slice(0, 200).map(card)) : h("p", { class: "empty" }, t("findings.none")),
    shown.length > 200 ? h("p", { class: "muted" }, count("findings.more", shown.length - 200)) : null,
    statistics(),
  );
}

/// The finding that a code on paper opened.
function showOne() {
  const one = all.find((other) => other.id === only);
  const back = h("p", {}, h("button", { type: "button", class: "link", data: { do: "all-findings" }, onclick: () => {
    only = null;
    history.replaceState(null, "", location.pathname);
    show();
  } }, t("findings.all")));
  fill(byId("findings"), one ? card(one) : h("p", { class: "empty" }, t("findings.unknown")), back);
}

function card(one) {
  const { finding } = one;
  const done = one.state !== "open";
  const late = !done && one.due && one.due < today();
  const title = codeTitle(finding.code) ?? finding.code;
  const facts = [
    one.payload ? [t("col.payload"), code(one.payload)] : null,
    one.code ? [t("col.code"), code(one.code)] : null,
    [t("col.opened"), day(one.opened)],
    one.owner ? [t("col.owner"), bdi(one.owner)] : null,
    one.due ? [t("col.due"), late ? [date(one.due), " · ", h("strong", {}, t("findings.late"))] : date(one.due)] : null,
    [t("col.id"), code(one.id)],
  ].filter(Boolean);
  const button = (name, word, act, primary) => h("button", { type: "button", class: primary ? "button" : "button small", data: { do: name }, onclick: () => act(one) }, t(word), h("span", { class: "hidden" }, ": ", title));
  return h(
    "article",
    { class: "card found", data: { severity: finding.severity, done: done ? "yes" : "no", finding: one.id } },
    h("header", { class: "found-head" }, badge(done ? "accepted" : { error: "rejected", warning: "warning" }[finding.severity]), h("div", {}, h("h2", { class: "found-title" }, title), h("p", { class: "muted" }, t(`severity.${finding.severity}`), names(one) ? [" · ", bdi(names(one))] : null))),
    english(finding.message),
    h("dl", { class: "facts" }, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    done ? h("p", { class: "ticked" }, badge("accepted"), h("span", {}, t(`findings.state.${one.state}`))) : null,
    h("details", { class: "more" }, h("summary", { data: { do: "history" } }, t("findings.history")), h("ul", { class: "history" }, one.history.map((entry) => h("li", {}, t(`findings.entry.${entry.kind}`), " · ", day(entry.time), " · ", bdi(entry.who), entry.owner ? [" · ", bdi(entry.owner)] : null, entry.due ? [" · ", date(entry.due)] : null, entry.note && entry.kind !== "found" ? [": ", bdi(entry.note)] : null)))),
    h("div", { class: "actions" }, done ? button("reopen", "walk.untick", (it) => change(it, "reopened")) : [button("done", "findings.done", close, true), button("assign", "findings.assign", assign)]),
  );
}

const note = () => h("div", { class: "field" }, h("label", { for: "finding-note" }, t("walk.note")), h("textarea", { id: "finding-note", name: "note", rows: 2, dir: "auto", maxlength: 2000 }));

async function close(one) {
  const { value, data } = await dialog({
    name: "close",
    title: t("findings.closeTitle"),
    body: [
      h("p", { class: "dialog-label" }, codeTitle(one.finding.code) ?? one.finding.code),
      h("fieldset", { class: "choices" }, h("legend", {}, t("walk.what")), ["done", "will-not"].map((kind) => h("label", { class: "choice" }, h("input", { type: "radio", name: "kind", value: kind, checked: kind === "done" }), h("span", {}, h("strong", {}, t(`findings.state.${kind}`)), h("span", { class: "help" }, t(`findings.state.${kind}Help`)))))),
      note(),
    ],
    buttons: [{ label: t("cancel"), value: "" }, { label: t("findings.close"), value: "close", primary: true }],
  });
  if (value === "close") await change(one, String(data.get("kind")), { note: String(data.get("note")).trim() });
}

async function assign(one) {
  const { value, data } = await dialog({
    name: "assign",
    title: t("findings.assign"),
    body: [
      h("p", { class: "dialog-label" }, codeTitle(one.finding.code) ?? one.finding.code),
      h("div", { class: "field" }, h("label", { for: "finding-owner" }, t("col.owner")), h("input", { id: "finding-owner", name: "owner", dir: "auto", autocomplete: "off", maxlength: 200, value: one.owner ?? "" })),
      h("div", { class: "field" }, h("label", { for: "finding-due" }, t("col.due")), h("input", { id: "finding-due", name: "due", type: "date", value: one.due ?? "" })),
      note(),
    ],
    buttons: [{ label: t("cancel"), value: "" }, { label: t("findings.save"), value: "assign", primary: true }],
  });
  if (value === "assign") await change(one, "assigned", { owner: String(data.get("owner")).trim(), due: String(data.get("due")), note: String(data.get("note")).trim() });
}

async function change(one, kind, values = {}) {
  const answer = await post(`/api/findings/${encodeURIComponent(one.id)}`, { change: kind, ...values });
  const failed = failureOf(answer);
  if (failed) {
    byId("findings").prepend(trouble(failed));
    return announce(t("trouble.title"), true);
  }
  announce(t(`findings.entry.${kind}`));
  await load();
  (document.querySelector(`[data-finding="${CSS.escape(one.id)}"] .actions button`) ?? byId("main")).focus();
}

function statistics() {
  if (!groups.length) return null;
  const days = (value) => (value === undefined || value === null ? "–" : number(value, 1));
  const name = (group) => (group.by === "finding" ? (codeTitle(group.name) ?? group.name) : (group.place?.name ?? group.name)) ?? t(group.by === "place" ? "findings.noPlace" : "findings.byHand");
  const part = (by) => {
    const own = groups.filter((group) => group.by === by);
    return own.length ? table({ caption: t(`findings.by.${by}`), heads: [t({ place: "col.place", finding: "col.finding", walk: "nav.walk" }[by]), ...["open", "done", "will-not", "median", "oldest"].map((one) => t(`findings.count.${one}`))], rows: own.map((group) => ({ cells: [bdi(name(group)), number(group.open), number(group.done), number(group.willNot), days(group.medianDays), days(group.oldestDays)] })) }) : null;
  };
  return h("details", { class: "more" }, h("summary", { data: { do: "statistics" } }, t("findings.statistics")), h("div", { class: "stack" }, ["place", "finding", "walk"].map(part)));
}

start(async () => {
  await load();
  on("registry", settled(() => document.querySelector("dialog[open]") || load(), 1000));
});
