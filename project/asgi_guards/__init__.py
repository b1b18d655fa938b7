"""ASGI middleware that stands before Django, and what bounds the servers themselves."""
