"""Keep characters of Word documents that kreuzberg leaves out: `&`, `<`, `>` and quotation marks.

Its reader of .docx ignores references to entities in XML (in 4.10.4 and all versions before), so
"AT&amp;T" becomes "ATT". Characters that no text has stand for them until it has read the file.
"""

import re
from io import BytesIO
from zipfile import ZIP_STORED, ZipFile

from chat.lib.zip_files import DAMAGES, ZipTooLarge, open_entry, open_zip

#: Of a part, such as the text or the footnotes. A larger file is read as it is.
MAX_PART_BYTES = 64 * 1024 * 1024
#: From the last area for private use, which fonts such as Symbol don't use.
_FIRST_STAND_IN = 0x10FF00
_CHARACTERS = "&<>\"'"
_NAMES = dict(zip(("amp", "lt", "gt", "quot", "apos"), _CHARACTERS, strict=True))
_STAND_INS = {each: chr(_FIRST_STAND_IN + place) for place, each in enumerate(_CHARACTERS)}
_BACK = str.maketrans({stand_in: each for each, stand_in in _STAND_INS.items()})
_REFERENCE = re.compile(rb"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#x([0-9A-Fa-f]{1,6}));")


def with_stand_ins(docx: bytes) -> bytes:
    """Return the document with other characters in place of references to entities."""
    written = BytesIO()
    try:
        with open_zip(BytesIO(docx)) as archive, ZipFile(written, "w", ZIP_STORED) as copy:
            for info in archive.infolist():
                with open_entry(archive, info, MAX_PART_BYTES) as entry:
                    part = entry.read_all()
                is_text = info.filename.startswith("word/") and info.filename.endswith(".xml")
                copy.writestr(info.filename, without_references(part) if is_text else part)
    except (*DAMAGES, ZipTooLarge):
        return docx
    return written.getvalue()


def without_references(xml: bytes) -> bytes:
    """Return XML with characters in place of references to them."""
    return _REFERENCE.sub(_stand_in, xml)


def without_stand_ins(text: str) -> str:
    return text.translate(_BACK)


def _stand_in(reference: re.Match[bytes]) -> bytes:
    name, decimal, hexadecimal = (each and each.decode() for each in reference.groups())
    if name:
        return _STAND_INS[_NAMES[name]].encode()
    code = int(decimal) if decimal else int(hexadecimal, 16)
    if not 0x20 <= code <= 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return reference[0]  # no character, or one of layout
    return _STAND_INS.get(chr(code), chr(code)).encode()
