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
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        prepared = [statement for (statement,) in cursor.fetchall()]
    assert any('"title" = $' in statement for statement in prepared)
