"""One table has the cost by group, persona, website and model, each cost once."""

import random
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.generations.models import Generation
from chat.personas.models import Persona
from chat.quotas.models import Charge
from chat.review.models import ReviewScope
from chat.widget_sites import visitors
from chat.widget_sites.models import WidgetSite
from tests.review.conftest import give
from tests.support.review.analytics import ask
from tests.support.review.member_pages import with_reason

pytestmark = pytest.mark.django_db
Row = tuple[str | None, str | None, str, str, float]


def answer(
    owner: User, dollars: float, model: str = "m", site: str = "", persona: Persona | None = None
) -> Generation:
    made = ask(owner, timezone.now() - timedelta(minutes=1), random.Random(1), site)
    Generation.objects.filter(pk=made.pk).update(model=model)
    Charge.objects.filter(pk=made.pk).update(microdollars=round(dollars * 1e6))
    Conversation.objects.filter(pk=made.message.conversation_id).update(persona=persona)
    return made


def costs(client: Client, query: str = "") -> list[Row]:
    rows: list[dict[str, Any]] = client.get(f"/review/analytics/costs.json?{query}").json()["costs"]
    names = ("groups", "persona", "site", "model", "dollars")
    return [tuple(each[name] for name in names) for each in rows]  # type: ignore[misc]


def test_costs_of_the_same_place_are_added_up_and_the_highest_is_first(
    lead_browser: Client, alice: User, bob: User, pupils: Group
) -> None:
    bob.groups.add(pupils)
    for owner, dollars, model in ((alice, 1, "m"), (bob, 2, "m"), (alice, 5, "n")):
        answer(owner, dollars, model)
    assert costs(lead_browser) == [
        ("Pupils", None, "This site", "n", 5.0),
        ("Pupils", None, "This site", "m", 3.0),
    ]


def test_somebody_in_several_groups_counts_once(
    lead_browser: Client, alice: User, bob: User, pupils: Group
) -> None:
    alice.groups.add(Group.objects.create(name="Choir"))
    answer(alice, 4)
    answer(bob, 1)
    assert costs(lead_browser) == [
        ("Choir, Pupils", None, "This site", "m", 4.0),
        (None, None, "This site", "m", 1.0),
    ]


def test_personas_of_the_site_are_named_and_those_of_members_are_not(
    lead_browser: Client, alice: User
) -> None:
    tutor = Persona.objects.create(name="Tutor", for_everybody=True)
    secret = Persona.objects.create(name="Secret", owner=alice)
    gone = Persona.objects.create(name="Gone", for_everybody=True)
    for dollars, persona in ((5, tutor), (3, secret), (1, gone), (0.5, None)):
        answer(alice, dollars, persona=persona)
    assert [row[1] for row in costs(lead_browser)] == [
        "Tutor",
        "Personal or deleted persona",
        "Gone",
        None,
    ]
    gone.delete()
    assert [row[1] for row in costs(lead_browser)][1:] == ["Personal or deleted persona", None]
    assert "Secret" not in lead_browser.get("/review/analytics/").content.decode()


def test_costs_of_websites_have_their_names(lead_browser: Client, bob: User) -> None:
    shop = WidgetSite.objects.create(owner=bob, name="Shop")
    answer(visitors.make(shop).user, 2, site=shop.key)
    answer(bob, 1)
    assert [(row[2], row[4]) for row in costs(lead_browser)] == [("Shop", 2.0), ("This site", 1.0)]
    assert [row[2] for row in costs(lead_browser, f"site={shop.pk}")] == ["Shop"]


def test_a_lead_of_one_group_sees_neither_other_people_nor_other_groups(
    alice: User, bob: User, rita: User, pupils: Group
) -> None:
    give(rita, "lead_review")
    ReviewScope.objects.create(reviewer=rita, members=pupils)
    alice.groups.add(Group.objects.create(name="Choir"))
    answer(alice, 4)
    answer(bob, 1)
    assert costs(with_reason(rita)) == [("Pupils", None, "This site", "m", 4.0)]


def test_the_page_has_the_table_and_a_file_for_spreadsheets(
    lead_browser: Client, alice: User
) -> None:
    alice.groups.add(Group.objects.create(name="=1+1"))
    answer(alice, 4)
    page = lead_browser.get("/review/analytics/").content.decode()
    assert "Cost by group, persona, website and model" in page
    written = lead_browser.get("/review/analytics/costs.csv").content.decode()
    head, row = written.splitlines()
    assert head.lstrip("\ufeff") == "groups,persona,site,model,messages,tokens,neurons,dollars"
    assert row.startswith("'=1+1,,This site,m,1,")
    assert row.endswith(",4.0")
