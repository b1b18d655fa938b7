"""In JSON mode, answers fit the schema."""

import json
from typing import Any

import pytest

from chat.emulator import Emulator
from chat.emulator.requests.json_samples import sample
from tests.emulator.exchange import GEMMA, LLAMA, ask, run_path, send
from tests.emulator.schema_check import fits

SCHEMAS: list[dict[str, Any]] = [
    {"type": "string"},
    {"type": "string", "minLength": 12, "maxLength": 14},
    {"type": "string", "maxLength": 2},
    {"type": "string", "format": "date-time"},
    {"type": ["null", "integer"]},
    {"type": "integer", "minimum": 10, "multipleOf": 7},
    {"type": "integer", "exclusiveMaximum": 0},
    {"type": "number", "maximum": 0.5},
    {"type": "boolean"},
    {"type": "null"},
    {"const": {"a": [1]}},
    {"enum": ["red", "blue"]},
    {"type": "array", "items": {"type": "integer"}, "minItems": 3},
    {"type": "array", "items": {"type": "string"}, "maxItems": 0},
    {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]},
    {
        "type": "object",
        "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
        "required": ["name", "age", "more"],
        "additionalProperties": True,
    },
    {
        "$ref": "#/$defs/Place",
        "$defs": {
            "Place": {
                "type": "object",
                "properties": {"in": {"anyOf": [{"$ref": "#/$defs/Place"}, {"type": "null"}]}},
            }
        },
    },
    {
        "$defs": {"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}},
        "type": "object",
        "properties": {"first": {"$ref": "#/$defs/Node"}},
        "required": ["first"],
    },
    {"anyOf": [{"type": "null"}, {"type": "integer", "minimum": 5}]},
    {"oneOf": [{"type": "string"}, {"type": "integer"}]},
    {
        "allOf": [
            {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
            {"properties": {"b": {"type": "string"}}, "required": ["b"]},
        ]
    },
    {"properties": {"a": {"enum": [None]}}},
    {},
]


@pytest.mark.parametrize("schema", SCHEMAS, ids=json.dumps)
def test_a_sample_is_valid(schema: dict[str, Any]) -> None:
    assert fits(sample(schema), schema)


@pytest.mark.parametrize("schema", [True, None, 3, [], {"$ref": "#/none"}, {"type": "x"}])
def test_an_odd_schema_gives_null(schema: Any) -> None:
    assert sample(schema) is None


PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 3},
        "tags": {"type": "array", "items": {"enum": ["calm"]}, "minItems": 2},
    },
    "required": ["name", "tags"],
}


async def test_a_native_model_answers_with_the_object_itself(emulator: Emulator) -> None:
    format_ = {"type": "json_schema", "json_schema": PERSON}
    reply = await ask(emulator, "Hello", LLAMA, response_format=format_)
    assert fits(reply.json["result"]["response"], PERSON)


async def test_an_openai_model_streams_its_text(emulator: Emulator) -> None:
    wrapped = {"type": "json_schema", "json_schema": {"name": "person", "schema": PERSON}}
    reply = await ask(emulator, "Hello", GEMMA, response_format=wrapped)
    assert fits(json.loads(reply.text), PERSON)


async def test_guided_json_is_the_same_for_native_models(emulator: Emulator) -> None:
    document = {"prompt": "Hello", "guided_json": PERSON}
    reply = await send(emulator, document, run_path(LLAMA))
    assert fits(reply.json["result"]["response"], PERSON)
    reply = await send(emulator, {"prompt": "Hello", "guided_json": "x"}, run_path(LLAMA))
    assert reply.code == 5006
