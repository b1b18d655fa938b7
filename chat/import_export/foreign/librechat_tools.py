"""The calls of tools and the citations in LibreChat's export.

A part of an answer has a call with its result. Citations are marks in the text, such as
`turn0search1` after a private character, which name a page in the attachments of the answer.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from chat.import_export.foreign.calls import ForeignCall, call_of, result_of
from chat.import_export.foreign.cited import Citations, ForeignSource, file_of, source_of
from chat.import_export.foreign.values import field_of, items_of, text_of, without_nul

#: A citation, and what is around several of them or around cited words: characters or escapes.
CITATION = re.compile(r"(?:\\ue202|\ue202)turn(\d{1,4})([a-z]{1,9})(\d{1,4})")
AROUND = re.compile(r"\\ue20[0134]|[\ue200\ue201\ue203\ue204]")
#: In an attachment, the lists to which the kinds of citations refer.
LISTS = {"search": "organic", "news": "topStories", "ref": "references"}
FILES = "file"
Place = tuple[int, str, int]


def call_in(part: Any) -> ForeignCall:
    """Return the call in a part of an answer, with its result if it has one."""
    call = field_of(part, "tool_call")
    code, function = field_of(call, "code_interpreter"), field_of(call, "function") or call
    if code:
        found = call_of(field_of(call, "type"), {"code": field_of(code, "input")})
        output = field_of(code, "outputs")
    else:
        name = field_of(function, "name") or field_of(call, "type")
        found = call_of(name, field_of(function, "args", "arguments"))
        output = field_of(function, "output")
    if output is not None or field_of(call, "progress") == 1:
        found.result = result_of(output)
    return found


class LibreCitations(Citations):
    """What the attachments of an answer say about its citations."""

    def __init__(self, attachments: Any) -> None:
        super().__init__()
        self._known = dict(_sources(items_of(attachments)))

    def in_text(self, text: str) -> str:
        """Return a text with marks of ours in the place of LibreChat's."""
        text = without_nul(text)
        return CITATION.sub(self._marked, AROUND.sub("", text)) if self._known else text

    def _marked(self, mark: re.Match[str]) -> str:
        source = self._known.get((int(mark[1]), mark[2], int(mark[3])))
        return self.marks([source]) if source else ""


def _sources(attachments: Iterable[Any]) -> Iterator[tuple[Place, ForeignSource]]:
    """Yield the pages and files that an answer may cite, with how its citations name them."""
    for each in attachments:
        search = field_of(each, "web_search")
        turn = field_of(search, "turn") or 0
        for kind, name in LISTS.items():
            for at, page in enumerate(items_of(field_of(search, name))):
                if (source := source_of(page)) and isinstance(turn, int):
                    yield (turn, kind, at), source
        files = field_of(field_of(each, "file_search"), "sources")
        for at, file in enumerate(items_of(files)):
            name = text_of(field_of(file, "fileName"))
            if source := file_of({"name": name}):
                yield (0, FILES, at), source
