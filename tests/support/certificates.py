"""Read the machine's certificates once, not for each client of httpx.

That took 40 ms of CPU time, as much as a test, and a wait for a server asks it again and again.
"""

from functools import cache

import httpx
from httpx._transports import default


def read_once() -> None:
    default.create_ssl_context = cache(httpx.create_ssl_context)  # type: ignore[attr-defined]
