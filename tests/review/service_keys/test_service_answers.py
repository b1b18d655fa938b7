"""What a program reads with a service key: shapes, pages, filters and errors."""

import random
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.quotas.models import Limit, Meter
from chat.review.access_log import audit_chain
from chat.review.access_log.staff_actions import StaffAction
from chat.review.case_models import Case
from chat.review.models import AccessLogEntry, AuditSeal
from chat.review.moderation import content
from chat.review.search import conversation_search
from chat.web.review.service_api import audit
from tests.review.conftest import SENTINEL, say, staff_context_of
from tests.support.database.statements import statements
from tests.support.review.analytics import ask
from tests.support.review.service_client import ServiceClient, service_client

pytestmark = pytest.mark.usefixtures("stop_server_process")


@pytest.fixture
def program(administrator: User) -> ServiceClient:
    return service_client(administrator)


def ids(response: Any) -> list[Any]:
    return [each["id"] for each in response.json()["data"]]


def test_a_chat_has_its_messages_with_what_staff_see(
    hers: Conversation, program: ServiceClient
) -> None:
    chat = program.get(f"conversations/{hers.pk}").json()
    assert (chat["object"], chat["id"], chat["title"]) == (
        "conversation", str(hers.pk), f"{SENTINEL} asked",
    )  # fmt: skip
    assert chat["person"]["email"] == hers.owner.email
    question, answer = chat["messages"]
    assert (question["role"], question["text"]) == ("user", f"{SENTINEL} asked")
    assert answer["parent"] == question["id"]
    assert [each["state"] for each in answer["attempts"]] == ["stopped"]
    assert [each["value"] for each in answer["ratings"]] == [-1]
    assert chat["cases"] == [Case.objects.get().pk]
    assert chat["states"] == ["stopped"]


def test_a_hidden_message_has_its_text_and_says_so(
    hers: Conversation, program: ServiceClient, lead: User
) -> None:
    answer = hers.messages.last()
    assert answer
    content.hide(staff_context_of(lead), hers.pk, answer.pk)
    shown = program.get(f"conversations/{hers.pk}").json()["messages"][1]
    assert (shown["is_hidden"], shown["text"]) == (True, f"{SENTINEL} answered")


def test_chats_come_page_by_page(
    alice: User, program: ServiceClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversation_search, "CHATS_PER_PAGE", 2)
    made = {str(say(alice, f"Question {number}").pk) for number in range(5)}
    found, query, pages = [], {}, 0
    while True:
        page = program.get("conversations", query)
        found += ids(page)
        pages += 1
        if not page.json()["has_more"]:
            break
        query = {"after": page.json()["next"]}
    assert (set(found), len(found), pages) == (made, 5, 3)


def test_filters_are_those_of_the_search_page(
    hers: Conversation, alice: User, program: ServiceClient, pupils: Group
) -> None:
    other = say(alice, "Another", "Answer", model="@cf/other/model")
    assert ids(program.get("conversations", {"state": "stopped"})) == [str(hers.pk)]
    assert ids(program.get("conversations", {"model": "other"})) == [str(other.pk)]
    assert len(ids(program.get("conversations", {"group": pupils.pk}))) == 2
    tomorrow = (timezone.now() + timedelta(days=1)).date().isoformat()
    assert ids(program.get("conversations", {"since": tomorrow})) == []
    assert AccessLogEntry.objects.latest("id").kind == "searched"


@pytest.mark.parametrize(
    ("path", "query", "param"),
    [
        ("conversations", {"stat": "stopped"}, "stat"),
        ("conversations", {"q": "words"}, "q"),
        ("conversations", {"state": "odd"}, "state"),
        ("conversations", {"after": "x"}, None),
        ("messages", {}, "q"),
        ("cases", {"severity": "9"}, "severity"),
        ("figures/days", {"since": "yesterday"}, "since"),
        ("audit/access", {"order": "odd"}, "order"),
        ("audit/access", {"after": "x"}, None),
        ("audit/actions", {"kind": "odd"}, "kind"),
        ("limits", {"all": "1"}, "all"),
    ],
)
def test_an_invalid_parameter_is_named(
    path: str, query: dict[str, str], param: str | None, program: ServiceClient
) -> None:
    response = program.get(path, query)
    error = response.json()["error"]
    assert (response.status_code, error["type"], error["param"]) == (
        400, "invalid_request_error", param,
    )  # fmt: skip


@pytest.mark.parametrize("path", ["figures/people", "figures/odd", "cases/99999", "odd"])
def test_what_is_not_there_is_404(path: str, program: ServiceClient) -> None:
    response = program.get(path)
    assert response.status_code == 404
    assert set(response.json()["error"]) == {"message", "type", "param", "code"}


