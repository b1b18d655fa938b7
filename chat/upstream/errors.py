"""Map the provider's errors, in four envelopes with many codes, to our own exceptions.

Known phrases of the message are checked first, then the code, then the HTTP status. Two kinds of
429 must not be confused: the daily allocation is spent (4006, documented as 3036: nothing helps
before 00:00 UTC), and no capacity right now (3040: retry, or use another model).
"""

import re
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from msgspec import Raw

from chat.errors import (
    AllocationExhausted,
    BadImageData,
    ContentFiltered,
    ContextTooLong,
    CreditExhausted,
    ErrorReader,
    ModelRemoved,
    NotConfigured,
    OutOfCapacity,
    UpstreamBusy,
    UpstreamDisconnected,
    UpstreamError,
    UpstreamRateLimited,
    UpstreamRejected,
    UpstreamReportedTimeout,
)
from chat.upstream.chunks import MAX_VALUE_BYTES, Chunk, value_of, word_of

MAX_MESSAGE_CHARS = 2000
FALSE, ERROR = Raw(b"false"), Raw(b'"error"')
BY_CODE: dict[str, type[UpstreamError]] = {
    **dict.fromkeys(("3036", "4006"), AllocationExhausted),
    **dict.fromkeys(("insufficient_quota", "2021"), CreditExhausted),
    **dict.fromkeys(
        (
            "2016",
            "2017",
            "content_filter",
            "content_policy_violation",
            "data_inspection_failed",  # Alibaba
            "1301",  # Z.ai
        ),
        ContentFiltered,
    ),
    **dict.fromkeys(("3040", "insufficient_system_resource"), OutOfCapacity),
    **dict.fromkeys(("2003", "rate_limit_exceeded"), UpstreamRateLimited),
    **dict.fromkeys(("5007", "3042", "7000", "5035", "model_not_found"), ModelRemoved),
    **dict.fromkeys(
        ("10000", "9106", "9109", "6003", "6111", "7003", "5016", "5018", "3041", "3023"),
        NotConfigured,
    ),
    **dict.fromkeys(("2001", "2009"), NotConfigured),
    **dict.fromkeys(("5021", "3030", "3006", "context_length_exceeded"), ContextTooLong),
    **dict.fromkeys(("8006",), BadImageData),
    **dict.fromkeys(("3007", "3046"), UpstreamReportedTimeout),
    **dict.fromkeys(("3008",), UpstreamDisconnected),
    **dict.fromkeys(("7013",), UpstreamBusy),
}
BY_WORDS: tuple[tuple[str, type[UpstreamError]], ...] = (
    ("daily free allocation", AllocationExhausted),
    ("capacity temporarily exceeded", OutOfCapacity),
    ("no more data centers", OutOfCapacity),
    ("maximum context length", ContextTooLong),
    ("context window limit", ContextTooLong),
    ("max context reached", ContextTooLong),
    ("request timeout", UpstreamReportedTimeout),
    ("byok_only", NotConfigured),
    ("content management policy", ContentFiltered),
)
PUBLIC_BY_CODE: dict[str, str | Promise] = {
    "5016": _(
        "The license of this model hasn't been accepted yet. Contact the site administrator."
    ),
    "5035": _(
        "This model needs a paid plan or prepaid credit with the model provider."
        " Choose another one."
    ),
    "2017": _("A content rule of the model provider blocked the answer. Rephrase your message."),
}
#: What visitors, who can't choose a model nor know an administrator, are told instead.
_NOT_AVAILABLE = {ErrorReader.VISITOR: _("The chat isn't available right now. Try again later.")}
OTHERS_BY_CODE = {"5016": _NOT_AVAILABLE, "5035": _NOT_AVAILABLE}
LIMIT = re.compile(r"limit \((\d+)\)|context length (?:is|of) (\d+)|supports only (\d+)")
#: A refusal of a parameter by its name, as OpenAI, Groq, Mistral and servers with strict schemas
#: word it. Names that have alternatives; see learned.py.
UNKNOWN_NAME = re.compile(
    r"unsupported|not supported|unknown|unrecognized|unexpected|not permitted|extra_forbidden"
)
PARAMETER = re.compile(r"\b(max_tokens|max_completion_tokens|reasoning_content|reasoning)\b")
REQUEST_ID = re.compile(r"\(([0-9a-f-]{4,36})\)\s*$")


class ParameterRefused(UpstreamRejected):
    """The provider does not know a parameter by the `name` that was sent."""

    def __init__(self, name: str, *, detail: str = "") -> None:
        super().__init__(detail=detail)
        self.name = name


