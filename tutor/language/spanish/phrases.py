"""Spanish noun phrases: articles, agreement, and the pronouns that a verb takes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tutor.language.morphology import Person
from tutor.language.spanish import lexicon
from tutor.language.spanish.reader import NoGlossError
from tutor.language.spanish.spelling import feminine, plural

_STRESSED_A = frozenset(
    {
        "agua", "águila", "alma", "arma", "área", "hambre", "aula", "hacha", "ave", "ala", "arte", "arpa",
        "ancla", "asa", "alba", "ama", "acta", "aria", "asma",
    }
)  # fmt: skip
_INVARIABLE_START = ("de ", "en ", "a ", "al ", "sin ", "del ", "por ", "con ")
_INVARIABLE = frozenset(
    ["más", "menos", "cada", "rosa", "naranja", "violeta", "beige", "gratis", "promedio", "extra"]
)
_ADVERBS = frozenset(
    ["muy", "más", "tan", "bien", "mal", "poco", "demasiado", "bastante", "menos", "casi", "mucho", "no"]
)
_SHORT = {
    "bueno": "buen", "malo": "mal", "primero": "primer", "tercero": "tercer", "alguno": "algún",
    "ninguno": "ningún", "uno": "un",
}  # fmt: skip
_BEFORE_NOUN = frozenset(
    {
        "bueno", "malo", "primero", "segundo", "tercero", "cuarto", "quinto", "último", "otro", "mismo",
        "mejor", "peor", "próximo", "mucho", "poco", "varios", "demasiado", "ambos", "tanto", "bastante",
        "suficiente", "numerosos", "diversos", "único", "gran", "cierto", "medio", "propio", "sexto",
        "séptimo", "octavo", "noveno", "décimo", "undécimo", "duodécimo", "vigésimo",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A Spanish noun phrase with what its neighbours must agree with.

    Attributes
    ----------
    article : str
        Article, possessive, demonstrative or quantifier, already agreeing; may be empty.
    core : str
        The noun with its modifiers, or a pronoun.
    gender : str
        ``m`` or ``f``.
    plural : bool
        Number of the Spanish noun.
    person : Person
        Person for verb agreement.
    lemma : str
        The English head noun, in lower case.
    kind : str
        ``noun``, ``bare`` (a noun without determiner), ``name``, ``pronoun``, ``demonstrative``,
        ``indefinite`` (a noun or pronoun of nobody in particular), ``polar`` ("anything") or ``gap``.
    human : bool
        Whether it denotes people.
    negative : bool
        ``nadie``, ``nada``, ``ningún``: after the verb it asks for ``no``.
    possessor : str
        The English possessive that determines it, or empty.
    english_plural : bool or None
        Number of the English phrase, where it differs: "news", "everyone".
    articled : str
        For bare nouns joined by "and": the same with an article each.
    """

    article: str
    core: str
    gender: str = "m"
    plural: bool = False
    person: Person = Person.third_sg
    lemma: str = ""
    kind: str = "noun"
    human: bool = False
    negative: bool = False
    possessor: str = ""
    english_plural: bool | None = None
    articled: str = ""

    @property
    def english_person(self) -> Person:
        """Person of the English phrase, which its English verb agrees with."""
        if self.english_plural is None or self.person not in (Person.third_sg, Person.third_pl):
            return self.person
        return Person.third_pl if self.english_plural else Person.third_sg

    @property
    def text(self) -> str:
        """The phrase as it stands in a sentence."""
        return f"{self.article} {self.core}".strip()

    def is_a(self, *classes: str) -> bool:
        """Say whether the head belongs to a semantic class."""
        return any(self.lemma in lexicon.word_class(name) for name in classes)

    def with_article(self) -> NounPhrase:
        """Return a bare noun with the definite article that Spanish asks for: ``la música``."""
        if self.kind != "bare" or self.core[0].isupper():
            return self
        if self.articled:
            return replace(self, core=self.articled, kind="noun")
        return replace(self, article=definite_article(self.core, self.gender, self.plural), kind="noun")


def definite_article(noun: str, gender: str, is_plural: bool) -> str:
    """Return ``el``, ``la``, ``los`` or ``las``."""
    if noun.startswith("lo "):
        return ""
    if is_plural:
        return "las" if gender == "f" else "los"
    return "la" if gender == "f" and noun.split(" ")[0] not in _STRESSED_A else "el"


def indefinite_article(noun: str, gender: str) -> str:
    """Return ``un`` or ``una``."""
    return "una" if gender == "f" and noun.split()[0] not in _STRESSED_A else "un"


def agree(adjective: str, gender: str, is_plural: bool) -> str:
    """Inflect an adjective, given in the masculine singular; of several words, the first.

    Raises
    ------
    NoGlossError
        If it is a phrase whose agreement is not certain.
    """
    if not gender and feminine(adjective) != adjective:
        raise NoGlossError("unknown gender")
    if adjective.startswith(_INVARIABLE_START) or adjective in _INVARIABLE:
        return adjective
    head, *rest = adjective.split()
    if rest and (head in _ADVERBS or head.endswith("mente")):
        return f"{head} {agree(' '.join(rest), gender, is_plural)}"
    if rest and not rest[0].startswith(("de", "en", "a", "con", "por", "para")):
        raise NoGlossError(adjective)
    head = feminine(head) if gender == "f" else head
    return " ".join([plural(head) if is_plural else head, *rest])


def goes_before(adjective: str) -> bool:
    """Say whether an adjective precedes its noun."""
    return adjective in _BEFORE_NOUN


def before_noun(adjective: str, gender: str, is_plural: bool) -> str:
    """Return the form of an adjective that precedes its noun: ``buen``, ``primera``."""
    if gender == "m" and not is_plural and adjective in _SHORT:
        return _SHORT[adjective]
    return agree(adjective, gender, is_plural)


def inflect_noun(translation: lexicon.Translation, is_plural: bool) -> tuple[str, str, bool]:
    """Return the form, gender and number of a noun's translation.

    Raises
    ------
    NoGlossError
        If its gender is not known.
    """
    if not translation.gender:
        raise NoGlossError(translation.text)
    gender = "f" if translation.gender.startswith("f") else "m"
    if translation.gender.endswith("p"):
        return translation.text, gender, True
    if not is_plural:
        return translation.text, gender, False
    head, *rest = translation.text.split()
    if rest and not rest[0].startswith(("de", "a", "en", "para", "con", "sin", "por")):
        rest = [plural(word) for word in rest]
    return " ".join([plural(head), *rest]), gender, True


def contract(text: str) -> str:
    """Join prepositions with the article: ``a el`` -> ``al``; put ``e``, ``u`` for ``y``, ``o`` by sound."""
    words = text.split()
    out: list[str] = []
    for index, word in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else ""
        if word == "el" and out and out[-1] in ("a", "de"):
            out[-1] = {"a": "al", "de": "del"}[out[-1]]
        elif (
            word == "y"
            and following.lower().startswith(("i", "hi", "í"))
            and not following.startswith(("hie", "hia"))
        ):
            out.append("e")
        elif word == "o" and following.lower().startswith(("o", "ho", "ó")):
            out.append("u")
        else:
            out.append(word)
    return " ".join(out)
