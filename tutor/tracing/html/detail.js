// One token: what the mask allowed, what the model wanted, and the JSON as far as it had grown.

const detail = document.getElementById("detail");

function drawDetail(token) {
  const { run } = current;
  if (token === null || token >= run.length) {
    detail.replaceChildren(element("p", "muted", run.length ? "Pick a token." : "This run holds no tokens: it was traced at level “steps”."));
    return;
  }
  const text = textOf(run, token);
  const step = run.steps[run.stepOf[token]];
  detail.replaceChildren(
    element("h2", "", text === "" ? "end of the text" : visible(JSON.stringify(text))),
    drawWhere(run, token, step),
    element("p", "said", verdict(run, token)),
    ...drawNumbers(run, token),
    ...drawRivals(run, token),
    ...drawGrown(run, token, step),
    ...drawTimes(run, token),
  );
  const mark = detail.querySelector("mark");
  const box = mark?.parentElement;
  if (box) box.scrollTop = mark.offsetTop - box.offsetTop - box.clientHeight / 2;
}

function drawWhere(run, token, step) {
  const origin = ORIGINS[run.tokens.origin[token]].replace("_", ", ");
  const bytes = run.raw[token] ? ` · bytes ${run.raw[token]}` : "";
  const place = `token ${token - step.first + 1} of ${step.count} in step ${step.number}`;
  return element("p", "where", element("b", "", visible(run.paths[run.tokens.path[token]])), ` · ${origin} · id ${run.ids[run.tokens.word[token]]}${bytes} · ${place}`);
}

function verdict(run, token) {
  const { before, after, blocked, allowed, origin } = run.tokens;
  if (origin[token] !== DECIDED && before[token] === null) {
    return origin[token] === 1
      ? "The grammar left no other token here, so the model was not asked."
      : "The text was settled; this is its canonical tokenisation, so the model was not asked.";
  }
  if (before[token] === null) return "Part of a text that was chosen as a whole: its alternatives are weighed above.";
  const [wished] = rivals(run, token);
  const quoted = (text) => `“${visible(text) || "end"}”`;
  if (againstWish(run, token)) {
    return `The model would rather have said ${quoted(wished.text)} (${percent(wished.before)}), which the mask refused; it gave ${quoted(textOf(run, token))} ${percent(Math.exp(before[token]))}.`;
  }
  if (allowed[token] === 1) return `Only this token was allowed; the model gave it ${percent(Math.exp(before[token]))}.`;
  if (blocked[token] > 0.5) return `The model’s own favourite, though most of its probability lay on tokens that were refused.`;
  if (Math.exp(after[token]) < 0.6) return "A close call among the tokens that were allowed.";
  return "The model’s own favourite, and allowed.";
}

function drawNumbers(run, token) {
  const { allowed, before, after, blocked, entropyBefore, entropyAfter } = run.tokens;
  if (before[token] === null) return [];
  const numbers = [
    [percent(Math.exp(before[token])), "before"],
    [percent(Math.exp(after[token])), "after"],
    [percent(blocked[token]), "refused"],
    [allowed[token]?.toLocaleString("en") ?? "?", "allowed"],
  ];
  if (entropyBefore[token] !== null) numbers.push([entropyBefore[token].toFixed(2), "nats before"]);
  if (entropyAfter[token] !== null) numbers.push([entropyAfter[token].toFixed(2), "nats after"]);
  const chosen = Math.exp(before[token]);
  const mass = element("div", "mass", ...[["chosen", chosen], ["open", 1 - blocked[token] - chosen], ["shut", blocked[token]]].map(([name, share]) => {
    const part = element("i", name);
    part.style.setProperty("--share", `${100 * Math.max(0, share)}%`);
    return part;
  }));
  const key = element("p", "key", ...[["forward", "this token"], ["rest", "others allowed"], ["hatched", "refused"]].map(([name, text]) => element("span", "", element("i", name), text)));
  key.children[1].firstChild.style.background = "color-mix(in oklab, var(--allowed) 45%, transparent)";
  return [
    element("div", "numbers", ...numbers.map(([value, name]) => element("div", "", element("b", "", value), element("span", "", name)))),
    mass,
    key,
  ];
}

