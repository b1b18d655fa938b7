"""A client's connection, as the server's `send` leads to it: for what ASGI has no words for."""

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.typing import ASGISendCallable


def break_off(send: ASGISendCallable) -> None:
    """Closes the connection in mid-response, once what was written has gone out.

    Without the end of the body a client takes that for an error of the network.
    """
    found = transport(send)
    if found is not None:
        found.close()
    elif channel := _daphne_channel(send):
        channel.loseConnection()


def abort(send: ASGISendCallable) -> None:
    """Closes the connection at once."""
    found = transport(send)
    if found is not None:
        found.abort()
    elif request := _daphne_request(send):
        request.abort()


def drain_of(send: ASGISendCallable) -> Callable[[], Awaitable[None]] | None:
    """Return what waits until the client has taken what was sent; None if `send` itself does."""
    request = _daphne_request(send)
    return request.drained if request else None


def transport(send: ASGISendCallable) -> Any:
    """uvicorn's, whose `send` is a method of the request's cycle; None at other servers."""
    return getattr(getattr(inspect.unwrap(send), "__self__", None), "transport", None)


def _daphne_request(send: ASGISendCallable) -> Any:
    """Ours (daphne_limits.py); Daphne's `send` is its server's method with it bound to it."""
    given = getattr(inspect.unwrap(send), "args", ())
    return next((each for each in given if hasattr(each, "drained")), None)


def _daphne_channel(send: ASGISendCallable) -> Any:
    found = (getattr(each, "channel", None) for each in getattr(inspect.unwrap(send), "args", ()))
    return next(filter(None, found), None)
