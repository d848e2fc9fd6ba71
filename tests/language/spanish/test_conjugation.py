import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.language.morphology import Person
from tutor.language.spanish.conjugation import (
    SpanishTense,
    UnknownSpanishVerb,
    conjugate_spanish,
    is_spanish_verb,
)
from tutor.language.spanish.spelling import attach, feminine, plural, stressed

COMMON = [
    "ser",
    "estar",
    "ir",
    "haber",
    "tener",
    "poder",
    "hacer",
    "decir",
    "venir",
    "ver",
    "dar",
    "saber",
    "querer",
    "poner",
    "salir",
    "oír",
    "traer",
    "caer",
    "leer",
    "parecer",
    "pasar",
]


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("ser", "soy eres es somos sois son"),
        ("estar", "estoy estás está estamos estáis están"),
        ("ir", "voy vas va vamos vais van"),
        ("haber", "he has ha hemos habéis han"),
        ("tener", "tengo tienes tiene tenemos tenéis tienen"),
        ("poder", "puedo puedes puede podemos podéis pueden"),
        ("jugar", "juego juegas juega jugamos jugáis juegan"),
        ("soler", "suelo sueles suele solemos soléis suelen"),
    ],
)
def test_the_present_of_irregular_verbs(verb: str, forms: str) -> None:
    assert [conjugate_spanish(verb, SpanishTense.present, person) for person in Person] == forms.split()


@pytest.mark.parametrize(
    ("verb", "tense", "person", "form"),
    [
        ("ir", "preterite", "3sg", "fue"),
        ("tener", "preterite", "1sg", "tuve"),
        ("ser", "imperfect", "1pl", "éramos"),
        ("poder", "future", "3pl", "podrán"),
        ("hacer", "conditional", "2sg", "harías"),
        ("llegar", "subjunctive", "3sg", "llegue"),
        ("decir", "imperfect_subjunctive", "1pl", "dijéramos"),
        ("venir", "imperative", "2sg", "ven"),
        ("dormir", "gerund", "3sg", "durmiendo"),
        ("levantarse", "preterite", "3sg", "se levantó"),
        ("sentarse", "imperative", "2sg", "siéntate"),
        ("irse", "gerund", "1sg", "yéndome"),
        ("lavarse", "infinitive", "1pl", "lavarnos"),
    ],
)
def test_single_forms(verb: str, tense: str, person: str, form: str) -> None:
    assert conjugate_spanish(verb, SpanishTense(tense), Person(person)) == form


@pytest.mark.parametrize(
    ("verb", "participle"),
    [
        ("abrir", "abierto"), ("escribir", "escrito"), ("hacer", "hecho"), ("ver", "visto"), ("decir", "dicho"),
        ("romper", "roto"), ("volver", "vuelto"), ("morir", "muerto"), ("poner", "puesto"), ("cubrir", "cubierto"),
        ("freír", "frito"), ("imprimir", "impreso"), ("elegir", "elegido"), ("despertar", "despertado"),
    ],
)  # fmt: skip
def test_participles_are_those_of_the_perfect(verb: str, participle: str) -> None:
    assert conjugate_spanish(verb, SpanishTense.participle) == participle


def test_a_verb_or_form_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(UnknownSpanishVerb):
        conjugate_spanish("xyzar", SpanishTense.present)
    with pytest.raises(UnknownSpanishVerb):
        conjugate_spanish("nevar", SpanishTense.present, Person.first_sg)
    assert not is_spanish_verb("casa")


@given(st.sampled_from(COMMON), st.sampled_from(list(SpanishTense)), st.sampled_from(list(Person)))
def test_common_verbs_have_every_form_but_the_first_imperative(
    verb: str, tense: SpanishTense, person: Person
) -> None:
    if tense is SpanishTense.imperative and person is Person.first_sg:
        with pytest.raises(UnknownSpanishVerb):
            conjugate_spanish(verb, tense, person)
    else:
        form = conjugate_spanish(verb, tense, person)
        assert form.isalpha()
        assert form == form.lower()


@given(
    st.sampled_from([verb for verb in COMMON if verb not in ("ser", "haber", "ir")]),
    st.sampled_from([("me",), ("te",), ("lo",), ("se", "la"), ("me", "los")]),
    st.sampled_from([SpanishTense.infinitive, SpanishTense.gerund]),
)
def test_attached_pronouns_leave_the_stress_where_it_was(
    verb: str, pronouns: tuple[str, ...], tense: SpanishTense
) -> None:
    form = conjugate_spanish(verb, tense)
    whole = attach(form, pronouns)
    assert stressed(whole) == stressed(form)


@pytest.mark.parametrize(
    ("singular", "expected"),
    [
        ("casa", "casas"), ("lápiz", "lápices"), ("nación", "naciones"), ("inglés", "ingleses"),
        ("lunes", "lunes"), ("joven", "jóvenes"), ("rey", "reyes"), ("país", "países"), ("carácter", "caracteres"),
        ("autobús", "autobuses"), ("gris", "grises"),
    ],
)  # fmt: skip
def test_plurals(singular: str, expected: str) -> None:
    assert plural(singular) == expected


def test_feminines() -> None:
    assert [feminine(word) for word in ("rojo", "inglés", "hablador", "feliz", "verde")] == [
        "roja", "inglesa", "habladora", "feliz", "verde",
    ]  # fmt: skip
