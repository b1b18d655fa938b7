"""Pictures that a site's owner has uploaded for its look: a logo and an avatar.

Their address contains a digest of their bytes, so browsers keep them forever. Only formats that
contain no code are stored, never SVG.
"""

from hashlib import sha256

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from chat.errors import NotFound
from chat.lib.pictures.picture_format import PictureFormat, picture_format
from chat.lib.pictures.picture_metadata import without_metadata
from chat.widget_sites.models import SitePicture, WidgetSite

MAX_KILOBYTES = 100
MAX_PIXELS = 1024  # of each side
DIGEST_CHARACTERS = 32
#: Unsaved pictures kept for each site.
MAX_TRIED = 10


def checked(content: bytes) -> PictureFormat:
    """Return the format. Raise `ValidationError`."""
    if len(content) > MAX_KILOBYTES * 1024:
        words = _("The picture must be at most {most} KB.")
        raise ValidationError(words.format(most=MAX_KILOBYTES))
    picture = picture_format(content)
    if picture is None:
        raise ValidationError(_("Choose a PNG, JPEG or WebP picture that isn't animated."))
    if max(picture.width, picture.height) > MAX_PIXELS:
        words = _("The picture must be at most {most} pixels wide and high.")
        raise ValidationError(words.format(most=MAX_PIXELS))
    return picture


@transaction.atomic
def store(site: WidgetSite, content: bytes, used: set[str]) -> str:
    """Store a picture without its metadata, and return its name.

    Remove old ones that are not `used`.
    """
    kind = checked(content).kind
    content = without_metadata(content)
    digest = sha256(content).hexdigest()[:DIGEST_CHARACTERS]
    SitePicture.objects.get_or_create(
        site=site, digest=digest, defaults={"kind": kind, "content": content}
    )
    others = _unused(site, {digest, *used}).order_by("-pk")
    surplus = list(others.values_list("pk", flat=True)[MAX_TRIED - 1 :])
    SitePicture.objects.filter(pk__in=surplus).delete()
    return digest


def is_stored(site: WidgetSite, digest: str) -> bool:
    return site.pictures.filter(digest=digest).exists()


def keep_only(site: WidgetSite, used: set[str]) -> None:
    """Remove the pictures that neither the site's look nor its team shows."""
    _unused(site, used).delete()


def _unused(site: WidgetSite, used: set[str]) -> QuerySet[SitePicture]:
    return site.pictures.filter(profiles=None).exclude(digest__in=used)


def picture_of(site: WidgetSite, digest: str) -> SitePicture:
    """Return a picture of the site. Raise `NotFound`."""
    picture = SitePicture.objects.filter(site=site, digest=digest).first()
    if picture is None:
        raise NotFound
    return picture
