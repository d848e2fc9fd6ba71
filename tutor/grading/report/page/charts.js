// Charts, as SVG. Widths in percent where only lengths matter, so that they fit any column.

const share = (value, most) => `${Math.min(100, (100 * value) / most).toFixed(2)}%`;

// A bar with its interval; the row it stands in says the same in words.
const bar = (rate, most) =>
  svg("svg", { class: "bar-chart", width: "100%", height: 18, "aria-hidden": "true", focusable: "false" },
    svg("rect", { class: "fill", x: 0, y: 3, width: share(rate.per_100_words, most), height: 12, rx: 2 }),
    whisker(rate, most));

// A point with its interval, and a line for the rate of all.
const dot = (rate, most, all) =>
  svg("svg", { class: "bar-chart", width: "100%", height: 18, "aria-hidden": "true", focusable: "false" },
    svg("line", { class: "mean", x1: share(all, most), x2: share(all, most), y1: 0, y2: 18 }),
    whisker(rate, most),
    svg("circle", { class: "fill", cx: share(rate.per_100_words, most), cy: 9, r: 4.5 }));

function whisker(rate, most) {
  const [low, high] = [share(rate.low, most), share(rate.high, most)];
  return svg("g", { class: "whisker" },
    svg("line", { x1: low, x2: high, y1: 9, y2: 9 }),
    svg("line", { x1: low, x2: low, y1: 6, y2: 12 }),
    svg("line", { x1: high, x2: high, y1: 6, y2: 12 }));
}

// What became of the sentences: one bar, cut in parts; the list below it is its legend.
function outcomes(statuses, all) {
  let left = 0;
  const parts = Object.entries(statuses).map(([status, count]) => {
    const part = svg("rect", { class: `part ${status}`, x: share(left, all), y: 0, width: share(count, all), height: 16 });
    left += count;
    return part;
  });
  return svg("svg", { class: "outcomes", width: "100%", height: 16, "aria-hidden": "true", focusable: "false" }, parts);
}

// The marks of an axis up to a value: at most six, at multiples of 1, 2 or 5 times a power of ten.
function marks(value) {
  const power = 10 ** Math.floor(Math.log10(value / 5));
  const step = power * [1, 2, 5, 10].find((each) => 5 * each * power >= value);
  return Array.from({ length: Math.ceil(value / step) + 1 }, (_, at) => at * step);
}

// Rates over time with their intervals, places in proportion to the dates.
function timeline(progress, width) {
  const points = progress.points.filter((point) => point.per_100_words !== null);
  const [left, right, top, bottom, height] = [34, 14, 10, 26, 220];
  const times = points.map((point) => Date.parse(point.date));
  const [first, last] = [times[0], times.at(-1)];
  const ticks = marks(Math.min(Math.max(...points.map((point) => point.high)),
    2 * Math.max(1, ...points.map((point) => point.per_100_words))));
  const most = ticks.at(-1);
  const x = (time) => left + ((time - first) / (last - first)) * (width - left - right);
  const y = (rate) => height - bottom - (Math.min(rate, most) / most) * (height - top - bottom);
  const title = t("progress_chart", { unit: t(`unit_${progress.unit}`) });
  return svg("svg", { class: "timeline", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title },
    ticks.map((value) => [
      svg("line", { class: "grid", x1: left, x2: width - right, y1: y(value), y2: y(value) }),
      svg("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, tick(value)),
    ]),
    points.map((point, at) =>
      svg("line", { class: "reach", x1: x(times[at]), x2: x(times[at]), y1: y(point.low), y2: y(point.high) })),
    svg("polyline", { class: "curve", points: points.map((point, at) => `${x(times[at])},${y(point.per_100_words)}`).join(" ") }),
    points.map((point, at) =>
      svg("circle", { class: "fill", cx: x(times[at]), cy: y(point.per_100_words), r: 4 },
        svg("title", {}, `${dateText(point.date, progress.unit)}: ${rateText(point)} (${spanText(point)})`))),
    spread(times, x, 96).map((at) =>
      svg("text", { x: x(times[at]), y: height - 8, "text-anchor": anchor(at, times.length) },
        dateText(points[at].date, progress.unit))));
}

const tick = (value) => new Intl.NumberFormat(lang, { maximumFractionDigits: 2 }).format(value);

const anchor = (at, count) => (at === 0 ? "start" : at === count - 1 ? "end" : "middle");

// The points that have room for a label: the first, the last and those at least `room` from the labels beside them.
function spread(times, x, room) {
  const last = times.length - 1;
  const shown = [0];
  for (let at = 1; at < last; at++) {
    const here = x(times[at]);
    if (here - x(times[shown.at(-1)]) >= 1.2 * room && x(times[last]) - here >= 1.2 * room) shown.push(at);
  }
  return [...shown, last];
}
