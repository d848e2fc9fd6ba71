"""The slots of a verb frame, matched against what follows the English verb."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tutor.language.spanish import adjuncts as adverbial
from tutor.language.spanish import clauses as clause_rules
from tutor.language.spanish.adjectives import single
from tutor.language.spanish.determiners import POSSESSIVES
from tutor.language.spanish.nouns import noun_phrases
from tutor.language.spanish.parts import Bound, Scope
from tutor.language.spanish.phrases import NounPhrase, agree
from tutor.language.spanish.reader import NoGlossError, Reader
from tutor.language.spanish.verbs import gerund_groups, infinitive_groups

DITRANSITIVE = frozenset(
    {
        "give", "tell", "ask", "teach", "show", "offer", "send", "pay", "promise", "advise", "allow",
        "lend", "let", "make", "bear", "call", "kill", "force", "order", "expect", "suppose", "require",
    }
)  # fmt: skip
_REFLEXIVES = {
    "myself": "me", "yourself": "you", "himself": "he", "herself": "she", "itself": "it", "ourselves": "we",
    "themselves": "they", "yourselves": "you",
}  # fmt: skip
_WH = {
    "what": "qué", "where": "dónde", "when": "cuándo", "why": "por qué", "how": "cómo", "who": "quién",
    "if": "si", "whether": "si",
}  # fmt: skip
_WITH_PURPOSE = frozenset(
    {
        "go", "come", "run", "return", "travel", "stop", "walk", "leave", "use", "work", "study", "buy",
        "save", "call", "write", "open", "stand", "sit", "build", "send", "wait", "borrow", "sell", "live",
        "stay", "meet", "do", "make", "eat", "drink", "read", "play", "sing", "close", "turn", "move",
        "drive", "fly", "fight", "exercise", "practice", "speak", "talk", "rush", "hurry", "gather",
        "visit",
    }
)  # fmt: skip
_MOTION = frozenset(["go", "come", "run", "return", "travel", "stop", "walk", "leave"])


Bindings = tuple[tuple[Bound, ...], int]


def match(reader: Reader, i: int, pattern: tuple[str, ...], scope: Scope) -> Iterator[Bindings]:
    """Yield the ways in which a pattern matches from a position, each with the position after it."""
    if not pattern:
        yield (), i
        return
    first, *rest = pattern
    for bound, j in _match_one(reader, i, first, tuple(rest), scope):
        inner = scope
        if bound and bound.phrase is not None and bound.phrase is scope.gap:
            inner = replace(scope, gap=None)
        if bound and bound.phrase is not None and rest and rest[0] in ("inf", "base", "adj"):
            inner = replace(inner, subject=bound.phrase)
        for others, k in match(reader, j, tuple(rest), inner):
            yield ((bound, *others) if bound else others), k


def _match_one(
    reader: Reader, i: int, element: str, rest: tuple[str, ...], scope: Scope
) -> Iterator[tuple[Bound | None, int]]:
    name, _, semantic = element.partition(".")
    if name in ("obj", "obj2", "iobj"):
        yield from _nouns(reader, i, name, semantic, scope)
    elif name == "infgap":
        gap = NounPhrase("", "", kind="gap")
        for bound, j in _infinitives(reader, i, "inf", replace(scope, gap=gap)):
            if not bound.front:
                yield Bound(name, None, bound.text), j
    elif name in ("inf", "base", "ing"):
        yield from _infinitives(reader, i, name, scope, "gerund" if semantic == "ger" else "infinitive")
    elif name in ("objclause", "iobjclause"):
        yield from _object_clauses(reader, i, name, semantic, scope)
    elif name == "that":
        yield from _that_clauses(reader, i, scope, semantic == "sub")
    elif name == "wh":
        yield from _wh_clauses(reader, i, scope)
    elif name == "adj":
        for adjective, j in single(reader, i):
            if not adjective.degree or adjective.degree == "er":
                yield (
                    Bound("adj", None, agree(adjective.spanish, scope.subject.gender, scope.subject.plural)),
                    j,
                )
    elif name == "pp":
        for text, j in _places(reader, i):
            yield Bound("pp", None, text), j
    elif (
        (name == "self" and _REFLEXIVES.get(reader.word(i)) == scope.subject.lemma)
        or (name == "its" and reader.word(i) in POSSESSIVES)
        or reader.word(i) == name
    ):
        yield None, i + 1


def _nouns(reader: Reader, i: int, name: str, semantic: str, scope: Scope) -> Iterator[tuple[Bound, int]]:
    for phrase, j in noun_phrases(reader, i):
        settled = _settled(phrase, scope)
        if (
            name == "iobj"
            and settled
            and not (settled.human or settled.kind == "pronoun" or settled.is_a("animal"))
        ):
            continue
        if settled and (not semantic or _fits(settled, semantic)):
            yield Bound(name, settled), j
    if scope.gap and name != "iobj" and (not semantic or _fits(scope.gap, semantic)):
        yield Bound(name, scope.gap), i


def _settled(phrase: NounPhrase, scope: Scope) -> NounPhrase | None:
    """Settle "anything" by the polarity of the clause; nominative pronouns fall out."""
    if phrase.kind != "polar":
        return phrase
    if scope.group.negative:
        return replace(phrase, kind="indefinite", negative=True)
    if scope.group.question:
        return replace(phrase, kind="indefinite", core="alguien" if phrase.human else "algo")
    return None


def _fits(phrase: NounPhrase, semantic: str) -> bool:
    if semantic == "human":
        return phrase.human or phrase.lemma in ("them",)
    if semantic == "place":
        return phrase.is_a("place") or (phrase.core[:1].isupper() and not phrase.human)
    return phrase.is_a(semantic)


def _infinitives(
    reader: Reader, i: int, name: str, scope: Scope, form: str = "infinitive"
) -> Iterator[tuple[Bound, int]]:
    if name == "inf" and reader.word(i) != "to":
        return
    groups = gerund_groups(reader, i) if name == "ing" else infinitive_groups(reader, i + (name == "inf"))
    for group, j in groups:
        inner = replace(scope, group=replace(group, form=form), subjunctive=False)
        for predicate, k in clause_rules.verb_phrases(reader, j, inner):
            text = f"{predicate.verb} {predicate.rest}".strip()
            yield Bound(name, None, text, scope.gap is not None, predicate.front), k


def _object_clauses(
    reader: Reader, i: int, name: str, semantic: str, scope: Scope
) -> Iterator[tuple[Bound, int]]:
    """Read "want him to go", which Spanish puts as ``quiere que vaya``."""
    past = scope.group.tense == "past" or scope.group.modal in ("would", "could", "might", "should")
    tense = "past" if past else "present"
    for phrase, j in noun_phrases(reader, i):
        if phrase.kind == "indefinite" and not phrase.human:
            continue
        if reader.word(j) != "to" or (semantic and not _fits(phrase, semantic)) or phrase.kind == "polar":
            continue
        for group, k in infinitive_groups(reader, j + 1):
            inner = replace(
                scope, subject=phrase, group=replace(group, form="finite", tense=tense), subjunctive=True
            )
            for predicate, end in clause_rules.verb_phrases(reader, k, inner):
                visible = "" if phrase.kind == "pronoun" or name == "iobjclause" else f" {predicate.subject}"
                text = f"que{visible} {predicate.verb} {predicate.rest}".strip()
                yield Bound("that", phrase if name == "iobjclause" else None, text), end


def _that_clauses(reader: Reader, i: int, scope: Scope, wished: bool) -> Iterator[tuple[Bound, int]]:
    opinion = scope.group.lemma in ("think", "believe")
    subjunctive = wished or (opinion and scope.group.negative)
    start = i + 1 if reader.word(i) == "that" else i
    for text, j in clause_rules.clauses(reader, start, subjunctive=subjunctive):
        yield Bound("that", None, f"que {unrepeated(text, scope.subject)}"), j


def unrepeated(text: str, subject: NounPhrase) -> str:
    """Leave out the pronoun of a clause whose subject was just named: ``Él dijo que vendría``."""
    pronoun = f"{subject.core} "
    repeated = subject.kind == "pronoun" and subject.core and text.startswith(pronoun)
    return text[len(pronoun) :] if repeated else text


def _wh_clauses(reader: Reader, i: int, scope: Scope) -> Iterator[tuple[Bound, int]]:
    spanish = _WH.get(reader.word(i))
    if spanish is None:
        return
    if reader.word(i + 1) == "to" and reader.word(i) not in ("if", "why"):
        gap = NounPhrase("", "", kind="gap") if reader.word(i) == "what" else None
        for bound, j in _infinitives(reader, i + 1, "inf", replace(scope, gap=gap)):
            yield Bound("wh", None, f"{spanish} {bound.text}"), j
    elif reader.word(i) not in ("what", "who"):
        for text, j in clause_rules.clauses(reader, i + 1):
            yield Bound("wh", None, f"{spanish} {text}"), j
    else:
        human = reader.word(i) == "who"
        gap = NounPhrase("", "", kind="gap", human=human)
        relative = not human and scope.group.lemma not in ("ask", "wonder", "decide")
        for predicate, j in clause_rules.gapped(reader, i + 1, gap):
            if relative and not predicate.front:
                yield Bound("wh", None, f"lo que {predicate.statement()}"), j
            else:
                yield Bound("wh", None, f"{predicate.front} {spanish} {predicate.question()}".strip()), j


def _places(reader: Reader, i: int) -> Iterator[tuple[str, int]]:
    if reader.word(i) in ("here", "there"):
        yield ("aquí" if reader.word(i) == "here" else "allí"), i + 1
    for preposition, phrase, j in adverbial.prepositional_parts(reader, i):
        if adverbial.locative(preposition) or preposition == "into":
            try:
                yield adverbial.render(preposition, phrase), j
            except NoGlossError:
                continue


def purpose(reader: Reader, i: int, scope: Scope) -> Iterator[tuple[list[str], str, int]]:
    """Yield "to" with an infinitive that tells the purpose: ``para comprar pan``."""
    if scope.group.lemma not in _WITH_PURPOSE or scope.gap:
        return
    if reader.words(i, i + 2) == "in order":
        i += 2
    link = "a" if scope.group.lemma in _MOTION else "para"
    for bound, j in _infinitives(reader, i, "inf", scope):
        yield [f"{link} {bound.text}"], "", j


def stranded(reader: Reader, i: int, gap: NounPhrase) -> str:
    """Return the Spanish preposition of a questioned phrase whose English one stands at the end."""
    word = reader.word(i)
    if i != len(reader) - 1 or word not in ("with", "from", "for", "about", "in", "of"):
        return ""
    return {"with": "con", "from": "de", "for": "para", "about": "de", "in": "en", "of": "de"}[word]
