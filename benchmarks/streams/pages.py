"""What pages cost: CPU of the server for each, and bytes as they are and as they are sent."""

import http.client
from dataclasses import dataclass

from benchmarks.streams.programs import signed_in
from benchmarks.streams.site import WORD, Site
from benchmarks.streams.targets import Target
from benchmarks.streams.usage import cpu_seconds

CPU, SIZE, SENT = "CPU ms", "bytes", "bytes as sent"
PAGES = {
    "/healthz": "/healthz",
    "login": "/accounts/login/",
    "/chat/, 50 chats in the list": "/chat/",
    "search": f"/chat/search/?q={WORD}",
    "review list": "/review/",
}
WARM_UP = 2


@dataclass(frozen=True, slots=True)
class PageCost:
    cpu_ms: float
    size: int
    sent: int


def costs(site: Site, gets: int) -> dict[str, PageCost]:
    """Of each page; those that ask for a sign-in are asked as rita."""
    pids = [site.server.pid, *filter(None, [site.database_pid])]
    found = {}
    for name, path in PAGES.items():
        headers = {} if name in {"/healthz", "login"} else signed_in(site.rita)
        found[name] = _cost(site.server.port, pids, path, headers, gets)
    return found


def bare(stock: Target, gets: int) -> PageCost:
    """A stock view that says `ok`: the unit of all pages."""
    return _cost(stock.port, [stock.pid], "/healthz", {}, gets)


def _cost(port: int, pids: list[int], path: str, headers: dict[str, str], gets: int) -> PageCost:
    page = {"Accept": "text/html", **headers}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        size = len(_get(connection, path, page))
        zipped = page | {"Accept-Encoding": "gzip"}
        for _ in range(WARM_UP):
            sent = len(_get(connection, path, zipped))
        before = cpu_seconds(pids)
        for _ in range(gets):
            _get(connection, path, zipped)
        cpu = (cpu_seconds(pids) - before) * 1e3 / gets
    finally:
        connection.close()
    return PageCost(cpu, size, sent)


def _get(connection: http.client.HTTPConnection, path: str, headers: dict[str, str]) -> bytes:
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    assert answer.status == 200, (path, answer.status, body[:300])
    return body
