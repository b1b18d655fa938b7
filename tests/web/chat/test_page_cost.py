"""The cost of the chat page in queries and bytes."""

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
from tests.support.web.signed_in import signed_in

pytestmark = pytest.mark.django_db

MAX_QUERIES = 7  # session, member, list, personas, collections, limits, notices
MAX_BYTES, MAX_BYTES_SENT = 45 * 1024, 10.75 * 1024
ROWS = 50
GZIP_HAS_NAME, GZIP_HEAD_BYTES = 8, 10  # RFC 1952


@pytest.fixture
def browser(alice: User) -> Client:
    now = timezone.now()
    Conversation.objects.bulk_create(
        Conversation(owner=alice, title=f"What is water? {n}", updated_at=now - timedelta(hours=n))
        for n in range(ROWS + 1)
    )
    Limit.objects.create(scope="everyone", measure="tokens", amount=10**6)  # rules have a version
    return signed_in(alice)


def test_the_page_takes_seven_queries(
    browser: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    browser.get("/chat/")  # what a process reads once
    with django_assert_max_num_queries(MAX_QUERIES):
        browser.get("/chat/")


def test_a_longer_list_takes_no_more_queries(
    browser: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    browser.get("/chat/sidebar/")
    with django_assert_max_num_queries(3):  # session, member, list
        browser.get("/chat/sidebar/", {"count": ROWS + 1})


def test_a_page_with_fifty_chats_is_small(browser: Client) -> None:
    page = browser.get("/chat/").content
    assert page.count(b'class="entry"') == ROWS
    assert len(page) <= MAX_BYTES


def test_the_page_is_compressed_for_clients_that_accept_it(browser: Client) -> None:
    sent = browser.get("/chat/", headers={"Accept-Encoding": "gzip"})
    assert sent["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in sent["Vary"]
    assert len(without_padding(sent.content)) <= MAX_BYTES_SENT
    assert gzip.decompress(sent.content).count(b'class="entry"') == ROWS
    assert not browser.get("/chat/").has_header("Content-Encoding")


def without_padding(compressed: bytes) -> bytes:
    """Return it without the file name, in which Django hides the length: up to 100 random bytes."""
    assert compressed[3] == GZIP_HAS_NAME
    return compressed[:GZIP_HEAD_BYTES] + compressed[compressed.index(b"\0", GZIP_HEAD_BYTES) :]


@pytest.mark.parametrize("path", ["/chat/search/?q=water", "/shared/", "/accounts/2fa/"])
def test_pages_with_secrets_or_repeated_input_are_not_compressed(
    browser: Client, path: str
) -> None:
    sent = browser.get(path, headers={"Accept-Encoding": "gzip"})
    assert sent.status_code == 200
    assert not sent.has_header("Content-Encoding")


def test_the_csrf_token_is_masked_differently_in_each_page(browser: Client) -> None:
    """Otherwise the length of the compressed page could reveal it."""
    first, second = (browser.get("/chat/").context["csrf_token"] for _ in range(2))
    assert str(first) != str(second)


def test_an_unchanged_list_is_not_sent_again(browser: Client, alice: User) -> None:
    first = browser.get("/chat/sidebar/", headers={"Accept-Encoding": "gzip"})
    assert "no-store" in first["Cache-Control"]
    known = {"Accept-Encoding": "gzip", "If-None-Match": first["ETag"]}
    again = browser.get("/chat/sidebar/", headers=known)
    assert (again.status_code, again.content) == (304, b"")
    Conversation.objects.filter(owner=alice).first().delete()
    assert browser.get("/chat/sidebar/", headers=known).status_code == 200


def test_only_reviewers_see_a_link_to_the_review_pages(browser: Client, alice: User) -> None:
    assert b'href="/review/"' not in browser.get("/chat/").content
    alice.user_permissions.add(Permission.objects.get(codename="review"))
    assert b'href="/review/"' in browser.get("/chat/").content


def test_a_warning_is_shown_until_it_is_read(browser: Client, alice: User) -> None:
    warning = ModerationWarning.objects.create(person=alice, text="Mind your words.")
    assert b"Mind your words." in browser.get("/chat/").content
    warning.read_at = timezone.now()
    warning.save()
    assert b"Mind your words." not in browser.get("/chat/").content
