"""PostgreSQL parses and plans a statement once for each connection, not each time it runs."""

import pytest
from django.db import connection

from chat.accounts.models import User
from chat.conversations.models import Conversation

pytestmark = pytest.mark.skipif(connection.vendor != "postgresql", reason="PostgreSQL's own")


@pytest.mark.django_db
def test_a_repeated_query_is_prepared(alice: User) -> None:
    for _ in range(5):
        assert not Conversation.objects.filter(owner=alice, title="a repeated query").exists()
    assert any('"title" = $' in statement for statement in prepared())


@pytest.mark.django_db
def test_a_statement_is_the_same_for_small_and_large_numbers() -> None:
    with connection.cursor() as cursor:
        for number in (1, 40_000, 2, 70_000, 3):
            cursor.execute("SELECT %s + 1 AS a_number_and_one", [number])
            assert cursor.fetchall() == [(number + 1,)]
        cursor.execute("SELECT %s + 1", [2**40])
        assert cursor.fetchall() == [(2**40 + 1,)]
    assert len([each for each in prepared() if "a_number_and_one" in each]) == 1


def prepared() -> list[str]:
    """Return the statements that the server has prepared for this connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        return [statement for (statement,) in cursor.fetchall()]
