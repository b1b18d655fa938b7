"""Serve the site over ASGI. Servers load `project.asgi:application`.

The application is imported on first use (entry_point.py), because it sets up the whole process,
and other parts of this package are also used without a server.
"""

from typing import Any


def __getattr__(name: str) -> Any:
    if name != "application":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from project.asgi.entry_point import application

    return application
