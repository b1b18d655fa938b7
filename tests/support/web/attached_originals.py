"""Helpers for the tests of files in questions whose originals are kept."""

from typing import Any

from django.test import AsyncClient

from chat.conversations.attached_files import file_block
from tests.support.documents.samples import WORDS, pdf
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream

FILES = "/chat/files/"
FILE = pdf(WORDS)


async def attach(client: AsyncClient, content: bytes = FILE) -> str:
    """Let a file be read and kept; return its digest."""
    place = "/chat/documents/?name=.pdf&keep=1"
    response = await client.post(place, data=content, content_type="application/octet-stream")
    assert response.status_code == 200, response.content
    return str(response.json()["file"])


def block(digest: str, name: str = "lake.pdf") -> str:
    """Return the part of a question for a file, as the page makes it."""
    return file_block(name, WORDS).replace("```pdf\n", f"```pdf file:{digest}\n")


async def ask_with(client: AsyncClient, digest: str, name: str = "lake.pdf") -> Any:
    """Ask a question with a file, and read the answer."""
    response = await send(client, text=f"How is it?\n{block(digest, name)}")
    assert response.status_code == 200, response.content
    await read_stream(response)
    return response
