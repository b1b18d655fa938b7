"""The first administrator is created through a link that works once, within a day."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from chat.accounts.models import SetupLink, User
from chat.accounts.setup import make_first_staff

pytestmark = pytest.mark.django_db
FORM = {"email": "rita@example.org", "password": "tide table 77"}


def printed_path() -> str:
    out = StringIO()
    call_command("setup_link", stdout=out)
    address = out.getvalue().split()[-1] if out.getvalue() else ""
    return address.removeprefix("http://127.0.0.1:8000")


def test_the_printed_link_creates_the_first_administrator(client: Client) -> None:
    page = client.get(printed_path(), follow=True)
    assert page.redirect_chain == [("/accounts/setup/", 302)]
    assert client.post("/accounts/setup/", FORM)["Location"] == "/review/setup/"
    rita = User.objects.get()
    assert rita.is_staff
    assert rita.is_superuser
    assert client.get("/admin/").status_code == 200


def test_the_link_works_once(client: Client) -> None:
    path = printed_path()
    client.get(path)
    client.post("/accounts/setup/", FORM)
    assert Client().get(path).status_code == 404
    assert client.post("/accounts/setup/", {**FORM, "email": "eve@example.org"}).status_code == 404
    assert User.objects.count() == 1


def test_two_submissions_at_once_create_one_account() -> None:
    token = SetupLink.make()
    assert make_first_staff(token, "rita@example.org", "tide table 77")
    assert make_first_staff(token, "eve@example.org", "tide table 77") is None


def test_no_link_is_printed_once_there_is_an_administrator() -> None:
    User.objects.create_superuser("rita@example.org", "tide table 77")
    assert printed_path() == ""


def test_a_link_ends_once_there_is_an_administrator(client: Client) -> None:
    path = printed_path()
    User.objects.create_superuser("rita@example.org", "tide table 77")
    assert client.get(path).status_code == 404


def test_a_link_works_for_a_day(client: Client) -> None:
    path = printed_path()
    SetupLink.objects.update(created_at=timezone.now() - timedelta(days=1, seconds=1))
    assert client.get(path).status_code == 404


def test_a_new_link_replaces_the_old_one(client: Client) -> None:
    old, new = printed_path(), printed_path()
    assert client.get(old).status_code == 404
    assert client.get(new).status_code == 302


@pytest.mark.parametrize("path", ["/accounts/setup/", "/accounts/setup/guess/"])
def test_without_a_link_the_page_answers_404(path: str, client: Client) -> None:
    printed_path()
    assert client.get(path).status_code == 404
    assert client.post("/accounts/setup/", FORM).status_code == 404


def test_only_a_digest_of_the_token_is_stored() -> None:
    token = SetupLink.make()
    assert token not in SetupLink.objects.get().digest


def test_a_weak_password_is_refused_with_the_reason(client: Client) -> None:
    client.get(printed_path())
    page = client.post("/accounts/setup/", {**FORM, "password": "1234"}).content.decode()
    assert "too short" in page
    assert 'value="rita@example.org"' in page
    assert not User.objects.exists()
