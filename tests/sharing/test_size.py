"""A shared link takes as much disk space as its text."""

import pytest
from django.db import connection

from chat.sharing.models import SharedLink

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("letter", ["漢", "я", "🌊"])
def test_letters_of_any_script_are_stored_unescaped(link: SharedLink, letter: str) -> None:
    said = letter * 1000
    link.turns = [{"role": "user", "text": said}]
    link.save()
    link.refresh_from_db()
    assert link.turns == [{"role": "user", "text": said}]
    with connection.cursor() as cursor:
        cursor.execute("SELECT CAST(turns AS text) FROM chat_sharedlink")
        [[stored]] = cursor.fetchall()
    assert len(stored.encode()) < len(said.encode()) + 100
