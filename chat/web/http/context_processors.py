from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language, get_language_bidi

from chat.accounts.preferences import Preferences
from chat.review.staff import privacy
from chat.site_settings import effective


def site(request: HttpRequest) -> dict[str, object]:
    """Return the variables that every template may use."""
    return {
        "SITE_NAME": effective.site_name(),
        "ACCENT_COLOR": effective.accent_color(),
        "SITE_LOGO": effective.logo(),
        "TERMS_URL": effective.terms_url(),
        "PRIVACY_URL": effective.privacy_url(),
        "CODE_PREVIEWS": settings.CODE_PREVIEWS,
        "TOOLS_ALWAYS_ALLOWED": settings.TOOLS_ALWAYS_ALLOWED,
        "SHARING": settings.SHARING,
        "PUBLIC_LINKS": settings.PUBLIC_LINKS,
        "API_KEYS": settings.API_KEYS,
        "WIDGET_SITES": settings.WIDGET_SITES,
        "PASSKEYS": settings.PASSKEYS,
        "CAN_SIGN_UP": effective.sign_up() in ("open", "approval"),
        "PASSWORD_SIGN_IN": settings.PASSWORD_SIGN_IN,
        "SINGLE_SIGN_ON": settings.SSO_NAME if settings.SSO_ISSUER else "",
        "SHOW_ACCESS_HISTORY": settings.SHOW_ACCESS_HISTORY,
        "REPORTS": privacy.is_reading_allowed(),
        # An error before the middleware has run leaves no preferences: use the defaults.
        "PREFERENCES": getattr(request, "preferences", Preferences()),
        "LANGUAGE": get_language() or "en",
        "DIRECTION": "rtl" if get_language_bidi() else "ltr",
    }
