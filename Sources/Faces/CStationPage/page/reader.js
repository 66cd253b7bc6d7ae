// Reader: what the doctor found, in words, as it changes.

import { announce, failureOf, get, has, on, start, t, trouble } from "./app.js";
import { badge, bdi, byId, english, fill, h } from "./dom.js";

const KIND = { fine: "accepted", note: "note", problem: "rejected" };
let reader = null;
let last = "";

function show(results, aloud = false) {
  const checks = results.filter((one) => one.type === "check");
  const problems = checks.filter((one) => one.verdict === "problem");
  const tone = problems.length ? "bad" : "good";
  const title = t(problems.length ? "reader.trouble" : "reader.fine");
  fill(
    byId("reader"),
    h("div", { class: "answer", data: { tone } }, badge(problems.length ? "rejected" : "accepted"), h("div", {}, h("p", { class: "answer-title" }, title), h("p", {}, t("foot.reader"), ": ", reader ? bdi(reader, { class: "code" }) : t("reader.none")))),
    h("div", { class: "actions" }, h("button", { type: "button", class: "button primary", id: "look-again", onclick: () => look(true) }, t("reader.again")), h("span", { class: "muted", role: "status", id: "reader-state" })),
    h(
      "ul",
      { class: "checks" },
      checks.map((one) =>
        h("li", { class: "card check-item", data: { verdict: one.verdict } }, badge(KIND[one.verdict] ?? "note"), h("div", {}, h("h2", { class: "check-title" }, has(`subject.${one.subject}`) ? t(`subject.${one.subject}`) : bdi(one.subject), h("span", { class: "chip" }, t(`check.${one.verdict}`))), h("p", { class: "help" }, has(`subject.${one.subject}.text`) ? t(`subject.${one.subject}.text`) : ""), english(one.finding), one.hint ? h("div", { class: "hint" }, h("p", { class: "hint-word" }, t("reader.next")), english(one.hint)) : null)),
      ),
    ),
  );
  const signature = JSON.stringify(checks);
  if (aloud || (last && signature !== last)) announce(title, problems.length > 0);
  last = signature;
}

async function look(aloud) {
  const focused = document.activeElement?.id;
  if (byId("reader-state")) byId("reader-state").textContent = t("reader.looking");
  byId("look-again")?.setAttribute("aria-disabled", "true");
  const answer = await get("/api/reader");
  const checks = answer.results.filter((one) => one.type === "check");
  const failed = failureOf(answer);
  if (failed && checks.length === 0) return fill(byId("reader"), trouble(failed), h("div", { class: "actions" }, h("button", { type: "button", class: "button primary", id: "look-again", onclick: () => look(true) }, t("reader.again"))));
  show(checks, aloud);
  if (focused) byId(focused)?.focus();
}

on("now", (now) => (reader = now.reader ?? reader));
on("reader", (event) => {
  const focused = document.activeElement?.id;
  show(event.results ?? []);
  if (focused) byId(focused)?.focus();
});

start(async () => {
  const station = await get("/api/station");
  reader = station.reader ?? reader;
  await look(false);
});
