"""Check answers of the API against the types of OpenAI's and Anthropic's packages, field by field.

The packages' types are generated from the published specifications. They read leniently, so what
they leave open is checked here.
"""

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, TypeAdapter

from tests.support.imported_later import imported_later

if TYPE_CHECKING:
    import openai

    from tests.support.api import sdk_fields
else:
    openai = imported_later("openai")
    sdk_fields = imported_later("tests.support.api.sdk_fields")


def require_conforming(kind: Any, value: Any) -> Any:
    """Return the value in the SDK's type. All of its fields are known, and none is missing."""
    read = _adapter(kind).validate_json(json.dumps(value), strict=True)
    _require_strictly(read)
    return read


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _require_strictly(read: Any) -> None:
    if isinstance(read, BaseModel):
        kind = type(read)
        assert set(read.model_extra or ()) <= sdk_fields.ADDITIONS.get(kind, set()), (
            kind,
            read.model_extra,
        )
        sent = {name: getattr(read, name) for name in read.model_fields_set}
        if isinstance(read, openai.BaseModel):
            required = sdk_fields.REQUIRED.get(kind, set())
            nulls = {name for name, value in sent.items() if value is None}
            assert required <= sent.keys(), (kind, required - sent.keys())
            assert nulls <= required | sdk_fields.NULLABLE.get(kind, set()), (kind, nulls)
        for value in sent.values():
            _require_strictly(value)
    elif isinstance(read, list):
        for each in read:
            _require_strictly(each)
