"""Files that are attached to a reply by email reach the team, where the website takes files."""

from collections.abc import Callable
from email.message import EmailMessage
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone
from pytest_django import Settings

from chat.conversations.attached_files import split_files
from chat.conversations.images.models import MessageImage, StoredImage
from chat.conversations.models import Conversation
from chat.errors import RateLimitExceeded
from chat.inbox import mail_files, mail_replies
from chat.web.http import visitor_files
from chat.widget_sites import visitors
from chat.widget_sites.models import WidgetSite
from tests.support.documents.samples import WORDS, pdf
from tests.support.widget.mail_replies import post, received, reply
from tests.support.widget.pictures import png
from tests.support.widget.visitor_client import Visiting, visit

pytestmark = pytest.mark.usefixtures("no_network_jobs", "inbound")
PICTURE, PDF = png(64, 48), pdf(WORDS)
LEFT_OUT = "[1 attachment was left out.]"


@pytest.fixture
async def taking(answered: str) -> str:
    """Return the chat of a website that takes files."""
    await WidgetSite.objects.aupdate(accepts_files=True)
    return answered


def with_files(text: str, **files: bytes) -> EmailMessage:
    """Return a reply with files, named like `boat_png`."""
    message = reply(text)
    for name, content in files.items():
        name = name.replace("_", ".")
        kind = {"png": "image", "pdf": "application"}.get(name.rpartition(".")[2], "application")
        subtype = name.rpartition(".")[2] if kind != "application" else "octet-stream"
        message.add_attachment(content, maintype=kind, subtype=subtype, filename=name)
    return message


async def test_the_team_opens_what_was_attached_and_nobody_else(
    taking: str,
    agent_client: AsyncClient,
    vera: Visiting,
    shop: WidgetSite,
    inbox: Callable[..., str],
) -> None:
    victor = await visit(shop)
    await post(with_files("Here it is:", boat_png=PICTURE, bill_pdf=PDF))
    (text,) = await received()
    question = split_files(text)
    assert question.text.strip() == "Here it is:"
    picture, document = question.files
    assert (picture.name, document.name) == ("boat.png", "bill.pdf")
    assert WORDS in document.block
    page = (await agent_client.get(inbox(taking), headers={"Accept": "text/html"})).content.decode()
    assert picture.image in page
    assert document.original in page
    assert (await vera.get(f"images/{picture.image}")).status_code == 200
    assert (await victor.get(f"images/{picture.image}")).status_code == 404
    used = {each async for each in MessageImage.objects.values_list("image__digest", flat=True)}
    assert used == {picture.image, document.original}
    assert not await StoredImage.objects.exclude(unsent_since=None).aexists()


async def test_an_email_may_be_only_a_picture(taking: str) -> None:
    await post(with_files("", boat_png=PICTURE))
    (text,) = await received()
    assert [each.name for each in split_files(text).files] == ["boat.png"]


async def test_the_same_email_twice_is_one_message_with_its_files(taking: str) -> None:
    mail = with_files("Look", boat_png=PICTURE)
    for _ in range(2):
        assert (await post(mail)).status_code == 200
    assert len(await received()) == 1
    assert await StoredImage.objects.acount() == 1


async def test_files_are_counted_once_however_often_an_email_is_posted(
    taking: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitor_files, "FILES_PER_DAY", 2)
    start_stored = mail_replies.start_stored

    async def refuse(*_given: object) -> None:
        raise RateLimitExceeded(retry_after_seconds=60)

    mail = with_files("Look", boat_png=PICTURE, ship_png=png(9, 9))
    monkeypatch.setattr(mail_replies, "start_stored", refuse)
    for _ in range(3):
        assert (await post(mail)).status_code == 429
    monkeypatch.setattr(mail_replies, "start_stored", start_stored)
    for _ in range(3):
        assert (await post(mail)).status_code == 200
    (text,) = await received()
    assert len(split_files(text).files) == 2
    await post(with_files("One more", sail_png=png(8, 8)))
    assert (await received())[1] == f"One more\n\n{LEFT_OUT}"