function drawRivals(run, token) {
  const rows = rivals(run, token);
  if (!rows.length) return [];
  const most = Math.max(...rows.flatMap(({ before, after }) => [before, after]));
  const list = element("div", "rivals", ...rows.map((row) => {
    const bar = (name, value) => {
      const node = element("i", name);
      node.style.setProperty("--share", `${(100 * value) / most}%`);
      return node;
    };
    const label = row.text === "" ? "end" : visible(JSON.stringify(row.text).slice(1, -1)).replaceAll(" ", "␣");
    const node = element("div", "rival", element("code", "", row.allowed ? label : `× ${label}`));
    node.append(bar(row.allowed ? "before" : "hatched", row.before), element("em", "", percent(row.before)));
    if (row.allowed) node.append(bar("after", row.after), element("em", "", percent(row.after)));
    node.classList.toggle("shut", !row.allowed);
    node.classList.toggle("chosen", row.chosen);
    node.title = `token ${row.id}${row.allowed ? "" : ", refused"}`;
    return node;
  }));
  return [element("h3", "", "Likeliest tokens: before the mask, and after"), list];
}

function drawTimes(run, token) {
  const { mask, forward } = run.tokens;
  const parts = [];
  if (mask[token] !== null) parts.push(`mask ${duration(mask[token] / 1e6)}`);
  if (run.tokens.cached[token]) parts.push("prediction kept from an earlier pass");
  else if (forward[token] !== null) parts.push(`forward pass ${duration(forward[token] / 1e6)}`);
  return parts.length ? [element("h3", "", "Time"), element("p", "", parts.join(" · "))] : [];
}

function drawGrown(run, token, step) {
  const slider = element("input");
  Object.assign(slider, { type: "range", min: step.first, max: step.first + step.count - 1, value: token });
  slider.setAttribute("aria-label", "Token of this step");
  slider.addEventListener("input", () => select(Number(slider.value), { from: slider }));
  const place = element("span", "muted", `${token - step.first + 1}/${step.count}`);
  const end = run.offsets[token];
  const start = token > step.first ? run.offsets[token - 1] : 0;
  const [before, now, ahead] = pretty(stepText(run, step), [start, end]);
  const json = element("pre", "json", before, element("mark", "", now || "\u200b"), element("span", "ahead", ahead));
  return [element("h3", "", "The text as it grew"), element("div", "grown", slider, place), json];
}

const NEAR = 3000; // characters of the text that are shown before and after a token

// Lay out a JSON text around a token, cut where the token begins and ends; text that is no JSON stays as it is.
function pretty(text, cuts) {
  const first = cuts[0] - NEAR, last = cuts[1] + NEAR;
  const parts = [first > 0 ? "… " : "", "", ""];
  const json = /^\s*[{[]/.test(text);
  let depth = 0, quoted = false, escaped = false;
  for (let at = 0; at < text.length && at < last; at++) {
    const char = text[at];
    let before = "", after = "";
    if (!json) {
      // nothing to lay out
    } else if (quoted) {
      quoted = escaped || char !== '"';
      escaped = !escaped && char === "\\";
    } else if (char === '"') {
      quoted = true;
    } else if ("{[".includes(char)) {
      depth++;
      after = text[at + 1] === "}" || text[at + 1] === "]" ? "" : `\n${"  ".repeat(depth)}`;
    } else if ("}]".includes(char)) {
      depth--;
      before = "{[".includes(text[at - 1]) ? "" : `\n${"  ".repeat(Math.max(0, depth))}`;
    } else if (char === ",") {
      after = `\n${"  ".repeat(Math.max(0, depth))}`;
    } else if (char === ":") {
      after = " ";
    } else if (/\s/.test(char)) {
      continue;
    }
    if (at >= first) parts[at < cuts[0] ? 0 : at < cuts[1] ? 1 : 2] += before + (json ? visible(char) : char) + after;
  }
  if (last < text.length) parts[2] += " …";
  return json ? parts : parts.map((part) => visible(part).replaceAll("\u240a", "\n"));
}
