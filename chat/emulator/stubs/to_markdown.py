"""Convert files to Markdown: text files as they are, others into a sentence that says so."""

from email.message import Message
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any

from chat.emulator.common import tokens
from chat.emulator.common.faults import Refusal
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
    ".xml": "application/xml",
    ".csv": "text/csv",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
CANNOT_READ = "The built-in emulator can't read this file. It has {count} bytes."


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
    files = [part for part in form.iter_parts() if _field(part) == "files"]
    if not files:
        raise Refusal("3003")
    return json_answer(envelope([_converted(part) for part in files]))  # type: ignore[arg-type]


def _field(part: Message) -> str:
    return str(part.get_param("name", "", "content-disposition"))


def _converted(part: Message) -> dict[str, Any]:
    content = part.get_payload(decode=True)
    body = content if isinstance(content, bytes) else b""
    kind = part.get_content_type()
    data = _text(body) if kind.startswith("text/") else None
    if data is None:
        data = CANNOT_READ.format(count=len(body))
    name = part.get_filename() or "file"
    found = {"name": name, "mimetype": kind, "format": "markdown"}
    return {**found, "tokens": tokens.count(data), "data": data}


def _text(body: bytes) -> str | None:
    try:
        return body.decode()
    except UnicodeDecodeError:
        return None
