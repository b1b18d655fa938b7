"""A visitor attaches images and files in the frame, if the website's owner allows it."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser.host_site import HostSite
from tests.browser.server import LiveSite
from tests.browser.widget_page import WidgetPage, make_site
from tests.support.documents.samples import pdf
from tests.support.widget.pictures import png

USE_VISION = """
from chat.personas.models import Persona
from chat.widget_sites.models import WidgetSite
site = WidgetSite.objects.get(key={key!r})
model = "@cf/meta/llama-4-scout-17b-16e-instruct"
site.persona = Persona.objects.create(owner=site.owner, name="Canoes", model=model)
site.save()
"""
REPORT: Any = {"name": "report.pdf", "mimeType": "application/pdf", "buffer": pdf("The lake")}
RIVER: Any = {"name": "river.png", "mimeType": "image/png", "buffer": png(64, 48)}


@pytest.mark.quick
def test_an_image_and_a_file_go_with_the_question_and_the_image_survives_a_reload(
    site: LiveSite, host: HostSite, visit: Callable[..., WidgetPage]
) -> None:
    key = make_site(site, host, accepts_files=True)
    site.run(USE_VISION.format(key=key))
    host.carry(site.url, key)
    widget = visit()
    widget.open()
    with widget.page.expect_file_chooser() as chooser:
        widget.frame.get_by_role("button", name="Add a file or image").click()
    chooser.value.set_files([REPORT, RIVER])
    chips = widget.frame.locator("#composer .attachment:not([aria-busy])")
    expect(chips).to_have_count(2)
    assert "1 image: PNG, 64 × 48 pixels." in widget.ask("What is it?")
    widget.page.reload()
    widget.wait_until_usable()
    expect(widget.frame.locator(".question img[src^='data:image/png']")).to_have_count(1)
    expect(widget.frame.locator(".question summary")).to_contain_text("report.pdf")


def test_a_click_opens_the_chooser_even_if_its_script_came_late_or_not_at_first(
    site: LiveSite, host: HostSite, visit: Callable[..., WidgetPage]
) -> None:
    host.carry(site.url, make_site(site, host, accepts_files=True))
    widget = visit()
    asked: list[Route] = []

    def answer(route: Route) -> None:
        asked.append(route)
        if len(asked) > 1:
            route.abort() if len(asked) == 2 else route.continue_()

    widget.page.route("**/visitor_files*.js*", answer)
    with widget.page.expect_request("**/visitor_files*.js*"):
        widget.open()
    button = widget.frame.get_by_role("button", name="Add a file")
    expect(button).to_be_disabled()
    asked[0].abort()
    button.click()  # once it is enabled
    expect(widget.hint).to_contain_text("Couldn't load this.")
    with widget.page.expect_file_chooser() as chooser:
        button.click()
    chooser.value.set_files([REPORT])
    expect(widget.frame.locator("#composer .attachment:not([aria-busy])")).to_have_count(1)


def test_where_the_owner_allows_no_files_there_is_no_button(
    visit: Callable[..., WidgetPage],
) -> None:
    widget = visit()
    widget.open()
    expect(widget.composer).to_be_visible()
    expect(widget.frame.locator("#attach")).to_have_count(0)
