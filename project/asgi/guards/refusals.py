"""Refuse requests before Django: with the site's error format, in the browser's language."""

import json
from collections.abc import Iterable

from asgiref.typing import ASGISendCallable, HTTPScope
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header

from chat.errors import ChatError
from chat.lib.api_formats.openai_errors import ApiError
from chat.lib.api_formats.program_errors import VERSION_HEADER, error_for_program

Header = tuple[bytes, bytes]
MAX_LANGUAGE_HEADER_BYTES = 500  # bytes; longer headers get English


async def refuse(scope: HTTPScope, send: ASGISendCallable, error: ChatError) -> None:
    """Answer with `error` and close the connection."""
    told = told_to_program(scope, error)
    with translation.override(_language(scope)):
        content_type, body = _body(scope, error, told)
    headers = [(b"content-type", content_type), (b"cache-control", b"no-store")]
    if error.retry_after_seconds is not None:
        headers.append((b"retry-after", str(int(error.retry_after_seconds)).encode()))
    await respond(send, told.status if told else error.status, headers, body)


def told_to_program(scope: HTTPScope, error: ChatError) -> ApiError | None:
    """Return the error in the format of the programs that use the address; None for others."""
    version = header(scope["headers"], VERSION_HEADER.encode()).decode("latin-1")
    return error_for_program(scope["path"], error, version)


async def respond(
    send: ASGISendCallable, status: int, headers: Iterable[Header], body: bytes = b""
) -> None:
    """Send a whole response and close the connection, discarding what still arrives."""
    length = (b"content-length", str(len(body)).encode())
    headers = [*headers, length, (b"connection", b"close")]
    await send(
        {"type": "http.response.start", "status": status, "headers": headers, "trailers": False}
    )
    await send({"type": "http.response.body", "body": body, "more_body": False})


def _body(scope: HTTPScope, error: ChatError, told: ApiError | None) -> tuple[bytes, bytes]:
    if told:
        return b"application/json", json.dumps(told.body).encode()
    if b"text/html" in header(scope["headers"], b"accept"):
        return b"text/plain; charset=utf-8", f"{error.public}\n".encode()
    return b"application/json", json.dumps({"error": error.as_dict()}).encode()


def _language(scope: HTTPScope) -> str:
    wanted = header(scope["headers"], b"accept-language")
    if len(wanted) <= MAX_LANGUAGE_HEADER_BYTES:
        for code, _ in parse_accept_lang_header(wanted.decode("latin-1")):
            try:
                return translation.get_supported_language_variant(code)
            except LookupError:
                continue
    return "en"


def header(headers: Iterable[Header], name: bytes) -> bytes:
    """Return the first value of a header in lower case; empty if it is absent."""
    return next((value for key, value in headers if key.lower() == name), b"")
