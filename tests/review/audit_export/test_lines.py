"""Each entry has the same facts in files that are sent, downloads and the API."""

import json
from datetime import UTC, datetime
from uuid import UUID

import pytest

from chat.accounts.models import User
from chat.review.access_log.audit_chain import entry_digest
from chat.review.access_log.queries import LogFilter
from chat.review.access_log.staff_actions import StaffAction
from chat.review.audit_export.lines import line_of
from chat.review.models import AccessLogEntry
from chat.web.review.audit import export
from chat.web.review.service_api import audit
from tests.review.conftest import staff_context_of

AT = datetime(2026, 3, 29, 12, 30, 15, tzinfo=UTC)
FACTS = ("id", "at", "kind", "conversation", "message", "reason")


@pytest.mark.parametrize("chat", [UUID(int=7), None])
def test_the_facts_are_the_same_everywhere(administrator: User, chat: UUID | None) -> None:
    about = {"at": AT, "conversation": chat, "message": 4 if chat else None, "reason": "ünlike"}
    entry = AccessLogEntry.objects.create(reader=administrator.pk, kind="read", **about)
    action = StaffAction.objects.create(actor=administrator.pk, kind="suspended", **about)
    context, everything = staff_context_of(administrator), LogFilter()
    for row, page, pages in (
        (entry, audit.access_page, export.access_log),
        (action, audit.actions_page, export.staff_actions),
    ):
        sent = json.loads(line_of(row).text)
        told = page(context, everything, None, oldest_first=False)[0][0]
        downloaded = next(pages(context, everything))[0]
        facts = [{name: each[name] for name in FACTS} for each in (sent, told, downloaded)]
        assert facts[0] == facts[1] == facts[2]
        assert facts[0]["conversation"] == (str(chat) if chat else None)
        assert sent["digest"] == told["digest"] == entry_digest(row)


def test_the_order_of_a_line_is_what_it_was() -> None:
    row = AccessLogEntry(pk=1, reader=2, owner=9, at=AT, kind="read", conversation=UUID(int=7))
    assert line_of(row).text == (
        '{"log":"access","id":1,"at":"2026-03-29T12:30:15+00:00","kind":"read","reader":2,"owner":9,'
        '"conversation":"00000000-0000-0000-0000-000000000007","message":null,"reason":"",'
        f'"detail":"","digest":"{entry_digest(row)}"}}'
    )
