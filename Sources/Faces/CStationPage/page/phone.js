// The phone's own page: one picture, and what is on it.

import { announce, ask, failureOf, ready, t } from "./app.js";
import { byId, fill, h } from "./dom.js";
import { verdictCard, verdictSentence } from "./verdict.js";

const link = new URLSearchParams(location.search).get("link") ?? "";
const form = byId("phone-form");
const state = byId("phone-state");

async function send(event) {
  event.preventDefault();
  const file = byId("picture").files[0];
  if (!file) return;
  const button = form.querySelector('button[type="submit"]');
  button.disabled = true;
  state.textContent = t("phone.sending");
  const answer = await ask("POST", `/phone/picture?${new URLSearchParams({ link, name: file.name })}`, { body: file, type: file.type || "image/jpeg" });
  button.disabled = false;
  state.textContent = "";
  const list = answer.results.filter((one) => ["verification", "error"].includes(one.type));
  const failed = failureOf(answer);
  fill(
    byId("verdicts"),
    list.length ? list.map((one) => verdictCard(one)) : failed ? verdictCard(failed) : h("p", { class: "empty" }, t("check.nothing")),
    answer.preview ? h("figure", { class: "drawn" }, h("img", { src: answer.preview, alt: t("check.drawn") })) : null,
  );
  announce(list.length ? list.map(verdictSentence).join(". ") : t("check.nothing"), list.some((one) => one.verdict !== "accepted"));
  byId("verdicts").scrollIntoView({ block: "start" });
}

await ready;
form.addEventListener("submit", send);
byId("picture").addEventListener("change", () => form.requestSubmit());
