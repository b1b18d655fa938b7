"""List models: Cloudflare's paged search, and OpenAI's flat list."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from chat.lib.catalogue import Model

TEXT_GENERATION = {
    "id": "c329a1f9-323d-4e91-b2aa-582dd4188d34",
    "name": "Text Generation",
    "description": "Generates text from a prompt or a conversation.",
}
DEFAULT_PER_PAGE = 20
MAX_PER_PAGE = 100
CREATED = 1_790_000_000


def search(models: Iterable[Model], query: Mapping[str, str]) -> dict[str, Any]:
    """Return the requested page. Past the end it is empty, which tells clients to stop."""
    matching = [model for model in models if _matches(model, query)]
    page = max(1, _number(query, "page", 1))
    per_page = min(max(1, _number(query, "per_page", DEFAULT_PER_PAGE)), MAX_PER_PAGE)
    entries = [_entry(model) for model in matching[(page - 1) * per_page : page * per_page]]
    return {
        "success": True,
        "result": entries,
        "result_info": {
            "page": page,
            "per_page": per_page,
            "count": len(entries),
            "total_count": len(matching),
            "total_pages": -(-len(matching) // per_page),
        },
        "errors": [],
        "messages": [],
    }


def openai_list(models: Iterable[Model]) -> dict[str, Any]:
    """Return the same models in OpenAI's format."""
    data = [
        {
            "id": model.id,
            "object": "model",
            "created": CREATED,
            "owned_by": _author(model),
        }
        for model in models
        if not model.is_gone
    ]
    return {"object": "list", "data": data}


def _matches(model: Model, query: Mapping[str, str]) -> bool:
    if model.is_gone and query.get("include_deprecated") != "true":
        return False
    wanted = {"search": f"{model.id} {model.name}", "author": _author(model)}
    wanted["task"] = f"{TEXT_GENERATION['id']} {TEXT_GENERATION['name']}"
    return all(query.get(key, "").lower() in text.lower() for key, text in wanted.items())


def _number(query: Mapping[str, str], key: str, default: int) -> int:
    value = query.get(key, "")
    return int(value[:9]) if value.isdecimal() else default


def _author(model: Model) -> str:
    parts = model.id.split("/")
    return parts[1] if len(parts) > 2 else parts[0].lstrip("@")


def _entry(model: Model) -> dict[str, Any]:
    return {
        "id": str(uuid5(NAMESPACE_URL, model.id)),
        "source": 1,
        "name": model.id,
        "description": model.name,
        "task": TEXT_GENERATION,
        "created_at": "2026-01-01 00:00:00.000",
        "tags": [],
        "properties": list(_properties(model)),
    }


def _properties(model: Model) -> Iterable[dict[str, Any]]:
    yield _property("context_window", str(model.context_window))
    prices = [
        {"unit": f"per M {kind} tokens", "price": price, "currency": "USD"}
        for kind, price in (
            ("input", model.input_usd_per_million),
            ("output", model.output_usd_per_million),
            ("cached input", model.cached_input_usd_per_million),
        )
        if price is not None
    ]
    if prices:
        yield _property("price", prices)
    flags = {
        "function_calling": model.tools,
        "vision": model.vision,
        "reasoning": model.reasoning,
        "require_workers_paid": model.paid_only,
        "lora": model.lora,
    }
    for name, is_set in flags.items():
        if is_set:
            yield _property(name, "true")
    if model.ends_on:
        yield _property("planned_deprecation_date", model.ends_on.isoformat())


def _property(name: str, value: Any) -> dict[str, Any]:
    return {"property_id": name, "value": value}
