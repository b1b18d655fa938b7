"""Turn files into Markdown at Cloudflare's address, with the readers of this site."""

import uuid
from typing import Any

from asgiref.sync import sync_to_async
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError

from chat.conversations.prompt import estimate_tokens
from chat.documents.errors import DocumentUnreadable
from chat.documents.reader.kinds import MIME_TYPES
from chat.documents.reading import read_for_message
from chat.errors import BadRequest
from chat.generations.process import server_process
from chat.generations.process.load_shedding import require_capacity
from chat.lib.api_formats.cloudflare_errors import envelope
from chat.web.api.api_callers import ApiCaller, for_programs
from chat.web.http.typed_responses import json_response

MAX_FILES = 10
SUPPORTED = {f".{kind}": mime_type for kind, mime_type in MIME_TYPES.items()}


@for_programs("POST")
async def convert(request: HttpRequest, caller: ApiCaller, account: str) -> HttpResponse:
    """Return the text of each file of the form, or why it can't be read."""
    require_capacity(server_process.current())
    files = await sync_to_async(_files)(request)
    member = caller.member
    return json_response(envelope([await _converted(name, file, member) for name, file in files]))


@for_programs("GET", "HEAD")
async def supported(request: HttpRequest, caller: ApiCaller, account: str) -> HttpResponse:
    pairs = [{"extension": name, "mimeType": kind} for name, kind in SUPPORTED.items()]
    return json_response(envelope(pairs))


def _files(request: HttpRequest) -> list[tuple[str, bytes]]:
    """Return the names and contents of the files. Raise `BadRequest`."""
    try:
        files = request.FILES.getlist("files")
    except (MultiPartParserError, SuspiciousOperation):
        raise BadRequest("The form isn't valid.") from None
    if not files:
        raise BadRequest("files: send files, as a form with multipart/form-data.").at("files")
    if len(files) > MAX_FILES:
        raise BadRequest(f"files: at most {MAX_FILES} files are possible.").at("files")
    return [(each.name or "file", each.read()) for each in files]


async def _converted(name: str, content: bytes, member: str) -> dict[str, Any]:
    suffix = f".{name.rpartition('.')[2].lower()}"
    file = {
        "id": str(uuid.uuid5(uuid.NAMESPACE_OID, name)),
        "name": name,
        "mimeType": SUPPORTED.get(suffix, "application/octet-stream"),
    }
    try:
        text = (await read_for_message(content, name, member)).text
    except DocumentUnreadable as error:
        return {**file, "format": "error", "error": error.public}
    return {**file, "format": "markdown", "tokens": estimate_tokens(text), "data": text}
