"""Check that the proxy lets bodies of every size through that the site accepts."""

import socket
from collections.abc import Iterator
from contextlib import suppress

from django.conf import settings
from django.urls import reverse

from chat.doctor.check_result import CheckResult
from chat.doctor.proxy.arrival import ask
from chat.doctor.streaming.destination import Destination

NAME = "Uploads"
TOO_LONG = 413
#: A proxy that reads the length refuses at once; others wait for the body.
ANSWER_SECONDS = 3.0
MB = 1024**2
#: What a proxy should allow at least: room above MAX_BODY_BYTES, so that the site refuses itself.
ROOM = 2


def check_uploads(there: Destination) -> Iterator[CheckResult]:
    results = [*_messages(there), *_files(there)]
    files = (settings.MAX_IMPORT_BYTES, settings.MAX_DOCUMENT_BYTES, settings.MAX_AUDIO_BYTES)
    largest = max(settings.MAX_BODY_BYTES, *files)
    message = f"Bodies of up to {_size(largest)} get through, as the settings allow."
    yield from results or [CheckResult(NAME, "ok", message)]


def _messages(there: Destination) -> Iterator[CheckResult]:
    """Send as much as a message may have: nothing but the site can say how much arrived."""
    count = settings.MAX_BODY_BYTES
    reply = ask(there, {"Content-Type": "application/octet-stream"}, b"\0" * count)
    if reply.arrival and reply.arrival.body_bytes == count:
        return
    words = f"refuses bodies of {_size(count)} ({reply.words})"
    if reply.arrival:
        words = f"passes on only {reply.arrival.body_bytes:,} of {count:,} bytes"
    message = f"The proxy {words}: long messages and images in questions fail."
    advice = (
        f"Raise its limit above MAX_BODY_BYTES. In nginx: client_max_body_size {_room(count)};"
        " in Caddy: request_body { max_size … }"
    )
    yield CheckResult(NAME, "problem", message, advice, {"bytes": count, "status": reply.status})


def _files(there: Destination) -> Iterator[CheckResult]:
    files = {
        "imports": (reverse("import"), "MAX_IMPORT_BYTES", settings.MAX_IMPORT_BYTES),
        "documents": (
            reverse("document_reading"),
            "MAX_DOCUMENT_BYTES",
            settings.MAX_DOCUMENT_BYTES,
        ),
        "collections": (
            reverse("add_documents"),
            "MAX_DOCUMENT_BYTES",
            settings.MAX_DOCUMENT_BYTES,
        ),
        "recordings": (reverse("api_transcriptions"), "MAX_AUDIO_BYTES", settings.MAX_AUDIO_BYTES),
    }
    for what, (path, setting, count) in files.items():
        if _status_of_announced(there, path, count) != TOO_LONG:
            continue
        message = f"The proxy refuses bodies of {_size(count)} for {path}: {what} fail."
        advice = (
            f"Raise its limit above {setting}. In nginx, in a block `location = {path}`:"
            f" client_max_body_size {_room(count)}; deploy/nginx.conf has one."
        )
        yield CheckResult(NAME, "problem", message, advice, {"bytes": count, "path": path})


def _status_of_announced(there: Destination, path: str, count: int) -> int:
    """Announce a body without sending it; return the status, 0 if nobody objects."""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {there.host_header}\r\nContent-Length: {count}\r\n"
        "Content-Type: application/octet-stream\r\nExpect: 100-continue\r\n"
        "Connection: close\r\n\r\n"
    )
    with suppress(OSError), there.connect(ANSWER_SECONDS) as plain:
        context = there.tls()
        end = context.wrap_socket(plain, server_hostname=there.server_name) if context else plain
        with end:
            end.settimeout(ANSWER_SECONDS)
            end.sendall(head.encode())
            return _status(_line(end))
    return 0


def _line(end: socket.socket) -> bytes:
    received = b""
    while b"\n" not in received and (piece := end.recv(1024)):
        received += piece
    return received.partition(b"\n")[0]


def _status(line: bytes) -> int:
    words = line.split()
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else 0


def _size(count: int) -> str:
    return f"{count / MB:.0f} MB" if count >= MB else f"{count / 1024:.0f} KB"


def _room(count: int) -> str:
    return f"{max(1, -(-count * ROOM // MB))}m"
