"""A service key reads what its scopes and limits name, and every text on record."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from chat.accounts import suspension
from chat.accounts.models import User
from chat.api_keys.models import ApiKey
from chat.conversations.models import Conversation
from chat.review.access_log import queries
from chat.review.access_log.staff_actions import StaffAction
from chat.review.case_models import Case
from chat.review.models import AccessLogEntry
from chat.web.api import api_callers
from chat.web.review.service_api import callers
from tests.review.conftest import SENTINEL, say
from tests.support.api.api_client import api_client_of
from tests.support.review.service_client import REASON, ServiceClient, service_client
from tests.support.web.signed_in import signed_in

Kind = AccessLogEntry.Kind
#: Addresses by the scope that opens them.
OPENED = {
    "review": [
        "conversations",
        "conversations/{conversation}",
        "messages?q=answered",
        "cases",
        "cases/{case}",
    ],
    "figures": [
        *(
            f"figures/{each}"
            for each in ("summary", "days", "quality", "models", "sites", "costs", "errors")
        ),
        "limits",
    ],
    "audit": ["audit/access", "audit/actions", "audit/seals"],
}
WITH_TEXT = {
    "conversations": Kind.LISTED,
    "conversations/{conversation}": Kind.READ,
    "messages?q=answered": Kind.FOUND,
    "cases": Kind.LISTED,
    "cases/{case}": Kind.EXPORTED,
}


@pytest.fixture(autouse=True)
def _forget_wrong_keys(stop_server_process: None) -> Iterator[None]:
    yield
    api_callers.wrong_keys.clear()


@pytest.fixture
def program(administrator: User) -> ServiceClient:
    return service_client(administrator)


def path_of(route: str, chat: Conversation) -> str:
    case = Case.objects.get(conversation=chat)
    return route.replace("{conversation}", str(chat.pk)).replace("{case}", str(case.pk))


@pytest.mark.parametrize("scope", OPENED)
def test_a_scope_opens_its_addresses_and_no_others(
    scope: str, hers: Conversation, administrator: User
) -> None:
    program = service_client(administrator, scope)
    for needed, routes in OPENED.items():
        for route in routes:
            response = program.get(path_of(route, hers))
            text = response.content.decode()
            if needed == scope:
                assert response.status_code == 200, (route, text)
                assert (SENTINEL in text) == (route in WITH_TEXT), route
            else:
                assert response.status_code == 403, route
                assert response.json()["error"]["code"] == "missing_scope"
                assert SENTINEL not in text


@pytest.mark.parametrize(("route", "kind"), WITH_TEXT.items())
def test_every_read_of_texts_is_recorded_with_the_key_and_the_reason(
    route: str, kind: str, hers: Conversation, program: ServiceClient, administrator: User
) -> None:
    before = AccessLogEntry.objects.count()
    assert SENTINEL in program.get(path_of(route, hers)).content.decode()
    assert AccessLogEntry.objects.count() > before
    entry = AccessLogEntry.objects.latest("id")
    assert (entry.reader, entry.owner, entry.kind) == (administrator.pk, hers.owner_id, kind)
    assert entry.reason == REASON
    assert entry.detail == f"service key {program.key.pk} Report"


@pytest.mark.parametrize("route", WITH_TEXT)
@pytest.mark.parametrize("reason", ["", "x", "Too few"])
def test_texts_need_a_reason(
    route: str, reason: str, hers: Conversation, program: ServiceClient
) -> None:
    before = AccessLogEntry.objects.count()
    response = program.get(path_of(route, hers), reason=reason)
    assert (response.status_code, response.json()["error"]["code"]) == (400, "reason_required")
    assert AccessLogEntry.objects.count() == before


def test_a_reason_may_be_a_parameter_and_in_any_language(
    hers: Conversation, program: ServiceClient, settings: Settings
) -> None:
    reason = "Prüfung für die Eltern"
    assert program.get("conversations", {"access_reason": reason}, reason="").status_code == 200
    assert AccessLogEntry.objects.latest("id").reason == reason
    assert program.get("conversations", reason=reason.encode().decode("latin-1")).status_code == 200
    assert AccessLogEntry.objects.latest("id").reason == reason
    settings.REVIEW_REASON_MINUTES = 0
    assert program.get("conversations", reason="").status_code == 200


@pytest.mark.parametrize("route", ["conversations/{conversation}", "cases/{case}"])
def test_what_is_outside_the_limits_is_404_and_recorded(
    route: str, hers: Conversation, administrator: User, bob: User
) -> None:
    choir = Group.objects.create(name="Choir")
    bob.groups.add(choir)
    his = say(bob, "His question", "His answer")
    program = service_client(administrator, group_ids=[choir.pk])
    assert program.get(path_of(route, hers)).status_code == 404
    entry = AccessLogEntry.objects.latest("id")
    assert (entry.kind, entry.conversation) == (Kind.REFUSED, hers.pk)
    listed = program.get("conversations").json()["data"]
    assert [each["id"] for each in listed] == [str(his.pk)]
    assert program.get("messages", {"q": SENTINEL}).json()["data"] == []
    assert program.get("cases").json()["data"] == []


def test_a_key_for_a_group_that_was_deleted_reads_nothing(
    hers: Conversation, administrator: User
) -> None:
    choir = Group.objects.create(name="Choir")
    program = service_client(administrator, group_ids=[choir.pk])
    choir.delete()
    assert program.get("conversations").json()["data"] == []
    days = program.get("figures/summary").json()["data"]
    assert all(not each["value"] for each in days)


def test_a_limited_key_has_only_the_log_about_its_people(
    hers: Conversation, administrator: User, pupils: Group, bob: User
) -> None:
    AccessLogEntry.objects.create(reader=administrator.pk, owner=bob.pk, kind="read")
    AccessLogEntry.objects.create(reader=administrator.pk, owner=None, kind="exported")
    mine = AccessLogEntry.objects.create(reader=bob.pk, owner=hers.owner_id, kind="read")
    program = service_client(administrator, "audit", group_ids=[pupils.pk])
    assert [each["id"] for each in program.get("audit/access").json()["data"]] == [mine.pk]
    StaffAction.objects.create(actor=administrator.pk, person=bob.pk, kind="warned")
    actions = program.get("audit/actions").json()["data"]
    assert {each["person"]["id"] for each in actions} == {str(hers.owner_id)}


def test_a_key_stops_when_its_creator_is_no_administrator(
    hers: Conversation, program: ServiceClient, administrator: User
) -> None:
    assert program.get("conversations").status_code == 200
    administrator.user_permissions.clear()
    for routes in OPENED.values():
        for route in routes:
            response = program.get(path_of(route, hers))
            assert response.status_code == 403
            assert response.json()["error"]["code"] == "creator_without_rights"


@pytest.mark.parametrize("state", ["revoked", "expired", "suspended", "without second factor"])
def test_a_key_stops(
    state: str, program: ServiceClient, administrator: User, settings: Settings
) -> None:
    now = timezone.now()
    if state == "revoked":
        ApiKey.objects.update(revoked_at=now)
    elif state == "expired":
        ApiKey.objects.update(expires_at=now - timedelta(seconds=1))
    elif state == "suspended":
        suspension.suspend(administrator, None)
    else:
        settings.STAFF_TWO_FACTOR = True
    due = 401 if state in {"revoked", "expired"} else 403
    assert program.get("audit/access").status_code == due


def test_a_service_key_opens_no_model_and_a_members_key_no_review(
    program: ServiceClient, alice: User, hers: Conversation
) -> None:
    headers = {"Authorization": f"Bearer {program.text}"}
    models = Client().get("/v1/models", headers=headers)
    assert (models.status_code, models.json()["error"]["code"]) == (403, "wrong_key_kind")
    member = api_client_of(alice)
    headers = {"Authorization": f"Bearer {member.text}", "Runnel-Reason": REASON}
    chats = Client().get("/v1/review/conversations", headers=headers)
    assert (chats.status_code, chats.json()["error"]["code"]) == (403, "wrong_key_kind")


def test_the_creators_session_opens_nothing(administrator: User) -> None:
    client = signed_in(administrator)
    assert client.get("/v1/review/conversations").status_code == 401


def test_only_get_and_no_other_origin(program: ServiceClient) -> None:
    headers = {
        "Authorization": f"Bearer {program.text}",
        "Origin": "https://elsewhere.example",
        "Access-Control-Request-Method": "GET",
    }
    client = Client()
    for method in ("post", "put", "patch", "delete", "options"):
        response = getattr(client, method)("/v1/review/audit/access", headers=headers)
        assert response.status_code == 405, method
        assert not response.has_header("Access-Control-Allow-Origin")
        assert response.json()["error"]["code"] == "method_not_allowed"
    response = client.get("/v1/review/audit/access", headers=headers)
    assert response.status_code == 200
    assert not response.has_header("Access-Control-Allow-Origin")
    assert response["Cache-Control"] == "no-store"
    assert not response.cookies


def test_without_reading_only_the_audit_log_is_left(
    hers: Conversation, program: ServiceClient, settings: Settings
) -> None:
    settings.REVIEW_PRIVACY = "off"
    found: dict[str, set[int]] = {}
    for scope, routes in OPENED.items():
        found[scope] = {program.get(path_of(route, hers)).status_code for route in routes}
    assert found == {"review": {404}, "figures": {404}, "audit": {200}}


def test_with_pseudonyms_a_key_learns_no_names(
    hers: Conversation, program: ServiceClient, settings: Settings
) -> None:
    name, email = hers.owner.name, hers.owner.email
    assert email in program.get("conversations").content.decode()
    settings.REVIEW_PRIVACY = "pseudonymous"
    for routes in OPENED.values():
        for route in routes:
            text = program.get(path_of(route, hers)).content.decode()
            assert email not in text, route
            assert f'"{name}"' not in text, route


def test_reads_are_limited_by_key(
    program: ServiceClient, administrator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(callers, "READS_PER_MINUTE", 2)
    statuses: list[Any] = [program.get("audit/seals").status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    assert service_client(administrator).get("audit/seals").status_code == 200


def test_members_see_that_a_program_read_their_chat(
    hers: Conversation, program: ServiceClient, administrator: User
) -> None:
    assert program.get(f"conversations/{hers.pk}").status_code == 200
    (opened,) = queries.opened_conversations(hers.owner_id)
    assert (opened.reader, opened.is_by_program) == (administrator, True)
    client = signed_in(hers.owner)
    page = client.get("/settings/access-history/").content.decode()
    assert "(by a program)" in page


def test_what_a_program_read_does_not_count_as_read_by_its_creator(
    hers: Conversation, program: ServiceClient, administrator: User
) -> None:
    assert program.get(f"conversations/{hers.pk}").status_code == 200
    assert queries.already_read(administrator.pk, [hers]) == set()
