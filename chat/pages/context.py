from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    """What every template may name."""
    return {"SITE_NAME": settings.SITE_NAME}
