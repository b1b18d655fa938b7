"""What is left of the limits, as users see it before sending and as staff see it."""

import html
import re
import uuid
from html import unescape

import pytest
from django.contrib.auth.models import Group
from django.db import transaction

from chat.accounts.models import User
from chat.quotas import ledger
from chat.quotas.allowance import allowance_of
from chat.quotas.amounts import Amount
from chat.quotas.ledger import Estimate
from chat.quotas.models import Limit
from chat.quotas.payer import Payer
from tests.support.web.signed_in import signed_in

LINE = 'popovertarget="allowance-card"'


def use(user: User, tokens: int, microdollars: int = 0) -> None:
    charge_id, amount = uuid.uuid4(), Amount(tokens, 0, microdollars)
    with transaction.atomic():
        ledger.reserve(
            charge_id, Payer(user_id=user.pk), Estimate(0, 1, amount, amount), model="m", process=1
        )
    with transaction.atomic():
        ledger.settle([charge_id], lambda _: amount)


def page(user: User, path: str) -> str:
    client = signed_in(user)
    response = client.get(path)
    assert response.status_code == 200
    return html.unescape(response.content.decode())


def test_without_limits_nothing_is_shown(alice: User) -> None:
    assert LINE not in page(alice, "/chat/")


def test_nothing_is_shown_while_more_than_a_fifth_is_left(alice: User) -> None:
    Limit.objects.create(scope="member", measure="tokens", amount=1000)
    use(alice, 799)
    assert LINE not in page(alice, "/chat/")
    use(alice, 1)
    assert LINE in page(alice, "/chat/")


def test_users_and_staff_see_the_same_number(alice: User, bob: User, rita: User) -> None:
    Limit.objects.create(scope="member", measure="tokens", amount=50_000)
    rita.is_superuser = True
    rita.save()
    use(alice, 42_400)
    use(bob, 49_000)
    for path in ("/chat/", "/chat/temporary/", "/chat/allowance/"):
        assert "7,600 of 50,000 left" in page(alice, path)
        assert "7,600 of 50,000 tokens left today" in page(alice, path)
    assert "7,600 of 50,000 left" in page(rita, f"/admin/chat/user/{alice.pk}/change/")


def test_the_tightest_limit_is_shown(alice: User) -> None:
    Limit.objects.create(scope="member", measure="tokens", amount=1000)
    Limit.objects.create(scope="member", measure="dollars", amount=1)
    use(alice, 100, 900_000)
    shown = page(alice, "/chat/")
    assert "$0.10 of $1.00 left this month" in shown
    assert "900 of 1,000 left" in shown


def test_a_shared_limit_is_shown_as_a_percentage(alice: User, bob: User) -> None:
    group = Group.objects.create(name="pupils")
    alice.groups.add(group)
    Limit.objects.create(scope="everyone", measure="dollars", amount=20)
    Limit.objects.create(scope="group", group=group, measure="tokens", amount=900)
    use(bob, 10, 17_000_000)
    use(alice, 300)
    shown = page(alice, "/chat/")
    assert "15% left of this month's limit" in shown
    assert "15% left" in shown
    assert "66% left" in shown
    assert "$20" not in shown
    assert not re.search(r"\b900\b", shown)  # random ids may contain the digits


def test_a_members_own_limit_comes_before_those_of_others(alice: User) -> None:
    for scope in ("address", "everyone", "member"):
        Limit.objects.create(scope=scope, measure="dollars", amount=5)
    names = re.findall(r"<dt>(.*?)</dt>", page(alice, "/settings/usage/"))
    assert [name for name in names if name.startswith("Cost")] == [
        "Cost this month",
        "Cost this month, your network",
        "Cost this month, all members",
    ]


def test_a_spent_limit_is_shown_with_the_time_when_it_resets(alice: User) -> None:
    Limit.objects.create(scope="member", measure="tokens", amount=100)
    assert "It resets on" not in page(alice, "/chat/")
    use(alice, 100)
    shown = unescape(page(alice, "/chat/"))
    assert re.search(r"0 of 100 tokens left today\. It resets on \w+ \d+, \d+, 12:00 AM\.", shown)


@pytest.mark.django_db
def test_showing_the_quota_costs_nothing(alice: User) -> None:
    Limit.objects.create(scope="member", measure="tokens", amount=100)
    for _ in range(3):
        assert allowance_of(Payer(user_id=alice.pk)).remaining[0].used == 0


def test_limits_of_money_are_listed_before_those_that_recover_soon(alice: User) -> None:
    for measure in ("running", "neurons", "requests", "dollars", "tokens"):
        for scope in ("everyone", "member"):
            Limit.objects.create(scope=scope, measure=measure, amount=5)
    found = [each.bound for each in allowance_of(Payer(user_id=alice.pk)).remaining]
    measures = ["dollars", "neurons", "tokens", "requests", "running"]
    assert [(each.measure, each.scope) for each in found] == [
        (measure, scope) for measure in measures for scope in ("member", "everyone")
    ]
