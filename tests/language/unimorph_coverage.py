"""Measure the lexicon against a UniMorph verb table; a script, not a test.

python tests/language/unimorph_coverage.py TABLE.tsv CORPUS.gz... [--top 1000] [--misses]

TABLE.tsv has the columns lemma, 3sg present, past, participle, -ing form, with a slash between variants. The
most frequent verbs are found by counting the table's forms in the corpora: a verb is as frequent as its base
or its past, participle and -ing forms, whichever are rarer (so "thinke" does not live on "thought", nor
"thing" on "things"). A cell counts as right if one of our variants is one of theirs; modals and cells without
a form, are left out.
"""

import argparse
import csv
import gzip
import re
from collections import Counter
from pathlib import Path

from tutor.language.morphology import MODALS, UnknownVerb, paradigm

SLOTS = ("present_3sg", "past_simple", "past_participle", "present_participle")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("table", type=Path)
    parser.add_argument("corpora", type=Path, nargs="*")
    parser.add_argument("--top", type=int, default=1000)
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    with options.table.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    rows = [row for row in rows if row["lemma"] not in {*MODALS, "-"}]
    counts: Counter[str] = Counter()
    for corpus in options.corpora:
        with gzip.open(corpus, "rt", encoding="utf-8") as lines:
            for line in lines:
                counts.update(re.findall(r"[a-z]+", line.split("\t")[0].lower()))
    if options.corpora:
        rows = sorted(rows, key=lambda row: -usage(row, counts))[: options.top]
    right = total = 0
    for row in rows:
        for slot, theirs, ours in compare(row):
            total += 1
            right += bool(theirs & ours)
            if options.misses and not theirs & ours:
                print(row["lemma"], slot, "theirs", sorted(theirs), "ours", sorted(ours), usage(row, counts))
    print(f"{right} of {total} forms of {len(rows)} verbs: {right / total:.2%}")


def usage(row: dict[str, str], counts: Counter[str]) -> int:
    inflected = {form for slot in SLOTS[1:] for form in row[slot].split("/")} - {row["lemma"]}
    return min(counts[row["lemma"]], sum(counts[form] for form in inflected))


def compare(row: dict[str, str]) -> list[tuple[str, set[str], set[str]]]:
    try:
        verb = paradigm(row["lemma"])
        ours = (verb.third, verb.past, verb.participle, verb.gerund)
    except UnknownVerb:
        ours = ((), (), (), ())
    return [
        (slot, set(row[slot].split("/")), set(mine))
        for slot, mine in zip(SLOTS, ours, strict=True)
        if row[slot] != "-"
    ]


if __name__ == "__main__":
    main()
