"""Serve the service worker that shows notices of answers, at a fixed URL.

A static file has a different URL in each version, and its folder would be the worker's scope. No
page has a URL below this one's folder, so the worker controls none (docs/decisions/0032).
"""

from functools import cache
from pathlib import Path

from csp.constants import HEADER
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from chat.lib.release_files import read_at_start

#: It loads nothing and calls nothing.
POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


@require_safe
@cache_control(no_cache=True)
def show(request: HttpRequest) -> HttpResponse:
    response = HttpResponse(_script(), content_type="text/javascript; charset=utf-8")
    response[HEADER] = POLICY
    return response


@read_at_start
@cache
def _script() -> bytes:
    source = finders.find("js/notice_worker.js")
    return Path(str(source)).read_bytes()  # the build is found before its source
