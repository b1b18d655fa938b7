"""What staff read is recorded, so what cannot be recorded is not shown."""

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.conversations.models import Conversation
from chat.review.models import AccessLogEntry
from tests.review.conftest import SENTINEL
from tests.support.database.database_faults import HOW, NO_WRITES, during
from tests.support.web.access_matrix import ALL
from tests.support.web.access_paths import body_of, path_to, state_reason

HTML = {"Accept": "text/html"}
#: These record each running answer that they list; here none is running.
LISTS = {"/review/live/", "/review/live/now/"}


async def paths_of(chat: Conversation) -> list[str]:
    routes = [each for each in ALL if each.startswith("review/")]
    for theirs, ours in (("people/{key}", "people/{person}"), ("sites/{key}", "sites/{site}")):
        routes = [each.replace(theirs, ours) for each in routes]
    return [await sync_to_async(path_to)(route, chat) for route in routes]


async def entries_for(client: AsyncClient, path: str) -> tuple[int, int]:
    """Return the status of a page, and how many entries the access log gets for it."""
    before = await AccessLogEntry.objects.acount()
    response = await client.get(path, headers=HTML)
    await body_of(response)
    return response.status_code, await AccessLogEntry.objects.acount() - before


@pytest.mark.parametrize("how", HOW)
async def test_only_pages_that_need_no_entry_are_shown_while_nothing_can_be_written(
    how: str, hers: Conversation, staff: list[AsyncClient]
) -> None:
    administrator = staff[3]
    await state_reason(administrator)
    due = {path: await entries_for(administrator, path) for path in await paths_of(hers)}
    recorded = [path for path, (status, entries) in due.items() if status == 200 and entries]
    assert f"/review/{hers.pk}/" in recorded
    wrong = []
    async with during(NO_WRITES[how]()):
        for path, (status, entries) in due.items():
            response = await administrator.get(path, headers=HTML)
            shown = await body_of(response)
            assert SENTINEL not in shown, path
            usual = {503 if status == 200 and entries else status}
            usual |= {503} if path in LISTS else set()
            if response.status_code not in usual:
                wrong.append((path, response.status_code, status, entries))
            if response.status_code == 503:
                assert "right now" in shown, path
                assert int(response["Retry-After"]) > 0
    assert wrong == []
