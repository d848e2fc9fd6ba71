"""Break the verbs of correct sentences the way learners do."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tutor.training.auxiliary_slips import auxiliary_slips
from tutor.training.clauses import Doc, Verb, load_parser, verbs
from tutor.training.noise import add_noise
from tutor.training.slips import Slip, agreement_slips, form_slips, inflection_slips
from tutor.training.tense_slips import tense_slips

# Shares of learners' verb errors by ERRANT type. Tense is asked for more often than it should turn up,
# since many sentences offer no tense that is visibly wrong.
KIND_WEIGHTS = {"TENSE": 0.66, "FORM": 0.15, "SVA": 0.2, "INFL": 0.07}
_ALWAYS_BROKEN = 0.5  # A sentence whose kinds weigh at least this much is broken whenever that is asked
_SOURCES = (agreement_slips, form_slips, inflection_slips, tense_slips, auxiliary_slips)


@dataclass(frozen=True, slots=True)
class Edit:
    """One verb error and its correction.

    Attributes
    ----------
    start, end : int
        Character offsets into the source: ``source[start:end] == wrong``.
    wrong, right : str
        What the learner wrote and what it should be.
    kind : str
        ``SVA``, ``FORM``, ``INFL`` or ``TENSE``.
    """

    start: int
    end: int
    wrong: str
    right: str
    kind: str


@dataclass(frozen=True, slots=True)
class Broken:
    """A learner-like sentence with its correction; without edits the two are equal."""

    source: str
    target: str
    edits: tuple[Edit, ...]


def break_sentence(sentence: str | Doc, rng: Random, *, errors: int = 1, noise: bool = False) -> Broken:
    """Put verb errors into a correct sentence.

    Parameters
    ----------
    sentence : str or spaCy Doc
        A correct sentence; a string is parsed first.
    rng : Random
        Source of chance.
    errors : int
        How many errors to put in; fewer where the sentence has no room.
    noise : bool
        Whether to add faults that are no verb errors to both sides.
    """
    doc = load_parser()(sentence) if isinstance(sentence, str) else sentence
    found = list(verbs(doc))
    slips = _pick(found, rng, errors)
    words = [token.text for token in doc]
    if noise:
        touched = {i for slip in slips for i in range(slip.start, slip.end)}
        fixed = touched | {i for verb in found for i in (*verb.aux, verb.head)}
        add_noise(
            words, rng, frozenset(fixed | {t.i for t in doc if t.tag_ in {"MD", "POS"} or "'" in t.text})
        )
    return _assemble(doc, words, slips)


def _pick(found: list[Verb], rng: Random, errors: int) -> list[Slip]:
    slips: list[Slip] = []
    open_verbs = list(found)
    for _ in range(errors):
        kinds: dict[str, list[tuple[int, Slip]]] = {}
        relational = any(slip.needs_other_verb for slip in slips)
        for place, verb in enumerate(open_verbs):
            for source in _SOURCES:
                for slip in source(verb):
                    unchanged = slip.wrong == verb.doc[slip.start : slip.end].text.lower()
                    if not unchanged and not (relational and slip.needs_other_verb):
                        kinds.setdefault(slip.kind, []).append((place, slip))
        # A kind that only offers rare slips is rarely drawn, and a sentence without slips of tense, the kind
        # that learners make most, often stays as it is.
        shares = {
            kind: KIND_WEIGHTS[kind] * min(1.0, sum(slip.weight for _, slip in offers))
            for kind, offers in kinds.items()
        }
        if rng.random() * _ALWAYS_BROKEN >= sum(shares.values()):
            break
        kind = rng.choices(list(shares), list(shares.values()))[0]
        place, slip = rng.choices(kinds[kind], [slip.weight for _, slip in kinds[kind]])[0]
        slips.append(slip)
        del open_verbs[place]
    return sorted(slips, key=lambda slip: slip.start)


def _assemble(doc: Doc, words: list[str], slips: list[Slip]) -> Broken:
    source, target = "", ""
    edits: list[Edit] = []
    at = 0
    for slip in [*slips, None]:
        stop = len(words) if slip is None else slip.start
        plain = _join(doc, words, at, stop)
        source, target = source + plain, target + plain
        if slip is None:
            break
        space = doc[slip.end - 1].whitespace_
        right = _join(doc, words, slip.start, slip.end).removesuffix(space or "\0")
        wrong = slip.wrong[0].upper() + slip.wrong[1:] if right[0].isupper() and right != "I" else slip.wrong
        edits.append(Edit(len(source), len(source) + len(wrong), wrong, right, slip.kind))
        source, target = source + wrong + space, target + right + space
        at = slip.end
    return Broken(source.strip(), target.strip(), tuple(edits))


def _join(doc: Doc, words: list[str], start: int, end: int) -> str:
    parts = ""
    for index in range(start, end):
        if words[index]:
            parts += words[index] + doc[index].whitespace_
        elif not doc[index].whitespace_:
            continue
        elif parts and not parts.endswith(" "):
            parts += " "
    return parts
