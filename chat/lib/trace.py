"""Which request and which generation the running code works for: for log lines, nothing else."""

import contextvars

request_id: contextvars.ContextVar[str] = contextvars.ContextVar("request_id", default="")
generation_id: contextvars.ContextVar[str] = contextvars.ContextVar("generation_id", default="")


def fresh_context() -> contextvars.Context:
    """An empty context for a task that outlives its request; it knows only which one began it."""
    context = contextvars.Context()
    context.run(request_id.set, request_id.get())
    return context
