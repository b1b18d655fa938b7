"""Check a value against a JSON schema, as far as these tests need it."""

from typing import Any

KINDS: dict[str, Any] = {
    "string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None),
    "array": list, "object": dict,
}  # fmt: skip


def fits(value: Any, schema: Any, root: Any = None) -> bool:
    """Return whether the value is valid. References lead into `root`, by default the schema."""
    root = schema if root is None else root
    if "$ref" in schema:
        target = root
        for name in schema["$ref"].split("/")[1:]:
            target = target[name]
        return fits(value, target, root)
    return all(
        (
            _is_of_kind(value, schema.get("type")),
            "const" not in schema or value == schema["const"],
            "enum" not in schema or value in schema["enum"],
            all(fits(value, each, root) for each in schema.get("allOf", ())),
            _is_one(value, schema.get("anyOf"), root),
            _is_one(value, schema.get("oneOf"), root),
            not isinstance(value, str) or _text_fits(value, schema),
            not isinstance(value, int | float) or _number_fits(value, schema),
            not isinstance(value, list) or _list_fits(value, schema, root),
            not isinstance(value, dict) or _object_fits(value, schema, root),
        )
    )


def _is_of_kind(value: Any, kinds: Any) -> bool:
    names = kinds if isinstance(kinds, list) else [kinds] if kinds else []
    is_bool = isinstance(value, bool)
    found = any(isinstance(value, KINDS[n]) and (n == "boolean") == is_bool for n in names)
    return not names or found


def _is_one(value: Any, schemas: Any, root: Any) -> bool:
    return not schemas or any(fits(value, each, root) for each in schemas)


def _text_fits(value: str, schema: Any) -> bool:
    return schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value))


def _number_fits(value: float, schema: Any) -> bool:
    return (
        schema.get("minimum", value) <= value <= schema.get("maximum", value)
        and value < schema.get("exclusiveMaximum", value + 1)
        and value % schema.get("multipleOf", 1 if isinstance(value, int) else value) == 0
    )


def _list_fits(value: list[Any], schema: Any, root: Any) -> bool:
    count = schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value))
    first = schema.get("prefixItems", [])
    rest = value[len(first) :]
    return (
        count
        and all(fits(*pair, root) for pair in zip(value, first, strict=False))
        and all(fits(each, schema.get("items", {}), root) for each in rest)
    )


def _object_fits(value: dict[str, Any], schema: Any, root: Any) -> bool:
    properties = schema.get("properties", {})
    return set(schema.get("required", ())) <= value.keys() and all(
        fits(each, properties.get(name, {}), root) for name, each in value.items()
    )
