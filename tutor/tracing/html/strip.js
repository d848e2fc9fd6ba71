// The run in the middle: its sentence, the timeline of its steps, the tokens of each step.

const BLOCK = 240; // tokens that are drawn together, once they come near the view
const filter = { path: "", least: 0, origins: new Set([0, 1, 2]) };
let blocks = [];
const nearby = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) fillBlock(entry.target.block);
}, { root: document.getElementById("run"), rootMargin: "800px" });

function drawRun(run) {
  drawHead(run);
  drawTimeline(run);
  drawFilters(run);
  nearby.disconnect();
  blocks = [];
  document.getElementById("steps").replaceChildren(...run.steps.map((step) => drawStep(run, step)));
  document.querySelector("#facts pre").textContent = visible(JSON.stringify(run.facts, null, 2)).replaceAll("\u240a", "\n");
  applyFilter();
}

function drawHead(run) {
  const sentence = element("p", "sentence", ...run.marked.map(([kind, text]) => {
    return kind === "same" ? visible(text) : element(kind === "cut" ? "del" : "ins", "", visible(text));
  }));
  if (run.sentence.length > 240) sentence.classList.add("long");
  const { model, versions, seed, sampler_position: position } = run.facts;
  const sampling = seed === undefined ? "greedy" : `sampled, seed ${seed}`; // a recorder cannot know
  const line = element("p", "muted", element("span", `badge ${run.status}`, visible(run.status)), " ");
  const facts = [`run ${run.id}`, model.name, position === "logits_processor" ? "" : sampling, `tutor ${versions.tutor ?? "?"}`];
  line.append(visible(facts.filter(Boolean).join(" · ")));
  document.getElementById("head").replaceChildren(sentence, line);
}

// What a step spent its time on, as far as the trace tells, in seconds.
function shares(run, step) {
  let forward = 0, mask = 0;
  for (let token = step.first; token < step.first + step.count; token++) {
    forward += run.tokens.forward[token] ?? 0;
    mask += run.tokens.mask[token] ?? 0;
  }
  for (const choice of step.choices) forward += choice.us ?? 0;
  const known = (forward + mask) / 1e6;
  const total = Math.max(step.seconds ?? known, known);
  return { forward: forward / 1e6, mask: mask / 1e6, rest: total - known, tool: step.observation?.seconds ?? 0 };
}

const PART_NAMES = { forward: "forward passes", mask: "mask", rest: "all else", tool: "tool" };

function drawTimeline(run) {
  const bars = run.steps.map((step, at) => {
    const parts = shares(run, step);
    const total = parts.forward + parts.mask + parts.rest + parts.tool;
    const strip = element("span", "parts", ...Object.entries(parts).map(([name, seconds]) => {
      const part = element("i", name);
      part.style.setProperty("--share", total ? seconds / total : 0);
      return part;
    }));
    const bar = element("button", "bar", strip, element("span", "name", `${step.number} ${visible(step.short)}`));
    bar.style.setProperty("--grow", Math.max(total, 1e-6));
    const told = Object.entries(parts).filter(([, seconds]) => seconds > 0).map(([name, seconds]) => `${PART_NAMES[name]} ${duration(seconds)}`);
    bar.title = `step ${step.number}: ${duration(total)}\n${told.join("\n")}`;
    bar.addEventListener("click", () => goToStep(at));
    return bar;
  });
  const key = element("p", "key", ...Object.entries(PART_NAMES).map(([part, name]) => element("span", "", element("i", part), name)));
  const timeline = document.getElementById("timeline");
  timeline.replaceChildren(...bars);
  document.querySelector("#timeline + .key")?.remove();
  timeline.after(key);
}

function drawStep(run, step) {
  const title = element("h2", "", element("b", "", `Step ${step.number}`), element("code", "", visible(step.label)));
  const costs = [`${step.decided} decided`, `${step.forced} forced`];
  if (step.prompt !== null) costs.push(`prompt ${step.prompt}, ${step.cached} of them cached`);
  if (step.seconds !== null) costs.push(duration(step.seconds));
  const section = element("section", "step", title, element("p", "cost", costs.join(" · ")));
  section.append(...step.choices.map(drawChoice));
  if (step.count) section.append(drawStrip(run, step));
  else if (step.text) section.append(element("div", "strip block", visible(step.text)));
  if (step.observation) {
    const observation = element("p", "observation", visible(step.observation.text));
    observation.classList.toggle("failed", step.observation.failed);
    section.append(observation);
  }
  return section;
}

function drawStrip(run, step) {
  const strip = element("div", "strip");
  strip.setAttribute("role", "listbox");
  strip.setAttribute("aria-label", `Tokens of step ${step.number}`);
  const letters = (document.getElementById("run").clientWidth - 90) / 9 || 80;
  for (let from = step.first; from < step.first + step.count; from += BLOCK) {
    const to = Math.min(step.first + step.count, from + BLOCK);
    const node = element("div", "block");
    const block = { from, to, node, filled: false };
    const length = run.offsets[to - 1] - (from > step.first ? run.offsets[from - 1] : 0);
    node.style.minHeight = `${Math.ceil(length / letters) * 28}px`;
    node.block = block;
    blocks.push(block);
    nearby.observe(node);
    strip.append(node);
  }
  return strip;
}

function fillBlock(block) {
  if (block.filled) return;
  block.filled = true;
  nearby.unobserve(block.node);
  block.node.style.minHeight = "";
  for (let token = block.from; token < block.to; token++) block.node.append(drawToken(current.run, token));
}

function drawToken(run, token) {
  const text = textOf(run, token);
  const { origin, blocked } = run.tokens;
  const node = element("span", origin[token] === DECIDED ? "t decided" : "t forced", text === "" ? "end" : visible(text));
  if (text === "") node.classList.add("end");
  if (blocked[token]) node.style.setProperty("--heat", `${(60 * blocked[token]).toFixed(0)}%`);
  if (origin[token] === DECIDED && run.tokens.before[token] === null) node.classList.add("joint");
  if (againstWish(run, token)) node.classList.add("against");
  if (!matching[token]) node.classList.add("off");
  if (token === current.token) node.classList.add("on");
  node.dataset.token = token;
  node.tabIndex = token === current.token ? 0 : -1;
  node.setAttribute("role", "option");
  node.setAttribute("aria-selected", String(token === current.token));
  return node;
}

// The node of a token, drawn now if it was not yet.
function tokenNode(token) {
  const block = blocks.find(({ from, to }) => from <= token && token < to);
  if (!block) return null;
  fillBlock(block);
  return block.node.children[token - block.from];
}
