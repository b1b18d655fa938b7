"""Owners see what visitors asked in vain, by meaning, and answer it."""

import re
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient, override_settings
from django.utils import timezone
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations.handoff.human_handoff import request_person
from chat.conversations.models import Conversation, Message, Rating
from chat.conversations.redaction import redact
from chat.review.models import AccessLogEntry
from chat.web.website_answers.owners import owners_inbox
from chat.website_answers import gaps, grouping, unanswered
from chat.website_answers.models import AnswerSnippet, Gap, UnansweredQuestion
from chat.widget_sites.models import AnswerMode, SiteMember, WidgetSite
from tests.support.generations.stream_reader import SAME_ORIGIN, read_stream
from tests.support.knowledge.collections import index_documents
from tests.support.website_answers import add_page, write_answer
from tests.support.widget.visitor_client import Visiting, site_of, visit

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

IN_VAIN = "Do you sell gift vouchers for canoes?"
KNOWN = "How many days does delivery of canoes take in Europe?"


@pytest.fixture
async def site(alice: User) -> WidgetSite:
    """Return a website that answers only from its documents, with one page."""
    found: WidgetSite = await site_of(alice, answer_mode=AnswerMode.ONLY, offers_person=True)
    await add_page(found)
    return found


async def asked(site: WidgetSite, *questions: str) -> Visiting:
    """Return a new visitor who has asked these questions, each in a chat of its own."""
    visitor = await visit(site)
    for question in questions:
        await read_stream(await visitor.send(question))
    await unanswered.until_stored()
    while await sync_to_async(grouping.group_next)():
        pass
    return visitor


async def page(client: AsyncClient, site: WidgetSite) -> str:
    return (await client.get(f"/sites/{site.key}/gaps/")).content.decode()


async def post(client: AsyncClient, site: WidgetSite, path: str, **form: str) -> Any:
    return await client.post(f"/sites/{site.key}/gaps/{path}/", form, headers=SAME_ORIGIN)


async def test_questions_of_one_meaning_are_one_gap_and_answered_ones_none(
    site: WidgetSite, alice_client: AsyncClient
) -> None:
    await asked(site, KNOWN, IN_VAIN, "Is there a parking lot?")
    await asked(site, "Do you sell gift vouchers for the canoes?")
    listed = await page(alice_client, site)
    assert re.findall(r"(\d+) (?:person|people)\b", listed) == ["2", "1"]
    assert "2 in the last 7 days" in listed
    assert KNOWN not in listed


async def test_three_clicks_answer_a_question(site: WidgetSite, alice_client: AsyncClient) -> None:
    vera = await asked(site, IN_VAIN)
    gap = await Gap.objects.aget()
    drafted = (await post(alice_client, site, f"{gap.pk}/draft")).content.decode()
    assert f'value="{IN_VAIN}"' in drafted
    answer = "Yes, at the desk."
    published = await post(alice_client, site, f"{gap.pk}/answer", question=IN_VAIN, answer=answer)
    assert published.status_code == 302
    await index_documents()
    assert "Nothing is unanswered." in await page(alice_client, site)
    stream = await read_stream(await vera.send(IN_VAIN))
    assert "desk" in stream.text
    assert (await Gap.objects.aget()).snippet_id == (await AnswerSnippet.objects.aget()).pk


async def test_a_draft_is_what_a_person_of_the_team_replied(
    site: WidgetSite, alice: User, alice_client: AsyncClient
) -> None:
    await asked(site, IN_VAIN)
    question = await Message.objects.aget(text=IN_VAIN)
    await Message.objects.acreate(
        conversation_id=question.conversation_id,
        parent=question,
        role=Message.Role.ASSISTANT,
        text="Yes, ask at the desk.",
        author=alice.pk,
    )
    assert "Yes, ask at the desk." in await page(alice_client, site)
    gap = await Gap.objects.aget()
    drafted = (await post(alice_client, site, f"{gap.pk}/draft")).content.decode()
    assert "Yes, ask at the desk.</textarea>" in drafted


async def test_a_later_question_opens_an_answered_gap_but_no_dismissed_one(
    site: WidgetSite, alice_client: AsyncClient
) -> None:
    await asked(site, IN_VAIN, "Is there a parking lot?")
    first, second = [gap async for gap in Gap.objects.order_by("pk")]
    await post(alice_client, site, f"{second.pk}/dismissal")
    now = timezone.now()
    await Gap.objects.filter(pk=first.pk).aupdate(state=Gap.State.ANSWERED, closed_at=now)
    await asked(site, IN_VAIN, "Is there a parking lot?")
    states = [gap.state async for gap in Gap.objects.order_by("pk")]
    assert states == [Gap.State.OPEN, Gap.State.DISMISSED]


async def test_an_older_question_does_not_open_an_answered_gap(site: WidgetSite) -> None:
    await asked(site, IN_VAIN)
    later = timezone.now() + timedelta(minutes=1)
    await Gap.objects.aupdate(state=Gap.State.ANSWERED, closed_at=later)
    await asked(site, IN_VAIN)
    assert (await Gap.objects.aget()).state == Gap.State.ANSWERED


