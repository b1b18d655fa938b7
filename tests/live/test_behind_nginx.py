"""The site behind deploy/nginx.conf, if nginx is installed."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import aiohttp
import httpx
import pytest

from tests.support.missing_programs import skip_without
from tests.support.servers.nginx import BINARY, NAME, client_of, nginx_before
from tests.support.servers.server import Server, running

pytestmark = [
    pytest.mark.xdist_group("live on uvicorn"),
    pytest.mark.long,
    skip_without(BINARY, "nginx"),
]
ORIGIN = "https://chat.example.org"
SETTINGS = {
    "SITE_URL": ORIGIN,
    "TRUSTED_PROXY_COUNT": "1",
    "LOG_FORMAT": "json",
    "MAX_IMPORT_BYTES": str(6 * 1024 * 1024),
}
SECRET = "Zq9secret-8fW"


@contextmanager
def behind_nginx(folder: Path) -> Iterator[tuple[Server, httpx.Client]]:
    with running(**SETTINGS) as server:
        with nginx_before([server.port], folder, server.data_dir) as url, client_of(url) as client:
            yield server, client


def signed_up(client: httpx.Client) -> None:
    client.headers["Origin"] = ORIGIN
    password = "a quiet reading room"
    sent = {"email": "alice@example.org", "password1": password, "password2": password}
    post(client, "/accounts/signup/", sent)


def post(client: httpx.Client, path: str, sent: dict[str, str], **others: object) -> httpx.Response:
    page = client.get(path)
    token = page.text.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
    return client.post(path, data=sent | {"csrfmiddlewaretoken": token}, **others)  # type: ignore[arg-type]


def test_an_oversized_file_gets_the_sites_error_and_no_secret_is_logged(tmp_path: Path) -> None:
    with behind_nginx(tmp_path) as (server, client):
        signed_up(client)
        for path in (f"/s/{SECRET}/", f"/accounts/password/reset/key/1-{SECRET}/"):
            client.get(f"{path}?q={SECRET}", headers={"Referer": f"{ORIGIN}{path}"})
        client.get("/s/" + SECRET + "x" * 9000)  # longer than nginx takes
        files = {"file": ("chats.json", io.BytesIO(b"[" + b" " * 5_000_000), "application/json")}
        refused = post(client, "/settings/import/", {}, files=files)
        assert refused.status_code == 422
        assert 'role="alert"' in refused.text
        files["file"] = ("chats.json", io.BytesIO(b" " * 7_000_000), "application/json")
        too_long = post(client, "/settings/import/", {}, files=files)
        assert too_long.headers["Location"].endswith("/settings/import/?too_long")
        written = server.log.read_text()
    written += (tmp_path / "runnel.log").read_text() + (tmp_path / "runnel-error.log").read_text()
    assert " GET /s/- 404 " in written
    assert " GET /accounts/- " in written
    assert SECRET not in written


async def test_notifications_work_through_nginx(tmp_path: Path) -> None:
    with behind_nginx(tmp_path) as (_server, client):
        signed_up(client)
        cookie = "; ".join(f"{each.name}={each.value}" for each in client.cookies.jar)
        headers = {"Cookie": cookie, "Host": NAME}
        async with aiohttp.ClientSession(headers=headers) as web:
            url = str(client.base_url.join("/chat/notifications"))
            async with web.ws_connect(url, origin=ORIGIN, ssl=False) as socket:
                with pytest.raises(TimeoutError):
                    await socket.receive(0.5)
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await web.ws_connect(url, origin=f"{ORIGIN}:8443", ssl=False)
