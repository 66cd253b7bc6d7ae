// Batch: a CSV file is reviewed before the first tag; below, every batch on record.

import { announce, ask, count, day, dropPlace, failureOf, get, number, on, parts, settled, start, t, tableText, trouble, work } from "./app.js";
import { bar, change, giveUp, goOn, isPassword, isUnfinished, optionsOf } from "./batches.js";
import { badge, bdi, byId, code, english, fill, h, icon, table } from "./dom.js";
import { own } from "./session.js";
import { findings } from "./verdict.js";

const form = byId("batch-form");
let csv = null;
let review = null;
let control = null;
let onlyObjections = false;

// The review

function options() {
  const data = new FormData(form);
  const protect = data.get("protect");
  return {
    lock: protect === "lock",
    setPassword: protect === "password",
    password: protect === "password" ? String(data.get("password")).trim() : "",
    overwrite: data.has("overwrite"), reuse: data.has("reuse"), unregistered: data.has("unregistered"), strict: data.has("strict"),
    requireGenuine: data.has("requireGenuine"), allowDuplicates: data.has("allowDuplicates"), type: data.get("type") || null,
  };
}
const batchName = () => byId("batch-name").value.trim();

/// Drops the review, which was of other choices: nothing can be confirmed or begun until the next one.
function outdate() {
  checkSoon.drop();
  control?.abort();
  control = null;
  review = null;
  for (const one of document.querySelectorAll("#understood, #batch-start")) one.disabled = true;
}

async function check() {
  outdate();
  if (csv === null) return;
  control = new AbortController();
  const mine = control;
  const place = byId("review");
  place.setAttribute("aria-busy", "true");
  const answer = await work(place, "POST", "/api/batches/review", { json: { batch: batchName(), csv, options: { ...options(), password: "" } }, signal: mine.signal });
  if (mine !== control) return;
  place.removeAttribute("aria-busy");
  if (answer.cancelled) return;
  review = answer;
  showReview();
}
const checkSoon = settled(check, 300);

function passwordReady() {
  const chosen = options();
  if (!chosen.setPassword) return true;
  return isPassword(chosen.password);
}

function showPassword() {
  const protect = new FormData(form).get("protect");
  byId("password-field").hidden = protect !== "password";
  const text = byId("batch-password").value.trim();
  const good = isPassword(text);
  byId("batch-password").setAttribute("aria-invalid", String(text !== "" && !good));
  const [key, pack] = text.toUpperCase().split(":");
  fill(byId("batch-password-state"), text === "" ? t("batch.passwordEmpty") : good ? [parts("batch.passwordPreview", { password: code(key.match(/../g).join(" ")), pack: code(!pack || pack === "*" ? "*" : pack.match(/../g).join(" ")) })] : t("batch.passwordWrong"));
}

function sentence(batch, chosen) {
  const key = chosen.lock ? "review.lock" : chosen.setPassword ? "review.password" : "review.open";
  return count(key, batch.pending ?? batch.rows);
}

