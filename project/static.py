"""Serve static files under ASGI without WhiteNoise's thread hop and sync iterator."""

import os
import re
from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware

from project.npm.npm_packages import LANGUAGES_PATH

#: What the storage of static files calls a file, by its contents.
HASHED_NAME = re.compile(r"\.[0-9a-f]{12}\.[a-z0-9]+$")


class StaticMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]
    """Serve static files in async and sync chains; small files are read whole, in a thread."""

    async_capable = True
    sync_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        super().__init__(get_response)
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def immutable_file_test(self, path: str, url: str) -> bool:
        """Return True if the URL has a hash or a version, so the file never changes."""
        is_versioned = url.startswith(f"{settings.STATIC_URL}{LANGUAGES_PATH}/")
        return is_versioned or bool(super().immutable_file_test(path, url))

    def __call__(self, request: HttpRequest) -> Any:
        if self.is_async:
            return self.__acall__(request)
        return super().__call__(request)

    async def __acall__(self, request: HttpRequest) -> HttpResponseBase:
        url = request.path_info
        if url not in self.files and not self.autorefresh and not await self._has_appeared(url):
            response: Awaitable[HttpResponseBase] = self.get_response(request)
            return await response
        try:
            answer = await sync_to_async(super().__call__, thread_sensitive=False)(request)
        except FileNotFoundError:  # it was there when this process started
            raise Http404 from None
        return await answer if not isinstance(answer, HttpResponseBase) else await _whole(answer)

    async def _has_appeared(self, url: str) -> bool:
        """Return whether another process collected this file for a newer version of the site.

        While processes are restarted one after another, pages of the new version load files from
        processes of the old one.
        """
        if not url.startswith(self.static_prefix) or not HASHED_NAME.search(url):
            return False
        return await sync_to_async(self._add, thread_sensitive=False)(url)

    def _add(self, url: str) -> bool:
        root = os.path.join(os.path.abspath(self.static_root), "")
        path = root + url.removeprefix(self.static_prefix)
        if not self.url_is_canonical(url) or not os.path.isfile(path):
            return False
        self.add_file_to_dictionary(url, path)
        return url in self.files


async def _whole(response: HttpResponseBase) -> HttpResponseBase:
    """Return the response with its body in memory, so that Django need not iterate a file."""
    if not response.streaming:
        return response
    content = await sync_to_async(lambda: b"".join(response), thread_sensitive=False)()
    whole = HttpResponse(content, status=response.status_code)
    whole.headers = response.headers
    if content:  # a newer version may have replaced a file whose name has no hash
        whole.headers["Content-Length"] = str(len(content))
    response.close()
    return whole
