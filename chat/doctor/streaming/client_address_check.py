"""Check that the site sees the addresses of its users, and that nobody can forge them.

The request claims a forged address in `X-Forwarded-For`. The entries behind it were added by
proxies, and their number is the right TRUSTED_PROXY_COUNT.
"""

from collections.abc import Iterator

from django.conf import settings

from chat.doctor.check_result import CheckResult
from chat.doctor.streaming.measurement import FORGED_ADDRESS, Measurement

NAME = "Client addresses"
REWRITTEN = "0"  # the port that uvicorn reports after it has replaced the peer by a header


def check_client_address(measured: Measurement) -> Iterator[CheckResult]:
    """Judge a successful measurement through the site's address."""
    first = measured.first
    if first is None:
        return
    if measured.destination.is_secure and not first.is_secure:
        yield _insecure(first.forwarded_proto)
    if first.peer_port == REWRITTEN:
        message = "The server replaces client addresses itself, before the site can count proxies."
        yield CheckResult(NAME, "problem", message, "Start uvicorn with --no-proxy-headers.")
        return
    yield _judge(measured, _added_by_proxies(first.forwarded_for), first.client)


def _added_by_proxies(forwarded_for: str) -> list[str]:
    """Return the entries that were not in the request."""
    entries = [each.strip() for each in forwarded_for.split(",") if each.strip()]
    return entries[1:] if entries[:1] == [FORGED_ADDRESS] else entries


def _judge(measured: Measurement, added: list[str], client: str) -> CheckResult:
    count, proxies = settings.TRUSTED_PROXY_COUNT, len(added)
    facts = {"trusted_proxy_count": count, "proxies": proxies, "client": client}
    if not added and not measured.is_direct:
        message = (
            "What is in front of the site doesn't add the client's address to X-Forwarded-For."
        )
        advice = (
            "Let it do so. In nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for"
        )
        return CheckResult(NAME, "problem", message, advice, facts)
    if count == proxies:
        how = "There is no proxy" if not proxies else f"Proxies: {proxies}"
        message = f"{how}; the site saw this request come from {client}."
        return CheckResult(NAME, "ok", message, facts=facts)
    advice = f"Set TRUSTED_PROXY_COUNT={proxies}."
    if count > proxies:
        message = (
            f"Anybody can forge their address: TRUSTED_PROXY_COUNT is {count}, proxies: {proxies}."
        )
        return CheckResult(NAME, "problem", message, advice, facts)
    message = (
        f"All people seem to come from {client}: TRUSTED_PROXY_COUNT is {count},"
        f" proxies: {proxies}. They share one limit for sign-ins and requests."
    )
    return CheckResult(NAME, "problem", message, advice, facts)


def _insecure(forwarded_proto: str) -> CheckResult:
    message = "The site doesn't know that people use HTTPS, and redirects without end"
    sent = f"is {forwarded_proto!r}" if forwarded_proto else "is missing"
    message += f": X-Forwarded-Proto {sent}."
    advice = "Let the proxy set X-Forwarded-Proto. In nginx: proxy_set_header X-Forwarded-Proto"
    advice += " $scheme; or, behind another proxy that ends TLS, https instead of $scheme."
    if not settings.TRUSTED_PROXY_COUNT:
        message = f"{message[:-1]}, and TRUSTED_PROXY_COUNT is 0."
        advice = f"Set TRUSTED_PROXY_COUNT to the number of your proxies, such as 1. {advice}"
    return CheckResult(NAME, "problem", message, advice, {"forwarded_proto": forwarded_proto})
