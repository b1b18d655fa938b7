"""Respond with an image that somebody uploaded: shown as what it is, and nothing else."""

from django.http import HttpResponse

from chat.conversations.images.models import StoredImage
from chat.lib.pictures.picture_format import CONTENT_TYPES

POLICY = "default-src 'none'; sandbox"


def image_response(image: StoredImage) -> HttpResponse:
    response = HttpResponse(bytes(image.content), content_type=CONTENT_TYPES[image.kind])
    response["Content-Disposition"] = "inline"
    response["X-Content-Type-Options"] = "nosniff"
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    response["Content-Security-Policy"] = POLICY
    return response
