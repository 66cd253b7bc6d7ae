// Elements made by hand: data only ever becomes text nodes and attributes, never markup.

const SVG = "http://www.w3.org/2000/svg";

function make(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "data") for (const [key, text] of Object.entries(value)) element.dataset[key] = text;
    else if (name === "value" || name === "checked" || name === "selected") element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return element;
}

/// An HTML element: `h("p", {class: "help"}, "text", otherElement)`.
export const h = (name, properties, ...children) => make(document.createElement(name), properties, children);

/// An SVG element.
export const svg = (name, properties, ...children) => make(document.createElementNS(SVG, name), properties, children);

/// A text from elsewhere (a file, a tag, a picture), kept apart from the direction of the words around it.
export const bdi = (text, properties) => h("bdi", properties ?? {}, String(text ?? ""));

/// A URL, UID or code name: always from left to right.
export const code = (text) => h("bdi", { class: "code", dir: "ltr" }, String(text ?? ""));

/// A sentence of the command, which is English on every page.
export const english = (text, name = "p") => (text ? h(name, { lang: "en", dir: "ltr", class: "english" }, text) : null);

export const byId = (id) => document.getElementById(id);

export const fill = (element, ...children) => {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return element;
};

let made = 0;
export const newId = (prefix) => `${prefix}-${(made += 1)}`;

const SIGNS = {
  accepted: "M5 12.5 10 17.5 19.5 7",
  rejected: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  undecided: "M9 9.2a3 3 0 1 1 4.3 2.7c-.9.5-1.3 1-1.3 2.1M12 17.6v.2",
  warning: "M12 7v6.5M12 17v.2",
  note: "M12 11v6.5M12 7.2v.2",
  sound: "M4 9.5v5h3.5l4.5 4v-13l-4.5 4zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11",
  mute: "M4 9.5v5h3.5l4.5 4v-13l-4.5 4zM16 9.5l5 5M21 9.5l-5 5",
  auto: "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16",
  light: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  dark: "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z",
  help: "M9 9.2a3 3 0 1 1 4.3 2.7c-.9.5-1.3 1-1.3 2.1M12 17.6v.2",
  full: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  file: "M7 3.5h7l4 4v13H7zM14 3.5v4h4",
  camera: "M4 8h3.5L9 5.5h6L16.5 8H20v11H4zM12 10a3.3 3.3 0 1 0 0 6.6 3.3 3.3 0 0 0 0-6.6z",
  close: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  down: "M12 4v11M7 11l5 5 5-5M5 20h14",
  phone: "M8 3h8v18H8zM11 18h2",
};

/// A small line drawing beside words; it says nothing that the words do not.
export const icon = (name) =>
  svg("svg", { viewBox: "0 0 24 24", class: `icon icon-${name}`, "aria-hidden": "true", focusable: "false" }, svg("path", { d: SIGNS[name] ?? SIGNS.note }));

/// A sign with a shape of its own for each verdict: disc, octagon, diamond, ring.
export function badge(kind) {
  const grounds = {
    accepted: svg("circle", { cx: 12, cy: 12, r: 11 }),
    rejected: svg("path", { d: "M7.4 1h9.2L23 7.4v9.2L16.6 23H7.4L1 16.6V7.4z" }),
    undecided: svg("path", { d: "M12 .6 23.4 12 12 23.4.6 12z" }),
    warning: svg("path", { d: "M12 1.2 23.4 22H.6z" }),
    note: svg("circle", { cx: 12, cy: 12, r: 11 }),
  };
  const sign = svg("path", { class: "badge-sign", d: SIGNS[kind] ?? SIGNS.note });
  if (kind === "warning") sign.setAttribute("transform", "translate(2.4 4) scale(.8)");
  else if (kind !== "note") sign.setAttribute("transform", "translate(1.8 1.8) scale(.85)");
  return svg("svg", { viewBox: "0 0 24 24", class: `badge badge-${kind}`, "aria-hidden": "true", focusable: "false" }, grounds[kind] ?? grounds.note, sign);
}

/// A table with a caption and headings. Cells are texts or elements; the first column names the row.
export function table({ caption, hidden = false, heads, rows, classes = "" }) {
  return h(
    "div",
    { class: `scroll ${classes}`, role: "group", "aria-label": caption, tabindex: "0" },
    h(
      "table",
      {},
      h("caption", { class: hidden ? "hidden" : "" }, caption),
      h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
      h(
        "tbody",
        {},
        rows.map(({ cells, tone }) =>
          h("tr", { data: tone ? { tone } : {} }, cells.map((cell, index) => (index === 0 ? h("th", { scope: "row" }, cell) : h("td", {}, cell)))),
        ),
      ),
    ),
  );
}
