"""Each day of the log is sealed, and later changes to it are detected."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings as site
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from chat.review import triggers
from chat.review.access_log import audit_chain
from chat.review.access_log.audit_chain import seal_days, verify
from chat.review.models import AccessLogEntry, AuditSeal


@pytest.fixture
def days(transactional_db: None) -> list[AccessLogEntry]:
    """Create two entries three days ago, one yesterday and one now."""
    midday = datetime.combine(timezone.now().date(), datetime.min.time(), UTC)
    moments = [midday - timedelta(days=3, hours=-1), midday - timedelta(days=3, hours=-2)]
    moments += [midday - timedelta(days=2, hours=-12), timezone.now()]
    return [
        AccessLogEntry.objects.create(
            at=at, reader=1, owner=2, conversation=uuid4(), kind="read", reason="ä|b"
        )
        for at in moments
    ]


def seals_file() -> Path:
    return Path(site.AUDIT_SEALS_PATH)


def problems() -> list[str]:
    return [each.problem for each in verify() if each.problem]


def past_the_code(statement: str, *values: Any) -> None:
    """Run SQL as an attacker with the database, after dropping the triggers."""
    with connection.cursor() as cursor:
        triggers.drop_append_only(cursor, connection.vendor)
        cursor.execute(statement, values)
        triggers.make_append_only(cursor, connection.vendor)


def verified(*arguments: str) -> str:
    said = StringIO()
    call_command("verify_audit", *arguments, stdout=said)
    return said.getvalue()


def test_past_days_are_sealed_once(days: list[AccessLogEntry]) -> None:
    made = seal_days()
    assert [each.rows for each in made][:2] == [2, 1]
    assert timezone.now().date() not in {each.day for each in made}
    assert seal_days() == []
    assert problems() == []


def test_a_day_without_entries_is_not_sealed(transactional_db: None) -> None:
    assert seal_days() == []
    assert "Sealed: 0 days with 0 entries.\nNot sealed yet: 0 entries." in verified()
    assert not seals_file().exists()


TAMPERING: list[Callable[[list[AccessLogEntry]], None]] = [
    lambda rows: past_the_code(
        "UPDATE chat_accesslogentry SET reason = 'x' WHERE id = %s", rows[0].pk
    ),
    lambda rows: past_the_code(
        "UPDATE chat_accesslogentry SET reader = 9 WHERE id = %s", rows[2].pk
    ),
    lambda rows: past_the_code("DELETE FROM chat_accesslogentry WHERE id = %s", rows[1].pk),
    lambda rows: past_the_code("DELETE FROM chat_accesslogentry WHERE id <> %s", rows[3].pk),
    lambda rows: past_the_code(
        "UPDATE chat_accesslogentry SET at = %s WHERE id = %s", rows[3].at, rows[2].pk
    ),
    lambda rows: past_the_code("DELETE FROM chat_auditseal WHERE rows = %s", 1),
    lambda rows: past_the_code("UPDATE chat_auditseal SET digest = %s", "0" * 64),
    lambda rows: past_the_code(
        "UPDATE chat_accesslogentry SET at = %s WHERE id = %s", rows[0].at, rows[3].pk
    ),
]


@pytest.mark.every_variant
@pytest.mark.parametrize("tamper", TAMPERING)
def test_any_change_to_a_sealed_day_is_detected(
    days: list[AccessLogEntry], tamper: Callable[[list[AccessLogEntry]], None]
) -> None:
    seal_days()
    tamper(days)
    assert problems() != []
    with pytest.raises(CommandError, match="The audit log has been changed"):
        verified()


def test_another_key_gives_another_seal(days: list[AccessLogEntry], settings: Any) -> None:
    seal_days()
    settings.AUDIT_KEY = "another"
    assert problems() != []


def test_a_noted_seal_reveals_a_log_that_was_rewritten_and_resealed(
    days: list[AccessLogEntry],
) -> None:
    written_down = verified().split()[-1]
    assert verified("--expect", written_down)
    past_the_code("DELETE FROM chat_auditseal")
    past_the_code("UPDATE chat_accesslogentry SET reader = 9")
    with pytest.raises(CommandError, match="missing from the database"):
        verified()
    seals_file().unlink()
    assert verified()  # whoever has the database, the key and the file can do that
    with pytest.raises(CommandError, match="seal not found"):
        verified("--expect", written_down)


def test_sealed_and_unsealed_entries_are_counted(days: list[AccessLogEntry]) -> None:
    seals = seal_days()
    said = verified()
    assert f"Sealed: {len(seals)} days with 3 entries." in said
    assert "Not sealed yet: 1 entries." in said
    assert str(seals_file()) in said


def cut_off(moment: datetime) -> None:
    """Delete all seals and entries since then."""
    past_the_code("DELETE FROM chat_auditseal WHERE day >= %s", moment.date())
    past_the_code("DELETE FROM chat_accesslogentry WHERE at >= %s", moment)


def at_the_end(seals: list[AuditSeal]) -> datetime:
    return datetime.combine(seals[-1].day, datetime.min.time(), UTC)


def test_removing_the_last_seal_is_detected(days: list[AccessLogEntry]) -> None:
    cut_off(at_the_end(seal_days()))
    assert problems() == ["in the seal file, but missing from the database"]
    with pytest.raises(CommandError, match="The audit log has been changed"):
        verified()


def test_resealing_a_day_after_removing_its_seal_is_detected(
    days: list[AccessLogEntry],
) -> None:
    seals = seal_days()
    past_the_code("DELETE FROM chat_auditseal WHERE day >= %s", seals[1].day)
    past_the_code("UPDATE chat_accesslogentry SET reader = 9 WHERE id = %s", days[2].pk)
    assert len(seal_days()) == len(seals) - 1
    assert len(problems()) == len(seals) - 1  # as many as were sealed otherwise before


def test_removing_all_seals_is_detected(days: list[AccessLogEntry]) -> None:
    seals = seal_days()
    cut_off(at_the_end(seals[:1]))
    assert len(problems()) == len(seals)


def test_each_seal_is_logged(days: list[AccessLogEntry], caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", "chat.review.access_log.audit_chain"):
        (*_, last) = seal_days()
    assert f"sealed {last.day} with {last.rows} entries: {last.digest}" in caplog.messages


def test_seals_of_other_servers_are_added_to_the_file(
    days: list[AccessLogEntry], caplog: pytest.LogCaptureFixture
) -> None:
    seals = seal_days()
    seals_file().unlink()
    assert seal_days() == []
    lines = seals_file().read_text().splitlines()
    assert lines == [f"{each.day}:{each.digest}" for each in seals]
    assert "started a new seal file" in caplog.text
    assert seals_file().stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("left", [4, 10, 11, 40, 74])
def test_a_line_that_a_full_disk_has_torn_is_written_again(
    days: list[AccessLogEntry], left: int
) -> None:
    seals = seal_days()
    *whole, torn = seals_file().read_text().splitlines()
    seals_file().write_text("".join(f"{each}\n" for each in whole) + torn[:left])
    assert problems() == []
    assert seal_days() == []
    assert seals_file().read_text().splitlines() == [*whole, torn[:left], torn]
    assert problems() == []
    assert len(seals) == len(whole) + 1


def test_sealing_continues_if_the_file_cannot_be_written(
    days: list[AccessLogEntry], settings: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings.AUDIT_SEALS_PATH = tmp_path / "missing" / "seals.txt"
    assert seal_days()
    assert "couldn't be written to AUDIT_SEALS_PATH" in caplog.text


def test_two_processes_can_seal_at_the_same_time(
    days: list[AccessLogEntry], monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = audit_chain.digest_of

    def while_another_seals(day: date, last: AuditSeal | None) -> tuple[int, str]:
        rows, digest = counted(day, last)
        AuditSeal.objects.create(day=day, rows=rows, digest=digest)
        return rows, digest

    monkeypatch.setattr(audit_chain, "digest_of", while_another_seals)
    assert seal_days() == []
    monkeypatch.undo()
    assert seal_days()
    assert problems() == []


def test_entries_of_today_can_still_be_added(days: list[AccessLogEntry]) -> None:
    seal_days()
    AccessLogEntry.objects.create(reader=1, owner=2, conversation=uuid4(), kind="read")
    assert problems() == []