@pytest.mark.parametrize(("reason", "status"), [("limit", 429), ("closed", 200), ("stored", 200)])
async def test_of_an_email_that_is_not_stored_no_file_is_read(
    taking: str,
    alice_client: AsyncClient,
    shop: WidgetSite,
    monkeypatch: pytest.MonkeyPatch,
    reason: str,
    status: int,
) -> None:
    mail = with_files("Look", boat_png=PICTURE)
    if reason == "limit":
        limited = {"name": "Shop", "origins": "https://www.shop.example", "visitor_requests": 0}
        await alice_client.post(f"/sites/{shop.key}/settings/", limited)
    elif reason == "closed":
        await Conversation.objects.aupdate(closed_at=timezone.now())
    else:
        await post(mail)
    monkeypatch.setattr(mail_replies, "read_mail", None)  # would raise
    assert (await post(mail)).status_code == status


@pytest.mark.parametrize(
    "content", [b"", b"\0" * 5000, b"%PDF-1.4 broken"], ids=["empty", "zeros", "damaged"]
)
async def test_what_cannot_be_read_is_named_as_left_out(taking: str, content: bytes) -> None:
    await post(with_files("Look", boat_pdf=content))
    assert await received() == [f"Look\n\n{LEFT_OUT}"]
    assert not await StoredImage.objects.aexists()


async def test_what_is_too_large_or_too_much_is_left_out_and_the_text_is_kept(
    taking: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MAX_VISITOR_FILE_BYTES = len(PICTURE) - 1
    await post(with_files("Too large", boat_png=PICTURE))
    settings.MAX_VISITOR_FILE_BYTES = 10**6
    monkeypatch.setattr(visitor_files, "FILES_PER_DAY", 1)
    await post(with_files("Two", boat_png=PICTURE, ship_png=png(9, 9)))
    first, last = await received()
    assert first == f"Too large\n\n{LEFT_OUT}"
    assert last.startswith(f"Two\n\n{LEFT_OUT}\n\n![boat.png](image:")
    assert len(split_files(last).files) == 1


async def test_more_images_than_a_message_may_have_are_left_out(
    taking: str, settings: Settings
) -> None:
    settings.MAX_MESSAGE_IMAGES = 1
    await post(with_files("Two", boat_png=PICTURE, ship_png=png(9, 9), bill_pdf=PDF))
    (text,) = await received()
    assert text.startswith(f"Two\n\n{LEFT_OUT}\n\n")
    assert [each.name for each in split_files(text).files] == ["boat.png", "bill.pdf"]
    assert await StoredImage.objects.acount() == 2


async def test_a_long_text_leaves_less_room_for_files(taking: str, settings: Settings) -> None:
    settings.MAX_MESSAGE_CHARS = 4000
    await post(with_files("word " * 600, notes_txt=b"line\n" * 2000, more_txt=b"more\n" * 2000))
    (text,) = await received()
    assert len(text) <= settings.MAX_MESSAGE_CHARS
    first, *_others = split_files(text).files
    assert first.name == "notes.txt"
    assert 100 < len(first.block) < 1000


async def test_the_logo_of_a_signature_is_no_attachment(taking: str) -> None:
    mail = reply("Thanks")
    mail.add_alternative("<p>Thanks</p><img src='cid:logo'>", subtype="html")
    page = mail.get_body(("html",))
    assert page
    page.add_related(PICTURE, "image", "png", cid="<logo>")
    await post(mail)
    assert await received() == ["Thanks"]


async def test_names_of_files_are_one_line_and_shown_as_text(taking: str) -> None:
    mail = reply("Look")
    mail.add_attachment(PICTURE, "image", "png", filename="a](x) <b>\u202egnp.png")
    await post(mail)
    (text,) = await received()
    (file,) = split_files(text).files
    assert "\u202e" not in file.name
    assert file.image


async def test_an_email_is_posted_again_if_its_visitor_is_identified_meanwhile(
    taking: str, shop: WidgetSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = mail_files.stored

    async def merge(*given: Any) -> mail_files.StoredFiles:
        files = await stored(*given)
        known = await sync_to_async(visitors.find_by_subject)(shop, "customer-1", "Vera")
        await Conversation.objects.filter(pk=taking).aupdate(owner=known.user_id)
        return files

    mail = with_files("Look", boat_png=PICTURE)
    monkeypatch.setattr(mail_files, "stored", merge)
    assert (await post(mail)).status_code == 503
    monkeypatch.setattr(mail_files, "stored", stored)
    assert (await post(mail)).status_code == 200
    (text,) = await received()
    assert [each.name for each in split_files(text).files] == ["boat.png"]
