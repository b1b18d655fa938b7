"""The parts of the file besides its text: types, relations, styles and numbering."""

from datetime import UTC, datetime

from chat.import_export.docx.elements import BULLETS, INDENT, Numbering, escaped

HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
FORMATS = "http://schemas.openxmlformats.org"
MAIN = f"{FORMATS}/wordprocessingml/2006/main"
RELATIONS = f"{FORMATS}/officeDocument/2006/relationships"
PACKAGE = f"{FORMATS}/package/2006"
OFFICE = "application/vnd.openxmlformats"
WORD = f"{OFFICE}-officedocument.wordprocessingml"
LEVELS = 9
SIGNS = "•◦▪"
HEADING_POINTS = (15, 14, 13, 12, 11, 11)

CONTENT_TYPES = (
    f'{HEAD}<Types xmlns="{PACKAGE}/content-types">'
    f'<Default Extension="rels" ContentType="{OFFICE}-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/word/document.xml" ContentType="{WORD}.document.main+xml"/>'
    f'<Override PartName="/word/styles.xml" ContentType="{WORD}.styles+xml"/>'
    f'<Override PartName="/word/numbering.xml" ContentType="{WORD}.numbering+xml"/>'
    f'<Override PartName="/docProps/core.xml" ContentType="{OFFICE}-package.core-properties+xml"/>'
    "</Types>"
)
PACKAGE_RELATIONS = (
    f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="text" Type="{RELATIONS}/officeDocument" Target="word/document.xml"/>'
    f'<Relationship Id="facts" Type="{PACKAGE}/relationships/metadata/core-properties"'
    ' Target="docProps/core.xml"/></Relationships>'
)
DOCUMENT_START = f'{HEAD}<w:document xmlns:w="{MAIN}" xmlns:r="{RELATIONS}"><w:body>'
DOCUMENT_END = (
    '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/>'
    '<w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134" w:header="567"'
    ' w:footer="567" w:gutter="0"/></w:sectPr></w:body></w:document>'
)


def _style(name: str, title: str, paragraph: str = "", text: str = "", kind: str = "") -> str:
    kind = kind or "paragraph"
    based = '<w:basedOn w:val="Normal"/>' if kind == "paragraph" and name != "Normal" else ""
    default = ' w:default="1"' if name == "Normal" else ""
    return (
        f'<w:style w:type="{kind}"{default} w:styleId="{name}"><w:name w:val="{title}"/>{based}'
        f"{f'<w:pPr>{paragraph}</w:pPr>' if paragraph else ''}"
        f"{f'<w:rPr>{text}</w:rPr>' if text else ''}</w:style>"
    )


def _heading(level: int, points: int) -> str:
    paragraph = (
        f'<w:keepNext/><w:spacing w:before="240" w:after="80"/><w:outlineLvl w:val="{level - 1}"/>'
    )
    text = f'<w:b/><w:sz w:val="{points * 2}"/>'
    return _style(f"Heading{level}", f"heading {level}", paragraph, text)


_GREY = '<w:shd w:val="clear" w:color="auto" w:fill="F2F2F2"/>'
_MONO = '<w:rFonts w:ascii="Consolas" w:hAnsi="Consolas" w:cs="Consolas"/>'
_BORDERS = "".join(
    f'<w:{side} w:val="single" w:sz="4" w:space="0" w:color="999999"/>'
    for side in ("top", "left", "bottom", "right", "insideH", "insideV")
)
STYLES = (
    f'{HEAD}<w:styles xmlns:w="{MAIN}">'
    + _style("Normal", "Normal", '<w:spacing w:after="120"/>', '<w:sz w:val="22"/>')
    + _style("Title", "Title", '<w:spacing w:after="60"/>', '<w:b/><w:sz w:val="40"/>')
    + "".join(_heading(level, points) for level, points in enumerate(HEADING_POINTS, 1))
    + _style("Moment", "Moment", "<w:keepNext/>", '<w:color w:val="666666"/><w:sz w:val="18"/>')
    + _style("Question", "Question", _GREY)
    + _style("Quote", "Quote", "", '<w:i/><w:color w:val="444444"/>')
    + _style("Code", "Code", f'{_GREY}<w:spacing w:after="0"/>', f'{_MONO}<w:sz w:val="18"/>')
    + _style(
        "Line",
        "Line",
        '<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="999999"/></w:pBdr>',
    )
    + _style("CodeText", "Code text", "", _MONO, "character")
    + _style(
        "Hyperlink", "Hyperlink", "", '<w:color w:val="0B5FA5"/><w:u w:val="single"/>', "character"
    )
    + '<w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:tblPr>'
    + f"<w:tblBorders>{_BORDERS}</w:tblBorders></w:tblPr></w:style></w:styles>"
)


def document_relations(numbering: Numbering) -> str:
    """Return what the text refers to: its styles and lists here, and the links outside."""
    links = "".join(
        f'<Relationship Id="{name}" Type="{RELATIONS}/hyperlink" Target="{escaped(address)}"'
        ' TargetMode="External"/>'
        for address, name in numbering.links.items()
    )
    return (
        f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="styles" Type="{RELATIONS}/styles" Target="styles.xml"/>'
        f'<Relationship Id="lists" Type="{RELATIONS}/numbering" Target="numbering.xml"/>'
        f"{links}</Relationships>"
    )


def lists_part(numbering: Numbering) -> str:
    """Return numbering.xml: one unordered list, and each ordered one with its first number."""
    bullets = "".join(_level(at, "bullet", SIGNS[at % len(SIGNS)]) for at in range(LEVELS))
    numbers = "".join(_level(at, "decimal", f"%{at + 1}.") for at in range(LEVELS))
    kinds = ((0, bullets), (1, numbers))
    abstract = "".join(
        f'<w:abstractNum w:abstractNumId="{at}"><w:multiLevelType w:val="hybridMultilevel"/>'
        f"{levels}</w:abstractNum>"
        for at, levels in kinds
    )
    ordered = "".join(
        f'<w:num w:numId="{BULLETS + at}"><w:abstractNumId w:val="1"/>'
        f"{_starting_with(start)}</w:num>"
        for at, start in enumerate(numbering.starts, 1)
    )
    unordered = f'<w:num w:numId="{BULLETS}"><w:abstractNumId w:val="0"/></w:num>'
    return f'{HEAD}<w:numbering xmlns:w="{MAIN}">{abstract}{unordered}{ordered}</w:numbering>'


def facts_part(title: str, created_at: datetime) -> str:
    """Return the document's properties."""
    moment = created_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return (
        f'{HEAD}<cp:coreProperties xmlns:cp="{PACKAGE}/metadata/core-properties"'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"'
        ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:title>{escaped(title)}</dc:title>"
        f'<dcterms:created xsi:type="dcterms:W3CDTF">{moment}</dcterms:created>'
        "</cp:coreProperties>"
    )


def _level(at: int, kind: str, text: str) -> str:
    indent = (at + 1) * INDENT
    return (
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/>'
        f'<w:lvlText w:val="{text}"/><w:lvlJc w:val="left"/>'
        f'<w:pPr><w:ind w:left="{indent}" w:hanging="{INDENT}"/></w:pPr></w:lvl>'
    )


def _starting_with(start: int) -> str:
    return "".join(
        f'<w:lvlOverride w:ilvl="{at}"><w:startOverride w:val="{start}"/></w:lvlOverride>'
        for at in range(LEVELS)
    )
