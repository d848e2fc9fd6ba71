"""Verb forms that are no English words, as learners write them, and the right forms nearest to them."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from tutor.language import lexicon
from tutor.language.lexicon import Paradigm, is_known_word, normalise, paradigm, regular_paradigm


def learner_forms(lemma: str) -> tuple[str, ...]:
    """Return the over-regularised forms that learners write for a verb ("goed", "wented")."""
    verb = paradigm(lemma)
    return tuple(form for form, _ in _over_regularised(verb))


def _over_regularised(verb: Paradigm) -> list[tuple[str, tuple[str, ...]]]:
    """Pair each over-regularised form with the right forms it stands for."""
    rule = regular_paradigm(verb.base)
    wrong: dict[str, tuple[str, ...]] = {}
    if lexicon.is_irregular(verb.base):
        past = verb.past + tuple(form for form in verb.participle if form not in verb.past)
        wrong[rule.past[0]] = past
        plain = verb.base + ("d" if verb.base.endswith("e") else "ed")
        wrong[plain] = past
        for form in verb.past:
            wrong[regular_paradigm(form).past[0]] = past
        for form in verb.participle:
            wrong[regular_paradigm(form).past[0]] = past
        for form in (*rule.third, verb.base + "s"):
            wrong[form] = verb.third
    right = set(verb.forms())
    return [(form, forms) for form, forms in wrong.items() if form not in right and not lexicon.lemmas(form)]


@cache
def _over_regularised_index() -> dict[str, dict[str, tuple[str, ...]]]:
    index: dict[str, dict[str, tuple[str, ...]]] = {}
    for lemma in lexicon.irregular_lemmas():
        for wrong, right in _over_regularised(paradigm(lemma)):
            index.setdefault(wrong, {})[lemma] = right
    return index


def _skeleton(form: str) -> str:
    """Reduce a form to what the usual slips in endings leave alone."""
    form = form.replace("y", "i")
    form = re.sub(r"(.)\1", r"\1", form)
    return re.sub(r"e(?=ing$)", "", form)


@cache
def _forms_by_skeleton() -> dict[str, tuple[str, ...]]:
    index: dict[str, list[str]] = {}
    for form in lexicon.verb_forms():
        index.setdefault(_skeleton(form), []).append(form)
    return {skeleton: tuple(forms) for skeleton, forms in index.items()}


@lru_cache(maxsize=16384)
def corrected_forms(word: str) -> tuple[str, ...]:
    """Return the right verb forms nearest to a form that is no English word, the likeliest first.

    Parameters
    ----------
    word : str
        One token in any letter case.

    Returns
    -------
    tuple of str
        Forms in lower case; empty if the word is English, or nearer to a word that is no verb.
    """
    norm = normalise(word)
    over = _over_regularised_index().get(norm)
    if over is not None:
        return tuple(dict.fromkeys(form for forms in over.values() for form in forms))
    if not norm.isalpha() or len(norm) < 4 or is_known_word(norm):
        return ()
    return _same_skeleton(norm) or _one_edit_away(norm)


def _same_skeleton(norm: str) -> tuple[str, ...]:
    forms = _forms_by_skeleton().get(_skeleton(norm), ())
    return tuple(sorted(forms, key=lambda form: -lexicon.word_count(form)))


def _one_edit_away(norm: str) -> tuple[str, ...]:
    nearest = lexicon.nearest_words(norm)
    return nearest[:1] if nearest and lexicon.lemmas(nearest[0]) else ()


def learner_lemmas(word: str) -> tuple[str, ...]:
    """Return the verbs that a form which is no English word most probably belongs to.

    Returns
    -------
    tuple of str
        Lemmas, the likeliest first; empty if the word is English, or nearer to a word that is no verb.
    """
    over = _over_regularised_index().get(normalise(word))
    if over is not None:
        return tuple(over)
    forms = corrected_forms(word)
    return tuple(dict.fromkeys(lemma for form in forms for lemma in lexicon.lemmas(form)))
