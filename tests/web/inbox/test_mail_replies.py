"""A visitor replies by email to what a person has mailed; it is a message of the chat."""

from collections.abc import Callable

import pytest
from asgiref.sync import sync_to_async
from django.core import mail
from django.test import AsyncClient
from django.utils import timezone
from pytest_django import Settings

from chat.conversations.models import Conversation, Message
from chat.documents.reader.mail_message import MailReply
from chat.inbox import mail_replies, reply_addresses
from chat.inbox.models import VisitorEmail
from chat.review.access_log.staff_actions import StaffAction
from chat.widget_sites.models import WidgetSite
from tests.support.outbox import deliver
from tests.support.widget.mail_replies import (
    ACCEPTED,
    INBOUND,
    SECRET,
    URL,
    basic,
    post,
    received,
    reply,
    reply_address,
)
from tests.support.widget.visitor_client import Visiting
from tests.support.widget.visitor_emails import ADDRESS, answer, leave, mail_answers

pytestmark = pytest.mark.usefixtures("no_network_jobs", "inbound")
Inbox = Callable[..., str]
HTML = {"Accept": "text/html"}


async def test_a_reply_is_a_message_for_the_team_and_no_model_answers(
    agent_client: AsyncClient, vera: Visiting, inbox: Inbox, answered: str
) -> None:
    await agent_client.post(inbox(answered, "closing"))
    sent = await post(reply("Can I rent it for a week?"))
    assert (sent.status_code, sent.json()) == (200, ACCEPTED)
    assert await received() == ["Can I rent it for a week?"]
    last = await Message.objects.alatest("pk")
    assert (last.role, last.is_by_email) == ("user", True)
    waiting = await agent_client.get(inbox() + "?show=waiting", headers=HTML)
    assert inbox(answered) in waiting.content.decode()  # it is open again
    page = (await agent_client.get(inbox(answered), headers=HTML)).content.decode()
    assert "Can I rent it for a week?" in page
    assert "By email" in page
    shown = (await vera.get(f"conversations/{answered}")).json()["turns"][-1]
    assert shown["is_by_email"] is True
    mail.outbox.clear()
    await deliver()
    assert {each.to[0] for each in mail.outbox} == {"alice@example.org", "agnes@example.org"}
    assert "A visitor is waiting for a reply from a person." in mail.outbox[0].body
    assert "week" not in mail.outbox[0].body


async def test_who_answers_in_the_open_chat_is_not_mailed(
    agent_client: AsyncClient, inbox: Inbox, answered: str
) -> None:
    await agent_client.post(inbox(answered, "takeover"))
    await post(reply("For a week, please."))
    assert await received() == ["For a week, please."]
    assert (await Conversation.objects.aget()).person_requested_at is None
    mail.outbox.clear()
    await deliver()
    assert mail.outbox == []


async def test_mails_to_a_visitor_form_a_thread_and_say_that_one_can_reply(
    agent_client: AsyncClient, inbox: Inbox, answered: str
) -> None:
    await answer(agent_client, inbox, answered, "Or 90 for a week.")
    await mail_answers()
    first, second = mail.outbox[-2:]
    for each in (first, second):
        assert "reply to this email or open the chat" in each.body
        assert each.extra_headers["Auto-Submitted"] == "auto-generated"
    assert first.extra_headers["References"] == second.extra_headers["References"]
    local, _at, domain = first.reply_to[0].partition("@")
    assert domain == "in.example.org"
    assert local.startswith("reply+")
    assert len(local) <= 64


async def test_without_the_setting_nothing_changes(
    agent_client: AsyncClient, inbox: Inbox, answered: str, settings: Settings
) -> None:
    settings.INBOUND_MAIL_ADDRESS = ""
    await answer(agent_client, inbox, answered, "Or 90 for a week.")
    await mail_answers()
    assert mail.outbox[-1].reply_to == []
    assert "Auto-Submitted" not in mail.outbox[-1].extra_headers
    assert "To write back, open the chat on the website." in mail.outbox[-1].body
    assert (await post(b"From: a@b.org\n\nHi")).status_code == 404


