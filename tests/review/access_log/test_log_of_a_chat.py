"""The log leads to the chats that were read, and a chat to who read it."""

from chat.accounts.models import User
from tests.review.conftest import say
from tests.support.review.member_pages import client_of, text_of


def test_a_chat_and_its_entries_lead_to_each_other(alice: User, lead: User) -> None:
    client = client_of(lead)
    client.post("/review/reason/", {"reason": "A report of today", "next": "/review/"})
    chats = [say(alice, title, "Water") for title in ("Rivers", "Lakes")]
    for chat in chats:
        page = text_of(client, f"/review/{chat.pk}/")
        assert f'href="/review/audit/?chat={chat.pk}">Who read this chat' in page
    log = text_of(client, "/review/audit/", chat=str(chats[0].pk))
    assert f'href="/review/{chats[0].pk}/' in log
    assert f"/review/{chats[1].pk}/" not in log
    assert "Only entries about one chat." in log
    assert client.get("/review/audit/?chat=x").status_code == 422
