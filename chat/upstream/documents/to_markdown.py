"""Let Workers AI read a file: scans, and formats that this site doesn't know.

https://developers.cloudflare.com/workers-ai/features/markdown-conversion/
"""

import secrets
from pathlib import PurePath

import msgspec

from chat.errors import UpstreamDisconnected
from chat.upstream.client import Upstream
from chat.upstream.documents.client import DocumentRequest, fetch_document

MAX_ANSWER_BYTES = 32 * 1024 * 1024


class _Converted(msgspec.Struct):
    data: str = ""
    error: str = ""


class _Envelope(msgspec.Struct):
    result: list[_Converted]


async def to_markdown(
    upstream: Upstream, name: str, kind: str, content: bytes, principal_key: str
) -> str:
    """Return the text of a file of this MIME type; empty if Workers AI can't read it, either.

    Of the name, only the ending is sent. Raise `UpstreamError`.
    """
    boundary = secrets.token_hex(16)
    head = (
        f"--{boundary}\r\n"
        f'Content-Disposition: form-data; name="files"; filename="file{_ending(name)}"\r\n'
        f"Content-Type: {kind}\r\n\r\n"
    )
    body = head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
    headers = {
        "Content-Type": f"multipart/form-data; boundary={boundary}",
        "Accept": "application/json",
    }
    url = f"{upstream.endpoint.account_url}/tomarkdown"
    request = DocumentRequest(url, body, headers, principal_key)
    document = await fetch_document(upstream, request, MAX_ANSWER_BYTES)
    try:
        (converted,) = msgspec.json.decode(document, type=_Envelope).result
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError):
        raise UpstreamDisconnected(detail="no converted file") from None
    return "" if converted.error else converted.data


def _ending(name: str) -> str:
    ending = PurePath(name).suffix.lower()
    return ending if ending[1:].isascii() and ending[1:].isalnum() else ""
