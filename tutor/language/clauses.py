"""Find the subject of each finite verb: one pass over the sentence with a stack of open clauses."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from tutor.language.noun_phrases import Span, is_preposition, noun_phrase_end
from tutor.language.tenses import form_kinds, infinitive_marker
from tutor.language.tokens import Token
from tutor.language.verb_chains import Chain, candidates, chains, is_adverb
from tutor.language.word_classes import closed_class

_SUBJECT_PRONOUNS = closed_class("subject_pronoun")
_RELATIVE = frozenset({"who", "which", "that", "whom", "whose"})
_QUESTION = closed_class("wh_word")
_TIME_NOUNS = frozenset(
    "day days night morning afternoon evening week month year time times moment today yesterday tomorrow tonight "
    "monday tuesday wednesday thursday friday saturday sunday weekend summer winter spring autumn".split()
)
_CAUSATIVE = frozenset({"make", "let", "help", "see", "hear", "watch", "feel", "have", "notice"})


@dataclass(slots=True)
class _Clause:
    """An open clause: the noun phrase that waits for its verb, the last object, and the subject used last."""

    waiting: Span | None = None
    object: Span | None = None
    last: Span | None = None
    relative: bool = False
    verb: str = ""


@lru_cache(maxsize=256)
def subjects(tokens: tuple[Token, ...]) -> dict[int, Span]:
    """Return the subject span of each finite chain by the position of its head. Callers must not change it."""
    return _Scan(tokens).run()


@dataclass(slots=True)
class _Scan:
    tokens: tuple[Token, ...]
    open: list[_Clause] = field(default_factory=lambda: [_Clause()])
    found: dict[int, Span] = field(default_factory=dict)
    nearest: Span | None = None
    place: int = 0

    def run(self) -> dict[int, Span]:
        starts = {chain.start: chain for chain in chains(self.tokens)}
        members = {i for chain in starts.values() for i in (*chain.auxiliaries, chain.head)}
        while self.place < len(self.tokens):
            if self.place in starts:
                self._verb(starts[self.place])
            elif self.place in members:
                self.place += 1
            else:
                self._word()
        return self.found

    @property
    def clause(self) -> _Clause:
        return self.open[-1]

    # --- words that are not verbs -------------------------------------------------------------------------------

    def _word(self) -> None:
        tokens, place = self.tokens, self.place
        norm = tokens[place].norm
        if norm in _RELATIVE and self._opens_relative(norm):
            self.open.append(_Clause(waiting=self.nearest, relative=True))
        elif not tokens[place].is_word and tokens[place].text in ".;:!?":
            self.open = [_Clause()]
        elif (
            norm == "that" and self.clause.verb and self.clause.waiting is None and not self._is_determiner()
        ):
            self.open.append(_Clause())
        elif is_preposition(tokens, place):
            self._prepositional(place + 1)
            return
        elif (end := noun_phrase_end(tokens, place)) > place:
            self._noun_phrase((place, end))
            self.place = end
            return
        elif norm in closed_class("subordinator") or norm in _QUESTION:
            self.open.append(_Clause())
            if norm in ("who", "what", "which", "whoever", "whatever"):
                self.clause.waiting = (place, place + 1)
        self.place += 1

    def _is_determiner(self) -> bool:
        return noun_phrase_end(self.tokens, self.place) > self.place + 1

    def _opens_relative(self, norm: str) -> bool:
        if self.nearest is None:
            return False
        gap = self.tokens[self.nearest[1] : self.place]
        if any(token.norm != "," for token in gap) and not all(
            token.norm == "," or is_preposition(self.tokens, self.nearest[1] + k)
            for k, token in enumerate(gap)
        ):
            return False
        return norm != "that" or self.clause.waiting is not None or self._verb_follows()

    def _verb_follows(self) -> bool:
        following = self.place + 1
        while following < len(self.tokens) and is_adverb(self.tokens[following]):
            following += 1
        candidate = candidates(self.tokens).get(following)
        return candidate is not None and candidate.likely

    def _prepositional(self, start: int) -> None:
        """Attach the object of a preposition to the noun phrase before it."""
        end = noun_phrase_end(self.tokens, start) if start < len(self.tokens) else start
        if end > start:
            clause = self.clause
            for name in ("waiting", "object"):
                span = getattr(clause, name)
                if span is not None and span[1] == self.place:
                    setattr(clause, name, (span[0], end))
            self.nearest = (start, end)
        self.place = max(end, start)

    def _noun_phrase(self, span: Span) -> None:
        tokens, clause = self.tokens, self.clause
        before = tokens[span[0] - 1].norm if span[0] else ""
        pronoun = tokens[span[0]].norm in _SUBJECT_PRONOUNS
        self.nearest = span
        if before in ("and", "or", "nor") and (joined := self._joined(span)):
            self.nearest = joined
            return
        if clause.waiting is None:
            if clause.verb and not pronoun and before not in (",", "and", "but", "or", "so"):
                clause.object = span
            else:
                clause.waiting = span
        elif clause.relative or before == "," or self._is_time(clause.waiting):
            clause.waiting, clause.relative = span, False
        else:  # two noun phrases in a row: "the farmers the guards like"
            self.open.append(_Clause(waiting=span))

    def _joined(self, span: Span) -> Span | None:
        """Join "the boy" and "the girl" when both come before the verb; return the whole."""
        clause = self.clause
        if clause.waiting is None or clause.relative or clause.waiting[1] != span[0] - 1:
            return None
        clause.waiting = (clause.waiting[0], span[1])
        return clause.waiting

    def _is_time(self, span: Span) -> bool:
        return any(token.norm in _TIME_NOUNS for token in self.tokens[span[0] : span[1]])

    # --- verbs --------------------------------------------------------------------------------------------------

    def _verb(self, chain: Chain) -> None:
        tokens = self.tokens
        lemma = candidates(tokens)[chain.head].lemmas[0]
        self.place = chain.start + 1
        if not self._is_finite(chain, lemma):
            self.clause.verb = self.clause.verb or lemma
            self.clause.object = None
            self.place = max(self.place, chain.head + 1)
            if chain.start != chain.head and chain.subject is None:
                self.place = chain.head + 1
            return
        subject = self._inverted(chain, lemma) or self._take(chain)
        if subject is not None:
            self.found[chain.head] = subject
        self.clause.last, self.clause.verb, self.clause.object = subject, lemma, None
        self.place = chain.head + 1
        if subject is not None and subject[0] > chain.head:
            self.place, self.nearest = subject[1], subject

    def _is_finite(self, chain: Chain, lemma: str) -> bool:
        if chain.auxiliaries:
            first = self.tokens[chain.start]
            if chain.start and self.tokens[chain.start - 1].norm == "to":
                return False
            return first.norm not in ("be", "been", "being", "having", "doing")
        if infinitive_marker(self.tokens, chain):
            return False
        kinds = form_kinds(self.tokens[chain.head].norm, lemma)
        if not kinds & {"base", "third", "past", "present"}:
            return False
        if kinds == {"base"} and self.clause.object is not None and self.clause.verb in _CAUSATIVE:
            return False
        return not ("past" in kinds and "participle" in kinds and self._reduced_relative(chain))

    def _reduced_relative(self, chain: Chain) -> bool:
        after = chain.head + 1
        return after < len(self.tokens) and self.tokens[after].norm == "by"

    def _inverted(self, chain: Chain, lemma: str) -> Span | None:
        """Return the subject after the verb: "does he go", "is he happy", "there are many people"."""
        if chain.subject is not None:
            self.clause.waiting = None
            return chain.subject
        waiting = self.clause.waiting
        if lemma != "be" or chain.head + 1 >= len(self.tokens):
            return None
        expletive = self._expletive(chain)
        question = waiting is None or self.tokens[waiting[0]].norm in ("what", "who", "which")
        opens = chain.start == 0 or self.tokens[chain.start - 1].norm in _QUESTION or self._asks(chain)
        if not expletive and not (question and opens):
            return None
        start = chain.head + 1
        while start < len(self.tokens) and (
            is_adverb(self.tokens[start]) or self.tokens[start].norm == "not"
        ):
            start += 1
        end = noun_phrase_end(self.tokens, start) if start < len(self.tokens) else start
        if end == start:
            return None
        self.clause.waiting = None
        return start, self._with_tail(end)

    def _expletive(self, chain: Chain) -> bool:
        place = chain.start - 1
        while (
            place > 0 and is_adverb(self.tokens[place]) and self.tokens[place].norm not in ("there", "here")
        ):
            place -= 1
        return place >= 0 and self.tokens[place].norm in ("there", "here")

    def _asks(self, chain: Chain) -> bool:
        window = self.tokens[max(0, chain.start - 3) : chain.start]
        return self.clause.waiting is None and any(
            token.norm in ("how", "where", "when", "why") for token in window
        )

    def _with_tail(self, end: int) -> int:
        """Extend a noun phrase over "of ..." and "and ..." after it."""
        while end + 1 < len(self.tokens) and self.tokens[end].norm in ("of", "and"):
            further = noun_phrase_end(self.tokens, end + 1)
            if further == end + 1:
                break
            end = further
        return end

    def _take(self, chain: Chain) -> Span | None:
        """Take the subject that waits for this verb, leaving the inner clauses that are complete."""
        coordinated = chain.start > 0 and self.tokens[chain.start - 1].norm in ("and", "or", "but", ",")
        while True:
            clause = self.clause
            if clause.waiting is not None:
                subject, clause.waiting = clause.waiting, None
                return subject
            outer = any(earlier.waiting for earlier in self.open[:-1])
            enough = outer and self._verbs_left(chain) <= sum(1 for c in self.open[:-1] if c.waiting)
            if clause.object is not None and not coordinated and not enough:
                return clause.object
            if coordinated and clause.last is not None and not enough:
                return clause.last
            if not outer:
                return clause.last if coordinated or clause.last and len(self.open) > 1 else None
            self.open.pop()

    def _verbs_left(self, chain: Chain) -> int:
        """Count the finite verbs from here to the end of the sentence."""
        left = [other for other in chains(self.tokens) if other.start >= chain.start]
        return sum(
            1 for other in left if self._is_finite(other, candidates(self.tokens)[other.head].lemmas[0])
        )
