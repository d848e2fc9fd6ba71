// The statistics of one learner, or of all.

const section = (id, title, ...content) =>
  h("section", { id, "aria-labelledby": `${id}-heading` }, h("h2", { id: `${id}-heading` }, title), content);

function profile(stats, width) {
  const parts = [
    overview(stats),
    typesAndVerbs(stats),
    progressSection(stats, width),
    stats.learners?.length ? learnersSection(stats) : null,
    stats.learners && gold ? scoresSection() : null,
    examplesSection(stats),
    leftOut(stats),
  ];
  return parts.filter((part) => part !== null);
}

function overview(stats) {
  const corrected = stats.corrected;
  const parts = Object.fromEntries(Object.entries(stats.statuses).sort((one, other) => other[1] - one[1]));
  return section("overview", t("overview"),
    h("dl", { class: "figures" },
      figure(rateText(stats.errors), t("errors_per_100"), spanText(stats.errors)),
      figure(whole(stats.errors.count), t(isOne(stats.errors.count) ? "errors_corrected_one" : "errors_corrected"), ""),
      figure(corrected.percent === null ? "–" : percent(corrected.percent / 100), t("sentences_corrected"),
        corrected.percent === null ? "" : t("between", { low: percent(corrected.low / 100), high: percent(corrected.high / 100) })),
      figure(whole(stats.read.sentences), t(isOne(stats.read.sentences) ? "sentences_read_one" : "sentences_read"), "")),
    h("figure", {},
      h("figcaption", {}, t("outcome")),
      outcomes(parts, stats.sentences),
      h("ul", { class: "legend" }, Object.entries(parts).map(([status, count]) =>
        h("li", {}, h("span", { class: `key ${status}`, "aria-hidden": "true" }),
          h("a", { href: link({ status }) }, named("status", status)), ` ${whole(count)}`)))));
}

const figure = (value, label, detail) =>
  h("div", {}, h("dt", {}, label), h("dd", {}, h("strong", {}, value), detail && h("span", {}, detail)));

function typesAndVerbs(stats) {
  const types = Object.entries(stats.types);
  if (!types.length) return section("types", t("types"), h("p", {}, t("types_none")), issuesOf(stats));
  const most = Math.max(...types.map(([, rate]) => rate.high));
  const typeRow = ([code, rate]) =>
    h("tr", {},
      h("th", { scope: "row" }, h("a", { href: link({ type: code }) }, typeText(code)), " ", h("code", {}, code)),
      h("td", { class: "number" }, whole(rate.count)),
      h("td", { class: "number" }, rateText(rate), h("small", {}, spanText(rate))),
      h("td", { class: "chart" }, bar(rate, most)));
  return section("types", t("types"),
    table(t("types"), [[t("type")], [t("count"), "number"], [t("rate"), "number"], [t("rate_chart"), "chart"]],
      types.map(typeRow), { class: "rates" }),
    h("div", { class: "pair" },
      h("div", {}, h("h3", {}, t("verbs")), folded(stats.verbs, 10, verbTable)),
      issuesOf(stats)));
}

const verbTable = (verbs) =>
  table(t("verbs"), [[t("wrong")], [t("right")], [t("count"), "number"]],
    verbs.map(({ wrong, right, count }) =>
      h("tr", {},
        h("td", {}, h("a", { href: link({ q: `${wrong} → ${right}` }) }, h("bdi", {}, wrong))),
        h("td", { lang: "en" }, h("bdi", { class: "good" }, right)),
        h("td", { class: "number" }, whole(count)))), { class: "verbs" });

function issuesOf(stats) {
  const issues = Object.entries(stats.issues);
  if (!issues.length) return null;
  return h("div", {}, h("h3", {}, t("issues")),
    h("ul", { class: "counts" }, issues.map(([kind, count]) =>
      h("li", {}, h("span", {}, named("issue", kind)), h("span", { class: "number" }, whole(count))))));
}

function progressSection(stats, width) {
  const { points, unit } = stats.progress;
  const undated = stats.undated ? h("p", { class: "note" }, t("undated", { count: whole(stats.undated) })) : null;
  if (points.length < 2) return undated && section("progress", t("progress"), undated);
  const title = t("progress_chart", { unit: t(`unit_${unit}`) });
  const rows = points.map((point) =>
    h("tr", {}, h("th", { scope: "row" }, dateText(point.date, unit)),
      h("td", { class: "number" }, whole(point.words)),
      h("td", { class: "number" }, rateText(point)), h("td", { class: "number" }, spanText(point))));
  return section("progress", t("progress"),
    h("figure", {}, h("figcaption", {}, title), timeline(stats.progress, width)),
    h("details", {}, h("summary", {}, t("progress_table")),
      table(title, [[t("date")], [t("words"), "number"], [t("rate"), "number"], [t("interval"), "number"]], rows)),
    undated);
}

