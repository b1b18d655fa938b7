"""Hold requests of a page back, as a slow server does."""

from playwright.sync_api import Page, Route


def held(page: Page, address: str) -> list[Route]:
    """Hold back the requests for an address, and return them."""
    routes: list[Route] = []
    page.route(address, lambda route: routes.append(route))
    return routes
