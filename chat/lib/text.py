"""Text that can be stored anywhere and sent to anyone."""

from typing import Any

REPLACEMENT = "\ufffd"


def clean(text: str) -> str:
    """`text` with NUL (PostgreSQL refuses it) and halves of surrogate pairs replaced by U+FFFD."""
    if "\0" in text:
        text = text.replace("\0", REPLACEMENT)
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def clean_json(value: Any) -> Any:
    """A JSON value with every string in it clean. Raises RecursionError for absurd depth."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [clean_json(item) for item in value]
    if isinstance(value, dict):
        return {clean(key): clean_json(item) for key, item in value.items()}
    return value
