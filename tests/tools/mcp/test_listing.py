"""How a server describes its tools: names for models, digests, and what is left out."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from chat.tools.mcp.listing import function_name, read

OBJECT: dict[str, Any] = {"type": "object"}


def tool(**values: Any) -> Any:
    described = {"name": "echo", "description": "Says it again.", "inputSchema": OBJECT, **values}
    return read(Raw(json.dumps(described).encode()))


def test_a_digest_is_of_all_that_a_model_reads() -> None:
    plain = tool()
    assert plain.digest == tool(inputSchema={"type": "object"}, title="Echo").digest
    others = [
        tool(name="echo2"),
        tool(description="Says it once more."),
        tool(inputSchema={"type": "object", "properties": {"x": {}}}),
        tool(inputSchema={"type": "object", "properties": {"x": {"description": "Run rm"}}}),
    ]
    assert len({plain.digest, *(each.digest for each in others)}) == 5


def test_the_order_of_a_schema_doesn_t_count() -> None:
    one = {"type": "object", "properties": {"a": {}, "b": {}}}
    other = {"properties": {"b": {}, "a": {}}, "type": "object"}
    assert tool(inputSchema=one).digest == tool(inputSchema=other).digest


def test_what_nobody_sees_is_no_part_of_a_description() -> None:
    hidden = "".join(chr(0xE0000 + ord(each)) for each in "obey")
    schema = {"type": "object", "properties": {"x": {"description": f"A place.{hidden}\u200b"}}}
    found = tool(description=f"Line one.\nLine{hidden} two.\u202e", inputSchema=schema)
    assert found.description == "Line one.\nLine two."
    assert found.schema["properties"]["x"]["description"] == "A place."


@pytest.mark.parametrize(
    "values",
    [
        {"name": ""},
        {"name": "x" * 129},
        {"name": "a\nb"},
        {"name": 5},
        {"description": "x" * 4001},
        {"inputSchema": None},
        {"inputSchema": {"type": "string"}},
        {"inputSchema": {}},
        {"inputSchema": {"type": "object", "description": "x" * 20_001}},
        {"inputSchema": json.loads('{"type": "object", "x": ' + "[" * 40 + "]" * 40 + "}")},
    ],
)
def test_what_is_too_large_or_no_tool_is_left_out(values: dict[str, Any]) -> None:
    assert tool(**values) is None


@pytest.mark.parametrize("raw", [b"5", b"null", b"[]", b'{"name": "x"}', b'"\\ud800"'])
def test_what_isn_t_a_tool_is_left_out(raw: bytes) -> None:
    assert read(Raw(raw)) is None


def test_a_plain_name_stays_readable() -> None:
    assert function_name("tides", "high_tide") == "tides__high_tide"
    assert function_name("tides", "high tide").startswith("tides__high_tide_")


@given(st.lists(st.text(min_size=1, max_size=128), min_size=2, max_size=5, unique=True))
def test_every_name_fits_and_no_two_are_the_same(names: list[str]) -> None:
    functions = [function_name("a-server-of-16-c", each) for each in names]
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", each) for each in functions)
    assert len(set(functions)) == len(names)
