"""One process writes a visitor's answer; staff watch it and take over in another process."""

import re
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.server import two_processes
from tests.support.widget.visitor_processes import SETTINGS, Visit

ENLIST = """
from django.contrib.auth.models import Permission
from django.test import Client
from chat.accounts.models import User
adam = User.objects.create_user("adam@example.org", None)
adam.user_permissions.add(Permission.objects.get(codename="administer_review"))
client = Client()
client.force_login(adam)
print(client.cookies["sessionid"].value)
"""
CSRF = "a" * 32

pytestmark = pytest.mark.long


@pytest.fixture
def visit(tmp_path: Path) -> Iterator[Visit]:
    quiet = SETTINGS | {"REVIEW_REASON_MINUTES": "0", "VISITOR_ABANDONED_AFTER_SECONDS": "0"}
    with two_processes(tmp_path, **quiet) as (here, there):
        visit = Visit(here, there)
        with visit.client:
            yield visit


@pytest.fixture
def adam(visit: Visit) -> Iterator[httpx.Client]:
    session = visit.here.manage("shell", "--verbosity=0", "--command", ENLIST).strip()
    cookies = {"sessionid": session, "csrftoken": CSRF}
    headers = {"X-CSRFToken": CSRF}
    with httpx.Client(
        base_url=visit.there.url, cookies=cookies, headers=headers, timeout=30
    ) as client:
        yield client


def test_staff_watch_and_take_over_in_another_process(visit: Visit, adam: httpx.Client) -> None:
    base = f"/w/{visit.key}"
    body = {"key": uuid.uuid4().hex, "text": "/long 2000"}
    with visit.client.stream("POST", f"{visit.here.url}{base}/messages", json=body) as answer:
        chat, generation = answer.headers["X-Conversation-Id"], answer.headers["X-Generation-Id"]
        chunks = answer.iter_bytes()
        seen = next(chunks)
        with adam.stream("GET", f"/review/{chat}/live/{generation}/") as watched:
            assert watched.status_code == 200
            pieces = watched.iter_bytes()
            first = b""
            while first.count(b'"response"') < 5:
                first += next(pieces)
            assert (
                adam.post(
                    f"/review/{chat}/takeover/", data={"reason": "She asks for a person"}
                ).status_code
                == 302
            )
            rest = first + b"".join(pieces)
        seen += b"".join(chunks)
    for read in (seen, rest):
        assert b"stopped_by_takeover" in read
        assert read.rstrip().endswith(b"[DONE]")
    words = [re.findall(rb'"response": ?"([^"]+)"', read) for read in (seen, rest)]
    assert words[0] == words[1]
    said = {"text": "Hello from here", "key": uuid.uuid4().hex}
    adam.post(f"/review/{chat}/turns/", data=said, headers={"Accept": "application/json"})
    place = f"{visit.here.url}{base}/conversations/{chat}"
    assert visit.client.get(f"{place}/person").json()["person"]
    turn = visit.client.get(place).json()["turns"][-1]
    assert (turn["text"], turn["is_person"]) == ("Hello from here", True)
    body = {"key": uuid.uuid4().hex, "text": "Thank you"}
    told = visit.client.post(f"{visit.here.url}{base}/{chat}/messages", json=body)
    assert told.status_code == 204
    deadline = time.monotonic() + PATIENCE_SECONDS
    news: list[str] = []
    while "Thank you" not in news and time.monotonic() < deadline:
        found = adam.get(f"/review/{chat}/updates/?after={turn['id']}").json()
        news = [each["text"] for each in found["turns"]]
    assert news == ["Thank you"]
