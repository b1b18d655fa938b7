"""Respond with an image that somebody uploaded: shown as what it is, and nothing else."""

from typing import Protocol

from django.http import HttpResponse

from chat.lib.pictures.picture_format import CONTENT_TYPES

POLICY = "default-src 'none'; sandbox"


class UploadedImage(Protocol):
    """A row of an image; `kind` is a key of `CONTENT_TYPES`."""

    content: bytes | memoryview
    kind: str


def image_response(image: UploadedImage, cache: str = "") -> HttpResponse:
    """Return the image, with `cache` as its Cache-Control if it has one."""
    response = HttpResponse(bytes(image.content), content_type=CONTENT_TYPES[image.kind])
    response["Content-Disposition"] = "inline"
    return inert(response, cache)


def inert(response: HttpResponse, cache: str = "") -> HttpResponse:
    """Let browsers run nothing in the response, and take it for nothing else."""
    if cache:
        response["Cache-Control"] = cache
    response["X-Content-Type-Options"] = "nosniff"
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    response["Content-Security-Policy"] = POLICY
    return response
