"""The tool that reads a web page, and returns the parts that a question is about."""

from collections.abc import Sequence
from typing import Annotated
from urllib.parse import urlsplit

import httpx
from msgspec import Meta, Struct

from chat.documents.errors import DocumentUnreadable
from chat.documents.reading import read_document, read_web_page
from chat.errors import BadRequest
from chat.fetching.addresses import may_be_requested
from chat.fetching.fetch import ENCODING, Fetched, get, refusals
from chat.knowledge.given import GivenPassage
from chat.knowledge.passages import Passage, split
from chat.knowledge.text_fragments import quoted_words
from chat.lib.fair_work import in_steps
from chat.lib.worker_thread import Steps
from chat.tools.tool import ChatTool, ToolContext, ToolFailed, ToolResult
from chat.tools.web import limits
from chat.tools.web.addresses import known_form
from chat.tools.web.engines import emulated_page
from chat.tools.web.search import NO_DOCUMENT

SECONDS = 15.0
MAX_REDIRECTS = 5
MAX_PAGE_BYTES = 3 * 1024 * 1024
MAX_TEXT_CHARS = 200_000
MAX_QUERY_CHARS = 300
#: A page that is no longer than this is given whole.
WHOLE_BYTES = 9000
MOST_PASSAGES = 8
HTML_KINDS = frozenset({"text/html", "application/xhtml+xml"})
USER_AGENT = "Mozilla/5.0 (compatible; RunnelReader/1.0)"
OK = 200


class PageArguments(Struct):
    address: Annotated[str, Meta(description="https://…", max_length=2000)]
    query: Annotated[
        str, Meta(description="What to look for on the page", max_length=MAX_QUERY_CHARS)
    ] = ""


async def _run(context: ToolContext, arguments: PageArguments) -> ToolResult:
    address = known_form(arguments.address)
    if address not in context.addresses:
        raise ToolFailed(
            "Only pages that a search has found, or that the user has named, can be read.",
            "unknown_address",
        )
    limits.count(limits.pages, context.principal)
    title, text = await _read(address, context.principal.key)
    if not text.strip():
        raise ToolFailed("The page has no text without scripts.", "no_text")
    passages = await in_steps(context.principal.key, _passages(text, arguments.query))
    given = [
        GivenPassage(
            number=0,
            document=NO_DOCUMENT,
            name=title or address,
            start=each.start,
            end=each.end,
            section=each.context,
            text=text[each.start : each.end],
            address=address,
            quote=quoted_words(text[each.start : each.end]),
            anchor=each.anchor,
        )
        for each in passages
    ]
    return ToolResult("", given, len(given))


async def _read(address: str, reader: str) -> tuple[str, str]:
    """Return the title and the text of a page. Raise `ToolFailed`."""
    if (content := await emulated_page(address)) is not None:
        page = await read_web_page(content, "utf-8", MAX_TEXT_CHARS, f"page:{reader}")
        return page.title, page.text
    try:
        fetched = await _fetched(address)
    except BadRequest as error:
        raise ToolFailed(
            f"The page can't be read: {error.detail or 'no answer'}.", "unreachable"
        ) from None
    if fetched.status != OK:
        raise ToolFailed(f"The page can't be read: status {fetched.status}.", "unreachable")
    if fetched.kind in HTML_KINDS:
        charset = fetched.value("content-type").partition("charset=")[2]
        page = await read_web_page(fetched.body, charset, MAX_TEXT_CHARS, f"page:{reader}")
        return page.title, page.text
    try:
        name = urlsplit(address).path.rpartition("/")[2]
        document = await read_document(fetched.body, name, MAX_TEXT_CHARS, f"page:{reader}")
    except DocumentUnreadable as error:
        raise ToolFailed("This isn't a page with text.", "no_text") from error
    return name, document.text


async def _fetched(address: str) -> Fetched:
    """Return what is at the address, or where it redirects to. Raise `BadRequest`."""
    headers = {"User-Agent": USER_AGENT, "Accept": "text/html, text/plain, */*;q=0.5", **ENCODING}
    async with refusals(SECONDS):
        for _each in range(MAX_REDIRECTS + 1):
            if not may_be_requested(address):
                raise BadRequest(detail="not_public")
            fetched = await get(httpx.URL(address), headers, SECONDS, MAX_PAGE_BYTES)
            if not fetched.redirect:
                return fetched
            address = fetched.redirect
    raise BadRequest(detail="redirects")


def _passages(text: str, query: str) -> Steps[Sequence[Passage]]:
    """Return the passages that a query is about, in the order of the page."""
    # With numpy, which many processes never need.
    from chat.knowledge.index_format import decode_words, encode_words
    from chat.knowledge.ranking import WordIndex, best

    passages = yield from split(text)
    if len(text.encode()) <= WHOLE_BYTES or not query.strip():
        return passages[:MOST_PASSAGES]
    texts = (f"{each.context} {text[each.start : each.end]}" for each in passages)
    words = decode_words((yield from encode_words(texts)))
    scores = WordIndex.of(words, len(passages)).scores(query)
    places = best(scores, MOST_PASSAGES)
    return [passages[place] for place in sorted(places)] or passages[:MOST_PASSAGES]


FETCH_PAGE = ChatTool(
    "fetch_page",
    "Reads a web page that a search has found or the user has named, and returns its parts that "
    "the query is about.",
    PageArguments,
    _run,
)
