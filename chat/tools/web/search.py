"""The tool that searches the web."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from chat.knowledge.given import GivenPassage
from chat.tools.tool import ChatTool, ToolContext, ToolResult
from chat.tools.web import limits
from chat.tools.web.addresses import known_form
from chat.tools.web.engines import search

MAX_QUERY_CHARS = 300
#: Web pages are documents of no collection.
NO_DOCUMENT = UUID(int=0)


class WebSearchArguments(Struct):
    query: Annotated[
        str, Meta(description="The words to search for", min_length=1, max_length=MAX_QUERY_CHARS)
    ]


async def _run(context: ToolContext, arguments: WebSearchArguments) -> ToolResult:
    limits.count(limits.searches, context.principal)
    results = await search(arguments.query)
    context.addresses.update(known_form(each.address) for each in results)
    passages = [
        GivenPassage(
            number=0,
            document=NO_DOCUMENT,
            name=each.title or each.address,
            start=0,
            end=len(each.extract),
            text=f"{each.address}\n{each.extract}",
            address=each.address,
        )
        for each in results
    ]
    text = "" if passages else "Nothing was found. Search for other words."
    return ToolResult(text, passages, len(passages))


WEB_SEARCH = ChatTool(
    "web_search",
    "Searches the web. Returns titles, addresses and short extracts of pages. Use it for what is "
    "recent, or what you don't know.",
    WebSearchArguments,
    _run,
)
