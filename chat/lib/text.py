"""Clean text so that it can be stored and sent everywhere."""

from typing import Any

REPLACEMENT = "\ufffd"


def clean(text: str) -> str:
    """Replace NUL (PostgreSQL rejects it) and lone surrogates in `text` with U+FFFD."""
    if "\0" in text:
        text = text.replace("\0", REPLACEMENT)
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def clean_json(value: Any) -> Any:
    """Clean every string in a JSON value. Raise RecursionError for absurd depth."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [clean_json(item) for item in value]
    if isinstance(value, dict):
        return {clean(key): clean_json(item) for key, item in value.items()}
    return value
