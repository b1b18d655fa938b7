"""A request body as JSON of a known shape. Bad input is refused in plain words."""

import asyncio
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.errors import BadRequest

T = TypeVar("T")

_decoder = ThreadPoolExecutor(1, thread_name_prefix="runnel-decoder")


class UnsupportedParameter(BadRequest):
    """A request names what is not honoured here, and would change the answer."""

    code = "unsupported_parameter"


class RequestTooLong(BadRequest):
    """413: longer than what is asked for here."""

    code, status = "body_too_long", 413
    text = gettext_lazy("This is too long for this site. Shorten it. Your draft is saved.")


#: What a short form, a rating or a token takes at most.
SMALL_BYTES = 32 * 1024
#: Above this a body is decoded in a thread: the event loop has others to serve.
INLINE_BYTES = 64 * 1024
#: An escape: a pair of surrogates, half of one, a NUL, or any other.
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|u[dD][89a-fA-F][0-9a-fA-F]{2}|u0000|.)",
    re.DOTALL,
)
#: May be half of a pair; no more is asked of it, so that a text of emoji is not repaired in vain.
_HALF = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    rb"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|\\\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F]"
)
_WHOLE_ESCAPE_BYTES = frozenset({2, 12})  # one that is kept: a pair, or any other
_REPLACEMENT = rb"\ufffd"
_UNKNOWN_KEY = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
MAX_SHOWN_NAME_CHARS = 60
#: Replacing takes microseconds for each escape; a longer body with such characters is refused.
MAX_REPAIRED_BYTES = 256 * 1024


async def decode_body(body: bytes, shape: type[T], check: Callable[[T], T] | None = None) -> T:
    """Do as `read_json` does, and `check` it; off the event loop where the body is large.

    One large body after the other: each keeps Python from doing anything else for moments.
    """

    def read() -> T:
        found = read_json(body, shape)
        return check(found) if check else found

    if len(body) <= INLINE_BYTES:
        return read()
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_decoder, copy_context().run, read)


def read_small_json(body: bytes, shape: type[T]) -> T:
    """Do as `read_json` does with a body that has no long text in it; `RequestTooLong`."""
    if len(body) > SMALL_BYTES:
        raise RequestTooLong
    return read_json(body, shape)


def read_json(body: bytes, shape: type[T]) -> T:
    """Decode `body` straight into `shape`: what does not fit costs nothing beyond its place.

    Half surrogate pairs and NULs, which cannot be stored, become U+FFFD. Raises `BadRequest`,
    which says what is wrong and where.
    """
    try:
        return msgspec.json.decode(_storable(body), type=shape)
    except UnicodeDecodeError:
        raise BadRequest(_("The text isn't valid UTF-8.")) from None
    except RecursionError:
        raise BadRequest(_("This is nested too deeply.")) from None
    except msgspec.ValidationError as error:
        raise _refusal(str(error)) from None
    except msgspec.DecodeError:
        raise BadRequest(_not_json(body)) from None


def _storable(body: bytes) -> bytes:
    """`body` without escapes of characters that cannot be stored."""
    if rb"\u0000" not in body and not _HALF.search(body):
        return body
    if len(body) > MAX_REPAIRED_BYTES:
        raise BadRequest(_("The text contains characters that can't be stored, such as NUL."))
    # In Python for each escape, so that other threads have their turn in between.
    return _ESCAPE.sub(_kept_escape, body)


def _kept_escape(found: re.Match[bytes]) -> bytes:
    escape = found[0]
    return escape if len(escape) in _WHOLE_ESCAPE_BYTES else _REPLACEMENT


def _not_json(body: bytes) -> str:
    try:
        body.decode()
    except UnicodeDecodeError:
        return _("The text isn't valid UTF-8.")
    return _("The request isn't valid JSON.")


def _refusal(problem: str) -> BadRequest:
    found = _UNKNOWN_KEY.fullmatch(problem)
    if found is None:
        return BadRequest(_in_words(problem))
    name = found[1][:MAX_SHOWN_NAME_CHARS]
    return UnsupportedParameter(_("{name}: unknown field.").format(name=name))


def _in_words(problem: str) -> str:
    """msgspec's message, with the place first: `temperature: expected a number <= 5`."""
    found = re.fullmatch(r"(.*?)(?: - at `\$\.?(.*)`)?", problem, re.DOTALL)
    what, where = (found[1], found[2]) if found else (problem, None)
    what = what.replace("`", "").replace("float", "a number").replace("int", "a whole number")
    return f"{where or 'The request'}: {what[:1].lower()}{what[1:]}."
