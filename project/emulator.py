"""Wires the embedded emulator in: the one place that knows both it and the settings."""

import httpx
from django.conf import settings

from chat.emulator.service import Emulator
from chat.emulator.transport import EmulatorTransport
from chat.lib.catalogue import read_catalogue


def transport() -> httpx.AsyncBaseTransport:
    """An httpx transport that answers from inside this process: no port, no network."""
    emulator = Emulator(
        tokens_per_second=settings.EMULATOR_TOKENS_PER_SECOND, catalogue=read_catalogue()
    )
    return EmulatorTransport(emulator)
