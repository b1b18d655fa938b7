"""Administrators set the webhook of cases, and see its attempts."""

import pytest
from django.test import Client

from chat.outbox.models import Delivery
from chat.review.access_log.staff_actions import StaffAction
from chat.review.staff_notices.models import CaseWebhook, CaseWebhookAttempt

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")
PAGE = "/review/site/case-webhook/"
URL = "https://hooks.example.org/cases"


def show(client: Client) -> str:
    response = client.get(PAGE)
    assert response.status_code == 200
    return str(response.content.decode())


def test_the_secret_is_shown_once_and_not_recorded(admin_browser: Client) -> None:
    assert admin_browser.post(PAGE, {"webhook_url": URL}).status_code == 302
    stored = CaseWebhook.objects.get()
    assert stored.url == URL
    assert stored.secret in show(admin_browser)
    assert stored.secret not in show(admin_browser)
    assert stored.secret not in str(list(StaffAction.objects.values()))
    assert StaffAction.objects.latest("pk").detail == f"case webhook: – → {URL}, new secret"


def test_another_address_gets_another_secret(admin_browser: Client) -> None:
    secrets = []
    for sent in (
        {"webhook_url": URL},
        {"webhook_url": URL},
        {"webhook_url": URL, "renews_secret": "on"},
        {"webhook_url": f"{URL}/other"},
    ):
        admin_browser.post(PAGE, sent)
        secrets.append(CaseWebhook.objects.get().secret)
    assert secrets[0] == secrets[1]
    assert len(set(secrets)) == 3
    admin_browser.post(PAGE, {"webhook_url": ""})
    assert not CaseWebhook.objects.exists()


@pytest.mark.parametrize(
    "url", ["http://hooks.example.org/", "https://10.0.0.1/", "https://a:b@example.org/", "x"]
)
def test_an_unsafe_address_is_refused(admin_browser: Client, url: str, settings: object) -> None:
    settings.CHECK_LOCAL_SITES = False  # type: ignore[attr-defined]
    assert admin_browser.post(PAGE, {"webhook_url": url}).status_code == 422
    assert not CaseWebhook.objects.exists()


def test_a_test_event_needs_an_address(admin_browser: Client) -> None:
    assert admin_browser.post(f"{PAGE}test/").status_code == 404
    admin_browser.post(PAGE, {"webhook_url": URL})
    assert admin_browser.post(f"{PAGE}test/").status_code == 302
    assert Delivery.objects.get().content == {"event": "case.test", "case": None}


def test_attempts_are_listed(admin_browser: Client) -> None:
    CaseWebhookAttempt.objects.create(event="case.opened", case=77, number=2, error="status 500")
    page = show(admin_browser)
    assert "case.opened" in page
    assert "status 500" in page
    assert "Case 77" in page