function showReview() {
  const place = byId("review");
  const batch = review.results.find((result) => result.type === "batch");
  const errors = review.results.filter((result) => result.type === "error");
  const refused = review.results.filter((result) => result.type === "verification");
  const rows = review.rows ?? [];
  const objected = rows.filter((row) => row.objection);
  const chosen = options();
  const objections = review.objections ?? errors.length;
  const good = batch && errors.length === 0;
  const pieces = [];
  if (good)
    pieces.push(h("div", { class: "message large", data: { tone: "good" } }, badge("accepted"), h("div", {}, h("p", { class: "message-title" }, sentence(batch, chosen)), h("p", {}, t("review.rows", { rows: number(batch.rows), done: number(batch.done ?? 0), skipped: number(batch.skipped ?? 0) })))));
  else
    pieces.push(
      h("div", { class: "message large", data: { tone: "bad" } }, badge("rejected"), h("div", {}, h("p", { class: "message-title" }, count("review.objections", Math.max(1, objections))), h("p", {}, t("review.nothing")))),
      errors.length ? h("ul", { class: "plain-list stack" }, errors.slice(0, 50).map((error) => h("li", {}, trouble(error)))) : null,
      objected.length === 0 && refused.length ? h("ul", { class: "plain-list stack" }, refused.slice(0, 50).map((one) => h("li", { class: "message", data: { tone: "bad" } }, badge("rejected"), h("div", {}, h("p", { class: "message-title" }, code(one.url ?? one.payload)), h("p", { class: "muted" }, bdi(one.source)), findings(one.findings))))) : null,
    );
  if (good) pieces.push(startPart(chosen));
  if (rows.length) {
    const shownRows = onlyObjections ? objected : [...objected, ...rows.filter((row) => !row.objection)];
    pieces.push(
      h(
        "div",
        { class: "table-head" },
        h("h3", {}, t("review.table")),
        h("p", { class: "muted" }, review.rowCount > rows.length ? t("review.first", { shown: number(rows.length), rows: number(review.rowCount) }) : count("rows", rows.length)),
        objected.length ? h("label", { class: "check" }, h("input", { type: "checkbox", id: "only-objections", checked: onlyObjections, onchange: (event) => { onlyObjections = event.target.checked; if (review) showReview(); } }), t("review.only", { n: number(objected.length) })) : null,
      ),
      table({
        caption: t("review.table"), hidden: true, classes: "tall",
        heads: [t("col.line"), t("col.label"), t("col.url"), t("col.place"), t("col.state")],
        rows: shownRows.map((row) => ({
          tone: row.objection ? "bad" : row.findings?.length ? "look" : null,
          cells: [
            number(row.line ?? row.row),
            row.label ? bdi(row.label) : h("span", { class: "muted" }, "–"),
            h("span", {}, code(row.url), row.uid ? h("span", { class: "cell-note" }, t("review.forTag"), " ", code(row.uid)) : null),
            row.place ? bdi(row.place) : "",
            row.objection ? h("span", { class: "objection" }, badge("rejected"), h("span", {}, english(row.objection, "span"), row.findings?.filter((found) => found.message !== row.objection).map((found) => english(found.message, "span")))) : h("span", {}, t(rowState(row.state)), row.findings?.length ? h("span", { class: "objection soft" }, badge("warning"), english(row.findings[0].message, "span")) : null),
          ],
        })),
      }),
    );
  }
  fill(place, pieces);
  announce(good ? sentence(batch, chosen) : count("review.objections", Math.max(1, objections)), !good);
}

function startPart(chosen) {
  const button = h("button", { type: "submit", class: `button large ${chosen.lock ? "danger" : "primary"}`, id: "batch-start" }, t(chosen.lock ? "batch.startLock" : "batch.start"));
  const understood = chosen.lock ? h("label", { class: "choice strong" }, h("input", { type: "checkbox", id: "understood", onchange: (event) => (button.disabled = !event.target.checked) }), h("span", {}, h("strong", {}, t("batch.understood")), h("span", { class: "help" }, t("batch.lockHelp")))) : null;
  button.disabled = chosen.lock || !passwordReady();
  return h("div", { class: "start" }, understood, chosen.setPassword && !passwordReady() ? h("p", { class: "help" }, t("batch.passwordFirst")) : null, button, h("div", { id: "start-state" }));
}

async function begin(event) {
  event.preventDefault();
  const button = byId("batch-start");
  if (!button || button.disabled) return;
  button.disabled = true;
  const chosen = options();
  const answer = await ask("POST", "/api/batches/start", { json: { batch: batchName(), csv, options: chosen } });
  const failed = failureOf(answer);
  if (failed) {
    button.disabled = review === null;
    fill(byId("start-state"), trouble(failed));
    announce(failed.message ?? t("trouble.unknown"), true);
    return;
  }
  location.href = "/";
}

