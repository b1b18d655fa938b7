"""Record errors and policy violations of a page."""

from playwright.sync_api import ConsoleMessage, Error, Page, Request

REPORT = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
});
"""
#: The browser's messages about HTTP errors and lost connections, which some tests cause.
NETWORK = ("Failed to load resource", "WebSocket connection to")
#: htmx's message about a request that ended with its page.
LEAVING = ("htmx:afterRequest", "htmx:sendError", "htmx:sendAbort")
#: Firefox's about a saved PDF, which it opens in a tab of its own.
SAVED_PDF = ('Warning: Invalid absolute docBaseUrl: "file:',)


class Watch:
    """Collect errors and violations of a page; without `home`, nothing is collected."""

    def __init__(self, page: Page, home: str | None, *others: str) -> None:
        self.complaints: list[str] = []
        self._context = page.context
        self._homes = tuple(f"{each}/" for each in (home, *others))
        if home:
            page.add_init_script(REPORT)
            page.context.on("console", self._console)
            page.context.on("request", self._request)
            page.on("pageerror", self._error)

    def close(self) -> None:
        self._context.close()

    def _console(self, message: ConsoleMessage) -> None:
        expected = message.text.startswith((*NETWORK, *LEAVING, *SAVED_PDF))
        if message.type in {"error", "warning"} and not expected:
            self.complaints.append(message.text)

    def _error(self, error: Error) -> None:
        self.complaints.append(f"script: {error}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((*self._homes, "data:", "blob:")):
            self.complaints.append(f"foreign request: {request.url}")
