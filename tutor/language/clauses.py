"""The subject of each finite verb: one pass over the sentence with a stack of open clauses.

A noun phrase before a verb waits for it. A relative clause ("the authors that ...", "the farmers the guards ...")
opens above the phrase that waits, takes its own verb, and closes when the next verb needs the phrase below.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tutor.language.noun_phrases import Span, is_preposition, noun_phrase_end
from tutor.language.tagged import Tagged, is_adverb
from tutor.language.tenses import form_kinds, infinitive_marker
from tutor.language.verb_chains import Chain, chains
from tutor.language.word_classes import closed_class

_SUBJECT_PRONOUNS = closed_class("subject_pronoun")
_RELATIVE = frozenset({"who", "which", "that", "whom", "whose"})
_QUESTION = closed_class("wh_word")
_COORDINATORS = closed_class("coordinator")
_TIME_NOUNS = closed_class("time_noun")
_CAUSATIVE = frozenset({"make", "let", "help", "see", "hear", "watch", "feel", "have", "notice"})
_TAKE_CLAUSES = frozenset({"say", "think", "know", "hope", "believe", "guess", "suppose", "wish"})
_NON_FINITE_STARTS = frozenset({"be", "been", "being", "having", "doing"})


@dataclass(slots=True)
class _Clause:
    """An open clause: the noun phrase that waits for its verb, the last object, the subject of its last verb."""

    waiting: Span | None = None
    object: Span | None = None
    last: Span | None = None
    verb: str = ""
    relative: bool = False


@dataclass(frozen=True, slots=True)
class Clauses:
    """The subjects by the head of their verb, and the noun phrases that no verb took."""

    subjects: dict[int, Span]
    verbless: tuple[Span, ...]


def clauses(sentence: Tagged) -> Clauses:
    """Return who is the subject of which finite verb."""
    scan = _Scan(sentence)
    scan.run()
    return Clauses(scan.found, tuple(scan.verbless))


def is_finite(sentence: Tagged, chain: Chain) -> bool:
    """Return whether a verb with its auxiliaries can have a subject, judged by its form and the word before."""
    if chain.auxiliaries:
        return sentence.norm(chain.start - 1) != "to" and sentence.norm(chain.start) not in _NON_FINITE_STARTS
    if infinitive_marker(sentence.tokens, chain):
        return False
    kinds = form_kinds(sentence.norm(chain.head), sentence.lemma(chain.head))
    reduced_relative = {"past", "participle"} <= kinds and sentence.norm(chain.head + 1) == "by"
    return bool(kinds & {"base", "third", "past", "present"}) and not reduced_relative


@dataclass(slots=True)
class _Scan:
    sentence: Tagged
    open: list[_Clause] = field(default_factory=lambda: [_Clause()])
    found: dict[int, Span] = field(default_factory=dict)
    verbless: list[Span] = field(default_factory=list)
    finite: list[int] = field(default_factory=list)
    nearest: Span | None = None
    place: int = 0

    @property
    def clause(self) -> _Clause:
        return self.open[-1]

    def run(self) -> None:
        found = chains(self.sentence)
        self.finite = [chain.start for chain in found if is_finite(self.sentence, chain)]
        starts = {chain.start: chain for chain in found}
        inner = {place for chain in found for place in (*chain.auxiliaries, chain.head)} - set(starts)
        while self.place < len(self.sentence.tokens):
            if self.place in starts:
                self._verb(starts[self.place])
            elif self.place in inner:
                self.place += 1
            else:
                self._word()
        self._close_all()

    def _close_all(self) -> None:
        for clause in self.open:
            if clause.waiting and not clause.relative:
                self.verbless.append(clause.waiting)
            elif clause.object and clause.verb in _TAKE_CLAUSES:
                self.verbless.append(clause.object)
        self.open = [_Clause()]

    # Words that are not verbs.

    def _word(self) -> None:
        sentence, place = self.sentence, self.place
        norm = sentence.norm(place)
        end = noun_phrase_end(sentence, place)
        if norm in _RELATIVE and self._opens_relative():
            self.open.append(_Clause(waiting=self.nearest, relative=True))
        elif norm in (".", ";", ":", "!", "?"):
            self._close_all()
        elif norm == "that" and self.clause.verb and self.clause.waiting is None and end <= place + 1:
            self.open.append(_Clause())
        elif is_preposition(sentence, place):
            return self._prepositional()
        elif end > place:
            return self._noun_phrase((place, end))
        elif norm in closed_class("subordinator") or norm in _QUESTION:
            self._open_clause(norm)
        self.place += 1
        return None

    def _open_clause(self, norm: str) -> None:
        asks = norm in ("who", "what", "which", "whoever", "whatever")
        self.open.append(_Clause(waiting=(self.place, self.place + 1) if asks else None, relative=asks))

    def _opens_relative(self) -> bool:
        """Tell "the man that lives here" from "he knows that" and "which man"."""
        if self.nearest is None:
            return False
        between = range(self.nearest[1], self.place)
        if not all(self.sentence.norm(gap) == "," or is_preposition(self.sentence, gap) for gap in between):
            return False
        if self.sentence.norm(self.place) != "that" or self.clause.waiting is not None:
            return True
        following = self.place + 1
        while following < len(self.sentence.tokens) and is_adverb(self.sentence.tokens[following]):
            following += 1
        return following in self.sentence.verbs

    def _prepositional(self) -> None:
        """Attach the object of a preposition to the noun phrase right before it."""
        start = self.place + 1
        end = noun_phrase_end(self.sentence, start)
        if end > start:
            clause = self.clause
            if clause.waiting and clause.waiting[1] == self.place:
                clause.waiting = (clause.waiting[0], end)
            elif clause.object and clause.object[1] == self.place:
                clause.object = (clause.object[0], end)
            self.nearest = (start, end)
        self.place = end

    def _noun_phrase(self, span: Span) -> None:
        clause, before = self.clause, self.sentence.norm(span[0] - 1)
        self.place, self.nearest = span[1], span
        if (
            before in _COORDINATORS
            and clause.waiting
            and clause.waiting[1] == span[0] - 1
            and not clause.relative
        ):
            self.nearest = clause.waiting = (
                clause.waiting[0],
                span[1],
            )  # "the boy and the girl" before the verb
        elif clause.waiting is None:
            subject_pronoun = self.sentence.norm(span[0]) in _SUBJECT_PRONOUNS
            if clause.verb and not subject_pronoun and before != "," and before not in _COORDINATORS:
                clause.object = span
            else:
                clause.waiting = span
        elif clause.relative or before == "," or self._is_time(clause.waiting):
            clause.waiting, clause.relative = span, False
        else:  # two noun phrases in a row: "the farmers the guards like"
            self.open.append(_Clause(waiting=span))

    def _is_time(self, span: Span) -> bool:
        return any(self.sentence.norm(place) in _TIME_NOUNS for place in range(*span))

    # Verbs.

    def _verb(self, chain: Chain) -> None:
        lemma = self.sentence.lemma(chain.head)
        bare = self.clause.object is not None and self.clause.verb in _CAUSATIVE  # "makes the boy laugh"
        if chain.start not in self.finite or (bare and self._is_bare(chain, lemma)):
            self.clause.verb, self.clause.object = self.clause.verb or lemma, None
            self.place = chain.head + 1
            return
        if (
            self.sentence.norm(chain.start - 1) in _COORDINATORS
            and self.clause.waiting
            and not self.clause.relative
        ):
            self.verbless.append(
                self.clause.waiting
            )  # "the man smiles and is": "and" joins this verb to another
        subject = self._inverted(chain, lemma) or self._take(chain)
        if subject is not None:
            self.found[chain.head] = subject
        self.clause.last, self.clause.verb, self.clause.object = subject, lemma, None
        after = chain.head + 1
        self.place = max(after, subject[1]) if subject else after
        if subject and subject[0] > chain.head:
            self.nearest = subject

    def _is_bare(self, chain: Chain, lemma: str) -> bool:
        return not chain.auxiliaries and form_kinds(self.sentence.norm(chain.head), lemma) == {"base"}

    def _inverted(self, chain: Chain, lemma: str) -> Span | None:
        """Return the subject that follows: "does he go", "is he happy", "there are many people"."""
        if chain.subject is not None:
            self.clause.waiting = None
            return chain.subject
        if lemma != "be" or not (self._after_expletive(chain) or self._asks(chain)):
            return None
        start = chain.head + 1
        while start < len(self.sentence.tokens) and is_adverb(self.sentence.tokens[start]):
            start += 1
        start += self.sentence.norm(start) == "not"
        end = noun_phrase_end(self.sentence, start)
        if end == start:
            return None
        self.clause.waiting = None
        return start, self._with_tail(end)

    def _after_expletive(self, chain: Chain) -> bool:
        place = chain.start - 1
        while self.sentence.norm(place) not in ("there", "here") and place > 0:
            if not is_adverb(self.sentence.tokens[place]):
                return False
            place -= 1
        return self.sentence.norm(place) in ("there", "here")

    def _asks(self, chain: Chain) -> bool:
        """Return whether a form of be opens a question: "is he", "where are the", "how old are the"."""
        waiting = self.clause.waiting
        if waiting is not None:
            return self.sentence.norm(waiting[0]) in ("what", "who", "which") and waiting[1] == chain.start
        if chain.start == 0 or self.sentence.norm(chain.start - 1) in _QUESTION:
            return True
        before = range(chain.start - 3, chain.start)
        return any(self.sentence.norm(place) in ("how", "where", "when", "why") for place in before)

    def _with_tail(self, end: int) -> int:
        """Extend a noun phrase over the "of ..." and "and ..." after it."""
        while self.sentence.norm(end) in ("of", "and"):
            further = noun_phrase_end(self.sentence, end + 1)
            if further == end + 1:
                break
            end = further
        return end

    def _take(self, chain: Chain) -> Span | None:
        """Take the subject that waits for this verb, closing the inner clauses that are complete."""
        coordinated = self.sentence.norm(chain.start - 1) in _COORDINATORS | {","}
        verbs_left = sum(start >= chain.start for start in self.finite)
        while True:
            clause = self.clause
            if clause.waiting is not None:
                subject, clause.waiting = clause.waiting, None
                return subject
            waiting_below = sum(below.waiting is not None for below in self.open[:-1])
            needed_below = 0 < verbs_left <= waiting_below
            if not needed_below:
                if clause.object is not None and not coordinated:
                    return clause.object
                if clause.last is not None and (coordinated or not waiting_below):
                    return clause.last
            if not waiting_below:
                return None
            self.open.pop()
