"""Collect Prometheus metrics of this process.

Labels have few values and never identify a person: names of routes, error codes, states. Values
that are only known when metrics are requested (running answers, open streams) are set by
chat/web/ops/metrics_view.py.
"""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.process_collector import ProcessCollector

registry = CollectorRegistry()
ProcessCollector(registry=registry)

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3, 6, 12, 30, 60)
FLUSH_SECONDS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)

running = Gauge("runnel_generations_running", "Answers being written.", registry=registry)
streams = Gauge("runnel_streams_open", "Streams being read.", registry=registry)
lag = Gauge("runnel_event_loop_lag_seconds", "How late the event loop is.", registry=registry)
draining = Gauge("runnel_draining", "1 while the process leaves.", registry=registry)

_answers = Counter("runnel_answers", "Answers by how they ended.", ["state"], registry=registry)
_tokens = Counter("runnel_tokens", "As the model's side counts.", ["kind"], registry=registry)
_first_token = Histogram(
    "runnel_first_token_seconds",
    "From a send to the first word.",
    buckets=SECONDS,
    registry=registry,
)
_errors = Counter(
    "runnel_errors",
    "Errors by code: answered to a request, or said in an answer.",
    ["code", "place"],
    registry=registry,
)
_shed = Counter("runnel_shed", "Requests turned away, by reason.", ["reason"], registry=registry)
_refused = Counter("runnel_refused", "Sends over a quota.", ["measure"], registry=registry)
_requests = Counter(
    "runnel_http_requests",
    "Requests by the name of their route.",
    ["route", "status"],
    registry=registry,
)
_flush = Histogram(
    "runnel_flush_seconds",
    "Writing all running answers once.",
    buckets=FLUSH_SECONDS,
    registry=registry,
)


def record_answer(
    state: str, prompt_tokens: int, completion_tokens: int, first_token_seconds: float | None
) -> None:
    """Count an answer that has ended."""
    _answers.labels(state).inc()
    _tokens.labels("prompt").inc(prompt_tokens)
    _tokens.labels("completion").inc(completion_tokens)
    if first_token_seconds is not None:
        _first_token.observe(first_token_seconds)


def record_error(code: str, place: str) -> None:
    """Count an error. `place` is `request` or `answer`."""
    _errors.labels(code, place).inc()


def record_shed(reason: str) -> None:
    """Count a request that was refused to protect the site."""
    _shed.labels(reason).inc()


def record_quota_refusal(measure: str) -> None:
    """Count a send that exceeded a quota."""
    _refused.labels(measure).inc()


def record_request(route: str, status: int) -> None:
    """Count a request whose response has started."""
    _requests.labels(route, f"{status // 100}xx").inc()


def record_flush(seconds: float) -> None:
    """Record how long a flush of all running answers took."""
    _flush.observe(seconds)


def render() -> bytes:
    """Return all metrics in Prometheus' text format."""
    return generate_latest(registry)
