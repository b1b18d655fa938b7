"""Errors of images in questions."""

from django.conf import settings
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from chat.errors import BadRequest, ErrorReader


class ImageTooLarge(BadRequest):
    """It has too many bytes or pixels (413)."""

    code, status = "image_too_large", 413


class NotAnImage(BadRequest):
    code, status = "not_an_image", 415
    text = _("This isn't an image that can be read. Use a PNG, JPEG or WebP image.")


class TooManyImages(BadRequest):
    code = "too_many_images"


def too_many_images() -> TooManyImages:
    words = _("Too many images. The limit for one message is {most}.")
    return TooManyImages(format_lazy(words, most=settings.MAX_MESSAGE_IMAGES))


class ImageMissing(BadRequest):
    code = "image_missing"
    text = _("An image of this message isn't stored any more. Remove it, and add it again.")


class ImagesUnsupported(BadRequest):
    """The chosen model can't read images."""

    code = "images_unsupported"
    text = _("This model can't read images. Choose one that can, or remove the images.")
    keeps_draft = True
    others = {
        ErrorReader.VISITOR: _("This chat can't read images. Describe what they show in words."),
    }
