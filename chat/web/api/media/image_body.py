"""Read a request for pictures, and write the answer with them in base64."""

import re
import time
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from chat.errors import BadRequest
from chat.lib.catalogue import MediaModel
from chat.upstream.media.image_client import ImageRequest
from chat.web.api.media.speech_body import require_choice, require_length
from chat.web.http.json_body import UnsupportedParameter, decode_body

MAX_PICTURES = 4
SIZE = re.compile(r"[1-9][0-9]{1,3}x[1-9][0-9]{1,3}")
_FEWER_STEPS, _MORE_STEPS = {"low"}, {"high", "hd", "xhigh", "max"}


class ImageBody(Struct):
    model: str | None = None
    prompt: str | None = None
    n: Annotated[int, Meta(ge=1, le=MAX_PICTURES)] | None = None
    size: str | None = None
    quality: str | None = None
    response_format: Literal["url", "b64_json"] | None = None
    background: str | None = None
    stream: bool | None = None
    steps: Annotated[int, Meta(ge=1)] | None = None  # of diffusion; OpenAI has no such field


async def read_image_body(body: bytes) -> ImageBody:
    """Parse the body. Raise `BadRequest`, which names the field that is wrong."""
    return await decode_body(body, ImageBody, _checked)


def _checked(body: ImageBody) -> ImageBody:
    if not body.prompt or not body.prompt.strip():
        raise BadRequest("prompt: say what to draw.").at("prompt")
    if body.response_format == "url":
        words = "response_format: pictures are not stored, so they are sent as b64_json only."
        raise UnsupportedParameter(words).at("response_format")
    if body.stream:
        raise UnsupportedParameter("stream: pictures are sent whole.").at("stream")
    if body.background == "transparent":
        words = "background: the models here draw one of their own."
        raise UnsupportedParameter(words).at("background")
    return body


def image_request(body: ImageBody, model: MediaModel) -> ImageRequest:
    """Return what to ask the model. Raise `BadRequest` for what it can't do."""
    prompt = body.prompt or ""
    require_length(prompt, "prompt", model)
    return ImageRequest(prompt, _size(body, model), _steps(body, model), body.quality or "")


def _size(body: ImageBody, model: MediaModel) -> str:
    size = "" if body.size == "auto" else body.size or ""
    if not size:
        return model.sizes[0] if model.sizes else ""
    if not SIZE.fullmatch(size):
        raise BadRequest("size: expected width and height, like 1024x1024.").at("size")
    require_choice(size, "size", model.sizes)
    return size


def _steps(body: ImageBody, model: MediaModel) -> int:
    """Return the steps asked for, or those for the quality."""
    if body.steps is not None:
        if body.steps > model.max_steps:
            raise BadRequest(f"steps: at most {model.max_steps} are possible.").at("steps")
        return body.steps
    if body.quality in _FEWER_STEPS:
        return max(1, model.default_steps // 2)
    return model.max_steps if body.quality in _MORE_STEPS else model.default_steps


def images_object(request: ImageRequest, pictures: list[bytes]) -> dict[str, Any]:
    """Return the answer; msgspec encodes bytes in base64."""
    data = [{"b64_json": each} for each in pictures]
    size = {"size": request.size} if request.size else {}
    return {"created": int(time.time()), "data": data, **size, **_format_of(pictures[0])}


def _format_of(picture: bytes) -> dict[str, Any]:
    """Return the file format of a picture as OpenAI's answers name it; empty if unknown."""
    if picture.startswith(b"\x89PNG"):
        return {"output_format": "png"}
    if picture.startswith(b"\xff\xd8\xff"):
        return {"output_format": "jpeg"}
    if picture[:4] == b"RIFF" and picture[8:12] == b"WEBP":
        return {"output_format": "webp"}
    return {}
