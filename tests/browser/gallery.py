"""Take pictures of all screens, to look at: `python -m tests.browser.gallery [FOLDER] [WORD ...]`.

Each is taken on a desktop, on a phone, in the dark and in Arabic, into `build/gallery` unless another
folder is given, which isn't committed. With words, only screens whose name contains one are taken.
"""

import json
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Page, sync_playwright

from tests.browser.chromium import launch_chromium
from tests.browser.conftest import sign_in
from tests.browser.server import ROOT, live_site
from tests.support.browser.hostile_rows import WRITE

FOLDER = ROOT / "build" / "gallery"
PERSON = "zara@example.org"
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
LOOKS: dict[str, dict[str, Any]] = {
    "desktop": DESKTOP,
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "dark": DESKTOP | {"color_scheme": "dark"},
    "arabic": DESKTOP | {"locale": "ar"},
}
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
STRANGERS = ("accounts/login/", "accounts/signup/", "accounts/password/reset/", "nowhere/")
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


def main(arguments: list[str]) -> None:
    folder = Path(arguments[0]) if arguments else FOLDER
    words = arguments[1:]
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, live_site(Path(place)) as site:
        state = sign_in(site, PERSON)
        written = json.loads(site.run(WRITE.format(attacks=json.dumps(TEXTS))))[0]
        site.run(OWN_WEBSITES)
        paths = (
            *MEMBERS,
            *(each.format_map(written) for each in WEBSITES),
            *_staff_paths(json.loads(site.run(ROUTES)), written),
        )
        with sync_playwright() as playwright:
            browser = launch_chromium(playwright)
            for look, options in LOOKS.items():
                context = {"base_url": site.url, **options}
                stranger = browser.new_context(**context).new_page()
                _take_all(stranger, STRANGERS, folder / look, words)
                page = browser.new_context(storage_state=state, **context).new_page()
                page.goto(f"/review/{written['conversation_id']}/")
                _give_reason(page)
                _take_all(page, paths, folder / look, words)
                _take_answer(page, folder / look)
            browser.close()


def _take_all(page: Page, paths: tuple[str, ...], folder: Path, words: list[str]) -> None:
    for path in paths:
        if not words or any(word in path for word in words):
            _take(page, path, folder)


def _take_answer(page: Page, folder: Path) -> None:
    page.goto("/chat/")
    page.locator("#message[enterkeyhint]").fill("/markdown")
    page.locator(".send-button").click()
    page.locator(".answer[data-state=complete]").wait_for()
    _keep(page, folder / "answer.png")


def _staff_paths(routes: list[str], written: dict[str, Any]) -> Iterator[str]:
    """Return all of the staff's pages, those with a parameter about what was written."""
    for route in routes:
        names = re.findall(r"<\w+:(\w+)>", route)
        if all(name in written for name in names):
            yield "review/" + re.sub(r"<\w+:(\w+)>", lambda found: str(written[found[1]]), route)


def _give_reason(page: Page) -> None:
    if "/reason/" in page.url:
        page.locator("input[name=reason], textarea[name=reason]").first.fill("The daily round")
        page.locator("#main form button").first.click()
        page.wait_for_url(re.compile("^(?!.*/reason/)"))


def _take(page: Page, path: str, folder: Path) -> None:
    """Open a page and keep a picture, unless it is a file or only posted to."""
    answer = page.request.get(f"/{path}")
    if "text/html" not in answer.headers.get("content-type", "") or answer.status >= 500:
        return
    if answer.status == 405:
        return
    try:
        page.goto(f"/{path}")
    except Error:  # a download
        return
    page.wait_for_load_state("networkidle")
    _keep(page, folder / (re.sub(r"\W+", "-", path).strip("-") + ".png"))


def _keep(page: Page, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    is_chat = page.locator("#composer").count() > 0  # what is fixed would cover its middle
    page.screenshot(path=file, animations="disabled", full_page=not is_chat)


if __name__ == "__main__":
    main(sys.argv[1:])
