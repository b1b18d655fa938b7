"""Suspending people and sites: effect, duration, and who may do it."""

import asyncio
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient, Client, override_settings
from django.utils import timezone

from chat.accounts import suspension
from chat.accounts.models import User
from chat.accounts.sessions.session_store import UserSession
from chat.errors import BadRequest
from chat.quotas.units import Measure
from chat.review.access_log.authority import InsufficientRole
from chat.review.access_log.staff_context import StaffContext
from chat.review.moderation import personal_limits, user_moderation, widget_site_suspension
from chat.widget_sites import cleanup
from chat.widget_sites.models import VisitorToken, WidgetSite
from tests.review.conftest import give, recorded_actions
from tests.support.generations.follow import endless
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.review.moderation_actions import kinds
from tests.support.upstream.upstream_override import site_with
from tests.support.wait_for import PATIENCE_SECONDS, written
from tests.support.web.signed_in import signed_in
from tests.support.widget.visitor_client import make_site, visit

PASSWORD = "correct horse"


def sign_in(email: str = "alice@example.org", password: str = PASSWORD) -> Any:
    return Client().post("/accounts/login/", {"login": email, "password": password}, follow=True)


@pytest.mark.parametrize("whom", ["themselves", "an administrator", "somebody like them"])
def test_nobody_suspends_somebody_with_the_same_or_a_higher_role(
    staff_context: StaffContext, lead: User, administrator: User, bob: User, whom: str
) -> None:
    person = {"themselves": lead, "an administrator": administrator}.get(whom) or give(
        bob, "lead_review"
    )
    site = make_site(person)
    for act in (
        lambda: user_moderation.warn(staff_context, person, "Mind"),
        lambda: user_moderation.suspend(staff_context, person, None),
        lambda: user_moderation.restore(staff_context, person),
        lambda: personal_limits.set_limit(
            staff_context, person, Measure.TOKENS, Decimal(1), timezone.now()
        ),
        lambda: widget_site_suspension.suspend(staff_context, site, None),
        lambda: personal_limits.remove_limits(staff_context, site),
    ):
        with pytest.raises(InsufficientRole):
            act()
    assert kinds() == []


def test_a_suspended_person_keeps_their_role(staff_context: StaffContext, bob: User) -> None:
    give(bob, "lead_review")
    suspension.suspend(bob, None)
    with pytest.raises(InsufficientRole):
        user_moderation.restore(staff_context, User.objects.get(pk=bob.pk))


def test_a_suspended_person_is_signed_out_and_told_why(
    staff_context: StaffContext, alice: User
) -> None:
    browser = signed_in(alice)
    user_moderation.suspend(staff_context, alice, None)
    assert browser.get("/chat/").status_code == 302
    assert not UserSession.objects.exists()
    refused = sign_in()
    assert refused.status_code == 403
    assert "Your account is suspended" in refused.content.decode()
    wrong = sign_in(password="wrong horse")
    assert "suspended" not in wrong.content.decode()  # who does not know the password hears nothing
    user_moderation.restore(staff_context, alice)
    assert browser.get("/chat/").status_code == 302  # sessions that ended stay ended
    assert sign_in().status_code == 200
    assert kinds() == ["suspended", "restored"]
    assert [each.reason for each in recorded_actions().all()] == [
        "Report 7 of May",
        "Report 7 of May",
    ]


def test_a_suspension_expires_by_itself(staff_context: StaffContext, alice: User) -> None:
    user_moderation.suspend(staff_context, alice, timezone.now() + timedelta(days=2))
    assert "You can sign in again from" in sign_in().content.decode()
    assert suspension.reinstate_due() == 0
    User.objects.update(suspended_until=timezone.now() - timedelta(seconds=1))
    assert suspension.reinstate_due() == 1
    assert sign_in().status_code == 200


def test_an_account_deactivated_for_another_reason_stays_so(
    staff_context: StaffContext, alice: User
) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    with pytest.raises(BadRequest):
        user_moderation.suspend(staff_context, alice, timezone.now())
    user_moderation.restore(staff_context, alice)
    assert suspension.reinstate_due() == 0
    assert not User.objects.get(pk=alice.pk).is_active
    assert kinds() == []
    assert "disabled" in sign_in().content.decode()


async def test_running_answers_of_a_suspended_person_stop(
    staff_context: StaffContext, alice: User, alice_client: AsyncClient
) -> None:
    with override_settings(STREAM_REAUTH_SECONDS=0.1):
        async with site_with(endless()) as raw:
            response = await send(alice_client, text="Go")
            reading = asyncio.create_task(read_stream(response))
            await written(response)
            await sync_to_async(user_moderation.suspend)(staff_context, alice, None)
            async with asyncio.timeout(PATIENCE_SECONDS):
                await raw.closed.wait()
                await reading
    assert (await send(alice_client, text="More")).status_code == 401
    followed = await alice_client.get(f"/generations/{response['X-Generation-Id']}/stream")
    assert followed.status_code == 401


async def test_a_visitor_can_be_suspended(
    staff_context: StaffContext, bob: User, stop_server_process: None
) -> None:
    vera = await visit(await sync_to_async(make_site)(bob))
    visitor = await User.all_objects.aget(is_visitor=True)
    await sync_to_async(user_moderation.suspend)(staff_context, visitor, None)
    assert (await vera.get("conversations")).status_code == 401
    assert not await VisitorToken.objects.aexists()


def test_a_site_is_suspended_until_a_date(staff_context: StaffContext, bob: User) -> None:
    site = make_site(bob)
    assert widget_site_suspension.site_of(staff_context, site.key) == site
    widget_site_suspension.suspend(staff_context, site, timezone.now() + timedelta(days=1))
    assert Client().get(f"/w/{site.key}/").status_code == 404
    cleanup.remove_expired()
    assert WidgetSite.objects.get().is_suspended
    WidgetSite.objects.update(suspended_until=timezone.now())
    cleanup.remove_expired()
    assert Client().get(f"/w/{site.key}/").status_code == 200
    widget_site_suspension.suspend(staff_context, site, None)
    widget_site_suspension.restore(staff_context, site)
    assert Client().get(f"/w/{site.key}/").status_code == 200
    assert kinds() == ["suspended", "suspended", "restored"]
    assert {each.site for each in recorded_actions().all()} == {site.pk}
