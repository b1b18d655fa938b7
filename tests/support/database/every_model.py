"""Fill a database with rows of every model, made from the fields; and read all of it."""

import json
import uuid
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import models, transaction

from chat.conversations.models import Conversation
from chat.database_copy.table_copy import copied_models
from chat.review.access_log.audit_chain import seal_days
from chat.review.models import StaffNote

Model = type[models.Model]

ROWS = 2
TEXT = 'Zürich "quoted" \\N \\\\ \t\r\n汉字 😀 \u202e; DROP\u2028'
JSON = {"ü": [1, 2.5, None, True, "\\u0041 \n\u2028😀"], "a": {"z": 1.0, "b": []}, "": 10**17}
MOMENT = datetime.now(UTC).replace(hour=12, microsecond=123_456) - timedelta(days=3)
#: What the site's code reads must be of its form.
FIXED: dict[str, Any] = {
    "chat.Charge.keys": [],
    "chat.Charge.settled_at": MOMENT,
    "chat.Generation.worker": None,
    "chat.MessageSources.passages": [{"name": TEXT, "address": ""}],
    "chat.ReviewScope.team": None,
    "chat.ReviewScope.site": None,
    "chat.WidgetSite.origins": [],
    "mfa.Authenticator.data": {"name": TEXT},
}
#: Rows of these are written by triggers, by migrations, or by the code below.
WRITTEN_OTHERWISE = {"chat.AuditSeal", "chat.ConversationStats"}
#: The highest id that a row ever had; the row is gone.
DELETED_NOTE = 5000


def fill() -> None:
    """Add rows of every model, and what is left of a deleted row."""
    with transaction.atomic():
        add_rows(copied_models())
        StaffNote(pk=DELETED_NOTE, conversation_id=_value(Conversation._meta.pk, 0)).save()
    StaffNote.objects.filter(pk=DELETED_NOTE).delete()
    seal_days()


def add_rows(models: list[Model], first: int = 0) -> None:
    """Add rows of these models. Rows with another `first` number differ from those that exist."""
    for model in in_order(models):
        if model._meta.label not in WRITTEN_OTHERWISE:
            for number in range(first, first + ROWS):
                _add(model, number)


def in_order(found: list[Model]) -> list[Model]:
    """Return the models after those that they refer to, as far as possible."""
    done: list[Model] = []
    waiting = list(found)
    while waiting:
        for each in list(waiting):
            needed = {f.related_model for f in each._meta.local_concrete_fields if f.is_relation}
            if needed <= {*done, each}:
                done.append(each)
                waiting.remove(each)
    return done


def dump() -> str:
    """Return every row of every table, as JSON."""
    found = {}
    for model in copied_models():
        names = [field.attname for field in model._meta.local_concrete_fields]
        rows = model._base_manager.values_list(*names)
        found[model._meta.label] = sorted(json.dumps([plain(each) for each in row]) for row in rows)
    return json.dumps(found)


def plain(value: Any) -> Any:
    """Return a value of a column with its type, as JSON can have it."""
    if isinstance(value, dict | list):
        return ["json", json.dumps(value, sort_keys=True)]
    if isinstance(value, bytes | memoryview):
        return ["bytes", bytes(value).hex()]
    return [type(value).__name__, repr(value)]


def _add(model: Model, number: int) -> None:
    values = {}
    for field in model._meta.local_concrete_fields:
        name = f"{model._meta.label}.{field.name}"
        values[field.attname] = FIXED[name] if name in FIXED else _value(field, number)
    key = values[model._meta.pk.attname]
    if not model._base_manager.filter(pk=key).exists():
        model._base_manager.bulk_create([model(**values)])


def _value(field: Any, number: int) -> Any:
    if field.is_relation:
        return _value(field.target_field, number)
    if field.null and number:
        return None
    if field.choices:
        return field.flatchoices[(number + 1) % len(field.flatchoices)][0]
    for kind, value in VALUES.items():
        if isinstance(field, kind):
            return value(field, number)
    raise TypeError(f"no value for {field}")


def _text(field: Any, number: int) -> str:
    text = f"{number}{field.model._meta.label}{TEXT}"
    return text[: field.max_length]


#: The first that fits is taken.
VALUES: dict[type, Any] = {
    models.AutoField: lambda field, number: 1000 + number,
    models.BigAutoField: lambda field, number: 1000 + number,
    models.UUIDField: lambda field, number: uuid.UUID(int=(1 << 127) + number),
    models.EmailField: lambda field, number: f"{number}@example.org",
    models.URLField: lambda field, number: f"https://{number}.example.org/ü",
    models.CharField: _text,
    models.TextField: _text,
    models.BooleanField: lambda field, number: bool(number),
    models.PositiveSmallIntegerField: lambda field, number: 32_767 - number,
    models.SmallIntegerField: lambda field, number: -32_768 + number,
    models.PositiveBigIntegerField: lambda field, number: 2**63 - 1 - number,
    models.BigIntegerField: lambda field, number: 2**40 - number,
    models.PositiveIntegerField: lambda field, number: 2**31 - 1 - number,
    models.IntegerField: lambda field, number: -(2**31) + number,
    models.FloatField: lambda field, number: 0.1 + number,
    models.DecimalField: lambda field, number: Decimal("12.5") + number,
    models.DateTimeField: lambda field, number: MOMENT + timedelta(days=number),
    models.DateField: lambda field, number: (MOMENT + timedelta(days=number)).date(),
    models.BinaryField: lambda field, number: bytes(range(256)),
    models.JSONField: lambda field, number: JSON,
}
