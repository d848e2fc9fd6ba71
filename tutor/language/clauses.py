"""The subject of each finite verb: one pass over the sentence with a stack of open clauses.

A noun phrase before a verb waits for it. A relative clause ("the authors that ...", "the farmers the
guards ...") opens above the phrase that waits, takes its own verb, and closes when the next verb needs the
phrase below.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tutor.language.inversion import following_subject
from tutor.language.morphology import Person
from tutor.language.noun_phrases import Span, is_preposition, noun_phrase_end, skip_adverbs
from tutor.language.subject_number import persons
from tutor.language.tagged import AUXILIARY, DO, MODAL, Tagged, is_adverb
from tutor.language.tenses import form_kinds, infinitive_marker, is_finite
from tutor.language.verb_chains import Chain, chains
from tutor.language.word_classes import closed_class, noun_class

_RELATIVE = frozenset({"who", "which", "that", "whom", "whose"})
_CLAUSE_PREPOSITIONS = frozenset({"before", "after", "until", "till", "since", "as", "than", "like", "but"})
_CAUSATIVE = frozenset({"make", "let", "help", "see", "hear", "watch", "feel", "have", "notice"})
_TAKE_CLAUSES = frozenset({"say", "think", "know", "hope", "believe", "guess", "suppose", "wish"})
_BEFORE_BARE = frozenset({"help", "go", "come"})
_BARE_KINDS = (frozenset({"base"}), frozenset({"base", "participle"}))


@dataclass(slots=True)
class _Clause:
    """An open clause.

    ``waiting`` is the noun phrase that has no verb yet, ``object`` the one after the verb, ``last`` the
    subject of the last verb; ``start`` tells where a clause began that can be a subject itself ("what I say",
    "to swim").
    """

    waiting: Span | None = None
    relative: bool = False
    start: int | None = None
    object: Span | None = None
    last: Span | None = None
    verb: str = ""


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


@dataclass(slots=True)
class _Scan:
    sentence: Tagged
    open: list[_Clause] = field(default_factory=lambda: [_Clause()])
    found: dict[int, Span] = field(default_factory=dict)
    verbless: list[Span] = field(default_factory=list)
    finite: set[int] = field(default_factory=set)
    nearest: Span | None = None
    previous: Chain | None = None
    place: int = 0

    @property
    def clause(self) -> _Clause:
        return self.open[-1]

    def run(self) -> None:
        found = chains(self.sentence)
        self.finite = {chain.start for chain in found if is_finite(self.sentence, chain)}
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
        sentence, place, clause = self.sentence, self.place, self.clause
        norm, end = sentence.norm(place), noun_phrase_end(sentence, place)
        if norm in _RELATIVE and self._opens_relative():
            self.open.append(_Clause(waiting=self.nearest, relative=True))
        elif norm in (".", ";", ":", "!", "?"):
            self._close_all()
        elif norm == "that" and clause.verb and clause.waiting is None and not self._is_determiner(end):
            self.open.append(_Clause(waiting=(place, place + 1) if self._verb_follows(place + 1) else None))
        elif is_preposition(sentence, place):
            if norm not in _CLAUSE_PREPOSITIONS or not self._clause_follows(place):
                return self._prepositional()
            self.open.append(_Clause())
        elif end > place and norm in ("what", "which", "whose"):
            self.open.append(_Clause(waiting=(place, end), relative=True))
            self.place = end
            return None
        elif end > place:
            return self._noun_phrase((place, end))
        elif norm in noun_class("time") and not self._waits() and self._verb_follows(place + 1):
            clause.waiting = (place, place + 1)  # "today is", an adverb elsewhere
        elif norm in closed_class("subordinator") or norm in closed_class("wh_word"):
            self._open_clause(norm)
        self.place += 1
        return None

    def _is_determiner(self, end: int) -> bool:
        """Tell "I know that boy" from "I know that boys ...": a plural follows no determiner that."""
        noun = self.sentence.tokens[self.place + 1 : end]
        return bool(noun) and Person.third_sg in persons(noun)

    def _open_clause(self, norm: str) -> None:
        asks = norm in ("who", "what", "which", "whoever", "whatever")
        waiting = (self.place, self.place + 1) if asks else None
        heads_sentence = (
            self.clause.waiting is None and not self.clause.verb and norm in closed_class("wh_word")
        )
        self.open.append(_Clause(waiting, relative=asks, start=self.place if heads_sentence else None))

    def _opens_relative(self) -> bool:
        """Tell "the man that lives here" from "he knows that", "tell me who" and "which man"."""
        if self.nearest is None or self.sentence.norm(self.nearest[0]) in closed_class("object_pronoun"):
            return False
        between = range(self.nearest[1], self.place)
        if not all(self.sentence.norm(gap) == "," or is_preposition(self.sentence, gap) for gap in between):
            return False
        is_that = self.sentence.norm(self.place) == "that"
        return not is_that or self.clause.waiting is not None or self._verb_follows(self.place + 1)

    def _waits(self) -> bool:
        return any(clause.waiting for clause in self.open)

    def _verb_follows(self, place: int) -> bool:
        """Return whether a finite verb starts here, adverbs before it allowed."""
        return skip_adverbs(self.sentence, place) in self.finite

    def _clause_follows(self, place: int) -> bool:
        """Tell "taller than | he is" and "the day before | we left was" from "the day before | it was"."""
        end = noun_phrase_end(self.sentence, place + 1)
        if self._adds_to_subject(place):
            return False
        waiting = self.clause.waiting is not None and self.clause.waiting[1] == place
        enough = not waiting or sum(start >= end for start in self.finite) > 1
        return end > place + 1 and enough and self._verb_follows(end)

    def _adds_to_subject(self, place: int) -> bool:
        """Recognise "she as well | as them" before its verb, not "he sings as well as them"."""
        phrase = [self.sentence.norm(i) for i in range(max(0, place - 2), place + 1)]
        waiting = self.clause.waiting
        return phrase == ["as", "well", "as"] and waiting is not None and waiting[1] == place - 2

    def _prepositional(self) -> None:
        """Attach the object of a preposition to the noun phrase right before it."""
        start = self.place + 1 + (self.sentence.norm(self.place) == "such")
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
        coordinated = before in closed_class("coordinator")
        if coordinated and (left := self._joined_to(span)):
            self.nearest = clause.waiting = (left[0], span[1])  # "the boy and the girl" before their verb
            clause.object = None
        elif clause.waiting is None:
            if clause.verb and not self._is_subject_pronoun(span) and before != "," and not coordinated:
                clause.object = span
            else:
                clause.waiting = span
        elif clause.relative or before == "," or coordinated or self._is_time(clause.waiting):
            clause.waiting, clause.relative = span, False
        else:  # two noun phrases in a row: "the farmers the guards like"
            self.open.append(_Clause(waiting=span))

    def _joined_to(self, span: Span) -> Span | None:
        """Return the noun phrase that "and" joins to this one, if the two are the subject to come."""
        clause = self.clause
        if clause.waiting and clause.waiting[1] == span[0] - 1 and not clause.relative:
            new_clause = clause.verb and self._is_subject_pronoun(span)  # "likes cakes and he"
            return None if new_clause else clause.waiting
        said = clause.object and clause.object[1] == span[0] - 1 and clause.verb in _TAKE_CLAUSES
        return clause.object if said and self._verb_follows(span[1]) else None

    def _is_subject_pronoun(self, span: Span) -> bool:
        norm, last = self.sentence.norm(span[0]), self.clause.object
        return norm in closed_class("subject_pronoun") or (
            last is not None and last[1] == span[0] and norm in ("you", "it")
        )

    def _is_time(self, span: Span) -> bool:
        return any(self.sentence.norm(place) in noun_class("time") for place in range(*span))

    # Verbs.

    def _verb(self, chain: Chain) -> None:
        previous, self.previous, self.place = self.previous, chain, chain.head + 1
        lemma = self.sentence.lemma(chain.head)
        if chain.start not in self.finite or self._is_bare_infinitive(chain, previous):
            if self.clause.waiting is None and not self.clause.verb and self.clause.start is None:
                self.clause.start = self._start_of_infinitive(chain)
            self.clause.verb, self.clause.object = lemma, None
            return
        subject = following_subject(self.sentence, chain, self.clause.waiting)
        if subject is not None:
            self.clause.waiting = None
            self.place = max(self.place, subject[1])
            self.nearest = subject
        else:
            subject = self._take(chain)
        if subject is not None:
            self.found[chain.head] = subject
        follows = subject is not None and subject[0] > chain.head
        self.clause.last, self.clause.verb = subject, lemma
        self.clause.object = subject if follows else None

    def _is_bare_infinitive(self, chain: Chain, previous: Chain | None) -> bool:
        """Recognise "makes the boy | laugh", "helps | find", "to go and | wash"."""
        sentence, clause = self.sentence, self.clause
        if chain.auxiliaries or clause.waiting or previous is None:
            return False
        adjacent = clause.object == (chain.head - 1, chain.head) and previous.head == chain.head - 2
        if adjacent and clause.verb in ("make", "let"):
            return True  # "make it works" of a learner too
        if form_kinds(sentence.norm(chain.head), sentence.lemma(chain.head)) not in _BARE_KINDS:
            return False
        if self._joint(chain) and sentence.norm(chain.head) not in AUXILIARY:
            modal = any(sentence.norm(place) in MODAL | DO for place in previous.auxiliaries)
            return modal or infinitive_marker(sentence.tokens, previous)
        if clause.verb in _BEFORE_BARE and chain.start - 1 == previous.head:
            return True
        waiting_below = sum(below.waiting is not None for below in self.open[:-1])
        needed_below = sum(start >= chain.start for start in self.finite) <= waiting_below
        return clause.object is not None and clause.verb in _CAUSATIVE and not needed_below

    def _start_of_infinitive(self, chain: Chain) -> int:
        start = chain.start
        while self.sentence.norm(start - 1) in ("to", "not"):
            start -= 1
        return start

    def _take(self, chain: Chain) -> Span | None:
        """Take the subject that waits for this verb, closing the inner clauses that are complete."""
        joint = self._joint(chain)
        verbs_left = sum(start >= chain.start for start in self.finite)
        if joint and joint != "," and self.clause.waiting and not self.clause.relative:
            self.verbless.append(self.clause.waiting)  # "the man smiles and is": a verb is joined to another
        while True:
            clause = self.clause
            if clause.waiting is not None:
                subject, clause.waiting = clause.waiting, None
                return subject
            waiting_below = sum(below.waiting is not None for below in self.open[:-1])
            if not waiting_below or (verbs_left > waiting_below and self._can_take_clause(clause)):
                if clause.start is not None and clause.verb and not joint and not waiting_below:
                    return clause.start, chain.start
                if clause.object is not None and not joint:
                    return clause.object
                if clause.last is not None and (joint or not waiting_below):
                    return clause.last
            if not waiting_below:
                return None
            self.open.pop()

    def _can_take_clause(self, clause: _Clause) -> bool:
        """Return whether the object after a verb may be the subject of the next: "who said the author laughs"."""
        return clause.object is None or clause.verb in _TAKE_CLAUSES

    def _joint(self, chain: Chain) -> str:
        """Return the conjunction or comma right before a verb, adverbs between them allowed; else nothing."""
        place = chain.start - 1
        while place > 0 and is_adverb(self.sentence.tokens[place]):
            place -= 1
        norm = self.sentence.norm(place)
        return norm if norm in closed_class("coordinator") | {","} else ""
