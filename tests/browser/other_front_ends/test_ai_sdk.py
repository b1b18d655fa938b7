"""The AI SDK's chat with both of its HTTP transports, from another origin."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser import front_ends
from tests.browser.host_site import HostSite
from tests.browser.server import LiveSite
from tests.support.browser.front_ends import Run
from tests.support.servers.proxies import cutting

#: The SDK stores a chat's state in an object of the framework; this one is for pages without any.
CHAT = """
import { AbstractChat, DefaultChatTransport, TextStreamChatTransport } from "ai";

class State {
  status = "ready";
  error = undefined;
  messages = [];
  pushMessage = (message) => (this.messages = [...this.messages, message]);
  popMessage = () => (this.messages = this.messages.slice(0, -1));
  replaceMessage = (place, message) => {
    this.messages = this.messages.map((each, at) => (at === place ? message : each));
  };
  snapshot = (value) => structuredClone(value);
}
class Chat extends AbstractChat {
  constructor(init) {
    super({ ...init, state: new State() });
  }
}
const transports = { ui: DefaultChatTransport, text: TextStreamChatTransport };
window.open_chat = (kind, address, id, messages = []) => {
  window.chat = new Chat({ id, transport: new transports[kind]({ api: `${address}/chat/${kind}` }) });
  chat.messages = messages;
};
window.shown = () => ({
  status: chat.status,
  error: chat.error?.message ?? "",
  texts: chat.messages.map(({ parts }) =>
    parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
  ),
});
"""
ASK = "async (text) => { await chat.sendMessage({ text }); return shown(); }"
ENDED = "() => ['ready', 'error'].includes(chat.status)"
QUESTION = {"id": "asked", "role": "user", "parts": [{"type": "text", "text": "/slow"}]}
KINDS = ["ui", "text"]


@pytest.fixture(scope="module")
def script() -> bytes:
    return front_ends.bundled(entry=CHAT)


class Chat(Run):
    def open(self, kind: str, name: str, *messages: Any, chat: str = "") -> None:
        """Open a page with the chat of this ID, which already has these messages."""
        address = f"{chat or self.site.url}/w/{self.key}"
        self.page.evaluate("(given) => open_chat(...given)", [kind, address, name, messages])

    def ask(self, text: str) -> Any:
        return self.page.evaluate(ASK, text)

    def shown(self) -> Any:
        return self.page.evaluate("shown()")


@pytest.fixture
def chat_page(
    shop: HostSite, site: LiveSite, key: str, script: bytes, open_page: Callable[..., Page]
) -> Callable[..., Chat]:
    def open_it(chat: str = "") -> Chat:
        front_ends.carry(shop, chat or site.url, script)
        page = open_page(shop.origin, watched=False)
        page.wait_for_function("() => window.open_chat")
        return Chat(page, site, shop, key)

    return open_it


@pytest.mark.parametrize("kind", KINDS)
def test_a_conversation_is_answered(kind: str, chat_page: Callable[..., Chat]) -> None:
    chat = chat_page()
    chat.open(kind, f"whole-{kind}")
    for number, text in enumerate(["/quirks", "/think 30 Well", "Hello"], start=1):
        shown = chat.ask(text)
        assert (shown["status"], shown["error"]) == ("ready", "")
        assert shown["texts"][-1] == chat.log().text
        assert len(shown["texts"]) == 2 * number


def test_a_chat_resumes_after_a_broken_connection(
    site: LiveSite, chat_page: Callable[..., Chat]
) -> None:
    with cutting(site.url, after_bytes=6000) as proxy:
        chat = chat_page(proxy.url)
        chat.open("ui", str(uuid.uuid4()), chat=proxy.url)
        chat.page.evaluate("void chat.sendMessage({ text: '/long 300' })")
        chat.page.wait_for_function("() => (shown().texts[1] ?? '').length > 0")
        proxy.cut()
        chat.page.wait_for_function(ENDED)
        assert chat.shown()["status"] == "error"
        chat.page.evaluate("chat.resumeStream()")
        shown = chat.shown()
        assert shown["texts"] == ["/long 300", chat.log().text]
        assert len(set(chat.generations)) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_reopened_page_shows_the_running_answer(
    kind: str, chat_page: Callable[..., Chat]
) -> None:
    first, second = chat_page(), chat_page()
    name = str(uuid.uuid4())
    first.open(kind, name)
    first.page.evaluate("void chat.sendMessage({ text: '/slow' })")
    first.page.wait_for_function("() => (shown().texts[1] ?? '').length > 10")
    first.page.close()
    second.open(kind, name, QUESTION)
    second.page.evaluate("chat.resumeStream()")
    shown = second.shown()
    assert (shown["status"], shown["error"]) == ("ready", "")
    assert shown["texts"] == ["/slow", second.log().text]
    second.open(kind, str(uuid.uuid4()), QUESTION)
    second.page.evaluate("chat.resumeStream()")
    assert second.shown()["texts"] == ["/slow"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_failure_during_an_answer_is_the_chats_error(
    kind: str, chat_page: Callable[..., Chat]
) -> None:
    chat = chat_page()
    chat.open(kind, f"failed-{kind}")
    shown = chat.ask("/error-after 12")
    log = chat.log()
    assert shown["status"] == "error"
    assert shown["texts"][-1] == log.text != ""
    told = log.key("error")["message"]
    assert shown["error"] == (told if kind == "ui" else "network error")


@pytest.mark.parametrize("kind", KINDS)
def test_a_refusal_is_the_chats_error(kind: str, chat_page: Callable[..., Chat]) -> None:
    chat = chat_page()
    chat.open(kind, f"refused-{kind}")
    shown = chat.ask("  ")
    assert shown["status"] == "error"
    assert "There's no message to answer" in shown["error"]


@pytest.mark.parametrize("kind", KINDS)
def test_stopping_keeps_the_text(kind: str, chat_page: Callable[..., Chat]) -> None:
    chat = chat_page()
    chat.open(kind, f"stopped-{kind}")
    chat.page.evaluate("void chat.sendMessage({ text: '/slow' })")
    chat.page.wait_for_function("() => (shown().texts[1] ?? '').length > 10")
    chat.page.evaluate("chat.stop()")
    chat.page.wait_for_function(ENDED)
    shown = chat.shown()
    assert (shown["status"], shown["error"]) == ("ready", "")
    assert 10 < len(shown["texts"][1]) < 100
