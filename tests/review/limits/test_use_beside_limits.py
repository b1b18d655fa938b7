"""The pages of limits say what is used of each, and what applies while a field is blank."""

import html
import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.db.models import F
from django.test import Client

from chat.accounts.models import User
from chat.quotas.models import Limit, Meter
from chat.quotas.payer import Payer
from chat.widget_sites import visitors
from tests.support.quotas.spending import reserve, spend
from tests.support.review.member_pages import text_of
from tests.support.widget.visitor_client import make_site


def hints(client: Client, place: str) -> dict[str, str]:
    """Return the text beside each field by the field's name."""
    page = text_of(client, f"/review/quotas/{place}/")
    found = re.findall(r'id="id_([\w-]+)_helptext">(.*?)</div>', page)
    return {name: html.unescape(text) for name, text in found}


def test_a_limit_for_everyone_has_the_use_beside_it(
    admin_browser: Client, alice: User, bob: User
) -> None:
    Limit.objects.create(scope="everyone", measure="dollars", amount=20)
    spend(Payer(user_id=alice.pk), 3, tokens=1200)
    spend(Payer(user_id=bob.pk), 2)
    shown = hints(admin_browser, "all/site")
    assert shown["everyone-dollars"] == "Used this month: $5.00 (25%)."
    assert shown["everyone-tokens"] == "Used today: 1,201."
    assert shown["member-dollars"] == "Most used by one this month: $3.00."


def test_use_includes_what_running_answers_may_cost(admin_browser: Client, alice: User) -> None:
    Limit.objects.create(scope="everyone", measure="dollars", amount=20)
    reserve(Payer(user_id=alice.pk), 4)
    shown = hints(admin_browser, "all/site")
    assert shown["everyone-dollars"] == "Used this month: $4.00 (20%)."
    assert shown["everyone-running"] == "In use now: 1."


def test_use_of_an_earlier_month_does_not_count(admin_browser: Client, alice: User) -> None:
    spend(Payer(user_id=alice.pk), 3)
    for name in ("month", "day"):
        Meter.objects.update(**{name: F(name) - timedelta(days=400)})
    shown = hints(admin_browser, f"person/{alice.pk}")
    assert shown["member-dollars"].startswith("Used this month: $0.00.")
    assert shown["member-tokens"].startswith("Used today: 0.")


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ([], "If blank: no limit."),
        (["general"], "If blank: $5.00 (each member)."),
        (["general", "pupils"], "If blank: $7.00 (Pupils)."),
        (["pupils", "choir"], "If blank: $9.50 (Choir)."),
    ],
)
def test_a_person_has_the_limit_that_applies_while_theirs_is_blank(
    admin_browser: Client, alice: User, pupils: Group, limits: list[str], expected: str
) -> None:
    choir = Group.objects.create(name="Choir")
    alice.groups.add(choir)
    amounts = {"general": (None, 5), "pupils": (pupils, 7), "choir": (choir, 9.5)}
    for name in limits:
        group, amount = amounts[name]
        Limit.objects.create(scope="member", measure="dollars", group=group, amount=amount)
    shown = hints(admin_browser, f"person/{alice.pk}")
    assert shown["member-dollars"].endswith(expected)


def test_a_group_has_its_members_use_and_the_general_limits(
    admin_browser: Client, alice: User, bob: User, pupils: Group
) -> None:
    Limit.objects.create(scope="everyone", measure="dollars", amount=20)
    Limit.objects.create(scope="member", measure="dollars", amount=5)
    Limit.objects.create(scope="group", group=pupils, measure="dollars", amount=8)
    spend(Payer(user_id=alice.pk), 2)
    spend(Payer(user_id=bob.pk), 4)  # no pupil
    shown = hints(admin_browser, f"group/{pupils.pk}")
    used = "Used this month: $2.00 (25%). If blank: $20.00 (everyone combined)."
    assert shown["group-dollars"] == used
    most = "Most used by one this month: $2.00. If blank: $5.00 (each member)."
    assert shown["member-dollars"] == most


def test_a_groups_use_is_no_share_of_the_limit_for_everyone(
    admin_browser: Client, alice: User, pupils: Group
) -> None:
    Limit.objects.create(scope="everyone", measure="dollars", amount=20)
    spend(Payer(user_id=alice.pk), 5)
    used = "Used this month: $5.00. If blank: $20.00 (everyone combined)."
    assert hints(admin_browser, f"group/{pupils.pk}")["group-dollars"] == used


def test_a_website_has_its_own_use_and_that_of_its_visitors(
    admin_browser: Client, alice: User, bob: User
) -> None:
    shop, other = make_site(bob), make_site(alice)
    Limit.objects.create(scope="site", measure="dollars", amount=10)
    vera = visitors.make(shop)
    spend(Payer(site=shop.key, visitor=vera.pk.hex, address="192.0.2.1"), 2)
    spend(Payer(site=shop.key, visitor=f"{shop.key}:192.0.2.2", address="192.0.2.2"), 3)
    spend(Payer(site=other.key, visitor=visitors.make(other).pk.hex, address="192.0.2.3"), 7)
    shown = hints(admin_browser, f"website/{shop.key}")
    assert shown["site-dollars"] == "Used this month: $5.00 (50%). If blank: $10.00 (each website)."
    assert "Most used by one this month: $3.00." in shown["visitor-dollars"]
    assert "Most used by one this month: $3.00." in shown["site_address-dollars"]
    everyones = hints(admin_browser, "all/site")
    assert everyones["visitors-dollars"] == "Used this month: $12.00."
    assert everyones["site-dollars"] == "Most used by one this month: $7.00."
    assert everyones["address-dollars"] == "Most used by one this month: $7.00."
