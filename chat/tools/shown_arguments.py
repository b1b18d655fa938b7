"""What a person allows is what is sent: arguments whose form shows all of them."""

import json
from typing import Any

from chat.lib.text import clean_json, visible
from chat.tools.tool import ToolFailed


def as_shown(arguments: str) -> str:
    """Return arguments without what nobody sees. Raise `ToolFailed` if they have a name twice.

    Of two values with the same name, a form shows one, and a server may take the other.
    """
    try:
        values = json.loads(arguments or "{}", object_pairs_hook=_object)
        shown = clean_json(values, visible)
        return arguments if shown == values else json.dumps(shown, ensure_ascii=False)
    except (ValueError, RecursionError):
        raise ToolFailed("The arguments can't be read.", "arguments") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len({visible(name) for name in values}) < len(pairs):
        raise ToolFailed("A name is in the arguments twice.", "arguments")
    return values
