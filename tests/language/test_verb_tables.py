from importlib.util import find_spec

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.language.verb_tables import irregular_verbs, regular_paradigm, verbs, verbs_without_passive
from tutor.paths import corpus_dir

# As a learner's dictionary lists them: base, past, participle.
PRINCIPAL_PARTS = """
arise arose arisen, awake awoke awoken, be was been, be were been, bear bore borne, bear bore born, beat
beat beaten, become became become, begin began begun, bend bent bent, bet bet bet, bid bid bid, bind bound
bound, bite bit bitten, bleed bled bled, blow blew blown, break broke broken, breed bred bred, bring brought
brought, broadcast broadcast broadcast, build built built, burn burnt burnt, burn burned burned, burst burst
burst, buy bought bought, cast cast cast, catch caught caught, choose chose chosen, cling clung clung, come
came come, cost cost cost, creep crept crept, cut cut cut, deal dealt dealt, dig dug dug, do did done, draw
drew drawn, dream dreamt dreamt, dream dreamed dreamed, drink drank drunk, drive drove driven, dwell dwelt
dwelt, eat ate eaten, fall fell fallen, feed fed fed, feel felt felt, fight fought fought, find found found,
fit fit fit, flee fled fled, fling flung flung, fly flew flown, forbid forbade forbidden, forecast forecast
forecast, foresee foresaw foreseen, forget forgot forgotten, forgive forgave forgiven, forgo forwent
forgone, freeze froze frozen, get got got, get got gotten, give gave given, go went gone, grind ground
ground, grow grew grown, hang hung hung, hang hanged hanged, have had had, hear heard heard, hide hid
hidden, hit hit hit, hold held held, hurt hurt hurt, keep kept kept, kneel knelt knelt, knit knitted
knitted, know knew known, lay laid laid, lead led led, lean leant leant, lean leaned leaned, leap leapt
leapt, leap leaped leaped, learn learnt learnt, learn learned learned, leave left left, lend lent lent, let
let let, lie lay lain, lie lied lied, light lit lit, lose lost lost, make made made, mean meant meant, meet
met met, mislead misled misled, mistake mistook mistaken, misunderstand misunderstood misunderstood, mow
mowed mown, overcome overcame overcome, overtake overtook overtaken, pay paid paid, prove proved proven, put
put put, quit quit quit, quit quitted quitted, read read read, rid rid rid, ride rode ridden, ring rang
rung, rise rose risen, run ran run, saw sawed sawn, say said said, see saw seen, seek sought sought, sell
sold sold, send sent sent, set set set, sew sewed sewn, shake shook shaken, shed shed shed, shine shone
shone, shoot shot shot, show showed shown, shrink shrank shrunk, shut shut shut, sing sang sung, sink sank
sunk, sit sat sat, sleep slept slept, slide slid slid, sling slung slung, slit slit slit, smell smelt smelt,
smell smelled smelled, sow sowed sown, speak spoke spoken, speed sped sped, spell spelt spelt, spell spelled
spelled, spend spent spent, spill spilt spilt, spin spun spun, spit spat spat, split split split, spoil
spoilt spoilt, spoil spoiled spoiled, spread spread spread, spring sprang sprung, stand stood stood, steal
stole stolen, stick stuck stuck, sting stung stung, stink stank stunk, stride strode stridden, strike struck
struck, strive strove striven, swear swore sworn, sweep swept swept, swell swelled swollen, swim swam swum,
swing swung swung, take took taken, teach taught taught, tear tore torn, tell told told, think thought
thought, throw threw thrown, thrust thrust thrust, tread trod trodden, undergo underwent undergone,
understand understood understood, undertake undertook undertaken, undo undid undone, upset upset upset, wake
woke woken, wear wore worn, weave wove woven, weep wept wept, wet wet wet, win won won, wind wound wound,
withdraw withdrew withdrawn, withhold withheld withheld, wring wrung wrung, write wrote written
"""


@pytest.mark.parametrize(
    "parts", [tuple(parts.split()) for parts in PRINCIPAL_PARTS.replace("\n", " ").split(",")]
)
def test_every_irregular_verb_of_a_learners_dictionary_has_its_variants(parts: tuple[str, str, str]) -> None:
    base, past, participle = parts
    verb = irregular_verbs()[base]
    assert past in verb.past
    assert participle in verb.participle


@pytest.mark.parametrize("name", ["irregular_verbs.tsv", "english/regular_verbs.tsv"])
def test_a_table_names_each_verb_once_in_alphabetical_order(name: str) -> None:
    _, *rows = (corpus_dir() / name).read_text(encoding="utf-8").splitlines()
    bases = [row.split("\t")[0] for row in rows]
    assert bases == sorted(set(bases))


