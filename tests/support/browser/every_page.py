"""Every page of the site that is about something written, for a person who may see all of them."""

import json
import re
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page

from tests.support.browser.hostile_rows import WRITE
from tests.support.servers.server import Server

PERSON = "zara@example.org"
TEXTS = (
    "Why do rivers bend?",
    "A canoe for two, from Friday to Sunday, with paddles and vests",
    "My order 4711 has not arrived",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk " * 3,
)
MEMBERS = (
    "chat/", "chat/temporary/", "chat/archive/", "chat/search/?q=river", "settings/",
    "settings/personalization/", "settings/data/", "settings/security/", "settings/usage/",
    "settings/devices/", "settings/access-history/", "settings/api/", "settings/import/",
    "settings/delete-account/", "shared/", "shared/with-me/", "personas/", "personas/new/",
    "prompts/", "prompts/new/", "projects/", "projects/new/", "tags/", "collections/",
    "collections/new/", "sites/", "sites/new/",
)  # fmt: skip
#: Of the website `{site}`, which the first text names.
WEBSITES = (
    "sites/{site}/", "sites/{site}/look/", "sites/{site}/people/", "sites/{site}/team/",
    "sites/{site}/sources/", "sites/{site}/answers/", "sites/{site}/inbox/", "w/{site}/",
)  # fmt: skip
ROUTES = """
import json
from chat.web.review import urls
print(json.dumps([str(each.pattern) for each in urls.urlpatterns]))
"""
OWN_WEBSITES = """
from chat.accounts.models import User
from chat.widget_sites.models import WidgetSite
WidgetSite.objects.update(owner=User.objects.get(email="zara@example.org"))
"""


def write_pages(site: Server) -> list[dict[str, Any]]:
    """Write each of the texts wherever a person can write one; return what was made."""
    written: list[dict[str, Any]] = json.loads(site.run(WRITE.format(attacks=json.dumps(TEXTS))))
    site.run(OWN_WEBSITES)
    return written


def page_paths(site: Server, written: dict[str, Any]) -> list[str]:
    """Return the paths of all pages about what was written, without those of strangers."""
    websites = (each.format_map(written) for each in WEBSITES)
    return [*MEMBERS, *websites, *_staff_paths(json.loads(site.run(ROUTES)), written)]


def give_reason(page: Page) -> None:
    if "/reason/" in page.url:
        page.locator("input[name=reason], textarea[name=reason]").first.fill("The daily round")
        page.locator("#main form button").first.click()
        page.wait_for_url(re.compile("^(?!.*/reason/)"))


def _staff_paths(routes: list[str], written: dict[str, Any]) -> Iterator[str]:
    """Return all of the staff's pages, those with a parameter about what was written."""
    for route in routes:
        names = re.findall(r"<\w+:(\w+)>", route)
        if all(name in written for name in names):
            yield "review/" + re.sub(r"<\w+:(\w+)>", lambda found: str(written[found[1]]), route)
