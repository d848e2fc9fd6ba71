"use strict";
// Elements, texts and numbers. Whatever a learner wrote reaches the page as a text node, never as markup.

const embedded = (id) => JSON.parse(document.getElementById(id).textContent);

const data = embedded("tables");
const { gold, lang } = data;
const statistics = { ...data.statistics, learners: embedded("by-learner") };

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== false));
  return node;
}

const h = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);

const svg = (tag, attributes = {}, ...children) =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

const byId = (id) => document.getElementById(id);

const t = (key, values = {}) => data.texts[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);

const plurals = new Intl.PluralRules(lang);
const isOne = (count) => plurals.select(count) === "one";

const named = (prefix, key) => data.texts[`${prefix}_${key}`] ?? key;

const whole = new Intl.NumberFormat(lang).format;
const decimal = new Intl.NumberFormat(lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format;
const percent = new Intl.NumberFormat(lang, { style: "percent" }).format;

const rateText = (rate) => (rate.per_100_words === null ? "–" : decimal(rate.per_100_words));
const spanText = (rate) => (rate.low === null ? "" : t("between", { low: decimal(rate.low), high: decimal(rate.high) }));

// How much there is of each thing: "62 sentences, 1 learner".
const amounts = (counts) => Object.entries(counts).map(([what, count]) =>
  t(isOne(count) ? `amount_${what}_one` : `amount_${what}`, { count: whole(count) })).join(", ");

// The place of a row: the id alone where it names the place already, as that of a sentence of an essay does.
const places = (id, place) => (id && place && id.startsWith(place) ? [id] : [id && `#${id}`, place]);

// The name of an ERRANT code: "M:VERB:TENSE" is "Tense, missing".
function typeText(code) {
  const kind = named("kind", code.split(":").at(-1));
  return code.startsWith("R:") ? kind : `${kind}, ${named("kind", code[0])}`;
}

const dateFormats = {
  day: { day: "numeric", month: "short", year: "numeric" },
  month: { month: "short", year: "numeric" },
  year: { year: "numeric" },
  century: { year: "numeric" },
};

function dateText(iso, unit = "day") {
  const day = /^\d{4}-\d\d-\d\d/.test(iso) ? new Date(`${iso.slice(0, 10)}T12:00:00`) : NaN;
  return isNaN(day) ? iso : new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, dateFormats[unit]).format(day);
}

const table = (caption, head, rows, attributes = {}) =>
  h("table", attributes,
    h("caption", { class: "unseen" }, caption),
    h("thead", {}, h("tr", {}, head.map(([text, kind]) => h("th", { scope: "col", class: kind }, text)))),
    h("tbody", {}, rows));

// A list or table body that shows its first entries until asked for all.
function folded(items, most, wrap) {
  const node = wrap(items.slice(0, most));
  if (items.length <= most) return node;
  const button = h("button", { type: "button", class: "more", click: () => box.replaceWith(wrap(items)) },
    t("show_all", { count: whole(items.length) }));
  const box = h("div", {}, node, button);
  return box;
}
