"""A real browser, as for the walks through the pages."""

from tests.browser.conftest import browser, chat, open_chat, open_page, signed_in, site

__all__ = ["browser", "chat", "open_chat", "open_page", "signed_in", "site"]
