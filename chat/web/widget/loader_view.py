"""Serve the script that a website's tag loads; it is the same for all sites, at a fixed URL."""

import gzip
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import etag, require_safe

SOURCE = "widget/w.js"  # the build of `make assets` is found before its source
CACHE = "public, max-age=3600"


def _tag(request: HttpRequest) -> str:
    return f'"{sha256(_body(_is_zipped(request))).hexdigest()[:16]}"'


@require_safe
@etag(_tag)
def show(request: HttpRequest) -> HttpResponse:
    is_zipped = _is_zipped(request)
    response = HttpResponse(_body(is_zipped), content_type="text/javascript; charset=utf-8")
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
def _body(is_zipped: bool) -> bytes:
    body = Path(str(finders.find(SOURCE))).read_bytes()
    return gzip.compress(body, mtime=0) if is_zipped else body