def test_no_verb_is_in_both_of_our_tables() -> None:
    regular = (corpus_dir() / "english" / "regular_verbs.tsv").read_text(encoding="utf-8").splitlines()
    assert not {row.split("\t")[0] for row in regular} & set(irregular_verbs())


def test_every_irregular_verb_has_a_form_that_no_rule_gives() -> None:
    for base, verb in irregular_verbs().items():
        rule = regular_paradigm(base)
        assert (
            set(verb.past + verb.participle) - set(rule.past) - {verb.gerund[0].removesuffix("ing") + "ed"}
        ), base


def test_every_form_is_one_word_in_lower_case_and_no_variant_comes_twice() -> None:
    for verb in verbs().values():
        for variants in (verb.third, verb.past, verb.participle, verb.gerund):
            assert variants
            assert len(set(variants)) == len(variants), verb
            assert all(form.replace("-", "").isalpha() and form == form.lower() for form in variants), verb


def test_endings_are_those_of_their_cell() -> None:
    for base, verb in verbs().items():
        assert all(form.endswith("s") for form in verb.third), verb
        assert all(form.endswith("ing") for form in verb.gerund), verb
        if base not in irregular_verbs() and "-" not in base:
            assert verb.past == verb.participle
            assert all(form.endswith("ed") for form in verb.past), verb


def test_past_and_gerund_double_the_same_consonants() -> None:
    for base, verb in verbs().items():
        if base in irregular_verbs() or "-" in base or base.endswith(("e", "y")):
            continue
        pasts = {form.removesuffix("ed") for form in verb.past}
        assert pasts == {form.removesuffix("ing").replace("y", "i") for form in verb.gerund} or pasts == {
            form.removesuffix("ing") for form in verb.gerund
        }, verb


@pytest.mark.parametrize(
    ("base", "third", "past", "gerund"),
    [
        ("walk", "walks", "walked", "walking"),
        ("stop", "stops", "stopped", "stopping"),
        ("fix", "fixes", "fixed", "fixing"),
        ("play", "plays", "played", "playing"),
        ("study", "studies", "studied", "studying"),
        ("watch", "watches", "watched", "watching"),
        ("tie", "ties", "tied", "tying"),
        ("dye", "dyes", "dyed", "dyeing"),
        ("agree", "agrees", "agreed", "agreeing"),
        ("argue", "argues", "argued", "arguing"),
        ("quiz", "quizzes", "quizzed", "quizzing"),
        ("veto", "vetoes", "vetoed", "vetoing"),
        ("enjoy", "enjoys", "enjoyed", "enjoying"),
        ("rain", "rains", "rained", "raining"),
        ("yap", "yaps", "yapped", "yapping"),
        ("offer", "offers", "offered", "offering"),
    ],
)
def test_the_rules_of_regular_spelling(base: str, third: str, past: str, gerund: str) -> None:
    verb = regular_paradigm(base)
    assert (verb.third, verb.past, verb.participle, verb.gerund) == ((third,), (past,), (past,), (gerund,))


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12))
def test_the_rules_give_each_word_one_form_a_cell(base: str) -> None:
    verb = regular_paradigm(base)
    (third,), (past,), (gerund,) = verb.third, verb.past, verb.gerund
    assert third.endswith("s")
    assert past.endswith("d")
    assert gerund.endswith("ing")
    assert third[: len(base) - 1] == past[: len(base) - 1] == base[:-1]


@pytest.mark.parametrize(
    ("base", "past"),
    [
        ("travel", {"travelled", "traveled"}),
        ("program", {"programmed", "programed"}),
        ("focus", {"focused", "focussed"}),
        ("occur", {"occurred"}),
        ("control", {"controlled"}),
        ("mimic", {"mimicked"}),
        ("stay", {"stayed"}),
        ("realise", {"realised"}),
        ("realize", {"realized"}),
        ("text", {"texted"}),
        ("google", {"googled"}),
        ("blog", {"blogged"}),
    ],
)
def test_regular_verbs_have_all_their_spellings_and_no_others(base: str, past: set[str]) -> None:
    assert set(verbs()[base].past) == set(verbs()[base].participle) == past


def test_verbs_without_a_passive_are_verbs() -> None:
    assert verbs_without_passive() <= set(verbs())


def test_lemminflect_is_read_without_being_imported() -> None:
    assert find_spec("lemminflect") is not None
    assert len(verbs()) > 8000
