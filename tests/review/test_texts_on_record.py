"""No staff page shows a member's text without an entry in the access log."""

import re
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.conversations.models import Conversation, Message
from chat.generations.models import Generation
from chat.review.models import AccessLogEntry
from tests.review.conftest import SENTINEL, only_message
from tests.support.variants import later
from tests.support.web.access_matrix import ALL
from tests.support.web.access_paths import body_of, state_reason

REVIEW = [route for route in ALL if route.startswith("review/")]

QUERIES: list[dict[str, Any]] = [
    {}, {"q": SENTINEL}, {"q": "answered"}, {"state": "stopped"}, {"person": "alice"},
    {"at": "MESSAGE"}, {"before": "MESSAGE"}, {"flag": "report"}, {"state": "all", "text": "1"},
]  # fmt: skip


#: Pages that also take a query.
QUERIED = [
    "review/",
    "review/find/",
    "review/live/",
    "review/queue/",
    "review/queue/export.{kind}",
    "review/{conversation}/",
    "review/people/{key}/",
]


def address(route: str, chat: Conversation, message: Message) -> str:
    path = "/" + route.replace("{conversation}", str(chat.pk)).replace("{kind}", "json")
    path = path.replace("{message}", str(message.pk))
    path = path.replace("export.json", "export.jsonl") if "queue" in path else path
    path = path.replace("{generation}", str(Generation.objects.get().pk))
    return re.sub(r"\{[^}]*\}|\(\?P", str(chat.owner_id), path).replace(")", "")


#: Reviewers, in scope and out of it; then the lead and the administrator, who may read everything.
REVIEWERS, OTHERS = (0, 1), (2, 3)


@pytest.mark.every_variant
@pytest.mark.parametrize(
    ("query", "whose"),
    [
        *((query, REVIEWERS) for query in QUERIES),
        (QUERIES[0], OTHERS),
        *later(*((query, OTHERS) for query in QUERIES[1:])),
    ],
    ids=str,
)
async def test_no_staff_page_shows_a_members_text_without_a_log_entry(
    query: dict[str, str], whose: tuple[int, ...], hers: Conversation, staff: list[AsyncClient]
) -> None:
    message = await sync_to_async(only_message)(hers)
    asked = {name: str(message.pk) if v == "MESSAGE" else v for name, v in query.items()}
    for number in whose:
        who = staff[number]
        await state_reason(who)
        for route in QUERIED if query else REVIEW:
            path = await sync_to_async(address)(route, hers, message)
            before = await AccessLogEntry.objects.acount()
            shown = await body_of(await who.get(path, asked))
            # Their own query is on the page, too.
            for own in (
                f'value="{SENTINEL}"',
                f"<bdi>{SENTINEL}</bdi>",
                f"q={SENTINEL}",
                f"q%3D{SENTINEL}",
            ):
                shown = shown.replace(own, "")
            if SENTINEL in shown:
                assert number != 1, f"out of scope: {path}"
                assert await AccessLogEntry.objects.acount() > before, path


async def test_no_other_page_shows_staff_a_members_text(
    hers: Conversation, staff: list[AsyncClient]
) -> None:
    message = await sync_to_async(only_message)(hers)
    for who in (staff[0], staff[-1]):
        await state_reason(who)
        for route in ALL:
            if not route.startswith(("review/", "admin/")):  # the admin is shut for them
                path = await sync_to_async(address)(route, hers, message)
                assert SENTINEL not in await body_of(await who.get(path)), path


def test_pages_with_queries_are_in_the_matrix() -> None:
    assert set(QUERIED) <= set(REVIEW)


async def test_the_sentinel_is_on_the_pages_that_are_searched(
    hers: Conversation, staff: list[AsyncClient]
) -> None:
    """Otherwise the test above could not fail."""
    await state_reason(staff[0])
    for path in ("/review/", f"/review/{hers.pk}/", "/review/?q=answered", "/review/queue/"):
        assert SENTINEL in (await staff[0].get(path)).content.decode()
    await state_reason(staff[2])
    for kind in ("csv", "jsonl"):
        path = f"/review/queue/export.{kind}"
        assert SENTINEL in await body_of(await staff[2].get(path, {"text": "1"}))
        assert SENTINEL not in await body_of(await staff[2].get(path))
        assert (await staff[0].get(path, {"text": "1"})).status_code == 404
