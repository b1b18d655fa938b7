"""Find what a proxy adds to responses, changes in them, or answers from a cache."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import httpx
from django.conf import settings
from django.urls import reverse

from chat.doctor.check_result import CheckResult, DoctorOptions, Status
from chat.doctor.proxy.arrival import TIMEOUT
from chat.doctor.streaming import destination
from chat.doctor.streaming.destination import Destination

NAME = "Proxy"
NONCE = re.compile(r"'nonce-([^']+)'")
#: What does not work if one of these is changed.
EFFECTS = {
    "Referrer-Policy": "browsers hide where forms come from, so older ones can't sign in",
    "Content-Security-Policy": "parts of pages don't load",
    "X-Frame-Options": "other websites can't show the chat",
    "Cross-Origin-Opener-Policy": "windows of the sign-in may not close",
    "Cross-Origin-Resource-Policy": "other websites can't load the chat",
    "Access-Control-Allow-Origin": "other websites can't load the chat",
    "Content-Type": "browsers may not run what they load",
    "Cache-Control": "people may get pages that are old, or not theirs",
    "Permissions-Policy": "browsers may forbid what a page uses",
    "X-Content-Type-Options": "browsers guess types",
}
#: Without these, the page works as well.
HARMLESS = frozenset({"Permissions-Policy", "X-Content-Type-Options"})
LONGEST = 120


@dataclass(frozen=True, slots=True)
class _Page:
    status: int
    headers: httpx.Headers
    nonce: str

    def value(self, name: str) -> str:
        return NONCE.sub("'nonce'", self.headers.get(name, ""))


def check_responses(there: Destination, options: DoctorOptions) -> Iterator[CheckResult]:
    """Compare responses through the proxy with those of a process."""
    here = destination.process(options)
    sign_in, loader = reverse(settings.LOGIN_URL), reverse("loader")
    for path in (sign_in, loader):
        own, got = _get(here, path, is_direct=True), _get(there, path)
        if got and own and (own.status, got.status) == (200, 200):
            yield from _changed(path, own, got)
            if path == sign_in:
                yield from _cookies(path, own, got)
        elif got and got.status == 200 and path == sign_in:
            yield from _referrer(path, got)
        again = _get(there, path) if path == sign_in else None
        if got and again and got.nonce and got.nonce == again.nonce:
            message = f"The proxy answers {path} from a cache: people would get others' pages."
            advice = "Let it cache only what Cache-Control allows. In nginx: proxy_cache off;"
            yield CheckResult(NAME, "problem", message, advice, {"path": path})


def _get(where: Destination, path: str, is_direct: bool = False) -> _Page | None:
    headers = {"Accept": "text/html"}
    if is_direct and settings.SECURE:  # else it would redirect
        headers |= {"X-Forwarded-Proto": "https", "X-Forwarded-For": "127.0.0.1"}
    try:
        with where.client(TIMEOUT) as client:
            response = client.get(path, headers=headers)
    except httpx.HTTPError:
        return None
    nonce = NONCE.search(response.headers.get("Content-Security-Policy", ""))
    return _Page(response.status_code, response.headers, nonce[1] if nonce else "")


def _changed(path: str, own: _Page, got: _Page) -> Iterator[CheckResult]:
    for name, effect in EFFECTS.items():
        before, after = own.value(name), got.value(name)
        if before != after:
            yield _result(path, name, _words(before, after), effect)


def _words(before: str, after: str) -> str:
    if not after:
        return "removes"
    added = after.removeprefix(f"{before}, ") if before else after
    if added != after or not before:
        return f"adds {_short(added)!r} to"
    return f"writes {_short(after)!r} instead of {_short(before)!r} to"


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _result(path: str, name: str, words: str, effect: str) -> CheckResult:
    where = f"from {path}" if words == "removes" else f"of {path}"
    message = f"The proxy {words} the header {name} {where}: {effect}."
    advice = (
        f"Leave {name} to the site. In nginx, remove the `add_header {name} …` or"
        f" `proxy_hide_header {name}` line."
    )
    status: Status = "warning" if name in HARMLESS else "problem"
    return CheckResult(NAME, status, message, advice, {"header": name, "path": path})


def _referrer(path: str, got: _Page) -> Iterator[CheckResult]:
    """Judge the header that matters most, without a process to compare with."""
    name, own = "Referrer-Policy", settings.SECURE_REFERRER_POLICY
    if got.value(name) != own:
        yield _result(path, name, _words(own, got.value(name)), EFFECTS[name])


def _cookies(path: str, own: _Page, got: _Page) -> Iterator[CheckResult]:
    if "Set-Cookie" in own.headers and "Set-Cookie" not in got.headers:
        message = f"The proxy drops the cookies of {path}: nobody can sign in."
        advice = "In nginx, remove `proxy_hide_header Set-Cookie` and `proxy_ignore_headers`."
        yield CheckResult(NAME, "problem", message, advice, {"path": path})
