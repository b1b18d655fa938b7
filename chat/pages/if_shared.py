"""The switch before everything that has to do with links."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from chat.errors import NotFound


def if_shared(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Where sharing is switched off there is nothing, not even what was shared before."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.SHARING:
            raise NotFound
        return view(request, *args, **kwargs)

    return checked
