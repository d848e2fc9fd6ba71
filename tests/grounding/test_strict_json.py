import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.grounding.strict_json import NotStrictError, read

values = st.recursive(
    st.none() | st.booleans() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
)


@given(values, st.booleans())
def test_compact_json_is_read_whatever_its_escapes(value: object, ascii_only: bool) -> None:
    assert read(json.dumps(value, ensure_ascii=ascii_only, separators=(",", ":"))) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"a":1}{"a":1}',
        '{"a":1,"a":1}',
        '[{"a":{"b":1,"b":2}}]',
        '{"a": 1}',
        '{"a":1}\n',
        ' {"a":1}',
        '["a\nb"]',
        '["\\ud800"]',
        "NaN",
        '["\\x41"]',
        "[" * 100_000,
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(NotStrictError):
        read(text)
