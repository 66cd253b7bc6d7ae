// A poster: what is chosen on the left is the real page on the right, a moment later.

import { announce, count, downloads, failureOf, get, kept, language, length, number, percent, settled, t, trouble, work } from "./app.js";
import { badge, bdi, byId, code, fill, h, icon, svg, table } from "./dom.js";
import { own } from "./session.js";
import { findings, verdictCard } from "./verdict.js";

let form;
let station = {};
let places = [];
let experiences = [];
let logo = null;
let control = null;
const colours = { accent: null, ink: null, foreground: null, background: null };
const DEFAULTS = { accent: "#000000", ink: "#000000", foreground: "#000000", background: "#ffffff" };

const field = (name, label, input, help) => h("div", { class: "field" }, h("label", { for: `poster-${name}` }, label), input, help ? h("p", { class: "help", id: `poster-${name}-help` }, help) : null);
const input = (name, properties) => h("input", { id: `poster-${name}`, name, autocomplete: "off", ...properties });
const select = (name, options) => h("select", { id: `poster-${name}`, name }, options);
const option = (value, label, selected) => h("option", { value, selected }, label);

/// A small drawing of a design.
function designDrawing(name) {
  const pieces = {
    classic: [svg("rect", { class: "d-line", x: 18, y: 10, width: 24, height: 3 }), svg("rect", { class: "d-line", x: 12, y: 17, width: 36, height: 5 }), svg("rect", { class: "d-code", x: 19, y: 30, width: 22, height: 22 }), svg("rect", { class: "d-soft", x: 16, y: 60, width: 28, height: 3 })],
    bold: [svg("rect", { class: "d-area", x: 0, y: 0, width: 60, height: 38 }), svg("rect", { class: "d-on", x: 8, y: 10, width: 30, height: 6 }), svg("rect", { class: "d-on", x: 8, y: 20, width: 20, height: 6 }), svg("rect", { class: "d-plate", x: 14, y: 30, width: 32, height: 32 }), svg("rect", { class: "d-code", x: 18, y: 34, width: 24, height: 24 })],
    editorial: [svg("rect", { class: "d-line", x: 6, y: 8, width: 44, height: 8 }), svg("rect", { class: "d-line", x: 6, y: 20, width: 30, height: 8 }), svg("rect", { class: "d-soft", x: 6, y: 52, width: 20, height: 3 }), svg("rect", { class: "d-soft", x: 6, y: 58, width: 16, height: 3 }), svg("rect", { class: "d-code", x: 34, y: 50, width: 20, height: 20 })],
  };
  return svg("svg", { viewBox: "0 0 60 80", class: "design-drawing", "aria-hidden": "true", focusable: "false" }, svg("rect", { class: "d-paper", x: 0, y: 0, width: 60, height: 80 }), pieces[name] ?? pieces.classic);
}

function languageName(tag) {
  try {
    return new Intl.DisplayNames(tag, { type: "language" }).of(tag);
  } catch {
    return tag;
  }
}

function colourField(name) {
  const button = h("button", { type: "button", class: "link", hidden: true, data: { do: `reset-${name}` }, onclick: () => {
    colours[name] = null;
    picker.value = DEFAULTS[name];
    button.hidden = true;
    picker.focus();
    previewSoon();
  } }, t("poster.reset"), h("span", { class: "hidden" }, ": ", t(`poster.${name}`)));
  const picker = h("input", { type: "color", id: `poster-${name}`, value: DEFAULTS[name], oninput: () => {
    colours[name] = picker.value.slice(1);
    button.hidden = false;
  } });
  return h("div", { class: "colour" }, picker, h("label", { for: `poster-${name}` }, t(`poster.${name}`)), button);
}

