// Print: the two kinds side by side; each has a module of its own.

import { day, failureOf, get, number, on, settled, start, t, trouble } from "./app.js";
import { bdi, byId, code, fill, h, table } from "./dom.js";
import { startPoster } from "./poster.js";
import { startSheet } from "./sheet.js";

function tabs() {
  const place = byId("print-tabs");
  const panels = [...document.querySelectorAll(".tab-panel")];
  const buttons = panels.map((panel) => h("button", { type: "button", role: "tab", id: `tab-${panel.id}`, class: "tab", "aria-controls": panel.id, onclick: () => choose(panel.id, true) }, panel.dataset.tab));
  function choose(id, store) {
    panels.forEach((panel, index) => {
      const chosen = panel.id === id;
      panel.hidden = !chosen;
      buttons[index].setAttribute("aria-selected", String(chosen));
      buttons[index].tabIndex = chosen ? 0 : -1;
      if (chosen && store) history.replaceState(null, "", `#${id}`);
    });
  }
  for (const panel of panels) {
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `tab-${panel.id}`);
  }
  fill(place, buttons);
  place.setAttribute("role", "tablist");
  place.setAttribute("aria-label", place.dataset.label);
  place.addEventListener("keydown", (event) => {
    const at = buttons.indexOf(document.activeElement);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (at < 0 || !step) return;
    const next = buttons[(at + (document.dir === "rtl" ? -step : step) + buttons.length) % buttons.length];
    next.focus();
    next.click();
  });
  choose(location.hash === "#sheet" ? "sheet" : "poster", false);
}

async function showCodes() {
  const query = new URLSearchParams({ limit: 100, search: byId("code-search").value.trim() });
  const answer = await get(`/api/codes?${query}`);
  const failed = failureOf(answer);
  if (failed) return fill(byId("codes"), trouble(failed));
  const codes = answer.results.filter((result) => result.type === "code");
  byId("code-count").textContent = answer.total > codes.length ? t("print.newest", { shown: number(codes.length), total: number(answer.total) }) : "";
  fill(
    byId("codes"),
    codes.length
      ? table({ caption: t("print.codes"), hidden: true, classes: "tall", heads: [t("col.code"), t("col.url"), t("col.carrier"), t("col.place"), t("col.status"), t("col.created")], rows: codes.map((one) => ({ cells: [code(one.code), code(one.url), t(`carrier.${one.carrier}`), one.place ? bdi(one.place) : "", t(`status.${one.status}`), day(one.created)] })) })
      : h("p", { class: "empty" }, t("table.empty")),
  );
}

start(async () => {
  tabs();
  on("registry", settled(showCodes, 800));
  byId("code-search").addEventListener("input", settled(showCodes, 300));
  await Promise.all([startPoster(), startSheet(), showCodes()]);
});
