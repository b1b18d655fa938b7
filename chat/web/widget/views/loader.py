"""Serve the scripts for websites; they are the same for all sites, at fixed URLs.

The tag loads `w.js`, and that loads `panel.js` when somebody points at its button.
"""

import gzip
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import etag, require_safe

from chat.lib.release_files import read_at_start

SOURCES = ("widget/w.js", "widget/panel.js")
CACHE = "public, max-age=3600"


def _tag(request: HttpRequest, source: str) -> str:
    return f'"{sha256(_body(source, _is_zipped(request))).hexdigest()[:16]}"'


@require_safe
@etag(_tag)
def show(request: HttpRequest, source: str) -> HttpResponse:
    """Return the static file `source`, such as `widget/w.js`."""
    is_zipped = _is_zipped(request)
    response = HttpResponse(_body(source, is_zipped), content_type="text/javascript; charset=utf-8")
    if is_zipped:
        response["Content-Encoding"] = "gzip"
    response["Cache-Control"] = CACHE
    # For pages that require it of what they embed.
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    response["Access-Control-Allow-Origin"] = "*"
    return response


def _is_zipped(request: HttpRequest) -> bool:
    return "gzip" in request.headers.get("Accept-Encoding", "")


@cache
def _body(source: str, is_zipped: bool) -> bytes:
    body = Path(str(finders.find(source))).read_bytes()  # the build is found before its source
    return gzip.compress(body, mtime=0) if is_zipped else body


@read_at_start
def _read_all() -> None:
    for source in SOURCES:
        for is_zipped in (True, False):
            _body(source, is_zipped)
