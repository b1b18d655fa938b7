"""Vera replies by email to what agnes has mailed her, and it appears in the chat."""

import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.conftest import sign_in
from tests.browser.host_site import HostSite
from tests.browser.server import LiveSite, live_site
from tests.browser.widget_page import WidgetPage, make_site
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.picture import picture

SOON = 120_000
SECRET = "the secret of inbound mail"
VERA, AGNES = "vera-by-mail@example.org", "agnes-by-mail@example.org"
ENLIST = f"""
from chat.accounts.models import User
from chat.widget_sites import team
from chat.widget_sites.models import SiteMember, WidgetSite
agnes = User.objects.get(email="{AGNES}")
User.objects.filter(pk=agnes.pk).update(name="Agnes")
team.add_member(WidgetSite.objects.get(), agnes, SiteMember.Role.AGENT)
"""
#: Visitors have two minutes to read an answer in the chat.
LATER = """
from datetime import timedelta
from django.utils import timezone
from chat.conversations.models import Message
Message.objects.filter(author__gt=0).update(created_at=timezone.now() - timedelta(minutes=5))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    settings = {
        "INBOUND_MAIL_ADDRESS": "reply@in.example.org",
        "INBOUND_MAIL_SECRET": SECRET,
    }
    with live_site(tmp_path_factory.mktemp("mailed"), **settings) as site:
        yield site


@pytest.fixture(scope="module")
def site_key(site: LiveSite, host: HostSite) -> str:
    return make_site(site, host, offers_person=True, asks_email=True)


@pytest.fixture(scope="module")
def agnes_state(site: LiveSite, site_key: str) -> StorageState:
    state = sign_in(site, AGNES)
    site.run(ENLIST)
    return state


def mail_to(site: LiveSite, address: str) -> EmailMessage:
    """Wait for a mail to this address; without a mail server, each is a file."""
    until = time.monotonic() + SOON / 1000
    while time.monotonic() < until:
        for file in sorted((site.data_dir / "mail").glob("*.log"), reverse=True):
            text = file.read_bytes().rpartition(b"-" * 79)[0]
            if f"To: {address}".encode() in text and b"Reply-To" in text:
                found = message_from_bytes(text, policy=policy.default)
                assert isinstance(found, EmailMessage)
                file.unlink()
                return found
        time.sleep(0.2)
    raise AssertionError("no mail arrived")


def reply_to(mail: EmailMessage, text: str, site: LiveSite) -> None:
    """Post a reply as a mail server does."""
    reply = EmailMessage()
    reply["From"], reply["To"] = f"Vera <{VERA}>", mail["Reply-To"]
    reply["Subject"], reply["Message-ID"] = f"Re: {mail['Subject']}", "<1@example.org>"
    reply["In-Reply-To"] = mail["Message-ID"]
    original = "".join(f"> {line}\n" for line in mail.get_content().split("\n"))
    reply.set_content(f"{text}\n\nOn 28 Nov 2026, at 17:44, Canoes wrote:\n{original}")
    credentials = b64encode(f"runnel:{SECRET}".encode()).decode()
    headers = {"Authorization": f"Basic {credentials}", "Content-Type": "message/rfc822"}
    with urlopen(Request(f"{site.url}/inbound-mail/mime", bytes(reply), headers)) as answer:
        assert answer.status == 200


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_reply_by_email_appears_in_the_open_chat_of_the_team(
    visit: Callable[..., WidgetPage],
    open_page: Callable[..., Page],
    site: LiveSite,
    site_key: str,
    agnes_state: StorageState,
    scheme: str,
) -> None:
    widget = visit()
    widget.open()
    widget.ask("Do you rent kayaks?")
    widget.frame.get_by_role("button", name="Talk to a person").click()
    widget.frame.get_by_label("Get the reply by email").fill(VERA)
    with widget.page.expect_response("**/email"):
        widget.frame.get_by_label("Get the reply by email").press("Enter")
    widget.page.goto("about:blank")  # so that she doesn't read the answer in the chat

    agnes = open_page(
        f"/sites/{site_key}/inbox/?show=waiting", storage_state=agnes_state,
        color_scheme=scheme, **BARE,
    )  # fmt: skip
    agnes.get_by_role("link", name="Do you rent kayaks?").first.click()
    agnes.get_by_role("button", name="Take over").click()
    agnes.get_by_label("You're answering in this chat.").fill("Yes, for 20 dollars a day.")
    agnes.get_by_role("button", name="Send", exact=True).click()
    expect(agnes.get_by_text("Yes, for 20 dollars a day.")).to_be_visible(timeout=SOON)
    site.run(LATER)
    mail = mail_to(site, VERA)
    assert "reply to this email" in mail.get_content()
    reply_to(mail, "Then I take one for a week.\n\nVera", site)

    question = agnes.locator(".question").last
    expect(question).to_contain_text("Then I take one for a week.", timeout=SOON)
    expect(question.get_by_text("By email")).to_be_visible()
    expect(agnes.get_by_text("Stop these emails")).to_have_count(0)
    picture(agnes, f"mail-reply-live-{scheme}", full_page=True)
    agnes.reload()
    expect(question.get_by_text("By email")).to_be_visible()
    assert axe(agnes) == []
    picture(agnes, f"mail-reply-{scheme}", full_page=True)
    agnes.set_viewport_size({"width": 390, "height": 800})
    assert agnes.evaluate("document.documentElement.scrollWidth") <= 390
    picture(agnes, f"mail-reply-phone-{scheme}", full_page=True)