@pytest.mark.parametrize("secret", ["", "wrong", SECRET[:-1], "sécret"])
async def test_a_request_without_the_secret_is_refused(answered: str, secret: str) -> None:
    message = reply("Hello")
    assert (await post(message, secret)).status_code == 401
    assert (await post(message, headers=basic(secret))).status_code == 401
    assert (await post(message, headers={})).status_code == 401
    assert await received() == []


async def test_who_guesses_the_secret_is_slowed_down(answered: str) -> None:
    statuses = [(await post(b"From: a@b.org\n\nHi", "wrong")).status_code for _ in range(31)]
    assert statuses == [401] * 30 + [429]


async def test_providers_post_it_in_json_or_in_a_form(answered: str) -> None:
    raw = reply("One", message_id="<1@example.org>").as_string()
    sent = await AsyncClient().post(
        URL, {"RawEmail": raw, "From": "x"}, content_type="application/json", headers=basic()
    )
    assert sent.json() == ACCEPTED
    for number, field in enumerate(("body-mime", "email"), 2):
        raw = reply(f"Number {number}", message_id=f"<{number}@example.org>").as_string()
        sent = await AsyncClient().post(URL, {field: raw, "recipient": "x"}, headers=basic())
        assert sent.json() == ACCEPTED
    assert await received() == ["One", "Number 2", "Number 3"]
    assert (await AsyncClient().post(URL, {"text": "x"}, headers=basic())).status_code == 400


async def test_the_same_email_is_stored_once(answered: str) -> None:
    message = reply("Twice?")
    for _ in range(2):
        assert (await post(message)).json() == ACCEPTED
    without = [line for line in message.as_bytes().split(b"\n") if b"Message-ID" not in line]
    for _ in range(2):
        await post(b"\n".join(without))
    assert await received() == ["Twice?", "Twice?"]  # with an ID, and without one


DROPPED = {
    "another sender": ({"sender": "mallory@example.org"}, "isn't from the visitor's address"),
    "automatic": ({"Auto_Submitted": "auto-replied"}, "a program sent it (Auto-Submitted)"),
    "bulk": ({"Precedence": "bulk"}, "a program sent it (Precedence)"),
    "autoreply": ({"X_Autoreply": "yes"}, "a program sent it (X-Autoreply)"),
    "bounce": ({"Return_Path": "<>"}, "a program sent it (Return-Path)"),
    "daemon": ({"sender": "MAILER-DAEMON@example.org"}, "a program sent it (From)"),
    "no token": ({"to": INBOUND}, "it has 0 reply addresses"),
    "guessed": ({"to": f"reply+{'a' * 45}@in.example.org"}, "the chat or the visitor's address"),
    "short": ({"to": f"reply+{'a' * 30}@in.example.org"}, "isn't one of ours"),
}


