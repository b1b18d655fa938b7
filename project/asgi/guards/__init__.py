"""Guard Django with ASGI middleware, and limit what the servers accept."""
