"""Check what the proxy changes: the host, headers of requests and responses, uploads, workers."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from django.conf import settings

from chat.doctor.check_result import CheckResult, DoctorOptions
from chat.doctor.proxy.arrival import Arrival, Reply, ask
from chat.doctor.proxy.changed_responses import check_responses
from chat.doctor.proxy.upload_check import check_uploads
from chat.doctor.proxy.worker_check import check_addresses, check_spread
from chat.doctor.streaming import destination
from chat.doctor.streaming.proxy_advice import program_of

NAME = "Proxy"
#: Sent as it is, and expected as it is. `Authorization` is only present or not.
SENT = {
    "Accept-Language": "de",
    "Cookie": "doctor=1",
    "HX-Request": "true",
    "Last-Event-ID": "7",
    "Sec-Fetch-Site": "same-origin",
    "X-CSRFToken": "doctor",
}
#: What doesn't work without a header.
EFFECTS = {
    "Accept-Language": "pages are not in the visitor's language",
    "Authorization": "API keys are refused, and so are visitors of websites",
    "Cookie": "nobody can sign in",
    "HX-Request": "parts of pages show whole pages",
    "Last-Event-ID": "a page whose connection was cut can't read the rest of an answer",
    "Origin": "notifications and the chat on other websites are refused",
    "Sec-Fetch-Site": "some requests of the site's own pages are refused",
    "X-CSRFToken": "forms of pages are refused",
}


def check_proxy(options: DoctorOptions) -> Iterator[CheckResult]:
    """Ask through the address that people use. The check of streams says if it can't be used."""
    yield from check_addresses(options)
    there = destination.public(options)
    sent = {**SENT, "Origin": settings.SITE_URL}
    reply = ask(there, sent)
    if reply.arrival is None:
        return
    if reply.is_direct:
        yield CheckResult(NAME, "ok", f"There is none in front of {there.url}.")
        return
    results = [*_host(reply.arrival), *_scheme(reply.arrival), *_headers(reply.arrival, sent)]
    results += check_responses(there, options)
    yield from results or [_unchanged(there.url, reply)]
    yield from check_uploads(there)
    yield from check_spread(there)


def _unchanged(url: str, reply: Reply) -> CheckResult:
    program = program_of(reply.headers)[0] or "The proxy"
    return CheckResult(NAME, "ok", f"{program} at {url} passes on the headers that the site needs.")


def _host(arrival: Arrival) -> Iterator[CheckResult]:
    expected = urlsplit(settings.SITE_URL).hostname or ""
    got = urlsplit(f"//{arrival.host}").hostname or ""
    if got == expected:
        return
    message = (
        f"The proxy sends the host {arrival.host!r} to the site, but people use {expected}:"
        " pages answer with status 400, or forms and redirects fail."
    )
    advice = (
        "Let it pass on the host. In nginx: proxy_set_header Host $host; (also in each location"
        " that has proxy_set_header lines of its own). If people use another name than SITE_URL"
        " has, correct SITE_URL, or add the name to ALLOWED_HOSTS."
    )
    yield CheckResult(NAME, "problem", message, advice, {"host": arrival.host})


def _scheme(arrival: Arrival) -> Iterator[CheckResult]:
    """Name the one mix that the check of client addresses can't see: HTTPS in front of http://."""
    if settings.SITE_URL.startswith("https://"):
        return
    first = arrival.forwarded_proto.partition(",")[0].strip()
    if first == "https":
        address = settings.SITE_URL.replace("http://", "https://", 1)
        message = f"People use HTTPS, but SITE_URL is {settings.SITE_URL}: forms are refused."
        advice = f"Set SITE_URL={address} and TRUSTED_PROXY_COUNT."
        yield CheckResult(NAME, "problem", message, advice, {"forwarded_proto": first})


def _headers(arrival: Arrival, sent: dict[str, str]) -> Iterator[CheckResult]:
    expected = {**sent, "Authorization": "yes"}
    for name, value in expected.items():
        got = arrival.headers.get(name, "")
        if name == "Cookie":  # a proxy may add its own
            got = value if value in got else ""
        if got == value:
            continue
        how = "changes" if got else "drops"
        message = f"The proxy {how} the header {name}: {EFFECTS[name]}."
        advice = (
            f"Let it pass on {name}. In nginx, remove a `proxy_set_header {name} …` line, or"
            f" write: proxy_set_header {name} $http_{name.lower().replace('-', '_')};"
        )
        yield CheckResult(NAME, "problem", message, advice, {"header": name})
