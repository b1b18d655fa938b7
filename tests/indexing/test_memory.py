"""No file stays in memory once it is stored, read or refused."""

from contextlib import suppress

import pytest
from pytest_django import Settings

from chat.accounts.models import User
from chat.documents.reading import read_for_message
from chat.errors import ChatError
from chat.knowledge.models import Collection
from chat.web.collections.added_files import add_file
from tests.support.documents.samples import pdf, zipped
from tests.support.kept_memory import kept_bytes
from tests.support.knowledge.collections import index_documents, new_collection

pytestmark = pytest.mark.usefixtures("stop_server_process", "no_network_jobs")
LARGE = 5_000_000
LITTLE = 500_000
NUL, TEXT, SCANNED = bytes(LARGE), b"word\n" * (LARGE // 50), pdf("") + b"%" * LARGE
FILES = {
    "a file that can't be read": ("a.txt", NUL),
    "a text": ("a.txt", TEXT),
    "a scanned document": ("a.pdf", SCANNED),
    "a file that is too large": ("a.txt", bytes(LARGE * 2)),
    "an archive": ("a.zip", zipped({"a.txt": NUL, "b.txt": TEXT})),
    "an archive that is too large": ("a.zip", zipped({f"{at}.txt": NUL for at in range(12)})),
    "a damaged archive": ("a.zip", zipped({"a.txt": NUL, "b.txt": NUL})[:-30] + bytes(LARGE)),
}


@pytest.fixture
async def handbook(alice: User, settings: Settings) -> Collection:
    settings.MAX_MEMBER_BYTES, settings.MAX_DOCUMENT_BYTES = 0, LARGE + 10_000
    return await new_collection(alice)


@pytest.mark.parametrize("kind", FILES)
async def test_a_file_does_not_stay_in_memory(kind: str, alice: User, handbook: Collection) -> None:
    name, content = FILES[kind]

    async def work() -> None:
        with suppress(ChatError):
            await add_file(handbook, alice, name, content)
        for _ in range(3):
            await index_documents()

    assert await kept_bytes(work) < LITTLE


@pytest.mark.parametrize("kind", list(FILES)[:3])
async def test_a_file_of_a_question_does_not_stay_in_memory(kind: str) -> None:
    name, content = FILES[kind]

    async def work() -> None:
        with suppress(ChatError):
            await read_for_message(content, name, "alice")

    assert await kept_bytes(work) < LITTLE
