// What is shown follows from `state`, and `state` from the part of the address behind #, so that a view can be kept.

const PER_PAGE = 25;
const MOST_PRINTED = 2000;
const MOST_COPIED = 1000;
const EMPTY = { learner: null, q: "", status: "", type: "", order: "", least: 0, page: 1 };
let state = EMPTY;

function read(hash) {
  const given = new URLSearchParams(hash.slice(1));
  const learner = parseInt(given.get("learner") ?? "", 10);
  return {
    learner: statistics.learners[learner] ? learner : null,
    q: given.get("q") ?? "",
    status: given.get("status") ?? "",
    type: given.get("type") ?? "",
    order: given.get("order") ?? "",
    least: Math.min(Math.max(parseInt(given.get("min") ?? "0", 10) || 0, 0), 100) / 100,
    page: Math.max(parseInt(given.get("page") ?? "1", 10) || 1, 1),
  };
}

function written({ learner, q, status, type, order, least, page }) {
  const given = new URLSearchParams();
  if (learner !== null) given.set("learner", learner);
  for (const [name, value] of Object.entries({ q, status, type, order })) if (value) given.set(name, value);
  if (least) given.set("min", Math.round(100 * least));
  if (page > 1) given.set("page", page);
  return `#${given}`;
}

// The address of the view that differs from this one as told: from one learner to the filter, or to another learner.
const link = (change) => written({ ...EMPTY, learner: state.learner, least: state.least, ...change });

const stats = () => (state.learner === null ? statistics : statistics.learners[state.learner]);

function showProfile() {
  const shown = stats();
  const name = shown.learner ?? t(statistics.learners.length ? "everyone" : "everything");
  document.title = `${name} – ${t("title")}`;
  byId("back").hidden = state.learner === null;
  byId("heading").replaceChildren(h("bdi", {}, name));
  const { sentences, words, learners } = shown;
  byId("lede").textContent = amounts({ sentences, words, ...(learners?.length && { learners: learners.length }) });
  byId("profile").replaceChildren(...profile(shown, Math.max(byId("main").clientWidth - 32, 280)));
  byId("contents").replaceChildren(h("ul", {}, [...document.querySelectorAll("main section")].map((each) =>
    h("li", {}, h("a", { href: `#${each.id}` }, each.querySelector("h2").textContent)))));
  byId("learner").value = state.learner ?? "";
  options(byId("filters").elements.status, Object.keys(shown.statuses), (status) => named("status", status));
  options(byId("filters").elements.type, Object.keys(shown.types), (code) => `${typeText(code)} (${code})`);
}

function options(select, values, text) {
  select.replaceChildren(h("option", { value: "" }, t("any")), ...values.map((value) => h("option", { value }, text(value))));
}

function showFilters() {
  const { elements } = byId("filters");
  for (const name of ["q", "status", "type", "order"]) if (elements[name].value !== state[name]) elements[name].value = state[name];
  elements.min.value = 100 * state.least;
  elements.min.setAttribute("aria-valuetext", percent(state.least));
  byId("min-shown").textContent = percent(state.least);
}

function showSentences(wanted = state.page, perPage = PER_PAGE) {
  const found = matching(state);
  const pages = Math.max(Math.ceil(found.length / perPage), 1);
  const page = Math.min(wanted, pages);
  const from = (page - 1) * perPage;
  const shown = found.slice(from, from + perPage);
  byId("list").replaceChildren(...shown.map((row) => item(row, state.least, state.learner === null)));
  byId("list").setAttribute("start", from + 1);
  byId("found").textContent = found.length
    ? t("found", { from: whole(from + 1), to: whole(from + shown.length), count: whole(found.length) })
    : t("found_none");
  const turn = (key, to) =>
    h("button", { type: "button", disabled: to < 1 || to > pages, click: () => go({ page: to }, "sentences") }, t(key));
  byId("pager").replaceChildren(...(pages === 1 ? [] : [turn("previous", page - 1),
    h("span", {}, t("page_of", { page: whole(page), pages: whole(pages) })), turn("next", page + 1)]));
  return found;
}

