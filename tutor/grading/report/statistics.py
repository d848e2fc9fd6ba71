"""Statistics of a graded corpus, streamed: a row at a time, in bounded memory."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from zlib import crc32

from tutor.grading.report.bounded import Ranking, Timeline, TopCounter
from tutor.grading.report.rates import Sample, proportion, rate

Row = dict[str, Any]

LEARNERS = "learners.jsonl"
"""Where the statistics of each learner are kept: a line each, since all at once they would take much memory."""
MOST_LEARNERS = 1000
"""Learners with statistics of their own: the first that come. The others count for the corpus only."""
_LEARNER_GROUPS = 4096
_FEWEST_GROUPS = 10
_READ = ("corrected", "unchanged")
_STOPS = ("step_cap", "duplicate_action", "error")
_WORD = re.compile(r"[^\W\d_](?:[\w'’-]*\w)?")
_MOST_FORM = 60
_MOST_SENTENCE = 400


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a profile keeps.

    Attributes
    ----------
    verbs : int
        Pairs of a wrong and a right form; twice as many are counted exactly.
    points : int
        Points of progress before days become months, months years.
    sentences : int
        Worst and best sentences, each.
    reasons : int
        Scope reasons and failure messages, each; twice as many are counted exactly.
    """

    verbs: int
    points: int
    sentences: int
    reasons: int


_CORPUS = Limits(verbs=5000, points=120, sentences=10, reasons=50)
_LEARNER = Limits(verbs=30, points=40, sentences=3, reasons=5)
_SHOWN_VERBS = 30


