"""Answers are formatted while they stream, without flicker, and copied as Markdown."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Request, expect

from tests.browser.chat_page import UNTIL_STOPPED, ChatPage
from tests.browser.markdown_page import ask_for, render, texts_of

CLIPBOARD = ["clipboard-read", "clipboard-write"]


@pytest.mark.quick
def test_every_kind_of_formatting_is_shown(chat: ChatPage) -> None:
    chat.ask("/markdown")
    words = chat.last_text
    for name in (
        "strong",
        "em",
        "del",
        "code",
        "ul ul",
        "ol[start='7']",
        "table",
        "blockquote",
        "hr",
    ):
        expect(words.locator(name).first).to_be_attached()
    expect(words.get_by_role("heading", level=3).first).to_have_text("Every kind of formatting")
    expect(words.get_by_role("checkbox", name="Done").first).to_be_disabled()
    expect(words.get_by_role("group", name="Code: Python")).to_contain_text("def meander")
    expect(
        words.get_by_role("group", name="Table: Left, Centre, Right, Everything")
    ).to_be_visible()
    expect(words.locator("math")).not_to_have_count(0)
    expect(words.locator(".hljs-keyword").first).to_have_text("from")
    expect(words.locator("img")).to_have_count(0)


@pytest.mark.quick
def test_copied_code_is_the_original(open_chat: Callable[..., ChatPage]) -> None:
    chat = open_chat(permissions=CLIPBOARD)
    ask_for(chat, "Look:\n\n```py\nif a < b:\n    print('\u202e')\n```\n\nThat is all.\n\nReally.")
    expect(chat.last_text.locator(".hljs-keyword")).to_have_text("if")
    expect(chat.last_text.locator("pre")).to_contain_text("print('[U+202E]')")
    chat.page.get_by_role("button", name="Copy code").click()
    expect(chat.hint).to_have_text("Copied.")
    copied = chat.page.evaluate("navigator.clipboard.readText()")
    assert copied.rstrip() == "if a < b:\n    print('\u202e')"


COPIED = """async () => {
  const [item] = await navigator.clipboard.read();
  const blobs = await Promise.all(item.types.map((type) => item.getType(type)));
  return Promise.all(blobs.map((blob) => blob.text()));
}"""


@pytest.mark.quick
def test_tables_and_answers_are_copied_for_spreadsheets_and_documents(
    open_chat: Callable[..., ChatPage],
) -> None:
    chat = open_chat(permissions=CLIPBOARD)
    written = "# Rivers\n\n| River | km |\n|---|--:|\n| Rhine | 1233 |\n\n<b>The end</b>\n\nReally."
    ask_for(chat, written)
    chat.page.get_by_role("button", name="Copy table").click()
    expect(chat.hint).to_have_text("Copied.")
    text, html = chat.page.evaluate(COPIED)
    assert text == "River\tkm\nRhine\t1233"
    assert '<tr><td>Rhine</td><td align="right">1233</td></tr>' in html
    chat.page.get_by_role("button", name="Copy answer").click()
    chat.page.wait_for_function("async () => (await navigator.clipboard.readText())[0] === '#'")
    text, html = chat.page.evaluate(COPIED)
    assert text.strip() == written
    assert "<h1>Rivers</h1><table>" in html
    assert "&lt;b&gt;The end" in html
    assert "Copy" not in html


def test_highlighting_and_formulas_are_loaded_on_demand(chat: ChatPage) -> None:
    fetched: list[str] = []

    def take(request: Request) -> None:
        if re.search("/npm/(?:highlight|temml)", request.url):
            fetched.append(request.url.rpartition("/")[2].partition(".")[0])

    chat.page.on("request", take)
    ask_for(chat, "Words.\n\n```\nno language\n```\n\n```klingon\nqapla\n```\n\nMore, for $5.")
    chat.page.wait_for_timeout(300)
    assert fetched == []
    ask_for(chat, "```rust\nfn main() {}\n```\n\n\\(x^2\\)\n\nEnd.")
    expect(chat.last_text.locator("math")).to_have_count(1)
    expect(chat.last_text.locator(".hljs-keyword")).to_have_text("fn")
    assert {"core", "rust", "temml"} <= set(fetched)
    assert "python" not in fetched


def test_an_invalid_formula_is_shown_as_written(chat: ChatPage) -> None:
    ask_for(chat, "\\(\\frac{1}{\\) and \\(\\nothing{2}\\) and \\(\\sqrt 2\\)\n\nEnd.")
    expect(chat.last_text.locator("math")).to_have_count(1)
    expect(chat.last_text).to_contain_text("\\frac{1}{ and \\nothing{2} and")


def test_a_selection_survives_later_text(chat: ChatPage) -> None:
    selected = chat.page.evaluate(
        """async () => {
          const { Markdown } = await import("markdown");
          const { default: remend } = await import("remend");
          const box = document.createElement("div");
          document.getElementById("main").append(box);
          const markdown = new Markdown(box, remend);
          const found = [];
          for (const character of "Some **bold words** here and so on\\n\\n- one\\n- two\\n\\nthree\\n\\nfour") {
            markdown.append(character);
            if (box.textContent === "Some bold") getSelection().selectAllChildren(box);
            found.push(getSelection().toString());
          }
          markdown.end();
          return [...new Set([...found, getSelection().toString()])].filter(Boolean);
        }"""
    )
    assert selected[0] == "Some bold"
    assert all(each.startswith("Some bold") for each in selected)


@pytest.mark.quick
def test_a_link_opens_a_new_tab_and_shows_its_host(chat: ChatPage) -> None:
    ask_for(
        chat, "[google.com](https://attacker.invalid/) ![A map](https://attacker.invalid/a.png)"
    )
    links = chat.last_text.get_by_role("link")
    expect(links).to_have_text(["google.com (attacker.invalid)", "A map (attacker.invalid)"])
    expect(links.first).to_have_attribute("rel", "noopener noreferrer nofollow ugc")
    expect(links.first).to_have_attribute("target", "_blank")


def test_direction_characters_do_not_affect_text_outside_their_block_or_link(
    chat: ChatPage,
) -> None:
    ask_for(
        chat, "one \u202etwo\n\nabc\n\n[d\u202ee](https://example.org/) fgh\n\n- \u2067i\n- jkl"
    )
    for word in ("abc", "fgh", "jkl"):
        assert chat.last_text.evaluate(POSITIONS, word) == sorted(
            chat.last_text.evaluate(POSITIONS, word)
        )


POSITIONS = """(words, word) => {
  const walker = document.createTreeWalker(words, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const at = walker.currentNode.data.indexOf(word);
    if (at < 0) continue;
    return [...word].map((_, i) => {
      const range = document.createRange();
      range.setStart(walker.currentNode, at + i);
      range.setEnd(walker.currentNode, at + i + 1);
      return range.getBoundingClientRect().left;
    });
  }
  return [];
}"""


def test_every_block_has_its_own_direction(chat: ChatPage) -> None:
    ask_for(chat, "English.\n\nעברית.\n\n- עברית\n- English\n\n```\nעברית\n```\n\nEnd.")
    words = chat.last_text
    sides = words.locator("> p").evaluate_all(
        "all => all.map((p) => getComputedStyle(p).direction)"
    )
    assert sides == ["ltr", "rtl", "ltr"]
    expect(words.locator("> ul")).to_have_css("direction", "rtl")
    expect(words.locator("pre")).to_have_css("direction", "ltr")


def test_extreme_text_is_shown(chat: ChatPage) -> None:
    texts = [
        "a" * 100_000,
        "> " * 10_000 + "end",
        "- " * 5_000 + "end",
        "[" * 50_000,
        "*a **b " * 10_000,
    ]
    for text, trees in zip(texts, render(chat.page, texts, 20_000), strict=True):
        assert texts_of(trees).strip().endswith(text[-4:].strip())


def test_the_caret_is_at_the_end_of_the_text(chat: ChatPage) -> None:
    chat.send(UNTIL_STOPPED)
    chat.wait_for_text(30)
    expect(chat.last_text.locator("[data-end]")).to_have_count(1)
    chat.press_stop()
    chat.wait_for_end()
    expect(chat.last_text.locator("[data-end]")).to_have_count(0)


def test_reasoning_and_questions_are_not_formatted(chat: ChatPage) -> None:
    chat.ask("/think 40 **a**\n\n- b")
    expect(chat.questions.locator(".message-text")).to_contain_text("**a**")
    expect(chat.last_answer.locator(".reasoning .formatted")).to_have_count(0)
