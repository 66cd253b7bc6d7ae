// Going on with a batch, as the Now page and the Batch page do it.

import { ask, dialog, failureOf, number, parts, post, t, trouble } from "./app.js";
import { bdi, h } from "./dom.js";

/// The options of a batch on record: how it was last begun or continued. The password is not among them.
export async function optionsOf(name) {
  const answer = await ask("GET", "/api/batches");
  return (answer.results ?? []).find((result) => result.type === "batch" && result.batch === name)?.options ?? null;
}

export const isPassword = (text) => /^[0-9a-f]{8}(:([0-9a-f]{4}|\*))?$/i.test(text);

export const isUnfinished = (batch) => (batch.pending ?? 0) + (batch.torn ?? 0) > 0;

/// Of all batches the unfinished ones, the newest first.
export async function unfinished() {
  const answer = await ask("GET", "/api/batches");
  return (answer.results ?? []).filter((result) => result.type === "batch" && isUnfinished(result));
}

export const nextRow = (batch) => batch.next ?? batch.rows;

/// Goes on with a batch on record; asks again for what cannot be undone, and for the password. Resolves to whether it runs.
export async function goOn(batch, place) {
  // What is on record now, not what was when the page was shown.
  const before = (await optionsOf(batch.batch)) ?? {};
  const options = {};
  if (before.lock) {
    const { value } = await dialog({
      name: "lock",
      title: t("goOn.lockTitle"),
      body: [h("p", {}, parts("goOn.lockText", { batch: bdi(batch.batch) })), h("label", { class: "choice" }, h("input", { type: "checkbox", required: true, name: "understood" }), h("span", {}, h("strong", {}, t("batch.understood"))))],
      buttons: [{ label: t("cancel"), value: "" }, { label: t("goOn.lockButton"), value: "go", danger: true }],
    });
    if (value !== "go") return false;
  }
  if (before.setPassword) {
    const { value, data } = await dialog({
      name: "password",
      title: t("goOn.passwordTitle"),
      body: [h("p", {}, t("goOn.passwordText")), h("div", { class: "field" }, h("label", { for: "go-password" }, t("batch.passwordField")), h("input", { id: "go-password", name: "password", class: "code", dir: "ltr", required: true, pattern: "[0-9A-Fa-f]{8}(:([0-9A-Fa-f]{4}|\\*))?", autocomplete: "off", "aria-describedby": "go-password-help" }), h("p", { class: "help", id: "go-password-help" }, t("batch.passwordFormat")))],
      buttons: [{ label: t("cancel"), value: "" }, { label: t("goOn.button"), value: "go", primary: true }],
    });
    if (value !== "go") return false;
    options.password = String(data.get("password"));
  }
  const answer = await post("/api/batches/start", { batch: batch.batch, options });
  const failed = failureOf(answer);
  if (failed && place) place.replaceChildren(trouble(failed));
  return !failed;
}

/// Asks for the reason of a skip or a redo, and does it. Resolves to whether it was done.
export async function change(kind, { batch, row, label }, place) {
  const { value, data } = await dialog({
    name: kind,
    title: t(`${kind}.title`, { row: number(row) }),
    body: [
      label ? h("p", { class: "dialog-label" }, bdi(label)) : null,
      h("p", {}, t(`${kind}.text`)),
      h("div", { class: "field" }, h("label", { for: "reason" }, t("reason.field")), h("input", { id: "reason", name: "reason", dir: "auto", maxlength: 500, autocomplete: "off", "aria-describedby": "reason-help" }), h("p", { class: "help", id: "reason-help" }, t("reason.help"))),
    ],
    buttons: [{ label: t("cancel"), value: "" }, { label: t(`${kind}.button`), value: "yes", primary: true, first: true }],
  });
  if (value !== "yes") return false;
  const answer = await post(`/api/batch/${kind}`, { batch, row, reason: String(data.get("reason") ?? "").trim() || null });
  const failed = failureOf(answer);
  if (failed && place) place.replaceChildren(trouble(failed));
  return !failed;
}

/// Gives up the half-written tags of a batch, after a question. Resolves to whether it was done.
export async function giveUp(batch, place) {
  const { value, data } = await dialog({
    name: "give-up",
    title: t("giveUp.title"),
    body: [h("p", {}, t("giveUp.text")), h("div", { class: "field" }, h("label", { for: "reason" }, t("reason.field")), h("input", { id: "reason", name: "reason", dir: "auto", maxlength: 500, autocomplete: "off", "aria-describedby": "reason-help" }), h("p", { class: "help", id: "reason-help" }, t("reason.help")))],
    buttons: [{ label: t("cancel"), value: "" }, { label: t("giveUp.button"), value: "yes", danger: true }],
  });
  if (value !== "yes") return false;
  const failed = failureOf(await post("/api/batch/give-up-torn", { batch, reason: String(data.get("reason") ?? "").trim() || null }));
  if (failed && place) place.replaceChildren(trouble(failed));
  return !failed;
}

/// How far a batch is, as a bar with words.
export function bar(batch) {
  const done = batch.done ?? 0;
  const skipped = batch.skipped ?? 0;
  const rows = batch.rows || 1;
  const part = (tone, value) => {
    const piece = h("span", { class: `bar-${tone}` });
    piece.style.inlineSize = `${(100 * value) / rows}%`;
    return piece;
  };
  return h("div", { class: "bar", role: "img", "aria-label": t("bar.label", { done: number(done), rows: number(batch.rows), skipped: number(skipped) }) }, part("done", done), part("skipped", skipped), part("torn", batch.torn ?? 0));
}

