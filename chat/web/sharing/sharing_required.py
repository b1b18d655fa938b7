"""Disable all sharing views if sharing is switched off."""

from collections.abc import Callable
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from chat.errors import NotFound


def requires_sharing(view: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a view to raise `NotFound` if sharing is off, even for existing links."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        _require_sharing()
        return view(request, *args, **kwargs)

    @wraps(view)
    async def checked_async(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        _require_sharing()
        return await view(request, *args, **kwargs)

    return checked_async if iscoroutinefunction(view) else checked


def _require_sharing() -> None:
    if not settings.SHARING:
        raise NotFound
