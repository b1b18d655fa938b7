"""Make up a value that fits a JSON schema. Only `pattern` and `not` are ignored."""

import math
from collections.abc import Mapping
from typing import Any

MAX_DEPTH = 12
#: Beyond this depth only what is required is filled in, so that recursive schemas end.
FULL_DEPTH = 4
MAX_ITEMS = 100
MAX_LENGTH = 10_000
WORD = "water"
FORMATS = {
    "date-time": "2026-01-31T12:00:00Z",
    "date": "2026-01-31",
    "time": "12:00:00Z",
    "duration": "PT5M",
    "email": "river@example.org",
    "hostname": "example.org",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.org/",
    "uri-reference": "/river",
    "uuid": "00000000-0000-4000-8000-000000000000",
}


def sample(schema: Any, text: str = "") -> Any:
    """Return a value that the JSON schema allows; strings without other rules are `text`."""
    return _Sampler(schema, text).value(schema, 0)


class _Sampler:
    def __init__(self, root: Any, text: str) -> None:
        self._root, self._text = root, text

    def value(self, schema: Any, depth: int) -> Any:
        if not isinstance(schema, dict) or depth > MAX_DEPTH:
            return None
        schema = self._resolved(schema)
        if "const" in schema:
            return schema["const"]
        for key in ("enum", "examples"):
            if isinstance(schema.get(key), list) and schema[key]:
                return schema[key][0]
        kind = schema.get("type") or _implied_kind(schema)
        if isinstance(kind, list):
            kind = next((each for each in kind if each != "null"), None)
        match kind:
            case "object":
                return self._object(schema, depth)
            case "array":
                return self._array(schema, depth)
            case "string":
                return self._string(schema)
            case "number" | "integer" as number:
                return _number(schema, is_whole=number == "integer")
            case "boolean":
                return True
        return None

    def _resolved(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the schema with its reference and its alternatives merged in."""
        for _ in range(MAX_DEPTH):
            parts = [self._referred(schema["$ref"])] if "$ref" in schema else []
            for key in ("anyOf", "oneOf"):
                if _is_list(schema.get(key)) and schema[key]:
                    parts.append(_first_not_null(schema[key]))
            if _is_list(schema.get("allOf")):
                parts += schema["allOf"]
            if not parts:
                break
            merged = {
                key: value
                for key, value in schema.items()
                if key not in {"$ref", "anyOf", "oneOf", "allOf"}
            }
            for part in parts:
                merged = _merged(merged, part)
            schema = merged
        return schema

    def _referred(self, path: Any) -> Any:
        schema = self._root
        for name in str(path).removeprefix("#").split("/")[1:]:
            name = name.replace("~1", "/").replace("~0", "~")
            schema = schema.get(name) if isinstance(schema, dict) else None
        return schema

    def _object(self, schema: dict[str, Any], depth: int) -> dict[str, Any]:
        properties = schema.get("properties")
        properties = properties if isinstance(properties, dict) else {}
        listed = schema.get("required")
        required = listed if isinstance(listed, list) else []
        names = [str(n) for n in properties if depth < FULL_DEPTH or n in required]
        names += [str(n) for n in required if n not in properties]
        return {name: self.value(properties.get(name, {}), depth + 1) for name in names}

    def _array(self, schema: dict[str, Any], depth: int) -> list[Any]:
        values = [self.value(each, depth + 1) for each in schema.get("prefixItems") or []]
        least, most = _whole(schema, "minItems", 0), _whole(schema, "maxItems", MAX_ITEMS)
        usual = 1 if depth < FULL_DEPTH and not values else 0
        count = min(max(least, usual), most, MAX_ITEMS)
        items = schema.get("items", {})
        values += [self.value(items, depth + 1) for _ in range(count - len(values))]
        return values[:most]

    def _string(self, schema: dict[str, Any]) -> str:
        if schema.get("format") in FORMATS:
            return FORMATS[schema["format"]]
        least = min(_whole(schema, "minLength", 0), MAX_LENGTH)
        text = self._text or WORD
        while len(text) < least:
            text += f" {WORD}"
        return text[: _whole(schema, "maxLength", MAX_LENGTH)]


def _implied_kind(schema: Mapping[str, Any]) -> str | None:
    if "properties" in schema or "required" in schema:
        return "object"
    return "array" if "items" in schema or "prefixItems" in schema else None


def _first_not_null(schemas: list[Any]) -> Any:
    return next((s for s in schemas if not (isinstance(s, dict) and s.get("type") == "null")), {})


def _merged(one: dict[str, Any], other: Any) -> dict[str, Any]:
    if not isinstance(other, dict):
        return one
    merged = {**other, **one}
    for key in ("properties", "required"):
        if key in one and key in other:
            both = one[key], other[key]
            if all(isinstance(each, dict) for each in both):
                merged[key] = {**other[key], **one[key]}
            elif all(map(_is_list, both)):
                merged[key] = [*one[key], *other[key]]
    return merged


def _number(schema: Mapping[str, Any], *, is_whole: bool) -> float | int:
    low, high = _bound(schema, "minimum", 1), _bound(schema, "maximum", -1)
    step = schema.get("multipleOf")
    step = step if isinstance(step, int | float) and step > 0 else (1 if is_whole else None)
    number: float = 1 if is_whole else 1.5
    if low is not None:
        number = max(number, low)
    if high is not None:
        number = min(number, high)
    if step:
        number = math.ceil(number / step) * step
        if high is not None and number > high:
            number = math.floor(high / step) * step
    return int(number) if is_whole else number


def _bound(schema: Mapping[str, Any], name: str, inwards: int) -> float | None:
    """Return the bound; one that is exclusive is moved inwards."""
    exclusive = schema.get(f"exclusive{name.capitalize()}")
    if isinstance(exclusive, int | float) and not isinstance(exclusive, bool):
        return exclusive + inwards
    value = schema.get(name)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _whole(schema: Mapping[str, Any], name: str, default: int) -> int:
    value = schema.get(name)
    return value if type(value) is int and value >= 0 else default


def _is_list(value: Any) -> bool:
    return isinstance(value, list)
