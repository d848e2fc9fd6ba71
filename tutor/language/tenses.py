"""Read the tense of a verb with its auxiliaries, learners' mixtures included."""

from __future__ import annotations

from collections.abc import Sequence

from tutor.language.morphology import NON_FINITE, Tense, UnknownVerb, paradigm
from tutor.language.tagged import BE, HAVE, MODAL, Tagged, is_adverb
from tutor.language.tokens import Token
from tutor.language.verb_chains import Chain
from tutor.language.word_classes import function_words

_MODAL_TENSE = {
    "will": "future", "shall": "future", "would": "conditional", "can": "can", "could": "could", "may": "may",
    "might": "might", "must": "must", "should": "should", "ought": "should",
}  # fmt: skip
_NON_FINITE_STARTS = frozenset({"be", "been", "being", "having", "doing"})
_BEFORE_GERUND = frozenset({"about", "at", "by", "for", "from", "in", "of", "on", "with", "without"})
_PAST_AUXILIARIES = frozenset({"was", "were", "had", "did"})


def form_kinds(norm: str, lemma: str) -> frozenset[str]:
    """Return what a surface form can be: ``base``, ``third``, ``past``, ``participle``, ``gerund``.

    A learner's form is read by its ending.
    """
    if lemma == "be":
        return _BE_KINDS.get(norm, frozenset())
    try:
        forms = paradigm(lemma)
    except UnknownVerb:
        return frozenset({"base"})
    table = {
        "base": (forms.base,),
        "third": forms.third,
        "past": forms.past,
        "participle": forms.participle,
        "gerund": forms.gerund,
    }
    kinds = frozenset(kind for kind, listed in table.items() if norm in listed)
    return kinds or _kinds_by_ending(norm)


_BE_KINDS = {
    "be": frozenset({"base"}), "am": frozenset({"present"}), "are": frozenset({"present"}),
    "is": frozenset({"third"}), "'s": frozenset({"third"}), "was": frozenset({"past"}),
    "were": frozenset({"past"}), "been": frozenset({"participle"}), "being": frozenset({"gerund"}),
}  # fmt: skip


def _kinds_by_ending(norm: str) -> frozenset[str]:
    if norm.endswith("ing"):
        return frozenset({"gerund"})
    if norm.endswith(("ed", "t")):
        return frozenset({"past", "participle"})
    if norm.endswith(("en", "n")):
        return frozenset({"participle"})
    return frozenset({"third"}) if norm.endswith("s") else frozenset({"base"})


FINITE_TENSES = tuple(tense for tense in Tense if tense not in NON_FINITE)
"""The tenses that have a person."""


def infinitive_marker(tokens: Sequence[Token], chain: Chain) -> bool:
    """Return whether ``to`` stands right before the head (``not`` or an adverb may part them)."""
    place = chain.head - 1
    while place > 0 and (tokens[place].norm == "not" or is_adverb(tokens[place])):
        place -= 1
    return place >= 0 and tokens[place].norm == "to"


def is_finite(sentence: Tagged, chain: Chain) -> bool:
    """Return whether a verb with its auxiliaries can have a subject, by its form and its neighbours."""
    if chain.auxiliaries:
        return sentence.norm(chain.start - 1) != "to" and sentence.norm(chain.start) not in _NON_FINITE_STARTS
    if infinitive_marker(sentence.tokens, chain) or sentence.norm(chain.head - 1) == "than":
        return False
    kinds = form_kinds(sentence.norm(chain.head), sentence.lemma(chain.head))
    return bool(kinds & {"base", "third", "past", "present"}) and not (
        (kinds >= {"past", "participle"} and _is_reduced_relative(sentence, chain))
        or (
            "base" in kinds
            and (_follows_nothing_but(sentence, chain) or _follows_preposition(sentence, chain))
        )
    )


def _is_reduced_relative(sentence: Tagged, chain: Chain) -> bool:
    """Recognise "the book written | by him"."""
    before = sentence.norm(chain.head - 1)
    return sentence.norm(chain.head + 1) == "by" and before not in function_words() and before.isalpha()


