// The sentences: which are shown, and how.

const FIELDS = ["id", "learner", "date", "status", "pieces", "reasons", "gloss", "issues", "message", "place", "references"];
const rows = embedded("rows").map((values) =>
  Object.fromEntries(FIELDS.map((name, at) => [name, values[at]])));

const isEdit = (piece) => typeof piece !== "string";
const edits = (row, least) => row.pieces.filter((piece) => isEdit(piece) && piece[3] >= least);

// Letters without accents, in lower case: "Él" is found by "el".
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function haystack(row) {
  row.haystack ??= plain([
    row.pieces.map((piece) => (isEdit(piece) ? piece[0] : piece)).join(""),
    row.pieces.map((piece) => (isEdit(piece) ? piece[1] : piece)).join(""),
    ...row.pieces.filter(isEdit).map(([wrong, right]) => `${wrong} → ${right}`),
    ...row.reasons, row.gloss, row.message, row.learner, row.place, `#${row.id}`,
    ...row.issues.flat(), ...row.references,
  ].filter((text) => text !== null).join("\n"));
  return row.haystack;
}

// With some corrections hidden, a sentence without any left counts as one without errors.
const statusOf = (row, least) =>
  row.status === "corrected" && !edits(row, least).length ? "unchanged" : row.status;

function matching({ learner, q, status, type, least, order }) {
  const name = learner === null ? null : statistics.learners[learner].learner;
  const wanted = plain(q.trim());
  const found = rows.filter((row) =>
    (name === null || row.learner === name)
    && (!status || statusOf(row, least) === status)
    && (!type || edits(row, least).some((edit) => edit[2] === type))
    && (!wanted || haystack(row).includes(wanted)));
  if (order === "errors") found.sort((one, other) => edits(other, least).length - edits(one, least).length);
  if (order === "sure") found.sort((one, other) => leastSure(one, least) - leastSure(other, least));
  return found;
}

const leastSure = (row, least) => Math.min(2, ...edits(row, least).map((edit) => edit[3]));

// The sentence with its corrections: what was written struck through, what is right beside it.
const marked = (pieces, least) =>
  h("bdi", {}, pieces.map((piece) => {
    if (!isEdit(piece)) return piece;
    const [wrong, right, , sure] = piece;
    if (sure < least) return wrong;
    return [
      h("del", { "data-before": t("deleted") }, wrong),
      h("ins", { "data-before": t("inserted"), "data-after": t("end_mark") }, right),
    ];
  }));

const joined = (parts) =>
  parts.filter((part) => part).flatMap((part, at) => [at ? " · " : "", h("bdi", {}, part)]);

function item(row, least, nameShown) {
  const complete = edits(row, least).length === edits(row, 0).length;
  const result = statusOf(row, least) === row.status ? named("status", row.status) : t("hidden");
  return h("li", { class: "sentence" },
    h("p", { class: "place" },
      h("span", {},
        joined([nameShown && row.learner, row.date && dateText(row.date), ...places(row.id, row.place)]),
        statusOf(row, least) === "corrected" ? null : h("span", { class: "tag" }, result)),
      h("button", { type: "button", class: "quiet", click: () => copy([row], least), "aria-label": `${t("copy")} #${row.id}` },
        t("copy"))),
    h("p", { class: "text", lang: "en" }, marked(row.pieces, least)),
    why(row, least),
    detail(t("gloss"), complete && row.gloss, "es"),
    row.issues.map(([text, message, suggestion]) =>
      detail(t("also"), `${message}${suggestion && !message.includes(suggestion) ? ` → ${suggestion}` : ""}`)),
    row.references.map((reference) => detail(t("reference"), reference, "en")));
}

// Reasons go with the corrections as a whole; where some are hidden, those that name a hidden form go too.
const reasonsFor = (row, shown) =>
  shown.length === edits(row, 0).length
    ? row.reasons
    : row.reasons.filter((reason) => shown.some(([, right]) => plain(reason).includes(plain(right))));

function why(row, least) {
  const shown = edits(row, least);
  const texts = [...reasonsFor(row, shown), row.message].filter((text) => text).map((text) => h("bdi", {}, text));
  const facts = ([wrong, right, type, sure]) => [
    h("span", { class: "tag" }, typeText(type)),
    shown.length > 1 && h("bdi", {}, `${wrong} → ${right}`),
    shown.length === 1 && texts.length === 1 && texts.pop(),
    h("small", {}, t("sure", { percent: percent(sure) })),
  ];
  const lines = shown.map((edit) => h("li", { class: "facts" }, facts(edit)));
  if (!lines.length && !texts.length) return null;
  const list = h("ul", { class: "why" }, lines, texts.map((text) => h("li", {}, text)));
  return row.status === "unchanged" ? h("details", { class: "checked" }, h("summary", {}, t("checked")), list) : list;
}

const detail = (label, text, language = null) =>
  text ? h("p", { class: "detail" }, h("b", {}, label), " ", h("bdi", { lang: language }, text)) : null;

// A sentence as plain text, for a message to the learner.
function asText(row, least) {
  const sentence = row.pieces.map((piece) =>
    !isEdit(piece) ? piece : piece[3] < least ? piece[0] : `[${piece[0]} → ${piece[1]}]`).join("");
  const shown = edits(row, least);
  const gloss = shown.length === edits(row, 0).length ? row.gloss : null;
  const reasons = row.status === "unchanged" ? [] : reasonsFor(row, shown);
  const lines = [...reasons, gloss, row.message, ...row.issues.map(([, message]) => message)];
  return [sentence, ...lines.filter((line) => line).map((line) => `   ${line}`)].join("\n");
}
