"""What the staff typed is not lost: when it is refused."""

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.relay import deleting
from chat.review import cases, flags
from chat.review.acting import people, words
from chat.review.audit import Look
from chat.review.case_models import Case
from tests.conftest import browser_of
from tests.review.conftest import look_of, say
from tests.review.test_pages import begin

LONG = "wherefore" * 30


@pytest.fixture
def ritas(reviewer: User, life_ends: None) -> AsyncClient:
    return browser_of(reviewer)


@pytest.fixture
def lenas(lead: User, life_ends: None) -> AsyncClient:
    return browser_of(lead)


@pytest.fixture
def chat(alice: User) -> Conversation:
    return say(alice, "Where do rivers begin?", "In hills.")


@pytest.fixture
def lenas_look(lead: User) -> Look:
    return look_of(lead, "The visitor asked")


def case_of(chat: Conversation) -> Case:
    return flags.report(chat.pk, None, chat.owner_id, "harmful", "").case


@pytest.mark.parametrize("act", ["closing", "holding", "hiding"])
async def test_a_reason_that_is_refused_stays_in_its_field(
    lenas: AsyncClient, chat: Conversation, act: str
) -> None:
    await begin(lenas)
    message = await chat.messages.afirst()
    place = f"messages/{message.pk}/" if act == "hiding" and message else ""
    refused = await lenas.post(f"/review/{chat.pk}/{place}{act}/", {"reason": LONG})
    page = refused.content.decode()
    assert refused.status_code == 422
    assert page.count(f'name="reason" value="{LONG}"') == 1
    assert "This has 270 characters; 200 is the most." in page
    assert 'class="act" open' in page
    assert ">Change</a>" not in page  # it would lead to where only a POST is taken


@pytest.mark.parametrize("act", ["closing", "messages/1/hiding"])
async def test_out_of_scope_there_is_nothing_whatever_the_form_says(
    ritas: AsyncClient, bob: User, act: str
) -> None:
    await begin(ritas)
    his = await sync_to_async(say)(bob, "Of lakes")
    for reason in ("x", LONG):
        assert (await ritas.post(f"/review/{his.pk}/{act}/", {"reason": reason})).status_code == 404


async def test_whoever_lets_somebody_in_again_is_told_what_is_wrong(
    lenas: AsyncClient, lenas_look: Look, alice: User
) -> None:
    await begin(lenas)
    await sync_to_async(people.suspend)(lenas_look, alice, None)
    path = f"/review/people/{alice.pk}/suspension/"
    refused = await lenas.post(path, {"undo": "yes", "reason": LONG})
    assert refused.status_code == 422
    assert f'value="{LONG}"' in refused.content.decode()
    assert "This has 270 characters" in refused.content.decode()


async def test_words_about_several_stay_with_what_was_chosen(
    ritas: AsyncClient, chat: Conversation
) -> None:
    await begin(ritas)
    case = await sync_to_async(case_of)(chat)
    path = "/review/queue/selection/?state=open"
    sent = {"case": case.pk, "action": "dismissed", "settle-words": "so long " * 200}
    refused = await ritas.post(path, sent)
    page = refused.content.decode()
    assert refused.status_code == 422
    assert f'value="{sent["settle-words"]}"' in page
    assert f'value="{case.pk}" checked' in page
    assert "This has 1,599 characters" in page
    refused = await ritas.post(path, {"action": "dismissed", "settle-words": "Seen"})
    assert refused.status_code == 422
    assert "Choose cases first." in refused.content.decode()
    assert 'value="Seen"' in refused.content.decode()


async def test_whoever_was_slower_keeps_their_words(
    ritas: AsyncClient, lenas_look: Look, chat: Conversation
) -> None:
    await begin(ritas)
    case = await sync_to_async(case_of)(chat)
    await sync_to_async(cases.claim)(lenas_look, case.pk)
    sent = {"outcome": "dismissed", "settle-words": "What I found"}
    refused = await ritas.post(f"/review/cases/{case.pk}/settlement/", sent)
    assert refused.status_code == 409
    assert "Lena works on it." in refused.content.decode()
    assert "What I found</textarea>" in refused.content.decode()


@pytest.mark.parametrize("last", ["case", "hold"])
async def test_what_lets_a_deleted_chat_go_leads_to_the_queue(
    lenas: AsyncClient, lenas_look: Look, chat: Conversation, last: str
) -> None:
    await begin(lenas)
    if last == "case":
        case = await sync_to_async(case_of)(chat)
        path, sent = f"/review/cases/{case.pk}/settlement/", {"outcome": "dismissed"}
    else:
        await sync_to_async(words.hold)(lenas_look, chat.pk)
        path, sent = f"/review/{chat.pk}/holding/", {"undo": "yes"}
    await sync_to_async(deleting.delete)(chat)
    done = await lenas.post(path, sent)
    assert done["Location"] == "/review/queue/"
    page = (await lenas.get(done["Location"])).content.decode()
    assert ("The case is settled." if last == "case" else "The chat is no longer held.") in page
