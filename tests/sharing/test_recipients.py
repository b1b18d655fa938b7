"""A restricted link is for the people and groups that its owner chose, and for nobody else."""

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from chat.accounts import closure
from chat.accounts.models import User
from chat.conversations.images.models import StoredImage
from chat.conversations.models import Conversation
from chat.errors import Conflict, NotFound
from chat.sharing.continue_chat import copy_shared_chat
from chat.sharing.links import Choices, make
from chat.sharing.models import LinkRecipient, SharedLink, digest_of
from chat.sharing.recipients import Recipients, set_recipients
from tests.sharing.conftest import page_of
from tests.support.generations.drawn_images import plant_drawn_image
from tests.support.web.signed_in import signed_in

pytestmark = pytest.mark.django_db


def confirm(user: User) -> None:
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)


def restricted(conversation: Conversation, *emails: str, groups: tuple[Group, ...] = ()) -> Any:
    chosen = Recipients(is_restricted=True, emails=emails, groups=groups)
    return make(conversation, Choices(recipients=chosen))


@pytest.fixture
def choir(bob: User) -> Group:
    group = Group.objects.create(name="Choir")
    bob.groups.add(group)
    return group


@pytest.fixture
def carol() -> User:
    user = User.objects.create_user("carol@example.org", "tide table", name="Carol")
    confirm(user)
    return user


def test_only_the_chosen_people_and_the_owner_can_open_it(
    browser: Client, bob: User, bob_browser: Client, carol: User, conversation: Conversation
) -> None:
    confirm(bob)
    link = restricted(conversation, "BOB@example.org")
    page = page_of(link, bob_browser)
    assert "It is hard." in page
    assert "Only the people it is shared with can open this page." in page
    page_of(link, browser)
    for client in (Client(), signed_in(carol)):
        page_of(link, client, status=404)


def test_every_group_member_can_open_it_while_they_are_in_the_group(
    bob: User, bob_browser: Client, choir: Group, carol: User, conversation: Conversation
) -> None:
    link = restricted(conversation, groups=(choir,))
    page_of(link, bob_browser)
    page_of(link, signed_in(carol), status=404)
    carol.groups.add(choir)
    page_of(link, signed_in(carol))
    bob.groups.remove(choir)
    page_of(link, bob_browser, status=404)


def test_an_address_counts_only_once_it_is_confirmed(
    bob: User, bob_browser: Client, conversation: Conversation
) -> None:
    link = restricted(conversation, bob.email)
    page_of(link, bob_browser, status=404)
    EmailAddress.objects.create(user=bob, email=bob.email, verified=False)
    page_of(link, bob_browser, status=404)
    EmailAddress.objects.filter(user=bob).update(verified=True)
    page_of(link, bob_browser)


def test_somebody_who_confirms_the_address_of_another_later_gets_nothing(
    bob: User, carol: User, conversation: Conversation
) -> None:
    """The row is for the account that had the address when it was entered."""
    confirm(bob)
    link = restricted(conversation, bob.email)
    EmailAddress.objects.filter(user=bob).delete()
    EmailAddress.objects.create(user=carol, email=bob.email, verified=True)
    page_of(link, signed_in(carol), status=404)


def test_who_is_removed_loses_everything_at_once(
    bob: User, bob_browser: Client, conversation: Conversation
) -> None:
    confirm(bob)
    last = conversation.messages.filter(role="assistant").order_by("pk").last()
    assert last
    image = plant_drawn_image(last)
    link = restricted(conversation, bob.email)
    paths = [f"/s/{link.token}/{end}" for end in ("", f"images/{image.digest}", "continuation/")]
    assert [bob_browser.get(path).status_code for path in paths] == [200, 200, 200]
    assert [Client().get(path).status_code for path in paths] == [404, 404, 302]
    set_recipients(link, Recipients(is_restricted=True, emails=("carol@example.org",)))
    assert [bob_browser.get(path).status_code for path in paths] == [404, 404, 404]
    assert bob_browser.post(paths[2]).status_code == 404
    assert not Conversation.objects.filter(owner=bob).exists()
    assert StoredImage.objects.get() == image


def test_a_copy_that_was_begun_before_the_removal_is_not_shown(
    bob: User, conversation: Conversation
) -> None:
    confirm(bob)
    link = restricted(conversation, bob.email)
    steps = copy_shared_chat(link, bob.pk)
    next(steps)
    set_recipients(link, Recipients(is_restricted=True, emails=("carol@example.org",)))
    with pytest.raises((NotFound, Conflict)):
        list(steps)
    assert not Conversation.objects.filter(owner=bob).exists()


def test_the_owner_changes_who_can_open_it_without_changing_its_address(
    browser: Client, bob: User, bob_browser: Client, conversation: Conversation
) -> None:
    confirm(bob)
    link = make(conversation, Choices())
    token, path = link.token, f"/shared/{link.pk}/recipients/"
    assert 'value="anyone"' in browser.get(path).content.decode()
    chosen = {"audience": "chosen", "people": "bob@example.org, dan@example.org"}
    assert browser.post(path, chosen)["Location"] == "/shared/"
    link.refresh_from_db()
    assert link.token == token
    page_of(link, status=404)
    page_of(link, bob_browser)
    page = browser.get("/shared/").content.decode()
    assert "Only these can open it:" in page
    assert "dan@example.org" in page
    browser.post(path, {"audience": "anyone"})
    page_of(link)
    assert not LinkRecipient.objects.exists()


