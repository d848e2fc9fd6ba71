import json

from hypothesis import given
from hypothesis import strategies as st

from tutor.tracing.json_path import JsonPath, json_path

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


def test_a_member_is_named_from_its_colon_to_its_end() -> None:
    text = '{"next":"tool_call","args":{"verb":"go"}}'
    assert json_path(text[: text.index('"tool_call') + 3]) == "$.next"
    assert json_path(text[: text.index(',"args')]) == "$.next"
    assert json_path(text[: text.index('args"')]) == "$"
    assert json_path(text[: text.index("o")]) == "$.next"
    assert json_path(text[: text.index('"go') + 2]) == "$.args.verb"
    assert json_path(text[:-1]) == "$.args"


def test_items_are_counted_and_brackets_in_strings_are_not() -> None:
    assert json_path('{"a":["x,{[\\"",["y","') == "$.a[1][1]"


def test_a_key_that_is_no_name_is_quoted() -> None:
    assert json_path('{"two words":') == "$['two words']"


@given(st.text(alphabet='{}[],:"\\ab'))
def test_what_is_no_json_is_followed_all_the_same(text: str) -> None:
    assert json_path(text).startswith("$")


@given(JSON)
def test_a_whole_text_ends_at_the_top(value: object) -> None:
    assert json_path(json.dumps(value)) == "$"
    assert json_path(json.dumps(value, ensure_ascii=False)) == "$"


@given(JSON, st.data())
def test_pieces_do_not_matter(value: object, data: st.DataObject) -> None:
    text = json.dumps(value)
    cut = data.draw(st.integers(0, len(text)))
    path = JsonPath()
    path.feed(text[:cut])
    assert str(path) == json_path(text[:cut])
    path.feed(text[cut:])
    assert str(path) == "$"
