"""Verb forms that are no English words, as learners write them, and the right forms nearest to them."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from tutor.language import lexicon
from tutor.language.lexicon import is_known_word, normalise, paradigm
from tutor.language.verb_tables import Paradigm, irregular_verbs, regular_paradigm, verbs

_RARE = 100
"""Words less frequent than this in the spelling dictionary are not what a misspelling stands for."""

_Y_OR_I = re.compile(r"i?y|ie(?=[sd]$)")
_DOUBLE_LETTER = re.compile(r"(.)\1")
_E_BEFORE_ING = re.compile(r"e(?=ing$)")
_DOUBLED_OR_NOT = re.compile(r"(\w*[^aeiou]?[aeiou])([bdfgklmnprt])(\2?)(ed|ing)")
_S_WITH_E = re.compile(r"([sxz]|[cs]h)es$")


def learner_forms(lemma: str) -> tuple[str, ...]:
    """Return the over-regularised forms that learners write for an irregular verb ("goed", "wented").

    Raises
    ------
    UnknownVerb
        If the lemma is not a verb.
    """
    return tuple(_over_regularised(paradigm(lemma)))


def _over_regularised(verb: Paradigm) -> dict[str, tuple[str, ...]]:
    """Map each over-regularised form of an irregular verb to the right forms that it stands for."""
    if verb.base not in irregular_verbs():
        return {}
    past = tuple(dict.fromkeys((*verb.past, *verb.participle)))
    doubled_or_not = (gerund.removesuffix("ing") + "ed" for gerund in verb.gerund)
    plain = verb.base + ("d" if verb.base.endswith("e") else "ed")
    inflected_twice = (regular_paradigm(form).past[0] for form in past)
    wrong = dict.fromkeys((*regular_paradigm(verb.base).past, *doubled_or_not, plain, *inflected_twice), past)
    wrong |= dict.fromkeys((*regular_paradigm(verb.base).third, verb.base + "s"), verb.third)
    return {form: right for form, right in wrong.items() if not lexicon.lemmas(form)}


@cache
def _over_regularised_index() -> dict[str, dict[str, tuple[str, ...]]]:
    index: dict[str, dict[str, tuple[str, ...]]] = {}
    for lemma, verb in irregular_verbs().items():
        for wrong, right in _over_regularised(verb).items():
            index.setdefault(wrong, {})[lemma] = right
    return index


def _skeleton(form: str) -> str:
    """Reduce a form to what the usual slips in spelling and endings leave alone.

    So "studing" meets "studying", "tryed" meets "tried", "writting" and "writeing" meet "writing".
    """
    form = _Y_OR_I.sub("i", form)
    form = _DOUBLE_LETTER.sub(r"\1", form)
    form = _DOUBLE_LETTER.sub(r"\1", _E_BEFORE_ING.sub("", form))
    return _S_WITH_E.sub(r"\1s", form)


@cache
def _forms_by_skeleton(initial: str) -> dict[str, tuple[str, ...]]:
    """Index the verb forms with one initial; no slip of these kinds changes it."""
    index: dict[str, dict[str, None]] = {}
    for verb in verbs().values():
        for form in verb.forms():
            if form[0] == initial:
                index.setdefault(_skeleton(form), {})[form] = None
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
    if not norm.isalpha() or len(norm) < 3 or is_known_word(norm):
        return ()
    return _same_skeleton(norm) or _one_edit_away(norm)


def _same_skeleton(norm: str) -> tuple[str, ...]:
    forms = filter(lexicon.is_used_as_verb, _forms_by_skeleton(norm[0]).get(_skeleton(norm), ()))
    return _frequent(tuple(sorted(forms, key=lexicon.word_count, reverse=True)))


def _one_edit_away(norm: str) -> tuple[str, ...]:
    """Return the verb forms one edit away, if the most frequent word there is one of them.

    The first letter is taken to be right, as it mostly is.
    """
    nearest = _frequent(tuple(word for word in lexicon.nearest_words(norm) if word[0] == norm[0]))
    if not nearest or not lexicon.is_used_as_verb(nearest[0]) or lexicon.word_count(nearest[0]) < _RARE:
        return ()
    return tuple(filter(lexicon.is_used_as_verb, nearest))[:3]


def _doubling_lemmas(norm: str) -> tuple[str, ...]:
    """Return the verbs of the frequent form that differs in doubling the last consonant of the stem."""
    match = _DOUBLED_OR_NOT.fullmatch(norm)
    if match is None:
        return ()
    stem, consonant, second, ending = match.groups()
    other = stem + consonant + ("" if second else consonant) + ending
    if lexicon.word_count(other) < _RARE:
        return ()
    return tuple(lemma for lemma in lexicon.lemmas(other) if lemma not in lexicon.lemmas(norm))


def _frequent(forms: tuple[str, ...]) -> tuple[str, ...]:
    """Keep, of forms in order of frequency, those that are not far rarer than the first."""
    return tuple(form for form in forms if lexicon.word_count(form) >= 0.02 * lexicon.word_count(forms[0]))


@lru_cache(maxsize=16384)
def learner_lemmas(word: str) -> tuple[str, ...]:
    """Return the verbs that a form which is no form of theirs most probably belongs to.

    Returns
    -------
    tuple of str
        Lemmas, the likeliest first. For an English word only those of which it is an over-regularised form ("payed"), or
        that a single or double consonant tells from it ("hoping", "scrapped"); empty if it is nearer to no verb.
    """
    over = _over_regularised_index().get(normalise(word))
    if over is not None:
        return tuple(over)
    if lexicon.lemmas(word):
        return _doubling_lemmas(normalise(word))
    forms = corrected_forms(word)
    return tuple(dict.fromkeys(lemma for form in forms for lemma in lexicon.lemmas(form)))
