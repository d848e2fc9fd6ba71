"""Spanish spelling: written accents, plurals, feminines, and pronouns attached to a verb form."""

from __future__ import annotations

import re

_ACUTE = dict(zip("aeiou", "áéíóú", strict=True))
_PLAIN = {accented: plain for plain, accented in _ACUTE.items()}
# A weak vowel next to a strong one makes one syllable with it; "qu" and "gu" before e, i hold a mute u.
_NUCLEUS = re.compile(
    r"(?:(?<=q)u|(?<=g)u(?=[eiéí]))?"
    r"([iuü]?[aeoáéó](?:[iu]|y$)?|[iu]?[íú]|[iu]{1,2}y?$|[iu]{1,2}|ü[ií]|y$)"
)
_HIATUS = re.compile(r"[aeo][íú]|[íú][aeo]")
_SHIFTING = {"carácter": "caracteres", "régimen": "regímenes", "espécimen": "especímenes"}


def nuclei(word: str) -> list[tuple[int, int]]:
    """Return the spans of the vowel groups of a word, one a syllable."""
    return [match.span(1) for match in _NUCLEUS.finditer(word)]


def stressed(word: str) -> int:
    """Return the index of the stressed syllable among `nuclei`."""
    spans = nuclei(word)
    for index, (start, end) in enumerate(spans):
        if any(letter in _PLAIN for letter in word[start:end]):
            return index
    last = len(spans) - 1
    return max(0, last - 1) if word[-1] in "aeiouns" else last


def _accent(word: str, index: int) -> str:
    start, end = nuclei(word)[index]
    group = word[start:end]
    strong = next((i for i, letter in enumerate(group) if letter in "aeo"), len(group) - 1)
    return word[: start + strong] + _ACUTE.get(group[strong], group[strong]) + word[start + strong + 1 :]


def plain(word: str) -> str:
    """Return a word without acute accents."""
    return "".join(_PLAIN.get(letter, letter) for letter in word)


def attach(form: str, pronouns: tuple[str, ...]) -> str:
    """Attach object pronouns to an infinitive, gerund or imperative, with the accent they call for.

    ``attach("levantando", ("se",)) == "levantándose"``; ``attach("da", ("me", "lo")) == "dámelo"``.
    """
    if not pronouns:
        return form
    stress = stressed(form)
    if (pronouns[0] == "nos" and form.endswith("mos")) or (pronouns[0] == "os" and form.endswith("d")):
        form = form[:-1]
    whole = form + "".join(pronouns)
    if any(letter in _PLAIN for letter in form):
        keep = _HIATUS.search(form) or stressed(plain(whole)) != stress
        return whole if keep else plain(whole)
    return whole if stressed(whole) == stress else _accent(whole, stress)


def plural(word: str) -> str:
    """Return the plural of a noun or adjective: ``lápiz`` -> ``lápices``, ``nación`` -> ``naciones``."""
    if word in _SHIFTING:
        return _SHIFTING[word]
    if word[-1] in "aeiouáéó":
        return word + "s"
    if word[-1] in "íú":
        return word + "es"
    if word[-1] == "z":
        return word[:-1] + "ces"
    if word[-1] in "sx" and stressed(word) != len(nuclei(word)) - 1:
        return word
    stress = stressed(word)
    whole = plain(word) + "es"
    if _HIATUS.search(word):
        return word + "es"
    return whole if stressed(whole) == stress else _accent(whole, stress)


def feminine(adjective: str) -> str:
    """Return the feminine singular of an adjective or of a noun of person: ``inglés`` -> ``inglesa``."""
    if adjective.endswith("o"):
        return adjective[:-1] + "a"
    if adjective.endswith(("án", "ín", "ón", "és")) and adjective not in ("cortés", "marrón"):
        return plain(adjective) + "a"
    if adjective.endswith(("dor", "tor", "sor")) or adjective == "español":
        return adjective + "a"
    return adjective
