"""The citations in Claude's export: a block of text lists the pages that its words are from."""

from typing import Any

from chat.import_export.foreign.cited import (
    Citations,
    ForeignSource,
    named_source,
    source_of,
    sources_in,
)
from chat.import_export.foreign.values import field_of, items_of, text_of, without_nul

#: A place within a longer word is taken as it is.
MAX_WORD_CHARS = 40


class BlockCitations(Citations):
    """The pages that an answer cites. Their titles are in the results of its tools."""

    def __init__(self, blocks: list[Any]) -> None:
        super().__init__()
        results = (each for each in blocks if field_of(each, "type") == "tool_result")
        pages = (
            page for each in results for page in sources_in(items_of(field_of(each, "content")))
        )
        self._names = {page.address: page.name for page in pages}
        self._is_answer = bool(blocks)

    def in_block(self, block: Any) -> str:
        """Return a block's text with marks after the words for which it cites a page."""
        text = without_nul(text_of(field_of(block, "text")))
        if not self._is_answer:
            return text
        places: dict[int, list[ForeignSource]] = {}
        whole = len(text.rstrip())
        for each in items_of(field_of(block, "citations")):
            if source := self._source(each):
                place = _end_of_word(text, whole, field_of(each, "end_index"))
                places.setdefault(place, []).append(source)
        pieces, read = [], 0
        for place, sources in sorted(places.items()):
            pieces += [text[read:place], self.marks(sources)]
            read = place
        return "".join([*pieces, text[read:]])

    def _source(self, citation: Any) -> ForeignSource | None:
        source = source_of(field_of(citation, "details")) or source_of(citation)
        known = self._names.get(source.address) if source else None
        return named_source(known, source.address) if source and known else source


def _end_of_word(text: str, whole: int, place: Any) -> int:
    """Return where a citation goes that the export puts at `place`: not into a word."""
    if not isinstance(place, int) or not 0 < place <= whole:
        return whole
    rest = text[place : place + MAX_WORD_CHARS]
    return place + next((at for at, char in enumerate(rest) if char.isspace()), len(rest))
