"""JSON for columns of the database, as short as its text."""

from typing import Any

from django.core.serializers.json import DjangoJSONEncoder


class UnescapedJSONEncoder(DjangoJSONEncoder):
    """Writes letters of any script as they are: escaped, each takes up to 12 bytes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs | {"ensure_ascii": False})
