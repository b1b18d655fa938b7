"""Ask the provider for a document, which is read to its end or relayed as it arrives."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, closing
from dataclasses import dataclass

from chat.errors import UpstreamDisconnected
from chat.upstream.answer_deadline import AnswerDeadline
from chat.upstream.client import Upstream, next_bytes, reading
from chat.upstream.request import CompletionRequest

JSON: Mapping[str, str] = {"Content-Type": "application/json", "Accept": "application/json"}


@dataclass(frozen=True, slots=True)
class DocumentRequest:
    """What to send to which address, and who asks, as AI Gateway's log has it."""

    url: str
    body: bytes | None = None  # None: GET
    headers: Mapping[str, str] | None = None
    principal_key: str = ""

    @property
    def about(self) -> CompletionRequest:
        metadata = {"principal": self.principal_key} if self.principal_key else {}
        return CompletionRequest([], "", 0, metadata=metadata)


async def fetch_document(upstream: Upstream, request: DocumentRequest, max_bytes: int) -> bytes:
    """Return the document; raise `UpstreamError`."""
    document = bytearray()
    async with aclosing(stream_document(upstream, request, max_bytes)) as pieces:
        async for piece in pieces:
            document += piece
    return bytes(document)


async def stream_document(
    upstream: Upstream, request: DocumentRequest, max_bytes: int
) -> AsyncGenerator[bytes]:
    """Yield the document in pieces as they arrive; raise `UpstreamError`."""
    length = 0
    with closing(AnswerDeadline(upstream.timeouts)) as deadline:
        sent = upstream.sent(request.url, request.about, request.body, deadline, request.headers)
        async with sent as response, reading(response) as read:
            while chunk := await next_bytes(read, deadline):
                deadline.saw_content()
                length += len(chunk)
                if length > max_bytes:
                    raise UpstreamDisconnected(detail="document too long")
                yield chunk
