"""English verb groups, read, and Spanish ones, built."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tutor.language.lexicon import Paradigm
from tutor.language.morphology import Person, lemmas, paradigm
from tutor.language.spanish import lexicon
from tutor.language.spanish.reader import NoGlossError, Reader
from tutor.language.word_classes import shares

_MODALS = {
    "can": "can", "could": "could", "will": "will", "would": "would", "shall": "will", "should": "should",
    "may": "may", "might": "might", "must": "must", "'ll": "will",
}  # fmt: skip
_BE = {
    "am": ("present", (Person.first_sg,)), "is": ("present", (Person.third_sg,)),
    "are": ("present", (Person.second_sg, Person.first_pl, Person.third_pl)),
    "was": ("past", (Person.first_sg, Person.third_sg)),
    "were": ("past", (Person.second_sg, Person.first_pl, Person.third_pl)),
    "'s": ("present", (Person.third_sg,)),
}  # fmt: skip
_THIRD = (Person.third_sg,)
_NOT_THIRD = tuple(person for person in Person if person is not Person.third_sg)
_WITH_TO = {"used": "used_to", "ought": "should"}
_LASTING = frozenset(
    {"gone", "come", "arrived", "left", "happened", "died", "changed", "started", "stopped", "fallen"}
)
_OF_DEGREE = frozenset(["completely", "really", "almost", "truly", "simply", "seriously"])
_ADVERBS = {
    "always": "siempre", "never": "nunca", "often": "a menudo", "usually": "normalmente",
    "sometimes": "a veces", "already": "ya", "still": "todavía", "also": "también", "only": "solo",
    "really": "realmente", "probably": "probablemente", "almost": "casi", "rarely": "rara vez",
    "seldom": "rara vez", "hardly": "apenas", "finally": "finalmente", "suddenly": "de repente",
    "recently": "recientemente", "certainly": "ciertamente", "generally": "generalmente",
    "normally": "normalmente", "nearly": "casi", "now": "ahora", "just": "just",
    "frequently": "con frecuencia", "obviously": "obviamente", "actually": "en realidad", "soon": "pronto",
    "barely": "apenas", "simply": "simplemente", "apparently": "al parecer", "completely": "completamente",
    "definitely": "definitivamente", "immediately": "inmediatamente", "quickly": "rápidamente",
    "slowly": "lentamente", "ever": "ever", "surely": "seguramente", "clearly": "claramente",
    "truly": "realmente", "seriously": "seriamente", "easily": "fácilmente",
    "occasionally": "de vez en cuando", "constantly": "constantemente",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class VerbGroup:
    """An English verb group.

    Attributes
    ----------
    lemma : str
        Its main verb.
    form : str
        ``finite``, ``infinitive``, ``gerund`` or ``imperative``.
    tense : str
        ``present`` or ``past``, of the finite word.
    modal : str
        The modal, or empty; ``going_to`` and ``used_to`` count as modals.
    perfect, progressive, passive : bool
        Which auxiliaries it holds.
    before : tuple of str
        Spanish words that stand before the verb: ``no``, ``nunca``, ``todavía``.
    question : bool
        Whether it stands in a question.
    """

    lemma: str = ""
    form: str = "finite"
    tense: str = "present"
    modal: str = ""
    perfect: bool = False
    progressive: bool = False
    passive: bool = False
    before: tuple[str, ...] = ()
    question: bool = False

    @property
    def negative(self) -> bool:
        """Whether a word before the verb already denies it."""
        return "no" in self.before or "nunca" in self.before

    @property
    def simple(self) -> bool:
        """Whether there is no auxiliary but ``do``."""
        return not (self.modal or self.perfect or self.progressive or self.passive)


Reading = tuple[VerbGroup, int]


def finite_groups(reader: Reader, i: int, person: Person) -> Iterator[Reading]:
    """Yield the finite verb groups that follow a subject of this English person, likeliest first."""
    for group, j in _skip_adverbs(reader, i, VerbGroup()):
        yield from auxiliary_groups(reader, j, person, group, question=False)
        word = reader.word(j)
        for lemma, forms in paradigms(word):
            if word in forms.past and lemma != "bet":
                yield replace(group, lemma=lemma, tense="past"), j + 1
            if (person is Person.third_sg and word in forms.third) or (
                person is not Person.third_sg and word == forms.base
            ):
                yield replace(group, lemma=lemma), j + 1


def auxiliary_groups(
    reader: Reader,
    i: int,
    person: Person | None,
    group: VerbGroup,
    *,
    question: bool,
    rest: int | None = None,
) -> Iterator[Reading]:
    """Yield the groups whose first word is the auxiliary at a position.

    Parameters
    ----------
    reader : Reader
        The sentence.
    i : int
        Position of the auxiliary.
    person : Person or None
        English person of the subject; ``None`` where it is not yet known.
    group : VerbGroup
        What was read before it.
    question : bool
        Whether the subject stands after it.
    rest : int, optional
        Where the group goes on after that subject.
    """
    word = reader.word(i)
    j = i + 1 if rest is None else rest
    group = replace(group, question=question)
    for modal in _modal_readings(word):
        yield from _after(reader, j, replace(group, modal=modal), "base")
    if word in _BE and (person is None or person in _BE[word][1]):
        yield from _after(reader, j, replace(group, tense=_BE[word][0]), "be")
    for tense in _have_readings(word, person) if not _elided_be(reader, i, j) else ():
        yield from _after(reader, j, replace(group, tense=tense), "have")
    if word in ("do", "does", "did"):
        yield from _supported(reader, j, word, person, group)
    if word in _WITH_TO and not question and reader.word(j) == "to":
        yield from _after(reader, j + 1, replace(group, modal=_WITH_TO[word]), "base")


def _supported(
    reader: Reader, j: int, word: str, person: Person | None, group: VerbGroup
) -> Iterator[Reading]:
    """Read on after "do"; in a statement without "not" it is emphatic."""
    if word == "did" or person is None or (word == "does") == (person in _THIRD):
        tense = "past" if word == "did" else "present"
        yield from _after(reader, j, replace(group, tense=tense), "base")


def _elided_be(reader: Reader, i: int, j: int) -> bool:
    """Say whether "'s" with a closing participle is "is" rather than "has": "that's allowed"."""
    last = len(reader) - 1
    closing = j == last or (j == last - 1 and reader.word(j) in ("not", *_ADVERBS))
    return reader.word(i) == "'s" and closing and reader.word(last) not in _LASTING


def _modal_readings(word: str) -> tuple[str, ...]:
    if word == "'d":
        return ("would",)
    return (_MODALS[word],) if word in _MODALS else ()


def _have_readings(word: str, person: Person | None) -> tuple[str, ...]:
    if word in ("had", "'d"):
        return ("past",)
    if (word in ("has", "'s") and (person is None or person in _THIRD)) or (
        word in ("have", "'ve") and (person is None or person in _NOT_THIRD)
    ):
        return ("present",)
    return ()


def infinitive_groups(reader: Reader, i: int, form: str = "infinitive") -> Iterator[Reading]:
    """Yield the groups of a bare infinitive or of an imperative."""
    yield from _after(reader, i, VerbGroup(form=form), "base")


def gerund_groups(reader: Reader, i: int) -> Iterator[Reading]:
    """Yield the groups of one gerund."""
    word = reader.word(i)
    for lemma, forms in paradigms(word):
        if word in forms.gerund:
            yield VerbGroup(lemma, form="gerund"), i + 1


def _after(reader: Reader, i: int, group: VerbGroup, expected: str) -> Iterator[Reading]:
    """Read on after an auxiliary; ``expected`` is what it calls for: ``base``, ``have`` or ``be``."""
    if expected == "be" and reader.word(i) in _OF_DEGREE:
        yield from _after_be(reader, i, group)
    for started, j in _skip_adverbs(reader, i, group):
        if expected == "base":
            yield from _after_base(reader, j, started)
        elif expected == "have":
            yield from _after_have(reader, j, started)
        else:
            yield from _after_be(reader, j, started)


def _after_base(reader: Reader, i: int, group: VerbGroup) -> Iterator[Reading]:
    word = reader.word(i)
    if word == "be":
        yield from _after(reader, i + 1, group, "be")
        return
    if word == "have":
        yield from _after(reader, i + 1, group, "have")
    for lemma, forms in paradigms(word):
        if word == forms.base and lemma != "back":
            yield replace(group, lemma=lemma), i + 1


def _after_have(reader: Reader, i: int, group: VerbGroup) -> Iterator[Reading]:
    word = reader.word(i)
    if word == "been":
        yield from _after(reader, i + 1, replace(group, perfect=True), "be")
        return
    if word == "got":
        yield replace(group, lemma="have"), i + 1
        return
    for lemma in _participles(word):
        yield replace(group, lemma=lemma, perfect=True), i + 1


def _after_be(reader: Reader, i: int, group: VerbGroup) -> Iterator[Reading]:
    word = reader.word(i)
    if word == "going" and reader.word(i + 1) == "to" and not group.modal:
        yield from _after(reader, i + 2, replace(group, modal="going_to"), "base")
    if word == "being":
        for lemma in _participles(reader.word(i + 1)):
            yield replace(group, lemma=lemma, progressive=True, passive=True), i + 2
    if lexicon.entry(word, "adjective") and not (
        word != "missing" and word in shares() and shares()[word].verb > shares()[word].adjective
    ):
        yield replace(group, lemma="be"), i
    for started, j in gerund_groups(reader, i):
        yield replace(group, lemma=started.lemma, progressive=True), j
    yield replace(group, lemma="be"), i
    for lemma in _participles(word):
        yield replace(group, lemma=lemma, passive=True), i + 1


def _participles(word: str) -> Iterator[str]:
    for lemma, forms in paradigms(word):
        if word in forms.participle:
            yield lemma


def paradigms(word: str) -> Iterator[tuple[str, Paradigm]]:
    """Yield the verbs that a word may be a form of, modals and "be" apart, with their forms."""
    for lemma in lemmas(word):
        if lemma not in ("be", "ought", "used", *_MODALS):
            yield lemma, paradigm(lemma)


def _skip_adverbs(reader: Reader, i: int, group: VerbGroup) -> Iterator[Reading]:
    """Read ``not`` and the adverbs inside a verb group; the longest run first."""
    word = reader.word(i)
    if word == "not":
        yield from _skip_adverbs(reader, i + 1, replace(group, before=(*group.before, "no")))
        return
    if word == "please" and group.modal:  # "can you please help me"
        yield from _skip_adverbs(reader, i + 1, group)
    if word in _ADVERBS and reader.word(i + 1):
        if len(group.before) > 1:
            raise NoGlossError("adverbs in a heap")
        yield from _skip_adverbs(reader, i + 1, replace(group, before=(*group.before, _ADVERBS[word])))
    yield group, i


def translations(lemma: str) -> tuple[lexicon.Translation, ...]:
    """Return the Spanish verbs for an English one, best first; ``()`` for what the lexicon lacks."""
    found = lexicon.entry(lemma, "verb")
    return found.translations if found else ()
