"""Collect Prometheus metrics of this process.

Labels have few values and never identify a person: names of routes, error codes, states. Values
that are only known when metrics are requested (running answers, open streams) are set by
chat/web/ops/metrics.py.
"""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.process_collector import ProcessCollector

registry = CollectorRegistry()
ProcessCollector(registry=registry)

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3, 6, 12, 30, 60)
FLUSH_SECONDS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)

running = Gauge("runnel_generations_running", "Answers being generated.", registry=registry)
streams = Gauge("runnel_streams_open", "Open streams.", registry=registry)
lag = Gauge("runnel_event_loop_lag_seconds", "Event loop lag in seconds.", registry=registry)
housekeeping_failing = Gauge(
    "runnel_housekeeping_failing",
    "Objects and tasks of the housekeeping that failed when last tried.",
    registry=registry,
)
draining = Gauge("runnel_draining", "1 if the process is shutting down.", registry=registry)

_answers = Counter("runnel_answers", "Ended answers by final state.", ["state"], registry=registry)
_tokens = Counter("runnel_tokens", "Tokens reported by the provider.", ["kind"], registry=registry)
_first_token = Histogram(
    "runnel_time_to_first_token_seconds",
    "Time from sending a question to the first token, in seconds.",
    buckets=SECONDS,
    registry=registry,
)
_errors = Counter(
    "runnel_errors",
    "Errors by code, in the response to a request or inside an answer.",
    ["code", "source"],
    registry=registry,
)
_shed = Counter(
    "runnel_requests_shed",
    "Requests rejected to protect the server, by reason.",
    ["reason"],
    registry=registry,
)
_quota_refusals = Counter(
    "runnel_quota_refusals", "Messages rejected by a limit.", ["quota"], registry=registry
)
_requests = Counter(
    "runnel_http_requests",
    "HTTP requests by route name and status class.",
    ["route", "status"],
    registry=registry,
)
_database_errors = Counter(
    "runnel_database_errors",
    "Operations that failed because the database was unavailable, by cause.",
    ["cause"],
    registry=registry,
)
_redis_failures = Counter(
    "runnel_redis_failures",
    "Times that Redis was found away, and the database used instead.",
    registry=registry,
)
_housekeeping_failures = Counter(
    "runnel_housekeeping_failures",
    "Objects and tasks of the housekeeping that failed, by task.",
    ["task"],
    registry=registry,
)
_rendered_pages = Counter(
    "runnel_rendered_pages",
    "Pages of websites for Cloudflare's browser to build, by result.",
    ["result"],
    registry=registry,
)
_flush = Histogram(
    "runnel_log_flush_duration_seconds",
    "Time to write all running answers to the database once, in seconds.",
    buckets=FLUSH_SECONDS,
    registry=registry,
)

#: Labels that alerts watch begin at 0: Prometheus sees no increase in the first value of a series.
STATES = ("complete", "stopped", "interrupted", "failed")
DATABASE_CAUSES = ("unreachable", "busy", "full", "read_only")
OVERLOADS = ("running_answers", "open_streams", "event_loop_lag", "flush_delay", "disk", "sign_in")
for _counter, _values in (
    (_answers, STATES),
    (_database_errors, DATABASE_CAUSES),
    (_shed, OVERLOADS),
):
    for _value in _values:
        _counter.labels(_value)


def record_answer(
    state: str, prompt_tokens: int, completion_tokens: int, first_token_seconds: float | None
) -> None:
    """Count an answer that has ended."""
    _answers.labels(state).inc()
    _tokens.labels("prompt").inc(prompt_tokens)
    _tokens.labels("completion").inc(completion_tokens)
    if first_token_seconds is not None:
        _first_token.observe(first_token_seconds)


def record_error(code: str, source: str) -> None:
    """Count an error. `source` is `request` or `answer`."""
    _errors.labels(code, source).inc()


def record_shed(reason: str) -> None:
    """Count a request that was refused to protect the site."""
    _shed.labels(reason).inc()


def record_quota_refusal(quota: str) -> None:
    """Count a message that exceeded a quota."""
    _quota_refusals.labels(quota).inc()


def record_request(route: str, status: int) -> None:
    """Count a request whose response has started."""
    _requests.labels(route, f"{status // 100}xx").inc()


def record_rendered_page(result: str) -> None:
    """Count a page that Cloudflare's browser was asked for. `result` is `rendered` or `failed`."""
    _rendered_pages.labels(result).inc()


def record_flush(seconds: float) -> None:
    """Record how long a flush of all running answers took."""
    _flush.observe(seconds)


def record_database_error(cause: str) -> None:
    """Count an operation that failed because the database was unavailable."""
    _database_errors.labels(cause).inc()


def record_housekeeping_failure(task: str) -> None:
    """Count an object that could not be deleted, or another task of the housekeeping that failed.

    `task` is the name of a table or a function.
    """
    _housekeeping_failures.labels(task).inc()


def record_redis_failure() -> None:
    """Count that Redis was found away."""
    _redis_failures.inc()


def refused_by_reason() -> dict[str, int]:
    """Return how many requests this process has refused, by the reason given to `record_shed`."""
    samples = (sample for metric in _shed.collect() for sample in metric.samples)
    return {
        sample.labels["reason"]: int(sample.value)
        for sample in samples
        if sample.name.endswith("_total") and sample.value
    }


def render() -> bytes:
    """Return all metrics in Prometheus' text format."""
    return generate_latest(registry)
