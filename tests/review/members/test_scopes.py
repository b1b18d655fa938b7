"""Administrators set whose chats staff may review, on the page of the account, group or website."""

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from chat.accounts.models import User
from chat.review.models import ReviewScope
from chat.review.staff import roles
from chat.widget_sites.models import WidgetSite
from tests.review.conftest import give, recorded_actions
from tests.support.review.member_pages import text_of


def scopes_of(user: User) -> tuple[object, object]:
    reviewer = roles.reviewer_of(User.objects.get(pk=user.pk))
    assert reviewer
    return reviewer.groups, reviewer.sites


@pytest.fixture
def site(bob: User) -> WidgetSite:
    return WidgetSite.objects.create(owner=bob, name="Shop of tides")


def test_a_staff_member_gets_and_loses_scopes(
    admin_browser: Client, rita: User, pupils: Group, site: WidgetSite
) -> None:
    give(rita, "review")
    path = f"/review/people/{rita.pk}/"
    for whom in (f"group-{pupils.pk}", f"site-{site.pk}"):
        admin_browser.post(f"{path}scopes/", {"whom": whom})
    assert scopes_of(rita) == ({pupils.pk}, {site.pk})
    page = text_of(admin_browser, f"{path}account/")
    assert "Remove Pupils" in page
    assert "Remove Shop of tides" in page
    for scope in ReviewScope.objects.all():
        admin_browser.post(f"{path}scopes/", {"end": scope.pk})
    assert scopes_of(rita) == (frozenset(), frozenset())
    details = list(recorded_actions().order_by("id").values_list("kind", "person"))
    assert details == [("scope_changed", rita.pk)] * 4


def test_a_scope_of_everyone_covers_all(admin_browser: Client, rita: User) -> None:
    give(rita, "review")
    admin_browser.post(f"/review/people/{rita.pk}/scopes/", {"whom": "everyone"})
    assert scopes_of(rita)[0] is None
    page = text_of(admin_browser, f"/review/people/{rita.pk}/account/")
    assert "Remove Everyone" in page


def test_a_group_of_staff_reviews_the_visitors_of_a_website(
    admin_browser: Client, rita: User, site: WidgetSite
) -> None:
    team = Group.objects.create(name="Night shift")
    give(rita, "review")
    rita.groups.add(team)
    give(User.objects.create_user("x@example.org", "tide table"), "review")
    team.permissions.add(*rita.user_permissions.all())
    path = f"/review/sites/{site.key}/"
    session = admin_browser.session
    session["review_reason"] = {"reason": "A report of today", "until": 4e9}
    session.save()
    admin_browser.post(f"{path}scopes/", {"team": team.pk})
    assert scopes_of(rita) == (frozenset(), {site.pk})
    assert "Remove Night shift" in text_of(admin_browser, path)
    admin_browser.post(f"{path}scopes/", {"end": ReviewScope.objects.get().pk})
    assert scopes_of(rita) == (frozenset(), frozenset())


@pytest.mark.parametrize("whom", ["", "nobody", "group-987654", "site-x", "group-"])
def test_a_choice_that_isnt_there_is_refused(admin_browser: Client, rita: User, whom: str) -> None:
    give(rita, "review")
    path = f"/review/people/{rita.pk}/scopes/"
    assert admin_browser.post(path, {"whom": whom}).status_code == 422
    assert not ReviewScope.objects.exists()


def test_one_page_doesnt_remove_scopes_of_another(
    admin_browser: Client, rita: User, bob: User, pupils: Group
) -> None:
    give(rita, "review", pupils)
    give(bob, "review")
    end = {"end": ReviewScope.objects.get().pk}
    for path in (f"people/{bob.pk}", f"groups/{Group.objects.create(name='Choir').pk}"):
        assert admin_browser.post(f"/review/{path}/scopes/", end).status_code == 404
    assert ReviewScope.objects.count() == 1


def test_scopes_of_another_administrator_need_a_superuser(admin_browser: Client, bob: User) -> None:
    give(bob, "administer_review")
    path = f"/review/people/{bob.pk}/scopes/"
    assert admin_browser.post(path, {"whom": "everyone"}).status_code == 400
    assert not ReviewScope.objects.exists()


def test_somebody_without_a_role_is_offered_none(admin_browser: Client, alice: User) -> None:
    page = text_of(admin_browser, f"/review/people/{alice.pk}/account/")
    assert "Whose chats" not in page
