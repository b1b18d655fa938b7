"""Read the events of `/streamz`, and note when each arrives."""

import time
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime

import httpx
import msgspec

from chat.doctor.streaming.destination import Destination
from chat.lib.sse import SseDecoder
from chat.web.ops import stream_check

PATH = "/streamz"
CONNECT_SECONDS = 5.0
#: Between any two pieces. Buffering proxies hold all events back.
PATIENCE_SECONDS = 30.0
#: A documentation address (RFC 5737) that nobody has. Whoever sees it as the client's was fooled.
FORGED_ADDRESS = "203.0.113.77"
#: What proxies and delivery networks add.
TELLING_HEADERS = ("server", "via", "cf-ray", "x-amz-cf-id", "x-served-by", "x-azure-ref")


class _Event(msgspec.Struct):
    """The facts of one event; the later ones are only in the first."""

    number: int
    sent: float
    client: str = ""
    peer: str = ""
    peer_port: str = ""
    forwarded_for: str = ""
    forwarded_proto: str = ""
    is_secure: bool = False
    host: str = ""


@dataclass(slots=True)
class Measurement:
    """One reading. `error` says why there is none, or why it is not whole."""

    destination: Destination
    error: str = ""
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    headers_seconds: float = 0.0  # from the request to the response's headers
    seconds: float = 0.0  # until the end of the reading
    arrivals: list[tuple[float, float]] = field(default_factory=list)  # sent, arrived: seconds
    first: _Event | None = None
    is_whole: bool = False
    own_address: tuple[str, str] = ("", "")
    clock_offset_seconds: float | None = None
    certificate_ends: datetime | None = None

    @property
    def content_encoding(self) -> str:
        return self.headers.get("content-encoding", "identity")

    @property
    def is_direct(self) -> bool:
        """Whether the process saw the very connection that was made here."""
        first = self.first
        return bool(first) and (first.peer, first.peer_port) == self.own_address  # type: ignore[union-attr]


def measure(destination: Destination, check: str = "pace") -> Measurement:
    """Read the events at `destination`, as a browser would that accepts compression."""
    measured = Measurement(destination)
    token = stream_check.make_token()
    headers = {
        "Authorization": f"Bearer {token}",
        stream_check.SECOND_HEADER: token,
        "Accept": "text/event-stream",
        "Accept-Encoding": "gzip, deflate",
        "X-Forwarded-For": FORGED_ADDRESS,
    }
    silence = stream_check.silence_seconds() if check == "silence" else 0.0
    timeout = httpx.Timeout(PATIENCE_SECONDS + silence, connect=CONNECT_SECONDS)
    began = time.monotonic()
    try:
        with (
            destination.client(timeout) as client,
            client.stream("GET", PATH, params={"check": check}, headers=headers) as response,
        ):
            _note_response(measured, response, time.monotonic() - began)
            if measured.status == httpx.codes.OK:
                _read(measured, response, began)
    except httpx.HTTPError as error:
        measured.error = words_for(error)
    measured.seconds = time.monotonic() - began
    return measured


def _note_response(measured: Measurement, response: httpx.Response, seconds: float) -> None:
    measured.status, measured.headers_seconds = response.status_code, seconds
    measured.headers = {name.lower(): value for name, value in response.headers.items()}
    stream = response.extensions["network_stream"]
    own = stream.get_extra_info("client_addr")
    host, port = own[:2] if isinstance(own, tuple) else ("", "")
    measured.own_address = str(host), str(port)
    measured.clock_offset_seconds = offset_of(measured.headers.get("date", ""))
    secure = stream.get_extra_info("ssl_object")
    ends = (secure.getpeercert() or {}).get("notAfter") if secure else None
    if ends:
        measured.certificate_ends = parsedate_to_datetime(_as_mail_date(ends))


def _read(measured: Measurement, response: httpx.Response, began: float) -> None:
    decoder = SseDecoder()
    for chunk in response.iter_bytes():
        arrived = time.monotonic() - began
        for event in decoder.feed(chunk):
            if event.data == stream_check.DONE:
                measured.is_whole = True
                return
            _note_event(measured, event.data, arrived)


def _note_event(measured: Measurement, text: str, arrived: float) -> None:
    try:
        event = msgspec.json.decode(text, type=_Event)
    except msgspec.DecodeError:
        return  # something else answers here, and the stream counts as incomplete
    measured.first = measured.first or event
    measured.arrivals.append((event.sent, arrived))


def offset_of(date: str) -> float | None:
    """Return by how much a clock is ahead of this machine's, by its `Date` header, in seconds.

    The header has whole seconds, so the result is up to half a second off.
    """
    try:
        return parsedate_to_datetime(date).timestamp() + 0.5 - time.time()
    except ValueError:
        return None


def _as_mail_date(text: str) -> str:
    """Return `Jun  1 12:00:00 2027 GMT` in the order of mail headers."""
    month, day, clock, year, zone = text.split()
    return f"{day} {month} {year} {clock} {zone}"


def words_for(error: httpx.HTTPError) -> str:
    """Return why there is no answer."""
    cause = str(error).strip() or type(error).__name__
    if isinstance(error, httpx.ConnectTimeout):
        cause = f"no answer in {CONNECT_SECONDS:.0f} seconds"
    elif isinstance(error, httpx.ReadTimeout):
        cause = f"silent for more than {PATIENCE_SECONDS:.0f} seconds"
    return cause