def test_an_address_that_stays_keeps_its_account(
    bob: User, bob_browser: Client, conversation: Conversation
) -> None:
    confirm(bob)
    link = restricted(conversation, bob.email)
    EmailAddress.objects.filter(user=bob).update(email="new@example.org")
    set_recipients(link, Recipients(is_restricted=True, emails=(bob.email, "x@example.org")))
    page_of(link, bob_browser)


@pytest.mark.parametrize(
    "people", ["", "not an address", "a@example.org\nb@", "\n".join("ab" * 99)]
)
def test_bad_addresses_are_refused_and_change_nothing(
    browser: Client, conversation: Conversation, people: str
) -> None:
    link = restricted(conversation, "bob@example.org")
    form = {"audience": "chosen", "people": people}
    assert browser.post(f"/shared/{link.pk}/recipients/", form).status_code == 422
    assert [each.email for each in link.recipients.all()] == ["bob@example.org"]


def test_a_form_without_the_choice_makes_no_restricted_link_public(
    browser: Client, conversation: Conversation
) -> None:
    link = restricted(conversation, "bob@example.org")
    assert browser.post(f"/shared/{link.pk}/recipients/", {}).status_code == 422
    page_of(link, status=404)


def test_members_choose_only_their_own_groups_and_learn_of_no_others(
    alice: User, browser: Client, choir: Group, conversation: Conversation
) -> None:
    link = make(conversation, Choices())
    path = f"/shared/{link.pk}/recipients/"
    assert "Choir" not in browser.get(path).content.decode()
    own = Group.objects.create(name="Orchestra")
    alice.groups.add(own)
    page = browser.get(path).content.decode()
    assert "Orchestra" in page
    assert "Choir" not in page
    form = {"audience": "chosen", "groups": [choir.pk]}
    assert browser.post(path, form).status_code == 422
    browser.post(path, form | {"groups": [own.pk]})
    assert link.recipients.get().group == own


def test_the_owner_does_not_learn_which_addresses_have_accounts(
    browser: Client, bob: User, conversation: Conversation
) -> None:
    confirm(bob)
    pages = []
    for email in (bob.email, "nil@example.org"):
        link = restricted(conversation, email)
        page = browser.get(f"/shared/{link.pk}/recipients/").content.decode()
        pages.append(page.count(email))
        assert "Bob" not in page
    assert pages[0] == pages[1] > 0


def test_where_public_links_are_off_only_named_people_open_links(
    browser: Client,
    bob: User,
    bob_browser: Client,
    conversation: Conversation,
    settings: Any,
) -> None:
    confirm(bob)
    public, named = make(conversation, Choices()), restricted(conversation, bob.email)
    settings.PUBLIC_LINKS = False
    for client in (Client(), bob_browser):
        page_of(public, client, status=404)
    page_of(named, bob_browser)
    page_of(public, browser)
    assert "links for anyone are turned off" in browser.get("/shared/").content.decode()
    last = conversation.messages.last()
    assert last
    path, form = f"/chat/{conversation.pk}/sharing/", {"last": last.pk, "audience": "anyone"}
    assert "Anyone with the link" not in browser.get(path).content.decode()
    assert browser.post(path, form).status_code == 422
    browser.post(path, form | {"people": bob.email})
    assert SharedLink.objects.filter(is_restricted=True).count() == 2


def test_an_earlier_version_does_not_find_a_restricted_link(conversation: Conversation) -> None:
    link = restricted(conversation, "bob@example.org")
    assert link.digest != digest_of(link.token)
    assert link.digest == digest_of(link.token, is_restricted=True)


def test_after_a_change_of_the_secret_key_a_link_is_not_restricted(
    browser: Client, link: SharedLink, settings: Any
) -> None:
    """Its digest can't be computed any more, so the link would be lost."""
    settings.SECRET_KEY = "another one" * 5
    link_path = f"/shared/{link.pk}/recipients/"
    owner = signed_in(link.owner)
    chosen = {"audience": "chosen", "people": "bob@example.org"}
    page = owner.post(link_path, chosen, follow=True).content.decode()
    assert "can't be shown again" in unescape(page)
    link.refresh_from_db()
    assert not link.is_restricted


def test_deletions_take_recipients_along(
    bob: User, choir: Group, conversation: Conversation
) -> None:
    confirm(bob)
    link = restricted(conversation, bob.email, "stray@example.org", groups=(choir,))
    choir.delete()
    assert set(link.recipients.values_list("email", flat=True)) == {bob.email, "stray@example.org"}
    stray = User.objects.create_user("stray@example.org", "tide table")
    confirm(stray)  # after the address was named
    closure.close_account(stray)
    assert link.recipients.get().email == bob.email
    closure.close_account(bob)
    assert not link.recipients.exists()


def test_closing_an_account_leaves_an_address_that_it_has_not_confirmed(
    conversation: Conversation,
) -> None:
    link = restricted(conversation, "carol@example.org")
    stranger = User.objects.create_user("carol@example.org", "tide table")
    EmailAddress.objects.create(user=stranger, email=stranger.email, verified=False, primary=True)
    closure.close_account(stranger)
    assert link.recipients.get().email == "carol@example.org"


def test_an_expired_link_is_not_listed_and_does_not_open(
    bob: User, bob_browser: Client, conversation: Conversation
) -> None:
    confirm(bob)
    link = restricted(conversation, bob.email)
    SharedLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    page_of(link, bob_browser, status=404)
    assert link.token not in bob_browser.get("/shared/with-me/").content.decode()
