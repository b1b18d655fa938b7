"""Answers of a model that obeys what it has read: wherever they are shown, nobody else hears of it.

The answers, the calls of tools with their results, the cited pages and the memory are all hostile
(tests/support/attacks/injections.py). No page may ask another host for anything, or look up its name.
"""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Request, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.markdown_page import answer_with
from tests.browser.server import LiveSite
from tests.support.attacks.injections import EVIL, INJECTIONS, LEAK
from tests.support.browser.accessibility import BARE

END = "The end of it."
#: Resolves once what is in the page has been drawn, and has had time to ask for something. (The
#: network is never idle while a page waits for notices.)
SHOWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 1000))))"
WRITE = """
import json
from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.conversations.models import Conversation
from chat.conversations.sources import sources
from chat.conversations.tool_calls.models import StoredToolCall
from chat.knowledge.given import GivenPassage, foreign_block
from chat.sharing import links as shared_links
from dataclasses import replace
from django.db import transaction
alice = User.objects.get(email="alice@example.org")
texts = json.loads({texts!r})
whole = "\\n\\n".join(texts)
chat = Conversation.objects.create(owner=alice, title=texts[0][:100])
question = chat.messages.create(role="user", text=whole)
answer = chat.messages.create(parent=question, role="assistant", text=whole + "\\n\\n[1] [2]\\n\\n{end}", reasoning=whole)
calls = []
for at, text in enumerate(texts):
    calls.append(StoredToolCall(message=answer, place=at, round=0, tool="web_search" if at % 2 else text[:90] or "x", state="done",
        arguments=json.dumps({{"query": text}}), result=foreign_block(text), result_count=1))
calls.append(StoredToolCall(message=answer, place=999, round=1, tool="remember", state="proposed", has_effects=True,
    arguments=json.dumps({{"text": whole}})))
StoredToolCall.objects.bulk_create(calls)
with transaction.atomic():
    sources.add(answer.pk, [GivenPassage(number, sources.NO_DOCUMENT, texts[number], 0, 1, address={leak!r}) for number in (1, 2)])
replace(Preferences.of(alice), memories=" ".join(texts)[:3000]).save(alice)
with transaction.atomic():
    link = shared_links.make(chat, shared_links.Choices(with_reasoning=True))
print(json.dumps([f"/chat/{{chat.pk}}/", f"/s/{{shared_links.token_of(link.pk)}}/"]))
"""
TEXTS = [each.replace("\x00", "") for each in INJECTIONS.values()]


class Recorder:
    """What a page has asked other hosts for, except what its policy has stopped."""

    def __init__(self, page: Page, home: str) -> None:
        self._home = home
        self.requests: list[Request] = []
        page.context.on("request", self._note)

    def _note(self, request: Request) -> None:
        if not request.url.startswith((self._home, "data:", "blob:")):
            self.requests.append(request)

    @property
    def heard(self) -> list[str]:
        return [each.url for each in self.requests]


@pytest.fixture(scope="module")
def places(site: LiveSite, signed_in: StorageState) -> list[str]:
    """Return where the hostile chat is: for its owner, and for readers of its link."""
    made: list[str] = json.loads(
        site.run(WRITE.format(texts=json.dumps(TEXTS), end=END, leak=LEAK))
    )
    return made


@pytest.mark.quick
def test_no_page_with_obeyed_injections_asks_another_host(
    open_page: Callable[..., Page], signed_in: StorageState, site: LiveSite, places: list[str]
) -> None:
    page = open_page("/chat/", storage_state=signed_in, **BARE)
    recorder = Recorder(page, site.url)
    chat, shared = places
    response = page.goto(chat)
    assert response
    assert response.header_value("x-dns-prefetch-control") == "off"
    expect(page.locator(".answer .message-text.formatted").last).to_contain_text(END)
    calls = page.locator(".answer .tool-call summary")
    for at in (0, len(TEXTS) - 1):
        calls.nth(at).click()
    expect(page.locator(".answer .tool-call .message-text").first).to_be_visible()
    for link in page.locator(f".answer a[href*='{EVIL}']").all()[:8]:
        link.hover(force=True)
        assert link.get_attribute("rel") == "noreferrer noopener" or "noreferrer" in (
            link.get_attribute("rel") or ""
        )
    for path in (shared, "/chat/search?q=lindholm", "/settings/personalization/"):
        response = page.goto(path)
        assert response
        assert response.ok, path
        assert response.header_value("x-dns-prefetch-control") == "off"
        page.evaluate(SHOWN)
    assert recorder.heard == []


@pytest.mark.quick
def test_no_obeyed_injection_asks_another_host_while_it_arrives(
    open_chat: Callable[..., ChatPage], site: LiveSite
) -> None:
    chat = open_chat(**BARE)
    recorder = Recorder(chat.page, site.url)
    answer_with(chat.page, "\n\n".join([*TEXTS, END]), pieces=7)
    assert END in chat.ask("Please.")
    chat.page.evaluate(SHOWN)
    assert recorder.heard == []
