"""Encode JSON for database columns without escaping."""

from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models


class UnescapedJSONEncoder(DjangoJSONEncoder):
    """Write non-ASCII characters as they are: escaped, each takes up to 12 bytes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs | {"ensure_ascii": False})


class UnescapedJSONField(models.JSONField):
    """A column of such JSON. To migrations it is Django's own: the table knows no encoder."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs | {"encoder": UnescapedJSONEncoder})

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        del kwargs["encoder"]
        return name, "django.db.models.JSONField", args, kwargs
