"""The lattice of a sentence: every text that the observations so far allow as its correction (G3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from tutor.language.lexicon import AUXILIARY_LEMMAS
from tutor.language.tokens import Token, tokenize
from tutor.language.verb_groups import VerbGroup, analyse, verb_groups
from tutor.planner.steps import Observed
from tutor.planner.surface import surface
from tutor.tools.base import Evidence

_NON_FINITE = ("base", "to_infinitive", "gerund", "participle")
_BEFORE_TO = ("future_simple", "conditional", "may", "might", "present_perfect")
_AUXILIARIES = tuple(sorted(AUXILIARY_LEMMAS))
_MAX_REGION = 8
MAX_CHANGES = 8  # verb groups that may change at once, so that each can have its reason


@dataclass(frozen=True, slots=True)
class Source:
    """Where a form came from."""

    step: int
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Replacement:
    """A verb group, or the end of one, and a text that may stand in its place.

    Attributes
    ----------
    first, last : int
        Token indices of the span, inclusive.
    start, end : int
        Character offsets of the span.
    text : str
        What may stand there, in the sentence's own case and apostrophes.
    group : VerbGroup
        The group whose lemma the form belongs to.
    sources : tuple of Source
        Every observation that returned the form.
    """

    first: int
    last: int
    start: int
    end: int
    text: str
    group: VerbGroup
    sources: tuple[Source, ...]


@dataclass(frozen=True)
class Lattice:
    """A sentence with the replacements that its observations allow.

    Attributes
    ----------
    sentence : str
        The sentence as written.
    tokens : tuple of Token
        Its tokens.
    replacements : tuple of Replacement
        In order of their spans.
    """

    sentence: str
    tokens: tuple[Token, ...]
    replacements: tuple[Replacement, ...]
    _by_first: dict[int, list[Replacement]] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the replacements by their first token."""
        for replacement in self.replacements:
            self._by_first.setdefault(replacement.first, []).append(replacement)

    def apply(self, chosen: Iterable[Replacement]) -> str:
        """Return the sentence with replacements put in; they must not overlap."""
        text, position = [], 0
        for replacement in sorted(chosen, key=lambda item: item.start):
            if replacement.start < position:
                raise ValueError("replacements overlap")
            text += [self.sentence[position : replacement.start], replacement.text]
            position = replacement.end
        return "".join(text) + self.sentence[position:]

    def explain(self, corrected: str) -> tuple[Replacement, ...]:
        """Return the fewest and shortest replacements that turn the sentence into a text of the lattice.

        Raises
        ------
        ValueError
            When the text is not in the lattice.
        """
        # state: (token index, offset into `corrected`) -> replacements so far; both only grow.
        frontier: dict[int, dict[int, tuple[Replacement, ...]]] = {0: {0: ()}}
        for index in range(len(self.tokens)):
            for offset, path in frontier.pop(index, {}).items():
                gap = self._gap(index)
                if not corrected.startswith(gap, offset):
                    continue
                for step, text, following in self._moves(index):
                    if corrected.startswith(text, offset + len(gap)):
                        reached = frontier.setdefault(following, {})
                        key = offset + len(gap) + len(text)
                        if key not in reached or _size(path + step) < _size(reached[key]):
                            reached[key] = path + step
        tail = self._gap(len(self.tokens))
        found = frontier.get(len(self.tokens), {}).get(len(corrected) - len(tail))
        if found is None or not corrected.endswith(tail):
            raise ValueError("the text is not in the lattice")
        return found

    def holds(self, text: str) -> bool:
        """Return whether a text is one of the lattice."""
        try:
            self.explain(text)
        except ValueError:
            return False
        return True

    def _moves(self, index: int) -> list[tuple[tuple[Replacement, ...], str, int]]:
        copy: list[tuple[tuple[Replacement, ...], str, int]] = [((), self.tokens[index].text, index + 1)]
        return copy + [((item,), item.text, item.last + 1) for item in self._by_first.get(index, [])]

    def _gap(self, index: int) -> str:
        start = self.tokens[index - 1].end if index else 0
        end = self.tokens[index].start if index < len(self.tokens) else len(self.sentence)
        return self.sentence[start:end]

    def alternatives(self) -> dict[str, Replacement]:
        """Return the texts that one replacement makes, each with the shortest replacement that does."""
        found: dict[str, Replacement] = {}
        for item in sorted(self.replacements, key=lambda item: item.end - item.start):
            found.setdefault(self.apply([item]), item)
        return found

    def pattern(self, *, changed: bool = False) -> str:
        """Return the anchored regular expression of exactly the texts of the lattice.

        Parameters
        ----------
        changed : bool
            Leave out the sentence itself: at least one replacement is made.
        """
        whole, with_change = _literal(self._gap(len(self.tokens))), ""
        for start, end in reversed(self._regions()):
            gap = _literal(self._gap(start))
            copied, replaced = self._region(start, end)
            options = [gap + copied + with_change] * bool(with_change) + [gap + replaced + whole] * bool(
                replaced
            )
            with_change = _alternation(options) if options else ""
            whole = gap + (_alternation([copied, replaced]) if replaced else copied) + whole
        return f"^{with_change if changed else whole}$"

    def _regions(self) -> list[tuple[int, int]]:
        """Return the token spans that no replacement crosses, end exclusive."""
        regions, index = [], 0
        while index < len(self.tokens):
            regions.append((index, self._region_end(index)))
            index = regions[-1][1]
        return regions

    def _region_end(self, index: int) -> int:
        """Return the end of the stretch from a token that no replacement crosses."""
        end, position = index + 1, index
        while position < end:
            end = max([end, *(item.last + 1 for item in self._by_first.get(position, []))])
            position += 1
        return end

    def _region(self, start: int, end: int) -> tuple[str, str]:
        """Return the expressions of a region as it stands, and with at least one replacement ("" if there is none)."""
        copied, replaced = {end: ""}, {end: ""}
        for index in range(end - 1, start - 1, -1):
            options: dict[str, list[str]] = {}
            for made, text, after in self._moves(index):
                gap = _literal(self._gap(after)) if after < end else ""
                if not made:
                    copied[index] = _literal(text) + gap + copied[after]
                    if replaced[after]:
                        options.setdefault(gap + replaced[after], []).append(_literal(text))
                    continue
                tails = [tail for tail in (copied[after], replaced[after]) if tail or after == end]
                rest = _alternation(list(dict.fromkeys(tails)))
                options.setdefault(gap + rest, []).append(_literal(text))
            replaced[index] = _alternation([_alternation(texts) + tail for tail, texts in options.items()])
        return copied[start], replaced[start]


