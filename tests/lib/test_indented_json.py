"""JSON for people is on many lines, unless these would be mostly blanks."""

import json

from chat.lib.indented_json import MAX_DEPTH, indented


def test_usual_json_has_a_line_for_each_value() -> None:
    assert indented({"a": [1, "ü"]}) == '{\n  "a": [\n    1,\n    "ü"\n  ]\n}'
    assert indented([], 1) == "[]"
    assert indented("a") == '"a"'


def test_deep_json_is_not_much_longer_than_it_was() -> None:
    text = "[" * 400 + "1," * 9000 + "1" + "]" * 400
    assert len(indented(json.loads(text))) < 2 * len(text)
    flat = json.loads("[" * (MAX_DEPTH - 1) + "1" + "]" * (MAX_DEPTH - 1))
    assert "\n" in indented(flat)
    assert "\n" not in indented([[flat]])
