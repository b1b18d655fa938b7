"""Connect the embedded emulator with the settings; no other module knows both."""

import httpx
from django.conf import settings

from chat.emulator.service import Emulator
from chat.emulator.transport import EmulatorTransport
from chat.lib.catalogue import read_catalogue


def transport() -> httpx.AsyncBaseTransport:
    """Return an httpx transport that answers inside this process, without a network."""
    emulator = Emulator(
        tokens_per_second=settings.EMULATOR_TOKENS_PER_SECOND, catalogue=read_catalogue()
    )
    return EmulatorTransport(emulator)
