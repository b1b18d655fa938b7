"""Check that WebSockets get through: pages are notified of changes over one."""

from collections.abc import Iterator

from django.conf import settings
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.sync.client import connect

from chat.doctor.check_result import CheckResult
from chat.doctor.streaming.destination import Destination
from chat.web.chat.notifications_consumer import UNAUTHORIZED
from chat.web.chat.socket_origin import origin_of

NAME = "WebSocket"
PATH = "/chat/notifications"
TIMEOUT_SECONDS = 30.0
ADVICE = (
    "Let the proxy pass on the headers Upgrade and Connection for /chat/notifications, over"
    " HTTP/1.1. deploy/nginx.conf shows how. Without it, pages don't show changes by themselves."
)


def check_socket(destination: Destination) -> Iterator[CheckResult]:
    """Open the WebSocket of pages without signing in: the site accepts, and says so on closing."""
    problem = _problem(destination)
    if problem:
        yield CheckResult(NAME, "problem", f"{destination.url}{PATH} {problem}", ADVICE)
    else:
        yield CheckResult(NAME, "ok", f"WebSockets get through at {destination.url}.")


def _problem(destination: Destination) -> str:
    """Return what went wrong, as the rest of a sentence; empty if nothing did."""
    scheme = "wss" if destination.is_secure else "ws"
    _, _, host = settings.SITE_URL.partition("://")
    try:
        with connect(
            f"{scheme}://{destination.host_header}{PATH}",
            sock=destination.connect(TIMEOUT_SECONDS),
            ssl=destination.tls(),
            server_hostname=destination.server_name if destination.is_secure else None,
            origin=origin_of(settings.SITE_URL.partition(":")[0], host),  # type: ignore[arg-type]
            open_timeout=TIMEOUT_SECONDS,
            proxy=None,
        ) as socket:
            socket.recv(TIMEOUT_SECONDS)
    except ConnectionClosed as closed:
        code = closed.rcvd.code if closed.rcvd else 0
        return "" if code == UNAUTHORIZED else f"closes at once, with code {code}."
    except InvalidStatus as error:
        return f"isn't upgraded to a WebSocket: status {error.response.status_code}."
    except (WebSocketException, OSError, EOFError) as error:
        return f"isn't upgraded to a WebSocket: {type(error).__name__}."
    return "sends something that the site does not."
