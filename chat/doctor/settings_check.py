"""Explain what Django's deployment check finds, in terms of the site's own settings."""

from collections.abc import Iterator
from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.core import checks

from chat.doctor.check_result import CheckResult, DoctorOptions, Status

NAME = "Settings"
#: All of these follow from a SITE_URL without HTTPS.
WITHOUT_HTTPS = frozenset({"security.W004", "security.W008", "security.W012", "security.W016"})
ADVICE = {
    "security.W009": "Set SECRET_KEY to at least 50 random characters, or remove it: the site then"
    " creates one in DATA_DIR.",
    "security.W018": "Remove DEBUG. It shows code, settings and data to anybody who causes an"
    " error.",
    "security.W020": "Set SITE_URL to the public address of the site.",
    "security.W025": "Remove short keys from SECRET_KEY_FALLBACKS.",
}


def check_settings(_options: DoctorOptions) -> Iterator[CheckResult]:
    messages = [
        each
        for each in checks.run_checks(include_deployment_checks=True)
        if not each.is_silenced() and each.level >= checks.WARNING
    ]
    for each in messages:
        if each.id not in WITHOUT_HTTPS:
            advice = ADVICE.get(each.id or "") or str(each.hint or "")
            status: Status = "warning" if each.level < checks.ERROR else "problem"
            if each.id in ADVICE:
                status = "problem"
            yield CheckResult(NAME, status, f"{_sentence(each.msg)} ({each.id})", advice)
    yield _transport()


def _transport() -> CheckResult:
    """Judge the scheme of SITE_URL, on which cookies, HSTS and redirects depend."""
    facts = {"site_url": settings.SITE_URL}
    if settings.SITE_URL.startswith("https://"):
        return CheckResult(NAME, "ok", f"The site is {settings.SITE_URL}, with HTTPS.", facts=facts)
    if _is_local(urlsplit(settings.SITE_URL).hostname or ""):
        message = f"The site is {settings.SITE_URL}: only this machine can use it."
        advice = "For other people, set SITE_URL to an https:// address, behind a proxy with TLS."
        return CheckResult(NAME, "warning", message, advice, facts)
    message = f"SITE_URL is {settings.SITE_URL}: passwords and chats are sent without encryption."
    advice = "Put a proxy with TLS in front, and set SITE_URL to its https:// address."
    return CheckResult(NAME, "problem", message, advice, facts)


def _is_local(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _sentence(text: object) -> str:
    """Return the first sentence: the rest of Django's explanations names settings of its own."""
    return str(text).partition(". ")[0].rstrip(".")
