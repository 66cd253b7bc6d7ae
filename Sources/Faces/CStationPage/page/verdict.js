// A verdict: the answer in large, the reasons, the card that a phone shows, where it belongs.

import { codeTitle, has, metres, t, trouble } from "./app.js";
import { badge, bdi, code, english, h } from "./dom.js";

export const toneOf = (verification) => ({ accepted: "good", rejected: "bad" })[verification.verdict] ?? "look";

/// A finding in the page's words with the command's sentence.
export function finding(found) {
  const kind = { error: "rejected", warning: "warning" }[found.severity] ?? "note";
  const title = codeTitle(found.code);
  return h("li", { class: "finding", data: { severity: found.severity ?? "note" } }, badge(kind), h("div", {}, h("p", { class: "finding-title" }, h("span", { class: "hidden" }, `${t(`severity.${found.severity ?? "note"}`)}: `), title ?? english(found.message, "span") ?? code(found.code)), title ? english(found.message) : null));
}
export const findings = (list) => (list?.length ? h("ul", { class: "findings" }, list.map(finding)) : null);

function belongs(verification) {
  const { place, location } = verification;
  const rows = [];
  if (place) rows.push([t("verdict.place"), bdi(place.name ?? place.id)]);
  if (location?.distance !== null && location?.distance !== undefined) rows.push([t("verdict.distance"), metres(location.distance)]);
  if (location?.result && (place || verification.experience) && has(`location.${location.result}`)) rows.push([t("verdict.position"), t(`location.${location.result}`)]);
  return rows;
}

/// One verification as a card.
export function verdictCard(verification, { level = "h3", picture = null, quiet = false } = {}) {
  if (verification.type === "error") return trouble(verification);
  const verdict = verification.verdict ?? "undecided";
  const { experience, tag, symbol } = verification;
  const url = verification.url ?? verification.payload;
  const facts = [
    ...belongs(verification),
    verification.carrier && has(`carrier.${verification.carrier}`) ? [t("verdict.carrier"), t(`carrier.${verification.carrier}`)] : null,
    tag?.uid ? [t("col.uid"), code(tag.uid)] : null,
    tag?.name ?? tag?.type ? [t("verdict.tagType"), bdi(tag.name ?? tag.type)] : null,
    symbol?.version ? [t("verdict.symbol"), t("verdict.version", { version: symbol.version, level: symbol.errorCorrection ?? "–" })] : null,
    verification.source && verification.source !== "argument" ? [t("col.source"), bdi(verification.source)] : null,
  ].filter(Boolean);
  const state = verification.state && has(`state.${verification.state}`) ? t(`state.${verification.state}`) : null;
  return h(
    "article",
    { class: `verdict${quiet ? " quiet" : ""}`, data: { tone: toneOf(verification) } },
    h("header", { class: "verdict-head" }, badge(verdict), h("div", {}, h(level, { class: "verdict-word" }, t(`verdict.${verdict}`)), state ? h("p", { class: "verdict-state" }, state) : null)),
    h(
      "div",
      { class: "verdict-body" },
      url ? h("p", { class: "verdict-url" }, code(url)) : h("p", { class: "muted" }, t("verdict.noUrl")),
      experience
        ? h("div", { class: "clip" }, h("div", { class: "clip-picture", "aria-hidden": "true" }), h("div", { class: "clip-words" }, h("p", { class: "clip-title" }, bdi(experience.title ?? experience.clip)), experience.subtitle ? h("p", { class: "clip-sub" }, bdi(experience.subtitle)) : null), experience.action ? h("span", { class: "clip-action" }, has(`action.${experience.action}`) ? t(`action.${experience.action}`) : bdi(experience.action)) : null)
        : null,
      findings(verification.findings),
      facts.length ? h("dl", { class: "facts" }, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))) : null,
      picture,
    ),
  );
}

/// A sentence for a screen reader.
export const verdictSentence = (verification) =>
  verification.type === "error"
    ? codeTitle(verification.code) ?? t("trouble.unknown")
    : `${t(`verdict.${verification.verdict ?? "undecided"}`)}: ${verification.place?.name ?? verification.url ?? verification.payload ?? ""}${verification.findings?.[0] ? `. ${codeTitle(verification.findings[0].code) ?? ""}` : ""}`;

/// The worst of several verdicts.
export const worst = (list) => (list.some((one) => one.type === "error" || one.verdict === "rejected") ? "bad" : list.some((one) => one.verdict !== "accepted") ? "look" : "good");

