"""Control a client's connection through uvicorn's `send`, beyond what ASGI supports.

Under Daphne, which only `manage.py runserver` uses, these do nothing.
"""

import inspect
from typing import Any

from asgiref.typing import ASGISendCallable


def break_off(send: ASGISendCallable) -> None:
    """Close the connection during a response, once all written data is sent.

    Clients report the missing end of the body as a network error.
    """
    if (connection := transport(send)) is not None:
        connection.close()


def abort(send: ASGISendCallable) -> None:
    """Close the connection at once."""
    if (connection := transport(send)) is not None:
        connection.abort()


def has_begun(send: ASGISendCallable) -> bool:
    """Return whether the response has started."""
    return getattr(_cycle(send), "response_started", False)


def transport(send: ASGISendCallable) -> Any:
    """Return uvicorn's transport; None for other servers."""
    return getattr(_cycle(send), "transport", None)


def _cycle(send: ASGISendCallable) -> Any:
    """Return the object that uvicorn's `send` is bound to: the request and its response."""
    return getattr(inspect.unwrap(send), "__self__", None)
