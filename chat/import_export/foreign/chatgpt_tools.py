"""The calls of tools in ChatGPT's export: messages to a tool, and messages of one."""

from typing import Any

from chat.import_export.foreign.calls import ForeignCall, ForeignResult, call_of, result_of
from chat.import_export.foreign.values import field_of, items_of, paragraphs, text_of

#: Where a tool's message has its text, by the kind of its content.
RESULTS = ("title", "url", "result", "summary", "text")
ERRORS = ("system_error",)
#: Pages that a search has found are beside its content.
MAX_PAGES = 100


def chatgpt_call(recipient: str, content: dict[str, Any], text: str) -> ForeignCall:
    """Return the call in a message to a tool: code, JSON or words."""
    is_code = content.get("content_type") == "code"
    written = text_of(content.get("text")) if is_code else text
    is_object = written.lstrip().startswith("{")
    arguments: Any = {"code": written} if is_code and not is_object else written
    return call_of(recipient, arguments, *_names(recipient))


def chatgpt_result(
    name: str, content: dict[str, Any], text: str, groups: Any, quoted: Any
) -> ForeignResult:
    """Return what a tool's message says. `groups` and `quoted` are what a search has found."""
    texts = (text_of(content.get(each)) for each in RESULTS)
    words = paragraphs([text, "\n".join(filter(None, texts))])
    entries = [each for group in items_of(groups) for each in items_of(field_of(group, "entries"))]
    pages = (entries or items_of(field_of(quoted, "metadata_list")))[:MAX_PAGES]
    result = result_of(words or pages, *_names(name))
    result.is_failure = content.get("content_type") in ERRORS
    result.count = len(pages) or None
    return result


def _names(name: str) -> tuple[str, ...]:
    """Return the names by which calls and results find each other.

    A message to `file_search.msearch` may be answered by `file_search`.
    """
    return tuple(dict.fromkeys((name, name.partition(".")[0])))