function show(next, place = null) {
  const whose = state.learner !== next.learner || state === EMPTY;
  state = next;
  if (whose) showProfile();
  showFilters();
  showSentences();
  if (place !== null) {
    byId(place).focus({ preventScroll: true });
    byId(place).scrollIntoView();
  }
}

// Shows the view that differs from this one as told, and keeps its address.
function go(change, place = null) {
  show({ ...state, page: 1, ...change }, place);
  history.replaceState(null, "", written(state));
}

function followAddress() {
  const { hash } = location;
  if (hash && !hash.includes("=")) return; // a place on the page
  const next = read(hash);
  const whose = next.learner !== state.learner;
  show(next, whose ? "heading" : hash ? "sentences" : null);
}

async function copy(chosen, least) {
  const text = chosen.slice(0, MOST_COPIED).map((row) => asText(row, least)).join("\n\n");
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea", { class: "unseen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  byId("said").textContent = t("copied", { count: whole(Math.min(chosen.length, MOST_COPIED)) });
}

// On paper there are no pages to turn: all that match, up to a bound, and what the bound left out is said.
function beforePrint() {
  const found = showSentences(1, MOST_PRINTED);
  if (found.length > MOST_PRINTED)
    byId("found").textContent = t("print_cut", { count: whole(MOST_PRINTED), all: whole(found.length) });
}

function printSheets() {
  let left = MOST_PRINTED;
  const sheets = statistics.learners.map((each, learner) => {
    const found = matching({ ...state, learner }).slice(0, left);
    left -= found.length;
    return found.length ? h("article", { class: "sheet" },
      h("h1", {}, h("bdi", {}, each.learner)),
      h("p", {}, [amounts({ sentences: each.sentences, words: each.words }),
        ...typesOf(found).map(([code, count]) => `${typeText(code)} ${whole(count)}`)].join(" · ")),
      h("ol", {}, found.map((row) => item(row, state.least, false)))) : null;
  });
  byId("sheets").replaceChildren(...sheets.filter((sheet) => sheet));
  document.body.classList.add("printing-sheets");
  print();
}

// How often each type of correction is shown in these sentences, the most frequent first.
function typesOf(found) {
  const counts = new Map();
  for (const [, , type] of found.flatMap((row) => edits(row, state.least))) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1]);
}

function afterPrint() {
  document.body.classList.remove("printing-sheets");
  byId("sheets").replaceChildren();
  showSentences();
}

function debounced(act, milliseconds) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, milliseconds);
  };
}

function wire() {
  const form = byId("filters");
  const { elements } = form;
  const fromForm = () => go({ q: elements.q.value, status: elements.status.value, type: elements.type.value,
    order: elements.order.value, least: elements.min.value / 100 });
  form.addEventListener("input", debounced(fromForm, 120));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(fromForm));
  byId("learner").addEventListener("change", (event) =>
    go({ ...EMPTY, least: state.least, learner: event.target.value === "" ? null : Number(event.target.value) }));
  byId("copy").addEventListener("click", () => copy(matching(state), state.least));
  byId("print").addEventListener("click", () => print());
  byId("print-sheets").addEventListener("click", printSheets);
  addEventListener("hashchange", followAddress);
  addEventListener("beforeprint", beforePrint);
  addEventListener("afterprint", afterPrint);
  addEventListener("resize", debounced(showProfile, 200));
}

function start() {
  const { learners, interval, sentences } = statistics;
  options(byId("learner"), learners.map((_, at) => at), (at) => learners[at].learner);
  byId("learner").firstChild.textContent = t("everyone");
  byId("scope").hidden = byId("print-sheets").hidden = !learners.length;
  byId("cut").hidden = rows.length >= sentences;
  byId("cut").textContent = t("cut", { count: whole(rows.length), all: whole(sentences) });
  byId("notes").append(
    h("h2", {}, t("notes")),
    ...["note_rates", `note_intervals_${interval.clusters}`, "note_sure"].map((key) => h("p", {}, t(key))),
    data.model && data.version ? h("p", {}, t("note_made", { version: data.version, model: data.model })) : "");
  wire();
  show(read(location.hash));
  performance.mark("shown");
}

start();
