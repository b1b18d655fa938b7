"""Ask the site how a request arrived, through the proxy or without it."""

from dataclasses import dataclass, field

import httpx
import msgspec

from chat.doctor.streaming.destination import Destination
from chat.doctor.streaming.measurement import CONNECT_SECONDS, PATH, words_for
from chat.web.ops import stream_check

TIMEOUT = httpx.Timeout(30.0, connect=CONNECT_SECONDS)


class Arrival(msgspec.Struct):
    """What the site says of a request; `process` is the one that answered."""

    peer: str
    peer_port: str
    forwarded_proto: str
    is_secure: bool
    host: str
    headers: dict[str, str]
    process: str
    body_bytes: int = 0


@dataclass(slots=True)
class Reply:
    """A response, or the reason why there is none. `arrival` is None if the site didn't answer."""

    status: int = 0
    error: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    arrival: Arrival | None = None
    is_direct: bool = False

    @property
    def words(self) -> str:
        return f"status {self.status}" if self.status else self.error


def ask(
    destination: Destination, headers: dict[str, str] | None = None, body: bytes | None = None
) -> Reply:
    """Send one request on a connection of its own, with `body` as POST."""
    reply, token = Reply(), stream_check.make_token()
    usual = {
        "Authorization": f"Bearer {token}",
        stream_check.SECOND_HEADER: token,
        "Accept": "application/json",
    }
    try:
        with (
            destination.client(TIMEOUT) as client,
            client.stream(
                "GET" if body is None else "POST",
                PATH,
                params={"check": "arrival"},
                headers=usual | (headers or {}),
                content=body,
            ) as response,
        ):
            own = response.extensions["network_stream"].get_extra_info("client_addr")
            reply.status, text = response.status_code, response.read()
            reply.headers = {name.lower(): value for name, value in response.headers.items()}
    except httpx.HTTPError as error:
        reply.error = words_for(error)
        return reply
    if reply.status == httpx.codes.OK:
        reply.arrival = _read(text)
    if reply.arrival and isinstance(own, tuple):
        reply.is_direct = (reply.arrival.peer, reply.arrival.peer_port) == (own[0], str(own[1]))
    return reply


def _read(text: bytes) -> Arrival | None:
    try:
        return msgspec.json.decode(text, type=Arrival)
    except msgspec.DecodeError:
        return None
