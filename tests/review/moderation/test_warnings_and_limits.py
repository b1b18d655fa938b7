"""Warnings and limits for people, and undoing them."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import transaction
from django.test import AsyncClient
from django.utils import timezone

from chat.accounts.models import User
from chat.errors import NotFound, QuotaExceeded
from chat.generations.billing import charging
from chat.quotas import ledger
from chat.quotas.models import Limit
from chat.quotas.payer import Payer
from chat.quotas.units import Measure
from chat.review.access_log.staff_context import StaffContext
from chat.review.moderation import personal_limits, user_moderation
from chat.review.moderation.warnings import ModerationWarning
from chat.review.staff import privacy
from chat.upstream.available_models import find
from chat.widget_sites import visitors
from tests.review.conftest import recorded_actions, staff_context_of
from tests.support.review.moderation_actions import kinds
from tests.support.web.signed_in import signed_in_client
from tests.support.widget.visitor_client import make_site, visit


def test_a_person_is_found_by_the_key_that_staff_see(
    staff_context: StaffContext, reviewer: User, alice: User, bob: User, settings: Any
) -> None:
    assert user_moderation.user_of(staff_context, str(alice.pk)) == alice
    for key in ("x", "9" * 30, "0"):
        with pytest.raises(NotFound):
            user_moderation.user_of(staff_context, key)
    with pytest.raises(NotFound):
        user_moderation.user_of(staff_context_of(reviewer), str(bob.pk))
    settings.REVIEW_PRIVACY = "pseudonymous"
    assert user_moderation.user_of(staff_context, privacy.pseudonym(bob.pk)) == bob
    with pytest.raises(NotFound):
        user_moderation.user_of(staff_context, str(bob.pk))
    with pytest.raises(NotFound):
        user_moderation.user_of(staff_context_of(reviewer), privacy.pseudonym(bob.pk))


async def test_a_warning_is_shown_until_it_is_read(
    staff_context: StaffContext, alice: User, alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    warned = await sync_to_async(user_moderation.warn)(staff_context, alice, "Please <b>mind</b>")
    for path in ("/chat/", "/chat/temporary/"):
        assert "Please &lt;b&gt;mind" in (await alice_client.get(path)).content.decode()
    assert "Please" not in (await bob_client.get("/chat/")).content.decode()
    path = f"/chat/warnings/{warned.pk}/"
    assert (await bob_client.post(path)).status_code == 404
    done = await alice_client.post(path, {"next": "/chat/temporary/"})
    assert (done.status_code, done["Location"]) == (302, "/chat/temporary/")
    for elsewhere in ("https://attacker.invalid/", "sidebar", "//attacker.invalid"):
        assert (await alice_client.post(path, {"next": elsewhere}))["Location"] == "/chat/"
    assert "Please" not in (await alice_client.get("/chat/")).content.decode()
    assert (await ModerationWarning.objects.aget()).read_at
    await sync_to_async(user_moderation.withdraw_warning)(staff_context, alice, warned.pk)
    assert await sync_to_async(kinds)() == ["warned", "unwarned"]


async def test_a_withdrawn_warning_is_not_shown(
    staff_context: StaffContext, alice: User, alice_client: AsyncClient
) -> None:
    warned = await sync_to_async(user_moderation.warn)(staff_context, alice, "Please mind")
    await sync_to_async(user_moderation.withdraw_warning)(staff_context, alice, warned.pk)
    assert "Please mind" not in (await alice_client.get("/chat/")).content.decode()


async def test_a_visitor_sees_a_warning_in_the_frame(
    staff_context: StaffContext, bob: User, stop_server_process: None
) -> None:
    vera = await visit(await sync_to_async(make_site)(bob))
    visitor = await User.all_objects.aget(is_visitor=True)
    warned = await sync_to_async(user_moderation.warn)(staff_context, visitor, "Please mind")
    told = (await vera.begin()).json()["site"]["warnings"]
    assert told == [{"id": warned.pk, "text": "Please mind"}]
    assert (await vera.post(f"warnings/{warned.pk}", {})).status_code == 200
    assert (await vera.begin()).json()["site"]["warnings"] == []


def reserve(payer: Payer) -> None:
    """Return whether the limits allow one message."""
    model = find(None)
    estimate = charging.estimate([], model, 10)
    with transaction.atomic():
        ledger.reserve(uuid.uuid4(), payer, estimate, model=model.id, process=None)


WHOM: list[Callable[[User], tuple[Any, Payer]]] = [
    lambda user: (user, Payer(user_id=user.pk)),
    lambda user: ((site := make_site(user)), Payer(site=site.key)),
]


@pytest.mark.parametrize("made", WHOM, ids=["a member", "a site"])
def test_a_limit_applies_in_addition_and_can_be_removed(
    staff_context: StaffContext, alice: User, made: Callable[[User], tuple[Any, Payer]]
) -> None:
    whom, payer = made(alice)
    before = list(Limit.objects.order_by("id").values())
    soon = timezone.now() + timedelta(days=1)
    personal_limits.set_limit(staff_context, whom, Measure.REQUESTS, Decimal(5), soon)
    personal_limits.set_limit(
        staff_context, whom, Measure.REQUESTS, Decimal(0), soon
    )  # another amount, not another row
    personal_limits.set_limit(
        staff_context, whom, Measure.DOLLARS, Decimal(1000), soon
    )  # more than holds: changes nothing
    assert len(personal_limits.limits_of(whom)) == 2
    with pytest.raises(QuotaExceeded):
        reserve(payer)
    personal_limits.remove_limits(staff_context, whom)
    reserve(payer)
    assert list(Limit.objects.order_by("id").values()) == before
    assert kinds() == ["limited", "limited", "limited", "freed"]


def test_a_visitor_cannot_be_limited_individually(staff_context: StaffContext, bob: User) -> None:
    vera = visitors.make(make_site(bob), subject="v", name="Vera").user
    with pytest.raises(NotFound):
        personal_limits.set_limit(staff_context, vera, Measure.TOKENS, Decimal(1), timezone.now())
    assert not Limit.objects.filter(user=vera).exists()


def test_a_limit_expires_by_itself(staff_context: StaffContext, alice: User) -> None:
    personal_limits.set_limit(staff_context, alice, Measure.REQUESTS, Decimal(0), timezone.now())
    reserve(Payer(user_id=alice.pk))
    personal_limits.delete_expired()
    assert not Limit.objects.filter(by_review=True).exists()


async def test_the_page_of_a_person_shows_and_performs_actions(
    lead: User, alice: User, stop_server_process: None
) -> None:
    staff = await sync_to_async(signed_in_client)(lead)
    await staff.post("/review/reason/", {"reason": "A report of today"})
    path = f"/review/people/{alice.pk}/"
    told = {"warning-text": "Please mind", "warning-reason": "Report 8 of May"}
    assert (await staff.post(f"{path}warning/", told)).status_code == 302
    assert (
        await staff.post(f"{path}suspension/", {"suspension-reason": "A report of today"})
    ).status_code == 302
    shown = (await staff.get(path)).content.decode()
    for words in (
        "Alice",
        "suspended indefinitely",
        "Please mind",
        "unread",
        "Report 8 of May",
        "A report of today",
    ):
        assert words in shown, words
    assert (
        await staff.post(f"{path}suspension/", {"undo": "yes", "reason": "It was not they"})
    ).status_code == 302
    bad = {"limit-measure": "tokens", "limit-amount": "many", "limit-until": "2020-01-01"}
    refused = await staff.post(f"{path}limit/", bad)
    assert refused.status_code == 422
    assert 'value="many"' in refused.content.decode()  # what was typed is not lost
    assert "This date is in the past" in refused.content.decode()
    good = bad | {
        "limit-reason": "Too many of them",
        "limit-amount": "5",
        "limit-until": "2999-01-01",
    }
    assert (await staff.post(f"{path}limit/", good)).status_code == 302
    assert "Tokens per day: 5" in (await staff.get(path)).content.decode()
    assert (
        await staff.post(f"{path}limit/", {"undo": "yes", "reason": "It is enough"})
    ).status_code == 302
    assert "Tokens per day: 5" not in (await staff.get(path)).content.decode()
    assert [each async for each in recorded_actions().order_by("id").values_list("kind", flat=True)] == [
        "warned", "suspended", "restored", "limited", "freed",
    ]  # fmt: skip


async def test_a_reviewer_sees_a_person_but_cannot_act(
    reviewer: User, alice: User, stop_server_process: None
) -> None:
    staff = await sync_to_async(signed_in_client)(reviewer)
    await staff.post("/review/reason/", {"reason": "A report of today"})
    shown = (await staff.get(f"/review/people/{alice.pk}/")).content.decode()
    assert "Alice" in shown
    assert "No actions available" in shown
