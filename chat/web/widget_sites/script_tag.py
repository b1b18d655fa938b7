"""Build the script tag of a website. Its owner sets how the chat looks (look/widget_look.py)."""

from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString

from chat.widget_sites.models import WidgetSite


def script_address() -> str:
    return f"{settings.SITE_URL}/w.js"


def script_tag(site: WidgetSite) -> SafeString:
    """Return the tag as HTML to copy into a page."""
    return format_html(
        '<script async src="{}" data-site="{}"></script>', script_address(), site.key
    )
