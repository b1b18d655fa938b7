"""HTTP/1.1 to the model provider: an httpx transport on asyncio's own sockets."""