function build() {
  const before = kept.get("poster", {});
  const languages = station.posterLanguages ?? ["en"];
  const words = languages.includes(before.language) ? before.language : languages.includes(language) ? language : "en";
  const logoInput = input("logo", { type: "file", accept: ".svg,.png,.jpg,.jpeg,image/*" });
  const logoButton = h("button", { type: "button", class: "link", hidden: true, id: "logo-remove", onclick: () => { logo = null; logoInput.value = ""; logoButton.hidden = true; preview(); } }, t("poster.logoRemove"));
  logoInput.addEventListener("change", async () => {
    const file = logoInput.files[0];
    logo = file ? { name: file.name, base64: await base64(file) } : null;
    logoButton.hidden = !logo;
    preview();
  });
  fill(
    form,
    h(
      "fieldset",
      { class: "card stack" },
      h("legend", {}, t("poster.what")),
      field("place", t("poster.place"), select("place", [option("", t("poster.noPlace")), places.map((place) => option(place.id, place.name ?? place.id))])),
      field("experience", t("poster.experience"), select("experience", [option("", t("poster.noExperience")), experiences.map((one, index) => option(String(index), `${one.title ?? ""} · ${one.link}`))])),
      field("url", t("poster.url"), input("url", { type: "url", dir: "ltr", spellcheck: "false", list: "poster-urls", class: "code", "aria-describedby": "poster-url-help" }), t("poster.urlHelp")),
      h("datalist", { id: "poster-urls" }),
    ),
    h(
      "fieldset",
      { class: "card stack" },
      h("legend", {}, t("poster.look")),
      h("div", { class: "designs", role: "radiogroup", "aria-label": t("poster.design") }, (station.designs ?? ["classic"]).map((name) => h("label", { class: "design" }, h("input", { type: "radio", name: "design", value: name, checked: name === (before.design ?? "classic") }), designDrawing(name), h("span", {}, t(`design.${name}`))))),
      h(
        "div",
        { class: "pair" },
        field("paper", t("poster.paper"), select("paper", (station.papers ?? ["A4"]).map((paper) => option(paper, /^A\d$/.test(paper) ? paper : t(`paper.${paper}`), paper === (before.paper ?? "A4"))))),
        field("landscape", t("poster.orientation"), select("landscape", [option("", t("poster.upright"), !before.landscape), option("yes", t("poster.landscape"), before.landscape)])),
      ),
      field("language", t("poster.language"), select("language", languages.map((tag) => h("option", { value: tag, selected: tag === words, lang: tag }, languageName(tag))))),
      colourField("accent"),
      field("appClipCode", t("poster.appClipCode"), h("select", { id: "poster-appClipCode", name: "appClipCode", "aria-describedby": "poster-appClipCode-help" }, option("", t("poster.appClipCodeNone")), option("beside", t("poster.appClipCodeBeside")), option("instead", t("poster.appClipCodeInstead"))), t("poster.appClipCodeHelp")),
      field("logo", t("poster.logo"), logoInput),
      logoButton,
    ),
    h(
      "fieldset",
      { class: "card stack" },
      h("legend", {}, t("poster.words")),
      h("p", { class: "help" }, t("poster.wordsHelp")),
      ["headline", "brand", "callToAction", "placeName"].map((name) => field(name, t(`poster.${name}`), input(name, { dir: "auto" }))),
      h("label", { class: "choice" }, h("input", { type: "checkbox", name: "nfcTarget", checked: Boolean(before.nfcTarget) }), h("span", {}, h("strong", {}, t("poster.nfcTarget")), h("span", { class: "help" }, t("poster.nfcTargetHelp")))),
      h("label", { class: "choice" }, h("input", { type: "checkbox", name: "smallPrint", checked: before.smallPrint ?? true }), h("span", {}, h("strong", {}, t("poster.smallPrint")), h("span", { class: "help" }, t("poster.smallPrintHelp")))),
      field("shownName", t("poster.shownName"), h("select", { id: "poster-shownName", name: "shownName", "aria-describedby": "poster-shownName-help" }, option("", t("poster.shownNameNone")), option("tail", t("poster.shownNameTail"), Boolean(before.codeTail)), option("item", t("poster.shownNameItem"), Boolean(before.itemName))), t("poster.shownNameHelp")),
    ),
    h(
      "details",
      { class: "more card" },
      h("summary", { data: { do: "more" } }, t("poster.more")),
      h(
        "div",
        { class: "stack" },
        ["ink", "foreground", "background"].map(colourField),
        h("div", { class: "pair" }, field("distance", t("poster.distance"), input("distance", { type: "number", min: 0.1, step: 0.1, inputmode: "decimal" })), field("width", t("poster.width"), input("width", { type: "number", min: 5, step: 1, inputmode: "decimal" }))),
        h("label", { class: "choice" }, h("input", { type: "checkbox", name: "unregistered" }), h("span", {}, h("strong", {}, t("batch.unregistered")), h("span", { class: "help" }, t("batch.unregisteredHelp")))),
        h("label", { class: "choice" }, h("input", { type: "checkbox", name: "strict" }), h("span", {}, h("strong", {}, t("batch.strict")), h("span", { class: "help" }, t("batch.strictHelp")))),
      ),
    ),
  );
  if (places.length) byId("poster-place").value = places.some((place) => place.id === before.place) ? before.place : places[0].id;
  if (experiences.length) byId("poster-experience").value = "0";
  suggest();
}

