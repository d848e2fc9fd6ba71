// The list of runs: only the rows in view exist.

const ROW = 58;
const runList = document.getElementById("run-list");
const extent = element("div", "extent");
let shownRuns = [];

function findRuns() {
  const words = document.getElementById("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  const order = document.getElementById("order").value;
  shownRuns = index.runs.map((_, number) => number).filter((number) => {
    const { id, sentence, status } = index.runs[number];
    const text = `${id} ${sentence} ${status}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (order !== "file") shownRuns.sort((one, other) => index.runs[other][order] - index.runs[one][order]);
  runList.scrollTop = 0;
  drawRuns();
}

function drawRuns() {
  if (!shownRuns.length) {
    runList.replaceChildren(element("p", "nothing", "No run has these words."));
    return;
  }
  extent.style.height = `${shownRuns.length * ROW}px`;
  const first = Math.max(0, Math.floor(runList.scrollTop / ROW) - 4);
  const last = Math.min(shownRuns.length, first + Math.ceil(runList.clientHeight / ROW) + 8);
  const rows = [];
  for (let at = first; at < last; at++) rows.push(runRow(shownRuns[at], at));
  runList.replaceChildren(extent, ...rows);
}

function runRow(number, at) {
  const { id, sentence, status, tokens, refused } = index.runs[number];
  const row = element("button", "run-row", element("b", "", visible(sentence)));
  const meter = element("i");
  meter.style.setProperty("--share", `${100 * refused}%`);
  meter.title = `${percent(refused)} of the probability at its decisions was refused`;
  row.append(element("span", "", `${visible(id)}`, element("span", "status", visible(status)), count(tokens, "token"), meter));
  row.style.top = `${at * ROW}px`;
  row.tabIndex = -1;
  row.setAttribute("aria-current", String(number === current.run?.number));
  row.addEventListener("click", () => {
    showRun(number);
    document.getElementById("runs").classList.remove("open");
  });
  return row;
}

function keepRunInView() {
  const at = shownRuns.indexOf(current.run.number);
  if (at < 0) return;
  if (at * ROW < runList.scrollTop) runList.scrollTop = at * ROW;
  const below = (at + 1) * ROW - runList.clientHeight;
  if (below > runList.scrollTop) runList.scrollTop = below;
  drawRuns();
}

function moveRun(by) {
  const at = shownRuns.indexOf(current.run.number) + by;
  if (at >= 0 && at < shownRuns.length) showRun(shownRuns[at]);
}
