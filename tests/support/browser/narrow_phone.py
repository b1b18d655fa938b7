"""Helpers for the browser tests of personas."""

from tests.support.browser.layout import PHONE

NARROW = {**PHONE, "viewport": {"width": 320, "height": 640}}
