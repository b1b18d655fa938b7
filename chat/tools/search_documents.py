"""The tool that finds other passages of the chat's documents than those given with the question."""

from typing import Annotated

from msgspec import Meta, Struct

from chat.tools.tool import ChatTool, ToolContext, ToolFailed, ToolResult

MAX_QUERY_CHARS = 500


class DocumentsArguments(Struct):
    query: Annotated[
        str, Meta(description="What to look for, in a sentence", max_length=MAX_QUERY_CHARS)
    ]


async def _run(context: ToolContext, arguments: DocumentsArguments) -> ToolResult:
    if context.find_passages is None:
        raise ToolFailed("This chat has no documents.")
    passages = await context.find_passages(arguments.query)
    text = "" if passages else "Nothing was found in the documents."
    return ToolResult(text, passages, len(passages))


SEARCH_DOCUMENTS = ChatTool(
    "search_documents",
    "Searches the documents of this chat. Use it if the passages that you have don't answer the "
    "question, with other words.",
    DocumentsArguments,
    _run,
)