class Profile:
    """What is known of a learner, or of all together: the sums of their rows."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._statuses: Counter[str] = Counter()
        self._all_words = 0
        self._read = Sample()
        self._verbs = TopCounter(limits.verbs)
        self._issues: Counter[str] = Counter()
        self._scope = TopCounter(limits.reasons)
        self._messages = TopCounter(limits.reasons)
        self._progress = Timeline(limits.points)
        self._undated = 0
        self._worst = Ranking(limits.sentences)
        self._best = Ranking(limits.sentences)

    def add(self, row: Row, words: int) -> None:
        """Count a row of so many words."""
        self._statuses[row["status"]] += 1
        self._all_words += words
        if row["status"] in _READ:
            self._add_read(row, words)
        elif row["status"] == "out_of_scope":
            for reason in row["rationale"]:
                self._scope.add(reason)
        elif row["status"] == "error":
            self._messages.add((row.get("message") or "")[:_MOST_SENTENCE])

    def _add_read(self, row: Row, words: int) -> None:
        edits = row["edits"]
        self._read.add(_types(row), words)
        for edit in edits:
            self._verbs.add((_form(edit["original"]), _form(edit["replacement"]), edit["type"]))
        self._issues.update(issue["kind"] for issue in row["additional_issues"])
        if (day := _day(row.get("date"))) is not None:
            self._progress.add(day, len(edits), words)
        elif row.get("date"):
            self._undated += 1
        self._rank(row, words)

    def _rank(self, row: Row, words: int) -> None:
        errors = len(row["edits"])
        sentence = row["sentence"][:_MOST_SENTENCE]
        place = (sentence, *(str(row.get(name)) for name in ("learner", "file", "line", "id")))
        if errors:
            self._worst.offer((-errors, words, *place), sentence, lambda: _shown(row))
        elif not row["additional_issues"]:
            self._best.offer((-words, *place), sentence, lambda: _shown(row))

    def summary(self, clusters: Sample | None = None) -> dict[str, Any]:
        """Return the statistics; their intervals by these clusters, or else by sentences."""
        read = self._read.words
        sample = clusters or self._read
        return {
            "sentences": self._statuses.total(),
            "words": self._all_words,
            "read": {"sentences": read.clusters, "words": read.total},
            "statuses": dict(sorted(self._statuses.items())),
            "stopped": {name: self._statuses[name] for name in _STOPS},
            "corrected": proportion(self._statuses["corrected"], read.clusters),
            "errors": rate(sample.errors, sample.words),
            "types": {
                kind: rate(found, sample.words)
                for kind, found in sorted(sample.types.items(), key=lambda item: (-item[1].total, item[0]))
            },
            "verbs": [
                {"wrong": wrong, "right": right, "type": kind, "count": count}
                for (wrong, right, kind), count in self._verbs.most_common(_SHOWN_VERBS)
            ],
            "verbs_missed": self._verbs.missed,
            "issues": dict(sorted(self._issues.items(), key=lambda item: (-item[1], item[0]))),
            "out_of_scope": dict(self._scope.most_common(self._limits.reasons)),
            "messages": dict(self._messages.most_common(self._limits.reasons)),
            "progress": self._progress_summary(),
            "undated": self._undated,
            "worst": [json.loads(text) for text in self._worst],
            "best": [json.loads(text) for text in self._best],
        }

    def _progress_summary(self) -> dict[str, Any]:
        points = [
            {"date": day.isoformat(), "sentences": tally.words.clusters, "words": tally.words.total}
            | rate(tally.errors, tally.words)
            for day, tally in self._progress
        ]
        return {"unit": self._progress.unit, "points": points}


class Statistics:
    """The statistics of a graded corpus.

    What it holds is bounded, whatever the corpus: 1,000 learners (the first that come; later ones count for the
    corpus only), each with up to 60 pairs of forms, 40 points of progress and 6 sentences of up to 400 characters;
    for the corpus 10,000 pairs, 120 points, 20 sentences, and sums over 4,096 groups of learners. Up to 1,000
    learners, and up to so many distinct pairs, the order of the rows does not matter; the figures of the corpus
    other than pairs never depend on it.

    Rates count the corrections made, per 100 words of the sentences that were read to their end (``corrected`` and
    ``unchanged``). Clusters of the intervals are the sentences; over the corpus they are the learners if at least
    10 are named, since sentences of one learner are alike. More than 4,096 learners are put together by a hash of
    their names; each stays within one cluster, which is what the intervals need (random groups: Wolter 2007,
    Introduction to Variance Estimation, chapter 2).
    """

    def __init__(self) -> None:
        self._corpus = Profile(_CORPUS)
        self._learners: dict[str, Profile] = {}
        self._unlisted = 0
        self._groups: dict[int, _Group] = {}
        self._nameless = Sample()

    def add(self, row: Row) -> None:
        """Count one row of ``results.jsonl``.

        Parameters
        ----------
        row : dict
            The object of ``tutor correct --json``, with or without ``id``, ``learner``, ``date``, ``file``, ``line``.
        """
        words = len(_WORD.findall(row["sentence"]))
        self._corpus.add(row, words)
        learner = row.get("learner")
        if learner is not None:
            self._add_learner(learner, row, words)
        elif row["status"] in _READ:
            self._nameless.add(_types(row), words)

    def _add_learner(self, name: str, row: Row, words: int) -> None:
        if name in self._learners or len(self._learners) < MOST_LEARNERS:
            self._learners.setdefault(name, Profile(_LEARNER)).add(row, words)
        else:
            self._unlisted += 1
        if row["status"] in _READ:
            number = crc32(name.encode("utf-8", "surrogatepass")) % _LEARNER_GROUPS
            self._groups.setdefault(number, _Group()).add(_types(row), words)

    def summary(self) -> dict[str, Any]:
        """Return the statistics so far.

        Returns
        -------
        dict
            Those of the corpus. ``unlisted`` counts the rows of learners beyond the first 1,000; ``interval`` says
            what the intervals are.
        """
        by_learner = len(self._groups) >= _FEWEST_GROUPS
        return {
            **self._corpus.summary(self._learner_clusters() if by_learner else None),
            "interval": {
                "method": "Wilson, words divided by the design effect",
                "level": 0.95,
                "clusters": "learners" if by_learner else "sentences",
            },
            "unlisted": self._unlisted,
        }

    def learners(self) -> Iterator[dict[str, Any]]:
        """Yield the same statistics of each learner, by name."""
        for name, profile in sorted(self._learners.items()):
            yield {"learner": name, **profile.summary()}

    def _learner_clusters(self) -> Sample:
        clusters = deepcopy(self._nameless)
        for group in self._groups.values():
            clusters.add(group.types, group.words)
        return clusters


@dataclass(slots=True)
class _Group:
    """The sums of one learner, or of a few whose names share a hash: one cluster."""

    words: int = 0
    types: Counter[str] = field(default_factory=Counter)

    def add(self, types: Counter[str], words: int) -> None:
        self.words += words
        self.types.update(types)


def _types(row: Row) -> Counter[str]:
    return Counter(edit["type"] for edit in row["edits"])


def _form(text: str) -> str:
    return text.casefold()[:_MOST_FORM]


def _day(text: str | None) -> date | None:
    """Return the day of an ISO date, with or without a time; None for anything else."""
    try:
        return date.fromisoformat((text or "")[:10])
    except ValueError:
        return None


def _shown(row: Row) -> str:
    """Return what shows a sentence and where it stands, as JSON, which is small; the beginning of a very long one."""
    shown = {
        **{name: row.get(name) for name in ("id", "learner", "file", "line")},
        "sentence": row["sentence"][:_MOST_SENTENCE],
        "edits": [edit for edit in row["edits"] if edit["end"] <= _MOST_SENTENCE],
    }
    return json.dumps(shown)
