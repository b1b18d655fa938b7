"""Check that a stream survives the longest silence of an answer."""

from collections.abc import Iterator

from django.conf import settings

from chat.doctor.check_result import CheckResult, DoctorOptions
from chat.doctor.streaming import destination
from chat.doctor.streaming.measurement import measure
from chat.doctor.streaming.proxy_advice import program_of
from chat.web.ops.stream_check import silence_seconds

NAME = "Silence"


def check_silence(options: DoctorOptions) -> Iterator[CheckResult]:
    """Read the silent stream. If there is none, the check of streams says why."""
    measured = measure(destination.public(options), "silence")
    if not measured.arrivals:
        return
    url = measured.destination.url
    facts = {"seconds": round(measured.seconds, 1), "error": measured.error}
    if measured.is_whole:
        message = f"A stream that is silent for {silence_seconds():.0f} s isn't cut."
        yield CheckResult(NAME, "ok", message, facts=facts)
        return
    program, _ = program_of(measured.headers)
    who = f"The proxy at {url}" + (f" ({program})" if program else "")
    message = (
        f"{who} cuts silent streams after {measured.seconds:.0f} s. While a model thinks, answers"
        f" are silent for up to {settings.HEARTBEAT_SECONDS:g} s."
    )
    advice = (
        "Raise its time limit for reading from the site. In nginx: proxy_read_timeout 90s; If it"
        " can't be changed, set HEARTBEAT_SECONDS to less than that limit."
    )
    yield CheckResult(NAME, "problem", message, advice, facts)
