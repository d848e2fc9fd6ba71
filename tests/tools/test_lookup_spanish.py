import pytest
from pydantic import ValidationError

from tutor.tools.lookup_spanish import TOOL, Args, Result, run


def test_a_verb_form_gives_conjugated_translations() -> None:
    result = run(Args(word="went"))
    assert result.gloss() == "fue"
    assert result.prompt_text() == "fue"
    assert "fui" in result.translations()


def test_a_clause_gives_its_gloss_alone() -> None:
    result = run(Args(word="He went to school."))
    assert result.translations() == ("Él fue a la escuela.",)
    assert result.entries == ()


@pytest.mark.parametrize("word", ["xyzzy", "goed", "He goed to school.", "🙂", " ", "word " * 500])
def test_what_is_not_known_comes_back_empty(word: str) -> None:
    result = run(Args(word=word))
    assert result.gloss() is None
    assert result.translations() == ()
    assert result.prompt_text() == "none"


def test_spanish_is_never_evidence() -> None:
    assert run(Args(word="has gone")).evidence() == ()


def test_translations_do_not_repeat() -> None:
    result = Result(word="w", entries=(), clause="Sí.")
    assert result.translations() == ("Sí.",)
    for word in ("book", "left", "go", "run", "like"):
        texts = run(Args(word=word)).translations()
        assert len(texts) == len(set(texts))


def test_arguments_are_checked() -> None:
    with pytest.raises(ValidationError):
        Args(word="")
    with pytest.raises(ValidationError):
        TOOL.arguments.model_validate({"word": "go", "verb": "go"})
