"""Correct sentences of our own: templates of `corpus/training/grammar.toml`, inflected."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from tutor.language.morphology import Person, Tense, conjugate
from tutor.paths import corpus_dir

_SLOT = re.compile(r"\{(\w+\^?)(?::(\w+)(@?)(?::(not))?)?\}")
_QUESTIONS = {"Q": "A", "QD": "D"}
_NUMBERS = {"_sg": Person.third_sg, "_pl": Person.third_pl}
"""Lists whose entries are subjects, by the end of their names."""
_PERSONS = {person.value: person for person in Person}


@cache
def _grammar() -> dict[str, Any]:
    return tomllib.loads((corpus_dir() / "training" / "grammar.toml").read_text(encoding="utf-8"))


def generated(rng: Random) -> Iterator[str]:
    """Yield correct sentences of the grammar without end."""
    templates = _grammar()["templates"]
    while True:
        yield _Sentence(rng).write(rng.choice(templates))


class _Sentence:
    """One sentence in the making; remembers the subject that its next verb agrees with."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._person = Person.third_sg
        self._lists = _grammar()["lists"]
        self._verbs = _grammar()["verbs"]
        self._subjects = _grammar()["subjects"]

    def write(self, template: str) -> str:
        """Fill the slots of a template and capitalise."""
        text = _SLOT.sub(self._fill, template)
        text = re.sub(r"\b(already|just|never|always) (has|have|had)\b", r"\2 \1", text)
        text = re.sub(r"(?<=^Look! )(\w)", lambda m: m[1].upper(), text)
        return text[0].upper() + text[1:]

    def _fill(self, match: re.Match[str]) -> str:
        slot, tense, _, negative = match.groups()
        if slot in {"S", "S1", "T"}:
            return self._subject(slot)
        if slot in self._lists:
            self._person = _NUMBERS.get(slot[-3:], self._person)
            return str(self._rng.choice(self._lists[slot]))
        if slot == "P":
            return self._passive(Tense(tense))
        if slot in _QUESTIONS:
            return self._question(Tense(tense), _QUESTIONS[slot])
        return self._verb(slot.rstrip("^"), Tense(tense), negative is not None)

    def _verb(self, slot: str, tense: Tense, negative: bool) -> str:
        entries = self._verbs[slot] if slot != "V" or self._rng.random() < 0.6 else self._verbs["A"]
        lemma, *rest = self._rng.choice(entries).split()
        forms = conjugate(lemma, tense, self._person, negative=negative)
        return " ".join([self._rng.choice(forms[:2]) if negative else forms[0], *rest])

    def _question(self, tense: Tense, verbs: str) -> str:
        subject = self._subject("S")
        lemma, *rest = self._rng.choice(self._verbs[verbs]).split()
        form = conjugate(lemma, tense, self._person, question=True)[0]
        return " ".join([form.replace("...", subject), *rest])

    def _passive(self, tense: Tense) -> str:
        *numbers, lemma, rest = self._rng.choice(self._subjects["passives"])
        subject = self._noun(numbers)
        return f"{subject} {conjugate(lemma, tense, self._person)[0]} {rest}"

    def _noun(self, numbers: list[str]) -> str:
        plural = self._rng.random() < 0.5
        self._person = Person.third_pl if plural else Person.third_sg
        return numbers[plural]

    def _subject(self, slot: str) -> str:
        draw = self._rng.random()
        if slot == "T":
            return self._thing(draw)
        if draw < (0.6 if slot == "S1" else 0.3):
            text, person = self._rng.choice(self._subjects["pronouns"])
        elif slot == "S1" or draw < 0.62:
            text, person = self._rng.choice(self._subjects["phrases"])
        else:
            return self._long_subject(draw)
        self._person = _PERSONS[person]
        return str(text)

    def _long_subject(self, draw: float) -> str:
        noun = self._noun(self._rng.choice(self._subjects["people"]))
        if draw < 0.72:
            return f"{noun} {self._rng.choice(self._subjects['person_tails'])}"
        if draw < 0.8:
            return f"{noun} who {self._verb('V', Tense.present_simple, False)}"
        if draw < 0.92:
            return f"{noun} {self._relative(['that ', 'who ', '', ''], 'people_objects_of')}"
        self._person = Person.third_pl
        return f"{noun} and {self._rng.choice(self._subjects['companions'])}"

    def _thing(self, draw: float) -> str:
        noun = self._noun(self._rng.choice(self._subjects["things"]))
        if draw < 0.4:
            return noun
        if draw < 0.75:
            return f"{noun} {self._rng.choice(self._subjects['thing_tails'])}"
        return f"{noun} {self._relative(['that ', 'which ', ''], 'objects_of')}"

    def _relative(self, marks: list[str], verbs: str) -> str:
        """Return a clause with a subject of its own that is about the last noun: "that my parents like"."""
        own = self._person
        if self._rng.random() < 0.6:
            text = self._noun(self._rng.choice(self._subjects["people"]))
        else:
            text, person = self._rng.choice(self._subjects["phrases"][:9])
            self._person = _PERSONS[person]
        verb = conjugate(self._rng.choice(self._subjects[verbs]), Tense.present_simple, self._person)[0]
        self._person = own
        return f"{self._rng.choice(marks)}{text} {verb}"
