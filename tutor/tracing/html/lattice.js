// A choice among whole alternatives: the lattice of the sentence, each way with its probability.

const WAYS = 5; // ways of a stretch that are shown at first

function drawChoice(choice) {
  const box = element("div", "choice", element("h3", "", `chosen as a whole for ${visible(choice.path)}`));
  if (choice.same) {
    box.append(element("p", "muted", `the choice of step ${choice.same}, which weighed the same alternatives`));
    return box;
  }
  if (choice.parts) {
    box.append(element("div", "lattice", ...choice.parts.map((part) => {
      return typeof part === "string" ? element("span", "", visible(part)) : drawStretch(part);
    })));
  }
  const details = element("details", "", element("summary", "", `scores of all ${count(choice.alternatives.length, "alternative")}`));
  details.open = !choice.parts;
  const draw = () => details.open && details.childElementCount === 1 && details.append(scoreTable(choice.alternatives));
  details.addEventListener("toggle", draw);
  draw();
  box.append(details);
  return box;
}

function drawStretch({ ways }) {
  const stretch = element("div", "stretch", ...ways.slice(0, WAYS).map(drawWay));
  if (ways.length > WAYS) {
    const more = element("button", "more", `${ways.length - WAYS} more`);
    more.addEventListener("click", () => more.replaceWith(...ways.slice(WAYS).map(drawWay)));
    stretch.append(more);
  }
  return stretch;
}

function drawWay({ text, probability, chosen, written }) {
  const way = element("div", "way", element("span", "", visible(text)), element("span", "", percent(probability)));
  way.classList.toggle("chosen", chosen);
  way.classList.toggle("written", written);
  way.title = written ? "as it was written" : "";
  way.style.setProperty("--share", `${100 * probability}%`);
  return way;
}

function scoreTable(alternatives) {
  const names = ["change", "fluency", "error model", "score", "probability"];
  const table = element("table", "scores", element("tr", "", ...names.map((name) => element("th", "", name))));
  const number = (value) => (value === null ? "" : value.toFixed(2));
  for (const { text, fluency, error_model: error, score, probability, chosen } of alternatives) {
    const cells = [visible(text), number(fluency), number(error), number(score), percent(probability)];
    table.append(element("tr", chosen ? "chosen" : "", ...cells.map((cell) => element("td", "", cell))));
  }
  return table;
}
