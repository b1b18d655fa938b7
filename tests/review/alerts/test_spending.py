"""Administrators are told once when spending reaches 50, 80 and 100 percent of a monthly limit."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import Group
from django.db.models import F
from django.utils import timezone

from chat.accounts.models import User
from chat.quotas.models import Limit, Meter
from chat.quotas.payer import Payer
from chat.review.alerts.spending import check_spending
from chat.review.staff_notices.models import Alert, StaffNotice
from tests.review.alerts.conftest import Told
from tests.support.quotas.spending import reserve, spend
from tests.support.widget.visitor_client import make_site

pytestmark = pytest.mark.django_db


def limit(scope: str, amount: float, **whose: object) -> Limit:
    return Limit.objects.create(scope=scope, measure="dollars", amount=Decimal(amount), **whose)


def shares(person: User, told: Told) -> list[str]:
    return [each.partition(" ")[0] for each in told(person)]


def test_each_threshold_is_told_once(administrator: User, alice: User, told: Told) -> None:
    limit("everyone", 20)
    expected: list[str] = []
    for dollars, reached in ((9.5, ""), (1, "50%"), (5, ""), (0.5, "80%"), (3.9, "100%")):
        spend(Payer(user_id=alice.pk), dollars)
        assert check_spending() == (1 if reached else 0)
        assert check_spending() == 0
        expected += [reached] if reached else []
        assert shares(administrator, told) == expected
    month = timezone.now().strftime("%B %Y")
    words = f"100% of the limit of $20.00 for {month} is spent (everyone combined)."
    assert told(administrator)[-1] == words


def test_of_thresholds_reached_together_the_highest_is_told(
    administrator: User, alice: User, told: Told
) -> None:
    limit("everyone", 20)
    spend(Payer(user_id=alice.pk), 17)
    assert check_spending() == 1
    assert shares(administrator, told) == ["80%"]


def test_only_administrators_are_told_and_no_member_is_named(
    administrator: User, lead: User, reviewer: User, alice: User, told: Told
) -> None:
    limit("everyone", 20)
    spend(Payer(user_id=alice.pk), 17)
    check_spending()
    assert told(lead) == told(reviewer) == told(alice) == []
    assert "lice" not in "".join(told(administrator))


def test_each_months_spending_is_told_again(administrator: User, alice: User, told: Told) -> None:
    limit("everyone", 20)
    spend(Payer(user_id=alice.pk), 17)
    check_spending()
    Alert.objects.update(month=F("month") - timedelta(days=31))
    assert check_spending() == 1
    assert len(told(administrator)) == 2


def test_what_was_spent_in_an_earlier_month_is_not_told(administrator: User, alice: User) -> None:
    limit("everyone", 20)
    spend(Payer(user_id=alice.pk), 17)
    Meter.objects.update(month=F("month") - timedelta(days=31))
    assert check_spending() == 0


def test_what_running_answers_reserve_is_not_spent(administrator: User, alice: User) -> None:
    limit("everyone", 20)
    spend(Payer(user_id=alice.pk), 9)
    reserve(Payer(user_id=alice.pk), 4)
    assert check_spending() == 0


def test_a_changed_limit_is_told_anew(administrator: User, alice: User, told: Told) -> None:
    changed = limit("everyone", 20)
    spend(Payer(user_id=alice.pk), 20)
    check_spending()
    Limit.objects.filter(pk=changed.pk).update(amount=40)
    assert check_spending() == 1
    assert shares(administrator, told) == ["100%", "50%"]


def test_limits_of_groups_and_websites_are_told_by_name(
    administrator: User, alice: User, bob: User, pupils: Group, told: Told
) -> None:
    shop, other = make_site(bob), make_site(alice)
    shop.name, other.name = "Shop", "Other"
    shop.save(), other.save()
    limit("group", 10, group=pupils)
    limit("site", 10)
    limit("site", 100, site=other.key)
    limit("visitors", 40)
    spend(Payer(user_id=alice.pk), 5)
    spend(Payer(user_id=bob.pk), 50)  # no pupil
    spend(Payer(site=shop.key, visitor="v"), 8)
    spend(Payer(site=other.key, visitor="w"), 12)
    assert check_spending() == 3
    texts = sorted(told(administrator))
    assert [each.partition("(")[2] for each in texts] == [
        "Pupils).",
        "visitors of all websites combined).",
        "Shop).",
    ]


@pytest.mark.parametrize(
    ("scope", "own"),
    [
        ("member", {}),
        ("address", {}),
        ("everyone", {"by_review": True}),
        ("everyone", {"expires_at": timezone.now() - timedelta(days=1)}),
    ],
)
def test_limits_that_nobody_shares_or_that_staff_set_for_a_while_are_not_told(
    administrator: User, alice: User, scope: str, own: dict[str, object]
) -> None:
    limit(scope, 1, **own)
    spend(Payer(user_id=alice.pk, address="192.0.2.1"), 0.9)
    assert check_spending() == 0


def test_a_limit_of_nothing_is_never_spent(administrator: User, alice: User) -> None:
    spend(Payer(user_id=alice.pk), 1)
    limit("everyone", 0)
    assert check_spending() == 0
    assert not StaffNotice.objects.exists()
