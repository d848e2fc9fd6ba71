// Filters by path, origin and refused probability: tokens that do not match are dimmed and skipped by the keys.

let matching = new Uint8Array(0);

function drawFilters(run) {
  const numbers = [0, 0, 0];
  for (const origin of run.tokens.origin) numbers[origin]++;
  const paths = new Set(run.paths_.flatMap(ancestors));
  if (!paths.has(filter.path)) filter.path = "";
  const select = element("select", "", new Option("every path", ""));
  for (const path of [...paths].sort()) select.append(new Option(visible(path), path, false, path === filter.path));
  select.setAttribute("aria-label", "Path in the JSON");
  select.addEventListener("change", () => { filter.path = select.value; applyFilter(); });
  const names = ["decided", "forced: grammar", "forced: tokenisation"];
  const chips = names.flatMap((name, origin) => (numbers[origin] ? [chip(`${name} ${numbers[origin].toLocaleString("en")}`, origin)] : []));
  document.getElementById("filters").replaceChildren(select, ...chips, leastRefused(), element("span", "", ""));
  document.getElementById("filters").lastChild.id = "matches";
}

// A path and those above it but the top: "$.a[*].b" lies under "$.a[*]" and "$.a".
function ancestors(path) {
  const ends = [...path].flatMap((char, at) => (".[".includes(char) && at > 1 ? [at] : []));
  return path === "$" ? [] : [...ends, path.length].map((end) => path.slice(0, end));
}

function chip(label, origin) {
  const button = element("button", "chip", label);
  button.setAttribute("aria-pressed", String(filter.origins.has(origin)));
  button.addEventListener("click", () => {
    if (!filter.origins.delete(origin)) filter.origins.add(origin);
    button.setAttribute("aria-pressed", String(filter.origins.has(origin)));
    applyFilter();
  });
  return button;
}

function leastRefused() {
  const range = element("input");
  Object.assign(range, { type: "range", min: 0, max: 100, value: 100 * filter.least });
  range.setAttribute("aria-label", "Least refused probability, percent");
  const output = element("output", "", `${range.value}%`);
  range.addEventListener("input", () => {
    filter.least = range.value / 100;
    output.textContent = `${range.value}%`;
    applyFilter();
  });
  return element("label", "", "refused at least", range, output);
}

function applyFilter() {
  const { run } = current;
  const { origin, path, blocked } = run.tokens;
  const inside = run.paths_.map((name) => name === filter.path || [".", "["].includes(name[filter.path.length]) && name.startsWith(filter.path));
  matching = new Uint8Array(run.length);
  let found = 0;
  for (let token = 0; token < run.length; token++) {
    if (!filter.origins.has(origin[token]) || (filter.path && !inside[path[token]])) continue;
    if (filter.least && !(blocked[token] >= filter.least)) continue;
    matching[token] = 1;
    found++;
  }
  for (const block of blocks) {
    if (!block.filled) continue;
    for (const node of block.node.children) node.classList.toggle("off", !matching[node.dataset.token]);
  }
  document.getElementById("matches").textContent = found === run.length ? count(found, "token") : `${found.toLocaleString("en")} of ${count(run.length, "token")}`;
}
