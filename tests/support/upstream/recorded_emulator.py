"""Record what the emulator is asked."""

from collections.abc import Mapping

import pytest

from chat.emulator import Emulator
from chat.emulator.wire import Answer


def record_requests(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bytes]]:
    """Return a list to which each request to the emulator is added: its path and body."""
    asked: list[tuple[str, bytes]] = []
    handle = Emulator.handle

    async def recorded(
        self: Emulator, method: str, target: str, headers: Mapping[str, str], body: bytes
    ) -> Answer:
        asked.append((target, body))
        return await handle(self, method, target, headers, body)

    monkeypatch.setattr(Emulator, "handle", recorded)
    return asked
