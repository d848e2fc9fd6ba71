from itertools import islice

from tutor.grounding.hostile import hostile_sentences
from tutor.grounding.words import verb_lemmas
from tutor.language.tokens import tokenize


def test_the_same_seed_gives_the_same_sentences() -> None:
    assert list(islice(hostile_sentences(3), 50)) == list(islice(hostile_sentences(3), 50))
    assert list(islice(hostile_sentences(3), 50)) != list(islice(hostile_sentences(4), 50))


def test_sentences_hold_what_breaks_masks_and_verbs_to_correct() -> None:
    sentences = list(islice(hostile_sentences(0), 2000))
    everything = "".join(sentences)
    for piece in (
        '"',
        "\\",
        "<|im_end|>",
        "<filename>",
        "😀",
        "\u0301",
        "\u202e",
        "\x00",
        "’",
        "\t",
        '{"',
        "goed",
    ):
        assert piece in everything
    assert max(len(sentence.split()) for sentence in sentences) in range(300, 401)
    assert max(map(len, sentences)) <= 4000
    with_verb = sum(any(verb_lemmas(token) for token in tokenize(sentence)) for sentence in sentences)
    assert with_verb > 0.7 * len(sentences)
