"""`make run` also serves a website that shows the chat."""

import subprocess
import sys
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.server import ROOT, LiveSite
from tests.browser.widget_page import WidgetPage
from tests.helpers.server import free_port

MAKE_STAFF = """
from chat.accounts.models import User
User.objects.create(email="rita@example.org", is_staff=True)
"""


def test_the_demo_website_shows_the_chat_of_the_first_staff_account(
    site: LiveSite, open_page: Callable[..., Page]
) -> None:
    port = free_port()
    command = [sys.executable, "manage.py", "demo_website", str(port)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, env=site.environment, stdout=pipe, text=True) as demo:
        try:
            assert demo.stdout
            origin = demo.stdout.readline().split()[-1].rstrip("/")
            assert origin == f"http://localhost:{port}"
            page = open_page(origin, watched=False)
            expect(page.locator(".note")).to_contain_text("Once there is a staff account")
            site.run(MAKE_STAFF)
            page.reload()
            page.evaluate("Runnel.open()")
            widget = WidgetPage(page)
            page.frames[1].locator("#message[enterkeyhint]").wait_for()
            expect(page.frames[1].locator("h1")).to_have_text("Riverside Canoes")
            assert widget.page.evaluate("crossOriginIsolated") is False
        finally:
            demo.terminate()
