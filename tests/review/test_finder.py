"""One field leads staff to a person, group, model or website, if they may open its page."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import Settings

from chat.accounts.models import User
from chat.review import finder
from chat.review.models import AccessLogEntry, ReviewScope
from chat.review.staff import privacy
from chat.upstream import available_models
from chat.widget_sites import visitors
from chat.widget_sites.models import WidgetSite
from tests.review.conftest import give
from tests.support.review.member_pages import client_of, text_of
from tests.support.widget.visitor_client import make_site

PAGE = "/review/find/"
MODEL = "@cf/openai/gpt-oss-120b"
NOTHING = "xyzzy"

pytestmark = pytest.mark.django_db


@pytest.fixture
def shop(alice: User) -> WidgetSite:
    site = make_site(alice, name="Canoe shop")
    site.origins = ["https://canoes.example"]
    site.save()
    return site


@pytest.fixture
def limited_lead(bob: User) -> User:
    """Let ludo lead the review of a choir of which bob is a member, and alice is not."""
    choir = Group.objects.create(name="Choir")
    bob.groups.add(choir)
    ludo = User.objects.create_user("ludo@example.org", "tide table", name="Ludo")
    return give(ludo, "lead_review", choir)


def place_of(client: Client, text: str) -> str:
    """Return where a search leads; empty if it shows a page instead."""
    response = client.get(PAGE, {"q": text})
    return response["Location"] if response.status_code == 302 else ""


def body_of(client: Client, text: str) -> str:
    """Return the page below its head, in which a nonce differs."""
    return text_of(client, PAGE, q=text).partition("<body")[2]


def links_in(page: str) -> list[str]:
    return re.findall(r'href="([^"]+)"', page.partition("<main")[2])


def test_an_administrator_reaches_what_they_name(
    administrator: User, alice: User, pupils: Group, shop: WidgetSite
) -> None:
    client = client_of(administrator)
    vera = visitors.make(shop, subject="v-1", name="Vera").user
    assert place_of(client, "pupils") == f"/review/groups/{pupils.pk}/"
    assert place_of(client, "OSS gpt 120") == f"/review/models/edit/{MODEL}/"
    assert place_of(client, "alice@") == f"/review/people/{alice.pk}/account/"
    assert place_of(client, "vera") == f"/review/people/{vera.pk}/"
    assert place_of(client, "shop canoe") == f"/review/sites/{shop.key}/"
    assert place_of(client, "canoes.example") == f"/review/sites/{shop.key}/"
    for text in ("pupils", MODEL, "alice@", "vera", "canoe"):
        shown = client.get(place_of(client, text))
        assert shown.status_code == 200 or shown["Location"].startswith("/review/reason/"), text


def test_several_are_listed_by_kind(administrator: User, alice: User, shop: WidgetSite) -> None:
    User.objects.create_user("canoeist@example.org", "tide table", name="Kim Canoe")
    group = Group.objects.create(name="Canoeists")
    shown = text_of(client_of(administrator), PAGE, q="canoe")
    assert re.findall(r"<h2[^>]*>(.+?)</h2>", shown) == ["People", "Groups", "Websites"]
    assert f"/review/groups/{group.pk}/" in links_in(shown)
    assert f"/review/quotas/group/{group.pk}/" in links_in(shown)
    limits = f"/review/quotas/website/{shop.key}/"
    assert limits in links_in(shown)
    assert limits in text_of(client_of(administrator), f"/review/sites/{shop.key}/")
    assert "canoeist@example.org" in shown


def test_nothing_is_said_in_plain_words(administrator: User) -> None:
    shown = text_of(client_of(administrator), PAGE, q=NOTHING)
    assert f"No results for “<bdi>{NOTHING}</bdi>”." in shown
    assert "No results" not in text_of(client_of(administrator), PAGE, q="  ")


def test_a_reviewer_finds_people_in_their_scope_only(
    reviewer: User, alice: User, bob: User, shop: WidgetSite
) -> None:
    client = client_of(reviewer)
    assert place_of(client, "alice") == f"/review/people/{alice.pk}/"
    nothing = body_of(client, NOTHING)
    for stranger in ("bob@example.org", "Pupils", MODEL, "Canoe shop"):
        assert body_of(client, stranger) == nothing.replace(NOTHING, stranger), stranger
    assert "Find a person<" in nothing


def test_a_lead_finds_websites_in_their_scope_too(
    limited_lead: User, alice: User, bob: User, shop: WidgetSite
) -> None:
    client = client_of(limited_lead)
    his = make_site(bob, name="Kayak club")
    assert place_of(client, "kayak") == f"/review/sites/{his.key}/"
    nothing = body_of(client, NOTHING)
    for stranger in ("Canoe shop", "alice@example.org", "Choir", MODEL):
        assert body_of(client, stranger) == nothing.replace(NOTHING, stranger), stranger
    assert "Find a person or website<" in nothing
    ReviewScope.objects.create(reviewer=limited_lead, site=shop)
    assert place_of(client, "canoe") == f"/review/sites/{shop.key}/"


def test_staff_without_a_scope_find_nobody(rita: User, alice: User, shop: WidgetSite) -> None:
    client = client_of(give(rita, "lead_review"))
    for text in ("alice", "canoe"):
        assert "No results" in text_of(client, PAGE, q=text)


def test_pseudonyms_are_found_by_their_codes_only(
    lead: User, administrator: User, alice: User, settings: Settings
) -> None:
    settings.REVIEW_PRIVACY = "pseudonymous"
    client, code = client_of(lead), privacy.pseudonym(alice.pk)
    for text in ("alice", "alice@example.org", str(alice.pk)):
        shown = text_of(client, PAGE, q=text)
        assert "No results" in shown
        assert "by their code" in shown
    assert place_of(client, code.lower()) == f"/review/people/{code}/"
    assert place_of(client_of(administrator), "alice") == f"/review/people/{alice.pk}/account/"


def test_nothing_leads_to_chats_where_nobody_may_read_them(
    lead: User, administrator: User, alice: User, shop: WidgetSite, settings: Settings
) -> None:
    visitors.make(shop, subject="v-1", name="Alice the visitor")
    settings.REVIEW_PRIVACY = "off"
    client = client_of(administrator)
    assert place_of(client, "alice") == f"/review/people/{alice.pk}/account/"
    assert "No results" in text_of(client, PAGE, q="canoe")
    assert "Find a person, group or model<" in text_of(client, "/review/people/")
    User.objects.create_user("alicia@example.org", "tide table")
    for each in links_in(text_of(client, PAGE, q="alic")):
        assert client.get(each).status_code == 200, each
    audit = text_of(client_of(lead), "/review/audit/")
    assert reverse("review_find") not in audit
    assert client_of(lead).get(PAGE, {"q": "alice"}).status_code == 404


def test_a_closed_account_is_not_found(administrator: User, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(closed_at=alice.date_joined)
    assert "No results" in text_of(client_of(administrator), PAGE, q="alice")


def test_results_are_bounded(administrator: User, alice: User) -> None:
    for number in range(finder.MAX_FOUND + 1):
        Group.objects.create(name=f"Rowers {number}")
        WidgetSite.objects.create(owner=alice, name=f"Rowers {number}")
        User.objects.create(email=f"rower-{number}@example.org", name=f"Rowers {number}")
    client = client_of(administrator)
    shown = text_of(client, PAGE, q="rowers")
    for page in ("groups/", "sites/", "people/"):
        found = [each for each in links_in(shown) if each.startswith(f"/review/{page}")]
        assert len(set(found)) == finder.MAX_FOUND * (2 if page == "people/" else 1)
    assert "There are more results." in shown
    assert "There are more results." not in text_of(client, PAGE, q="rowers 1")
    with CaptureQueriesContext(
        connection,
    ) as few:
        client.get(PAGE, {"q": "rowers 20"})
    with CaptureQueriesContext(connection) as many:
        client.get(PAGE, {"q": "rowers"})
    assert len(many) <= len(few)


def test_a_retired_model_is_not_found(administrator: User) -> None:
    models = available_models.all_models().values()
    gone = next(model for model in models if model.is_gone)
    assert "No results" in text_of(client_of(administrator), PAGE, q=gone.id)


@pytest.mark.parametrize("text", ["\0", "9" * 200, "%", "_", "'; --", "a " * 90, "<script>"])
def test_any_text_gets_a_page(administrator: User, text: str) -> None:
    response = client_of(administrator).get(PAGE, {"q": text})
    assert response.status_code == 200
    assert "<script>alert" not in response.content.decode()


def test_a_text_that_is_too_long_is_refused_beside_the_field(administrator: User) -> None:
    response = client_of(administrator).get(PAGE, {"q": "x" * 201})
    assert response.status_code == 422
    assert 'class="field-error"' in response.content.decode()


def test_finding_reads_no_chat_and_is_not_logged(
    reviewer: User, alice: User, settings: Settings
) -> None:
    client: Any = client_of(reviewer)  # without a reason for access
    assert place_of(client, "alice") == f"/review/people/{alice.pk}/"
    text_of(client, PAGE, q=NOTHING)
    assert not AccessLogEntry.objects.exists()
