"""Staff see how members have voted on pairs of models: counts only."""

import re

from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.test import AsyncClient

from chat.accounts.models import User
from chat.evaluation.pair_votes import pair_counts
from chat.generations.pairs.models import PairVote
from chat.review.staff.roles import Reviewer, Role
from chat.site_settings import effective, stored_settings
from tests.support.generations.compared import LLAMA, MISTRAL

PAGE, SETTING = "/review/analytics/votes/", "/review/site/comparison/"
EVERYBODY = Reviewer(0, Role.ADMINISTRATOR, None)


def votes(user: User, *verdicts: str, model_a: str = LLAMA, model_b: str = MISTRAL) -> None:
    for verdict in verdicts:
        PairVote.objects.create(
            user=user,
            pair=PairVote.objects.count() + 1,
            model_a=model_a,
            model_b=model_b,
            verdict=verdict,
        )


def test_both_orders_of_a_pair_are_counted_together(alice: User) -> None:
    votes(alice, "a", "a", "b", "good", "bad")
    votes(alice, "a", "b", "b", model_a=MISTRAL, model_b=LLAMA)
    (count,) = pair_counts(EVERYBODY)
    assert (count.first, count.second) == (LLAMA, MISTRAL)
    assert (count.first_better, count.second_better) == (4, 2)
    assert (count.both_good, count.both_bad, count.votes) == (1, 1, 8)
    assert count.first_share == 4 / 6
    assert round(count.p_value, 4) == 0.6875


def test_a_pair_without_a_decision_has_no_share(alice: User) -> None:
    votes(alice, "good")
    (count,) = pair_counts(EVERYBODY)
    assert count.first_share is None
    assert count.p_value == 1


def test_staff_count_the_votes_in_their_scope(alice: User, bob: User, rita: User) -> None:
    choir = Group.objects.create(name="Choir")
    alice.groups.add(choir)
    votes(alice, "a")
    votes(bob, "b", "b")
    mine = Reviewer(rita.pk, Role.REVIEWER, frozenset([choir.pk]))
    (count,) = pair_counts(mine)
    assert (count.first_better, count.second_better) == (1, 0)


async def test_the_page_has_counts_and_no_people(
    alice: User, administrator_client: AsyncClient, administrator: User
) -> None:
    page = (await administrator_client.get(PAGE)).content.decode()
    assert "turned off in the site settings" in page
    await sync_to_async(votes)(alice, "a", "a", "b")
    page = (await administrator_client.get(PAGE)).content.decode()
    table = re.sub(r"<[^>]+>|\s+", " ", page.partition("<tbody>")[2].partition("</tbody>")[0])
    assert (
        re.sub(" +", " ", table).strip()
        == "Llama 3.2 3B Mistral Small 3.1 24B 3 2 1 0 0 66.7% 1.00"
    )
    assert "alice" not in page


async def test_an_administrator_turns_comparing_without_names_on(
    administrator_client: AsyncClient, administrator: User
) -> None:
    refresh = sync_to_async(stored_settings.refresh)
    assert not effective.offers_blind_comparison()
    posted = {"blind": "on", "reason": "It was agreed"}
    assert (await administrator_client.post(SETTING, posted)).status_code == 302
    await refresh()
    assert effective.offers_blind_comparison()
    await administrator_client.post(SETTING, {"reason": "It was agreed"})
    await refresh()
    assert not effective.offers_blind_comparison()
