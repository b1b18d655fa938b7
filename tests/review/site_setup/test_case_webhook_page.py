"""Administrators set the webhook of cases, and see its attempts."""

import pytest

from chat.accounts.models import User
from chat.outbox.models import Delivery
from chat.review.access_log.staff_actions import StaffAction
from chat.review.staff_notices.models import CaseWebhook, CaseWebhookAttempt
from tests.review.conftest import Reasoned

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")
PAGE = "/review/site/case-webhook/"
URL = "https://hooks.example.org/cases"


@pytest.fixture
def client(administrator: User) -> Reasoned:
    client = Reasoned()
    client.force_login(administrator)
    return client


def show(client: Reasoned) -> str:
    response = client.get(PAGE)
    assert response.status_code == 200
    return str(response.content.decode())


def test_the_secret_is_shown_once_and_not_recorded(client: Reasoned) -> None:
    assert client.post(PAGE, {"webhook_url": URL}).status_code == 302
    stored = CaseWebhook.objects.get()
    assert stored.url == URL
    assert stored.secret in show(client)
    assert stored.secret not in show(client)
    assert stored.secret not in str(list(StaffAction.objects.values()))
    assert StaffAction.objects.latest("pk").detail == f"case webhook: – → {URL}, new secret"


def test_another_address_gets_another_secret(client: Reasoned) -> None:
    secrets = []
    for sent in (
        {"webhook_url": URL},
        {"webhook_url": URL},
        {"webhook_url": URL, "renews_secret": "on"},
        {"webhook_url": f"{URL}/other"},
    ):
        client.post(PAGE, sent)
        secrets.append(CaseWebhook.objects.get().secret)
    assert secrets[0] == secrets[1]
    assert len(set(secrets)) == 3
    client.post(PAGE, {"webhook_url": ""})
    assert not CaseWebhook.objects.exists()


@pytest.mark.parametrize(
    "url", ["http://hooks.example.org/", "https://10.0.0.1/", "https://a:b@example.org/", "x"]
)
def test_an_unsafe_address_is_refused(client: Reasoned, url: str, settings: object) -> None:
    settings.CHECK_LOCAL_SITES = False  # type: ignore[attr-defined]
    assert client.post(PAGE, {"webhook_url": url}).status_code == 422
    assert not CaseWebhook.objects.exists()


def test_a_test_event_needs_an_address(client: Reasoned) -> None:
    assert client.post(f"{PAGE}test/").status_code == 404
    client.post(PAGE, {"webhook_url": URL})
    assert client.post(f"{PAGE}test/").status_code == 302
    assert Delivery.objects.get().content == {"event": "case.test", "case": None}


def test_attempts_are_listed(client: Reasoned) -> None:
    CaseWebhookAttempt.objects.create(event="case.opened", case=77, number=2, error="status 500")
    page = show(client)
    assert "case.opened" in page
    assert "status 500" in page
    assert "Case 77" in page
