// The embedded data: an index of the runs, and each run by itself, which is parsed when it is first shown.

const ORIGINS = ["decided", "forced_grammar", "forced_canonical"];
const DECIDED = 0;
const index = JSON.parse(document.getElementById("index").textContent);
const sources = document.querySelectorAll("script.run");

// Control and direction characters, which must not steer how the rest is shown.
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function visible(text) {
  return text.replace(HIDDEN, (char) => {
    const code = char.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : "\ufffd";
  });
}

function element(tag, className, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children); // strings become text nodes, never markup
  return node;
}

function percent(value) {
  if (value === null || value === undefined) return "";
  if (value > 0 && value < 0.0005) return "<0.1%";
  return `${(100 * value).toFixed(1)}%`;
}

function duration(seconds) {
  if (seconds >= 1) return `${seconds.toFixed(2)} s`;
  return seconds >= 0.001 ? `${(1000 * seconds).toFixed(1)} ms` : `${Math.round(1e6 * seconds)} µs`;
}

function count(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

// The text of a run's data, which a page holds in pieces: a browser reads one long piece far more slowly.
function sourceText(first) {
  const pieces = [first.textContent];
  for (let next = first.nextElementSibling; next.matches(".more"); next = next.nextElementSibling) pieces.push(next.textContent);
  return pieces.join("");
}

function loadRun(number) {
  const run = JSON.parse(sourceText(sources[number]));
  run.number = number;
  run.length = run.tokens.word.length;
  run.stepOf = new Uint32Array(run.length);
  run.steps.forEach((step, at) => run.stepOf.fill(at, step.first, step.first + step.count));
  run.top.at = run.top.counts.reduce((at, many) => (at.push(at.at(-1) + many), at), [0]);
  run.paths_ = run.paths.map((path) => path.replace(/\[\d+\]/g, "[*]"));
  run.offsets = offsets(run);
  return run;
}

function textOf(run, token) {
  return run.texts[run.tokens.word[token]];
}

// What a token adds to the text: nothing while a character lacks bytes, then the whole character.
function piece(run, token) {
  return run.pieces[token] ?? textOf(run, token);
}

// Where in the text of its step each token ends.
function offsets(run) {
  const ends = new Uint32Array(run.length);
  for (const step of run.steps) {
    let end = 0;
    for (let token = step.first; token < step.first + step.count; token++) {
      end += piece(run, token).length;
      ends[token] = end;
    }
  }
  return ends;
}

function stepText(run, step) {
  const parts = [];
  for (let token = step.first; token < step.first + step.count; token++) parts.push(piece(run, token));
  return parts.join("");
}

// The likeliest tokens at a position, the chosen and the best refused one among them, likeliest first.
function rivals(run, token) {
  const { tokens, top } = run;
  if (tokens.before[token] === null) return [];
  const left = Math.exp(tokens.before[token] - tokens.after[token]);
  const chosen = textOf(run, token);
  const rows = [];
  for (let at = top.at[token]; at < top.at[token + 1]; at++) {
    const allowed = top.allowed[at] === 1;
    const before = top.p[at];
    const word = top.word[at];
    rows.push({
      text: run.texts[word], before, allowed, id: run.ids[word],
      after: allowed ? Math.min(1, before / left) : 0, chosen: word === tokens.word[token],
    });
  }
  if (!rows.some((row) => row.chosen)) {
    rows.push({
      text: chosen, before: Math.exp(tokens.before[token]), after: Math.exp(tokens.after[token]),
      allowed: true, chosen: true, id: run.ids[tokens.word[token]],
    });
  }
  return rows.sort((one, other) => other.before - one.before);
}

// Whether the model would rather have said a token that was refused.
function againstWish(run, token) {
  const before = run.tokens.before[token];
  return before !== null && run.tokens.refused[token] > Math.exp(before);
}
