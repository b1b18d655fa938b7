"""The tool that tells a model the time, which it can't know."""

from typing import Annotated
from zoneinfo import ZoneInfo

from django.utils import timezone
from msgspec import Meta, Struct

from chat.tools.tool import ChatTool, ToolContext, ToolFailed, ToolResult


class TimeArguments(Struct):
    time_zone: Annotated[
        str, Meta(description="IANA name, such as Europe/Berlin", max_length=60)
    ] = "UTC"


async def _run(_context: ToolContext, arguments: TimeArguments) -> ToolResult:
    try:
        zone = ZoneInfo(arguments.time_zone or "UTC")
    except (ValueError, OSError, KeyError):
        raise ToolFailed("There's no such time zone. Use an IANA name or UTC.") from None
    now = timezone.now().astimezone(zone)
    return ToolResult(f"{now:%A}, {now.isoformat(timespec='seconds')} ({zone.key})")


CURRENT_TIME = ChatTool(
    "current_time",
    "Returns the current date, weekday and time in a time zone.",
    TimeArguments,
    _run,
)
