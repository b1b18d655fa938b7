"""Provide the demo site of `make run`, owned by the first staff account."""

from urllib.parse import urlsplit

from chat.accounts.models import User
from chat.widget_sites.models import WidgetSite

NAME = "Riverside Canoes"
WELCOME = "Hello. What would you like to know about our canoes?"
STARTERS = ["What does a day on the river cost?", "Do I need to know how to swim?"]


def origin_beside(site_url: str, port: int) -> str:
    """Return an origin on this machine with another host name, which browsers treat as foreign."""
    other = "127.0.0.1" if urlsplit(site_url).hostname == "localhost" else "localhost"
    return f"http://{other}:{port}"


def demo_site(origin: str) -> WidgetSite | None:
    """Return the demo site, created if needed; None while there is no staff account."""
    owner = User.objects.filter(is_staff=True, is_active=True).order_by("pk").first()
    if owner is None:
        return None
    site = owner.sites.filter(origins=[origin], name=NAME).first()
    return site or owner.sites.create(
        name=NAME, origins=[origin], welcome=WELCOME, starters=STARTERS, has_cards=True
    )
