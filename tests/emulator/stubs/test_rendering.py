"""The emulator's browser shows what is in a page's templates, of addresses that it may fetch."""

from typing import Any

import pytest

from chat.emulator import Emulator
from tests.emulator.exchange import ACCOUNT, get, send

PATH = f"{ACCOUNT}/browser-rendering/content"
HTML = "<div id=root></div><TEMPLATE id=x><p>Hi</p></template><templates>"
SHOWN = "<div id=root></div><div><p>Hi</p></div><templates>"


async def fetch(address: str) -> str:
    if address != "https://shop.example/":
        raise ValueError("unreachable")
    return HTML


@pytest.fixture
def emulator() -> Emulator:
    return Emulator(tokens_per_second=0, fetch=fetch)


@pytest.mark.parametrize("body", [{"url": "https://shop.example/"}, {"html": HTML}])
async def test_a_page_is_shown_with_its_templates(emulator: Emulator, body: Any) -> None:
    assert (await send(emulator, body, PATH)).json == {"success": True, "result": SHOWN}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"url": 1},
        {"url": "https://shop.example/", "html": ""},
        {"url": "file:///etc/passwd"},
        {"url": "https://elsewhere.example/"},
    ],
)
async def test_what_cannot_be_shown_is_refused(emulator: Emulator, body: Any) -> None:
    assert (await send(emulator, body, PATH)).status == 400


async def test_without_a_browser_there_is_no_such_address(emulator: Emulator) -> None:
    assert (await send(Emulator(), {"html": HTML}, PATH)).code == 7000
    assert (await get(emulator, PATH)).code == 7001
