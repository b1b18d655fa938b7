"""Ask a provider which models it has, and what it says about them."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

from chat.errors import UpstreamDisconnected
from chat.upstream.client import Upstream
from chat.upstream.documents.client import DocumentRequest, fetch_document

MAX_LIST_BYTES = 8 * 1024 * 1024
MAX_PAGES = 50
PER_PAGE = 100
MAX_ID_LENGTH = 150  # leaves room for the name of a provider
TEXT_GENERATION = "Text Generation"
#: Families that Cloudflare lists for texts, but that take no messages.
NOT_FOR_CHATS = ("clef", "moondream")
PRICE_FIELDS = {
    "per M input tokens": "input_usd_per_million",
    "per M output tokens": "output_usd_per_million",
    "per M cached input tokens": "cached_input_usd_per_million",
}
FLAG_FIELDS = {
    "function_calling": "tools",
    "vision": "vision",
    "reasoning": "reasoning",
    "lora": "lora",
    "require_workers_paid": "paid_only",
}
WINDOW_KEYS = ("context_length", "max_model_len", "context_window")
TOKENS_OF_A_PRICE = 1_000_000


@dataclass(frozen=True, slots=True)
class ServiceModel:
    """A model as its provider describes it.

    `facts` has the keys of the catalogue. A key that is missing was not stated.
    """

    id: str
    facts: Mapping[str, Any]

    @property
    def is_for_chats(self) -> bool:
        family = re.match("[a-z]*", self.id.rpartition("/")[2])
        return family is None or family[0] not in NOT_FOR_CHATS


async def list_models(upstream: Upstream) -> list[ServiceModel]:
    """Return the provider's models for texts. Raise `UpstreamError`; an empty list is one."""
    models = await (_searched(upstream) if upstream.endpoint.is_workers_ai else _listed(upstream))
    if not models:
        raise UpstreamDisconnected(detail="an empty list of models")
    return models


async def _searched(upstream: Upstream) -> list[ServiceModel]:
    """Walk through Cloudflare's list until a page is empty."""
    models: dict[str, ServiceModel] = {}
    for page in range(1, MAX_PAGES + 1):
        query = urlencode({"task": TEXT_GENERATION, "per_page": PER_PAGE, "page": page})
        document = await _json(upstream, f"{upstream.endpoint.models_url}?{query}")
        entries = _dicts(document.get("result"))
        new = {each.id: each for each in map(_of_cloudflare, entries) if each}
        if not new.keys() - models.keys():
            break
        models |= new
    return list(models.values())


async def _listed(upstream: Upstream) -> list[ServiceModel]:
    document = await _json(upstream, upstream.endpoint.models_url)
    return [each for each in map(_of_openai, _dicts(document.get("data"))) if each]


async def _json(upstream: Upstream, url: str) -> dict[str, Any]:
    try:
        document = json.loads(await fetch_document(upstream, DocumentRequest(url), MAX_LIST_BYTES))
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise UpstreamDisconnected(detail="no list of models")
    return document


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _of_cloudflare(entry: dict[str, Any]) -> ServiceModel | None:
    task = entry.get("task")
    name = task.get("name") if isinstance(task, dict) else None
    if not _is_id(entry.get("name")) or name not in (None, TEXT_GENERATION):
        return None
    properties = {
        str(each.get("property_id")): each.get("value") for each in _dicts(entry.get("properties"))
    }
    facts: dict[str, Any] = {
        field: str(properties.get(key)).lower() == "true" for key, field in FLAG_FIELDS.items()
    }
    facts |= _window(properties) | dict(_prices(properties.get("price")))
    facts["ends_on"] = _day(properties.get("planned_deprecation_date"))
    return ServiceModel(entry["name"], facts)


def _of_openai(entry: dict[str, Any]) -> ServiceModel | None:
    """Read OpenAI's list, with the window and prices that OpenRouter, vLLM and others add."""
    if not _is_id(entry.get("id")):
        return None
    facts = _window(entry)
    pricing = entry.get("pricing")
    if isinstance(pricing, dict):
        for key, field in (("prompt", "input"), ("completion", "output")):
            price = _number(pricing.get(key))
            if price is not None:
                facts[f"{field}_usd_per_million"] = round(price * TOKENS_OF_A_PRICE, 6)
    return ServiceModel(entry["id"], facts)


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= MAX_ID_LENGTH and value.isprintable()


def _window(properties: Mapping[str, Any]) -> dict[str, Any]:
    for key in WINDOW_KEYS:
        number = _number(properties.get(key))
        if number is not None and number >= 1:
            return {"context_window": int(number)}
    return {}


def _prices(value: Any) -> Iterator[tuple[str, float]]:
    for each in _dicts(value):
        price = _number(each.get("price"))
        field = PRICE_FIELDS.get(str(each.get("unit")))
        if field and price is not None and each.get("currency", "USD") == "USD":
            yield field, price


def _number(value: Any) -> float | None:
    """Return a number of 0 or more, given as such or as text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if 0 <= number < 1e15 else None


def _day(value: Any) -> date | None:
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        return None