def _size(path: tuple[Replacement, ...]) -> tuple[int, int]:
    return len(path), sum(item.end - item.start for item in path)


def lattice(sentence: str, observed: Sequence[Observed]) -> Lattice:
    """Return the lattice that a trace allows.

    Parameters
    ----------
    sentence : str
        The sentence.
    observed : sequence of Observed
        The tool calls of the run so far. Only their evidence counts: learner forms, Spanish text and errors are none.
    """
    return _lattice(sentence, tuple((step.number, step.evidence) for step in observed if step.evidence))


_Forms = dict[str, dict[str, list[Source]]]
"""By lemma and form, where the form came from."""


@lru_cache(maxsize=64)
def _lattice(sentence: str, returned: tuple[tuple[int, tuple[Evidence, ...]], ...]) -> Lattice:
    tokens = tokenize(sentence)
    forms: _Forms = {}
    for step, found_forms in returned:
        for evidence in found_forms:
            forms.setdefault(evidence.lemma, {}).setdefault(evidence.form, []).append(Source(step, evidence))
    options = [list(_of_group(sentence, tokens, group, forms)) for group in verb_groups(tokens) if forms]
    likeliest = sorted(filter(None, options), key=lambda items: not items[0].group.likely)[:MAX_CHANGES]
    found: dict[tuple[int, int, str], Replacement] = {}
    for item in (item for items in likeliest for item in items):
        key = (item.first, item.last, item.text)
        if key in found:
            item = replace(found[key], sources=(*found[key].sources, *item.sources))
        found[key] = item
    return Lattice(sentence, tokens, tuple(sorted(found.values(), key=lambda item: (item.first, item.last))))


def _of_group(
    sentence: str, tokens: tuple[Token, ...], group: VerbGroup, forms: _Forms
) -> Iterator[Replacement]:
    lemmas = _AUXILIARIES if group.is_auxiliary else group.lemmas
    first = group.head if group.is_auxiliary else max(group.first, group.head - _MAX_REGION + 1)
    offered = [(form, sources) for lemma in lemmas for form, sources in forms.get(lemma, {}).items()]
    for start in range(first, group.head + 1) if offered else ():
        begin, end = tokens[start].start, tokens[group.head].end
        for form, sources in offered:
            fitting = tuple(_fitting(form, sources, tokens, group, start))
            text = surface(form, sentence, tokens, start, group.head) if fitting else None
            if text is not None and text != sentence[begin:end]:
                yield Replacement(start, group.head, begin, end, text, group, fitting)


def _fitting(
    form: str, sources: list[Source], tokens: tuple[Token, ...], group: VerbGroup, start: int
) -> Iterable[Source]:
    """Return the sources of a form by which it may stand for the tokens from `start` to the head of a group."""
    words = form.split(" ")
    if group.is_auxiliary:
        modal = len(words) > 1 and "not" not in words and _is_have_to(tokens, group)
        return [
            source
            for source in sources
            if len(words) == 1
            or (modal and source.evidence.lemma == "have" and source.evidence.slot in _BEFORE_TO)
        ]
    negative = any(word in ("not", "cannot") or word.endswith("n't") for word in words)
    if negative != any(tokens[index].norm == "not" for index in range(start, group.head)):
        return []  # neither add nor lose a negation
    if start == group.first or len(words) == 1:
        return sources
    # Behind auxiliaries that stay, a finite group of several words would double them ("will will go").
    return [source for source in sources if any(name in source.evidence.slot for name in _NON_FINITE)]


def _is_have_to(tokens: Sequence[Token], group: VerbGroup) -> bool:
    """Return whether an auxiliary is the finite have of "have to", which takes modals as a main verb does."""
    after = tokens[group.head + 1].norm if group.head + 1 < len(tokens) else ""
    return after == "to" and group.lemmas == ("have",) and analyse(tokens, group).finite == group.head


def _literal(text: str) -> str:
    return re.sub(r"([\\.+*?()|\[\]{}^$])", r"\\\1", text)


def _alternation(texts: list[str]) -> str:
    return "".join(texts) if len(texts) < 2 else f"(?:{'|'.join(texts)})"
