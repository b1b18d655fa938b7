"""Read a PDF page by page."""

from typing import TYPE_CHECKING

from chat.documents.reader.document_text import DocumentText, has_words

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

#: Begins each page, so that a model can say where something is.
MARK = "[Page {number}]"
#: What PDFium writes for a hyphen at the end of a line, without the end of the line.
DIVISION = "\x02"
#: PDFium's code for a document that needs a password (FPDF_ERR_PASSWORD).
PASSWORD_ERROR = 4


def load() -> None:
    import pypdfium2  # noqa: F401  (only some files need it, and it takes a while)


def text_of(content: bytes, most_characters: int) -> DocumentText:
    from pypdfium2 import PdfDocument, PdfiumError

    try:
        document = PdfDocument(content)
        return _read(document, most_characters)
    except PdfiumError as error:
        return DocumentText(problem="encrypted" if error.err_code == PASSWORD_ERROR else "damaged")


def _read(document: "PdfDocument", most_characters: int) -> DocumentText:
    count = len(document)
    pages: list[str] = []
    left = most_characters
    for number in range(count):
        page = _page(document, number)
        left -= len(page) + len(MARK) + 8
        if left < 0:
            break
        pages.append(page)
    if not has_words(pages):
        return DocumentText(
            pages=count, problem="no_text" if len(pages) == count else "too_complex"
        )
    marked = (f"{MARK.format(number=n)}\n{page}\n" for n, page in enumerate(pages, 1) if page)
    return DocumentText("\n".join(marked), count, len(pages), is_cut=len(pages) < count)


def _page(document: "PdfDocument", number: int) -> str:
    page = document[number]
    try:
        text = page.get_textpage().get_text_bounded()
    finally:
        page.close()
    # A word that is divided between two lines is one word.
    lines = text.replace(DIVISION, "").splitlines()
    return "\n".join(line.rstrip() for line in lines).strip()
