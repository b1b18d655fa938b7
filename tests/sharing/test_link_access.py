"""The holder of a link can read the shared chat, and nothing else."""

import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.sharing.models import SharedLink
from tests.sharing.conftest import page_of
from tests.support.web.access_matrix import routes
from tests.support.web.signed_in import signed_in

pytestmark = pytest.mark.django_db
VERBS = ["post", "put", "patch", "delete", "options", "trace"]


class Named(dict[str, Any]):
    """Leave unknown placeholders unchanged."""

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


def everything() -> list[Any]:
    """Return all rows of alice."""
    return [
        *Conversation.objects.order_by("pk").values_list("pk", "title", "owner"),
        *Message.objects.order_by("pk").values_list("pk", "text", "parent"),
        *SharedLink.objects.order_by("pk").values_list("pk", "digest", "turns", "opened"),
    ]


@pytest.fixture(params=["nobody", "bob"])
def holder(request: pytest.FixtureRequest) -> Client:
    """Return a client with the link that is not alice's."""
    return signed_in(request.getfixturevalue("bob")) if request.param == "bob" else Client()


@pytest.mark.parametrize("verb", VERBS)
def test_no_method_changes_the_shared_page(holder: Client, link: SharedLink, verb: str) -> None:
    before = everything()
    response = getattr(holder, verb)(f"/s/{link.token}/")
    assert response.status_code == 405
    assert everything() == before


@pytest.mark.every_variant
@pytest.mark.parametrize("verb", VERBS)
def test_the_token_gives_access_to_nothing_else(
    holder: Client, conversation: Conversation, link: SharedLink, verb: str
) -> None:
    """Try every route with each ID or token that the holder has or might guess."""
    before = everything()
    message = conversation.messages.first()
    assert message
    named = {"conversation": conversation.pk, "message": message.pk, "link": link.pk}
    for route in set(routes(get_resolver().url_patterns)):
        if "{" not in route or not route.startswith(("chat/", "shared/", "s/", "generations/")):
            continue
        for token in (link.token, str(link.pk), link.digest):
            path = "/" + re.sub(r"{\w+}", token, route.format_map(Named(named)))
            if path == f"/s/{link.token}/continuation/":
                continue  # what a holder may do; it has tests of its own
            answer = getattr(holder, verb)(path, {"last": message.pk}, headers={"X-Link": token})
            assert answer.status_code in {302, 401, 403, 404, 405, 415}, (path, verb)
            if answer.status_code == 302:
                assert answer["Location"].startswith("/accounts/login/"), path
    assert everything() == before


def test_a_digest_or_an_id_is_not_a_token(holder: Client, link: SharedLink) -> None:
    for guess in (link.digest, link.pk, link.pk.hex, link.token.lower(), link.token[:-1]):
        assert holder.get(f"/s/{guess}/").status_code == 404


def test_another_member_cannot_see_revoke_or_renew_a_link(
    bob_browser: Client, conversation: Conversation, link: SharedLink
) -> None:
    page = bob_browser.get("/shared/").content.decode()
    assert "No shared links yet." in page
    assert link.token not in page
    for path in (f"/shared/{link.pk}", f"/shared/{uuid.uuid4()}"):
        assert bob_browser.post(f"{path}/revocation/").status_code == 404
        assert bob_browser.post(f"{path}/update/").status_code == 404
    assert bob_browser.get(f"/chat/{conversation.pk}/sharing/").status_code == 404
    page_of(link)


def test_another_members_message_cannot_be_shared(
    bob: User, bob_browser: Client, conversation: Conversation
) -> None:
    """One's own chat with the ID of another chat's message."""
    own = Conversation.objects.create(owner=bob)
    message = conversation.messages.last()
    assert message
    answer = bob_browser.post(f"/chat/{own.pk}/sharing/", {"last": message.pk})
    assert answer.status_code == 404
    assert not SharedLink.objects.exists()


def test_the_owner_sees_and_revokes_a_link(
    browser: Client, conversation: Conversation, link: SharedLink
) -> None:
    for path in ("/shared/", f"/chat/{conversation.pk}/sharing/"):
        assert f"http://testserver/s/{link.token}/" in browser.get(path).content.decode()
    answer = browser.post(f"/shared/{link.pk}/revocation/", follow=True)
    assert answer.redirect_chain == [("/shared/", 302)]
    assert "Link revoked." in answer.content.decode()
    page_of(link, status=404)


def test_without_scripts_forms_return_to_the_page_they_came_from(
    browser: Client, conversation: Conversation, link: SharedLink
) -> None:
    here = f"/chat/{conversation.pk}/sharing/"
    for verb in ("update", "revocation"):
        answer = browser.post(f"/shared/{link.pk}/{verb}/", {"from": "chat"})
        assert answer["Location"] == here
    last = conversation.messages.last()
    assert last
    made = browser.post(here, {"last": last.pk, "from": "chat"}, follow=True)
    assert made.redirect_chain == [(here, 302)]
    assert "Link created." in made.content.decode()


def test_openings_by_others_are_counted(
    browser: Client, bob_browser: Client, link: SharedLink
) -> None:
    for client in (Client(), bob_browser, browser):
        page_of(link, client)
    Client().head(f"/s/{link.token}/")
    assert "Opened 2 times." in browser.get("/shared/").content.decode()


def test_the_page_is_not_cached_indexed_framed_or_named_in_referrers(link: SharedLink) -> None:
    answer = Client().get(f"/s/{link.token}/")
    assert "no-store" in answer["Cache-Control"]
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer["X-Robots-Tag"].startswith("noindex")
    assert answer["X-Frame-Options"] == "DENY"
    assert not answer.cookies
    policy = answer["Content-Security-Policy"]
    for rule in ("frame-ancestors 'none'", "connect-src 'none'", "trusted-types 'none'"):
        assert rule in policy
    assert "unsafe" not in policy
    assert '<meta name="robots" content="noindex' in answer.content.decode()


def test_the_page_is_in_the_readers_language(link: SharedLink) -> None:
    page = Client().get(f"/s/{link.token}/", headers={"Accept-Language": "ar"}).content.decode()
    assert '<html lang="ar" dir="rtl"' in page