const mostErrorsFirst = (one, other) => (other.errors.per_100_words ?? -1) - (one.errors.per_100_words ?? -1);

function learnersSection(stats) {
  const most = Math.max(...stats.learners.map((each) => Math.min(each.errors.high ?? 0, 3 * (each.errors.per_100_words || 3))), 1);
  const all = stats.errors.per_100_words ?? 0;
  const learnerRow = (each) => {
    const [top] = Object.keys(each.types);
    return h("tr", {},
      h("th", { scope: "row" }, h("a", { href: link({ learner: statistics.learners.indexOf(each) }) }, h("bdi", {}, each.learner))),
      h("td", { class: "number wide-only" }, whole(each.words)),
      h("td", { class: "number" }, rateText(each.errors), h("small", {}, spanText(each.errors))),
      h("td", { class: "chart" }, each.errors.low === null ? null : dot(each.errors, most, all)),
      h("td", { class: "wide-only" }, top ? typeText(top) : "–"));
  };
  const body = (learners) =>
    table(t("learners"), [[t("learner")], [t("words"), "number wide-only"], [t("rate"), "number"], [t("rate_chart"), "chart"],
      [t("main_type"), "wide-only"]], learners.map(learnerRow), { class: "rates learners" });
  return section("learners", t("learners"),
    folded([...stats.learners].sort(mostErrorsFirst), 25, body),
    h("p", { class: "note" }, t("mean_line")),
    stats.unlisted ? h("p", { class: "note" }, t("unlisted", { count: whole(stats.unlisted) })) : null);
}

// Against gold corrections: all verb edits, then each type that occurs.
function scoresSection() {
  const { sentences, verb_edits: all, by_type: types } = gold;
  const occurring = Object.entries(types).filter(([, each]) => each.tp + each.fp + each.fn);
  const scoreRow = (name, each) =>
    h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "number" }, whole(each.tp + each.fn)),
      ["precision", "recall", "f0.5"].map((key) => h("td", { class: "number" }, each[key] === null ? "–" : decimal(100 * each[key]))));
  return section("scores", t("scores"),
    h("p", {}, t("scores_exact", { exact: whole(sentences.exact), all: whole(sentences.all) }), " ",
      t("scores_alarms", { changed: whole(sentences.right_but_changed), right: whole(sentences.right) })),
    table(t("scores"), [[t("type")], [t("due"), "number"], ...["precision", "recall", "f05"].map((key) => [t(key), "number"])],
      [scoreRow(t("all_types"), all), ...occurring.map(([code, each]) => scoreRow(typeText(`R:${code}`), each))], { class: "scores" }),
    h("p", { class: "note" }, t("scores_note")));
}

function examplesSection(stats) {
  if (!stats.worst.length && !stats.best.length) return null;
  const column = (title, examples) =>
    examples.length
      ? h("div", {}, h("h3", {}, t(title)), h("ol", { class: "examples" }, examples.map((each) =>
          h("li", {}, h("p", { class: "text", lang: "en" }, marked(each.marked, 0)),
            h("p", { class: "place" }, joined([stats.learners && each.learner, places(each.id, each.file && `${each.file}:${each.line}`)[0]]))))))
      : null;
  return section("examples", t("examples"),
    h("div", { class: "pair" }, column("worst", stats.worst), column("best", stats.best)));
}

function leftOut(stats) {
  const { out_of_scope: scope, messages, stopped } = stats;
  const rows = [
    ...Object.entries(scope).map(([reason, count]) => [named("status", "out_of_scope"), reason, count]),
    ...["step_cap", "duplicate_action"].filter((name) => stopped[name]).map((name) => [named("status", name), "", stopped[name]]),
    ...Object.entries(messages).map(([message, count]) => [named("status", "error"), message, count]),
  ];
  return section("left-out", t("left_out"),
    rows.length
      ? h("ul", { class: "counts" }, rows.map(([what, why, count]) =>
          h("li", {}, h("span", {}, what, why && ": ", h("bdi", {}, why)), h("span", { class: "number" }, whole(count)))))
      : h("p", {}, t("left_out_none")));
}