@pytest.mark.parametrize("name", DROPPED)
async def test_what_is_not_a_visitors_reply_is_dropped_and_the_log_says_why(
    answered: str, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    options, why = DROPPED[name]
    sent = await post(reply("Hello", **options))
    assert (sent.status_code, sent.json()) == (200, ACCEPTED)
    assert await received() == []
    assert why in caplog.text
    assert "Hello" not in caplog.text


async def test_an_address_ends_when_the_visitor_removes_or_changes_theirs(
    answered: str, vera: Visiting, caplog: pytest.LogCaptureFixture
) -> None:
    message = reply("Hello")
    await leave(vera, answered)  # the same one, anew
    await post(message)
    assert "isn't valid any more" in caplog.text
    await leave(vera, answered, "")
    await post(message)
    assert "the visitor's address is gone" in caplog.text
    assert await received() == []


async def test_an_address_ends_after_its_time_and_not_before(
    answered: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    early, late = reply("In time"), reply("Too late")
    today = reply_addresses._today()
    monkeypatch.setattr(reply_addresses, "_today", lambda: today + reply_addresses.VALID_DAYS)
    await post(early)
    monkeypatch.setattr(reply_addresses, "_today", lambda: today + reply_addresses.VALID_DAYS + 1)
    await post(late)
    assert await received() == ["In time"]
    assert "has expired" in caplog.text


async def test_a_changed_token_is_not_valid(answered: str) -> None:
    address = reply_address()
    local, _at, domain = address.partition("@")
    for place in range(len("reply+"), len(local) - 1):
        if place % 9 == 0:
            changed = "b" if local[place] == "a" else "a"
            await post(reply("x", to=f"{local[:place]}{changed}{local[place + 1 :]}@{domain}"))
    assert await received() == []
    await post(reply("Capital letters", to=address.upper()))
    assert await received() == ["Capital letters"]


async def test_keys_before_the_current_one_still_sign(answered: str, settings: Settings) -> None:
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "k" * 60
    await post(reply("After a change of keys"))
    assert await received() == ["After a change of keys"]


@pytest.mark.parametrize("gone", ["suspended", "closed", "deleted"])
async def test_a_chat_that_takes_no_messages_gets_none(
    answered: str, gone: str, caplog: pytest.LogCaptureFixture
) -> None:
    if gone == "suspended":
        shop = await WidgetSite.objects.aget()
        shop.is_suspended = True
        await shop.asave()
    elif gone == "closed":
        await Conversation.objects.aupdate(closed_at=timezone.now())
    else:
        await Conversation.objects.aupdate(purge_after=timezone.now())
    assert (await post(reply("Hello"))).json() == ACCEPTED
    assert await received() == []
    assert "was dropped" in caplog.text


async def test_a_mailbox_may_write_its_address_in_another_way(answered: str) -> None:
    await VisitorEmail.objects.aupdate(address="Vera+shop@Example.org")
    assert await received() == []
    # The signature has the address: a new mail has a new one.
    email = await VisitorEmail.objects.select_related("conversation").aget()
    to = (await sync_to_async(reply_addresses.thread_of)(email)).reply_to
    await post(reply("It's me", to=to, sender=ADDRESS))
    assert await received() == ["It's me"]


async def test_attachments_are_named_as_left_out(answered: str) -> None:
    message = reply("See the picture")
    message.add_attachment(b"GIF89a", maintype="image", subtype="gif", filename="boat.gif")
    await post(message)
    assert await received() == ["See the picture\n\n[1 attachment was left out.]"]


async def test_only_the_reply_is_stored_not_the_original(answered: str) -> None:
    original = "\n".join(f"> {line}" for line in mail.outbox[-1].body.split("\n"))
    wrote = "On Sat, Nov 28, 2026 at 5:44 PM Shop\n<noreply@example.org> wrote:"
    await post(reply(f"Yes, please.\n\nVera\n\n{wrote}\n\n{original}"))
    assert await received() == ["Yes, please.\n\nVera"]


async def test_only_emails_are_sent_as_such(alice_client: AsyncClient, vera: Visiting) -> None:
    body = {"key": "a" * 20, "text": "Hello", "is_by_email": True}
    own_page = {"Sec-Fetch-Site": "same-origin"}
    by_member = await alice_client.post(
        "/chat/messages", body, content_type="application/json", headers=own_page
    )
    assert (by_member.status_code, by_member.json()["error"]["code"]) == (400, "bad_request")
    assert (await vera.post("messages", body)).status_code == 400
    assert not await Message.objects.filter(text="Hello").aexists()


async def test_no_record_of_staff_is_made(answered: str) -> None:
    before = await StaffAction.objects.acount()
    await post(reply("Hello"))
    assert await StaffAction.objects.acount() == before


async def test_who_posts_too_many_is_told_to_come_back(
    alice_client: AsyncClient, answered: str, shop: WidgetSite
) -> None:
    message = reply("Hello")
    settings = {"name": "Shop", "origins": "https://www.shop.example"}
    for most, status in ((0, 429), (60, 200)):
        limited = settings | {"visitor_requests": most}
        await alice_client.post(f"/sites/{shop.key}/settings/", limited)
        assert (await post(message)).status_code == status
    assert await received() == ["Hello"]


@pytest.mark.parametrize(
    "options", [{"to": f"reply+{'a' * 45}@in.example.org"}, {"sender": "mallory@example.org"}]
)
async def test_of_a_strangers_email_only_the_headers_are_read(
    answered: str, options: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[bytes] = []

    async def read_mail(content: bytes, *_more: object) -> MailReply:
        read.append(content)
        return MailReply("Hello")

    monkeypatch.setattr(mail_replies, "read_mail", read_mail)
    assert (await post(reply("Hello", **options))).json() == ACCEPTED
    assert read == []
    await post(reply("Hello"))
    assert len(read) == 1
