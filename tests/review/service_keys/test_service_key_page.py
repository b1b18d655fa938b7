"""Administrators create and revoke service keys."""

import re

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from chat.accounts.models import User
from chat.api_keys import keys
from chat.api_keys.models import ApiKey
from chat.review.access_log.staff_actions import StaffAction
from tests.support.review.service_client import ServiceClient, service_client

pytestmark = pytest.mark.usefixtures("stop_server_process")
PAGE = "/review/site/service-keys/"


def test_a_key_is_shown_once_and_reads_what_was_chosen(
    admin_browser: Client, pupils: Group
) -> None:
    sent = {"name": "SIEM", "scopes": ["audit"], "groups": [pupils.pk], "lifetime": "30"}
    page = admin_browser.post(PAGE, sent).content.decode()
    (text,) = re.findall(r"rnl_[0-9A-Za-z]{42}", page)
    key = ApiKey.objects.get()
    assert (key.scopes, key.group_ids, key.site_ids) == ("audit", str(pupils.pk), "")
    assert key.expires_at
    program = ServiceClient(key, text)
    assert program.get("audit/access").status_code == 200
    again = admin_browser.get(PAGE).content.decode()
    assert text not in again
    assert "SIEM" in again
    assert "Pupils" in again
    assert text not in str(list(StaffAction.objects.values()))


def test_a_key_needs_a_name_and_a_scope(admin_browser: Client) -> None:
    response = admin_browser.post(PAGE, {"lifetime": "30"})
    assert response.status_code == 422
    assert not ApiKey.objects.exists()


def test_any_administrator_revokes_a_key(admin_browser: Client, lead: User) -> None:
    lead.is_superuser = True
    lead.save()
    program = service_client(User.objects.get(pk=lead.pk))
    assert admin_browser.post(f"{PAGE}{program.key.pk}/revocation/").status_code == 302
    assert program.get("audit/access").status_code == 401
    action = StaffAction.objects.latest("id")
    assert (action.kind, action.person) == ("api_key_revoked", lead.pk)
    assert admin_browser.post(f"{PAGE}{program.key.pk}/revocation/").status_code == 404


def test_the_page_says_when_a_key_does_not_work_any_more(admin_browser: Client, lead: User) -> None:
    lead.is_superuser = True
    lead.save()
    service_client(User.objects.get(pk=lead.pk))
    words = "<strong>It doesn&#x27;t work"
    assert words not in admin_browser.get(PAGE).content.decode().replace("'", "&#x27;")
    lead.is_superuser = False
    lead.save()
    assert words in admin_browser.get(PAGE).content.decode().replace("'", "&#x27;")


def test_a_members_page_has_no_service_keys(admin_browser: Client, administrator: User) -> None:
    program = service_client(administrator)
    assert program.key not in keys.keys_of(administrator.pk)
    admin_browser.post(f"/settings/api/{program.key.pk}/revocation/")
    assert program.get("audit/access").status_code == 200
