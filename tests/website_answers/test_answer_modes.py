"""A website's answers are based on its documents as its owner wants, and say so if there are none."""

import uuid
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from chat.accounts.models import User
from chat.conversations.models import Message
from chat.conversations.sources.models import MessageSources
from chat.knowledge.models import Document
from chat.widget_sites.models import AnswerMode, WidgetSite
from tests.support.generations.send import DONE
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import site_with
from tests.support.website_answers import PAGE, add_page
from tests.support.widget.visitor_client import Visiting, site_of, visit

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

ANSWER = b'data: {"response":"Nine days [1]."}\n\n'
KNOWN = "How many days does delivery take in Europe?"
UNKNOWN = "Which gift vouchers do you sell to every friend?"


async def new_site(owner: User, mode: AnswerMode) -> WidgetSite:
    site: WidgetSite = await site_of(owner, answer_mode=mode)
    await add_page(site)
    return site


async def asked(vera: Visiting, text: str, **headers: str) -> tuple[Any, bytes]:
    """Return the answer, and what the model was sent."""
    async with site_with(always(stream_of(ANSWER, DONE))) as raw:
        body = {"key": uuid.uuid4().hex, "text": text}
        stream = await read_stream(await vera.post("messages", body, **headers))
    chats = [each for each in raw.requests if b'"messages"' in each]
    return stream, b"".join(chats)


@pytest.mark.parametrize("mode", AnswerMode)
async def test_a_question_that_a_page_answers_is_answered_from_it(
    alice: User, mode: AnswerMode
) -> None:
    vera = await visit(await new_site(alice, mode))
    stream, sent = await asked(vera, KNOWN)
    assert stream.text == "Nine days [1]."
    assert (b"Answer only from them" in sent) == (mode == AnswerMode.ONLY)
    assert (b"which part is not from the website" in sent) == (mode == AnswerMode.FIRST)
    (source,) = stream.key("sources")
    words = "We%20deliver%20canoes%20to%20every%20address,in%20Europe.%20Delivery%20takes%20nine%20days."
    assert source["address"] == f"{PAGE}#:~:text={words}"


async def test_without_a_page_about_it_no_model_is_asked_and_it_says_so(alice: User) -> None:
    vera = await visit(await new_site(alice, AnswerMode.ONLY))
    stream, sent = await asked(vera, UNKNOWN, **{"Accept-Language": "de"})
    assert not sent
    assert stream.text == "Auf dieser Website habe ich dazu keine Antwort gefunden."
    assert stream.key("unanswered") is True
    (related,) = stream.key("sources")
    assert (related["name"], related["is_related"]) == ("Delivery", True)
    message = await Message.objects.select_related("conversation").alatest("pk")
    shown = (await vera.get(f"conversations/{message.conversation_id}")).json()["turns"][-1]
    assert [each["is_related"] for each in shown["sources"]] == [True]


async def test_a_short_question_after_another_may_refer_to_it(alice: User) -> None:
    vera = await visit(await new_site(alice, AnswerMode.ONLY))
    async with site_with(always(stream_of(ANSWER, DONE))) as raw:
        first = await vera.send(KNOWN)
        await read_stream(first)
        await read_stream(await vera.send("And in winter?", first["X-Conversation-Id"]))
    assert len([each for each in raw.requests if b'"messages"' in each]) == 2


async def test_an_empty_website_answers_nothing_if_it_may_only_use_its_documents(
    alice: User,
) -> None:
    vera = await visit(await site_of(alice, answer_mode=AnswerMode.ONLY))
    stream, sent = await asked(vera, UNKNOWN)
    assert not sent
    assert stream.text == "I couldn't find an answer to this on this website."


@pytest.mark.parametrize("mode", [AnswerMode.FREELY, AnswerMode.FIRST])
async def test_other_websites_let_the_model_answer(alice: User, mode: AnswerMode) -> None:
    vera = await visit(await new_site(alice, mode))
    _stream, sent = await asked(vera, UNKNOWN)
    assert UNKNOWN.encode() in sent


@pytest.mark.parametrize("why", ["a person wrote it", "it has no sources", "its page is gone"])
async def test_without_its_sources_an_answer_is_not_continued(why: str, alice: User) -> None:
    site = await new_site(alice, AnswerMode.ONLY)
    vera = await visit(site)
    stream, _sent = await asked(vera, KNOWN)
    answer = await Message.objects.select_related("conversation").alatest("pk")
    if why == "a person wrote it":
        await Message.objects.filter(pk=answer.pk).aupdate(author=alice.pk)
    elif why == "it has no sources":
        await MessageSources.objects.all().adelete()
    else:
        await Document.objects.all().adelete()
    path = f"{answer.conversation_id}/messages"
    async with site_with(always(stream_of(ANSWER, DONE))) as raw:
        refused = await vera.post(path, {"key": "again", "resume": answer.pk})
    assert (refused.status_code, raw.requests) == (400, [])
    assert (await Message.objects.aget(pk=answer.pk)).text == stream.text


async def test_the_page_that_the_visitor_is_on_comes_first(alice: User) -> None:
    site = await new_site(alice, AnswerMode.ONLY)
    kayak = f"{PAGE}/kayak"
    await add_page(site, "The kayak costs 900 euros.", kayak)
    vera = await visit(site)
    context = {"address": f"{kayak}/"}
    async with site_with(always(stream_of(ANSWER, DONE))) as raw:
        await read_stream(await vera.send("How much is this?", context=context))
    (chat,) = [each for each in raw.requests if b'"messages"' in each]
    assert b"The kayak costs" in chat


async def test_the_owner_chooses_it_in_the_form(alice: User) -> None:
    from chat.web.widget_sites.forms import WidgetSiteForm

    site = await new_site(alice, AnswerMode.FREELY)
    form = await sync_to_async(lambda: WidgetSiteForm(None, alice, site).as_p())()
    assert 'value="only"' in form
