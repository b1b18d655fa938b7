"""Call the page's Markdown renderer through the real site's modules."""

import json
import re
from collections.abc import Iterable
from html.parser import HTMLParser
from typing import Any

from playwright.sync_api import Page, Route

from tests.browser.chat_page import ChatPage

#: Renders each text into the page, whole or in pieces, and returns the elements as nested lists.
RENDER = """async ([texts, length]) => {
  const { Markdown } = await import("markdown");
  const { default: remend } = await import("remend");
  const tree = (node) => node.nodeType === 3 ? node.data : [
    node.localName, Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value])),
    [...node.childNodes].map(tree),
  ];
  return texts.map((text) => {
    const box = document.createElement("div");
    box.className = "message-text formatted";
    document.getElementById("thread").append(box);
    const markdown = new Markdown(box, remend);
    const characters = [...text];
    const step = length || characters.length || 1;
    for (let at = 0; at < characters.length; at += step) {
      markdown.append(characters.slice(at, at + step).join(""));
    }
    markdown.end();
    const found = [...box.childNodes].map(tree);
    if (texts.length > 1) box.remove();
    return found;
  });
}"""
LEVELS = re.compile(r"^h[1-6]$")
TRANSPARENT = {"a", "span", "bdi", "thead", "tbody"}
VOID = {"br", "hr", "img", "input"}


def render(page: Page, texts: list[str], length: int = 0) -> list[list[Any]]:
    """Render each text, `length` characters at a time or all at once, and return the trees."""
    found: list[list[Any]] = page.evaluate(RENDER, [texts, length])
    return found


def answer_with(page: Page, text: str, pieces: int = 5) -> None:
    """Make the next answer this text."""

    def answer(route: Route) -> None:
        parts = [text[at : at + pieces] for at in range(0, len(text), pieces)]
        frames = [{"response": part} for part in parts]
        frames.append({"response": "", "state": "complete", "length": len(text)})  # type: ignore[dict-item]
        data = [json.dumps(each) for each in frames] + ["[DONE]"]
        body = "".join(f"id: {n}\ndata: {each}\n\n" for n, each in enumerate(data, start=1))
        headers = {"Content-Type": "text/event-stream", "X-Generation-Id": "g1"}
        route.fulfill(body=body, headers=headers)

    page.route("**/chat/stream", answer)


def ask_for(chat: ChatPage, text: str) -> str:
    answer_with(chat.page, text)
    return chat.ask("Please.")


def blocks(trees: list[Any]) -> list[str]:
    """Return the top-level blocks, each as a line that can be compared."""
    shown = [tidy(plain(tree)) for tree in trees]
    return joined([each for each in shown if each])


def plain(tree: Any) -> str:
    """Return a tree without our additions: code headers, link hosts, table regions."""
    if isinstance(tree, str):
        return tree
    name, attributes, children = tree
    classes = attributes.get("class", "").split()
    if "code-block" in classes and name == "div":
        return plain(children[1])
    if "table-block" in classes and name == "div":
        return plain(children[1])
    if "table-scroller" in classes and name == "div":
        return plain(children[0])
    if "heading" in classes or LEVELS.match(name):
        name = "h"
    if name == "a" and children and not isinstance(children[-1], str) and children[-1][0] == "bdi":
        children = children[:-2]
    inner = "".join(plain(each) for each in children)
    if name == "img":
        return str(attributes.get("alt", ""))
    if name in TRANSPARENT:
        return inner
    if name in VOID:
        return f"<{name}>"
    return f"<{name}>{inner}</{name}>"


def tidy(text: str) -> str:
    if text.startswith("<pre>"):
        return re.sub(r"\n*</code></pre>$", "</code></pre>", text)
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r" ?(</?(?:p|h|li|ul|ol|blockquote|table|tr|th|td|pre|hr|br)>) ?", r"\1", text)
    text = re.sub(r" ?</code></pre>", "</code></pre>", text)
    return re.sub(r"<p><input> ?|<input> ?<p>|<input> ?", "<input>", text).strip()


def joined(shown: list[str]) -> list[str]:
    """Join the lists that we show in parts."""
    found: list[str] = []
    for each in shown:
        name = each[:4]
        if found and name in {"<ul>", "<ol>"} and found[-1].startswith(name):
            found[-1] = found[-1][:-5] + each[4:]
        else:
            found.append(each)
    return found


def from_html(html: str) -> list[Any]:
    """Return the same trees for another renderer's HTML."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.root[2]


def texts_of(trees: Iterable[Any]) -> str:
    return "".join(each if isinstance(each, str) else texts_of(each[2]) for each in trees)


def elements_of(trees: Iterable[Any]) -> Iterable[tuple[str, dict[str, str]]]:
    for each in trees:
        if not isinstance(each, str):
            yield each[0], each[1]
            yield from elements_of(each[2])


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root: list[Any] = ["", {}, []]
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element: list[Any] = [tag, {name: value or "" for name, value in attrs}, []]
        self.open[-1][2].append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if any(element[0] == tag for element in self.open[1:]):
            while self.open.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        self.open[-1][2].append(data)
