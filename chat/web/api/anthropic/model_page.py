"""List models as Anthropic does, page by page."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.conf import settings

from chat.errors import BadRequest
from chat.lib.catalogue import Model
from chat.web.api.model_list import CREATED

DEFAULT_LIMIT = 20
MAX_LIMIT = 1000
EFFORTS = ("low", "medium", "high")


def model_page(models: Mapping[str, Model], query: Mapping[str, str]) -> dict[str, Any]:
    """Return the requested page. Raise `BadRequest` for a `limit` that is none."""
    ids = list(models)
    after, before = query.get("after_id", ""), query.get("before_id", "")
    if after in models:
        ids = ids[ids.index(after) + 1 :]
    if before in models:
        ids = ids[: ids.index(before)]
    limit = _limit(query.get("limit"))
    page = ids[-limit:] if before else ids[:limit]
    return {
        "data": [model_info(models[each]) for each in page],
        "has_more": len(ids) > len(page),
        "first_id": page[0] if page else None,
        "last_id": page[-1] if page else None,
    }


def model_info(model: Model) -> dict[str, Any]:
    return {
        "type": "model",
        "id": model.id,
        "display_name": model.name or model.id,
        "created_at": datetime.fromtimestamp(CREATED, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "lifecycle": "active",
        "max_input_tokens": model.context_window,
        "max_tokens": model.max_answer_tokens(settings.MAX_TOKENS_LIMIT),
        "capabilities": _capabilities(model),
    }


def _capabilities(model: Model) -> dict[str, Any]:
    efforts = {each: _supported(each in model.effort_choices) for each in EFFORTS}
    thinking = {
        "adaptive": _supported(model.reasoning),
        "enabled": _supported(model.reasoning),
        "disabled": _supported(True),  # ignored at worst
        "between_tools": _supported(True),
    }
    none = _supported(False)
    return {
        "batch": none,
        "citations": none,
        "code_execution": none,
        "context_management": none,
        "effort": {
            **_supported(any(each["supported"] for each in efforts.values())),
            **efforts,
            "max": none,
            "xhigh": none,
        },
        "image_input": _supported(model.vision),
        "pdf_input": none,
        "server_tools": {**none, "code_execution": none, "web_search": none},
        "structured_outputs": _supported(True),
        "thinking": {**_supported(model.reasoning), "types": thinking},
    }


def _supported(is_supported: bool) -> dict[str, bool]:
    return {"supported": is_supported}


def _limit(value: str | None) -> int:
    if value is None:
        return DEFAULT_LIMIT
    if not (value.isascii() and value.isdigit() and 1 <= int(value[:9]) <= MAX_LIMIT):
        raise BadRequest(f"limit: a whole number from 1 to {MAX_LIMIT}.").at("limit")
    return int(value)
