"""The token alone opens a link; all links that do not open answer the same 404."""

import hashlib
import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations import turns
from chat.conversations.models import Conversation
from chat.generations.deletion.soft_delete import delete
from chat.sharing.links import Choices, make
from chat.sharing.models import SharedLink
from tests.sharing.conftest import ask, page_of
from tests.support.web.signed_in import signed_in

pytestmark = pytest.mark.django_db
MALFORMED = ["x", "-", "a" * 43, "a" * 5000, "%00", "%ff", "..%2f", "ünï", "a.b", "a/b", "%20"]


def another_chat_of(user: User) -> Conversation:
    conversation = turns.start_conversation(user.pk)
    ask(conversation, "Why?", "Because.")
    return conversation


def nothing(token: str, client: Client | None = None) -> tuple[int, bytes, dict[str, str]]:
    """Return the response for the token, without what differs for each request."""
    response = (client or Client()).get(f"/s/{token}/", headers={"Accept": "text/html"})
    headers = {name: re.sub(r"'nonce-[^']*'", "", value) for name, value in response.items()}
    del headers["X-Request-ID"]
    return response.status_code, response.content, headers


def test_a_token_is_long_random_and_not_stored(
    conversation: Conversation, link: SharedLink
) -> None:
    other = make(conversation, Choices())
    assert len(link.token) == 43  # 256 bits
    assert link.token != other.token
    assert link.token.replace("-", "").replace("_", "").isalnum()
    assert link.digest == hashlib.sha256(link.token.encode()).hexdigest()
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM chat_sharedlink")
        assert link.token not in str(cursor.fetchall())


def test_after_a_change_of_the_secret_key_links_open_but_are_not_shown(
    browser: Client, link: SharedLink, settings: Any
) -> None:
    token = link.token
    assert token in browser.get("/shared/").content.decode()
    settings.SECRET_KEY = "another one" * 5
    assert link.token == ""
    assert Client().get(f"/s/{token}/").status_code == 200
    owner = signed_in(link.owner)
    assert "can't be shown again" in owner.get("/shared/").content.decode()


def test_every_link_that_does_not_open_gets_the_same_response(
    alice: User, conversation: Conversation, settings: Any
) -> None:
    revoked, over, deleted = (make(conversation, Choices()) for _ in range(3))
    tokens = [each.token for each in (revoked, over, deleted)]
    revoked.delete()
    SharedLink.objects.filter(pk=over.pk).update(expires_at=timezone.now())
    known = nothing(tokens[0])
    assert known[0] == 404
    assert nothing(tokens[1]) == known
    delete(conversation)
    assert nothing(tokens[2]) == known
    for token in MALFORMED:
        assert nothing(token) == known, token
    settings.SHARING = False
    assert nothing(tokens[0]) == known


def test_every_link_that_does_not_open_makes_the_same_queries(
    link: SharedLink, django_assert_num_queries: Any
) -> None:
    SharedLink.objects.filter(pk=link.pk).update(expires_at=timezone.now())
    for token in (link.token, "a" * 43, "x"):
        with django_assert_num_queries(1):
            nothing(token)


def test_a_link_expires(conversation: Conversation) -> None:
    link = make(conversation, Choices(lifetime=timedelta(days=1)))
    assert link.expires_at == link.created_at + timedelta(days=1)
    page_of(link)
    SharedLink.objects.filter(pk=link.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    page_of(link, status=404)


@pytest.mark.parametrize("days", ["1", "7", "30", ""])
def test_the_lifetime_is_the_chosen_one(
    browser: Client, conversation: Conversation, days: str
) -> None:
    last = conversation.messages.last()
    assert last
    form = {"last": last.pk, "days": days}
    browser.post(f"/chat/{conversation.pk}/sharing/", form)
    expected = timedelta(days=int(days)) if days else None
    assert SharedLink.objects.get().lifetime == expected


def test_deleting_the_chat_or_the_account_revokes_links(
    alice: User, conversation: Conversation, link: SharedLink
) -> None:
    other = make(another_chat_of(alice), Choices())
    delete(conversation)
    page_of(link, status=404)
    page_of(other)
    alice.delete()
    page_of(other, status=404)
    assert not SharedLink.objects.exists()


def test_links_of_an_inactive_account_do_not_open(alice: User, link: SharedLink) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    page_of(link, status=404)


def test_with_sharing_turned_off_pages_answer_404(
    browser: Client, conversation: Conversation, link: SharedLink, settings: Any
) -> None:
    settings.SHARING = False
    page_of(link, status=404)
    page_of(link, browser, status=404)
    paths = [f"/chat/{conversation.pk}/sharing/", "/shared/", f"/s/{link.token}/continuation/"]
    for path in paths:
        assert browser.get(path).status_code == 404
    for path in (*paths[::2], f"/shared/{link.pk}/update/", f"/shared/{link.pk}/revocation/"):
        assert browser.post(path).status_code == 404
    assert SharedLink.objects.count() == 1
    page = browser.get(f"/chat/{conversation.pk}/").content.decode()
    assert "/sharing/" not in page
    assert "/shared/" not in page
    assert 'id="sharing"' not in page
    settings.SHARING = True
    page_of(link)


def test_staff_find_a_link_by_its_url_and_revoke_it(
    conversation: Conversation, link: SharedLink
) -> None:
    other = make(conversation, Choices())
    admin = Client()
    superuser = User.objects.create_superuser("root@example.org", "tide table")
    admin.force_login(superuser)
    address = f"https://chat.example.org/s/{link.token}/"
    page = admin.get("/admin/chat/sharedlink/", {"q": address}).content.decode()
    assert str(link.pk) in page
    assert str(other.pk) not in page
    for owner, is_found in (("alice@", True), ("bob@", False)):
        page = admin.get("/admin/chat/sharedlink/", {"q": owner}).content.decode()
        assert (str(link.pk) in page) == is_found
    one = f"/admin/chat/sharedlink/{link.pk}"
    assert "It is hard." not in admin.get(f"{one}/change/").content.decode()
    admin.post(f"{one}/delete/", {"post": "yes", "reason": "It was agreed so"})
    page_of(link, status=404)
    page_of(other)
