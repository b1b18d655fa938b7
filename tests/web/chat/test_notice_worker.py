"""The service worker for notices: small, never stale, and allowed only where notices come from."""

import pytest
from django.test import Client

from chat.accounts.models import User
from tests.support.web.signed_in import signed_in

CSP = "Content-Security-Policy"
PATH = "/chat/notices/worker.js"


def directives(client: Client, path: str) -> dict[str, str]:
    parts = client.get(path, headers={"Accept": "text/html"})[CSP].split("; ")
    return {name: value for name, _, value in (part.partition(" ") for part in parts)}


def test_it_is_a_classic_script_that_the_browser_checks_for_updates() -> None:
    response = Client().get(PATH)
    assert response["Content-Type"] == "text/javascript; charset=utf-8"
    assert response["Cache-Control"] == "no-cache"
    assert "Service-Worker-Allowed" not in response  # its scope stays its own folder
    assert not response.cookies
    script = response.content.decode()
    assert "import" not in script
    assert "export" not in script


def test_it_listens_to_no_request_and_may_load_nothing() -> None:
    response = Client().get(PATH)
    for word in ("fetch", "caches", "push"):
        assert word not in response.content.decode()
    assert "default-src 'none'" in response[CSP]


@pytest.mark.django_db
def test_only_pages_that_announce_answers_may_install_a_worker(alice: User) -> None:
    client = signed_in(alice)
    for path in ("/chat/", "/chat/temporary/", "/settings/"):
        policy = directives(client, path)
        assert policy["worker-src"] == "'self'"
        assert policy["trusted-types"] == "htmx notice-worker"
    for path in ("/settings/data/", "/personas/", "/accounts/email/", "/s/none/"):
        policy = directives(client, path)
        assert policy["worker-src"] == "'none'"
        assert "notice-worker" not in policy.get("trusted-types", "")


@pytest.mark.django_db
def test_no_page_is_in_its_scope(alice: User) -> None:
    client = signed_in(alice)
    assert client.get("/chat/notices/").status_code == 404
