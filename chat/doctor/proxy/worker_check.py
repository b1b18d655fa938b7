"""Check that all workers answer, and that the proxy asks no others."""

import time
from collections import Counter
from collections.abc import Iterator

import httpx
from django.conf import settings

from chat.doctor.check_result import CheckResult, DoctorOptions
from chat.doctor.proxy.arrival import Reply, ask
from chat.doctor.streaming import destination
from chat.doctor.streaming.destination import Destination

NAME = "Workers"
#: Proxies choose a worker by session or by turns; so many requests for each reach all of them.
REQUESTS_FOR_EACH, LEAST_REQUESTS, MOST_REQUESTS = 8, 16, 64
#: Enough is known after this.
LONGEST_SECONDS = 30.0
#: Connecting to a machine that is away costs people the time that the proxy waits for it.
SLOW_SECONDS = 2.5
#: Set by deploy/nginx.conf: the workers that it tried, the last of which answered.
TRIED = "x-doctor-workers"


def check_addresses(options: DoctorOptions) -> Iterator[CheckResult]:
    """Ask each worker of this machine, if there are several. The stream asks the first."""
    if options.process_url or settings.WORKERS == 1:
        return
    silent = [each.url for each in destination.processes() if not _answers(each)]
    if not silent:
        yield CheckResult(NAME, "ok", f"All {settings.WORKERS} workers answer.")
    elif len(silent) < settings.WORKERS:
        message = f"{len(silent)} of {settings.WORKERS} workers don't answer: {', '.join(silent)}."
        advice = "Look at the site's log. After changing WORKERS, restart `manage.py serve`."
        yield CheckResult(NAME, "problem", message, advice, {"silent": silent})


def _answers(where: Destination) -> bool:
    try:
        with where.client(httpx.Timeout(5.0)) as client:
            return client.get("/healthz").status_code < httpx.codes.INTERNAL_SERVER_ERROR
    except httpx.HTTPError:
        return False


def check_spread(there: Destination) -> Iterator[CheckResult]:
    """Ask many times through the proxy, as many different people."""
    replies: list[Reply] = []
    seconds: list[float] = []
    count = min(MOST_REQUESTS, max(LEAST_REQUESTS, REQUESTS_FOR_EACH * settings.WORKERS))
    deadline = time.monotonic() + LONGEST_SECONDS
    while len(replies) < count and time.monotonic() < deadline:
        began = time.monotonic()
        replies.append(ask(there, {"Cookie": f"sessionid=doctor-{len(replies)}"}))
        seconds.append(time.monotonic() - began)
    failed = [each for each in replies if each.arrival is None]
    slow = sum(each > SLOW_SECONDS for each in seconds)
    away = sorted({address for each in replies for address in _tried_in_vain(each)})
    seen = {each.arrival.process for each in replies if each.arrival}
    facts = {"requests": len(replies), "failed": len(failed), "slow": slow, "away": away,
             "processes": len(seen)}  # fmt: skip
    if not failed and not away and (not slow or slow == len(replies)):
        message = f"{len(replies)} requests through the proxy were answered at once."
        yield CheckResult(NAME, "ok", message, facts=facts)
        return
    addresses = ", ".join(each.url for each in destination.processes())
    advice = (
        f"Let the proxy ask only processes that run: {addresses}. In nginx, these are the `server`"
        " lines of `upstream`; in Caddy, UPSTREAMS."
    )
    yield CheckResult(NAME, "problem", _words(len(replies), failed, slow, away), advice, facts)


def _tried_in_vain(reply: Reply) -> list[str]:
    # nginx puts " : " between the servers of two groups, and a comma between those of one.
    tried = reply.headers.get(TRIED, "").replace(" : ", ",").split(",")
    return [each.strip() for each in tried][:-1]


def _words(count: int, failed: list[Reply], slow: int, away: list[str]) -> str:
    sentences = []
    if away:
        verb = "doesn't" if len(away) == 1 else "don't"
        sentences.append(f"The proxy asks {', '.join(away)}, which {verb} answer.")
    if failed:
        (words, _), *_ = Counter(each.words for each in failed).most_common(1)
        sentences.append(f"{len(failed)} of {count} requests through the proxy failed: {words}.")
    if slow:
        sentences.append(f"{slow} of {count} took more than {SLOW_SECONDS} s: it waits for one that"
                         " is away.")  # fmt: skip
    return " ".join(sentences)
