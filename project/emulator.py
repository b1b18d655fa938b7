"""Connect the embedded emulator with the settings; no other module knows both."""

import httpx
from django.conf import settings

from chat.emulator.service import Emulator
from chat.emulator.transport import EmulatorTransport
from chat.errors import ChatError
from chat.fetching.fetch import get, refusals
from chat.lib.catalogue import read_catalogue

PAGE_SECONDS = 10.0
MAX_PAGE_BYTES = 3 * 1024 * 1024


def transport() -> httpx.AsyncBaseTransport:
    """Return an httpx transport that answers inside this process, without a port."""
    emulator = Emulator(
        tokens_per_second=settings.EMULATOR_TOKENS_PER_SECOND,
        catalogue=read_catalogue(),
        fetch=public_page,
    )
    return EmulatorTransport(emulator)


async def public_page(address: str) -> str:
    """Return a web page for the emulator's browser, from public addresses only.

    Raise `ValueError` if it can't be fetched.
    """
    try:
        async with refusals(PAGE_SECONDS):
            fetched = await get(httpx.URL(address), {}, PAGE_SECONDS, MAX_PAGE_BYTES)
    except ChatError as error:
        raise ValueError(error.detail) from None
    return fetched.text