function base64(file) {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.readAsDataURL(file);
  });
}

/// The URL of an experience at a place, by the rule of the experience.
function urlOf(experience, place) {
  if (!experience) return place?.urls?.[0] ?? "";
  const known = place?.urls?.find((url) => url === experience.link || url.startsWith(`${experience.link}/`) || url.startsWith(`${experience.link}?`));
  if (known) return known;
  const rule = experience.place;
  try {
    const url = new URL(experience.link);
    if (place && rule?.path) url.pathname = rule.path.replace(/\{[^}]*\}/, encodeURIComponent(place.id));
    if (place && rule?.query) url.searchParams.set(rule.query, place.id);
    return url.href;
  } catch {
    return experience.link ?? "";
  }
}
function suggest() {
  const place = places.find((one) => one.id === byId("poster-place").value);
  const experience = experiences[Number(byId("poster-experience").value || Number.NaN)];
  byId("poster-url").value = urlOf(experience, place);
  fill(byId("poster-urls"), (place?.urls ?? []).map((url) => h("option", { value: url })));
}

function request(more) {
  const data = new FormData(form);
  const text = (name) => String(data.get(name) ?? "").trim() || null;
  const value = (name, factor = 1) => (text(name) ? Number(text(name)) * factor : null);
  return {
    url: text("url"), design: text("design"), paper: text("paper"), landscape: text("landscape") !== null, language: text("language"), ...colours,
    headline: text("headline"), brand: text("brand"), callToAction: text("callToAction"), placeName: text("placeName"),
    appClipCode: text("appClipCode") ? "auto" : null, appClipCodeOnly: text("appClipCode") === "instead", nfcTarget: data.has("nfcTarget"), smallPrint: data.has("smallPrint"), codeTail: text("shownName") === "tail", itemName: text("shownName") === "item", width: value("width"), distance: value("distance", 1000), logo,
    unregistered: data.has("unregistered"), strict: data.has("strict"), prove: false, dryRun: true, ...more,
  };
}

async function make(more) {
  previewSoon.drop();
  control?.abort();
  const mine = (control = new AbortController());
  const wanted = request(more);
  const picture = byId("poster-preview");
  const result = byId("poster-result");
  if (!wanted.url) {
    fill(picture, h("p", { class: "empty" }, t("poster.noUrl")));
    fill(result);
    return null;
  }
  const { url, design, paper, landscape, language: words, nfcTarget, smallPrint, codeTail, itemName } = wanted;
  kept.set("poster", { place: byId("poster-place").value, design, paper, landscape, language: words, nfcTarget, smallPrint, codeTail, itemName });
  picture.setAttribute("aria-busy", "true");
  const answer = await work(result, "POST", "/api/poster", { json: wanted, signal: mine.signal });
  if (mine !== control) return null;
  picture.removeAttribute("aria-busy");
  if (answer.cancelled) return null;
  if (answer.preview) {
    const image = h("img", { src: own(answer.preview), alt: t("poster.previewOf", { url }), class: "page" });
    await image.decode().catch(() => {});
    if (mine !== control) return null;
    fill(picture, image);
  }
  showResult(answer, wanted);
  return answer;
}
const preview = () => make({});
const previewSoon = settled(preview, 400);

