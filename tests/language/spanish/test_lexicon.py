import pytest

from tutor.language.spanish import frames, lexicon
from tutor.language.spanish.conjugation import is_spanish_verb
from tutor.language.spanish.words import readings


def best(text: str) -> str:
    return readings(text)[0].translations[0]


@pytest.mark.parametrize(
    ("text", "spanish"),
    [
        ("went", "fue"), ("goes", "va"), ("go", "ir"), ("to go", "ir"), ("going", "yendo"), ("gone", "ido"),
        ("has gone", "ha ido"), ("had gone", "había ido"), ("is going", "está yendo"), ("will go", "irá"),
        ("would go", "iría"), ("can go", "puede ir"), ("does not go", "no va"), ("doesn't go", "no va"),
        ("didn’t go", "no fue"), ("is going to eat", "va a comer"), ("wrote", "escribió"), ("was", "era"),
        ("has been eaten", "ha sido comido"), ("houses", "casas"), ("children", "niños"), ("bigger", "más grande"),
        ("better", "mejor"), ("book", "libro"), ("School", "escuela"),
    ],
)  # fmt: skip
def test_a_word_comes_back_inflected_like_the_english_one(text: str, spanish: str) -> None:
    assert best(text) == spanish


@pytest.mark.parametrize(
    "text", ["", "   ", "xyzzy", "goed", "🙂", '"', "does went", "has went", "\u202e", "casa grande"]
)
def test_what_is_not_english_has_no_reading(text: str) -> None:
    assert readings(text) == ()


def test_every_verb_translation_can_be_conjugated() -> None:
    unknown = {
        translation.text
        for lemma in lexicon.headwords("verb")
        for translation in lexicon.entry(lemma, "verb").translations  # type: ignore[union-attr]
        if not is_spanish_verb(translation.text.split()[0]) and not translation.text.startswith("no ")
    }
    assert unknown == set()


def test_every_frame_names_a_spanish_verb_and_known_slots() -> None:
    slots = {
        "obj",
        "obj2",
        "iobj",
        "objclause",
        "iobjclause",
        "inf",
        "infgap",
        "base",
        "ing",
        "that",
        "wh",
        "adj",
        "pp",
    }
    for lemma, pattern, _ in lexicon.read_table("verb_frames.tsv"):
        assert lexicon.entry(lemma, "verb"), lemma
        for frame in frames.frames(lemma):
            assert frame.blocked or is_spanish_verb(frame.verb), (lemma, frame)
            used = {element.partition(".")[0] for element in frame.pattern if "." in element}
            assert used <= slots, (lemma, pattern)


def test_the_lexicon_covers_the_core_vocabulary() -> None:
    lemmas = {lemma for pos in ("verb", "noun", "adjective", "adverb") for lemma in lexicon.headwords(pos)}
    assert len(lemmas) >= 4000
    nouns = [lexicon.entry(lemma, "noun") for lemma in lexicon.headwords("noun")]
    assert all(translation.gender for noun in nouns if noun for translation in noun.translations[:1])


def test_classes_name_words_that_the_lexicon_knows() -> None:
    for name in ("human", "instrument", "place", "body", "food"):
        words = lexicon.word_class(name)
        known = [word for word in words if lexicon.entries(word) or lexicon.singulars(word)]
        assert len(known) >= 0.75 * len(words), name
