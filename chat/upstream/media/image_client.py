"""Ask the provider for a picture."""

import base64
import binascii
import json
from dataclasses import dataclass
from typing import Any

import msgspec

from chat.errors import UpstreamDisconnected
from chat.lib.catalogue import MediaModel
from chat.lib.worker_thread import off_loop
from chat.upstream.client import Upstream
from chat.upstream.documents.client import JSON, DocumentRequest, fetch_document
from chat.upstream.request import ProviderEndpoint

MAX_PICTURE_BYTES = 32 * 1024 * 1024
#: OpenAI's own newer models always answer in base64, and refuse to be asked for it.
_ALWAYS_BASE64 = ("gpt-image", "chatgpt-image")


@dataclass(frozen=True, slots=True)
class ImageRequest:
    """What to draw. `size` is empty, or width and height as in `1024x1024`."""

    prompt: str
    size: str = ""
    steps: int = 1
    quality: str = ""

    @property
    def pixels(self) -> tuple[int, int]:
        width, _x, height = (self.size or "1024x1024").partition("x")
        return int(width), int(height)


class _Drawn(msgspec.Struct):
    image: str


class _Envelope(msgspec.Struct):
    result: _Drawn


class _Picture(msgspec.Struct):
    b64_json: str


class _Answer(msgspec.Struct):
    data: list[_Picture]


async def generate_image(
    upstream: Upstream, model: MediaModel, request: ImageRequest, principal_key: str
) -> bytes:
    """Return a picture, in the file format that the model has. Raise `UpstreamError`."""
    document_request = _request(upstream.endpoint, model, request, principal_key)
    document = await fetch_document(upstream, document_request, MAX_PICTURE_BYTES)
    return await off_loop(_picture_in, document, upstream.endpoint.is_workers_ai)


def _picture_in(document: bytes, is_workers_ai: bool) -> bytes:
    try:
        if not is_workers_ai:
            encoded = msgspec.json.decode(document, type=_Answer).data[0].b64_json
        elif document[:1] == b"{":
            encoded = msgspec.json.decode(document, type=_Envelope).result.image
        else:
            return _required(document)
        return _required(base64.b64decode(encoded, validate=True))
    except (msgspec.MsgspecError, UnicodeDecodeError, binascii.Error, IndexError):
        raise UpstreamDisconnected(detail="no picture") from None


def _required(picture: bytes) -> bytes:
    if not picture:
        raise UpstreamDisconnected(detail="no picture")
    return picture


def _request(
    endpoint: ProviderEndpoint, model: MediaModel, request: ImageRequest, principal_key: str
) -> DocumentRequest:
    body: dict[str, Any] = {"prompt": request.prompt}
    if not endpoint.is_workers_ai:
        url = endpoint.openai_url("images/generations")
        body |= {"model": model.provider_id, "n": 1}
        if request.size:
            body["size"] = request.size
        if request.quality:
            body["quality"] = request.quality
        if not model.provider_id.startswith(_ALWAYS_BASE64):
            body["response_format"] = "b64_json"
    elif model.schema == "flux":
        url = endpoint.url(model.provider_id)
        body["steps"] = request.steps
    else:
        url = endpoint.url(model.provider_id)
        width, height = request.pixels
        body |= {"num_steps": request.steps, "width": width, "height": height}
    headers = {**JSON, "Accept": "*/*"}
    return DocumentRequest(url, json.dumps(body).encode(), headers, principal_key)
