"""Each day of the record is sealed; whatever is done to its rows afterwards shows."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from chat.review import triggers
from chat.review.models import Read
from chat.review.sealing import seal_days, verify


@pytest.fixture
def days(transactional_db: None) -> list[Read]:
    """Two rows three days ago, one yesterday, one now."""
    midday = datetime.combine(timezone.now().date(), datetime.min.time(), UTC)
    moments = [midday - timedelta(days=3, hours=-1), midday - timedelta(days=3, hours=-2)]
    moments += [midday - timedelta(days=2, hours=-12), timezone.now()]
    return [
        Read.objects.create(
            at=at, reader=1, owner=2, conversation=uuid4(), kind="read", reason="ä|b"
        )
        for at in moments
    ]


def problems() -> list[str]:
    return [each.problem for each in verify() if each.problem]


def past_the_code(statement: str, *values: Any) -> None:
    """As somebody would who has the database, and has taken its triggers away."""
    with connection.cursor() as cursor:
        triggers.let_record_go(cursor, connection.vendor)
        cursor.execute(statement, values)
        triggers.make_record_stay(cursor, connection.vendor)


def verified(*arguments: str) -> str:
    said = StringIO()
    call_command("verify_audit", *arguments, stdout=said)
    return said.getvalue()


def test_days_that_are_over_are_sealed_once(days: list[Read]) -> None:
    made = seal_days()
    assert [each.rows for each in made][:2] == [2, 1]
    assert timezone.now().date() not in {each.day for each in made}
    assert seal_days() == []
    assert problems() == []


def test_without_a_row_there_is_nothing_to_seal(transactional_db: None) -> None:
    assert seal_days() == []
    assert "as it was sealed; 0 rows" in verified()


TAMPERING: list[Callable[[list[Read]], None]] = [
    lambda rows: past_the_code("UPDATE chat_read SET reason = 'x' WHERE id = %s", rows[0].pk),
    lambda rows: past_the_code("UPDATE chat_read SET reader = 9 WHERE id = %s", rows[2].pk),
    lambda rows: past_the_code("DELETE FROM chat_read WHERE id = %s", rows[1].pk),
    lambda rows: past_the_code("DELETE FROM chat_read WHERE id <> %s", rows[3].pk),
    lambda rows: past_the_code(
        "UPDATE chat_read SET at = %s WHERE id = %s", rows[3].at, rows[2].pk
    ),
    lambda rows: past_the_code("DELETE FROM chat_seal WHERE rows = %s", 1),
    lambda rows: past_the_code("UPDATE chat_seal SET digest = %s", "0" * 64),
    lambda rows: past_the_code(
        "UPDATE chat_read SET at = %s WHERE id = %s", rows[0].at, rows[3].pk
    ),
]


@pytest.mark.parametrize("tamper", TAMPERING)
def test_whatever_is_done_to_a_sealed_day_shows(
    days: list[Read], tamper: Callable[[list[Read]], None]
) -> None:
    seal_days()
    tamper(days)
    assert problems() != []
    with pytest.raises(CommandError, match="The record was changed"):
        verified()


def test_another_key_makes_another_seal(days: list[Read], settings: Any) -> None:
    seal_days()
    settings.AUDIT_KEY = "another"
    assert problems() != []


def test_a_seal_that_was_written_down_shows_a_record_made_anew(days: list[Read]) -> None:
    written_down = verified().split()[-1]
    assert verified("--expect", written_down)
    past_the_code("DELETE FROM chat_seal")
    past_the_code("UPDATE chat_read SET reader = 9")
    assert verified()  # whoever has the key can do that
    with pytest.raises(CommandError, match="no such seal"):
        verified("--expect", written_down)


def test_rows_of_today_may_still_come(days: list[Read]) -> None:
    seal_days()
    Read.objects.create(reader=1, owner=2, conversation=uuid4(), kind="read")
    assert problems() == []
