"""A small web that needs no network: a search engine, as SearXNG answers, and its pages."""

import tomllib
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from chat.emulator.wire import HTML, Answer, json_answer, whole
from chat.lib.words import words_of

MOST_RESULTS = 5
EXTRACT_CHARS = 300
#: Shorter words, such as "the", say little about a page.
LEAST_LETTERS = 4
_FILE = Path(__file__).parent / "web.toml"


def search(query: str) -> Answer:
    """Return the pages that share words with the query, best first."""
    wanted = {each for each in words_of(query) if len(each) >= LEAST_LETTERS}
    scored = [(len(wanted & _words(number)), each) for number, each in enumerate(_pages())]
    scored.sort(key=lambda each: -each[0])
    results = [
        {
            "url": page["address"],
            "title": page["title"],
            "content": page["paragraphs"][0][:EXTRACT_CHARS],
            "engine": "emulator",
        }
        for score, page in scored
        if score
    ]
    return json_answer({"query": query, "results": results[:MOST_RESULTS]})


def page(address: str) -> Answer:
    """Return the page at an address."""
    found = next((each for each in _pages() if each["address"] == address), None)
    if found is None:
        return Answer(404, [HTML], whole(b"<!doctype html><title>Not found</title>"))
    title = escape(found["title"])
    text = "\n".join(f"<p>{escape(each)}</p>" for each in found["paragraphs"])
    html = f"<!doctype html><html lang=en><title>{title}</title><main><h1>{title}</h1>{text}</main>"
    return Answer(200, [HTML], whole(html.encode()))


@cache
def _pages() -> list[dict[str, Any]]:
    pages: list[dict[str, Any]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))["pages"]
    return pages


@cache
def _words(number: int) -> frozenset[str]:
    found = _pages()[number]
    return frozenset(words_of(" ".join([found["title"], *found["paragraphs"]])))
