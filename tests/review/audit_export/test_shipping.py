"""Each entry of the audit log is sent, in order and at least once, and nobody waits for it."""

import json
import re
import socket
import stat
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core import mail
from django.utils import timezone
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.review import access
from chat.review.access_log import audit_chain
from chat.review.access_log.staff_actions import StaffAction
from chat.review.audit_export import shipping
from chat.review.audit_export.models import AuditExport
from chat.review.models import AccessLogEntry, AuditSeal
from chat.review.staff_notices.models import StaffNotice
from tests.review.audit_export.conftest import read
from tests.review.conftest import SENTINEL, give, staff_context_of
from tests.support.outbox import deliver
from tests.support.review.syslog_server import Received, tcp_server, udp_server
from tests.support.servers.server import free_port
from tests.support.wait_for import until

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")
#: PRI, version, time, host, program, process, message ID and no structured data (RFC 5424).
HEAD = re.compile(
    rb"<110>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00 [!-~]+ runnel \d+ (\w+) - (.+)"
)


def lines_in(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def numbers(lines: list[dict[str, Any]], log: str = "access") -> list[int]:
    return [each["id"] for each in lines if each["log"] == log]


async def test_entries_actions_and_seals_come_once_with_their_digests(
    alice: User, lead: User, file: Path
) -> None:
    long_ago = timezone.now() - timedelta(days=2)
    entry = await sync_to_async(read)(lead, alice, reason="Grüße\nund mehr", at=long_ago)
    action = await StaffAction.objects.acreate(actor=lead.pk, person=alice.pk, kind="warned")
    await sync_to_async(audit_chain.seal_days)()
    for _time in range(3):
        await shipping.ship_due()
    lines = lines_in(file)
    assert numbers(lines) == [entry.pk]
    assert action.pk in numbers(lines, "action")
    found = next(each for each in lines if each["log"] == "access")
    assert (found["reader"], found["owner"], found["reason"]) == (lead.pk, alice.pk, entry.reason)
    assert found["digest"] == audit_chain.entry_digest(entry)
    seals = [(each["day"], each["digest"]) for each in lines if each["log"] == "seal"]
    stored = [
        (each.day.isoformat(), each.digest) async for each in AuditSeal.objects.order_by("pk")
    ]
    assert seals == stored
    assert stat.S_IMODE(file.stat().st_mode) & 0o007 == 0


async def test_new_entries_follow_after_those_that_were_sent(
    alice: User, lead: User, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shipping, "AT_ONCE", 2)
    due = []
    for _round in range(2):
        for _number in range(5):
            due.append((await sync_to_async(read)(lead, alice)).pk)
        await shipping.ship_due()
    assert numbers(lines_in(file)) == due


async def test_no_line_has_text_of_a_chat(hers: Conversation, lead: User, file: Path) -> None:
    context = await sync_to_async(staff_context_of)(lead)
    await sync_to_async(access.read_branch)(context, hers.pk)
    await shipping.ship_due()
    assert "A report of today" in file.read_text()
    assert SENTINEL not in file.read_text()


@pytest.mark.parametrize(("scheme", "server"), [("syslog", udp_server), ("syslog+tcp", tcp_server)])
async def test_syslog_gets_messages_of_rfc_5424(
    scheme: str, server: Callable[[], Any], alice: User, lead: User, settings: Settings
) -> None:
    entry = await sync_to_async(read)(lead, alice, reason="Grüße\n<110>1 forged")
    with server() as received:
        settings.AUDIT_LOG_TO = f"{scheme}://127.0.0.1:{received.port}"
        await shipping.ship_due()
        await until(lambda: any(b'"access"' in each for each in received.messages))
    found = [HEAD.fullmatch(each) for each in received.messages]
    assert all(found)
    texts = [json.loads(each[2]) for each in found if each]
    assert [each[1].decode() for each in found if each] == [each["log"] for each in texts]
    assert [each["reason"] for each in texts if each["log"] == "access"] == [entry.reason]


async def test_the_machines_own_socket_gets_them(
    alice: User, lead: User, settings: Settings, tmp_path: Path
) -> None:
    await sync_to_async(read)(lead, alice)
    path = tmp_path / "log"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as log:
        log.bind(str(path))
        log.settimeout(5)
        settings.AUDIT_LOG_TO = f"syslog://{path}"
        await shipping.ship_due()
        assert HEAD.fullmatch(log.recv(65_536))


async def test_while_the_server_is_away_staff_work_and_entries_wait(
    hers: Conversation, lead: User, settings: Settings
) -> None:
    port = free_port()
    settings.AUDIT_LOG_TO = f"syslog+tcp://127.0.0.1:{port}"
    context = await sync_to_async(staff_context_of)(lead)
    for _time in range(3):
        await sync_to_async(access.read_branch)(context, hers.pk)
        await shipping.ship_due()
    stored = await AuditExport.objects.aget()
    assert stored.access == 0
    assert stored.failing_since
    assert "Connection refused" in stored.error
    with tcp_server(port) as received:
        await shipping.ship_due()
        assert received.messages == []  # it waits for a minute after a failure
        await AuditExport.objects.aupdate(claimed_until=None)
        await shipping.ship_due()
    reads = [each for each in received.messages if b'"access"' in each]
    assert len(reads) == await AccessLogEntry.objects.acount() == 3
    stored = await AuditExport.objects.aget()
    assert (stored.failing_since, stored.error) == (None, "")


async def test_what_a_server_reset_is_sent_again(
    alice: User, lead: User, settings: Settings
) -> None:
    entry = await sync_to_async(read)(lead, alice)
    with tcp_server(breaks_off=True) as first:
        settings.AUDIT_LOG_TO = f"syslog+tcp://127.0.0.1:{first.port}"
        await shipping.ship_due()
    assert (await AuditExport.objects.aget()).access == 0
    await AuditExport.objects.aupdate(claimed_until=None)
    with tcp_server() as second:
        settings.AUDIT_LOG_TO = f"syslog+tcp://127.0.0.1:{second.port}"
        await shipping.ship_due()
    assert sent_ids(second) == [entry.pk]


def sent_ids(received: Received) -> list[int]:
    lines = [json.loads(each.partition(b" - ")[2]) for each in received.messages]
    return numbers(lines)


async def test_one_process_sends_at_a_time(alice: User, lead: User, file: Path) -> None:
    await sync_to_async(read)(lead, alice)
    assert await sync_to_async(shipping._claim)()
    assert not await sync_to_async(shipping._claim)()
    await shipping.ship_due()
    assert not file.exists()
    # The process died: its claim ends.
    await AuditExport.objects.aupdate(claimed_until=timezone.now() - timedelta(seconds=1))
    await shipping.ship_due()
    assert len(numbers(lines_in(file))) == 1


def test_a_process_that_lost_its_claim_moves_the_position_back_for_none(
    alice: User, lead: User
) -> None:
    read(lead, alice)
    assert shipping._claim()
    slow = shipping._next_batch()
    AuditExport.objects.update(access=slow.positions["access"] + 5)  # by the one that took over
    shipping._advance(slow)
    assert AuditExport.objects.get().access == slow.positions["access"] + 5


def test_an_entry_that_may_still_come_is_waited_for(
    lead: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shipping, "GAP_SETTLES", timedelta(minutes=10))
    now = timezone.now()
    old = now - shipping.GAP_SETTLES - timedelta(seconds=1)
    rows = [
        AccessLogEntry(pk=number, reader=lead.pk, kind="read", at=at)
        for number, at in ((1, now), (2, now), (4, now), (5, now))
    ]
    assert [each.pk for each in shipping._without_gaps(rows, 0, "at")] == [1, 2]
    for row in rows:
        row.at = old
    assert [each.pk for each in shipping._without_gaps(rows, 0, "at")] == [1, 2, 4, 5]
    assert shipping._without_gaps(rows, 0, "at") == rows


async def test_a_line_that_a_crash_cut_spoils_no_other(alice: User, lead: User, file: Path) -> None:
    file.write_text('{"log":"acc')
    entry = await sync_to_async(read)(lead, alice)
    await shipping.ship_due()
    cut, *whole = file.read_text().splitlines()
    assert cut == '{"log":"acc'
    assert entry.pk in numbers([json.loads(each) for each in whole])


async def test_a_rotated_file_is_begun_anew(alice: User, lead: User, file: Path) -> None:
    await sync_to_async(read)(lead, alice)
    await shipping.ship_due()
    file.rename(file.with_suffix(".1"))
    entry = await sync_to_async(read)(lead, alice)
    await shipping.ship_due()
    assert numbers(lines_in(file)) == [entry.pk]


async def test_nothing_happens_without_the_setting(alice: User, lead: User) -> None:
    await sync_to_async(read)(lead, alice)
    await shipping.ship_due()
    assert not await AuditExport.objects.aexists()


async def test_auditors_are_told_once_of_a_lasting_failure(
    alice: User, lead: User, administrator: User, settings: Settings
) -> None:
    otto = await sync_to_async(User.objects.create_user)("otto@example.org", "tide table")
    await sync_to_async(give)(otto, "view_audit_log")
    await sync_to_async(read)(lead, alice)
    settings.AUDIT_LOG_TO = f"syslog+tcp://127.0.0.1:{free_port()}"
    await shipping.ship_due()
    tell = sync_to_async(shipping.tell_of_failure)
    assert not await tell()
    before = timezone.now() - timedelta(minutes=61)
    await AuditExport.objects.aupdate(failing_since=before)
    assert [await tell(), await tell()] == [True, False]
    told = {each.person_id async for each in StaffNotice.objects.all()}
    assert told == {otto.pk, administrator.pk}
    await deliver()
    assert {each.to[0] for each in mail.outbox} == {otto.email, administrator.email}
    assert "The audit log doesn" in mail.outbox[0].subject
    assert "/review/audit/" in str(mail.outbox[0].body)
    with tcp_server() as received:
        settings.AUDIT_LOG_TO = f"syslog+tcp://127.0.0.1:{received.port}"
        await AuditExport.objects.aupdate(claimed_until=None)
        await shipping.ship_due()
    assert (await AuditExport.objects.aget()).told_at is None
