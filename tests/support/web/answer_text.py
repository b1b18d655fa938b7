"""Helpers for the tests of unusual answers."""

import json
import re
from typing import Any

from tests.support.web.front_end import body_of


async def said_in(endpoint: str, response: Any) -> str:
    """Return the text of a response in the format of its API."""
    assert response.status_code == 200, response.content
    raw = await body_of(response) if response.streaming else response.content
    if endpoint == "chat/text":
        return raw.decode()
    documents = re.findall(r"^(?:data: )?(\{.*\})$", raw.decode(), re.MULTILINE)
    return "".join(map(text_in, map(json.loads, documents)))


def text_in(event: dict[str, Any]) -> str:
    """Return the text of one event, or of a whole completion."""
    for choice in event.get("choices", ()):
        return (choice.get("delta") or choice.get("message") or {}).get("content") or ""
    return str(event.get("response", "") or event.get("delta", ""))
