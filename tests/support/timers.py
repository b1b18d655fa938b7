"""Count the timers that a test sets."""

import asyncio

import pytest


class Timers:
    """Counts the timers that a loop is asked for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        loop = asyncio.get_running_loop()
        call_at = loop.call_at

        def counted(*args: object, **options: object) -> object:
            self.count += 1
            return call_at(*args, **options)  # type: ignore[arg-type]

        monkeypatch.setattr(loop, "call_at", counted)
