"""Decode a JSON request body into a known type, with readable error messages."""

import re
from collections.abc import Callable
from itertools import accumulate
from typing import Any, TypeVar, overload

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec import Raw

from chat.errors import BadRequest
from chat.lib.worker_thread import off_loop

T = TypeVar("T")
R = TypeVar("R")


class UnsupportedParameter(BadRequest):
    """The request has a parameter that is not supported and would change the answer."""

    code = "unsupported_parameter"


class RequestTooLong(BadRequest):
    """413: the body is longer than this endpoint accepts."""

    code, status = "body_too_long", 413
    text = gettext_lazy("This is too long for this site. Shorten it.")
    keeps_draft = True


#: Upper limit for a short form, a rating or a token.
SMALL_BYTES = 32 * 1024
#: Larger bodies are decoded in a thread, to keep the event loop responsive.
INLINE_BYTES = 64 * 1024
#: An escape: a surrogate pair, an unpaired surrogate, a NUL or any other.
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|u[dD][89a-fA-F][0-9a-fA-F]{2}|u0000|.)",
    re.DOTALL,
)
#: A cheap check for escapes that may be unpaired surrogates; most texts need no repair.
_HALF = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    rb"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|\\\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F]"
)
_WHOLE_ESCAPE_BYTES = frozenset({2, 12})  # lengths of escapes that are kept: a pair, or any other
_REPLACEMENT = rb"\ufffd"
#: Of arrays and objects in each other; schemas of tools have some dozen.
MAX_DEPTH = 200
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_STEPS = bytes.maketrans(b"[{]}", bytes([1, 1, 255, 255]))  # 255 is -1 in a signed byte
_UNKNOWN_KEY = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
MAX_SHOWN_NAME_CHARS = 60
#: Of msgspec's message, which contains values of the body.
MAX_SHOWN_PROBLEM_CHARS = 300
#: Each replacement takes microseconds; longer bodies with such characters are refused.
MAX_REPAIRED_BYTES = 256 * 1024


@overload
async def decode_body(body: bytes, shape: type[T]) -> T: ...


@overload
async def decode_body(body: bytes, shape: type[T], read: Callable[[T], R]) -> R: ...


async def decode_body(body: bytes, shape: type[T], read: Callable[[T], R] | None = None) -> T | R:
    """Decode like `read_json`, then `read`; large bodies are read off the event loop.

    They are read one at a time, because each blocks Python for a moment.
    """

    def decoded() -> T | R:
        value = read_json(body, shape)
        return read(value) if read else value

    return decoded() if len(body) <= INLINE_BYTES else await off_loop(decoded)


def read_small_json(body: bytes, shape: type[T]) -> T:
    """Decode like `read_json` if there is no long text to expect; raise `RequestTooLong`."""
    if len(body) > SMALL_BYTES:
        raise RequestTooLong
    return read_json(body, shape)


def read_json(body: bytes, shape: type[T]) -> T:
    """Decode `body` directly into `shape`, which allocates nothing for unknown parts.

    Unpaired surrogates and NULs, which cannot be stored, become U+FFFD. Raise `BadRequest`, which
    says what is wrong and where.
    """
    try:
        if not body.isascii():
            body.decode()  # parts that are left raw are not checked otherwise
        _require_shallow(body)
        return msgspec.json.decode(_storable(body), type=shape)
    except UnicodeDecodeError:
        raise BadRequest(_("The text isn't valid UTF-8.")) from None
    except RecursionError:
        raise BadRequest(_("The JSON is nested too deeply.")) from None
    except msgspec.ValidationError as error:
        raise _refusal(str(error)) from None
    except msgspec.DecodeError:
        raise BadRequest(_not_json(body)) from None


def decode_part(raw: Raw, shape: Any, where: str) -> Any:
    """Return a part of the body that was left raw. Raise `BadRequest`, which names `where`."""
    try:
        return msgspec.json.decode(raw, type=shape)
    except msgspec.ValidationError as error:
        where += str(error).partition(" - at `$")[2].rstrip("`")
        raise BadRequest(f"{where}: not in the expected form.").at(where) from None
    except msgspec.DecodeError:  # a number that is too large
        raise BadRequest(f"{where}: not in the expected form.").at(where) from None
    except RecursionError:
        raise BadRequest(_("The JSON is nested too deeply.")) from None


def _require_shallow(body: bytes) -> None:
    """Raise `RecursionError` for a body that Python could decode, but not use and encode again.

    How deep that is would depend on who calls: the limit of recursion counts all of their calls.
    """
    if body.count(b"[") + body.count(b"{") <= MAX_DEPTH:
        return
    steps = _STRING.sub(b"", body).translate(_STEPS, _NO_BRACKETS)
    if max(accumulate(memoryview(steps).cast("b")), default=0) > MAX_DEPTH:
        raise RecursionError


def _storable(body: bytes) -> bytes:
    """Return `body` with escapes of characters that cannot be stored replaced."""
    if rb"\u0000" not in body and not _HALF.search(body):
        return body
    if len(body) > MAX_REPAIRED_BYTES:
        raise BadRequest(_("The text contains characters that can't be stored, such as NUL."))
    # A Python callback for each escape lets other threads run in between.
    return _ESCAPE.sub(_kept_escape, body)


def _kept_escape(match: re.Match[bytes]) -> bytes:
    escape = match[0]
    return escape if len(escape) in _WHOLE_ESCAPE_BYTES else _REPLACEMENT


def _not_json(body: bytes) -> str:
    try:
        body.decode()
    except UnicodeDecodeError:
        return _("The text isn't valid UTF-8.")
    return _("The request isn't valid JSON.")


def _refusal(problem: str) -> BadRequest:
    match = _UNKNOWN_KEY.fullmatch(problem)
    if match is None:
        what, where = _parts_of(problem)
        error = BadRequest(_in_words(what, where))
        return error.at(where) if where else error
    name = match[1][:MAX_SHOWN_NAME_CHARS]
    return UnsupportedParameter(_("{name}: unknown field.").format(name=name)).at(name)


def _parts_of(problem: str) -> tuple[str, str]:
    """Return msgspec's message, and the path of the field; empty for the whole body."""
    what, at, where = problem.rpartition(" - at `$")
    if not at or not where.endswith("`"):
        return problem[:MAX_SHOWN_PROBLEM_CHARS], ""
    return what[:MAX_SHOWN_PROBLEM_CHARS], where[:-1].removeprefix(".")


def _in_words(what: str, where: str) -> str:
    """Return the message with the path first: `temperature: expected a number <= 5`."""
    what = what.replace("`", "").replace("float", "a number").replace("int", "a whole number")
    return f"{where or 'The request'}: {what[:1].lower()}{what[1:]}."
