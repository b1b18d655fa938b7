"""Encode JSON for database columns without escaping."""

from typing import Any

from django.core.serializers.json import DjangoJSONEncoder


class UnescapedJSONEncoder(DjangoJSONEncoder):
    """Write non-ASCII characters as they are: escaped, each takes up to 12 bytes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs | {"ensure_ascii": False})
