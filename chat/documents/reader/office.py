"""Read documents, tables, presentations, books, mails and web pages as Markdown."""

from chat.documents.reader.document_text import DocumentText, within

TYPES = {
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "doc": "application/msword",
    "xls": "application/vnd.ms-excel",
    "ppt": "application/vnd.ms-powerpoint",
    "msg": "application/vnd.ms-outlook",
    "odt": "application/vnd.oasis.opendocument.text",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "epub": "application/epub+zip",
    "rtf": "application/rtf",
    "html": "text/html",
    "eml": "message/rfc822",
}


def load() -> None:
    import kreuzberg  # noqa: F401  (only some files need it, and it takes a while)


def text_of(content: bytes, kind: str, most_characters: int) -> DocumentText:
    """Return the text of a document of one of these types; any other is not supported."""
    if kind not in TYPES:
        return DocumentText(problem="unsupported")
    import kreuzberg

    config = kreuzberg.ExtractionConfig(
        output_format="markdown",
        use_cache=False,
        enable_quality_processing=False,
        disable_ocr=True,  # type: ignore[call-arg]  # its stubs lack it
    )
    try:
        result = kreuzberg.extract_bytes_sync(content, TYPES[kind], config)
    except kreuzberg.KreuzbergError:
        return DocumentText(problem="damaged")
    return within(result.content.strip() + "\n", most_characters)
