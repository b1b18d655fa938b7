"""A deleted website keeps only the chats that staff hold, also if its owner's account is deleted."""

import pytest

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.generations.deletion.soft_delete import delete_account, delete_site
from chat.inbox.models import InboxLabel, VisitorForm
from chat.knowledge.models import Collection
from chat.review.case_models import Rule
from chat.review.cases import holds
from chat.review.cases.holds import LegalHold
from chat.review.models import ReviewScope
from chat.website_answers.models import AnswerSnippet
from chat.website_sources.models import WebsiteSource
from chat.widget_sites import identity_keys, team, visitors
from chat.widget_sites.access import team_sites_of
from chat.widget_sites.models import (
    IdentityKey,
    SiteMember,
    TeamInvitation,
    TeamProfile,
    Visitor,
    WidgetSite,
)  # fmt: skip
from tests.review.conftest import say
from tests.support.generations.purge import sweep
from tests.support.widget.visitor_client import make_site

GONE = (
    AnswerSnippet, Collection, IdentityKey, InboxLabel, SiteMember, TeamInvitation, TeamProfile,
    VisitorForm, WebsiteSource,
)  # fmt: skip


@pytest.fixture
def shop(bob: User, alice: User, rita: User) -> WidgetSite:
    """Return a website with one of each kind."""
    site = make_site(bob, webhook_url="https://hook.example/", webhook_secret="secret")
    team.add_member(site, alice, SiteMember.Role.OWNER)
    TeamProfile.objects.create(site=site, user=alice, name="Alice of the shop")
    TeamInvitation.objects.create(site=site, email="carol@example.org", role="agent")
    AnswerSnippet.objects.create(site=site, question="Q", answer="A private answer")
    WebsiteSource.objects.create(site=site, kind="page", address="https://www.shop.example/")
    InboxLabel.objects.create(site=site, name="Canoes")
    VisitorForm.objects.create(site=site, asks_name=True)
    Collection.objects.create(owner=bob, name="Team", team_website=site)
    identity_keys.make_secret(site)
    Rule.objects.create(name="Canoes", kind="words", text="canoe", site=site)
    ReviewScope.objects.create(reviewer=rita, site=site)
    return site


@pytest.mark.parametrize("way", ["website", "account"])
def test_a_held_chat_keeps_its_visitor_and_nothing_else(
    way: str, shop: WidgetSite, bob: User, alice: User
) -> None:
    vera = visitors.make(shop)
    held = say(vera.user, "Evidence", "An answer")
    holds.hold(held.pk)
    say(visitors.find_by_subject(shop, "8", "Victor").user, "Not held")
    if way == "website":
        delete_site(shop)
    else:
        delete_account(bob)
    sweep()
    assert [kind.__name__ for kind in GONE if kind._base_manager.exists()] == []
    assert not team_sites_of(alice.pk).exists()
    shop.refresh_from_db(from_queryset=WidgetSite.all_objects.all())
    assert (shop.webhook_url, shop.webhook_secret) == ("", "")
    assert [each.pk for each in Visitor.objects.all()] == [vera.pk]
    assert [each.pk for each in Conversation.all_objects.all()] == [held.pk]
    assert Rule.objects.exists()
    assert ReviewScope.objects.exists()
    LegalHold.objects.all().delete()
    Conversation.all_objects.update(held_at=None)
    sweep()
    assert not WidgetSite.all_objects.exists()
    assert not Visitor.objects.exists()
