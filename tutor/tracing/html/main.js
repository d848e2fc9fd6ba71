// What is shown, and the ways to move: pointer, keys and the address.

const current = { run: null, token: null };

function showRun(number, token = null) {
  current.run = loadRun(number);
  current.token = null;
  drawRun(current.run);
  document.getElementById("run").scrollTop = 0;
  keepRunInView();
  if (token === null) select(firstDecision(), { still: true });
  else select(token);
}

function firstDecision() {
  const found = current.run.tokens.before.findIndex((before) => before !== null);
  return found >= 0 ? found : current.run.length ? 0 : null;
}

// Select a token. `still` keeps the view where it is; `from` is the control that keeps the focus.
function select(token, { still = false, from = null } = {}) {
  const { run } = current;
  const old = current.token === null ? null : tokenNode(current.token);
  if (old) mark(old, false);
  current.token = token;
  const node = token === null ? null : tokenNode(token);
  if (node) {
    mark(node, true);
    if (!still) reveal(node);
    if (!still && !from) node.focus({ preventScroll: true });
  }
  drawDetail(token);
  if (from) detail.querySelector("input").focus();
  const step = token === null ? -1 : run.stepOf[token];
  document.querySelectorAll(".bar").forEach((bar, at) => bar.setAttribute("aria-current", String(at === step)));
  writeAddress();
}

// Scroll to a node, and again once the blocks around it have their height.
function reveal(node) {
  node.scrollIntoView({ block: "nearest" });
  requestAnimationFrame(() => requestAnimationFrame(() => node.scrollIntoView({ block: "nearest" })));
}

function mark(node, on) {
  node.classList.toggle("on", on);
  node.tabIndex = on ? 0 : -1;
  node.setAttribute("aria-selected", String(on));
}

function step(by, wanted) {
  let token = (current.token ?? -1) + by;
  while (token >= 0 && token < current.run.length && !wanted(token)) token += by;
  if (token >= 0 && token < current.run.length) select(token);
}

function goToStep(at) {
  const { run } = current;
  const wanted = run.steps[at];
  if (!wanted) return;
  document.querySelectorAll(".step")[at].scrollIntoView({ block: "start" });
  if (wanted.count) {
    const tokens = Array.from({ length: wanted.count }, (_, token) => wanted.first + token);
    select(tokens.find((token) => run.tokens.before[token] !== null) ?? wanted.first, { still: true });
  }
}

// The address names what is shown: #run=2&token=41, both counted from 1.
let pending = 0;
function writeAddress() {
  clearTimeout(pending);
  pending = setTimeout(() => {
    const token = current.token === null ? "" : `&token=${current.token + 1}`;
    history.replaceState(null, "", `#run=${current.run.number + 1}${token}`);
  }, 120);
}

function readAddress() {
  const place = new URLSearchParams(location.hash.slice(1));
  const number = Number(place.get("run") ?? 1) - 1;
  const token = Number(place.get("token") ?? 0) - 1;
  const known = Number.isInteger(number) && index.runs[number] ? number : 0;
  if (current.run?.number !== known) showRun(known, token >= 0 && token < index.runs[known].tokens ? token : null);
  else if (token >= 0 && token < current.run.length && token !== current.token) select(token);
}

const KEYS = {
  ArrowLeft: () => step(-1, (token) => matching[token]),
  ArrowRight: () => step(1, (token) => matching[token]),
  ArrowUp: () => step(-1, (token) => matching[token] && current.run.tokens.before[token] !== null),
  ArrowDown: () => step(1, (token) => matching[token] && current.run.tokens.before[token] !== null),
  "[": () => goToStep(current.run.stepOf[current.token ?? 0] - 1),
  "]": () => goToStep(current.run.stepOf[current.token ?? 0] + 1),
  j: () => moveRun(1),
  k: () => moveRun(-1),
  t: () => changeTheme(),
  "/": () => { openRuns(true); document.getElementById("find").focus(); },
  "?": () => document.getElementById("helper").showModal(),
};

function changeTheme() {
  const root = document.documentElement;
  const dark = root.style.colorScheme ? root.style.colorScheme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.style.colorScheme = dark ? "light" : "dark";
}

function openRuns(open) {
  document.getElementById("runs").classList.toggle("open", open);
  document.getElementById("show-runs").setAttribute("aria-expanded", String(open));
  drawRuns();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById("helper").open) return;
  if (event.key === "Escape") {
    openRuns(false);
    document.activeElement.blur();
  }
  if (event.target.matches("input, select") || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
});

const steps = document.getElementById("steps");
const tokenAt = (event) => event.target.closest(".t")?.dataset.token;
steps.addEventListener("click", (event) => {
  if (tokenAt(event) !== undefined) select(Number(tokenAt(event)), { still: true });
});
steps.addEventListener("pointerover", (event) => {
  if (event.pointerType === "mouse" && tokenAt(event) !== undefined) drawDetail(Number(tokenAt(event)));
});
steps.addEventListener("pointerleave", () => drawDetail(current.token));

document.getElementById("find").addEventListener("input", findRuns);
document.getElementById("order").addEventListener("change", findRuns);
runList.addEventListener("scroll", drawRuns, { passive: true });
addEventListener("resize", drawRuns);
addEventListener("hashchange", readAddress);
document.getElementById("theme").addEventListener("click", changeTheme);
document.getElementById("help").addEventListener("click", KEYS["?"]);
document.getElementById("show-runs").addEventListener("click", () => openRuns(!document.getElementById("runs").classList.contains("open")));
document.getElementById("share").addEventListener("click", async ({ target }) => {
  writeAddress();
  await new Promise((done) => setTimeout(done, 150));
  await navigator.clipboard.writeText(location.href);
  target.textContent = "Copied";
  setTimeout(() => { target.textContent = "Copy link"; }, 1500);
});

document.getElementById("totals").textContent = `${count(index.runs.length, "run")}, ${count(index.runs.reduce((sum, run) => sum + run.tokens, 0), "token")}`;
findRuns();
readAddress();
