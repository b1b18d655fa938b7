"""Read the images of a request: what they are, not what they show."""

import base64
import binascii
from dataclasses import dataclass
from typing import Any

from chat.emulator.common.faults import Refusal
from chat.lib.catalogue import Model
from chat.lib.pictures.picture_format import picture_format


@dataclass(frozen=True, slots=True)
class SeenImage:
    """The type of an image, and its size in pixels, 0 if that is unknown."""

    kind: str
    width: int = 0
    height: int = 0

    def __str__(self) -> str:
        size = f", {self.width} × {self.height} pixels" if self.width else ""
        return f"{self.kind}{size}"


def read_image(model: Model, image: Any) -> SeenImage:
    """Return the image of a content part; raise Refusal with the error of Workers AI."""
    url = image.get("url") if isinstance(image, dict) else image
    if not model.vision:
        raise Refusal("8001")
    if not isinstance(url, str) or not url.startswith("data:image/"):
        raise Refusal("8006")
    stated, _comma, encoded = url.removeprefix("data:image/").partition(",")
    try:
        content = base64.b64decode(encoded, validate=True)
    except binascii.Error:
        raise Refusal("8006") from None
    if not content:
        raise Refusal("8006")
    picture = picture_format(content)
    if picture is None:
        return SeenImage(stated.partition(";")[0].upper()[:10])
    return SeenImage(picture.kind.upper(), picture.width, picture.height)
