"""Owners are mailed once a week that questions had no answer, without what visitors wrote."""

from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.core import mail
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Message
from chat.website_answers import unanswered, weekly_mail
from chat.website_answers.models import AnswerCase, Gap, UnansweredQuestion
from chat.widget_sites.models import AnswerMode, SiteMember, WidgetSite
from tests.support.generations.stream_reader import read_stream
from tests.support.outbox import deliver
from tests.support.widget.visitor_client import site_of, visit

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

WEEK = timedelta(days=7)


@pytest.fixture
async def site(alice: User, bob: User) -> WidgetSite:
    """Return a website with a gap, which bob answers visitors of as an agent."""
    found: WidgetSite = await site_of(alice, answer_mode=AnswerMode.ONLY, name="Canoes")
    await WidgetSite.objects.filter(pk=found.pk).aupdate(created_at=timezone.now() - 2 * WEEK)
    await SiteMember.objects.acreate(site=found, user=bob, role=SiteMember.Role.AGENT)
    visitor = await visit(found)
    await read_stream(await visitor.send("Do you sell vouchers?"))
    await unanswered.until_stored()
    gap = await Gap.objects.acreate(site=found)
    await UnansweredQuestion.objects.aupdate(gap=gap)
    return found


async def mailed() -> list[str]:
    """Return to whom mails go now."""
    mail.outbox.clear()
    await sync_to_async(weekly_mail.find_due)()
    await deliver(weekly_mail.MAIL)
    return [each.to[0] for each in mail.outbox]


async def test_owners_get_one_a_week_without_texts(site: WidgetSite, alice: User) -> None:
    assert await mailed() == [alice.email]
    text = str(mail.outbox[0].body)
    assert "no good answer to 1 question." in text
    assert f"/sites/{site.key}/gaps/" in text
    assert "voucher" not in text
    assert await mailed() == []
    await WidgetSite.objects.aupdate(gaps_mailed_at=timezone.now() - WEEK)
    assert await mailed() == [alice.email]


async def test_it_says_how_many_test_questions_got_worse(site: WidgetSite, alice: User) -> None:
    await Gap.objects.all().adelete()
    cited = {"site": site, "question": "Is it far?", "source": "Shop", "was_right": True}
    await AnswerCase.objects.acreate(**cited, is_right=True)
    assert await mailed() == []
    await AnswerCase.objects.acreate(**cited, is_right=False)
    await WidgetSite.objects.aupdate(gaps_mailed_at=None)
    assert await mailed() == [alice.email]
    text = str(mail.outbox[0].body)
    assert "no longer cited: 1 of 2" in text
    assert "no good answer" not in text
    assert f"/sites/{site.key}/try/" in text


@pytest.mark.parametrize("why", ["off", "dismissed", "old", "new website"])
async def test_nobody_gets_one_if_there_is_nothing_to_say(site: WidgetSite, why: str) -> None:
    if why == "off":
        await WidgetSite.objects.aupdate(mails_gaps=False)
    elif why == "dismissed":
        await Gap.objects.aupdate(state=Gap.State.DISMISSED)
    elif why == "old":
        await Message.objects.aupdate(created_at=timezone.now() - 2 * WEEK)
    else:
        await WidgetSite.objects.aupdate(created_at=timezone.now())
    assert await mailed() == []
