"""Model answers as hostile Markdown, while they arrive, when they are stored and when they are shared.

Whoever gets a model to repeat their text writes on other people's pages. No script may run, nothing may
be loaded from elsewhere, no element may appear that formatting doesn't need, and the page has to stay
usable: no text may take so long to format that the tab hangs.
"""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.markdown_page import answer_with
from tests.browser.payloads import PAYLOADS
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE
from tests.support.browser.allowed_tags import HARMLESS
from tests.support.browser.dialog_listener import LISTEN

END = "The end of it."
PER_ANSWER = 20
ANSWERS = [
    "\n\n".join(PAYLOADS[at : at + PER_ANSWER]) for at in range(0, len(PAYLOADS), PER_ANSWER)
]
#: Besides: indices, and places where a long word may be broken.
DRAWN = HARMLESS | {"sub", "wbr"}
LENGTH = 90_000


def many(unit: str, length: int = LENGTH) -> str:
    return unit * (length // len(unit))


def numbered(unit: str, count: int) -> str:
    return "".join(unit.replace("#", str(number)) for number in range(count))


HEAVY = {
    "deep quotes": many("> "),
    "quotes that grow deeper": "\n".join(">" * depth + " a" for depth in range(400)),
    "a quote without marks": "> a\n" + many("a\n"),
    "deep lists": many("- "),
    "lists that grow deeper": "\n".join(" " * 2 * depth + "- a" for depth in range(290)),
    "quotes in lists": many("> - 1. "),
    "a long list": many("- a\n"),
    "a list item of thousands of lines": "- a\n" + many("b\n"),
    "a list of fences": many("- ```\n"),
    "lists in turn": many("- a\n+ b\n"),
    "a long table": "|a|b|\n|-|-|\n" + many("|a|b|\n", 40_000),
    "a wide table": many("|a", 4_000) + "|\n" + many("|-", 4_000) + "|\n" + many("|b", 4_000),
    "many tables": many("|a|\n|-|\n|b|\n\n", 30_000),
    "heads without a table": many("a|b\n|-\n"),
    "thousands of links": many("[a](https://example.org/) ", 50_000),
    "thousands of opening brackets": many("["),
    "brackets in brackets": "[" * 40_000 + "](a)" * 10_000,
    "thousands of definitions": numbered("[a#] b\n\n[a#]: https://example.org/#\n\n", 1_500),
    "thousands of footnotes": numbered("a[^#]\n\n[^#]: note\n\n", 1_500),
    "footnotes in footnotes": many("[^1]: "),
    "emphasis that opens": many("*a **b _c __d "),
    "emphasis without words": many("*_**__"),
    "paragraphs of emphasis": many("*a **b\n\n", 40_000),
    "growing code marks": "".join("`" * length + "a" for length in range(420)),
    "an unclosed fence": "```js\n" + many("const a = 1;\n"),
    "fences in turn": many("````js\n~~~\n", 40_000),
    "underlined headings": many("a\n=\n", 30_000),
    "lines and rules": many("a\n-\n", 30_000),
    "empty formulas": many("$$\n"),
    "unclosed formulas": many("\\[\na\n", 50_000),
    "formulas below text": many("a\n\\[\n", 50_000),
    "thousands of formulas": many("$a_1$ ", 20_000),
    "folds in folds": many("<details>\n"),
    "tags": many("<a href='<!--"),
    "addresses": many("http://a.b/)?!.&a;"),
    "entities": many("&amp;&#x;\\*"),
}

WRITE = """
import json
from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.sharing import links as shared_links
from django.db import transaction
alice = User.objects.get(email="alice@example.org")
made = []
for text in json.loads({texts!r}):
    chat = Conversation.objects.create(owner=alice, title="A chat")
    question = chat.messages.create(role="user", text="Please.")
    chat.messages.create(parent=question, role="assistant", text=text, reasoning=text)
    with transaction.atomic():
        link = shared_links.make(chat, shared_links.Choices(with_reasoning=True))
    made.append([f"/chat/{{chat.pk}}/", f"/s/{{shared_links.token_of(link.pk)}}/"])
print(json.dumps(made))
"""
SEEN = """() => {
  const all = [...document.querySelectorAll(".answer .message-text *")].filter((each) => !each.closest("math"));
  return {
    names: [...new Set(all.map((each) => each.localName))],
    odd: all.flatMap((each) => [...each.attributes].map(({ name, value }) => `${name}=${value}`)).filter((each) =>
      /^(on|style=|src|srcdoc|action|formaction|background|(data-)?hx-)/.test(each) ||
      (each.startsWith("href=") && !/^href=(https?:|mailto:|tel:)/.test(each))
    ),
    attacks: window.attacks,
  };
}"""
PRESS = """() => {
  document.addEventListener("click", (event) => event.target.closest("a") && event.preventDefault());
  for (const each of document.querySelectorAll(".answer .message-text *")) {
    for (const kind of ["mouseover", "focus"]) each.dispatchEvent(new MouseEvent(kind, { bubbles: true }));
    if (each.localName !== "button") each.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  }
}"""


def stored(site: LiveSite, texts: list[str]) -> list[list[str]]:
    """Return the paths of chats with these answers: the member's page and the shared one."""
    texts = [f"{each}\n\n{END}".replace("\x00", "") for each in texts]
    made: list[list[str]] = json.loads(site.run(WRITE.format(texts=json.dumps(texts))))
    return made


def is_harmless(page: Page, home: str, foreign: list[str]) -> None:
    page.evaluate(PRESS)
    page.wait_for_timeout(100)
    seen = page.evaluate(SEEN)
    assert set(seen["names"]) <= DRAWN
    assert (seen["odd"], seen["attacks"]) == ([], [])
    assert [url for url in foreign if not url.startswith((home, "data:", "blob:"))] == []


def is_shown(page: Page) -> None:
    expect(page.locator(".answer .message-text.formatted").last).to_contain_text(END)


def still_works(page: Page) -> None:
    """Type, which waits for what the page is busy with."""
    composer = page.get_by_role("textbox", name="Message")
    composer.fill("It works.")
    expect(composer).to_have_value("It works.")


@pytest.fixture(scope="module")
def attacked(site: LiveSite, signed_in: StorageState) -> list[list[str]]:
    return stored(site, ANSWERS)


@pytest.fixture(scope="module")
def heavy(site: LiveSite, signed_in: StorageState) -> dict[str, list[str]]:
    return dict(zip(HEAVY, stored(site, list(HEAVY.values())), strict=True))


@pytest.mark.parametrize("policy", ["with the policy", "without any policy"])
@pytest.mark.parametrize("number", range(len(ANSWERS)))
def test_nothing_runs_while_an_answer_arrives(
    open_chat: Callable[..., ChatPage], site: LiveSite, number: int, policy: str
) -> None:
    chat = open_chat(**(BARE if "without" in policy else {}))
    foreign: list[str] = []
    chat.page.on("request", lambda request: foreign.append(request.url))
    chat.page.evaluate(f"() => {{ {LISTEN} }}")
    answer_with(chat.page, f"{ANSWERS[number]}\n\n{END}", pieces=3)
    assert END in chat.ask("Please.")
    is_harmless(chat.page, site.url, foreign)
    still_works(chat.page)


@pytest.mark.parametrize("kind", ["stored", "shared"])
def test_nothing_runs_when_an_answer_is_opened(
    open_page: Callable[..., Page],
    signed_in: StorageState,
    site: LiveSite,
    attacked: list[list[str]],
    kind: str,
) -> None:
    page = open_page("/chat/", storage_state=signed_in, **BARE)
    page.context.add_init_script(LISTEN)
    foreign: list[str] = []
    page.on("request", lambda request: foreign.append(request.url))
    for of_member, of_reader in attacked:
        page.goto(of_member if kind == "stored" else of_reader)
        is_shown(page)
        is_harmless(page, site.url, foreign)


@pytest.mark.parametrize("name", HEAVY)
def test_a_page_with_a_heavy_answer_opens(
    open_page: Callable[..., Page],
    signed_in: StorageState,
    site: LiveSite,
    heavy: dict[str, list[str]],
    name: str,
) -> None:
    page = open_page(heavy[name][0], storage_state=signed_in)
    is_shown(page)
    still_works(page)
    assert set(page.evaluate(SEEN)["names"]) <= DRAWN


@pytest.mark.parametrize("name", HEAVY)
def test_a_heavy_answer_can_arrive(chat: ChatPage, name: str) -> None:
    answer_with(chat.page, f"{HEAVY[name]}\n\n{END}", pieces=4_000)
    chat.send("Please.")
    is_shown(chat.page)
    still_works(chat.page)
