"""A process that runs on serves the static files of a newer version."""

from pathlib import Path

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory, override_settings

from project.static import StaticMiddleware


async def site(_request: HttpRequest) -> HttpResponse:
    return HttpResponse("not found", status=404)


async def status(middleware: StaticMiddleware, path: str) -> int:
    response = await middleware(RequestFactory().get(path))
    return int(response.status_code)


async def test_hashed_files_that_appear_are_served(tmp_path: Path) -> None:
    root = tmp_path / "static"
    (root / "css").mkdir(parents=True)
    (tmp_path / "private.0123456789ab.txt").write_text("secret")
    with override_settings(STATIC_ROOT=str(root), WHITENOISE_AUTOREFRESH=False):
        middleware = StaticMiddleware(site)
    url = "/static/css/site.0123456789ab.css"
    assert await status(middleware, url) == 404
    (root / "css" / "site.0123456789ab.css").write_text("a{}")
    (root / "css" / "site.css").write_text("a{}")
    response = await middleware(RequestFactory().get(url))
    assert response.content == b"a{}"
    assert url in middleware.files


@pytest.mark.parametrize(
    "path",
    [
        "/static/css/site.css",  # its contents change; whoever runs keeps to its own version
        "/static/../private.0123456789ab.txt",
        "/static/css/../../private.0123456789ab.txt",
        "/static//private.0123456789ab.txt",
        "/other/site.0123456789ab.css",
    ],
)
async def test_nothing_else_is_looked_for(tmp_path: Path, path: str) -> None:
    root = tmp_path / "static"
    root.mkdir()
    with override_settings(STATIC_ROOT=str(root), WHITENOISE_AUTOREFRESH=False):
        middleware = StaticMiddleware(site)
    (root / "css").mkdir()
    (root / "css" / "site.css").write_text("a{}")
    (tmp_path / "private.0123456789ab.txt").write_text("secret")
    (tmp_path / "site.0123456789ab.css").write_text("a{}")
    assert await status(middleware, path) == 404