def _follows_nothing_but(sentence: Tagged, chain: Chain) -> bool:
    """Recognise "did nothing but | cry"."""
    before = {sentence.norm(place) for place in range(chain.head - 4, chain.head - 1)}
    return sentence.norm(chain.head - 1) == "but" and bool(before & {"nothing", "anything", "everything"})


def _follows_preposition(sentence: Tagged, chain: Chain) -> bool:
    """Recognise a learner's "for | help me", not "the people I work with | like me"."""
    return sentence.norm(chain.head - 1) in _BEFORE_GERUND and chain.head - 2 not in sentence.verbs


def read_tense(tokens: tuple[Token, ...], chain: Chain, lemma: str) -> Tense | None:
    """Return the tense that a chain comes nearest to, or None when the head alone does not tell.

    Parameters
    ----------
    tokens : tuple of Token
        The sentence.
    chain : Chain
        Main verb and auxiliaries.
    lemma : str
        Lemma of the head.
    """
    head = form_kinds(tokens[chain.head].norm, lemma)
    words = [_auxiliary(tokens, chain, index, lemma) for index in chain.auxiliaries]
    if infinitive_marker(tokens, chain) and not (words and words[-1] in MODAL):
        return _non_finite(words, head, Tense.to_infinitive)
    if not words:
        return _simple(head)
    name = _compound(words, head)
    return Tense(name) if name in _TENSES else None


def _auxiliary(tokens: tuple[Token, ...], chain: Chain, index: int, lemma: str) -> str:
    """Return an auxiliary with ``'s`` and ``'d`` resolved by what follows."""
    norm = tokens[index].norm
    if norm not in ("'s", "'d"):
        return norm
    kinds = form_kinds(tokens[chain.head].norm, lemma)
    if norm == "'d":
        return "had" if "participle" in kinds and "base" not in kinds else "would"
    been = any(tokens[i].norm == "been" for i in (*chain.auxiliaries, chain.head))
    active = lemma in ("get", "have", "go", "become") and "participle" in kinds
    return "has" if been or active else "is"


def _simple(head: frozenset[str]) -> Tense | None:
    for kind, tense in _SIMPLE:
        if kind in head:
            return tense
    return None


def _non_finite(words: list[str], head: frozenset[str], tense: Tense) -> Tense:
    if words and words[-1] == "have" and "participle" in head and "base" not in head:
        return Tense.perfect_infinitive
    return tense


def _compound(words: list[str], head: frozenset[str]) -> str:
    modal = next((word for word in words if word in MODAL), None)
    has = any(word in HAVE for word in words)
    be = any(word in BE for word in words)
    past = any(word in _PAST_AUXILIARIES for word in words)
    gerund = "gerund" in head
    participle = bool(head & {"participle", "past"})
    passive = be and participle and not gerund
    if modal:
        return _modal_name(
            _MODAL_TENSE[modal], has=has, continuous=gerund and (be or modal is None), passive=passive
        )
    if has:
        stem = "past_perfect" if "had" in words else "present_perfect"
        return stem + ("_continuous" if gerund and be else "_passive" if passive else "")
    if be and (gerund or passive):
        stem = "past" if past else "present"
        if gerund:
            return stem + "_continuous"
        return f"{stem}_continuous_passive" if "being" in words else f"{stem}_passive"
    return "past_simple" if past else "present_simple"


def _modal_name(stem: str, *, has: bool, continuous: bool, passive: bool) -> str:
    if stem in ("future", "conditional"):
        if has:
            return f"{stem}_perfect"
        if passive:
            return f"{stem}_passive"
        if continuous and stem == "future":
            return "future_continuous"
        return "future_simple" if stem == "future" else "conditional"
    if has and f"{stem}_have" in _TENSES:
        return f"{stem}_have"
    return f"{stem}_passive" if passive else stem


_TENSES = frozenset(tense.value for tense in Tense)
_SIMPLE = (
    ("third", Tense.present_simple),
    ("present", Tense.present_simple),
    ("base", Tense.present_simple),
    ("past", Tense.past_simple),
    ("gerund", Tense.gerund),
    ("participle", Tense.past_participle),
)
