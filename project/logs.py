"""Format log lines that can be correlated and contain no personal data.

Each line has the ID of its request and generation. Our own messages contain IDs, codes and sizes;
what libraries add is removed here: paths, which may contain a token, become route names; exception
messages, which may quote users, stay only if they cannot.
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

#: Exceptions whose messages are about the machine or the code. `KeyError`, `ValueError` and the
#: database's data errors all quote input.
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
    """Add the IDs to a record, and remove paths and quoted text."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        record.generation_id = generation_id.get()
        request = getattr(record, "request", None)  # set by Django on records about a request
        path = getattr(request, "path", None)
        if request is not None and path and isinstance(record.args, tuple):
            record.args = tuple(route_of(request) if a == path else a for a in record.args)
        if record.name.startswith("django.security.") and record.exc_info and record.exc_info[1]:
            # The client's fault. It quotes a header, and the traceback does not show the cause.
            record.levelno, record.levelname = logging.WARNING, "WARNING"
            record.msg, record.args, record.exc_info = _named(record.exc_info[1]), (), None
        if isinstance(record.args, tuple):
            record.args = tuple(
                _named(a) if isinstance(a, BaseException) else a for a in record.args
            )
        return True


class LineFormatter(logging.Formatter):
    """Format for people: one line, with the IDs at its end."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name} {message}", style="{")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        fields = {**getattr(record, "fields", {}), **_ids(record)}
        return " ".join([super().formatMessage(record), *(f"{k}={v}" for k, v in fields.items())])

    def formatException(self, ei: ExcInfo) -> str:  # noqa: N802
        return _told(ei)


class JsonFormatter(logging.Formatter):
    """Format for programs: one JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
            **_ids(record),
        }
        if record.exc_info:
            line["exception"] = _told(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def _ids(record: logging.LogRecord) -> dict[str, str]:
    ids = {
        "request": getattr(record, "request_id", ""),
        "generation": getattr(record, "generation_id", ""),
    }
    return {name: value for name, value in ids.items() if value}


def _told(exc_info: ExcInfo) -> str:
    """Return traceback and type of the exception; its message only if it cannot quote users."""
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
        return str(error)  # starts with its code, which is enough
    if settings.DEBUG or isinstance(error, ABOUT_US):
        return f"{name}: {error}"
    return name
