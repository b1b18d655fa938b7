"""What a web page says: its own text without navigation, its links, and what it asks of robots."""

import re
import sys
from typing import Any

import msgspec
from msgspec import Struct

from chat.documents.reader import anchors, office, plain_text, sandbox
from chat.documents.reader.open_elements import has_too_many

#: Of a page; a longer list is not one that people read.
MAX_LINKS = 2000
MAX_ADDRESS_CHARS = 2000
TITLE_CHARS = 200
#: A page with fewer letters has no text of its own, if scripts have a place to build one in it, or
#: if it has any scripts.
FEW_LETTERS, NO_LETTERS = 100, 20
ROBOTS_NAMES = frozenset({"robots", "runnelbot"})
LOADER = "/w.js"
OWNER_MARK = "runnel-site"
#: What is in no page's own text.
LEFT_OUT = (
    "script, style, noscript, template, svg, canvas, iframe, object, embed, video, audio, img, "
    "picture, nav, form, button, select, dialog, aside, [hidden], [aria-hidden=true], "
    "[role=navigation], [role=banner], [role=contentinfo], [role=search], [role=complementary], "
    "[role=dialog], [role=alertdialog]"
)
#: What is around the text of a page that doesn't mark its main part.
AROUND = "header, footer"
SCRIPT_ROOTS = "#root, #app, #__next, #__nuxt, app-root, [data-reactroot], [ng-app]"
#: A link with more in it is more than the mark of a place.
MAX_NODES_OF_MARK = 20
_CHARSET = re.compile(rb"charset\s{0,4}=\s{0,4}[\"']?([A-Za-z0-9_.:-]{1,40})", re.IGNORECASE)
_MARK_OF_LINK = re.compile(r"\W?")


class WebPage(Struct, omit_defaults=True):
    """The text is Markdown, with the anchors of headings (anchors.py).

    `sites` are the keys of websites whose tag, or mark, is in the page.
    """

    text: str = ""
    title: str = ""
    canonical: str = ""
    base: str = ""
    robots: list[str] = []
    links: list[str] = []
    sites: list[str] = []
    is_built_by_scripts: bool = False
    is_readable: bool = True


def load() -> None:
    import selectolax.lexbor  # noqa: F401  (only web pages need it)

    office.load()


def read(content: bytes, charset: str, most_characters: int) -> WebPage:
    """Read a page. `charset` is what its server says, and may be wrong."""
    from selectolax.lexbor import LexborHTMLParser

    html = _decoded(content, charset)
    if has_too_many(html):
        return WebPage(is_readable=False)
    tree = LexborHTMLParser(html)
    page = _about(tree)
    least_letters = FEW_LETTERS if tree.css_first(SCRIPT_ROOTS) is not None else 0
    if tree.css_first("script") is not None:
        least_letters = max(least_letters, NO_LETTERS)
    for each in tree.css(LEFT_OUT):
        each.decompose()
    main = _main_part(tree)
    if main is None:
        return page
    marked = anchors.mark(main)
    _reduce_links(main)
    result = office.text_of((main.html or "").encode(), "html", most_characters)
    page.is_readable = result.problem != "damaged"
    page.text = anchors.placed(result.text, marked)
    page.is_built_by_scripts = _letters(anchors.without(page.text)) < least_letters
    return page


def _about(tree: Any) -> WebPage:
    page = WebPage()
    base = tree.css_first("base[href]")
    page.base = _attribute(base, "href") if base else ""
    heading = tree.css_first("title") or tree.css_first("h1")
    page.title = " ".join((heading.text() if heading else "").split())[:TITLE_CHARS]
    for link in tree.css("link[rel][href]"):
        if "canonical" in _attribute(link, "rel").lower().split() and not page.canonical:
            page.canonical = _attribute(link, "href")
    for meta in tree.css("meta[name]"):
        name = _attribute(meta, "name").lower()
        if name in ROBOTS_NAMES:
            page.robots.append(_attribute(meta, "content").lower())
        if name == OWNER_MARK:
            page.sites.append(_attribute(meta, "content"))
    for script in tree.css("script[src][data-site]"):
        if _attribute(script, "src").partition("?")[0].endswith(LOADER):
            page.sites.append(_attribute(script, "data-site"))
    page.links = _links(tree)
    return page


def _links(tree: Any) -> list[str]:
    links: dict[str, None] = {}
    for link in tree.css("a[href], area[href]"):
        if "nofollow" not in _attribute(link, "rel").lower().split():
            links[_attribute(link, "href")] = None
        if len(links) >= MAX_LINKS:
            break
    links.pop("", None)
    return list(links)


def _main_part(tree: Any) -> Any:
    """Return the element with the page's own text."""
    main = tree.css_first("main, [role=main]")
    if main is None and len(articles := tree.css("article")) == 1:
        main = articles[0]
    if main is not None and _letters(main.text()):
        return main
    for each in tree.css(AROUND):
        each.decompose()
    return tree.body


def _reduce_links(main: Any) -> None:
    """Keep only the words of links, and drop those that only mark a place, such as ¶.

    A hostile page has links in links: the inner ones go first, of each only the beginning is read,
    and none is unwrapped, which takes longer the deeper it is.
    """
    for link in reversed(main.css("a")):
        if _is_mark(link):
            link.decompose()
        elif "href" in link.attributes:
            del link.attrs["href"]


def _is_mark(link: Any) -> bool:
    text = ""
    for number, node in enumerate(link.traverse(include_text=True)):
        if node.tag == "-text":
            text += node.text_content.strip()[:2]
        if len(text) > 1 or number >= MAX_NODES_OF_MARK:
            return False
    return bool(_MARK_OF_LINK.fullmatch(text))


def _attribute(element: Any, name: str) -> str:
    return " ".join((element.attributes.get(name) or "").split())[:MAX_ADDRESS_CHARS]


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))


def _decoded(content: bytes, charset: str) -> str:
    """Return the page's text: UTF-8 if it is that, else what it is said to be, else a guess."""
    written = _CHARSET.search(content[:2048])
    for name in ("utf-8-sig", charset, written[1].decode() if written else ""):
        text = plain_text.decoded_as(content, name) if name else None
        if text is not None:
            return text
    return plain_text.decoded(content) or content.decode("latin-1")


def main() -> None:
    """Read the page on standard input: `python -m … MAX_CHARS CHARSET`. Write it as JSON."""
    most_characters, charset = int(sys.argv[1]), sys.argv[2]
    content = sys.stdin.buffer.read()
    load()
    sandbox.enter()
    try:
        page = read(content, charset, most_characters)
    except (MemoryError, RecursionError):
        page = WebPage(is_readable=False)
    sys.stdout.buffer.write(msgspec.json.encode(page))


if __name__ == "__main__":
    main()
