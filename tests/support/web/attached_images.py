"""Helpers for the tests of images in questions."""

from typing import Any

from django.test import AsyncClient

from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.widget.pictures import png

VISION = "@cf/meta/llama-4-scout-17b-16e-instruct"
BLIND = "@cf/meta/llama-3.3-70b-instruct-fp8-fast"
PLACE = "/chat/images/"


async def post_image(client: AsyncClient, content: bytes) -> Any:
    return await client.post(PLACE, data=content, content_type="application/octet-stream")


async def upload(client: AsyncClient, content: bytes | None = None) -> str:
    """Store an image; return its digest."""
    response = await post_image(client, png(64, 48) if content is None else content)
    assert response.status_code == 201, response.content
    return str(response.json()["digest"])


def line(digest: str, name: str = "river.png") -> str:
    return f"![{name}](image:{digest})\n"


async def ask_about(
    client: AsyncClient, digest: str, conversation: Any = None, text: str = "What is it?\n"
) -> Any:
    """Ask a question with an image, and read the answer."""
    response = await send(client, conversation, text=text + line(digest), model=VISION)
    assert response.status_code == 200, response.content
    await read_stream(response)
    return response
