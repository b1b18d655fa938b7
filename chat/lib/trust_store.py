"""The certificate authorities that connections to other servers trust."""

import ssl
from functools import cache

import httpx


@cache
def trust_store() -> ssl.SSLContext:
    """Return the TLS context of this process; reading it for the first time takes about 20 ms."""
    return httpx.create_ssl_context(trust_env=False)
