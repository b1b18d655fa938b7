"""What the chat page costs: queries and bytes are counted, so that nothing grows unseen."""

import gzip
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.quotas.models import Limit
from chat.review.moderation.warnings import ModerationWarning

pytestmark = pytest.mark.django_db

MOST_QUERIES = 6
MOST_BYTES, MOST_BYTES_SENT = 41_600, 9_900
ROWS = 50


@pytest.fixture
def browser(alice: User) -> Client:
    now = timezone.now()
    Conversation.objects.bulk_create(
        Conversation(owner=alice, title=f"What is water? {n}", updated_at=now - timedelta(hours=n))
        for n in range(ROWS + 1)
    )
    Limit.objects.create(scope="everyone", measure="tokens", amount=10**6)  # rules have a version
    client = Client()
    client.force_login(alice, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client


def test_the_page_asks_the_database_six_times(
    browser: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    browser.get("/chat/")  # what a process reads once
    with django_assert_max_num_queries(MOST_QUERIES):
        browser.get("/chat/")


def test_a_longer_list_asks_no_more_often(
    browser: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    browser.get("/chat/sidebar/")
    with django_assert_max_num_queries(3):  # session, member, list
        browser.get("/chat/sidebar/", {"count": ROWS + 1})


def test_a_page_with_fifty_chats_is_light(browser: Client) -> None:
    page = browser.get("/chat/").content
    assert page.count(b'class="entry"') == ROWS
    assert len(page) <= MOST_BYTES


def test_it_is_sent_compressed_to_who_takes_that(browser: Client) -> None:
    sent = browser.get("/chat/", headers={"Accept-Encoding": "gzip"})
    assert sent["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in sent["Vary"]
    assert len(sent.content) <= MOST_BYTES_SENT
    assert gzip.decompress(sent.content).count(b'class="entry"') == ROWS
    assert not browser.get("/chat/").has_header("Content-Encoding")


@pytest.mark.parametrize("path", ["/chat/search/?q=water", "/shared/", "/accounts/2fa/"])
def test_what_holds_secrets_beside_foreign_words_is_not(browser: Client, path: str) -> None:
    sent = browser.get(path, headers={"Accept-Encoding": "gzip"})
    assert sent.status_code == 200
    assert not sent.has_header("Content-Encoding")


def test_the_token_of_forms_is_another_one_in_each_page(browser: Client) -> None:
    """Else its length in a compressed page would tell of it."""
    first, second = (browser.get("/chat/").context["csrf_token"] for _ in range(2))
    assert str(first) != str(second)


def test_a_list_that_is_known_is_not_sent_again(browser: Client, alice: User) -> None:
    first = browser.get("/chat/sidebar/", headers={"Accept-Encoding": "gzip"})
    assert "no-store" in first["Cache-Control"]
    known = {"Accept-Encoding": "gzip", "If-None-Match": first["ETag"]}
    again = browser.get("/chat/sidebar/", headers=known)
    assert (again.status_code, again.content) == (304, b"")
    Conversation.objects.filter(owner=alice).first().delete()
    assert browser.get("/chat/sidebar/", headers=known).status_code == 200


def test_a_link_to_the_review_is_for_those_who_may_review(browser: Client, alice: User) -> None:
    assert b'href="/review/"' not in browser.get("/chat/").content
    alice.user_permissions.add(Permission.objects.get(codename="review"))
    assert b'href="/review/"' in browser.get("/chat/").content


def test_a_warning_is_shown_until_it_was_read(browser: Client, alice: User) -> None:
    warning = ModerationWarning.objects.create(person=alice, text="Mind your words.")
    assert b"Mind your words." in browser.get("/chat/").content
    warning.read_at = timezone.now()
    warning.save()
    assert b"Mind your words." not in browser.get("/chat/").content
