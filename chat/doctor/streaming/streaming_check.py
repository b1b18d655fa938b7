"""Check that answers stream through the site's own address, and name what holds them back."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from chat.doctor.check_result import CheckResult, DoctorOptions
from chat.doctor.streaming import destination
from chat.doctor.streaming.client_address_check import check_client_address
from chat.doctor.streaming.measurement import Measurement, measure
from chat.doctor.streaming.pace import Flow, Pace, pace_of
from chat.doctor.streaming.proxy_advice import program_of
from chat.doctor.streaming.socket_check import check_socket

PROCESS = "Process"
ADDRESS = "Streaming"
CERTIFICATE = "Certificate"
#: The `Date` of a response that took longer says little about clocks.
PROMPT_SECONDS = 1.0
RENEW_BEFORE = timedelta(days=14)
NOT_FOUND = 404
REDIRECTS = range(300, 400)

LOGS = "Look at the logs of the proxy and of the site."
BUSY = "Another run of this command may be under way. Otherwise look at the logs."
#: What somebody in front of the site means by it.
OF_PROXIES = {
    400: "Compare http:// and https:// in the address with what the proxy expects. " + LOGS,
    401: "The proxy asks for a password of its own (in nginx: auth_basic). Remove it: browsers and"
    " programs send it in Authorization, which API keys need. To admit only some people, set"
    " SIGN_UP=invitation.",
    403: "A rule of the proxy or a firewall refuses /streamz. Allow it.",
    405: "The proxy allows only some methods. Allow GET and POST for every path.",
    429: "The proxy limits requests. Raise its limit: a page sends about fifty at once.",
}
UNREACHED = frozenset({502, 504, 521, 522, 523})


def check_streaming(options: DoctorOptions) -> Iterator[CheckResult]:
    """Stream from a process itself, then through the address that people use, and compare."""
    here, there = destination.process(options), destination.public(options)
    direct = measure(here)
    missing = _unusable(direct, is_process=True)
    if not missing:
        yield _steady_or_busy(direct)
    through = direct if there.url == here.url and not missing else measure(there)
    problem = _unusable(through, is_process=False)
    if missing:
        yield missing if problem or direct.status else _not_compared(missing)
    if problem:
        yield problem
        return
    if through.clock_offset_seconds is not None and through.headers_seconds < PROMPT_SECONDS:
        options.clock_offsets[there.url] = through.clock_offset_seconds
    yield _compared(through, None if direct.error or not direct.arrivals else direct)
    yield from check_socket(there)
    yield from check_client_address(through)
    yield from _certificate(through)


def _unusable(measured: Measurement, is_process: bool) -> CheckResult | None:
    """Return why the stream could not be read whole; None if it was."""
    url, name = measured.destination.url, PROCESS if is_process else ADDRESS
    facts = {"url": url, "status": measured.status}
    program, _ = program_of(measured.headers)
    if not measured.status:
        advice = "Start the site. If a process listens elsewhere, name its address: --process-url"
        if not is_process:
            advice = "Look at DNS, the firewall, the proxy and its certificate, and at SITE_URL."
        return CheckResult(
            name, "problem", f"{url} can't be reached: {measured.error}", advice, facts
        )
    if measured.status == NOT_FOUND:
        advice = (
            "Run this command with the same SECRET_KEY and DATA_DIR as the site, and let the proxy"
            " pass on /streamz with the header Authorization."
        )
        message = f"{url} doesn't know this command's key, or is another site."
        return CheckResult(name, "problem", message, advice, facts)
    if measured.status in REDIRECTS:
        target = measured.headers.get("location", "").partition("?")[0]
        message = f"{url} redirects to {target}."
        return CheckResult(name, "problem", message, "Correct SITE_URL, or the redirect.", facts)
    if measured.status != 200:
        who = f" ({program})" if program else ""
        advice = advice_on(measured.status, is_process)
        message = f"{url} answers with status {measured.status}{who}."
        return CheckResult(name, "problem", message, advice, facts)
    if measured.is_whole and measured.arrivals:
        return None
    who = f"{program} at {url}" if program else url
    ended = f"after {measured.arrivals[-1][1]:.1f} s" if measured.arrivals else "at its start"
    advice = "Raise the time limits of the proxy: a stream may take as long as an answer."
    message = f"{who} ended the stream {ended}: {measured.error or 'its end is missing'}"
    return CheckResult(name, "problem", message, advice, facts)


def _not_compared(missing: CheckResult) -> CheckResult:
    """Return a warning: the site runs, but its process was not found."""
    advice = "To compare it with the proxy, name the address of a process: --process-url"
    return replace(missing, status="warning", advice=advice)


def _steady_or_busy(direct: Measurement) -> CheckResult:
    pace = pace_of(direct.arrivals)
    facts = _facts(direct, pace)
    if pace.flow is Flow.STEADY:
        return CheckResult(
            PROCESS, "ok", f"{direct.destination.url} streams: {_figures(pace)}.", facts=facts
        )
    message = f"{direct.destination.url} sends late, without a proxy: {_figures(pace)}."
    advice = "The machine or the process is overloaded, or this isn't the process but a proxy."
    return CheckResult(PROCESS, "problem", message, advice, facts)


def _compared(through: Measurement, direct: Measurement | None) -> CheckResult:
    pace = pace_of(through.arrivals)
    facts = _facts(through, pace)
    url = through.destination.url
    program, advice = program_of(through.headers)
    if pace.flow is Flow.STEADY:
        program = f" through {program}" if program else ""
        program = " without a proxy" if through.is_direct else program
        usual = pace_of(direct.arrivals).first_seconds if direct else pace.first_seconds
        later = round(1000 * (pace.first_seconds - usual))
        more = f", {later} ms later than from the process" if later > 0 else ""
        message = f"{url} streams{program}: {_figures(pace)}{more}."
        if through.content_encoding != "identity":
            message += f" It compresses streams ({through.content_encoding}), without delay."
        return CheckResult(ADDRESS, "ok", message, facts=facts)
    culprit = f"The proxy at {url}" + (f" ({program})" if program else "")
    if through.is_direct:
        culprit, advice = f"The process at {url}", "The machine or the process is overloaded."
    elif through.content_encoding != "identity":
        culprit += f", which compresses streams ({through.content_encoding}),"
    if pace.flow is Flow.AT_ONCE:
        how = f"buffers: all events arrived at once, after {pace.first_seconds:.1f} s"
    else:
        how = f"buffers: events arrived in bursts, up to {pace.held_seconds:.1f} s late"
    if direct and pace_of(direct.arrivals).flow is not Flow.STEADY:
        advice = "First mend the process itself, see above."
    return CheckResult(ADDRESS, "problem", f"{culprit} {how}.", advice, facts)


def _figures(pace: Pace) -> str:
    first, gap = 1000 * pace.first_seconds, 1000 * pace.longest_gap_seconds
    return f"first event after {first:.0f} ms, longest gap {gap:.0f} ms"


def _facts(measured: Measurement, pace: Pace) -> dict[str, object]:
    return {
        "url": measured.destination.url,
        "headers_seconds": round(measured.headers_seconds, 3),
        "first_event_seconds": round(pace.first_seconds, 3),
        "longest_gap_seconds": round(pace.longest_gap_seconds, 3),
        "held_seconds": round(pace.held_seconds, 3),
        "flow": pace.flow.name.lower(),
        "server": measured.headers.get("server", ""),
        "content_encoding": measured.content_encoding,
    }


def _certificate(measured: Measurement) -> Iterator[CheckResult]:
    if measured.certificate_ends is None:
        return
    left = measured.certificate_ends - datetime.now(UTC)
    message = f"The certificate is valid for {left.days} more days."
    if left < RENEW_BEFORE:
        yield CheckResult(
            CERTIFICATE, "warning", message, "Renew it, and look why it wasn't renewed."
        )
    else:
        yield CheckResult(CERTIFICATE, "ok", message, facts={"days": left.days})


def advice_on(status: int, is_process: bool) -> str:
    """Say what to do about a status that the site itself doesn't send to the command."""
    if status == 503:
        return BUSY
    if status in UNREACHED and not is_process:
        addresses = ", ".join(each.url for each in destination.processes())
        return (
            f"The proxy doesn't reach the site, which listens on {addresses}. Compare these with"
            " the proxy's: in nginx, the `server` lines of `upstream`; in Caddy, UPSTREAMS."
        )
    return LOGS if is_process else OF_PROXIES.get(status, LOGS)
