"""Workers behind deploy/nginx.conf and deploy/Caddyfile, in a real nginx and a real Caddy."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.support.missing_programs import require
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers import caddy, nginx
from tests.support.servers.online_member import OnlineMember, Reading
from tests.support.servers.served_site import ServedSite, restart_while_sending, serving

ORIGIN = "https://chat.example.org"
SECRET = "Zq9secret-8fW"
SETTINGS = {"SITE_URL": ORIGIN, "TRUSTED_PROXY_COUNT": "1", "DRAIN_SECONDS": "120"}
PROXIES = {"nginx": (nginx.BINARY, nginx.nginx_before), "caddy": (caddy.BINARY, caddy.caddy_before)}
pytestmark = [pytest.mark.xdist_group("serving"), pytest.mark.long]


@pytest.fixture(scope="module")
def static_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("static_root")


@pytest.fixture(params=PROXIES)
def proxy(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    require(PROXIES[name][0], name)
    return name


class ProxiedMember(OnlineMember):
    @property
    def _headers(self) -> dict[str, str]:
        return super()._headers | {"Origin": ORIGIN}


@contextmanager
def site_behind(
    proxy: str, folder: Path, static_root: Path
) -> Iterator[tuple[ServedSite, ProxiedMember]]:
    paces = {"EMULATOR_TOKENS_PER_SECOND": "100", "STATIC_DIR": str(static_root / "static")}
    (folder / "proxy").mkdir()
    with serving(folder, workers=2, **SETTINGS, **paces) as site:
        with PROXIES[proxy][1](site.ports, folder / "proxy", static_root) as url:
            with nginx.client_of(url) as client:
                client.timeout = httpx.Timeout(PATIENCE_SECONDS)
                client.headers["Origin"] = ORIGIN
                page = client.get("/accounts/signup/")
                token = page.text.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[
                    0
                ]
                password = "a quiet reading room"
                form = {"email": "alice@example.org", "password1": password, "password2": password}
                client.post("/accounts/signup/", data=form | {"csrfmiddlewaretoken": token})
                assert client.get("/chat/").status_code == 200
                yield site, ProxiedMember(site, client)


def test_a_rolling_restart_loses_no_answer_and_no_send(
    proxy: str, tmp_path: Path, static_root: Path
) -> None:
    with site_behind(proxy, tmp_path, static_root) as (site, member):
        restart_while_sending(site, member)


def test_streams_are_not_buffered(proxy: str, tmp_path: Path, static_root: Path) -> None:
    with site_behind(proxy, tmp_path, static_root) as (site, member):
        with Reading(member, "one", "/slow") as reading:  # goes on at the first event
            state = (
                "from chat.generations.models import Generation as G\nprint(G.objects.get().state)"
            )
            assert site.run(state) == "running"
            member.stop(reading.generation_id)
        assert reading.stream.key("state") == "stopped"


def test_static_files_come_from_the_disk_and_secrets_stay_out_of_the_log(
    proxy: str, tmp_path: Path, static_root: Path
) -> None:
    with site_behind(proxy, tmp_path, static_root) as (site, member):
        (static_root / "static" / "only.0123456789ab.css").write_text("a{}")
        mine = member.get("/static/only.0123456789ab.css")
        assert mine.text == "a{}"
        assert mine.headers["Cache-Control"] == "max-age=315360000, public, immutable"
        assert mine.headers["X-Content-Type-Options"] == "nosniff"
        assert mine.headers["Content-Type"].startswith("text/css")
        plain = member.get("/static/css/site.css", **{"Accept-Encoding": "gzip"})
        assert plain.headers["Content-Encoding"] == "gzip"
        assert plain.headers["Cache-Control"] == "max-age=60, public"
        assert member.get("/static/no.css").headers["X-Request-Id"]  # a worker's answer
        assert member.get("/static/../runnel.sqlite3").status_code == 404
        assert [member.get(path).status_code for path in ("/readyz", "/metrics")] == [404, 404]
        paths = [f"/s/{SECRET}/?q={SECRET}", f"/accounts/setup/{SECRET}/", f"/{SECRET}"]
        for path in paths:
            assert member.get(path, Referer=f"{ORIGIN}{path}").status_code in {404, 200}
        site.end()
        for path in paths:
            assert member.get(path, Referer=f"{ORIGIN}{path}").status_code in {502, 503}
    written = [each.read_text() for each in (tmp_path / "proxy").glob("*.log")]
    assert "/s/-" in "".join(written)
    assert SECRET not in "".join(written)
