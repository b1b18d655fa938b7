"""Log lines that can be found again, and that give nobody away.

Each line carries the id of the request, and of the generation, that it belongs to. What a line says
is ids, codes and sizes; what others would add to that is taken out here: paths, which may hold
a token, become the name of their route; the words of an exception, which may quote what a person
wrote, stay only where they cannot.
"""

import json
import logging
import traceback
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError, ProgrammingError

from chat.errors import ChatError
from chat.lib.trace import generation_id, request_id
from chat.middleware.request_log import route_of

#: Exceptions whose words are about the machine or the code. `KeyError`, `ValueError`, the
#: database's complaints about data: all of them quote.
ABOUT_US = (
    AttributeError,
    ImportError,
    InterfaceError,
    NameError,
    OSError,
    OperationalError,
    ProgrammingError,
    TypeError,
)
ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class Discretion(logging.Filter):
    """Adds the ids to a record, and takes paths and foreign words out of it."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        record.generation_id = generation_id.get()
        request = getattr(record, "request", None)  # Django's own records about a request
        path = getattr(request, "path", None)
        if request is not None and path and isinstance(record.args, tuple):
            record.args = tuple(route_of(request) if a == path else a for a in record.args)
        if record.name.startswith("django.security.") and record.exc_info and record.exc_info[1]:
            # It quotes a header; and where it was raised is not where the trouble is.
            record.msg, record.args, record.exc_info = _named(record.exc_info[1]), (), None
        if isinstance(record.args, tuple):
            record.args = tuple(
                _named(a) if isinstance(a, BaseException) else a for a in record.args
            )
        return True


class LineFormatter(logging.Formatter):
    """For people: one line, the ids at its end."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name} {message}", style="{")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        facts = {**getattr(record, "facts", {}), **_ids(record)}
        return " ".join([super().formatMessage(record), *(f"{k}={v}" for k, v in facts.items())])

    def formatException(self, ei: ExcInfo) -> str:  # noqa: N802
        return _told(ei)


class JsonFormatter(logging.Formatter):
    """For programs: one object per line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "facts", {}),
            **_ids(record),
        }
        if record.exc_info:
            line["exception"] = _told(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def _ids(record: logging.LogRecord) -> dict[str, str]:
    found = {
        "request": getattr(record, "request_id", ""),
        "generation": getattr(record, "generation_id", ""),
    }
    return {name: value for name, value in found.items() if value}


def _told(exc_info: ExcInfo) -> str:
    """Where it happened and what it is; its words only if they are about us."""
    error = exc_info[1]
    if error is None:
        return ""
    lines = traceback.format_tb(error.__traceback__)
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    before = [_told((type(cause), cause, cause.__traceback__)), "\nthen\n"] if cause else []
    return "".join([*before, *lines, _named(error)])


def _named(error: BaseException) -> str:
    name = type(error).__name__
    if isinstance(error, ChatError):
        return str(error)  # begins with its code, which says as much
    if settings.DEBUG or isinstance(error, ABOUT_US):
        return f"{name}: {error}"
    return name
