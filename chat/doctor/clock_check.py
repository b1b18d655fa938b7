"""Compare this machine's clock with those of the database, the providers and the site's address."""

import time
from collections.abc import Iterator

import httpx
from django.conf import settings
from django.db import DatabaseError, connection

from chat.doctor.check_result import CheckResult, DoctorOptions
from chat.doctor.streaming.measurement import offset_of
from chat.upstream import factory

NAME = "Clock"
TIMEOUT_SECONDS = 5.0
TOLERATED_SECONDS = 2.0
#: Codes of authenticator apps are valid for this long.
HARMFUL_SECONDS = 30.0
ADVICE = "Synchronise the clock, for example with chrony or systemd-timesyncd."


def check_clock(options: DoctorOptions) -> Iterator[CheckResult]:
    """Judge by the clock that differs most."""
    offsets = options.clock_offsets | dict(_providers()) | dict(_database())
    if not offsets:
        message = "There is no other clock to compare with."
        yield CheckResult(NAME, "ok", message)
        return
    name, offset = max(offsets.items(), key=lambda each: abs(each[1]))
    facts = {"offsets_seconds": {key: round(value, 1) for key, value in offsets.items()}}
    if abs(offset) <= TOLERATED_SECONDS:
        yield CheckResult(NAME, "ok", f"It agrees with {', '.join(offsets)}.", facts=facts)
        return
    how = "behind" if offset > 0 else "ahead of"
    message = f"This machine is {abs(offset):.0f} s {how} {name}."
    if abs(offset) > HARMFUL_SECONDS:
        message += " Codes of authenticator apps and links with a time limit fail"
        message += ", and so may single sign-on." if settings.SSO_ISSUER else "."
        yield CheckResult(NAME, "problem", message, ADVICE, facts)
    else:
        yield CheckResult(NAME, "warning", message, ADVICE, facts)


def _providers() -> Iterator[tuple[str, float]]:
    """Ask providers for anything, without credentials: every answer has a date."""
    urls = {"the identity provider": settings.SSO_ISSUER}
    if not factory.uses_emulator():
        urls["the model provider"] = factory.endpoint().base_url
    for name, url in urls.items():
        if not url:
            continue
        try:
            response = httpx.head(url, timeout=TIMEOUT_SECONDS, trust_env=False)
        except httpx.HTTPError:
            continue  # reported by the checks of the model and of signing in
        offset = offset_of(response.headers.get("date", ""))
        if offset is not None:
            yield name, offset


def _database() -> Iterator[tuple[str, float]]:
    if connection.vendor != "postgresql":
        return  # it is this machine's clock
    try:
        with connection.cursor() as cursor:
            before = time.time()
            cursor.execute("SELECT extract(epoch FROM clock_timestamp())::float8")
            row = cursor.fetchone()
    except DatabaseError:
        return
    yield "the database", float(row[0]) - (before + time.time()) / 2