async function takeFile(file, drop) {
  const sent = await tableText(file);
  csv = sent.text;
  outdate();
  drop.chosen(file.name, sent.note);
  if (byId("batch-name").value === "" || byId("batch-name").dataset.auto === "yes") {
    byId("batch-name").value = file.name.replace(/\.[^.]*$/, "");
    byId("batch-name").dataset.auto = "yes";
  }
  const before = await optionsOf(batchName());
  if (before) useOptions(before);
  byId("batch-options").hidden = false;
  showPassword();
  check();
}

function useOptions(before) {
  form.elements.protect.value = before.lock ? "lock" : before.setPassword ? "password" : "open";
  form.elements.type.value = before.type ?? "";
  for (const name of ["overwrite", "reuse", "unregistered", "strict", "requireGenuine", "allowDuplicates"]) form.elements[name].checked = Boolean(before[name]);
}

// All batches

/// The word of a row's state: one that was begun waits for its tag, whether it was written or not.
const rowState = (state) => `row.${["intended", "written"].includes(state) ? "torn" : state}`;

const PAGE = 100;
const open = new Map();

async function showBatches() {
  const place = byId("batches");
  const answer = await get("/api/batches");
  const failed = failureOf(answer);
  if (failed) return fill(place, trouble(failed));
  const batches = answer.results.filter((result) => result.type === "batch");
  fill(place, batches.length ? batches.map(batchCard) : h("p", { class: "empty" }, t("table.empty")));
}

function batchCard(batch) {
  const rowsPlace = h("div", { class: "batch-rows" });
  const state = h("div", {});
  const shown = open.get(batch.batch);
  const toggle = h("button", { type: "button", class: "button small", data: { do: "rows" }, "aria-expanded": String(Boolean(shown)), onclick: () => {
    if (open.has(batch.batch)) {
      open.delete(batch.batch);
      fill(rowsPlace);
    } else {
      open.set(batch.batch, { state: "", offset: 0 });
      showRows(batch, rowsPlace);
    }
    toggle.setAttribute("aria-expanded", String(open.has(batch.batch)));
  } }, t("batch.rows"), h("span", { class: "hidden" }, ": ", bdi(batch.batch)));
  if (shown) showRows(batch, rowsPlace);
  return h(
    "article",
    { class: "card batch" },
    h("div", { class: "batch-top" }, h("h3", {}, bdi(batch.batch)), h("p", { class: "muted" }, day(batch.created), batch.who ? [" · ", bdi(batch.who)] : null)),
    h("p", { class: "batch-counts" }, h("strong", {}, t("now.ofTotal", { done: number(batch.done), rows: number(batch.rows) })), batch.pending ? h("span", {}, count("batch.pending", batch.pending)) : h("span", { class: "done-word" }, badge("accepted"), t("batch.complete")), batch.skipped ? h("span", {}, count("batch.skipped", batch.skipped)) : null, batch.torn ? h("span", { class: "look-word" }, badge("warning"), count("batch.torn", batch.torn)) : null),
    bar(batch),
    h(
      "div",
      { class: "actions" },
      isUnfinished(batch) ? h("button", { type: "button", class: "button primary small", data: { do: "go-on" }, onclick: async () => { if (await goOn(batch, state)) location.href = "/"; } }, t("goOn.button"), h("span", { class: "hidden" }, ": ", bdi(batch.batch))) : null,
      toggle,
      batch.torn ? h("button", { type: "button", class: "button small", data: { do: "give-up" }, onclick: async () => { if (await giveUp(batch.batch, state)) showBatches(); } }, t("now.giveUp")) : null,
      h("a", { class: "button small", data: { do: "report" }, href: own(`/api/batches/${encodeURIComponent(batch.batch)}/report.csv`), download: "" }, icon("down"), t("batch.report"), h("span", { class: "hidden" }, ": ", bdi(batch.batch))),
    ),
    state,
    rowsPlace,
  );
}

