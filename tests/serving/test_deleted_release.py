"""A process that is ready needs no file of its release: an upgrade replaces them all."""

import json
from collections.abc import Iterator
from contextlib import closing

import httpx
import pytest

from tests.support.servers.copied_release import CopiedRelease
from tests.support.servers.online_member import OnlineMember
from tests.support.servers.peopled_site import PeopledSite
from tests.support.servers.served_site import ServedSite
from tests.support.servers.server import START_SECONDS, signed_up

pytestmark = [
    pytest.mark.xdist_group("serving"),
    pytest.mark.long,
    pytest.mark.timeout(900),  # each visit is hundreds of requests
]

#: Person and language.
VISITS = [("", "en"), ("", "ar"), ("alice", "en"), ("alice", "de"), ("rita", "fr"), ("adam", "es")]
#: It may answer 503, as its name says.
CHECKS = {"/readyz"}
MODEL = "@cf/meta/llama-3.3-70b-instruct-fp8-fast"


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ServedSite, PeopledSite]]:
    """A site whose process has shown no page of staff yet when its release is removed."""
    folder = tmp_path_factory.mktemp("site")
    release = CopiedRelease(folder / "release")
    site = ServedSite(folder, TITLE_MODEL="", EMAIL_CONFIRMATION="optional")
    site.python, site.release = release.python, release.folder
    site.environment |= release.environment
    site.prepare()
    try:
        site.start()
        with closing(signed_up(site)) as alice:
            assert OnlineMember(site, alice).send("first").status_code == 200
        people = PeopledSite.of(site)
        release.remove()
        yield site, people
    finally:
        site.end()


def client_of(site: ServedSite, people: PeopledSite, who: str, language: str) -> httpx.Client:
    return httpx.Client(
        base_url=site.url,
        timeout=START_SECONDS,
        headers={"Accept-Language": language, "Origin": site.url},
        cookies={"sessionid": people.sessions[who]} if who else {},
    )


@pytest.mark.parametrize(("who", "language"), VISITS)
def test_every_page_is_shown(left: tuple[ServedSite, PeopledSite], who: str, language: str) -> None:
    site, people = left
    shown, failed = 0, []
    with client_of(site, people, who, language) as client:
        for path in people.paths():
            if "logout" in path or path in CHECKS:
                continue
            with client.stream("GET", path, headers={"Accept": "text/html"}) as response:
                shown += response.status_code == 200
                if response.status_code >= 500:
                    failed.append((path, response.status_code))
    assert failed == [], site.text()[-3000:]
    assert shown > (10 if not who else 60)
    assert "Traceback" not in site.text()


def posted(client: httpx.Client, path: str, form: dict[str, str], **files: bytes) -> int:
    client.get("/accounts/password/reset/")
    token = client.cookies.get("csrftoken") or ""
    given = {name: (f"{name}.json", content) for name, content in files.items()}
    headers = {"X-CSRFToken": token, "Accept": "text/html"}
    response = client.post(path, data=form, files=given or None, headers=headers)
    return response.status_code


def test_people_send_export_import_and_sign_out(left: tuple[ServedSite, PeopledSite]) -> None:
    site, people = left
    with client_of(site, people, "alice", "de") as alice:
        alice.get("/settings/")
        member = OnlineMember(site, alice)
        assert member.send("second", "/code").status_code == 200
        assert alice.get("/settings/export.zip").content.startswith(b"PK")
        chat = json.dumps([{"title": "Rivers", "create_time": 1.0, "mapping": {}}]).encode()
        assert posted(alice, "/settings/import/", {}, file=chat) in {200, 302, 422}
        assert posted(alice, "/accounts/password/change/", {"oldpassword": "wrong"}) < 500
        assert posted(alice, "/accounts/2fa/totp/activate/", {"code": "000000"}) < 500
        assert alice.post("/chat/messages", json={"key": "without-a-token"}).status_code == 403
        assert posted(alice, "/accounts/logout/", {}) == 302
        assert alice.get("/chat/").status_code == 302


def test_strangers_sign_up_and_sign_in(left: tuple[ServedSite, PeopledSite]) -> None:
    site, people = left
    with client_of(site, people, "", "fr") as client:
        reset = {"email": "alice@example.org"}
        assert posted(client, "/accounts/password/reset/", reset) == 302
        assert any((site.data_dir / "mail").iterdir())
        wrong = {"login": "alice@example.org", "password": "wrong"}
        assert posted(client, "/accounts/login/", wrong) == 200
        right = {"login": "alice@example.org", "password": "a quiet reading room"}
        assert posted(client, "/accounts/login/", right) == 302
    with client_of(site, people, "", "ar") as client:
        weak = {"email": "cleo@example.org", "password1": "password", "password2": "password"}
        assert posted(client, "/accounts/signup/", weak) == 200
        good = weak | dict.fromkeys(("password1", "password2"), "a tide table by the door")
        assert posted(client, "/accounts/signup/", good) == 302
    assert "Traceback" not in site.text()


def test_programs_and_visitors_are_answered(left: tuple[ServedSite, PeopledSite]) -> None:
    site, people = left
    key = {"Authorization": f"Bearer {people.secret}"}
    with httpx.Client(base_url=site.url, timeout=START_SECONDS) as client:
        for path, body in (
            ("/v1/models", None),
            ("/v1/embeddings", {"model": "@cf/baai/bge-m3", "input": "water"}),
            (
                "/v1/chat/completions",
                {"model": MODEL, "messages": [{"role": "user", "content": "Hello"}]},
            ),
            ("/v1/responses", {"model": MODEL, "input": "Hello"}),
            ("/v1/messages", {"model": MODEL, "messages": [{"role": "user", "content": "Hi"}]}),
        ):
            response = client.request("POST" if body else "GET", path, json=body, headers=key)
            assert response.status_code == 200, (path, response.text)
        file = {"type": "file", "file": {"filename": "a.pdf", "file_data": "JVBERi0xLjQ="}}
        body = {"model": MODEL, "messages": [{"role": "user", "content": [file]}]}
        response = client.post("/v1/chat/completions", json=body, headers=key)
        assert response.status_code == 503, response.text  # the program that reads files has gone
        frame = client.get(f"/w/{people.ids['site']}/")
        assert frame.status_code == 200
        same = {"Origin": site.url, "Sec-Fetch-Site": "same-origin"}
        session = client.post(f"/w/{people.ids['site']}/session", headers=same)
        assert session.status_code < 500
    assert "Traceback" not in site.text()


def test_the_page_still_gets_its_scripts(left: tuple[ServedSite, PeopledSite]) -> None:
    site, people = left
    with client_of(site, people, "alice", "en") as client:
        page = client.get("/accounts/login/").text
        for url in {each.split('"')[0] for each in page.split('"/static/')[1:]}:
            assert client.get(f"/static/{url}").status_code == 200, url