async def test_a_question_that_cannot_be_grouped_does_not_stop_others(
    site: WidgetSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    await asked(site, IN_VAIN)
    await UnansweredQuestion.objects.aupdate(gap=None)
    monkeypatch.setattr(grouping, "_nearest", lambda question: 1 // 0)
    assert await sync_to_async(grouping.group_next)()
    assert not await sync_to_async(grouping.group_next)()


async def test_files_are_no_part_of_a_question(site: WidgetSite, alice_client: AsyncClient) -> None:
    await asked(site, f"{IN_VAIN}\nsecret.txt:\n```txt\nMy IBAN is 1234\n```\n")
    gap = await Gap.objects.aget()
    drafted = (await post(alice_client, site, f"{gap.pk}/draft")).content.decode()
    assert f'value="{IN_VAIN}"' in drafted


async def test_replies_stand_beside_the_question_that_they_follow(
    site: WidgetSite, alice: User, alice_client: AsyncClient
) -> None:
    visitor = await asked(site, IN_VAIN)
    chat = await Conversation.objects.aget()
    await read_stream(await visitor.send("Is there a parking lot?", str(chat.pk)))
    await unanswered.until_stored()
    while await sync_to_async(grouping.group_next)():
        pass
    await Message.objects.acreate(conversation=chat, role="assistant", text="Yes.", author=alice.pk)
    listed = (await page(alice_client, site)).split("Is there a parking lot?")
    assert len(listed) >= 2
    inbox = await sync_to_async(owners_inbox)(alice, site.key)
    found = {
        each.wordings[0].text: len(each.replies) for each in await sync_to_async(gaps.listed)(inbox)
    }
    assert found == {IN_VAIN: 0, "Is there a parking lot?": 1}


async def test_bad_ratings_and_requests_for_a_person_are_gaps(site: WidgetSite) -> None:
    visitor = await asked(site, KNOWN)
    answer = await Message.objects.aget(role="assistant")
    owner = await Conversation.objects.values_list("owner", flat=True).aget()
    await Rating.objects.acreate(message=answer, user_id=owner, value=-1)
    await read_stream(await visitor.send("Where does delivery of canoes take nine days?"))
    chat = await Conversation.objects.alatest("created_at")
    await sync_to_async(request_person)(chat)
    await unanswered.until_stored()
    for _ in range(2):
        await sync_to_async(unanswered.find_more)()
    causes = UnansweredQuestion.objects.order_by("message").values_list("cause", flat=True)
    assert [cause async for cause in causes] == ["bad", "person"]


@pytest.mark.parametrize("how", ["hidden", "deleted", "purged"])
async def test_nothing_is_left_of_a_question_that_is_gone(
    site: WidgetSite, alice_client: AsyncClient, how: str
) -> None:
    await asked(site, IN_VAIN)
    question = await Message.objects.select_related("conversation").aget(text=IN_VAIN)
    if how == "hidden":
        await sync_to_async(redact)(question)
    elif how == "deleted":
        await Message.objects.filter(pk=question.pk).aupdate(deleted_at=timezone.now())
    else:
        await Message.objects.filter(parent=question).adelete()
        await question.conversation.adelete()
        await sync_to_async(grouping.remove_gone)()
        assert not await Gap.objects.aexists()
        assert not await UnansweredQuestion.objects.aexists()
    assert IN_VAIN not in await page(alice_client, site)


async def test_the_trend_compares_two_weeks(site: WidgetSite, alice_client: AsyncClient) -> None:
    await asked(site, IN_VAIN)
    await Message.objects.aupdate(created_at=timezone.now() - timedelta(days=10))
    assert "0 in the last 7 days, 1 in the 7 days before" in await page(alice_client, site)


async def test_reading_is_recorded_and_agents_and_strangers_find_nothing(
    site: WidgetSite, alice: User, alice_client: AsyncClient, bob: User, bob_client: AsyncClient
) -> None:
    await asked(site, IN_VAIN)
    await page(alice_client, site)
    entry = await AccessLogEntry.objects.filter(reader=alice.pk).afirst()
    assert entry
    assert entry.message == (await Message.objects.aget(text=IN_VAIN)).pk
    other = await site_of(bob)
    gap = await Gap.objects.aget()
    for role in (None, SiteMember.Role.AGENT):
        if role:
            await SiteMember.objects.acreate(site=site, user=bob, role=role)
        assert (await bob_client.get(f"/sites/{site.key}/gaps/")).status_code == 404
        for key in (site, other):
            for path in ("draft", "answer", "dismissal"):
                assert (await post(bob_client, key, f"{gap.pk}/{path}")).status_code == 404


async def test_without_vectors_words_group_questions(site: WidgetSite) -> None:
    with override_settings(KNOWLEDGE_EMBEDDING_MODEL=""):
        await asked(site, IN_VAIN, "Do you sell gift vouchers for all canoes?", "Gift wrapping?")
    assert await Gap.objects.acount() == 2


async def test_an_answer_only_for_the_team_does_not_answer_visitors(site: WidgetSite) -> None:
    sentinel = "sentinel-4410"
    await write_answer(site, IN_VAIN, sentinel, is_for_team=True)
    visitor = await visit(site)
    stream = await read_stream(await visitor.send(IN_VAIN))
    assert sentinel not in stream.text
    assert "couldn't find an answer" in stream.text


async def test_a_draft_from_sources_for_the_team_is_for_the_team_unless_its_owner_decides_otherwise(
    site: WidgetSite, alice_client: AsyncClient, settings: Settings
) -> None:
    settings.TITLE_MODEL = "@cf/ibm-granite/granite-4.0-h-micro"
    await asked(site, IN_VAIN)
    gap = await Gap.objects.aget()
    drafted = (await post(alice_client, site, f"{gap.pk}/draft")).content.decode()
    assert "sources that are only for the team" not in drafted
    await write_answer(site, IN_VAIN, "Only for friends.", is_for_team=True)
    drafted = (await post(alice_client, site, f"{gap.pk}/draft")).content.decode()
    assert "sources that are only for the team" in drafted
    assert re.search(r'name="is_for_team"[^>]* checked', drafted)