@dataclass(frozen=True, slots=True)
class ReportedError:
    """An error as the provider reported it."""

    code: str | None
    message: str
    param: str = ""


def ended_in_error(finish_reason: str) -> ReportedError:
    """Return the error of an answer whose finish reason says that it failed."""
    return ReportedError(finish_reason, "")


def reported_error(chunk: Chunk, event_name: str) -> ReportedError | None:
    """Return the error that `chunk`, a document or an event of a stream, reports; else None."""
    for raw in (chunk.errors, chunk.error):
        value = value_of(raw)
        value = value[0] if isinstance(value, list) and value else value
        if value and not isinstance(value, list):
            return _read(value)
        if len(raw) > MAX_VALUE_BYTES:
            return ReportedError(None, "")
    own = {"code": value_of(chunk.code) or value_of(chunk.internal_code)}
    own["message"] = value_of(chunk.message) or value_of(chunk.detail)
    if chunk.internal_code or event_name == "error" or chunk.success == FALSE:
        return _read(own)
    kind = word_of(chunk.type)
    if kind == "response.failed":
        response = value_of(chunk.response)
        return _read(response.get("error") if isinstance(response, dict) else own)
    return _read(own) if kind == "error" or chunk.object == ERROR else None


def _read(value: Any) -> ReportedError:
    """Read an error object. Its message may be an object itself, as with FastAPI and Mistral."""
    if not isinstance(value, dict):
        return ReportedError(None, str(value))
    code = value.get("code", value.get("internalCode"))
    return ReportedError(
        None if code is None else str(code),
        str(value.get("message") or ""),
        str(value.get("param") or ""),
    )


def error_for(
    refusal: ReportedError, status: int | None = None, retry_after_seconds: float | None = None
) -> UpstreamError:
    """Return the exception to raise. `status` is None inside a stream."""
    status = status or _status_in(refusal)
    detail = _detail(refusal, status)
    if status in {400, 422} and (name := _refused_parameter(refusal)):
        return ParameterRefused(name, detail=detail)
    kind = _kind(refusal, status)
    if kind is ContextTooLong:
        return ContextTooLong(detail=detail, limit_tokens=_limit(refusal.message))
    code = refusal.code or ""
    return kind(
        PUBLIC_BY_CODE.get(code, ""),
        others=OTHERS_BY_CODE.get(code),
        detail=detail,
        retry_after_seconds=retry_after_seconds,
    )


def _kind(refusal: ReportedError, status: int | None) -> type[UpstreamError]:
    words = refusal.message.lower()
    for phrase, kind in BY_WORDS:
        if phrase in words:
            return kind
    if refusal.code in BY_CODE:
        return BY_CODE[refusal.code]
    return _kind_of_status(status)


def _status_in(refusal: ReportedError) -> int | None:
    """Return the HTTP status that many use as the code of an error inside a stream."""
    code = refusal.code or ""
    return int(code) if re.fullmatch(r"[45]\d\d", code) else None


def _refused_parameter(refusal: ReportedError) -> str:
    """Return the name of the parameter that is unknown to the provider; empty if none is."""
    words = refusal.message[:MAX_MESSAGE_CHARS]
    if not UNKNOWN_NAME.search(f"{refusal.code} {words}".lower()):
        return ""
    match = PARAMETER.search(refusal.param) or PARAMETER.search(words)
    return match[1] if match else ""


def _kind_of_status(status: int | None) -> type[UpstreamError]:
    if status is None or status >= 500:
        return UpstreamError
    by_status: dict[int, type[UpstreamError]] = {
        401: NotConfigured,
        402: CreditExhausted,
        403: NotConfigured,
        404: ModelRemoved,
        408: UpstreamReportedTimeout,
        413: ContextTooLong,
        429: UpstreamRateLimited,
    }
    return by_status.get(status, UpstreamRejected)


def _limit(message: str) -> int | None:
    """Return the context window in tokens that the message states; None if it states none."""
    match = LIMIT.search(message)
    return int(next(group for group in match.groups() if group)[:9]) if match else None


def _detail(refusal: ReportedError, status: int | None) -> str:
    """Return details for the log: numbers and the request id.

    The message is left out, because it may echo a prompt.
    """
    request_id = REQUEST_ID.search(refusal.message)
    code = (refusal.code or "-")[:40] if re.fullmatch(r"[\w.-]*", refusal.code or "") else "-"
    return f"status={status or '-'} code={code} id={request_id[1] if request_id else '-'}"
