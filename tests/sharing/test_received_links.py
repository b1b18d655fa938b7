"""Members find what others have shared with them, and are told of it once."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group
from django.test import Client

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.generations.deletion.soft_delete import delete
from chat.import_export.account_files import account_files
from chat.sharing.links import Choices, make
from chat.sharing.models import LinkRecipient, SharedLink
from chat.sharing.recipients import Recipients
from tests.sharing.conftest import page_of

pytestmark = pytest.mark.django_db
LIST, NOTICE = "/shared/with-me/", "Somebody has shared a chat with you."


def shared_with(conversation: Conversation, user: User, *groups: Group) -> SharedLink:
    EmailAddress.objects.get_or_create(user=user, email=user.email, verified=True)
    emails = () if groups else (user.email,)
    chosen = Recipients(is_restricted=True, emails=emails, groups=groups)
    return make(conversation, Choices(recipients=chosen))


def listed(client: Client) -> str:
    return client.get(LIST).content.decode()


def test_a_recipient_finds_the_chat_and_who_shared_it(
    bob: User, bob_browser: Client, conversation: Conversation
) -> None:
    link = shared_with(conversation, bob)
    page = listed(bob_browser)
    assert f'href="/s/{link.token}/"' in page
    assert "What is water?" in page
    assert "Alice" in page
    assert "shared by <bdi>Alice</bdi>" in page_of(link, bob_browser)


def test_links_for_anyone_are_in_nobodys_list(
    bob_browser: Client, browser: Client, bob: User, conversation: Conversation
) -> None:
    public, own = make(conversation, Choices()), shared_with(conversation, bob)
    assert public.token not in listed(bob_browser)
    assert own.token not in listed(browser)
    assert "Nothing yet." in listed(browser)


def test_it_is_gone_from_the_list_with_the_chat(
    bob: User, bob_browser: Client, conversation: Conversation
) -> None:
    link = shared_with(conversation, bob)
    delete(conversation)
    assert link.token not in listed(bob_browser)


def test_the_page_of_a_new_chat_tells_until_the_list_was_seen(
    bob: User, bob_browser: Client, conversation: Conversation
) -> None:
    assert NOTICE not in bob_browser.get("/chat/").content.decode()
    shared_with(conversation, bob)
    assert NOTICE in bob_browser.get("/chat/").content.decode()
    bob_browser.head(LIST)
    assert NOTICE in bob_browser.get("/chat/").content.decode()
    listed(bob_browser)
    assert NOTICE not in bob_browser.get("/chat/").content.decode()
    choir = Group.objects.create(name="Choir")
    bob.groups.add(choir)
    shared_with(conversation, bob, choir)
    assert NOTICE in bob_browser.get("/chat/").content.decode()


def test_recipients_take_themselves_out(
    bob: User, bob_browser: Client, conversation: Conversation
) -> None:
    link = shared_with(conversation, bob)
    path = f"{LIST}{link.pk}/removal/"
    assert "Removed." in bob_browser.post(path, follow=True).content.decode()
    page_of(link, bob_browser, status=404)
    assert bob_browser.post(path).status_code == 404


def test_nobody_takes_themselves_out_of_what_a_group_has(
    bob: User, bob_browser: Client, conversation: Conversation
) -> None:
    choir = Group.objects.create(name="Choir")
    bob.groups.add(choir)
    link = shared_with(conversation, bob, choir)
    assert "Remove" not in listed(bob_browser)
    assert bob_browser.post(f"{LIST}{link.pk}/removal/").status_code == 404
    assert LinkRecipient.objects.count() == 1


def test_whoever_is_not_signed_in_is_led_to_the_list(link: SharedLink) -> None:
    """The page doesn't say whether there is such a link."""
    for token in ("x", link.token[::-1]):
        page = Client().get(f"/s/{token}/", headers={"Accept": "text/html"}).content.decode()
        assert 'href="/accounts/login/?next=/shared/with-me/"' in page


def test_the_owners_export_says_with_whom_a_chat_is_shared(
    alice: User, bob: User, conversation: Conversation
) -> None:
    shared_with(conversation, bob)
    links = dict(account_files(alice))["links.json"].decode()
    assert '"is_restricted": true' in links
    assert bob.email in links
