"""Hostile files in a collection of a running site: refused or harmless, and nothing is fetched."""

import json
import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from tests.support.documents.hostile import HOSTILE
from tests.support.documents.samples import WORDS, docx, zipped
from tests.support.generations.stream_reader import SAME_ORIGIN
from tests.support.servers.served_site import wait_until
from tests.support.servers.server import Server, running, signed_up

pytestmark = [pytest.mark.xdist_group("live"), pytest.mark.long]

#: What a server still has after the first large files, because the system doesn't get all back.
MAX_GROWTH_MB = 200
#: While a text of 3,000,000 characters is indexed, or files of 160 MB are added.
MAX_PEAK_MB = 400
#: After many of them, nothing is left of any.
MAX_LASTING_MB = 40
FAILURES = {"encrypted", "damaged", "no_text", "too_complex", "unsupported"}
READ = """
from chat.knowledge.models import DocumentContent
import json
print(json.dumps([
    [str(each.pk), each.document.name, each.document.state, each.document.problem, each.text[:2_000_000]]
    for each in DocumentContent.objects.select_related("document").defer("file")
]))
"""
REMOVE = """
from chat.knowledge.models import Document
from chat.outbox.models import Delivery
Delivery.objects.all().delete()
Document.objects.all().delete()
"""
NEW = """
from chat.accounts.models import User
from chat.knowledge.models import Collection
print(Collection.objects.create(owner=User.objects.get(), name="Handbook").pk)
"""


class Site:
    """A server, a member's client with a collection, and a socket to which nobody should connect."""

    def __init__(self, server: Server, client: httpx.Client, listening: socket.socket) -> None:
        self.server, self.client, self._listening = server, client, listening
        self.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        self.collection = server.run(NEW)

    def add(self, name: str, content: bytes) -> httpx.Response:
        place = f"/collections/files/?collection={self.collection}&name={quote(name)}"
        headers = SAME_ORIGIN | {"X-CSRFToken": self.client.cookies["csrftoken"]}
        headers["Content-Type"] = "application/octet-stream"
        return self.client.post(place, content=content, headers=headers)

    def documents(self) -> list[list[str]]:
        """Return the documents once all are read."""
        found: list[list[str]] = []

        def are_read() -> bool:
            found[:] = json.loads(self.server.run(READ))
            return all(state != "waiting" for _pk, _name, state, *_ in found)

        wait_until(are_read)
        return found

    def was_connected(self) -> bool:
        with suppress(BlockingIOError):
            self._listening.accept()
            return True
        return False

    def start_measuring(self) -> float:
        """Return the megabytes that the server uses, and forget how many it used before."""
        Path(f"/proc/{self.server.pid}/clear_refs").write_text("5")
        return self.memory("VmRSS")

    def memory(self, kind: str) -> float:
        """Return the megabytes that the server uses (`VmRSS`), or used at the most (`VmHWM`)."""
        status = Path(f"/proc/{self.server.pid}/status").read_text()
        found = re.search(rf"{kind}:\s+(\d+) kB", status)
        assert found
        return int(found[1]) / 1024


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running(MAX_MEMBER_BYTES="0") as server, socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(50)
        listening.setblocking(False)
        site = Site(server, signed_up(server), listening)
        for name, content in (("a.docx", docx()), ("a.md", b"# A\nword\n" * 300_000)):
            assert site.add(name, content).status_code == 201  # the libraries are loaded
            site.documents()
        server.run(REMOVE)
        yield site
        site.client.close()


def ways(name: str, content: bytes) -> list[tuple[str, bytes]]:
    """Return the ways to add a file: alone, with its folders, and in a ZIP file."""
    archive = zipped({f"in a ZIP file/{name}": content, "beside/good.txt": WORDS})
    return [(name, content), (f"trips/2026/{name}", content), ("x.zip", archive)]


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_file_is_refused_or_harmless(kind: str, site: Site) -> None:
    file = HOSTILE[kind]
    before = site.start_measuring()
    for name, content in ways(file.name, file.of(site.url)):
        answer = site.add(name, content)
        told = answer.json()
        assert answer.status_code in {201, 400, 413, 422}, answer.text
        refused = [told["error"]] if "error" in told else told["refused"]
        assert all(re.search(r"[a-z] [a-z].*\.$", _words(each)) for each in refused), refused
    documents = site.documents()
    assert WORDS in [text for _pk, name, *_, text in documents if name.endswith("good.txt")]
    for document in documents:
        _check(site, *document)
    site.server.run(REMOVE)
    assert not site.was_connected()
    assert site.client.get("/healthz").status_code == 200
    wait_until(lambda: site.memory("VmRSS") < before + MAX_GROWTH_MB)  # vectors are asked for
    assert site.memory("VmHWM") < before + MAX_PEAK_MB


def _words(refusal: dict[str, Any]) -> str:
    return str(refusal.get("reason") or refusal.get("message"))


def _check(site: Site, pk: str, name: str, state: str, problem: str, text: str) -> None:
    assert (state in {"ready", "indexing"}) == (not problem)
    assert not problem or problem in FAILURES
    assert "root:" not in text
    assert "\u202e" not in name
    page = site.client.get(f"/collections/documents/{pk}/")
    assert page.status_code == 200
    policy = page.headers["Content-Security-Policy"]
    assert "script-src" in policy
    for attribute in ("src", "href", "action", "data", "content"):
        assert f'{attribute}="{site.url}' not in page.text
    assert "<script>alert" not in page.text
    saved = site.client.get(f"/collections/documents/{pk}/file/")
    if saved.status_code == 200:
        assert saved.headers["Content-Type"] == "application/octet-stream"
        assert saved.headers["Content-Disposition"].startswith("attachment")
    if problem:
        shown = unescape(site.client.get(f"/collections/{site.collection}/").text)
        assert name[:40] in shown or not name.isprintable()


def test_the_server_is_as_large_as_before_all_of_them(site: Site) -> None:
    before = site.start_measuring()
    for kind in ("a bomb", "ten thousand pages", "NUL", "ZIP with the same content often"):
        for _ in range(2):
            site.add(HOSTILE[kind].name, HOSTILE[kind].of(site.url))
            site.documents()
            site.server.run(REMOVE)
    assert site.memory("VmRSS") < before + MAX_LASTING_MB
