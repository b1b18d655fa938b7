"""Control a client's connection through the server's `send`, beyond what ASGI supports."""

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.typing import ASGISendCallable


def break_off(send: ASGISendCallable) -> None:
    """Close the connection during a response, once all written data is sent.

    Clients report the missing end of the body as a network error.
    """
    found = transport(send)
    if found is not None:
        found.close()
    elif channel := _daphne_channel(send):
        channel.loseConnection()


def abort(send: ASGISendCallable) -> None:
    """Close the connection at once."""
    found = transport(send)
    if found is not None:
        found.abort()
    elif request := _daphne_request(send):
        request.abort()


def has_begun(send: ASGISendCallable) -> bool:
    """Return whether the response has started, by uvicorn's or Twisted's account."""
    server = inspect.unwrap(send)
    requests = getattr(server, "args", ())  # Daphne's `send` is bound to its request
    return getattr(getattr(server, "__self__", None), "response_started", False) or any(
        getattr(each, "startedWriting", False) for each in requests
    )


def drain_of(send: ASGISendCallable) -> Callable[[], Awaitable[None]] | None:
    """Return a function that waits until the client has read what was sent; None if `send` does."""
    request = _daphne_request(send)
    return request.drained if request else None


def transport(send: ASGISendCallable) -> Any:
    """Return uvicorn's transport, found through its bound `send`; None for other servers."""
    return getattr(getattr(inspect.unwrap(send), "__self__", None), "transport", None)


def _daphne_request(send: ASGISendCallable) -> Any:
    """Return our request class (daphne_limits.py), which is bound to Daphne's `send`."""
    given = getattr(inspect.unwrap(send), "args", ())
    return next((each for each in given if hasattr(each, "drained")), None)


def _daphne_channel(send: ASGISendCallable) -> Any:
    found = (getattr(each, "channel", None) for each in getattr(inspect.unwrap(send), "args", ()))
    return next(filter(None, found), None)
