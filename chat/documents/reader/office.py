"""Read documents, tables, presentations, books, mails and web pages as Markdown."""

from chat.documents.reader.document_text import DocumentText, within
from chat.documents.reader.kinds import MIME_TYPES
from chat.documents.reader.open_elements import has_too_many
from chat.documents.reader.word_entities import with_stand_ins, without_stand_ins


def load() -> None:
    import kreuzberg  # noqa: F401  (only some files need it, and it takes a while)


def text_of(content: bytes, kind: str, most_characters: int) -> DocumentText:
    """Return the text of a document of this kind; an empty one is not supported."""
    if not kind:
        return DocumentText(problem="unsupported")
    if kind == "html" and has_too_many(_without_nuls(content)):
        return DocumentText(problem="too_complex")
    import kreuzberg

    if kind == "docx":
        content = with_stand_ins(content)
    config = kreuzberg.ExtractionConfig(
        output_format="markdown",
        use_cache=False,
        enable_quality_processing=False,
        disable_ocr=True,  # type: ignore[call-arg]  # its stubs lack it
    )
    try:
        result = kreuzberg.extract_bytes_sync(content, MIME_TYPES[kind], config)
    except kreuzberg.KreuzbergError:
        return DocumentText(problem="damaged")
    return within(without_stand_ins(result.content.strip()) + "\n", most_characters)


def _without_nuls(content: bytes) -> str:
    """Return text in which tags are tags, also those of UTF-16."""
    return content.replace(b"\0", b"").decode("latin-1")
