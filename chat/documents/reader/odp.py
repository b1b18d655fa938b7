"""Read presentations of OpenDocument, which kreuzberg doesn't know."""

import zipfile
from collections.abc import Iterator
from io import BytesIO
from xml.etree import ElementTree

from chat.documents.reader.document_text import DocumentText, within

#: Namespaces of OpenDocument 1.3, in ElementTree's form.
DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"


def text_of(content: bytes, most_characters: int) -> DocumentText:
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive, archive.open("content.xml") as file:
            # Expat loads nothing from elsewhere, and ends at entities that grow too much.
            root = ElementTree.parse(file).getroot()  # noqa: S314
    except (zipfile.BadZipFile, KeyError, OSError, ValueError, ElementTree.ParseError):
        return DocumentText(problem="damaged")
    slides = enumerate(root.iter(f"{DRAW}page"), 1)
    return within(
        "\n".join(line for number, each in slides for line in _lines(number, each)), most_characters
    )


def _lines(number: int, slide: ElementTree.Element) -> Iterator[str]:
    yield f"## Slide {number}\n"
    for each in slide.iter():
        if each.tag in {f"{TEXT}p", f"{TEXT}h"}:
            yield "".join(each.itertext()) + "\n"