const MARGINS = ["blur", "dotGain", "inkLoss", "dirt", "contrastLoss", "distance"];
function proofTable(proof) {
  const shown = (name, value) => (value === null || value === undefined ? "–" : name === "distance" ? length(value) : name === "blur" ? number(value, 2) : percent(value));
  return [
    proof.grade ? h("p", { class: "grade" }, h("span", { class: "grade-letter" }, proof.grade.letter), h("span", {}, h("strong", {}, t("proof.grade", { grade: number(proof.grade.decimal ?? proof.grade.grade, 1) })), h("span", { class: "help" }, t("proof.estimated")))) : null,
    table({
      caption: t("proof.title"),
      heads: [t("proof.against"), t("proof.needed"), t("proof.stands"), t("proof.enough")],
      rows: MARGINS.filter((name) => proof[name]).map((name) => ({ tone: proof[name].enough ? null : "bad", cells: [t(`proof.${name}`), shown(name, proof[name].needed), shown(name, Math.min(proof[name].zbar ?? Infinity, proof[name].cliptag ?? Infinity)), h("span", { class: "objection" }, badge(proof[name].enough ? "accepted" : "rejected"), t(proof[name].enough ? "yes" : "no"))] })),
    }),
  ];
}

function showResult(answer, wanted) {
  const place = byId("poster-result");
  const issue = answer.results.find((result) => result.type === "issue");
  const failed = failureOf(answer);
  if (!issue) {
    fill(place, answer.results.filter((result) => result.type === "verification").map((one) => verdictCard(one)), failed ? trouble(failed) : null);
    if (failed || answer.results.length) announce(t("poster.refused"), true);
    return;
  }
  const made = answer.files?.length > 0;
  fill(
    place,
    made ? h("div", { class: "message", data: { tone: "good" } }, badge("accepted"), h("div", {}, h("p", { class: "message-title" }, t("poster.made")), issue.code ? h("p", {}, t("col.code"), ": ", code(issue.code)) : null, downloads(answer.files))) : null,
    h("div", { class: "actions" }, h("button", { type: "button", class: "button primary", id: "poster-make", onclick: () => make({ dryRun: false, prove: wanted.prove }) }, icon("down"), t("poster.make")), issue.proof ? null : h("button", { type: "button", class: "button", id: "poster-prove", onclick: () => make({ prove: true }) }, t("poster.prove"))),
    issue.proof ? null : h("p", { class: "help" }, t("poster.proveHelp")),
    h("dl", { class: "facts" }, [
      [t("poster.size"), t("poster.sizeText", { width: length(issue.width), module: length(issue.moduleSize) })],
      [t("poster.reading"), t("poster.readingText", { distance: length(issue.readingDistance) })],
      [t("verdict.symbol"), t("verdict.version", { version: issue.version, level: issue.errorCorrection })],
      [t("poster.readBack"), issue.verified ? h("span", { class: "done-word" }, badge("accepted"), t("yes")) : h("span", { class: "look-word" }, badge("warning"), t("no"))],
      issue.poster?.targetBox ? [t("poster.tagAt"), t("poster.tagAtText", { x: length(issue.poster.targetBox.x + issue.poster.targetBox.width / 2), y: length(issue.poster.targetBox.y + issue.poster.targetBox.height / 2) })] : null,
      issue.poster?.fonts?.length ? [t("poster.fonts"), bdi(issue.poster.fonts.join(", "))] : null,
    ].filter(Boolean).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    issue.findings?.length ? [h("h3", {}, count("verdict.findings", issue.findings.length)), findings(issue.findings)] : null,
    issue.proof ? proofTable(issue.proof) : null,
  );
  announce(made ? t("poster.made") : t("poster.previewReady"));
}

export async function startPoster() {
  form = byId("poster-form");
  const [about, placeAnswer, experienceAnswer] = await Promise.all([get("/api/station"), get("/api/places"), get("/api/experiences")]);
  station = about;
  places = placeAnswer.results.filter((one) => one.type === "place");
  experiences = experienceAnswer.results.filter((one) => one.type === "experience" && one.link);
  build();
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", (event) => {
    if (event.target.type === "file") return;
    if (["poster-place", "poster-experience"].includes(event.target.id)) suggest();
    previewSoon();
  });
  const begin = () => {
    if (!byId("poster").hidden && !byId("poster-preview").firstChild) preview();
  };
  byId("tab-poster").addEventListener("click", begin);
  begin();
}
