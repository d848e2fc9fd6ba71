"""How much of an evaluation set a perfect planner could correct: oracle, step cap and lattice as they are.

``python -m tutor.training.ceiling FILE...`` prints a line for each file.
"""

from __future__ import annotations

import argparse
from difflib import SequenceMatcher
from pathlib import Path

from tutor.evaluation.errant_edits import verb_edits
from tutor.evaluation.readers import Item, read
from tutor.language.tokens import tokenize
from tutor.training.errors import Broken, Edit
from tutor.training.oracle import OutOfReachError, oracle_steps


def aligned(source: str, target: str) -> Broken:
    """Return a sentence and its correction with the edits between them, token by token.

    What is only put in or left out is widened by the word that follows, since an edit replaces something.
    """
    left, right = tokenize(source), tokenize(target)
    matcher = SequenceMatcher(None, [t.text for t in left], [t.text for t in right], autojunk=False)
    edits = []
    for kind, i, j, k, m in matcher.get_opcodes():
        if kind == "equal":
            continue
        if i == j or k == m:
            at_end = j == len(left) or m == len(right)
            i, j, k, m = (i - 1, j, k - 1, m) if at_end else (i, j + 1, k, m + 1)
        start, end = left[i].start, left[j - 1].end
        edits.append(Edit(start, end, source[start:end], target[right[k].start : right[m - 1].end], "VERB"))
    return Broken(source, target, tuple(edits))


def within_reach(item: Item) -> bool:
    """Tell whether the tools' evidence yields one of the references."""
    for reference in item.references:
        try:
            oracle_steps(aligned(item.source, reference))
        except OutOfReachError:
            continue
        return True
    return False


def main() -> None:
    """Print sentences within reach, and the verb edits that those hold, for each file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    for path in parser.parse_args().files:
        try:
            items = read(path)
        except (OSError, ValueError) as error:
            parser.exit(1, f"{error}\n")
        reached = due = edits = 0
        for item in items:
            count = len(verb_edits(item.source, item.references[0]))
            within = within_reach(item)
            reached, due, edits = reached + within, due + count, edits + count * within
        print(f"{path.name}: {reached} of {len(items)} sentences, {edits} of {due} verb edits")


if __name__ == "__main__":
    main()