async function showRows(batch, place) {
  const view = open.get(batch.batch);
  if (!view) return;
  const query = new URLSearchParams({ offset: view.offset, limit: PAGE });
  if (view.state) query.set("state", view.state);
  const answer = await get(`/api/batches/${encodeURIComponent(batch.batch)}/rows?${query}`);
  const failed = failureOf(answer);
  if (failed) return fill(place, trouble(failed));
  const rows = answer.results ?? [];
  const total = answer.total ?? rows.length;
  const state = h("div", {});
  const again = () => showRows(batch, place);
  const doIt = async (kind, row) => {
    if (await change(kind, { batch: batch.batch, row: row.row, label: row.label || row.url }, state)) {
      announce(t(`${kind}.done`, { row: number(row.row) }));
      again();
    }
  };
  const turn = (by) => {
    view.offset = Math.max(0, view.offset + by);
    again();
  };
  const filter = h("select", { id: `filter-${batch.batch}`, data: { do: "rows-filter" }, onchange: (event) => { view.state = event.target.value; view.offset = 0; again(); } }, ["", "pending", "done", "torn", "skipped"].map((one) => h("option", { value: one, selected: one === view.state }, t(one === "" ? "rows.all" : `row.${one}`))));
  fill(
    place,
    h("div", { class: "table-head" }, h("label", { class: "inline", for: filter.id }, t("rows.show"), " ", filter), h("p", { class: "muted", role: "status" }, total ? t("rows.range", { from: number(view.offset + 1), to: number(view.offset + rows.length), total: number(total) }) : t("table.empty"))),
    state,
    rows.length
      ? table({
          caption: t("rows.caption", { batch: batch.batch }), hidden: true, classes: "tall",
          heads: [t("col.row"), t("col.label"), t("col.url"), t("col.state"), t("col.uid"), h("span", { class: "hidden" }, t("rows.actions"))],
          rows: rows.map((row) => ({
            cells: [
              number(row.row), row.label ? bdi(row.label) : "", code(row.url),
              h("span", {}, t(rowState(row.state)), row.locked ? [", ", t("row.locked")] : null, row.reason ? h("span", { class: "cell-note" }, bdi(row.reason)) : null, row.changed ? h("span", { class: "cell-note" }, day(row.changed), row.who ? [" · ", bdi(row.who)] : null) : null),
              row.uid ? code(row.uid) : "",
              h("span", { class: "cell-actions" }, ["done", "skipped"].includes(row.state) ? h("button", { type: "button", class: "button small", data: { do: "row-redo" }, onclick: () => doIt("redo", row) }, t("redo.button"), h("span", { class: "hidden" }, ": ", number(row.row))) : null, row.state === "pending" ? h("button", { type: "button", class: "button small", data: { do: "row-skip" }, onclick: () => doIt("skip", row) }, t("skip.button"), h("span", { class: "hidden" }, ": ", number(row.row))) : null),
            ],
          })),
        })
      : null,
    total > PAGE ? h("div", { class: "actions pager" }, h("button", { type: "button", class: "button small", data: { do: "rows-before" }, disabled: view.offset === 0, onclick: () => turn(-PAGE) }, t("rows.before")), h("button", { type: "button", class: "button small", data: { do: "rows-next" }, disabled: view.offset + rows.length >= total, onclick: () => turn(PAGE) }, t("rows.next"))) : null,
  );
}

start(async () => {
  const drop = dropPlace(byId("batch-drop"), { title: t("batch.drop"), text: t("batch.dropText"), accept: ".csv,text/csv,text/plain", take: (file) => takeFile(file, drop) });
  form.addEventListener("submit", begin);
  form.addEventListener("input", (event) => {
    if (event.target.closest("#review")) return;
    if (event.target.id === "batch-name") event.target.dataset.auto = "no";
    showPassword();
    if (event.target.id === "batch-password") {
      if (review) byId("batch-start")?.toggleAttribute("disabled", !passwordReady());
      return;
    }
    outdate();
    checkSoon();
  });
  on("registry", settled(showBatches, 500));
  await showBatches();
});
