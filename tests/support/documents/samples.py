"""Make small files of each kind, without the libraries that read them."""

import zipfile
from collections.abc import Mapping
from io import BytesIO

WORDS = "The lake is calm"
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"
DRAW = "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"


def pdf(*pages: str, more: bytes = b"") -> bytes:
    """Return a PDF with a line of text on each page; an empty one for a page that was scanned."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, text in enumerate(pages):
        drawn = f"BT /F1 12 Tf 50 700 Td ({text}) Tj ET".encode() if text else b""
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] "
            b"/Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>" % (5 + 2 * number)
        )
        objects.append(b"<< /Length %d >>\nstream\n%b\nendstream" % (len(drawn), drawn))
    body = bytearray(b"%PDF-1.4\n")
    places = []
    for number, each in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%b\nendobj\n" % (number, each)
    start = len(body)
    body += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    body += b"".join(b"%010d 00000 n \n" % place for place in places)
    body += b"trailer\n<< /Size %d /Root 1 0 R %b >>\n" % (len(objects) + 1, more)
    return bytes(body + b"startxref\n%d\n%%%%EOF\n" % start)


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def _package(main: str, kind: str, files: Mapping[str, str]) -> bytes:
    """Return an Office Open XML file whose main part is `main`."""
    types = f'<Types xmlns="{TYPES}"><Default Extension="xml" ContentType="application/xml"/>'
    types += '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.'
    types += f'relationships+xml"/><Override PartName="/{main}" ContentType="application/vnd.'
    types += f'openxmlformats-officedocument.{kind}.main+xml"/></Types>'
    relations = f'<Relationships xmlns="{RELATIONS}"><Relationship Id="rId1" '
    relations += f'Type="{R}/officeDocument" Target="{main}"/></Relationships>'
    return zipped({"[Content_Types].xml": types, "_rels/.rels": relations, **files})


def docx(words: str = WORDS) -> bytes:
    body = f"<w:p><w:r><w:t>{words}</w:t></w:r></w:p>"
    document = f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>'
    return _package(
        "word/document.xml", "wordprocessingml.document", {"word/document.xml": document}
    )


def xlsx(words: str = WORDS) -> bytes:
    workbook = f'<workbook xmlns="{S}" xmlns:r="{R}"><sheets><sheet name="Water" sheetId="1" r:id="rId1"/></sheets></workbook>'
    cell = f'<c r="A1" t="inlineStr"><is><t>{words}</t></is></c><c r="B1"><v>4.5</v></c>'
    sheet = f'<worksheet xmlns="{S}"><sheetData><row r="1">{cell}</row></sheetData></worksheet>'
    relations = f'<Relationships xmlns="{RELATIONS}"><Relationship Id="rId1" Type="{R}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>'
    files = {
        "xl/workbook.xml": workbook,
        "xl/_rels/workbook.xml.rels": relations,
        "xl/worksheets/sheet1.xml": sheet,
    }
    return _package("xl/workbook.xml", "spreadsheetml.sheet", files)


def pptx(words: str = WORDS) -> bytes:
    presentation = f'<p:presentation xmlns:p="{P}" xmlns:r="{R}"><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst></p:presentation>'
    text = f"<p:txBody><a:bodyPr/><a:p><a:r><a:t>{words}</a:t></a:r></a:p></p:txBody>"
    shape = f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="a"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/>{text}</p:sp>'
    slide = (
        f'<p:sld xmlns:p="{P}" xmlns:a="{A}"><p:cSld><p:spTree>{shape}</p:spTree></p:cSld></p:sld>'
    )
    relations = f'<Relationships xmlns="{RELATIONS}"><Relationship Id="rId1" Type="{R}/slide" Target="slides/slide1.xml"/></Relationships>'
    files = {
        "ppt/presentation.xml": presentation,
        "ppt/_rels/presentation.xml.rels": relations,
        "ppt/slides/slide1.xml": slide,
    }
    return _package("ppt/presentation.xml", "presentationml.presentation", files)


def opendocument(kind: str, body: str, manifest: str = "") -> bytes:
    content = f'<office:document-content xmlns:office="{OFFICE}" xmlns:text="{TEXT}" xmlns:table="{TABLE}" xmlns:draw="{DRAW}" office:version="1.2"><office:body>{body}</office:body></office:document-content>'
    files = {"mimetype": f"application/vnd.oasis.opendocument.{kind}", "content.xml": content}
    return zipped({**files, "META-INF/manifest.xml": manifest or "<manifest/>"})


def odt(words: str = WORDS) -> bytes:
    return opendocument("text", f"<office:text><text:p>{words}</text:p></office:text>")


def ods(words: str = WORDS) -> bytes:
    cell = (
        f'<table:table-cell office:value-type="string"><text:p>{words}</text:p></table:table-cell>'
    )
    row = f"<table:table-row>{cell}</table:table-row>"
    table = f'<table:table table:name="Water">{row}</table:table>'
    return opendocument("spreadsheet", f"<office:spreadsheet>{table}</office:spreadsheet>")


def odp(words: str = WORDS) -> bytes:
    box = f"<draw:text-box><text:p>{words}</text:p></draw:text-box>"
    page = f'<draw:page draw:name="One"><draw:frame>{box}</draw:frame></draw:page>'
    return opendocument("presentation", f"<office:presentation>{page}</office:presentation>")


def epub(words: str = WORDS) -> bytes:
    container = '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="a.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
    package = '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="i"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="i">1</dc:identifier><dc:title>T</dc:title><dc:language>en</dc:language></metadata><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>'
    chapter = f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>C</title></head><body><p>{words}</p></body></html>'
    files = {"META-INF/container.xml": container, "a.opf": package, "c.xhtml": chapter}
    return zipped({"mimetype": "application/epub+zip", **files})


def eml(words: str = WORDS) -> bytes:
    head = "From: a@example.org\r\nTo: b@example.org\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n"
    return f"{head}MIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\n{words}\r\n".encode()


#: By name: the file, and more that is in its text.
SAMPLES: dict[str, tuple[bytes, str]] = {
    "a.pdf": (pdf(f"{WORDS}."), "[Page 1]"),
    "a.docx": (docx(), ""),
    "a.xlsx": (xlsx(), "## Water"),
    "a.pptx": (pptx(), ""),
    "a.odt": (odt(), ""),
    "a.ods": (ods(), "## Water"),
    "a.odp": (odp(), ""),
    "a.epub": (epub(), ""),
    "a.rtf": (rb"{\rtf1\ansi The lake is calm\par \'fcber}", "über"),
    "a.eml": (eml(), "Grüße"),
    "a.html": (f"<html><head><title>Secret</title><script>bad()</script></head><body><h1>Water</h1><p>{WORDS}</p></body></html>".encode(), "# Water"),
    "a.txt": (WORDS.encode(), ""),
    "a": (f"\ufeff{WORDS}".encode("utf-16"), ""),
}  # fmt: skip
