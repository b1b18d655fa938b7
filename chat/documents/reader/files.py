"""Find out what a file is, from its bytes where they tell, and read it."""

import re
import zipfile
from io import BytesIO

from chat.documents.reader import odp, office, pdf, plain_text
from chat.documents.reader.document_text import DocumentText
from chat.documents.reader.kinds import MIME_TYPES

ZIP, OLE, RTF = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"{\\rtf"
#: A PDF may begin with other bytes.
PDF_WITHIN = 1024
#: What Word, Excel and PowerPoint make of a file with a password (MS-OFFCRYPTO).
ENCRYPTED_OFFICE = "EncryptedPackage".encode("utf-16le")
ENCRYPTED_ODF = b"encryption-data"
EXTENSION = re.compile(r"\.([a-z0-9]{1,12})$")
HEAD = re.compile(r"<head[\s>]", re.IGNORECASE)
HEAD_END = re.compile(r"</head\s*>", re.IGNORECASE)
#: By the folder of its parts.
OFFICE_OPEN_XML = {"word": "docx", "xl": "xlsx", "ppt": "pptx"}
#: By the type that the file `mimetype` in it names.
NAMED_ZIPS = {MIME_TYPES[kind]: kind for kind in ("odt", "ods", "odp", "epub")}
OLE_KINDS = frozenset({"doc", "xls", "ppt", "msg"})
TEXT_KINDS = {"htm": "html", "html": "html", "xhtml": "html", "eml": "eml"}


def load_for(content: bytes) -> None:
    """Load the library that reads such a file."""
    if _is_pdf(content):
        pdf.load()
    else:
        office.load()


def utf8_text_of(content: bytes, name: str, most_characters: int) -> DocumentText | None:
    """Return the text of a text file in UTF-8; None for all other files, which need a library."""
    is_other = _is_pdf(content) or content.startswith((ZIP, OLE, RTF))
    if is_other or _extension(name) in TEXT_KINDS:
        return None
    try:
        content.decode()
    except UnicodeDecodeError:
        return None
    return plain_text.text_of(content, most_characters)


def text_of(content: bytes, name: str, most_characters: int) -> DocumentText:
    """Return the text of a file of this name."""
    if _is_pdf(content):
        return pdf.text_of(content, most_characters)
    extension = _extension(name)
    if content.startswith(ZIP):
        return _zipped(content, most_characters)
    if content.startswith(OLE):
        if ENCRYPTED_OFFICE in content:
            return DocumentText(problem="encrypted")
        kind = extension if extension in OLE_KINDS else ""
        return office.text_of(content, kind, most_characters)
    if content.startswith(RTF):
        return office.text_of(content, "rtf", most_characters)
    kind = TEXT_KINDS.get(extension, "")
    if kind == "html":
        text = plain_text.decoded(content) or ""
        return office.text_of(_without_head(text).encode(), kind, most_characters)
    if kind:
        return office.text_of(content, kind, most_characters)
    return plain_text.text_of(content, most_characters)


def _is_pdf(content: bytes) -> bool:
    return b"%PDF-" in content[:PDF_WITHIN]


def _extension(name: str) -> str:
    match = EXTENSION.search(name.lower())
    return match[1] if match else ""


def _without_head(text: str) -> str:
    """Return a web page without its head, of which only programs read anything."""
    start = HEAD.search(text)
    end = HEAD_END.search(text, start.end()) if start else None
    return text[: start.start()] + text[end.end() :] if start and end else text


def _zipped(content: bytes, most_characters: int) -> DocumentText:
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            kind, is_encrypted = _kind_of(archive), _is_encrypted(archive)
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return DocumentText(problem="damaged")
    if is_encrypted:
        return DocumentText(problem="encrypted")
    if kind == "odp":
        return odp.text_of(content, most_characters)
    return office.text_of(content, kind, most_characters)


def _kind_of(archive: zipfile.ZipFile) -> str:
    names = archive.namelist()
    if "mimetype" in names:
        with archive.open("mimetype") as file:
            return NAMED_ZIPS.get(file.read(100).decode("ascii", "replace").strip(), "")
    if "[Content_Types].xml" not in names:
        return ""
    folders = {name.partition("/")[0] for name in names}
    return next((kind for folder, kind in OFFICE_OPEN_XML.items() if folder in folders), "")


def _is_encrypted(archive: zipfile.ZipFile) -> bool:
    if any(each.flag_bits & 1 for each in archive.infolist()):
        return True
    manifest = "META-INF/manifest.xml"
    if manifest not in archive.namelist():
        return False
    with archive.open(manifest) as file:
        return ENCRYPTED_ODF in file.read(1024 * 1024)
