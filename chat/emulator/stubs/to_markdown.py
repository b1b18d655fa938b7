"""Convert files to Markdown: text files as they are, others into a sentence that says so."""

import json
import uuid
from collections.abc import Mapping
from email.message import Message
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any

from chat.emulator.common import tokens
from chat.emulator.common.faults import Refusal
from chat.emulator.requests.problems import bad
from chat.emulator.shapes.base import envelope
from chat.emulator.wire import Answer, Call, json_answer

SUPPORTED = {
    ".pdf": "application/pdf",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".png": "image/png",
    ".webp": "image/webp",
    ".svg": "image/svg+xml",
    ".html": "text/html",
    ".htm": "text/html",
    ".xml": "application/xml",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".xlsm": "application/vnd.ms-excel.sheet.macroenabled.12",
    ".xlsb": "application/vnd.ms-excel.sheet.binary.macroenabled.12",
    ".xls": "application/vnd.ms-excel",
    ".et": "application/vnd.ms-excel",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".ods": "application/vnd.oasis.opendocument.spreadsheet",
    ".odt": "application/vnd.oasis.opendocument.text",
    ".csv": "text/csv",
    ".numbers": "application/vnd.apple.numbers",
}
CANNOT_READ = "The built-in emulator can't read this file. It has {count} bytes."
UNSUPPORTED = "Files of this type are not supported: {kind}"
FORMATS = {"markdown", "text"}


def supported() -> Answer:
    pairs = [{"extension": name, "mimeType": kind} for name, kind in SUPPORTED.items()]
    return json_answer(envelope(pairs))  # type: ignore[arg-type]


def convert(call: Call) -> Answer:
    """Return the Markdown of each file in the form's field `files`; raise `Refusal`."""
    kind = call.headers.get("content-type", "")
    if not kind.lower().startswith("multipart/form-data"):
        raise Refusal("3003")
    head = f"Content-Type: {kind}\r\n\r\n".encode("latin-1", "replace")
    form = BytesParser(policy=HTTP).parsebytes(head + call.body)
    parts = list(form.iter_parts())
    files = [part for part in parts if _field(part) == "files"]
    if not files:
        raise Refusal("3003")
    wanted = next((_format(part) for part in parts if _field(part) == "conversionOptions"), "")
    converted = [_converted(part, wanted or "markdown") for part in files]
    return json_answer(envelope(converted))  # type: ignore[arg-type]


def _format(part: Message) -> str:
    """Return the format that the options ask for, empty for none; other options change nothing."""
    try:
        options = json.loads(_body(part))
    except ValueError:
        bad("'/conversionOptions' must be JSON")
    output = options.get("output") if isinstance(options, Mapping) else None
    wanted = output.get("format", "markdown") if isinstance(output, Mapping) else ""
    if wanted and wanted not in FORMATS:
        bad("'/conversionOptions/output/format' must be 'markdown' or 'text'")
    return str(wanted)


def _field(part: Message) -> str:
    return str(part.get_param("name", "", "content-disposition"))


def _body(part: Message) -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _converted(part: Message, wanted: str) -> dict[str, Any]:
    body, kind = _body(part), part.get_content_type()
    name = part.get_filename() or "file"
    file = {"id": str(uuid.uuid5(uuid.NAMESPACE_OID, name)), "name": name, "mimeType": kind}
    is_text = kind.startswith("text/")
    if not is_text and kind not in SUPPORTED.values():
        return {**file, "format": "error", "error": UNSUPPORTED.format(kind=kind)}
    data = _text(body) if is_text else None
    if data is None:
        data = CANNOT_READ.format(count=len(body))
    return {**file, "format": wanted, "tokens": tokens.count(data), "data": data}


def _text(body: bytes) -> str | None:
    try:
        return body.decode()
    except UnicodeDecodeError:
        return None
