"""Pages with text that browsers lay out slowly stay usable.

Each text took between 7 and 90 seconds before it was divided, longer than Playwright waits.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.markdown_page import answer_with
from tests.browser.server import LiveSite
from tests.support.variants import later

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "fixtures/breakable_texts.json").read_text()
)["texts"]
TEXTS = {each["name"]: each["unit"] * each["times"] for each in CASES}
SLOWEST = ["combining marks on one letter", *later("Thai sara am", "Latin and Hebrew in turn")]
WRITE = """
import json
from datetime import timedelta
from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.sharing import links as shared_links
from django.db import transaction
salma = User.objects.get(email="salma@example.org")
ravi = User.objects.get(email="ravi@example.org")
ravi.is_staff = ravi.is_superuser = True
ravi.save()
made = {{}}
for name, text in json.loads({texts!r}).items():
    chat = Conversation.objects.create(owner=salma, title=name)
    question = chat.messages.create(role="user", text=text)
    chat.messages.create(
        parent=question, role="assistant", reasoning=text, text=text + "\\n\\nThe end of it."
    )
    with transaction.atomic():
        link = shared_links.make(chat, shared_links.Choices(with_reasoning=True))
    made[name] = [str(chat.pk), shared_links.token_of(link.pk)]
print(json.dumps(made))
"""
#: Characters of the longest text between two places where a line may be broken.
LONGEST_RUN = """() => {
  let longest = 0;
  for (const box of document.querySelectorAll(".message-text")) {
    const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      for (const run of walker.currentNode.data.split(/[ \\n\\t]/)) longest = Math.max(longest, run.length);
    }
  }
  return longest;
}"""


@pytest.fixture(scope="module")
def salma(site: LiveSite) -> StorageState:
    return sign_in(site, "salma@example.org")


@pytest.fixture(scope="module")
def ravi(site: LiveSite) -> StorageState:
    """A reviewer."""
    return sign_in(site, "ravi@example.org")


@pytest.fixture(scope="module")
def written(site: LiveSite, salma: StorageState, ravi: StorageState) -> dict[str, list[str]]:
    made: dict[str, list[str]] = json.loads(site.run(WRITE.format(texts=json.dumps(TEXTS))))
    return made


def is_usable(page: Page) -> None:
    """Wait until the answer is formatted, which some pages do when it is near the window."""
    expect(page.locator(".answer").last).to_be_attached()
    page.evaluate("[...document.querySelectorAll('.answer')].at(-1)?.scrollIntoView()")
    expect(page.locator(".answer .message-text.formatted").last).to_contain_text("The end of it.")
    assert 0 < page.evaluate(LONGEST_RUN) <= 1_000


@pytest.mark.parametrize("name", later(*TEXTS))
def test_a_chat_opens(
    open_page: Callable[..., Page], salma: StorageState, written: dict[str, list[str]], name: str
) -> None:
    page = open_page(f"/chat/{written[name][0]}/", storage_state=salma)
    is_usable(page)
    shown = page.locator(".question .message-text").first.text_content() or ""
    # line ends between blocks are not text
    is_whole = shown.replace("\n", "") == TEXTS[name].replace("\n", "").rstrip()
    assert is_whole


@pytest.mark.parametrize("name", SLOWEST)
def test_a_shared_chat_opens(
    open_page: Callable[..., Page], written: dict[str, list[str]], name: str
) -> None:
    is_usable(open_page(f"/s/{written[name][1]}/"))


@pytest.mark.quick
@pytest.mark.parametrize("name", SLOWEST)
def test_a_reviewer_can_read_it(
    open_page: Callable[..., Page],
    ravi: StorageState,
    written: dict[str, list[str]],
    name: str,
) -> None:
    page = open_page(f"/review/{written[name][0]}/", storage_state=ravi)
    if "/reason/" in page.url:
        page.get_by_label("Reason for access").fill("A report of today")
        page.get_by_role("button", name="Continue").click()
    is_usable(page)


@pytest.mark.quick
@pytest.mark.parametrize("name", SLOWEST)
def test_an_answer_streams(chat: ChatPage, name: str) -> None:
    answer_with(chat.page, TEXTS[name] + "\n\nThe end of it.", pieces=500)
    chat.send(TEXTS[name][:60_000])
    is_usable(chat.page)
