"""Forms are accepted from pages of this site, also if a proxy makes browsers hide their origin."""

import logging

import pytest
from django.test import Client
from pytest_django import Settings

from chat.accounts.models import User

pytestmark = pytest.mark.django_db
HIDDEN = {"Origin": "null"}


@pytest.fixture
def strict(alice: User) -> Client:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    return client


def submit(client: Client, headers: dict[str, str], token: str | None = None) -> tuple[int, str]:
    """Send the sign-out form; return the status and the text of the response."""
    if token is None:
        client.get("/accounts/logout/")
        token = client.cookies["csrftoken"].value
    response = client.post(
        "/accounts/logout/",
        {"csrfmiddlewaretoken": token},
        headers={"Accept": "application/json", **headers},
    )
    return response.status_code, response.content.decode()


def test_a_form_with_a_hidden_origin_is_accepted_from_this_site(strict: Client) -> None:
    assert submit(strict, {**HIDDEN, "Sec-Fetch-Site": "same-origin"})[0] == 200
    assert "_auth_user_id" not in strict.session


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none", "", None])
def test_sandboxed_frames_and_other_sites_are_refused(strict: Client, site: str | None) -> None:
    fetch = {} if site is None else {"Sec-Fetch-Site": site}
    status, text = submit(strict, HIDDEN | fetch)
    assert status == 403
    assert "out of date" in text
    assert "_auth_user_id" in strict.session


@pytest.mark.parametrize("token", ["", "x" * 32])
def test_a_hidden_origin_still_needs_the_token(strict: Client, token: str) -> None:
    status, text = submit(strict, {**HIDDEN, "Sec-Fetch-Site": "same-origin"}, token)
    assert status == 403
    assert "out of date" in text


def test_an_address_that_is_set_up_wrongly_is_named_instead_of_an_old_page(
    strict: Client, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    """The browser sees https://, but neither SITE_URL nor the proxy says so."""
    settings.CSRF_TRUSTED_ORIGINS = ["http://testserver"]
    ours = {"Origin": "https://testserver", "Sec-Fetch-Site": "same-origin"}
    with caplog.at_level(logging.WARNING):
        status, text = submit(strict, ours)
    assert status == 403
    assert "tell the administrator" in text
    assert "doctor" in caplog.text
    foreign = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
    assert "out of date" in submit(strict, foreign)[1]


def test_no_page_without_an_origin_may_read_responses(client: Client) -> None:
    response = client.get("/healthz", headers={**HIDDEN, "Sec-Fetch-Site": "same-origin"})
    assert response.headers.get("Access-Control-Allow-Origin") != "null"
