"""What an English verb takes, and the Spanish verb for each such frame."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from tutor.language.spanish import lexicon
from tutor.language.spanish.conjugation import is_reflexive, is_spanish_verb
from tutor.language.spanish.lexicon import Translation

_SPEC = re.compile(
    r"^(?P<verb>\S+)(?P<tail>(?: [^\[@!]+?)?)(?: \[(?P<prepositions>[^\]]+)\])?"
    r"(?P<flags>(?: @\w+)*)(?P<no> !)?$"
)
_INTRANSITIVE = frozenset(
    {
        "crecer", "aparecer", "subir", "bajar", "salir", "entrar", "volver", "llegar", "venir", "ir",
        "caer", "morir", "fallecer", "despegar", "aterrizar", "vomitar", "estallar", "regresar", "escapar",
        "huir", "desaparecer", "envejecer", "adelgazar", "engordar", "madrugar", "seguir", "continuar",
        "partir", "esperar", "fracasar", "ceder", "trabajar", "pasar", "ahorrar", "resultar",
    }
)  # fmt: skip
_OBJECTLESS = frozenset(
    {
        "coincidir", "combinar", "encajar", "crecer", "aparecer", "salir", "llegar", "venir", "caer",
        "morir", "nacer", "existir", "participar", "desaparecer", "huir", "fracasar", "funcionar",
    }
)  # fmt: skip
_OBJECTLESS_PARTICLES = frozenset(
    ["up", "down", "out", "off", "over", "in", "on", "away", "back", "through", "along", "around"]
)


@dataclass(frozen=True, slots=True)
class Frame:
    """One use of an English verb.

    Attributes
    ----------
    pattern : tuple of str
        What follows the verb: words, and the slots ``obj``, ``obj.CLASS``, ``obj2``, ``iobj``, ``inf``,
        ``infgap`` (an infinitive without its object), ``base``, ``ing``, ``that``, ``wh``, ``adj``, ``pp``,
        ``self``, ``its``.
    verb : str
        Spanish infinitive; ``tail`` is what stands after it.
    prepositions : tuple of str
        Spanish prepositions before the last slots.
    flags : frozenset of str
        ``gustar``: the object is the Spanish subject; ``dat``: it is an indirect object; ``def``: a bare
        noun takes the article; ``noa``: no personal ``a``; ``own``: an article for the possessive; ``lo``: a
        pronoun for "it"; ``ger``: gerund for infinitive; ``sub``, ``sub2``: a clause in the subjunctive;
        ``adj``: the tail agrees; ``neg``: denied; ``pos``: not denied; ``state``, ``event``: the past is an
        imperfect, a preterite; ``prog``: only in the progressive, which goes; ``np``: not in the simple
        present; ``nf``: only after a modal or as infinitive or imperative; ``hs``, ``ts``: only of persons, of things.
    blocked : bool
        The sense is too open for a gloss.
    written : bool
        Whether it was written by hand; else it follows from the lexicon and says nothing of prepositions.
    """

    pattern: tuple[str, ...]
    verb: str
    tail: str = ""
    prepositions: tuple[str, ...] = ()
    flags: frozenset[str] = frozenset()
    blocked: bool = False
    written: bool = True


def frames(lemma: str) -> Iterator[Frame]:
    """Yield the frames of a verb, hand-written ones first, then those that follow from the lexicon."""
    yield from _written().get(lemma, ())
    yield from _particle_frames(lemma)
    plain = tuple(t for t in _verb_translations(lemma) if _known(t))
    patterns = {frame.pattern for frame in _written().get(lemma, ())}
    for translation in plain if ("obj",) not in patterns else ():
        if translation.text in _OBJECTLESS and not translation.preposition:
            continue
        if (not is_reflexive(translation.text) or translation.preposition) and " " not in translation.text:
            yield _frame(("obj",), translation)
            break
    intransitive = next((t for t in plain if _reflexive_pair(t, plain)), plain[0] if plain else None)
    if intransitive and not intransitive.preposition and () not in patterns:
        yield _frame((), intransitive)


@cache
def governed(lemma: str) -> frozenset[str]:
    """Return the prepositions that a verb governs, so that they do not start an adjunct after it."""
    heads = {frame.pattern[0] for frame in _written().get(lemma, ()) if frame.pattern}
    heads |= {rest[0] for rest in _particle_verbs().get(lemma, ())}
    return frozenset(heads & {"for", "at", "on", "about", "of", "after", "into", "with", "to"})


def transitive(lemma: str) -> str | None:
    """Return the Spanish verb that a passive of the English one is built on."""
    for frame in _written().get(lemma, ()):
        if frame.pattern == ("obj",) and not frame.blocked:
            usable = not (
                frame.prepositions or frame.tail or frame.flags & {"gustar", "dat"}
            ) and not is_reflexive(frame.verb)
            return frame.verb if usable else None
    first = next((t for t in _verb_translations(lemma) if _known(t) and not is_reflexive(t.text)), None)
    return first.text if first and not first.preposition and " " not in first.text else None


def _frame(pattern: tuple[str, ...], translation: Translation) -> Frame:
    verb, _, tail = translation.text.partition(" ")
    prepositions = (translation.preposition,) if translation.preposition else ()
    return Frame(pattern, verb, tail, prepositions, written=False)


def _reflexive_pair(translation: Translation, others: tuple[Translation, ...]) -> bool:
    """Say whether a verb is listed plain and reflexive (``abrir; abrirse``): the latter has no object."""
    plain = translation.text.removesuffix("se")
    return is_reflexive(translation.text) and any(other.text == plain for other in others)


def _verb_translations(lemma: str) -> tuple[Translation, ...]:
    found = lexicon.entry(lemma, "verb")
    return found.translations if found else ()


def _known(translation: Translation) -> bool:
    words = translation.text.split()
    return is_spanish_verb(words[0]) and len(words) <= 3


@cache
def _written() -> dict[str, tuple[Frame, ...]]:
    table: dict[str, list[Frame]] = {}
    for lemma, pattern, spec in lexicon.read_table("verb_frames.tsv"):
        table.setdefault(lemma, []).append(_parse(pattern, spec))
    return {lemma: tuple(rows) for lemma, rows in table.items()}


def _parse(pattern: str, spec: str) -> Frame:
    match = _SPEC.match(spec)
    if match is None:
        raise ValueError(f"verb_frames.tsv: cannot read {spec!r}")
    flags = frozenset(match["flags"].replace("@", "").split())
    prepositions = tuple(match["prepositions"].split("|")) if match["prepositions"] else ()
    elements = () if pattern == "-" else _marked(tuple(pattern.split()), flags)
    return Frame(elements, match["verb"], match["tail"].strip(), prepositions, flags, bool(match["no"]))


def _marked(pattern: tuple[str, ...], flags: frozenset[str]) -> tuple[str, ...]:
    """Tell the clause slots which Spanish form the verb of the frame asks for."""
    if "sub" in flags and pattern[-1] == "inf":
        return (pattern[0].replace("obj", "objclause", 1),)
    if "sub2" in flags:  # "tell him to go": decirle que vaya
        return (pattern[0].replace("obj", "iobjclause", 1),)
    form = "ger" if "ger" in flags else "sub" if "sub" in flags else ""
    return tuple(
        f"{element}.{form}" if form and element in ("inf", "ing", "that") else element for element in pattern
    )


@cache
def _particle_verbs() -> dict[str, tuple[tuple[str, ...], ...]]:
    found: dict[str, list[tuple[str, ...]]] = {}
    for lemma in lexicon.headwords("verb"):
        head, *rest = lemma.split()
        if rest and head != "be":
            found.setdefault(head, []).append(tuple(rest))
    return {head: tuple(sorted(rows, key=len, reverse=True)) for head, rows in found.items()}


def _particle_frames(lemma: str) -> Iterator[Frame]:
    for rest in _particle_verbs().get(lemma, ()):
        usable = [t for t in _verb_translations(" ".join([lemma, *rest])) if _known(t)]
        if not usable:
            continue
        particle_only = len(rest) == 1 and rest[0] in _OBJECTLESS_PARTICLES
        takes_object = next((t for t in usable if t.preposition or not is_reflexive(t.text.split()[0])), None)
        if takes_object and " " not in takes_object.text and lemma != "get":
            yield _frame((*rest, "obj"), takes_object)
            if particle_only and not takes_object.preposition:
                yield _frame(("obj", *rest), takes_object)
        alone = next(
            (
                t
                for t in usable
                if is_reflexive(t.text.split()[0]) or t.text in _INTRANSITIVE or " " in t.text
            ),
            None,
        )
        if alone and not alone.preposition:
            yield _frame(rest, alone)
