"""Visitors of a website are reviewed by staff with that website in scope."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.review.models import ReviewScope
from chat.review.staff import privacy, roles
from chat.web.review.http.facet_forms import FacetsForm
from chat.widget_sites import visitors
from chat.widget_sites.models import WidgetSite
from tests.review.conftest import give, say, staff_context_of
from tests.support.review.reason_for_access import begin, page
from tests.support.web.signed_in import signed_in_client
from tests.support.widget.visitor_client import make_site


@pytest.fixture
def hers(shop: WidgetSite) -> Conversation:
    """Create a chat of vera, so named by the shop's website."""
    return say(visitors.make(shop, subject="v-1", name="Vera").user, "Where is my parcel?", "Here")


@pytest.fixture
def elsewhere(alice: User) -> Conversation:
    """Create a chat on another website of the same owner."""
    return say(visitors.make(make_site(alice, name="Blog")).user, "Not for the shop")


@pytest.fixture
def keeper(rita: User, shop: WidgetSite) -> User:
    """Let rita review only visitors of the shop."""
    give(rita, "review")
    ReviewScope.objects.create(reviewer=rita, site=shop)
    return User.objects.get(pk=rita.pk)


@pytest.fixture
def keeper_client(keeper: User, stop_server_process: None) -> AsyncClient:
    return signed_in_client(keeper)


async def test_a_scope_for_a_site_covers_its_visitors(
    keeper_client: AsyncClient, hers: Conversation, elsewhere: Conversation, alice: User
) -> None:
    own = await Conversation.objects.acreate(owner=alice, title="Her own")
    client = await begin(keeper_client)
    shown = await page(client, "/review/")
    assert "Where is my parcel?" in shown
    assert "Vera" in shown
    assert "Shop" in shown
    assert (await client.get(f"/review/{hers.pk}/")).status_code == 200
    for foreign in (elsewhere, own):
        assert str(foreign.pk) not in shown
        assert (await client.get(f"/review/{foreign.pk}/")).status_code == 404


async def test_words_are_found_in_messages_of_a_sites_visitors(
    keeper_client: AsyncClient, hers: Conversation, elsewhere: Conversation
) -> None:
    client = await begin(keeper_client)
    assert str(hers.pk) in await page(client, "/review/", q="parcel")
    assert "Not for the" not in await page(client, "/review/", q="shop")


async def test_the_list_can_be_filtered_by_website(
    administrator_client: AsyncClient, hers: Conversation, elsewhere: Conversation, shop: WidgetSite
) -> None:
    client = await begin(administrator_client)
    shown = await page(client, "/review/", site=shop.pk)
    assert str(hers.pk) in shown
    assert str(elsewhere.pk) not in shown


def test_a_website_out_of_scope_cannot_be_chosen(keeper: User, alice: User) -> None:
    other = make_site(alice, name="Blog")
    form = FacetsForm({"site": str(other.pk)}, staff_context_of(keeper).reviewer)
    assert "site" in form.errors


def test_staff_without_a_website_in_scope_are_offered_none(
    reviewer: User, shop: WidgetSite
) -> None:
    assert "site" not in FacetsForm({}, staff_context_of(reviewer).reviewer).fields


def test_a_visitor_without_a_name_gets_a_pseudonym(lead: User, shop: WidgetSite) -> None:
    nobody = visitors.make(shop).user
    person = privacy.shown_user(staff_context_of(lead).reviewer, nobody)
    assert person.name == f"Visitor {privacy.pseudonym(nobody.pk)}"
    assert (person.email, person.site) == ("", "Shop")


def test_a_visitor_is_found_by_the_name_from_the_website(keeper: User, hers: Conversation) -> None:
    reviewer = staff_context_of(keeper).reviewer
    assert privacy.find_users(reviewer, "ver") == [hers.owner_id]
    assert privacy.find_users(reviewer, "visitor.invalid") == []


def test_pseudonyms_replace_names_from_the_website(
    keeper: User, hers: Conversation, settings: Any
) -> None:
    settings.REVIEW_PRIVACY = "pseudonymous"
    assert "Vera" not in str(privacy.shown_user(staff_context_of(keeper).reviewer, hers.owner))


def test_a_scope_has_a_group_or_a_website_but_not_both(
    keeper: User, pupils: Group, shop: WidgetSite
) -> None:
    scope = ReviewScope(reviewer=keeper, members=pupils, site=shop)
    with pytest.raises(ValidationError, match="either a member group or a website"):
        scope.full_clean()


def test_a_scope_for_everybody_adds_to_one_for_a_website(keeper: User, alice: User) -> None:
    ReviewScope.objects.create(reviewer=keeper)
    found = roles.reviewer_of(keeper)
    assert found
    assert found.groups is None
    assert alice in found.people


async def test_the_owner_of_a_site_is_hidden_from_staff_who_review_only_its_visitors(
    keeper_client: AsyncClient,
    keeper: User,
    shop: WidgetSite,
    alice: User,
    administrator_client: AsyncClient,
) -> None:
    await sync_to_async(give)(keeper, "lead_review")
    path = f"/review/sites/{shop.key}/"
    shown = await page(await begin(keeper_client), path)
    assert shop.name in shown
    assert "Alice" not in shown
    assert f"/review/people/{alice.pk}/" not in shown
    assert f"/review/people/{alice.pk}/" in await page(await begin(administrator_client), path)


def test_a_code_that_two_people_share_finds_nobody(
    reviewer: User, alice: User, bob: User, pupils: Group, settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    settings.REVIEW_PRIVACY = "pseudonymous"
    monkeypatch.setattr(privacy, "pseudonym", lambda number: "ABCD1234")
    rights = staff_context_of(reviewer).reviewer
    assert privacy.find_by_key(rights, "ABCD1234") == alice
    bob.groups.add(pupils)
    assert privacy.find_by_key(rights, "ABCD1234") is None


async def test_leads_get_from_a_visitor_to_the_websites_page(
    administrator_client: AsyncClient, hers: Conversation, shop: WidgetSite
) -> None:
    client = await begin(administrator_client)
    link = f'href="/review/sites/{shop.key}/"'
    for path in ("/review/", f"/review/{hers.pk}/", f"/review/people/{hers.owner_id}/"):
        assert link in await page(client, path), path
    assert link in await page(client, "/review/", q="parcel")
    shown = await page(client, f"/review/sites/{shop.key}/")
    assert f"/review/?site={shop.pk}" in shown
    assert "1 chat<" in shown
    assert "Where is my parcel" in await page(client, "/review/", site=str(shop.pk))


async def test_reviewers_get_no_link_that_they_may_not_open(
    keeper_client: AsyncClient, hers: Conversation, shop: WidgetSite
) -> None:
    client = await begin(keeper_client)
    for path in ("/review/", f"/review/{hers.pk}/"):
        assert f"/review/sites/{shop.key}/" not in await page(client, path), path
