"""A button's name doesn't cover what is below it while the mouse only rests where it was pressed."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.widget_page import WidgetPage


@pytest.mark.quick
def test_a_press_on_send_does_not_name_the_button_that_stops_the_answer(
    visit: Callable[..., WidgetPage],
) -> None:
    widget = visit()
    widget.open()
    widget.composer.fill("/long 4000")
    send = widget.frame.get_by_role("button", name="Send")
    send.click()
    expect(widget.stop_button).to_be_visible()
    widget.page.wait_for_timeout(1000)
    tooltip = widget.frame.locator(".tooltip")
    expect(tooltip).to_be_hidden()
    box = widget.stop_button.bounding_box()
    assert box
    widget.page.mouse.move(box["x"] - 40, box["y"] - 40)
    widget.page.mouse.move(box["x"] + 4, box["y"] + 4)
    expect(tooltip).to_have_text("Stop the answer")
    expect(tooltip).to_be_visible()
    widget.stop_button.click()
