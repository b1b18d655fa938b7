"""Track the request and the generation that the running code works for, for log lines only."""

import contextvars

request_id: contextvars.ContextVar[str] = contextvars.ContextVar("request_id", default="")
generation_id: contextvars.ContextVar[str] = contextvars.ContextVar("generation_id", default="")


def fresh_context() -> contextvars.Context:
    """Return a context with the request id only, for a task that outlives its request."""
    context = contextvars.Context()
    context.run(request_id.set, request_id.get())
    return context