def test_a_case_has_its_flags_and_messages(hers: Conversation, program: ServiceClient) -> None:
    case = Case.objects.get()
    assert ids(program.get("cases")) == [case.pk]
    shown = program.get(f"cases/{case.pk}").json()
    assert (shown["conversation"], shown["state"]) == (str(hers.pk), "open")
    (flag,) = shown["flags"]
    assert (flag["source"], flag["reason"]) == ("report", "other")
    assert flag["comment"] == f"{SENTINEL} reported"
    assert [each["text"] for each in shown["messages"]] == [
        f"{SENTINEL} asked", f"{SENTINEL} answered",
    ]  # fmt: skip


def test_figures_are_those_of_the_page(alice: User, program: ServiceClient) -> None:
    ask(alice, timezone.now(), random.Random(1))
    answer = program.get("figures/days", {"days": 7}).json()
    assert len(answer["data"]) == 7
    assert answer["until"] == answer["data"][-1]["day"]
    assert answer["data"][-1]["messages"] == 1
    (cost,) = program.get("figures/costs").json()["data"]
    assert (cost["site"], cost["messages"]) == ("This site", 1)
    assert cost["dollars"] > 0


def test_limits_come_with_their_use(program: ServiceClient, pupils: Group, alice: User) -> None:
    Limit.objects.all().delete()
    Limit.objects.create(scope="everyone", measure="dollars", amount=50)
    Limit.objects.create(scope="group", group=pupils, measure="tokens", amount=1000)
    Limit.objects.create(scope="member", user=alice, measure="tokens", amount=5)
    rows = program.get("limits").json()["data"]
    assert [(each["scope"], each["measure"], each["amount"], each["used"]) for each in rows] == [
        ("everyone", "dollars", 50.0, 0.0),
        ("group", "tokens", 1000.0, 0.0),
    ]


def test_more_limits_take_no_more_statements(program: ServiceClient, pupils: Group) -> None:
    Limit.objects.all().delete()
    Limit.objects.create(scope="group", group=pupils, measure="tokens", amount=1000)
    Limit.objects.create(scope="site", measure="tokens", amount=7)  # for each website
    get = partial(program.get, "limits")
    get()
    once = statements(get)
    for number in range(4):
        group = Group.objects.create(name=f"Class {number}")
        Limit.objects.create(scope="group", group=group, measure="tokens", amount=number)
        Meter.objects.create(key=f"group:{group.pk}", running=number)
        Limit.objects.create(scope="group", group=group, measure="running", amount=9)
    assert statements(get) == once
    running = [each for each in get().json()["data"] if each["measure"] == "running"]
    assert [each["used"] for each in running] == [0.0, 1.0, 2.0, 3.0]
    assert [each["is_highest_of_several"] for each in running] == [False] * 4
    (each_site,) = [each for each in get().json()["data"] if each["scope"] == "site"]
    assert each_site["is_highest_of_several"]


def test_the_log_has_what_its_seals_are_made_of(
    hers: Conversation, administrator: User, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    yesterday = timezone.now() - timedelta(days=2)
    for number in range(3):
        AccessLogEntry.objects.create(
            reader=administrator.pk, owner=alice.pk, kind="read", reason=f"{number}", at=yesterday
        )
    audit_chain.seal_days()
    monkeypatch.setattr(audit, "AT_ONCE", 2)
    program = service_client(administrator, "audit")
    page = program.get("audit/access", {"order": "oldest"}).json()
    rest = program.get("audit/access", {"order": "oldest", "after": page["next"]}).json()
    rows = page["data"] + rest["data"]
    assert [each["reason"] for each in rows] == ["0", "1", "2"]
    seal = AuditSeal.objects.earliest("day")
    assert {each["seal"] for each in rows} == {seal.digest}
    stored = AccessLogEntry.objects.order_by("pk")
    assert [each["digest"] for each in rows] == [audit_chain.entry_digest(each) for each in stored]
    listed = program.get("audit/seals").json()["data"]
    assert listed[0] == {
        "object": "seal", "day": seal.day.isoformat(), "entries": 3, "digest": seal.digest,
    }  # fmt: skip


def test_the_log_of_actions_says_who_created_the_key(
    program: ServiceClient, administrator: User
) -> None:
    row = program.get("audit/actions", {"kind": "service_key_created"}).json()["data"][0]
    assert row["actor"] == {"id": administrator.pk, "name": "Adam"}
    assert row["detail"] == f"{program.key.pk} Report: audit figures review"
    assert program.text not in str(list(StaffAction.objects.values()))


def test_cases_are_filtered_by_the_reason_of_their_flags(
    hers: Conversation, program: ServiceClient
) -> None:
    assert len(ids(program.get("cases", {"reason": "other"}))) == 1
    assert ids(program.get("cases", {"reason": "personal"})) == []
